#!/bin/sh
# What is told of a DISKSPD line is told in its own words: refusals before the run, failures in it, notes; one line on
# standard error, DISKSPD's exit codes, nothing made. How targets are opened.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
mkdir w
cd w || exit 1
ln -s "$FIORD" ../diskspd
as_fiord=$FIORD
truncate -s 1m t.dat
echo few >small

# told CODE WORDS ARGUMENT...: refused before the run, as fiord and as diskspd.
told() {
	code=$1
	words=$2
	shift 2
	for program in "$as_fiord diskspd" ../diskspd; do
		ls -lR . >../before
		# shellcheck disable=SC2086
		$program -d1 -W0 "$@" >../out 2>../err </dev/null
		rc=$?
		ls -lR . >../after
		check "$*: $code" exits "$code"
		check "... one line" lines ../err 1
		check "... ERROR: $words" same "$(grep -cF -- "ERROR: $words" ../err)" 1
		check "... not in the job's words" same "$(grep -cE 'fiord:|diskspd line|[a-z]=' ../err)" 0
		check "... nothing on stdout" empty ../out
		check "... nothing made or changed" same "$(cat ../before)" "$(cat ../after)"
	done
}
told 1 "none: there is no such file; -c<size> makes one" none
told 1 "none/x: there is no such file" none/x
told 1 "none/x: its directory does not exist; make it first: mkdir -p none" -c1M none/x
told 1 "t.dat/x: Not a directory" t.dat/x
told 1 "t.dat/x: Not a directory" -c1M t.dat/x
told 3 "../w: is a directory" ../w
told 3 "/dev/null: is no file and no disk" /dev/null
told 1 "small: too small: the 4 bytes are too few" small
told 3 "-b1000: unbuffered I/O" -Su -b1000 t.dat
told 3 "-B100: unbuffered I/O" -Sh -B100 t.dat
told 3 "-r7: unbuffered I/O" -Su -r7 t.dat
told 3 "-a4000: " -a4000 t.dat
[ "$(getconf _NPROCESSORS_CONF)" -ge 63 ] || told 3 "-a0,63,0: CPU 63 does not exist or is not allowed here" -a0,63,0 t.dat
told 3 "-ag63,1: CPU 1 in group 63 (64 to a group) does not exist or is not allowed here" -ag63,1 t.dat
told 1 "-c4000T: laying out new needs" -c4000T new
told 3 "-Z8000T: more memory than is available" -w100 -Z8000T t.dat
told 1 "-Z1M,none: No such file" -w100 -Z1M,none t.dat
told 1 "t.dat: -Sr is for files on NFS and SMB" -Sr t.dat
told 1 '%TEMP%\x: %TEMP% is a variable of Windows' -c1M '%TEMP%\x'
told 3 '\\?\Volume{a-b} is a name of Windows'"'"' own' -c1M '\\?\Volume{a-b}'
told 3 '\\.\Tape0 is a name of Windows'"'"' own' -c1M '\\.\Tape0'
told 3 "#0 is physical drive 0" '#0'
told 1 "--map: $dir/w/none is no directory" --map "C:=$dir/w/none" -c1M 'C:\x'

cat >p.xml <<'X'
<Profile><TimeSpans><TimeSpan><Duration>1</Duration><Warmup>0</Warmup><Affinity><AffinityAssignment>255</AffinityAssignment></Affinity>
<Targets><Target><Path>t.dat</Path></Target></Targets></TimeSpan></TimeSpans></Profile>
X
run diskspd -Xp.xml
check "a profile's processors: 3" exits 3
check "... its element is named" says ../err "ERROR: <Affinity>: CPU 255 does not exist or is not allowed here"

cat >si.xml <<'X'
<Profile><TimeSpans><TimeSpan><Targets><Target><Path>t.dat</Path><BlockSize>4096</BlockSize><StrideSize>513</StrideSize>
<InterlockedSequential>true</InterlockedSequential><DisableOSCache>true</DisableOSCache><ThreadsPerFile>2</ThreadsPerFile></Target>
</Targets></TimeSpan></TimeSpans></Profile>
X
run diskspd -Xsi.xml
check "a profile's step: 3" exits 3
check "... its element is named" says ../err "ERROR: <StrideSize>513: unbuffered I/O"

