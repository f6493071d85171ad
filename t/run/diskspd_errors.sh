#!/bin/sh
# Are errors and notes of a DISKSPD line in DISKSPD's words? Each error is one line on stderr with DISKSPD's exit code, names
# flags or elements and no job option, and nothing is created. At the end: the open flags of targets.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
mkdir w
cd w || exit 1
ln -s "$FIORD" ../diskspd
as_fiord=$FIORD
truncate -s 1m t.dat
echo few >small

# refused CODE WORDS ARGUMENT...: fiord diskspd and diskspd refuse the line before the run.
refused() {
	code=$1
	words=$2
	shift 2
	for program in "$as_fiord diskspd" ../diskspd; do
		ls -lR . >../before
		# shellcheck disable=SC2086
		$program -d1 -W0 "$@" >../out 2>../err </dev/null
		rc=$?
		ls -lR . >../after
		check "$*: exit code $code" exits "$code"
		check "... stderr has one line" lines ../err 1
		check "... ERROR: $words" same "$(grep -cF -- "ERROR: $words" ../err)" 1
		check "... the error has no job option" same "$(grep -cE 'fiord:|diskspd line|[a-z]=' ../err)" 0
		check "... stdout is empty" empty ../out
		check "... no file is created or changed" same "$(cat ../before)" "$(cat ../after)"
	done
}
refused 1 "none: no such file; -c<size> creates it" none
refused 1 "none/x: no such file" none/x
refused 1 "none/x: its directory does not exist; create it first: mkdir -p none" -c1M none/x
refused 1 "t.dat/x: Not a directory" t.dat/x
refused 1 "t.dat/x: Not a directory" -c1M t.dat/x
refused 3 "../w: is a directory" ../w
refused 3 "/dev/null: not a file or a disk" /dev/null
refused 1 "small: too small: the 4 bytes are not enough" small
refused 3 "-b1000: unbuffered I/O" -Su -b1000 t.dat
refused 3 "-B100: unbuffered I/O" -Sh -B100 t.dat
refused 3 "-r7: unbuffered I/O" -Su -r7 t.dat
refused 3 "-a4000: " -a4000 t.dat
[ "$(getconf _NPROCESSORS_CONF)" -ge 63 ] || refused 3 "-a0,63,0: CPU 63 does not exist or is not allowed here" -a0,63,0 t.dat
refused 3 "-ag63,1: CPU 1 in group 63 (64 to a group) does not exist or is not allowed here" -ag63,1 t.dat
refused 1 "-c4000T: the layout of new needs" -c4000T new
refused 3 "-Z8000T: more memory than is available" -w100 -Z8000T t.dat
refused 1 "-Z1M,none: No such file" -w100 -Z1M,none t.dat
refused 1 "t.dat: -Sr is for files on NFS and SMB" -Sr t.dat
refused 1 '%TEMP%\x: %TEMP% is a variable of Windows' -c1M '%TEMP%\x'
refused 3 '\\?\Volume{a-b} is a device of a Windows machine' -c1M '\\?\Volume{a-b}'
refused 3 '\\.\Tape0 is a device of a Windows machine' -c1M '\\.\Tape0'
refused 3 "#0 is physical drive 0" '#0'
refused 1 "--map: $dir/w/none is not a directory" --map "C:=$dir/w/none" -c1M 'C:\x'

cat >p.xml <<'X'
<Profile><TimeSpans><TimeSpan><Duration>1</Duration><Warmup>0</Warmup><Affinity><AffinityAssignment>255</AffinityAssignment></Affinity>
<Targets><Target><Path>t.dat</Path></Target></Targets></TimeSpan></TimeSpans></Profile>
X
run diskspd -Xp.xml
check "an unknown processor in a profile exits 3" exits 3
check "... and the error names the element" says ../err "ERROR: <Affinity>: CPU 255 does not exist or is not allowed here"

cat >si.xml <<'X'
<Profile><TimeSpans><TimeSpan><Targets><Target><Path>t.dat</Path><BlockSize>4096</BlockSize><StrideSize>513</StrideSize>
<InterlockedSequential>true</InterlockedSequential><DisableOSCache>true</DisableOSCache><ThreadsPerFile>2</ThreadsPerFile></Target>
</Targets></TimeSpan></TimeSpans></Profile>
X
run diskspd -Xsi.xml
check "an unaligned stride in a profile exits 3" exits 3
check "... and the error names the element" says ../err "ERROR: <StrideSize>513: unbuffered I/O"

