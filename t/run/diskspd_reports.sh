#!/bin/sh
# Is the report of a DISKSPD line right? Rows of threads and targets must add up to the totals and to the JSON document of the
# same run, for several spans, in each layout, for runs that end early, and under DISKSPD's name.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
: "${ADDSUP:?}"

adds_up() { # FILE
	"$ADDSUP" <"$1" >sums 2>&1 || { cat sums; return 1; }
}
# element FILE NAME: prints the values of the elements of this name behind the profile.
element() { # FILE NAME
	sed -n "1,/<\\/Profile>/d;s|^ *<$2>\\([^<]*\\)</$2>\$|\\1|p" "$1"
}
sum() {
	awk '{ s += $1 } END { printf "%.0f\n", s }'
}
not() { # COMMAND...
	! "$@"
}
# table FILE NAME: prints the rows "thread bytes ios" of the first table of this name, and its total.
table() {
	awk -v name="$2" '$0 ~ "^" name { on = 1 } { gsub(/[|:]/, " ") }
		on && ($1 ~ /^[0-9]+$/ || $1 == "total") { print $1, $2, $3 } on && $1 == "total" { exit }' "$1"
}

for f in test.dat file1 file2 file3 file4 file5; do
	truncate -s 2m $f
done

# ---- the line alone ----
run diskspd -b4K -t2 -r -o32 -d1 -W0 -w30 -D200 -L test.dat
check "a line exits 0" exits 0
check "... and stderr is empty" empty err
check "the report begins with the command line" same "$(sed -n 2p out)" \
	"Command Line: diskspd -b4K -t2 -r -o32 -d1 -W0 -w30 -D200 -L test.dat"
check "only DISKSPD's report is printed" same "$(grep -cE '^(Run status|fiord |Starting)' out)" "$(grep -c '^fiord .*in the form of DISKSPD' out)"
check "each thread has a row" same "$(table out "Total IO" | cut -d ' ' -f 1 | tr '\n' ' ')" "0 1 total "
check "the rows add up to the total" same "$(table out "Total IO" | grep -v total | cut -d ' ' -f 2 | sum)" \
	"$(table out "Total IO" | awk '/total/ { print $2 }')"
check "reads and writes add up to the I/Os" same \
	"$({ table out "Read IO"; table out "Write IO"; } | awk '/total/ { print $3 }' | sum)" \
	"$(table out "Total IO" | awk '/total/ { print $3 }')"
check "the run both reads and writes" same "$({ table out "Read IO"; table out "Write IO"; } | awk '/total/ && $3 > 0' | wc -l)" 2
check "each processor has a row" same "$(grep -cE '^ +[0-9]+\| +[0-9.]+%\|' out)" "$(getconf _NPROCESSORS_ONLN)"
check "the report has the deviation of IOPS" says out "| IopsStdDev |"
check "the report has percentiles" says out "9-nines |"
run diskspd -b4K -t2 -r -o32 -d1 -W0 --layout 2.3 test.dat
check "--layout 2.3 prints its layout" says out "  computer name:        "
run diskspd --layout 9 test.dat
check "--layout 9 is refused" exits 3
check "... and the error lists the layouts" says err "ERROR: --layout=9: write 2.2, 2.3, 2.1, 2.0.21, 2.0.17, 2.0 or linux-port"

# A dialect prints its own layout unless --layout names another.
heading() { # FILE: the columns of the tables
	sed -n '/^thread | /{s/ *| */,/g;p;q}' "$1"
}
run diskspd --dialect 2.0 -b4K -d1 -W0 -D200 -L test.dat
check "--dialect 2.0 prints its layout" same "$(heading out)" \
	"thread,bytes,I/Os,MB/s,I/O per s,AvgLat,IopsStdDev,LatStdDev,file"
check "... and a row for each processor" same "$(sed -n 's/^proc count:\t*//p' out) $(grep -c '^ *[0-9]*|' out)" \
	"$(getconf _NPROCESSORS_ONLN) $(getconf _NPROCESSORS_ONLN)"
