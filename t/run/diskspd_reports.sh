#!/bin/sh
# fiord diskspd: DISKSPD's report of lines that are run: rows of threads and targets, spans, other formats beside it, an
# end before its time, and DISKSPD's name.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
: "${ADDSUP:?}"

adds_up() { # FILE
	"$ADDSUP" <"$1" >sums 2>&1 || { cat sums; return 1; }
}
# Of the results, behind the profile.
element() { # FILE NAME
	sed -n "1,/<\\/Profile>/d;s|^ *<$2>\\([^<]*\\)</$2>\$|\\1|p" "$1"
}
sum() {
	awk '{ s += $1 } END { printf "%.0f\n", s }'
}
not() { # COMMAND...
	! "$@"
}
# table FILE NAME: the rows of the first such table, "thread bytes ios", and its total.
table() {
	awk -v name="$2" '$0 ~ "^" name { on = 1 } { gsub(/[|:]/, " ") }
		on && ($1 ~ /^[0-9]+$/ || $1 == "total") { print $1, $2, $3 } on && $1 == "total" { exit }' "$1"
}

for f in test.dat file1 file2 file3 file4 file5; do
	truncate -s 2m $f
done

# ---- the line alone ----
run diskspd -b4K -t2 -r -o32 -d1 -W0 -w30 -D200 -L test.dat
check "a line runs" exits 0
check "... and says nothing beside" empty err
check "the report begins with the line" same "$(sed -n 2p out)" \
	"Command Line: diskspd -b4K -t2 -r -o32 -d1 -W0 -w30 -D200 -L test.dat"
check "it is DISKSPD's alone" same "$(grep -cE '^(Run status|fiord |Starting)' out)" "$(grep -c '^fiord .*in the form of DISKSPD' out)"
check "a row for each thread" same "$(table out "Total IO" | cut -d ' ' -f 1 | tr '\n' ' ')" "0 1 total "
check "the rows are the total" same "$(table out "Total IO" | grep -v total | cut -d ' ' -f 2 | sum)" \
	"$(table out "Total IO" | awk '/total/ { print $2 }')"
check "reads and writes are the I/Os" same \
	"$({ table out "Read IO"; table out "Write IO"; } | awk '/total/ { print $3 }' | sum)" \
	"$(table out "Total IO" | awk '/total/ { print $3 }')"
check "both are done" same "$({ table out "Read IO"; table out "Write IO"; } | awk '/total/ && $3 > 0' | wc -l)" 2
check "processors are told" same "$(grep -cE '^ +[0-9]+\| +[0-9.]+%\|' out)" "$(getconf _NPROCESSORS_ONLN)"
check "with intervals" says out "| IopsStdDev |"
check "and percentiles" says out "9-nines |"
run diskspd -b4K -t2 -r -o32 -d1 -W0 --layout 2.3 test.dat
check "--layout 2.3" says out "  computer name:        "
run diskspd --layout 9 test.dat
check "--layout 9 is refused" exits 3
check "... in one line" says err "ERROR: --layout=9: write 2.2, 2.3, 2.0 or linux-port"

# Old layouts: that of their dialect unless --layout names another.
heading() { # FILE: the columns of the tables
	sed -n '/^thread | /{s/ *| */,/g;p;q}' "$1"
}
run diskspd --dialect 2.0 -b4K -d1 -W0 -D200 -L test.dat
check "--dialect 2.0 prints its layout" same "$(heading out)" \
	"thread,bytes,I/Os,MB/s,I/O per s,AvgLat,IopsStdDev,LatStdDev,file"
check "... the processors" same "$(sed -n 's/^proc count:\t*//p' out) $(grep -c '^ *[0-9]*|' out)" \
	"$(getconf _NPROCESSORS_ONLN) $(getconf _NPROCESSORS_ONLN)"
check "... sizes in bytes" says out "		block size: 4096"
check "... without the machine" not says out "System information"
run diskspd --dialect linux-port -b4K -d1 -W0 -D -L test.dat
check "--dialect linux-port prints its layout" same "$(heading out)" \
	"thread,bytes,I/Os,MiB/s,I/O per s,IopsStdDev,AvgLat,LatStdDev,file"