# A path that may not be searched is not called missing.
mkdir locked readonly
touch locked/t.dat
chmod 700 locked
if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	cp "$FIORD" ../fiord && chmod 755 "$dir" . ../fiord readonly
	setpriv --reuid=65534 --regid=65534 --clear-groups ../fiord diskspd -d1 -W0 locked/t.dat >../out 2>../err
	rc=$?
	check "a locked directory exits 1" exits 1
	check "... and the error says permission denied" says ../err "ERROR: locked/t.dat: Permission denied"
	setpriv --reuid=65534 --regid=65534 --clear-groups ../fiord diskspd -d1 -W0 readonly/t.dat >../out 2>../err
	check "a missing file in a read-only directory gets no advice to create it" says ../err "ERROR: readonly/t.dat: no such file"
else
	skip "a locked directory" "no setpriv"
fi
# explain_refuses WORDS ARGUMENT...: --explain has the same error.
explain_refuses() {
	words=$1
	shift
	run diskspd --explain -d1 -W0 "$@"
	check "--explain $*: exit code 0" exits 0
	check "... $words" same "$(grep -cF -- "  a run on this machine would be refused: $words" ../out)" 1
	check "... stderr is empty" empty ../err
}
explain_refuses "none: no such file" none
explain_refuses "small: too small: the 4 bytes" small
explain_refuses "-b1000: unbuffered I/O" -Su -b1000 t.dat
explain_refuses "-ag63,1: CPU 1 in group 63" -ag63,1 t.dat
run diskspd --explain -Xp.xml
check "--explain of a profile names the element" says ../out "a run on this machine would be refused: <Affinity>: "
run diskspd --explain -d1 -W0 t.dat
check "--explain of a line that runs has no error" same "$(grep -c 'would be refused' ../out)" 0

# refused_profile CODE WORDS TARGET...: the error is in the profile's words.
refused_profile() {
	code=$1
	words=$2
	shift 2
	{
		printf '<Profile><TimeSpans><TimeSpan><Duration>1</Duration><Warmup>0</Warmup><ThreadCount>2</ThreadCount>\n'
		printf '<RequestCount>0</RequestCount><Targets>\n'
		printf '<Target>%s</Target>\n' "$@"
		printf '</Targets></TimeSpan></TimeSpans></Profile>\n'
	} >p.xml
	ls -lR . >../before
	run diskspd -Xp.xml
	ls -lR . >../after
	check "$*: exit code $code" exits "$code"
	check "... stderr has one line" lines ../err 1
	check "... ERROR: $words: $(cat ../err)" same "$(grep -cF -- "ERROR: $words" ../err)" 1
	check "... the error has no flag" same "$(grep -cE '[ (]-[A-Za-z]|[a-z]=' ../err)" 0
	check "... no file is created or changed" same "$(cat ../before)" "$(cat ../after)"
}
new='<Path>new</Path><FileSize>65536</FileSize>'
refused_profile 1 "none: no such file; <FileSize> creates it" "$new" '<Path>none</Path><BlockSize>512</BlockSize>'
refused_profile 1 "t.dat: too small: the 2048 bytes up to <MaxFileSize> are not enough" "$new" '<Path>t.dat</Path><MaxFileSize>2048</MaxFileSize>'
refused_profile 3 "<BlockSize>0: a block must have at least one byte" "$new" '<Path>t.dat</Path><BlockSize>0</BlockSize>'
refused_profile 3 "<MemoryMappedIo>: targets that share threads" "$new" \
	'<Path>t.dat</Path><MemoryMappedIo>true</MemoryMappedIo>'
refused_profile 1 "t.dat: <FilePath>none: No such file" "$new" '<Path>t.dat</Path><WriteRatio>100</WriteRatio>
	<WriteBufferContent><Pattern>random</Pattern><RandomDataSource><SizeInBytes>65536</SizeInBytes>
	<FilePath>none</FilePath></RandomDataSource></WriteBufferContent>'
refused_profile 3 "new: <RequestCount>: all files of the group together have 65537 I/Os" \
	"$new<RequestCount>1</RequestCount>" '<Path>t.dat</Path><RequestCount>65536</RequestCount>'
refused_profile 3 "p.xml: line 4, target t.dat: <Distribution> needs random I/O: <Random>, or <RandomRatio>" "$new" \
	'<Path>t.dat</Path><Distribution><Percent><Range IO="90">10</Range></Percent></Distribution>'
cp p.xml pool.xml
refused_profile 1 "<Path></Path>: does not name a file" "$new" '<Path></Path>'
run diskspd -Rpxml -Xp.xml
check "a profile may have an empty path" exits 0
check "... which is printed" says ../out "<Path></Path>"
cp pool.xml p.xml
sed -i 's/<RequestCount>0</<RequestCount>4</; s/<Distribution>.*<.Distribution>/<Weight>0<\/Weight>/' p.xml
run diskspd -Xp.xml
check "a target with weight 0 exits 3" exits 3
check "... $(cat ../err)" says ../err "ERROR: p.xml: line 4, target t.dat: <Weight>0</Weight>: the target would get no I/O"
refused 3 "-t: 70000 threads for all targets together: at most 65536" -t70000 t.dat
run diskspd -d1 -W0 -c1M small
check "-c of another program's file that is too short exits 3" exits 3
check "... and the error says how to replace it" grep -q "small: has 4 bytes, -c needs 1 MiB, .*or use --recreate or --allow_write=small" ../err

