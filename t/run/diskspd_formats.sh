#!/bin/sh
# DISKSPD's reports of ordinary jobs: do they agree with the other formats of the same run, with several waves, and in runs that
# end early?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

# element FILE NAME: prints the values of the elements of this name.
element() {
	sed -n "s|^ *<$2>\\([^<]*\\)</$2>\$|\\1|p" "$1"
}
# results FILE: writes the part behind the profile to the file results. The profile has elements of the same names.
results() {
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
check "the formats come in their order" same "$(sed -nE 's/^(3;|\{$|Run status|Command Line:|<Results>).*/\1/p' all | sort -u |
	wc -l) $(sed -nE 's/^(3;|\{$|Run status|Command Line:|<Results>).*/\1/p' all | tail -2 | tr '\n' ' ')" \
	"5 Command Line: <Results> "
check "the XML ends without a newline" same "$(tail -c 10 xml)" "</Results>"
check "the XML has the reads of the JSON document" same "$(element xml ReadCount | sum)" "$(value doc '[.jobs[].read.total_ios] | add')"
check "the XML has the writes of the JSON document" same "$(element xml WriteCount | sum)" "$(value doc '[.jobs[].write.total_ios] | add')"
check "the bytes are I/Os of 8 KiB" same "$(element xml BytesCount | sum)" "$(($(element xml IOCount | sum) * 8192))"
check "the text has the bytes of the XML" same "$(sed -n 's/^total: *\([0-9]*\).*/\1/p' text | head -1)" \
	"$(element xml BytesCount | sum)"
results xml
check "each worker is a thread" same "$(element results ThreadCount)" 2
check "the XML has the number of processors" same "$(element xml ProcCount)" "$(getconf _NPROCESSORS_ONLN)"
check "the version is DISKSPD's" same "$(element xml Version)" "2.2.0"
check "... and a comment names fiord" grep -q '^  <!-- fiord [^ ]*, in the form of DISKSPD 2.2 -->$' xml

run --name=x --filename=file --size=64k --output-format=diskspd-xml
check "diskspd-xml prints only XML" same "$(head -1 out)" "<Results>"
run --name=x --filename=file --size=64k --output-format=diskspd
check "diskspd prints only DISKSPD's text" same "$(sed -n '1p;2s/:.*//p' out)" "$(printf '\nCommand Line')"
check "... and stderr is empty" empty err

# Each wave is a time span with its own sums.
run --output-format=diskspd,diskspd-xml --output=all --size=1m --bs=4k --name=a --filename=a --rw=write \
	--name=b --stonewall --filename=b --rw=write --name=c --filename=c --rw=write
check "two waves exit 0" exits 0
check "the report has two spans" same "$(grep '^Results for' all | tr '\n' ' ')" "Results for timespan 1: Results for timespan 2: "
check "the totals add up both spans" grep -q "^write  *| *3145728 | *768 |" all
results all
check "the first span has one thread, the second two" same "$(element results ThreadCount | tr '\n' ' ')" "1 2 "

# The effective distribution of -rd on each target. Three threads use both targets.
run diskspd --output-format=diskspd,diskspd-xml --output=all -c4M -b4K -d1 -W0 -F3 -r -rdpct90/10:0/10:5/20 p q
check "a line with a distribution exits 0" exits 0
check "... and the text has each target's distribution" same "$(sed -n '/^Effective/,/^$/p' all | grep -c '^target: [pq] \[thread: 0 - 2\]$')" 2
check "... in whole blocks" says all "    90% of IO => [     0    -    408KiB)"
check "... and the XML has each thread's, with the empty range" same "$(sed -n '/<\/Profile>/,$p' all | grep -c '<Range IO="0">')" 6
check "... and the ranges cover the target" same "$(sed -n '/<\/Profile>/,$p' all |
	sed -n 's/.*<Range IO="[0-9]*">\([0-9]*\)<.*/\1/p' | sum)" $((6 * 4194304))
check "the rows add up to the I/Os of the threads" same "$(sed -n '/<\/Profile>/,$p' all >results
	element results IOCount | sum)" "$(sed -n 's/^total: *[0-9]* | *\([0-9]*\).*/\1/p' all | head -1)"

# A run that ends early.
start --name=x --filename=file --size=1m --rw=randread --time_based --runtime=600 --output-format=diskspd,diskspd-xml \
	--output=all --eta=always --eta-interval=250
check "the job runs" until_true 60 progress_shows r
kill -TERM "$pid"
wait_for_exit
check "an interrupted run exits 143" exits 143
check "... the report names the signal" grep -q "^The test was interrupted before the measurements ended. (terminated by SIGTERM" all
check "... and has the tables" grep -q "^Total IO" all
check "... and the XML has a thread or an error" same "$(grep -c '<Error>\|^    <Thread>' all)" 1
check "... and a comment with the signal" grep -q "<!-- time span 1: The test .*(terminated by SIGTERM" all

# A job without a counterpart in DISKSPD is refused before the run.
run --name=x --filename=new --size=1m --rw=trim --output-format=diskspd
check "DISKSPD's format for a trim job is refused" exits 2
check "... with the reason" grep -q "counterpart in DISKSPD.*trim" err
check "... before a file is created" absent new
finish