check "... in which a processor works, waits or idles" same "$(awk -F'[|%]+' '/^ *[0-9]+\|/ { rows++
	d = $2 + $5 + $6 - 100; same += d * d < 0.01 && ($2 - $3 - $4) ^ 2 < 0.01 } END { print rows == same }' out)" 1
run diskspd --dialect linux-port --layout 2.2 -b4K -d1 -W0 test.dat
check "--layout counts more than the dialect" says out "System information:"
run diskspd --layout 2.0 -Rp -b4K test.dat
check "--layout counts for -Rp, too" says out "		block size: 4096"

run diskspd -Rxml -b4K -t2 -r -o32 -d1 -W0 -w30 -D200 -L test.dat
cp out xml
check "-Rxml is XML alone" same "$(head -1 out)" "<Results>"
check "it adds up" adds_up xml
check "no more intervals than there are" test "$(grep -c '<Bucket SampleMillisecond="1000"' xml)" -le 3
check "none is later" same "$(grep -c 'SampleMillisecond="1200"' xml)" 0
sed '0,/<ReadCount>/s/<ReadCount>/&1/' xml >wrong
check "... which is looked at" not adds_up wrong

run diskspd -b4K -t2 -d1 -W0 test.dat --output-format=diskspd-xml,json,diskspd,normal
sed -n '/^{/,/^}/p' out >doc
sed -n '/^<Results>/,$p' out >xml
check "all formats of one run" same "$(grep -cE '^(Command Line:|Run status group|\{$|<Results>)' out)" 4
check "... tell the same" same "$(element xml BytesCount | sum)" "$(value doc '[.jobs[].read.io_bytes] | add')"
run diskspd -b4K -d1 -W0 test.dat --output-format=normal
check "normal alone" not says out "Command Line"

run diskspd -vs -eDISK_IO -eMEMORY_PAGE_FAULTS -eREGISTRY -ePROCESS -eNETWORK -d1 -W0 -b4K -r -o4 test.dat
check "-vs: each look finds some, or a wait follows" same "$(awk -F'|' '/^ +0 \|/ && NF > 10 {
	for (i = 5; i < 13; i++) s += $i; print s + $2 - $4, NF, ($4 > 0) }' out)" "0 12 1"
check "-vs: looks find no more than there was" test "$(awk -F'|' '/^ +0 \|/ && NF > 10 {
	for (i = 5; i < 13; i++) s += $i * (i - 4); print s }' out)" -le "$(table out "Total IO" | awk '/total/ { print $3 }')"
check "-e: counts, and what counted" same "$(grep -cE '^(DiskIO|MemoryPageFaults) .*\((diskstats|getrusage)\)' out)" \
	"$(if grep -q '^DiskIO' out; then echo 3; else echo 1; fi)"
check "-e: what is not counted is said" says out "-eREGISTRY: is not counted"
check "-e: processes are counted, and how is said" same "$(grep -c '^Process  *Start  *[0-9]* (/proc/stat: processes and threads' out)" 1
if [ -r /proc/net/snmp ]; then
	check "-e: the network, too" same "$(grep -c '^TcpIp .*[0-9] (/proc/net/snmp' out)" 5
else
	skip "-e: the network" "no /proc/net/snmp"
fi
check "-v: is told" says out "using verbose mode"

run diskspd -P1000 -d1 -W0 -b4K -r -o4 test.dat
check "-P: dots, one for 1000 I/Os" test "$(head -c 1 err)" = .
check "-P: and nothing else" same "$(tr -d '.\n' <err)" ""
check "-P: not more than there were" test "$(($(tr -cd . <err | wc -c) * 1000))" -le \
	"$(($(table out "Total IO" | awk '/total/ { print $3 }') + 1000))"