check "... and sizes in bytes" says out "		block size: 4096"
check "... and no system information" not says out "System information"
run diskspd --dialect linux-port -b4K -d1 -W0 -D -L test.dat
check "--dialect linux-port prints its layout" same "$(heading out)" \
	"thread,bytes,I/Os,MB/s,I/O per s,IopsStdDev,AvgLat(ms),LatStdDev,file"
check "... in which busy, waiting and idle time add up to 100 %" same "$(awk -F'[|%]+' '/^ *[0-9]+ \| +[0-9.]+%/ { rows++
	d = $2 + $8 + $10 - 100; same += d * d < 0.01 && ($2 - $4 - $6) ^ 2 < 0.01 } END { print rows == same }' out)" 1
run diskspd --dialect linux-port --layout 2.2 -b4K -d1 -W0 test.dat
check "--layout overrides the dialect" says out "System information:"
run diskspd --layout 2.0 -Rp -b4K test.dat
check "--layout applies to -Rp" says out "		block size: 4096"

run diskspd -Rxml -b4K -t2 -r -o32 -d1 -W0 -w30 -D200 -L test.dat
cp out xml
check "-Rxml prints only XML" same "$(head -1 out)" "<Results>"
check "the XML adds up" adds_up xml
check "the XML has no more intervals than the run" test "$(grep -c '<Bucket SampleMillisecond="1000"' xml)" -le 3
check "the XML has no later interval" same "$(grep -c 'SampleMillisecond="1200"' xml)" 0
sed '0,/<ReadCount>/s/<ReadCount>/&1/' xml >wrong
check "addsup finds a wrong count" not adds_up wrong

run diskspd -b4K -t2 -d1 -W0 test.dat --output-format=diskspd-xml,json,diskspd,normal
sed -n '/^{/,/^}/p' out >doc
sed -n '/^<Results>/,$p' out >xml
check "one run prints four formats" same "$(grep -cE '^(Command Line:|Run status group|\{$|<Results>)' out)" 4
check "... with the same number of bytes" same "$(element xml BytesCount | sum)" "$(value doc '[.jobs[].read.io_bytes] | add')"
run diskspd -b4K -d1 -W0 test.dat --output-format=normal
check "--output-format=normal leaves out DISKSPD's report" not says out "Command Line"

run diskspd -vs -eDISK_IO -eMEMORY_PAGE_FAULTS -eREGISTRY -ePROCESS -eNETWORK -d1 -W0 -b4K -r -o4 test.dat
waits() { # the numbers of thread 0: waits, throttle waits, sleeps, lookasides, and eight counts of lookasides
	sed -n '/^Wait Statistics/,$s/^ *0 |\(.*\)/\1/p' out | tr -d '|-'
}
check "-vs: each lookaside finds completions or a wait follows" same "$(waits | awk '{ print $5 - $1, NF, ($4 > 0) }')" "0 12 1"
check "-vs: the counts add up to the lookasides" same "$(waits | awk '{ for (i = 5; i <= 12; i++) s += $i; print s - $4 }')" 0
check "-vs: lookasides find no more I/Os than the run did" test "$(waits | awk '{ for (i = 6; i <= 12; i++) s += $i * (i - 5); print s }')" \
	-le "$(table out "Total IO" | awk '/total/ { print $3 }')"
check "-e: the counters have DISKSPD's form" same "$(sed -n '/^ETW:$/,/^Wait/{/^----$/p;/^	Memory Page Faults$/p
	s/^\(		Demand Zero fault: \)[0-9]*$/\1n/p}' out)" "$(printf -- '----\n\tMemory Page Faults\n\t\tDemand Zero fault: n')"
check "-e: the end names their source" says out "Memory Page Faults: counted by getrusage"
check "-e: a note names a counter that is not available" says out "-eREGISTRY: not counted"
check "-e: processes are counted, with the source" same "$(grep -c '^Process: counted by /proc/stat: processes and threads' out)" 1
if [ -r /proc/net/snmp ]; then
	check "-e: the network is counted, too" same "$(sed -n '/^	Network$/,/^	Process$/p' out | grep -c '^		.*: [0-9]*$')" 7
else
	skip "-e: the network" "no /proc/net/snmp"
