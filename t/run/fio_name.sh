#!/bin/sh
# Does the program behave as scripts expect of fio when it is started through a link named fio? The test compares exit codes,
# banner, JSON and the reading of numbers with fio's.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
ln -s "$FIORD" fio
real=$FIORD
FIORD=./fio

run --version
check "fio --version begins like fio's" grep -qE '^fio-3\.[0-9]+-fiord[0-9.]+$' out
check "... and is a number where scripts cut it" same "$(cut -d - -f 2 <out)" "$(cut -c 5- <out | cut -d - -f 1)"
run --parse-only --terse-version=4
check "--parse-only without a job exits 0" exits 0
run --enghelp
check "--enghelp lists engines as whole words" grep -qw libaio out
printf '[global]\nsize = 64k\n[x]\nnumjobs=3\n' >job.fio
run --warnings-fatal --showcmd job.fio
check "--warnings-fatal --showcmd prints numjobs" says out --numjobs=3
check "... and exits 0" exits 0
run check
check "the word check is taken for a job file" says err "fio: "
check "... and the error advises no verb" eval '! says err "first word"'
check "... and exits 1" exits 1
run --name=x
check "a job that cannot run exits 1" exits 1

run --name=x --filename=f --size=64k --output-format=json
check "JSON has no fiord key" json out '([paths | select(.[-1] == "fiord")] | length) == 0'
check "... and names a compatible version of fio" json out '.["fio version"] | startswith("fio-3.")'
check "stderr is empty" empty err
run --name=x --filename=f --size=64k
check "the banner begins like fio's" grep -qE '^fio-3\.' out

printf '[x]\nfilename=g\nsize=0x10000\nbs=4.5k\nnumber_ios=4x\nrw=write\n' >numbers.fio
run numbers.fio --output-format=normal,json
sed -n '/^{/,/^}/p' out >doc
check "numbers are read as fio reads them: 4.5k is 4, 4x is 4" json doc '.jobs[0].write | .io_bytes == 16 and .total_ios == 4'
check "... and a note names the difference" says out "bs=4.5k is read as 4"
run --name=x --filename=f --size=64KiB --bs=1000 --output-format=json
check "KiB is 1000" json out '.jobs[0].read.io_bytes == 64000'
run --name=x --filename=f --size=4k --time_based --runtime=10sec --output-format=json
check "10sec is 10 us" json out '.jobs[0].job_runtime < 5000'

printf 'precious' >short
run --name=x --filename=short --size=64k
check "a short file that fiord has not created is not laid out again" same "$(cat short)" precious
check "... and the job fails" exits 1

for format in json json,normal; do
	output= # with normal output the progress line goes to stdout; a JSON document must be alone there
	[ $format != json ] || output=--output=result
	start --name=x --ioengine=null --size=4k --time_based --runtime=60 --output-format=$format --eta=always $output
	check "$format: the job runs" until_true 10 grep -qs '\[R(1)\]' out
	kill -INT "$pid"
	wait_for_exit
	check "$format: an interrupted run exits 128" exits 128
	tr '\r' '\n' <out >lines
	[ $format != json ] || cp result lines
	sed -n '/^{/,/^}/p' lines >doc
	check "... and writes a whole document" json doc '.jobs[0].read.total_ios > 0'
	case $format in
	json) check "... and prints fio's line on stderr" grep -q '^fio: terminating on signal 2$' err ;;
	*)
		check "... and prints it after fio's line" same "$(grep -nE '^(fio: terminating|\{)' lines | sed 's/.*\(fio: t\|{\).*/\1/' | tr '\n' ' ')" "fio: t { "
		check "... and stderr stays empty" empty err
		;;
	esac
done
run --name=x --filename=/dev/full --size=4k --rw=write --ignore_error=,ENOSPC --error_dump=1
check "the message of a survived error begins with fio" grep -q '^fio: x: /dev/full: write .*survived$' err
( # a background job of a script starts with SIGINT ignored
	trap '' INT
	exec ./fio --name=x --filename=f --size=64k --time_based --runtime=60 --output-format=json >out 2>err
) &
pid=$!
until_true 10 sh -c "pgrep -P $pid >/dev/null"
kill -INT $pid
wait $pid
check "SIGINT ends a background job that ignored it at the start" same $? 128
run --name=x --filename=f --size=64k --eta=always --output-format=json
check "no progress line appears beside a document on stdout" json out '.jobs[0].read.total_ios == 16'
# fio puts lines of --debug into the report: topic, process, text.
debug_lines() { # FILE
	grep -cE '^process  [0-9]+ +[a-z]' "$1"
}
where=
if command -v fio >/dev/null; then
	fio --debug=process --name=x --ioengine=null --size=64k --output=report >/dev/null 2>&1
	[ "$(debug_lines report)" = 0 ] || where=report
	check "fio's lines of --debug are in the file of --output" same "$where" report
fi
run --debug=process --name=x --ioengine=null --size=64k --output=report
check "lines of --debug are in the file of --output" same "$(debug_lines report)" 1
check "... and not on stderr" empty err
run --debug=process --name=x --ioengine=null --size=64k
check "... or on stdout" same "$(debug_lines out)" 1
# --debug=io prints fio's lines about I/Os that are handed to the kernel or come back; the offset of a sync means nothing.
io_lines() { # FILE
	sed -nE -e 's/^io +[0-9]+ +(queue|complete): io_u 0x[0-9a-f]+: (off=0x[0-9a-f]+,len=0x[0-9a-f]+,ddir=[0-9],file=)/\1 \2/p' "$1" |
		sed -E 's/off=[^,]*(,len=0x0)/\1/'
}
io="--debug=io --name=x --filename=f --size=64k --rw=write --fsync=3"
run $io
cp out lines
check "--debug=io prints lines on stdout" same "$(io_lines lines | wc -l)" 42
if command -v fio >/dev/null; then
	fio $io >theirs 2>/dev/null
	check "... those of fio" same "$(io_lines lines)" "$(io_lines theirs)"
fi
run $io --output=report
check "... or in the file of --output" same "$(io_lines report)" "$(io_lines lines)"
check "... and nothing on stdout" empty out
run --debug=process --name=x --ioengine=null --size=64k --output-format=json
check "... but not beside a JSON document" json out '.jobs[0].error == 0'
check "... where they are on stderr" same "$(debug_lines err)" 1
FIORD=$real
run --name=x --filename=f --size=10sec
check "under its own name the program rejects fio's reading of 10sec" exits 2
finish