# ---- several targets ----
five() { # WHAT ARGUMENT...
	what=$1
	shift
	run diskspd -Rxml -d1 -W0 -L -D500 "$@" file1 file2 file3 file4 file5
	check "$what runs" exits 0
	cp out xml
	check "$what adds up" adds_up xml
	check "$what: a row for each thread and target" same "$(grep -c '<BytesCount>' xml)" 10
}
five "-t2" -t2 -o2
check "-t2: ten threads" same "$(element xml ThreadCount)" 10
five "-F2" -F2 -o2
check "-F2: two threads" same "$(element xml ThreadCount)" 2
check "-F2: each has all targets" same "$(sed -n '/<Thread>/,$p' xml | grep -c '<Path>file3</Path>')" 2
check "-F2: each has had its turn" same "$(element xml IOCount | grep -cx 0)" 0
five "-F2 -O4" -F2 -O4 -r -b4K -w50
check "-O4: the pool is told" same "$(element xml RequestCount)" 4
run diskspd -F2 -O4 -r -b4K -L -d1 -W0 file1 file2 file3
check "-F2 -O4: text" exits 0
check "latencies of each target, and of all" same "$(grep -c 'atency distribution:' out)" 4
check "the longest of all is the longest of one" same \
	"$(awk -F'|' '/^ *max/ { print $4 + 0 }' out | sed '$d' | sort -n | tail -1)" \
	"$(awk -F'|' '/^ *max/ { print $4 + 0 }' out | tail -1)"

# One file is in the page cache, the other is not: its I/Os come back although the first one's always have before.
if dd if=/dev/zero of=cold bs=1M count=32 oflag=direct 2>/dev/null; then
	cat test.dat >/dev/null
	run diskspd -F1 -o2 -r -b4K -d1 -W0 test.dat cold
	check "who waits for the disk is not forgotten" test "$(table out "Total IO" | awk 'NR == 2 { print $3 }')" -gt 20
else
	skip "who waits for the disk is not forgotten" "no direct I/O here"
fi

# ---- two spans ----
span() { # DURATION
	echo "<TimeSpan><Duration>$1</Duration><Warmup>0</Warmup><Targets><Target><Path>test.dat</Path>
		<BlockSize>8192</BlockSize><ThreadsPerFile>$2</ThreadsPerFile></Target></Targets></TimeSpan>"
}
profile() {
	echo "<Profile><ResultFormat>$1</ResultFormat><TimeSpans>$(span "$2" 1)$(span 2 3)</TimeSpans></Profile>"
}
profile xml 1 >two.xml
run diskspd -Xtwo.xml
cp out xml
check "a profile of two spans" exits 0
check "... adds up" adds_up xml
check "one thread, then three" same "$(element xml ThreadCount | tr '\n' ' ')" "1 3 "
check "the second takes longer" test "$(element xml TestTimeSeconds | tail -1 | cut -d . -f 1)" -ge 2
profile text 1 >two.xml
run diskspd -Xtwo.xml
check "its totals" same "$(grep -cE '^(Results for timespan [12]:|Totals:)' out)" 3
check "... are the sums" same "$(sed -nE 's/^total: *([0-9]+).*/\1/p' out | awk 'NR % 3 == 1' | sum)" \
	"$(sed -nE 's/^total *\| *([0-9]+).*/\1/p' out)"

# ---- before its time ----
profile text 600 >long.xml
early() { # WHAT EXIT-CODE ENDING...
	what=$1
	code=$2
	shift 2
	start diskspd -Xlong.xml --output-format=diskspd,diskspd-xml --eta=always --eta-interval=250
	check "$what: it runs" until_true 60 progress_shows R
	"$@"
	wait_for_exit
	check "$what: exit code $code" exits "$code"
	check "$what: the sentence" says out "The test was interrupted before the measurements ended."
	check "$what: the tables" same "$(grep -cE '^(Total|Read|Write) IO' out)" 3
	check "$what: the XML, too, has what was measured" same "$(grep -c '<Error>\|^    <Thread>' out)" 1
	check "$what: ... and says what ended it in a comment" says out "  <!-- time span 1: The test was interrupted before"
	check "$what: the other span is not told" same "$(grep -c 'Results for timespan' out)" 1
}
end_it() {
	kill -INT "$pid"
}
cut_it() {
	truncate -s 4k test.dat
}
early "SIGINT" 130 end_it
early "a failed read" 1 cut_it
check "a failed read: what it was" says out "test.dat: read at offset"
check "a failed read: told on stderr" says err "it has become shorter"
truncate -s 2m test.dat

