#!/bin/sh
# Do DISKSPD lines run as `fiord diskspd`? Bytes must be I/Os times the block size, depth and times must match the line. Wrong
# lines get one error line and DISKSPD's exit code, and create nothing. Durations and sizes are scaled down.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
mkdir w
cd w || exit 1
out=$dir/out
err=$dir/err

# line ARGUMENT...: runs a line with a JSON document.
line() {
	run diskspd --output-format=json "$@"
}
# of_document FILTER: prints a value of the document.
of_document() {
	jq -r "$1" "$out"
}
# adds_up BLOCK: in each direction the bytes are I/Os of this size.
adds_up() {
	check "$what: bytes are I/Os of $1" test "$(of_document "[.jobs[] | .read, .write | .io_bytes == .total_ios * $1] | all")" = true
}
run_succeeded() {
	check "$what: the run exits 0" test "$rc" = 0
	check "$what: stderr is empty" empty "$err"
}

for f in test.dat file1 file2 file3 file4 file5; do
	dd if=/dev/zero of=$f bs=1M count=4 2>/dev/null
done
inodes=$(ls -i test.dat)

what="test.dat"
line -W1 -d1 test.dat
run_succeeded
adds_up 65536
check "$what: it only reads" test "$(of_document '.jobs[0].read.total_ios > 0 and .jobs[0].write.total_ios == 0')" = true
check "$what: two I/Os are in flight" test "$(of_document '.jobs[0].iodepth_level."2" > 50')" = true
check "$what: one thread runs" test "$(of_document '.fiord.plan.workers')" = 1
check "$what: it measures for its second" test "$(of_document '.jobs[0].read.runtime >= 900')" = true
check "$what: the warm-up comes first" test "$(of_document '.fiord.self.wall_ns >= 1900000000')" = true
check "$what: the document has the command" test "$(of_document '.fiord.command | tostring | contains("test.dat")')" = true

what="-b4K -t2 -r -o32 -d10 -Sh"
line -b4K -t2 -r -o32 -d1 -W0 -Sh test.dat
if [ "$rc" = 0 ]; then
	run_succeeded
	adds_up 4096
	check "$what: 32 I/Os are in flight" test "$(of_document '.jobs[0].iodepth_level."32" > 50')" = true
	check "$what: two threads run" test "$(of_document '.fiord.plan.workers')" = 2
else
	skip "$what" "no direct I/O here: $(cat "$err")"
fi

what="five files"
line -t2 -o2 -W0 -d1 file1 file2 file3 file4 file5
run_succeeded
adds_up 65536
check "$what: ten threads run" test "$(of_document '.fiord.plan.workers')" = 10

what="-r -t2 -b8K -L -o1 -w0 -D -h"
line -r -t2 -b8K -W0 -d1 -L -o1 -w0 -D -h test.dat
if [ "$rc" = 0 ]; then
	run_succeeded
	adds_up 8192
	check "$what: one I/O is in flight" test "$(of_document '.jobs[0].iodepth_level."1" == 100')" = true
	check "$what: the document has latency percentiles" test "$(of_document '.jobs[0].read.lat_ns.percentile | has("99.999999900") or has("99.999999999") or (keys | length == 13)')" = true
else
	skip "$what" "no direct I/O here: $(cat "$err")"
fi
check "the existing file was not replaced" test "$(ls -i test.dat)" = "$inodes"

what="-c -w50"
line -c256K -r -w50 -b4K -o4 -W0 -d1 made
run_succeeded
adds_up 4096
check "$what: it reads and writes" test "$(of_document '.jobs[0].read.total_ios > 0 and .jobs[0].write.total_ios > 0')" = true
check "$what: the file is created with its size" test "$(stat -c %s made)" = 262144
check "$what: the file has the bytes 0 to 255" test "$(od -An -tx1 -N 4 made)" = " 00 01 02 03"
if [ "$(getfattr --only-values -n user.fiord made 2>/dev/null)" ]; then
	what="-c again"
	line -c128K -Z -r -b4K -W0 -d1 made
	run_succeeded
	check "$what: the file is created again with another size" test "$(stat -c %s made)" = 131072
	check "$what: the file has zeroes" test "$(tr -d '\0' <made | wc -c)" = 0
fi

what="-F -O"
line -F2 -O4 -r -b4K -W0 -d1 file1 file2
run_succeeded
check "$what: two threads use both files" test "$(of_document '.fiord.plan.workers')" = 2