# What may not be looked at is not called missing.
mkdir locked readonly
touch locked/t.dat
chmod 700 locked
if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	cp "$FIORD" ../fiord && chmod 755 "$dir" . ../fiord readonly
	setpriv --reuid=65534 --regid=65534 --clear-groups ../fiord diskspd -d1 -W0 locked/t.dat >../out 2>../err
	rc=$?
	check "a locked directory: 1" exits 1
	check "... is told" says ../err "ERROR: locked/t.dat: Permission denied"
	setpriv --reuid=65534 --regid=65534 --clear-groups ../fiord diskspd -d1 -W0 readonly/t.dat >../out 2>../err
	check "nothing in one without write permission" says ../err "ERROR: readonly/t.dat: there is no such file"
else
	skip "a locked directory" "no setpriv"
fi
# --explain says so, too.
foretold() { # WORDS ARGUMENT...
	words=$1
	shift
	run diskspd --explain -d1 -W0 "$@"
	check "--explain $*: 0" exits 0
	check "... $words" same "$(grep -cF -- "  it does not run here: $words" ../out)" 1
	check "... nothing on stderr" empty ../err
}
foretold "none: there is no such file" none
foretold "small: too small: the 4 bytes" small
foretold "-b1000: unbuffered I/O" -Su -b1000 t.dat
foretold "-ag63,1: CPU 1 in group 63" -ag63,1 t.dat
run diskspd --explain -Xp.xml
check "--explain of a profile names the element" says ../out "it does not run here: <Affinity>: "
run diskspd --explain -d1 -W0 t.dat
check "--explain of what runs" same "$(grep -c 'not run here' ../out)" 0

# profile CODE WORDS TARGET...: refused in the profile's words.
profile() {
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
	check "$*: $code" exits "$code"
	check "... one line" lines ../err 1
	check "... ERROR: $words: $(cat ../err)" same "$(grep -cF -- "ERROR: $words" ../err)" 1
	check "... no flags" same "$(grep -cE '[ (]-[A-Za-z]|[a-z]=' ../err)" 0
	check "... nothing made or changed" same "$(cat ../before)" "$(cat ../after)"
}
new='<Path>new</Path><FileSize>65536</FileSize>'
profile 1 "none: there is no such file; <FileSize> makes one" "$new" '<Path>none</Path><BlockSize>512</BlockSize>'
profile 1 "t.dat: too small: the 2048 bytes that <MaxFileSize> allows" "$new" '<Path>t.dat</Path><MaxFileSize>2048</MaxFileSize>'
profile 3 "<BlockSize>0: a block of no bytes" "$new" '<Path>t.dat</Path><BlockSize>0</BlockSize>'
profile 3 "<MemoryMappedIo>: targets that share their threads" "$new" \
	'<Path>t.dat</Path><MemoryMappedIo>true</MemoryMappedIo>'
profile 1 "t.dat: <FilePath>none: No such file" "$new" '<Path>t.dat</Path><WriteRatio>100</WriteRatio>
	<WriteBufferContent><Pattern>random</Pattern><RandomDataSource><SizeInBytes>65536</SizeInBytes>
	<FilePath>none</FilePath></RandomDataSource></WriteBufferContent>'
profile 3 "new: <RequestCount>: with all files of the group that makes 65537 I/Os" \
	"$new<RequestCount>1</RequestCount>" '<Path>t.dat</Path><RequestCount>65536</RequestCount>'
profile 3 "p.xml: line 4, target t.dat: <Distribution> needs random I/O: <Random>, or <RandomRatio>" "$new" \
	'<Path>t.dat</Path><Distribution><Percent><Range IO="90">10</Range></Percent></Distribution>'