start diskspd -W600 -d1 test.dat --eta=always --eta-interval=250 --output-format=diskspd,diskspd-xml
check "warm-up: it runs" until_true 60 progress_shows '/'
kill -INT "$pid"
wait_for_exit
check "warm-up: 130" exits 130
check "warm-up: nothing was measured" says out \
	"The test was interrupted before the measurements began. No results are displayed."
check "warm-up: no tables" not says out "Total IO"
check "warm-up: Error" says out "<Error>"

# ---- what is not there ----
run diskspd missing.dat
check "a missing file: 1" exits 1
check "one line" lines err 1
check "nothing on stdout" empty out

# ---- the name ----
FIORD_WAS=$FIORD
ln -s "$FIORD" diskspd
FIORD=$dir/diskspd
run
check "no arguments: usage, 3" exits 3
check "... on stdout" says out "target [target ...]"
check "... alone" empty err
run '-?'
check "-?: 0" exits 0
run -b4K -d1 -W0 test.dat
check "a line without a verb" exits 0
check "... with the report" says out "Results for timespan 1:"
run -Xlong.xml -b4K
check "a wrong line: 3" exits 3
check "... ERROR:" says err "ERROR: "
echo mine >mine
run -c1M -d1 -W0 -Rxml mine
check "-c makes any file anew" exits 0
check "... in its size" same "$(stat -c %s mine)" 1048576
check "... in DISKSPD's words alone" same "$(grep -c '<!--' out)" 0
echo mine >mine
run -c1M -d1 -W0 mine
check "... and says so in text" says out "mine was there (5 bytes) and is made anew"

# Ctrl-C, as DISKSPD takes it: what was measured until then, and its time.
for code in 130 143; do
	signal=$(kill -l "$code")
	start -Xlong.xml --eta=always --eta-interval=250 --output-format=diskspd,diskspd-xml
	check "it runs" until_true 60 progress_shows R
	kill -"$signal" "$pid"
	wait_for_exit
	check "SIG$signal: its exit code" exits "$code"
	check "... no sentence" not says out "The test was interrupted"
	check "... the tables" same "$(grep -cE '^(Total|Read|Write) IO' out)" 3
	check "... the time that was measured" same \
		"$(awk '/^actual test time:/ { print ($4 > 0 && $4 < 600), $4 }' out)" "1 $(element out TestTimeSeconds)s"
	check "... and its rate" same "$(awk -F'|' '/^actual/ { split($0, t, "\t") } /^total:/ { sub(/total: */, "")
		d = $2 / t[2] - $4; most = (.02 + .006 / t[2]) * $4 # the time has two decimals
		print (d < most && d > -most); exit }' out)" 1
	check "... no Error, no comments" same "$(grep -c '<Error>\|<!--' out)" 0
done
start -W600 -d1 test.dat --eta=always --eta-interval=250 --output-format=diskspd,diskspd-xml
check "warm-up: it runs" until_true 60 progress_shows '/'
kill -TERM "$pid"
wait_for_exit
check "warm-up: 143" exits 143
check "the sentence alone" not says out "Total IO"
check "... is there" says out "The test was interrupted before the measurements began. No results are displayed."
check "Error alone" same "$(sed -n '/<\/Profile>/,/<\/TimeSpan>/p' out | tr -d ' ' | grep -vc '</Profile>')" 3
FIORD=$FIORD_WAS
rm mine
echo mine >mine
run diskspd -c1M -d1 -W0 mine
check "as fiord, it is kept: refused" exits 3
check "... as it is" same "$(cat mine)" mine
run diskspd -c1M -d1 -W0 --recreate mine
check "--recreate makes it anew" exits 0
finish