fi
check "-v: the report says verbose mode" says out "	using verbose mode"
phases="starting warm up...
starting measurements...
starting cool down...
finished test..."
check "... and nothing else on stderr" empty err
run diskspd -v -Rxml -d1 -W0 -C0 -b4K -r -o4 test.dat
check "-v: XML stays XML" same "$(head -n 1 out)" "<Results>"
if why=$(no_terminal); then
	skip "-v: a terminal sees the phases" "$why"
else
	script -qec "'$FIORD' diskspd -v -Rxml -d1 -W0 -C0 -b4K -r -o4 test.dat >out" /dev/null </dev/null >seen
	check "-v: a terminal sees the phases in DISKSPD's words, also those of no time" same "$(tr -d '\r' <seen | grep -a '^[sf].*[.][.][.]$')" "$phases"
fi
run diskspd -vs --layout 2.3 -g4000 -d1 -W0 -b4K -r -o4 test.dat
check "-vs of 2.3: waits with their completions" same \
	"$(sed -n '/ - Completion Wait$/,$s/^ *0 |//p' out | tr -d '|-' | awk '{ for (i = 4; i <= 11; i++) s += $i; print NF, s - $1 }')" "11 0"
check "-vs of 2.3: without -L and -D there are no lookasides" not says out "Wait Statistics - Lookaside"

run diskspd -P1000 -d1 -W0 -b4K -r -o4 test.dat
check "-P: progress prints dots" test "$(head -c 1 err)" = .
check "-P: progress prints only dots" same "$(tr -d '.\n' <err)" ""
check "-P: there are no more dots than 1000 I/Os each" test "$(($(tr -cd . <err | wc -c) * 1000))" -le \
	"$(($(table out "Total IO" | awk '/total/ { print $3 }') + 1000))"

# ---- several targets ----
run_five_files() { # LABEL ARGUMENT...
	what=$1
	shift
	run diskspd -Rxml -d1 -W0 -L -D500 "$@" file1 file2 file3 file4 file5
	check "$what exits 0" exits 0
	cp out xml
	check "$what: the XML adds up" adds_up xml
	check "$what: each thread and target has a row" same "$(grep -c '<BytesCount>' xml)" 10
}
run_five_files "-t2" -t2 -o2
check "-t2: ten threads run" same "$(element xml ThreadCount)" 10
run_five_files "-F2" -F2 -o2
check "-F2: two threads run" same "$(element xml ThreadCount)" 2
check "-F2: each thread has all targets" same "$(sed -n '/<Thread>/,$p' xml | grep -c '<Path>file3</Path>')" 2
check "-F2: each thread and target has I/Os" same "$(element xml IOCount | grep -cx 0)" 0
run_five_files "-F2 -O4" -F2 -O4 -r -b4K -w50
check "-O4: the profile has the number of I/Os in flight" same "$(element xml RequestCount)" 4
run diskspd -F2 -O4 -r -b4K -L -d1 -W0 file1 file2 file3
check "-F2 -O4 in text exits 0" exits 0
check "each target has latencies, and all targets together" same "$(grep -c 'atency distribution:' out)" 4
check "the longest latency of all is the longest of one target" same \
	"$(awk -F'|' '/^ *max/ { print $4 + 0 }' out | sed '$d' | sort -n | tail -1)" \
	"$(awk -F'|' '/^ *max/ { print $4 + 0 }' out | tail -1)"

# One file is in the page cache, the other is not. Its I/Os must be reaped although those of the first file complete at once.
if dd if=/dev/zero of=cold bs=1M count=32 oflag=direct 2>/dev/null; then
	cat test.dat >/dev/null
	run diskspd -F1 -o2 -r -b4K -d1 -W0 test.dat cold
	check "I/Os that wait for the disk are reaped" test "$(table out "Total IO" | awk 'NR == 2 { print $3 }')" -gt 20
else
	skip "I/Os that wait for the disk are reaped" "no direct I/O here"
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
check "a profile of two spans exits 0" exits 0
check "... and its XML adds up" adds_up xml
check "the first span has one thread, the second three" same "$(element xml ThreadCount | tr '\n' ' ')" "1 3 "
check "the second span lasts longer" test "$(element xml TestTimeSeconds | tail -1 | cut -d . -f 1)" -ge 2
profile text 1 >two.xml
run diskspd -Xtwo.xml
check "the text has two spans and the totals" same "$(grep -cE '^(Results for timespan [12]:|Totals:)' out)" 3
check "the totals are the sums of the spans" same "$(sed -nE 's/^total: *([0-9]+).*/\1/p' out | awk 'NR % 3 == 1' | sum)" \
	"$(sed -nE 's/^total *\| *([0-9]+).*/\1/p' out)"