cp p.xml pool.xml
profile 1 "<Path></Path>: names no file" "$new" '<Path></Path>'
run diskspd -Rpxml -Xp.xml
check "an empty path is valid in a profile" exits 0
check "... and printed" says ../out "<Path></Path>"
cp pool.xml p.xml
sed -i 's/<RequestCount>0</<RequestCount>4</; s/<Distribution>.*<.Distribution>/<Weight>0<\/Weight>/' p.xml
run diskspd -Xp.xml
check "a target without weight: 3" exits 3
check "... $(cat ../err)" says ../err "ERROR: p.xml: line 4, target t.dat: <Weight>0</Weight>: no I/O would go to it"
told 3 "-t: 70000 threads for all targets together: at most 65536" -t70000 t.dat
run diskspd -d1 -W0 -c1M small
check "-c of a file that is not ours: 3" exits 3
check "... what to say" grep -q "small: has 4 bytes, -c asks for 1 MiB, .*or say --recreate, or --allow_write=small" ../err

# Directories are made below a drive's place alone.
mkdir drive
run diskspd -d1 -W0 --map "C:=$dir/w/drive" -c1M 'C:\a\b\x.dat'
check "the directories of a drive's path are made" test -f drive/a/b/x.dat

# A failure in the run.
run diskspd -d1 -W0 -l t.dat
if [ "$rc" != 0 ]; then
	check "-l without huge pages: 1" exits 1
	check "... one line" lines ../err 1
	check "... that names it" says ../err "ERROR: -l: "
	check "... in the report" says ../out "The test was interrupted"
else
	skip "-l without huge pages" "there are some"
fi

# Notes.
run diskspd -d1 -W0 -b4K -r -o4 t.dat
check "a note names the line's options" says ../out "note: t.dat: -d1 is short"
check "... and no others" same "$(grep -E '^note: ' ../out | grep -cE '(direct|runtime|bs|iodepth)=|clones|workers')" 0
run diskspd -d1 -W0 -t2 -si -si t.dat
run diskspd --explain -d1 -W0 -si t.dat
check "-si with one thread is told once" same "$(grep -c 'note:.*-si' ../out)" 1
run diskspd -d1 -W0 -t2 t.dat
check "the same blocks: told once" same "$(grep -c 'note:.*same blocks' ../out)" 1

# What made writes durable is told of writes.
if "$FIORD" diskspd -d1 -W0 -Sh -w0 t.dat >../out 2>../err; then
	check "-Sh -w0: no write-through" same "$(grep -c '^write-through on' ../out)" 0
	"$FIORD" diskspd -d1 -W0 -Sh -w1 t.dat >../out 2>../err
	check "-Sh -w1: write-through" same "$(grep -c '^write-through on' ../out)" 1
else
	skip "write-through" "no direct I/O here"
fi

# The name.
../diskspd >../out 2>../err
rc=$?
check "diskspd alone: usage, 3" exits 3
check "... calls itself so" same "$(head -1 ../out)" "usage: diskspd [options] target [target ...]"
../diskspd '-?' >../out 2>../err
rc=$?
check "diskspd -?: 0" exits 0
check "... nothing on stderr" empty ../err
check "fiord is not mentioned" same "$(grep -c fiord ../out)" 0

# Read only, write only, both.
opened() { # LABEL FLAGS ARGUMENT...
	label=$1
	flags=$2
	shift 2
	truncate -s 1m open.dat
	# shellcheck disable=SC2086
	straced -f -e trace=openat -o ../trace "$as_fiord" diskspd -d1 -W0 "$@" open.dat >../out 2>../err
	rc=$?
	check "$label runs" exits 0
	# the last open of the file is that of the load
	check "$label: $flags" same "$(sed -n 's/.*"open.dat", \(O_[A-Z]*\).*/\1/p' ../trace | tail -1)" "$flags"
}
if command -v strace >/dev/null && straced -o /dev/null true 2>/dev/null && [ "$SANITIZE" = none ]; then
	for more in -b4K -c1M -B64K -f512K; do
		opened "-w0 $more" O_RDONLY -w0 $more
		opened "-w100 $more" O_WRONLY -w100 $more
		opened "-w50 $more" O_RDWR -w50 $more
	done
	opened "-w100 -Sm" O_RDWR -w100 -Sm
else
	skip "how targets are opened" "no strace"
fi
finish
