#!/bin/sh
# DISKSPD's reports of ordinary jobs: beside the other formats, adding up, of several waves, of runs that end early.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

# The elements of this name that lie within a line each: their texts.
element() { # FILE NAME
	sed -n "s|^ *<$2>\\([^<]*\\)</$2>\$|\\1|p" "$1"
}
# Behind the profile, which has some of the same names.
results() { # FILE
	sed -n '/<\/Profile>/,$p' "$1" >results
}
sum() {
	awk '{ s += $1 } END { printf "%.0f\n", s }'
}

run --name=x --filename=file --size=2m --bs=8k --rw=randrw --numjobs=2 --output=all \
	--output-format=diskspd-xml,diskspd,normal,terse,json
check "five formats exit 0" exits 0
check "stderr is empty" empty err
sed -n '/^{/,/^}/p' all >doc
sed -n '/^<Results>/,$p' all >xml
sed -n '/^Command Line:/,/^<Results>/p' all >text
check "in their order" same "$(sed -nE 's/^(3;|\{$|Run status|Command Line:|<Results>).*/\1/p' all | sort -u |
	wc -l) $(sed -nE 's/^(3;|\{$|Run status|Command Line:|<Results>).*/\1/p' all | tail -2 | tr '\n' ' ')" \
	"5 Command Line: <Results> "
check "no newline after the XML" same "$(tail -c 10 xml)" "</Results>"
check "reads as in JSON" same "$(element xml ReadCount | sum)" "$(value doc '[.jobs[].read.total_ios] | add')"
check "writes as in JSON" same "$(element xml WriteCount | sum)" "$(value doc '[.jobs[].write.total_ios] | add')"
check "bytes are I/Os of 8 KiB" same "$(element xml BytesCount | sum)" "$(($(element xml IOCount | sum) * 8192))"
check "the text has the same sum" same "$(sed -n 's/^total: *\([0-9]*\).*/\1/p' text | head -1)" \
	"$(element xml BytesCount | sum)"
results xml
check "a thread for each worker" same "$(element results ThreadCount)" 2
check "a processor count" same "$(element xml ProcCount)" "$(getconf _NPROCESSORS_ONLN)"
check "the version is DISKSPD's" same "$(element xml Version)" "2.2.0"
check "... and a comment names the program" grep -q '^  <!-- fiord [^ ]*, in the form of DISKSPD 2.2 -->$' xml

run --name=x --filename=file --size=64k --output-format=diskspd-xml
check "XML alone on the stream" same "$(head -1 out)" "<Results>"
run --name=x --filename=file --size=64k --output-format=diskspd
check "text alone on the stream" same "$(sed -n '1p;2s/:.*//p' out)" "$(printf '\nCommand Line')"
check "no progress, no notes beside it" empty err

# A wave is a time span, each with its own sums.
run --output-format=diskspd,diskspd-xml --output=all --size=1m --bs=4k --name=a --filename=a --rw=write \
	--name=b --stonewall --filename=b --rw=write --name=c --filename=c --rw=write
check "two waves exit 0" exits 0
check "two spans" same "$(grep '^Results for' all | tr '\n' ' ')" "Results for timespan 1: Results for timespan 2: "
check "the totals are those of both" grep -q "^write  *| *3145728 | *768 |" all
results all
check "one thread, then two" same "$(element results ThreadCount | tr '\n' ' ')" "1 2 "

# What -rd comes to, on each target, by three threads that use both.
run diskspd --output-format=diskspd,diskspd-xml --output=all -c4M -b4K -d1 -W0 -F3 -r -rdpct90/10:0/10:5/20 p q
check "a distribution runs" exits 0
check "... of each target" same "$(sed -n '/^Effective/,/^$/p' all | grep -c '^target: [pq] \[thread: 0 - 2\]$')" 2
check "... in whole blocks" says all "    90% of IO => [     0    -    408KiB)"
check "... of each thread in XML, the hole too" same "$(sed -n '/<\/Profile>/,$p' all | grep -c '<Range IO="0">')" 6
check "... which are the whole target" same "$(sed -n '/<\/Profile>/,$p' all |
	sed -n 's/.*<Range IO="[0-9]*">\([0-9]*\)<.*/\1/p' | sum)" $((6 * 4194304))
check "rows sum up to the threads' I/Os" same "$(sed -n '/<\/Profile>/,$p' all >results
	element results IOCount | sum)" "$(sed -n 's/^total: *[0-9]* | *\([0-9]*\).*/\1/p' all | head -1)"

# One that ends early.
start --name=x --filename=file --size=1m --rw=randread --time_based --runtime=600 --output-format=diskspd,diskspd-xml \
	--output=all --eta=always --eta-interval=250
check "it runs" until_true 60 progress_shows r
kill -TERM "$pid"
wait_for_exit
check "interrupted: 143" exits 143
check "the sentence" grep -q "^The test was interrupted before the measurements ended. (terminated by SIGTERM" all
check "... and the tables" grep -q "^Total IO" all
check "... in XML, too" same "$(grep -c '<Error>\|^    <Thread>' all)" 1
check "... which says what ended it in a comment" grep -q "<!-- time span 1: The test .*(terminated by SIGTERM" all

# What DISKSPD could not do is refused before anything is done.
run --name=x --filename=new --size=1m --rw=trim --output-format=diskspd
check "no counterpart: usage" exits 2
check "... says why" grep -q "counterpart in DISKSPD.*trim" err
check "... and makes nothing" absent new
finish