what="-F -f: where each file ends"
truncate -s 4M ends1 ends2
line -F2 -o1 -f2M -w100 -b64K -W0 -d1 ends1 ends2
run_succeeded
for f in ends1 ends2; do
	check "$what: $f is written up to -f" test "$(tail -c +2031617 $f | head -c 65536 | tr -d '\0' | wc -c)" != 0
	check "$what: $f is not written after -f" test "$(tail -c +2097153 $f | tr -d '\0' | wc -c)" = 0
done
what="cpus"
line -a0,0 -t2 -r -b4K -W0 -d1 test.dat
run_succeeded

# refused CODE WORDS ARGUMENT...: the line ends with this exit code and error, and creates nothing.
refused() {
	code=$1
	words=$2
	shift 2
	rm -rf ../before ../after
	ls -lR >../before
	run diskspd "$@"
	ls -lR >../after
	check "$*: exit code $code" test "$rc" = "$code"
	check "$*: stderr has one line" test "$(wc -l <"$err")" = 1
	check "$*: the error is ERROR: ... $words" sh -c "grep -q '^ERROR: ' '$err' && grep -qF -- \"\$1\" '$err'" - "$words"
	check "$*: stdout is empty" empty "$out"
	check "$*: no file is created or changed" same "$(cat ../before)" "$(cat ../after)"
}
refused 1 "no such file" missing.dat
mkdir directory
refused 3 "directory: is a directory" directory
refused 1 "did you mean -t8" -t2 8 test.dat
refused 1 "did you mean -b64K" -W0 64K test.dat
refused 1 "too small" -b8M -o1 test.dat
refused 1 "4194304 bytes" -t2 -T4M -b64K test.dat

refused 3 "-b3000: unbuffered I/O" -Su -b3000 test.dat
refused 3 "-r7: unbuffered I/O" -Sh -r7 test.dat
refused 3 "-s3000: unbuffered I/O" -Su -s3000 test.dat
refused 3 "-si3000: unbuffered I/O" -Su -t2 -si3000 test.dat
refused 3 "-B100: unbuffered I/O" -Su -B100 test.dat
refused 3 "-T100: unbuffered I/O" -Su -t2 -T100 test.dat
refused 3 "/dev/null: not a file or a disk" /dev/null
refused 1 "-Sr is for files on NFS and SMB" -Sr test.dat
refused 3 "-i100 needs -j" -i100 test.dat
refused 3 "U+2013" –b8K test.dat
refused 3 "#4" -r '#4'
refused 3 "--foo" --foo test.dat
refused 3 "choose one of" --to-job --explain test.dat
refused 3 "2.3, 2.2, 2.0" --dialect 1.0 test.dat
refused 3 "--map" test.dat --map
refused 3 "a job file cannot hold this path" 'a;b'
refused 3 "has 4 MiB" -c8M test.dat
refused 1 "No such file" -Xnone.xml
refused 1 "No such file" --to-profile -Xnone.xml
mkfifo pipe
refused 3 "-Xpipe: not a regular file" -Xpipe
rm pipe
refused 3 "no command line" --line ''
refused 3 "a block must have at least one byte" -b0 test.dat
refused 3 "blocks of at most 1G" -b2G test.dat
refused 3 "-ag40,1: CPU 1 in group 40" --dialect 2.2 -ag40,1 test.dat

# An option of the DISKSPD line cannot also be set as a job option.
refused 3 "--runtime=3: not possible beside a DISKSPD line; use -d" --runtime=3 test.dat
refused 3 "--set runtime=3: not possible beside a DISKSPD line; use -d" --explain --set runtime=3 test.dat
refused 3 "--set rw=read: not possible beside a DISKSPD line; use -r, -s or -w" --set=rw=read test.dat
refused 3 "--set blocksize=8k: not possible beside a DISKSPD line; use -b" --set blocksize=8k test.dat
refused 3 "DISKSPD has no flag for it; --to-job" --set thinktime_spin=1 test.dat
refused 3 "--set bs=8k: not possible beside a DISKSPD profile; use <BlockSize>" -Xp.xml --set bs=8k
refused 3 "not possible beside a DISKSPD profile; use <Random>, <StrideSize> or <WriteRatio>" --set rw=read -Xp.xml
refused 3 "--runtime=3: not possible beside a DISKSPD profile; use -d" --runtime=3 -Xp.xml
refused 1 "/dev/no-such-disk: no such device" /dev/no-such-disk
refused 1 "/dev/sdX: no such device; the X stands for your disk: lsblk" /dev/sdX
refused 3 "no such option" --set nothing=1 test.dat
refused 3 "not possible with --from-job, which uses the job file as it is" --from-job x --set bs=8k
refused 3 "has no sections" --section=x test.dat