# ---- before its time ----
profile text 600 >long.xml
run_ends_early() { # LABEL EXIT-CODE COMMAND-THAT-ENDS-IT...
	what=$1
	code=$2
	shift 2
	start diskspd -Xlong.xml --output-format=diskspd,diskspd-xml --eta=always --eta-interval=250
	check "$what: the line runs" until_true 60 progress_shows R
	"$@"
	wait_for_exit
	check "$what: exit code $code" exits "$code"
	check "$what: the report says that the test was interrupted" says out "The test was interrupted before the measurements ended."
	check "$what: the report has the tables" same "$(grep -cE '^(Total|Read|Write) IO' out)" 3
	check "$what: the XML has the threads or an error" same "$(grep -c '<Error>\|^    <Thread>' out)" 1
	check "$what: ... and a comment with the reason" says out "  <!-- time span 1: The test was interrupted before"
	check "$what: the second span is not reported" same "$(grep -c 'Results for timespan' out)" 1
}
send_sigint() {
	kill -INT "$pid"
}
cut_file() {
	truncate -s 4k test.dat
}
run_ends_early "SIGINT" 130 send_sigint
run_ends_early "a failed read" 1 cut_file
check "a failed read: the report has the error" says out "test.dat: read at offset"
check "a failed read: stderr has the error" says err "it has become shorter"
truncate -s 2m test.dat

start diskspd -W600 -d1 test.dat --eta=always --eta-interval=250 --output-format=diskspd,diskspd-xml
check "warm-up: the line runs" until_true 60 progress_shows '/'
kill -INT "$pid"
wait_for_exit
check "warm-up: an interrupted run exits 130" exits 130
check "warm-up: the report says that no results exist" says out \
	"The test was interrupted before the measurements began. No results are displayed."
check "warm-up: the report has no tables" not says out "Total IO"
check "warm-up: the XML has an error" says out "<Error>"

# ---- a missing file ----
run diskspd missing.dat
check "a missing file exits 1" exits 1
check "... with one line of error" lines err 1
check "... and nothing on stdout" empty out

# ---- under the name diskspd ----
FIORD_WAS=$FIORD
ln -s "$FIORD" diskspd
FIORD=$dir/diskspd
run
check "no arguments: usage and exit code 3" exits 3
check "... on stdout" says out "target1 [ target2"
check "... and stderr is empty" empty err
run '-?'
check "-? exits 0" exits 0
run -b4K -d1 -W0 test.dat
check "a line without the verb exits 0" exits 0
check "... and prints the report" says out "Results for timespan 1:"
run -Xlong.xml -b4K
check "a wrong line exits 3" exits 3
check "... and the error begins with ERROR" says err "ERROR: "
echo mine >mine
run -c1M -d1 -W0 -Rxml mine
check "-c replaces any file" exits 0
check "... with one of its size" same "$(stat -c %s mine)" 1048576
check "... and the XML has no comment of fiord" same "$(grep -c '<!--' out)" 0
echo mine >mine
run -t2 -d1 -W0 test.dat
check "two sequential threads: stderr has DISKSPD's warning" same "$(cat err)" \
	"WARNING: target access pattern will not be sequential, consider -si"
for show in -Rptext -Rpxml; do
	run $show -t2 -si -p test.dat
	check "$show of a wrong line: only the error" not says err WARNING
	run $show -t2 test.dat
	check "$show has the same warning" same "$(cat err)" \
		"WARNING: target access pattern will not be sequential, consider -si"
done
run -c1M -d1 -W0 mine
check "... and the text has a note" says out "mine existed (5 bytes) and is created again"

