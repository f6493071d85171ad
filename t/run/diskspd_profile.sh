#!/bin/sh
# Profiles: are they printed, read, run and refused as DISKSPD's XML, and does each job become a line or a profile and back?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
mkdir w
cd w || exit 1
out=$dir/out
err=$dir/err

# tool ARGUMENT...: runs `fiord diskspd`.
tool() {
	"$FIORD" diskspd "$@" >"$out" 2>"$err" </dev/null
	rc=$?
}

# round_trip FILE: the profile in the file is read and printed without a change.
round_trip() {
	tool --to-profile "-X$1"
	check "$1 is read and printed" test "$rc" = 0
	check "$1 is printed without a change" cmp -s "$1" "$out"
}

for line in "test.dat" "-b4K -t2 -r -o32 -d10 -Sh -L -D -c1G io.dat" "-F4 -O8 -w30 -Z1M -rs20 a.dat b.dat" \
	"-r -rdpct90/10:0/10:5/20 C:\\a&b\\x.dat" "-u8 -oc4 -acs -bsn x.dat" "-ag0,1,g1,2 -eDISK_IO -:3 -vs x"; do
	# shellcheck disable=SC2086
	tool --to-profile $line
	cp "$out" p.xml
	check "$line becomes a profile" test "$rc" = 0
	check "$line: stderr is empty" empty "$err"
	round_trip p.xml
	# shellcheck disable=SC2086
	tool -Rpxml $line
	check "$line: -Rpxml prints the same" cmp -s p.xml "$out"
	# shellcheck disable=SC2086
	tool -Rptext $line
	check "$line: -Rptext prints the profile as text" says "$out" "Input parameters:"
	check "$line: no file is created" same "$(ls)" p.xml
done
tool --to-profile -Zr -w5 x.dat
check "a comment names an option that a profile cannot hold" says "$out" "<!-- not translated: -Zr:"

# Windows tools write UTF-16.
if command -v iconv >/dev/null; then
	{
		printf '\377\376'
		iconv -f UTF-8 -t UTF-16LE p.xml
	} >utf16.xml
	tool --to-profile -Xutf16.xml
	check "UTF-16 is read" cmp -s p.xml "$out"
	rm utf16.xml
fi

# Substitutes, and the options that a line may have beside -X.
tool --to-profile -b4K -d3 x.dat
sed 's/x\.dat/*1/' "$out" >p.xml
tool --to-profile -d7 -W1 -Xp.xml 'y z.dat'
check "a path replaces the template's substitute" says "$out" "<Path>y z.dat</Path>"
check "-d overrides the profile" says "$out" "<Duration>7</Duration>"
tool --to-job -Xp.xml 'y z.dat'
check "a profile becomes a job" says "$out" "filename=y z.dat"

# Two time spans, run for real.
dd if=/dev/zero of=here.dat bs=64k count=16 2>/dev/null
cat >spans.xml <<'XML'
<Profile><TimeSpans>
<TimeSpan><Duration>1</Duration><Warmup>0</Warmup><DisableAffinity>true</DisableAffinity>
<Targets><Target><Path>here.dat</Path><BlockSize>8192</BlockSize><Random>8192</Random>
<ThreadsPerFile>2</ThreadsPerFile><RequestCount>1</RequestCount></Target></Targets></TimeSpan>
<TimeSpan><Duration>1</Duration><Warmup>0</Warmup><DisableAffinity>true</DisableAffinity>
<Targets><Target><Path>made.dat</Path><FileSize>262144</FileSize><RequestCount>1</RequestCount>
<Throughput unit="IOPS">200</Throughput><WriteRatio>100</WriteRatio></Target></Targets></TimeSpan>
</TimeSpans></Profile>
XML
tool --output-format=json -Xspans.xml
check "two time spans run" test "$rc" = 0
check "stderr is empty" empty "$err"
check "the first span reads" json "$out" '.jobs[0].read.io_bytes == .jobs[0].read.total_ios * 8192 and .jobs[0].read.total_ios > 0'
check "the second span writes" json "$out" '.jobs[-1].write.io_bytes == .jobs[-1].write.total_ios * 65536 and .jobs[-1].write.total_ios > 0'
check "the created file has its size" same "$(stat -c %s made.dat)" 262144
rm -f made.dat