# Pasted lines, several lines at once, and the exit codes of the usage text.
run diskspd
check "no arguments: usage and exit code 3" test "$rc:$(grep -c 'Usage: fiord diskspd' "$out")" = 3:1
run diskspd '-?'
check "-?: usage and exit code 0" test "$rc:$(grep -c 'Usage: fiord diskspd' "$out")" = 0:1
run diskspd --line 'PS C:\> .\diskspd.exe -b4K -r -W0 -d1 C:\temp\test.dat > out.txt' --output-format=json
check "a pasted line runs" test "$rc" = 0
check "the report has its notes" test "$(of_document '.fiord.notes | tostring | contains("test.dat")')" = true
printf 'diskspd -b4K a.dat\n\nREM\n& diskspd.exe -b8K b.dat\n' | "$FIORD" diskspd --to-job - >"$out" 2>"$err"
check "each line of stdin becomes a job" test "$(grep -c '^\[global\]' "$out"):$(grep -c '^; --------' "$out")" = 2:1
printf 'diskspd -b4K a.dat\ndiskspd -zz x\n' | "$FIORD" diskspd --explain - >"$out" 2>"$err"
check "one refused line has its line number" test "$?:$(grep -c "^ERROR: line 2: " "$err")" = 3:1
printf '\n\n@echo off\ndiskspd -zz x & diskspd -b4K a.dat\n' | "$FIORD" diskspd --to-job - >"$out" 2>"$err"
check "an error has the line number of the file" same "$(grep -c "^ERROR: line 4: " "$err"):$(grep -c '^bs=4k$' "$out")" 1:1
for both in '-zz x && diskspd -b4K a.dat' '-b4K a.dat || diskspd -zz x'; do
	run diskspd --to-job --line "diskspd $both"
	check "$both: the shell operator decides which line is read" same "$(grep -c '^bs=' "$out"):$(grep -c ERROR "$err")" "$([ "$rc" = 0 ] && echo 1:0 || echo 0:1)"
done

printf 'diskspd -b4K a.dat\r\npause\r\n' >run.bat
run diskspd run.bat
check "a script as only argument is refused" says "$err" "run.bat: is a script; fiord diskspd - <run.bat runs the lines in it"
check "... with exit code 3" test "$rc" = 3
run diskspd --to-job -b512 run.bat
check "... and is a target behind an option" same "$rc:$(grep -c '^filename=run[.]bat$' "$out")" 0:1

# The shell itself runs the loop, with a function that prints its arguments. The order of flags is not compared.
sorted_words() {
	while read -r line; do echo "$line" | tr ' ' '\n' | sort | tr '\n' ' ' && echo; done
}
cat >loop.sh <<'END'
blocks="4K 8K"
for o in 1 2 16; do
	for b in $blocks; do
		diskspd -t2 -o$o -r -b"$b" -W0 io.dat >"$o-$b.txt"
	done