# Ctrl-C ends a run as in DISKSPD: the report has the figures and the time up to then.
for code in 130 143; do
	signal=$(kill -l "$code")
	start -Xlong.xml --eta=always --eta-interval=250 --output-format=diskspd,diskspd-xml
	check "the line runs" until_true 60 progress_shows R
	kill -"$signal" "$pid"
	wait_for_exit
	check "SIG$signal: the exit code is $code" exits "$code"
	check "... the report does not say interrupted" not says out "The test was interrupted"
	check "... the report has the tables" same "$(grep -cE '^(Total|Read|Write) IO' out)" 3
	check "... text and XML have the same measured time" same \
		"$(awk '/^actual test time:/ { print ($4 > 0 && $4 < 600), $4 }' out)" "1 $(element out TestTimeSeconds)s"
	check "... the rate is bytes over that time" same "$(awk -F'|' '/^actual/ { split($0, t, "\t") } /^total:/ { sub(/total: */, "")
		d = $2 / t[2] - $4; most = (.02 + .006 / t[2]) * $4 # the time has two decimals
		print (d < most && d > -most); exit }' out)" 1
	check "... the XML has no error and no comment" same "$(grep -c '<Error>\|<!--' out)" 0
done
start -W600 -d1 test.dat --eta=always --eta-interval=250 --output-format=diskspd,diskspd-xml
check "warm-up: the line runs" until_true 60 progress_shows '/'
kill -TERM "$pid"
wait_for_exit
check "warm-up: an interrupted run exits 143" exits 143
check "... and prints no tables" not says out "Total IO"
check "... and says that no results exist" says out "The test was interrupted before the measurements began. No results are displayed."
check "... and the XML has only an error" same "$(sed -n '/<\/Profile>/,/<\/TimeSpan>/p' out | tr -d ' ' | grep -vc '</Profile>')" 3
FIORD=$FIORD_WAS
rm mine
echo mine >mine
run diskspd -c1M -d1 -W0 mine
check "under the name fiord -c refuses another program's file" exits 3
check "... and the file stays" same "$(cat mine)" mine
run diskspd -c1M -d1 -W0 --recreate mine
check "--recreate replaces it" exits 0

# ---- a run that cannot start ----
run diskspd -Rxml -d1 -W0 -b4K missing.dat
check "-Rxml with a missing file exits 1" exits 1
check "... and prints a whole document" same "$(head -1 out) $(tail -1 out) $(grep -c '<BlockSize>4096<' out)" "<Results> </Results> 1"
check "... whose time span has only an error, with the reason" same "$(sed -n '/<\/Profile>/,/<\/TimeSpan>/p' out |
	sed '2d; s/^ *//; s/<Error>The test was interrupted before.*(missing.dat: no such file.*)/<Error>why/' | tr -d '\n')" \
	"</Profile><Error>why</Error></TimeSpan>"
check "... and stderr has the error, too" says err "ERROR: missing.dat: no such file"
run diskspd -Rxml -d1 -W0 --output=page.xml missing.dat
check "... but creates no file for it" absent page.xml
run diskspd -Rxml -d1 -W0 -bx missing.dat
check "-Rxml with a wrong line prints nothing" empty out

# ---- the seed of the clock ----
# offsets NAME ARGUMENT...: the offsets of the first reads, as strace sees them.
offsets() { # NAME ARGUMENT...
	name=$1
	shift
	straced -f -e trace=pread64 -o trace "$FIORD" diskspd -d1 -W0 -r -b4K -o1 "$@" test.dat >out 2>err
	sed -n 's/.*, 4096, \([0-9]*\)) = 4096$/\1/p' trace | head -100 >"$name"
}
if command -v strace >/dev/null && straced -o /dev/null true 2>/dev/null && [ "$SANITIZE" = none ]; then
	offsets clock -z
	seed=$(sed -n 's/^	random seed: //p' out)
	offsets repeated "-z$seed"
	offsets default
	check "-z: the report has a seed of the clock" test "$seed" -gt 0
	check "-z: this seed repeats the offsets of 100 reads" same "$(wc -l <clock) $(md5sum <clock)" "100 $(md5sum <repeated)"
	check "... which are not those of the default seed" not cmp -s clock default
else
	skip "-z: the reported seed repeats the run" "no strace"
fi
run diskspd -Rpxml -z test.dat
check "-z: a printed profile has a seed of the clock" test "$(sed -n 's|.*<RandSeed>\(.*\)</RandSeed>|\1|p' out)" -gt 0

finish