# refused CODE WORDS PROFILE-TEXT: the profile ends with this exit code and error, and creates nothing.
refused() {
	printf '%s\n' "$3" >bad.xml
	tool -Xbad.xml
	check "$2: exit code $1" test "$rc" = "$1"
	check "$2: the error has these words" says "$err" "ERROR: bad.xml:$2"
	check "$2: stderr has one line" lines "$err" 1
	check "$2: stdout is empty" empty "$out"
	check "$2: no file is created" test ! -e new.dat
	rm bad.xml
}
head='<Profile><TimeSpans><TimeSpan><Targets>
<Target><Path>new.dat</Path><FileSize>65536</FileSize>
'
tail='</Target></Targets></TimeSpan></TimeSpans></Profile>'
refused 3 "3: <BlockSize>4k</BlockSize>: a whole number" "$head<BlockSize>4k</BlockSize>$tail"
refused 3 "3: <Blocksize>: not an element of <Target>" "$head<Blocksize>4096</Blocksize>$tail"
refused 3 " line 2, target new.dat: <ThreadStride> needs" "$head<ThreadStride>4096</ThreadStride>$tail"
refused 3 "1: <!DOCTYPE Profile>" "<!DOCTYPE Profile [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>$head$tail"
refused 3 "4: not XML:" "$head<BlockSize>4096
</Target>"
refused 3 "1: <Results>: this is a result of DISKSPD" "<Results/>"
refused 3 "1: not XML:" "diskspd -b4K test.dat"
tool -Xmissing.xml
check "a missing profile exits 1" test "$rc" = 1
check "... and the error names it" says "$err" "ERROR: -Xmissing.xml: No such file"
truncate -s 17M large.xml
tool -Xlarge.xml
check "a profile that is too large exits 3" test "$rc" = 3
check "... and the error says so" says "$err" "a profile may have at most"
rm -f ./*.xml

# Each job with a counterpart in DISKSPD becomes a valid line or profile.
cp "$SOURCE"/jobs/*.ini "$SOURCE"/examples/*.ini "$SOURCE"/examples/*.inc .
lines=0 profiles=0
for job in *.ini; do
	tool --from-job "$job"
	case $rc in
	0) check "$job: stderr is empty" empty "$err" ;;
	*)
		check "$job: exit code 2" test "$rc" = 2
		check "$job: stderr has one line" lines "$err" 1
		check "$job: the error has the reason" grep -qE "^ERROR: ($job:|no job here has a counterpart)" "$err"
		continue
		;;
	esac
	cp "$out" got
	if grep -q '^diskspd ' got; then
		lines=$((lines + 1))
		tool --to-profile --line "$(head -n 1 got)"
		check "$job: its line is valid" test "$rc" = 0
		check "$job: all other lines are comments" same "$(grep -cv '^# not translated: ' got)" 1
		tool --from-job "$job" --to-profile
		check "$job: it becomes a profile, too" says "$out" "</Profile>"
	else
		profiles=$((profiles + 1))
		grep -v '^<!-- not translated: ' got >p.xml
		round_trip p.xml
	fi
	if [ -s p.xml ]; then
		tool --to-job -Xp.xml
	else
		tool --to-job --line "$(head -n 1 got)"
	fi
	check "$job: the result becomes a job again" test "$rc" = 0
	cp "$out" again.fio
	if [ -s p.xml ]; then
		tool --from-job again.fio --to-profile
		check "$job: that job becomes the same profile" cmp -s p.xml "$out"
	else
		tool --from-job again.fio
		check "$job: that job becomes the same line" same "$(grep -v "reads this path as an option" "$out")" "$(head -n 1 got)"
	fi
	rm -f p.xml again.fio
done
check "more than 10 jobs become lines" test "$lines" -gt 10
check "more than 5 jobs become profiles" test "$profiles" -gt 5

# The whole output: a line with its comments.
cat >job.ini <<'INI'
[global]
runtime=30
time_based
ramp_time=10
fsync=32
[reads]
filename=data.bin
ioengine=libaio
iodepth=16
direct=1
bs=8k
rw=randread
norandommap
numjobs=4
INI
tool --from-job job.ini
check "the job becomes this line" same "$(head -n 1 "$out")" "diskspd -b8K -t4 -o16 -r -Su -d30 -W10 -L -n data.bin"
check "a comment says that fsync is not translated" says "$out" "# not translated: fsync=32"
sed 's|filename=data.bin|filename=/mnt/data.bin|' job.ini >slash.ini
tool --from-job slash.ini
check "a comment says that Windows takes its path for an option" says "$out" "/mnt/data.bin: DISKSPD on Windows reads this path as an option"
tool --from-job job.ini
"$FIORD" diskspd --to-profile - <"$out" >p.xml 2>"$err"
check "its comments are not taken for lines" same "$(grep -c '</Profile>' p.xml)" 1
check "stderr is empty" empty "$err"

# refused_job WORDS TEXT: the job is refused with these words.
refused_job() {
	printf '%s\n' "$2" >bad.ini
	tool --from-job bad.ini
	check "$1: exit code 2" test "$rc" = 2
	check "$1: the error has these words" says "$err" "ERROR: $1"
	check "$1: stderr has one line" lines "$err" 1
	check "$1: stdout is empty" empty "$out"
}
refused_job "bad.ini:2: bs=4q" "[x]
bs=4q"
refused_job "no job here has a counterpart in DISKSPD: the whole job: ioengine=cpuio" "[x]
ioengine=cpuio
cpuload=5"
refused_job "no job here has a counterpart in DISKSPD: the whole job: DISKSPD cannot trim" "[x]
filename=f
size=1m
rw=trim"
refused_job "bad.ini: no job in it" "; nothing"
tool --from-job missing.ini
check "a missing job file exits 2" test "$rc" = 2
check "... and the error names it" says "$err" "missing.ini"
finish