done
END
mkdir loop
truncate -s 1m io.dat
(cd loop && diskspd() { echo "diskspd $*"; } && . ../loop.sh && cat ./*.txt) | sorted_words | sort >by_sh
"$FIORD" diskspd --to-sweep - <loop.sh >"$out" 2>"$err"
check "--to-sweep prints a command" says "$out" "fiord sweep --sweep -o=1,2,16 --sweep -b=4K,8K -d sweep diskspd"
sed -n "s|^fiord sweep|'$FIORD' sweep --dry-run|p" "$out" >command
check "... that fiord sweep accepts" sh -c '. ./command >points.txt'
sed -n 's/^  \(diskspd .*[^ ]\) *$/\1/p' points.txt | sorted_words | sort >by_fiord
check "... and the lines of the points are those that the shell runs" test "$(wc -l <by_sh)" = 6
check "... in any order" cmp by_sh by_fiord
run diskspd --to-sweep --map C:=/mnt --line 'foreach ($o in 1,2) { diskspd -o$o C:\x }' --dialect 2.0
check "... the options of the run stay" same "$(cat "$out")" "fiord sweep --sweep -o=1,2 -d sweep diskspd --map C:=/mnt --dialect 2.0 'C:\x'"
run diskspd --to-sweep --line 'foreach ($o in 0..2) { diskspd -o$o x }'
check "... a value that DISKSPD refuses is refused" says "$err" "-o0"
run diskspd --to-sweep -b4K x
check "... and a line without a script" says "$err" "--to-sweep: reads a script with a loop"

# Lines as people type them: words that are no target are not taken for one.
typed() { # LABEL ARGUMENT...
	label=$1
	shift
	run diskspd --to-job "$@"
	check "$label: the line is read" same "$rc:$(grep -c '^bs=4k$' "$out"):$(grep -c '^filename=.*a[.]dat$' "$out"):$(grep -c '^filename=' "$out")" 0:1:1:1
}
typed "the program's name" diskspd -b4K a.dat
typed "... of Windows" '.\diskspd.exe' -b4K a.dat
typed "... with a path" 'C:\a b\diskspd64.exe' -b4K a.dat
typed "... behind sudo" sudo ./diskspd -b4K a.dat
typed "... behind cmd /c" cmd /c diskspd.exe -b4K a.dat
typed "a whole line in quotes" 'diskspd -b4K a.dat'
typed "... with a prompt" 'PS C:\> & ".\diskspd.exe" -b4K a.dat > out.txt'
typed "... of options" '-b4K a.dat'
typed "--define" --define "testFile=a.dat" --line 'diskspd -b4K $TESTFILE'
refused 3 "--line" .diskspd.exe -c1M a.dat
refused 3 "--line" C:toolsdiskspd64.exe -c1M a.dat
refused 3 "--line" -c1M C:tempa.dat
refused 3 "--line" -c1M '\srvsharea.dat'
refused 3 "use --define b=VALUE --define f=VALUE" --line 'diskspd -c1M -b$b %f%'
refused 3 "--define: only possible with pasted lines" --define f=a.dat -c1M a.dat
refused 3 "write --define NAME=VALUE" --define f --line 'diskspd -c1M a.dat'
run diskspd diskspd
check "diskspd alone: usage and exit code 3" test "$rc:$(grep -c 'Usage: fiord diskspd' "$out")" = 3:1
check "... and no file is created" test ! -e diskspd
printf 'diskspd a.dat\ndiskspd b.dat\n' | "$FIORD" diskspd --output=res - >"$out" 2>"$err"
check "several results in one --output file are refused" test "$?:$(grep -c "ERROR: --output" "$err"):$(ls | grep -c '^res$')" = 3:1:0

# Profiles.
run diskspd --to-profile -b4K -r '*1'
cp "$out" p.xml
run diskspd -Rpxml -b4K -r '*1'
check "-Rpxml prints the same as --to-profile" same "$(cat "$out")" "$(cat p.xml)"
run diskspd --output-format=json -Xp.xml -W0 -d1 test.dat
check "a profile runs" test "$rc" = 0
what=profile
adds_up 4096
run diskspd -Xp.xml
check "a profile without its substitute is refused" test "$rc" = 3
"$FIORD" diskspd --explain -X- -d7 test.dat <p.xml >"$out" 2>"$err"
check "-X- reads standard input" grep -q '7 s measured' "$out"
run diskspd --explain -Xp.xml -d7 test.dat
check "--explain takes a profile" grep -q '7 s measured' "$out"
sed 's/<Duration>[0-9]*/<Duration>1/; s/<FileSize>[0-9]*/<FileSize>1048576/; s/b[.]dat/test.dat/; /DisableOSCache/d' \
	"$SOURCE/t/golden/diskspd/two-spans.xml" >spans.xml
line -Xspans.xml -W0
check "two time spans run" test "$rc" = 0
check "the spans are waves, and the first span created the file" test "$(of_document '.fiord.plan.waves'):$(stat -c %s a.dat)" = 2:1048576
run diskspd -Rp -b4K test.dat
check "-Rp prints the profile as text" grep -q 'block size: 4KiB' "$out"

# Output formats.
line missing.dat
check "a refused line is a document, too" test "$rc:$(of_document .fiord.exit.code)" = 1:1
check "... with its reason" test "$(of_document '.fiord.notes | tostring | contains("no such file")')" = true
run diskspd -W0 -d1 -r -b4K --output res.json --output-format json test.dat
check "--output and --output-format are fiord's options" test "$rc:$(jq '.jobs | length' res.json)" = 0:1
run diskspd --to-job -b4K -r -c1M j.dat
cp "$out" job
run --parse-only job
check "the job text parses" test "$rc" = 0
finish