# -c creates missing directories only below the place of a mapped drive.
mkdir drive
run diskspd -d1 -W0 --map "C:=$dir/w/drive" -c1M 'C:\a\b\x.dat'
check "-c creates the directories of a mapped path" test -f drive/a/b/x.dat

# An error during the run.
run diskspd -d1 -W0 -l t.dat
if [ "$rc" != 0 ]; then
	check "-l without huge pages exits 1" exits 1
	check "... with one line of error" lines ../err 1
	check "... that names -l" says ../err "ERROR: -l: "
	check "... and the report says interrupted" says ../out "The test was interrupted"
else
	skip "-l without huge pages" "huge pages are free"
fi

# Notes.
run diskspd -d1 -W0 -b4K -r -o4 t.dat
check "a note names the line's options" says ../out "note: t.dat: -d1 is short"
check "... and no job option" same "$(grep -E '^note: ' ../out | grep -cE '(direct|runtime|bs|iodepth)=|clones|workers')" 0
run diskspd -d1 -W0 -t2 -si -si t.dat
run diskspd --explain -d1 -W0 -si t.dat
check "--explain prints the note about -si once" same "$(grep -c 'note:.*-si' ../out)" 1
run diskspd -d1 -W0 -t2 t.dat
check "the report prints the note about the same blocks once" same "$(grep -c 'note:.*same blocks' ../out)" 1

# The report names the write-through method only if the line writes.
if "$FIORD" diskspd -d1 -W0 -Sh -w0 t.dat >../out 2>../err; then
	check "-Sh -w0: the report does not mention write-through" same "$(grep -c '^write-through on' ../out)" 0
	"$FIORD" diskspd -d1 -W0 -Sh -w1 t.dat >../out 2>../err
	check "-Sh -w1: the report names the write-through method" same "$(grep -c '^write-through on' ../out)" 1
else
	skip "write-through" "no direct I/O here"
fi

# Under the name diskspd.
../diskspd >../out 2>../err
rc=$?
check "diskspd alone prints its usage and exits 3" exits 3
check "... in which the program is called diskspd" same "$(sed -n 2p ../out)" "Usage: diskspd [options] target1 [ target2 [ target3 ...] ]"
check "... and the version line follows, as wrappers expect" same "$(sed -n 3p ../out)" "version 2.2.0 (2024/6/3)"
../diskspd '-?' >../out 2>../err
rc=$?
check "diskspd -? exits 0" exits 0
check "... and stderr is empty" empty ../err
check "... and the usage does not mention fiord" same "$(grep -c fiord ../out)" 0

# opened LABEL FLAGS ARGUMENT...: starts a line in a directory of its own. check_opened: each target was opened with its flags.
lines=0
opened() {
	lines=$((lines + 1))
	mkdir open.$lines
	echo "$1" >open.$lines/label
	echo "$2" >open.$lines/flags
	shift 2
	(
		cd open.$lines || exit
		truncate -s 1m open.dat
		straced -f -e trace=openat -o trace "$as_fiord" diskspd -d1 -W0 "$@" open.dat >out 2>err
		echo $? >code
	) &
}
check_opened() {
	wait
	for line in $(seq $lines); do
		cp open.$line/out open.$line/err ..
		rc=$(cat open.$line/code)
		label=$(cat open.$line/label)
		flags=$(cat open.$line/flags)
		check "$label exits 0" exits 0
		# The last open of the file is that of the worker, or follows it and completes the mark (O_NOFOLLOW).
		check "$label: the target is opened with $flags" same \
			"$(sed -n '/O_NOFOLLOW/d; s/.*"open.dat", \(O_[A-Z]*\).*/\1/p' open.$line/trace | tail -1)" "$flags"
	done
}
if command -v strace >/dev/null && straced -o /dev/null true 2>/dev/null && [ "$SANITIZE" = none ]; then
	for more in -b4K -c1M -B64K -f512K; do
		opened "-w0 $more" O_RDONLY -w0 $more
		opened "-w100 $more" O_WRONLY -w100 $more
		opened "-w50 $more" O_RDWR -w50 $more
	done
	opened "-w100 -Sm" O_RDWR -w100 -Sm
	check_opened
else
	skip "how targets are opened" "no strace"
fi
finish
