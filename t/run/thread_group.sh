#!/bin/sh
# thread_group: threads that work on the files of several sections, each as its section says; and DISKSPD's profiles
# of that kind (ThreadCount over targets that differ).
. "$SOURCE/t/lib.sh"
requires jq
: "${ADDSUP:?}"
cd "$dir" || exit 1

# json FILTER
json() {
	jq -r "$1" out.json
}

# ---- job files ----

cat >job <<'END'
[global]
thread=1
thread_group=both
numjobs=2
norandommap
group_reporting
fallocate=none
[a]
filename=a
size=1m
bs=16k
rw=write
buffer_pattern=0xab
iodepth=1
[b]
filename=b
size=256k
bs=4k
rw=randwrite
zero_buffers
iodepth=3
END

# One I/O at a time: the files take turns, 64 of the two threads' 2 x 1.25 MiB each.
run --output-format=json --output=out.json job
check "a group runs" test "$rc" = 0
check "it is told as one job of its name" test "$(json '[.jobs[].jobname] | join(" ")')" = both
check "with what all its sections say" test "$(json '.jobs[0]["job options"] | has("filename") or has("bs")')" = false
check "the report says which sections" grep -q 'sections (a, b)' out.json
check "each thread does what its sections have" test "$(json '.jobs[0].write.io_bytes')" -ge $((2 * 1310720 - 2 * 16384))
check "nothing is read" test "$(json '.jobs[0].read.io_bytes')" = 0
check "contents go by section: a" test "$(tr -d '\253' <a | wc -c)" = 0
check "contents go by section: b" test "$(tr -d '\0' <b | wc -c)" = 0
check "sizes go by section" test "$(wc -c <a) $(wc -c <b)" = "1048576 262144"
check "the document says what the sections are" test "$(json '[.fiord.plan.jobs[]? | .name] | join(" ")')" = "a b"

run --set=group_reporting=0 --output-format=json --output=out.json job
check "without group_reporting each thread is told" test "$(json '[.jobs[].jobname] | join(" ")')" = "both both"

# pool OPTIONS...: 4000 I/Os of two sections of which a has these.
pool() {
	run --output-format=json --output=out.json --name=a --thread --thread_group=g --filename=f --size=1m --bs=16k \
		--rw=read --ioengine=null --number_ios=4000 --io_size=1g --thread_group_depth=8 "$@" \
		--name=b --thread --thread_group=g --filename=g --size=1m --bs=4k --rw=write --ioengine=null \
		--number_ios=4000 --io_size=1g --thread_group_depth=8
	reads=$(json '.jobs[0].read.total_ios') writes=$(json '.jobs[0].write.total_ios')
}
pool
check "all I/Os are done" test $((reads + writes)) = 4000
check "alike, if nothing is said" test "$reads" -gt 1850 -a "$reads" -lt 2150
pool --thread_group_weight=3
check "by weight" test "$reads" -gt 2850 -a "$reads" -lt 3150
check "sizes are each section's" test "$(json '.jobs[0] | .read.io_bytes == .read.total_ios * 16384 and
	.write.io_bytes == .write.total_ios * 4096')" = true

# Threads of their own; number 2 has nothing to do.
run check --name=a --thread --thread_group=g --numjobs=4 --filename=f --size=64k --thread_group_weight=0/1:1/2 \
	--name=b --thread --thread_group=g --numjobs=4 --filename=g --size=64k --thread_group_weight=1/1:3/1
check "a plan of some threads" test "$rc" = 0
check "who has nothing to do is told" grep -q 'leaves thread 2 nothing to do' out
check "and is none" grep -q '^3 workers' out

# What a rule makes of an option in one section, for what is the section's own, is no difference.
run check --thread --thread_group=g --openfiles=8 --ioengine=null --iodepth=32 --size=1m \
	--name=a --nrfiles=2 --rate=1m --name=b --nrfiles=3 --iodepth=64
check "sections that say the same are a group: $(cat err)" test "$rc" = 0

# ---- what cannot be ----

# refused WORDS LINE...: of section b, from line 22 on.
refused() {
	words=$1
	shift
	cat job >bad
	printf '%s\n' "$@" >>bad
	run bad
	check "$*: refused" test "$rc" = 2
	check "$*: $words" grep -qF "bad:$words" err
	check "$*: nothing is made" test ! -e new
}
rm -f a b
refused "22: ioengine=libaio: the sections of a thread_group have the same threads" ioengine=libaio filename=new
refused "22: runtime=3: the sections of a thread_group have the same threads" runtime=3 filename=new
refused "22: numjobs=3: the sections of a thread_group have the same threads" numjobs=3 filename=new
refused "22: thread_group_depth=3: the sections" thread_group_depth=3
[ -n "$threads" ] || refused "3: thread_group=both: takes threads" thread=0
refused "22: stonewall: the threads of its thread_group begin with [a]" stonewall
refused "22: mem=mmap: the sections" mem=mmap
refused "22: thread_group_weight=0/1:2/1: there is no thread 2" thread_group_weight=0/1:2/1
refused "22: iodepth_per_file=1: goes without saying" iodepth_per_file=1
refused "22: file_service_type=random: does not go with" file_service_type=random
refused "23: rate_open=1: does not go with" rate=1m rate_open=1
refused "22: rate_min=1m: does not go with" rate_min=1m
refused "3: thread_group=both: needs norandommap=1" norandommap=0
run --set=openfiles=1 job
check "files that are not open all the time: refused" test "$rc" = 2
check "... by name: $(cat err)" grep -qF "[both]: openfiles=1: its 2 files have I/Os in flight all the time (thread_group)" err
run --name=a --thread --thread_group=g --filename=new --size=64k --name=w --filename=new2 --size=64k --stonewall \
	--name=b --thread --thread_group=g --filename=new3 --size=64k
check "a section behind a wall that the group is before: refused" test "$rc" = 2
check "... by name: $(cat err)" grep -qF "begin with [a], and [w] waits for all before it" err
run --name=a --thread --thread_group=g --numjobs=2 --filename=new --size=64k --name=b --thread --thread_group=g --numjobs=2 \
	--filename=new2 --size=64k --rw=write --thread_group_weight=1/1 --write_pool=8000t
check "more memory than there is, of the second thread: refused" test "$rc" = 2
check "... by name: $(cat err)" grep -qF "[b]: write_pool=8000t: more memory" err
check "nothing is made" test ! -e new -a ! -e new2 -a ! -e new3
check "a and b are not there" test ! -e a -a ! -e b

# ---- profiles ----

# span MORE <targets: a profile of a second
span() {
	printf '<Profile><TimeSpans><TimeSpan><Duration>1</Duration><Warmup>0</Warmup>%s<Targets>\n' "$1"
	cat
	printf '</Targets></TimeSpan></TimeSpans></Profile>\n'
}
diskspd() {
	"$FIORD" diskspd --output-format=diskspd-xml,json --output=out.xml "$@" >out 2>err </dev/null
	rc=$?
}

span '<ThreadCount>2</ThreadCount><MeasureLatency>true</MeasureLatency>
	<CalculateIopsStdDev>true</CalculateIopsStdDev>' >own.xml <<'END'
<Target><Path>x</Path><FileSize>1048576</FileSize><BlockSize>65536</BlockSize><Random>65536</Random><WriteRatio>30</WriteRatio>
	<RequestCount>2</RequestCount></Target>
<Target><Path>y</Path><FileSize>1048576</FileSize><BlockSize>4096</BlockSize><WriteRatio>100</WriteRatio>
	<ThreadStride>524288</ThreadStride><RequestCount>3</RequestCount><Throughput unit="IOPS">200</Throughput></Target>
<Target><Path>z</Path><FileSize>1048576</FileSize><BlockSize>8192</BlockSize><RequestCount>1</RequestCount></Target>
END
"$FIORD" diskspd --output-format=diskspd-xml --output=own.out -Xown.xml >out 2>err
rc=$?
check "targets that differ run" test "$rc" = 0
check "they say nothing beside" empty err
"$ADDSUP" <own.out >sums 2>&1 || echo "code $?" >>sums
check "their report adds up: $(cat sums)" empty sums
check "each thread has each target" test "$(grep -c '<Target>' own.out)" -ge 9

span '<ThreadCount>3</ThreadCount><RequestCount>6</RequestCount>' >pool.xml <<'END'
<Target><Path>x</Path><FileSize>1048576</FileSize><BlockSize>4096</BlockSize><Random>4096</Random><Weight>4</Weight></Target>
<Target><Path>y</Path><FileSize>1048576</FileSize><BlockSize>8192</BlockSize><WriteRatio>100</WriteRatio>
	<ThreadStride>8192</ThreadStride>
	<ThreadTargets><ThreadTarget><Thread>0</Thread></ThreadTarget><ThreadTarget><Thread>2</Thread></ThreadTarget></ThreadTargets>
	</Target>
END
"$FIORD" diskspd --output-format=diskspd-xml --output=pool.out -Xpool.xml >out 2>err
rc=$?
check "a pool over targets that differ runs" test "$rc" = 0
"$ADDSUP" <pool.out >sums 2>&1 || echo "code $?" >>sums
check "its report adds up: $(cat sums)" empty sums
"$FIORD" diskspd -Xpool.xml >out 2>err
sed -n '/^Total IO/,/^total/s/^ *\([0-9]\) |[^|]*| *\([0-9]*\) |.*| \([xy]\) .*/\1 \3 \2/p' out >rows
check "threads have their targets" same "$(awk '{print $1 $2}' rows | tr '\n' ' ')" "0x 0y 1x 2x 2y "
check "by weight: $(tr '\n' ';' <rows)" awk '
	{ n[$1 $2] = $3 }
	END { exit !(n["0x"] > 2 * n["0y"] && n["0x"] < 8 * n["0y"] && n["2x"] > 2 * n["2y"] && n["2x"] < 8 * n["2y"]) }' rows

# Each thread has a number of its own, beside others and where one has nothing to do.
run --output-format=diskspd --runtime=1 --time_based --size=64k --thread --name=w --filename=w --name=a --thread_group=g \
	--numjobs=3 --thread_group_depth=1 --filename=x --thread_group_weight=0/1 --name=b --thread_group=g --numjobs=3 \
	--thread_group_depth=1 --filename=y --thread_group_weight=2/1
sed -n '/^Total IO/,/^total/s/^ *\([0-9]\) |.*| \([wxy]\) .*/\1\2/p' out >rows
check "threads are numbered" same "$(tr '\n' ' ' <rows)" "0w 1x 3y "

# Caching is each target's.
if command -v strace >/dev/null; then
	span '<ThreadCount>1</ThreadCount>' >flags.xml <<'END'
<Target><Path>x</Path><BlockSize>4096</BlockSize><WriteRatio>100</WriteRatio><WriteThrough>true</WriteThrough></Target>
<Target><Path>z</Path><BlockSize>8192</BlockSize></Target>
END
	straced -f -e trace=open,openat -o trace "$FIORD" diskspd -Xflags.xml >out 2>err </dev/null
	check "write-through is for its target" grep -qE '"x", .*O_DSYNC' trace
	check "and not for others" sh -c '! grep -qE "\"z\", .*(O_DSYNC|O_WRONLY|O_RDWR)" trace'
else
	skip "caching of each target" "no strace"
fi

# Back to a profile nothing is lost.
for f in own pool; do
	"$FIORD" diskspd --to-profile -X$f.xml >there 2>err
	"$FIORD" diskspd --to-job -X$f.xml >job2 2>err
	"$FIORD" diskspd --from-job job2 >back 2>err
	sed -i '/<MeasureLatency>/d' there back
	check "$f: to a job and back" cmp there back
done

# One copy after the other: a rate holds up its own target alone.
span '<ThreadCount>1</ThreadCount>' >rated.xml <<'END'
<Target><Path>x</Path><BlockSize>4096</BlockSize><MemoryMappedIo>true</MemoryMappedIo>
	<Throughput unit="IOPS">20</Throughput></Target>
<Target><Path>z</Path><BlockSize>8192</BlockSize><MemoryMappedIo>true</MemoryMappedIo></Target>
END
"$FIORD" diskspd -Xrated.xml >out 2>err
sed -n '/^Total IO/,/^total/s/^ *\([0-9]\) |[^|]*| *\([0-9]*\) |.*| \([xz]\) .*/\3 \2/p' out >rows
check "mapped targets, one with a rate: $(tr '\n' ';' <rows)" awk '{ n[$1] = $2 } END { exit !(n["x"] && n["x"] <= 21 && n["z"] > n["x"]) }' rows

# One engine for all: what is mapped cannot be beside what is not.
span '<ThreadCount>1</ThreadCount>' >mapped.xml <<'END'
<Target><Path>x</Path><BlockSize>4096</BlockSize><MemoryMappedIo>true</MemoryMappedIo></Target>
<Target><Path>z</Path><BlockSize>8192</BlockSize></Target>
END
"$FIORD" diskspd -Xmapped.xml >out 2>err
rc=$?
check "mapped beside not mapped is refused" test "$rc" != 0
check "by name: $(cat err)" grep -q "^ERROR: .*x is, z is not" err

# A signal in the middle.
start --output-format=json --output=out.json --time_based --runtime=60 --name=a --thread --thread_group=g --filename=f \
	--size=1m --bs=16k --rw=read --name=b --thread --thread_group=g --filename=g --size=1m --bs=4k --rw=write
until_true 60 test -s g
kill -INT "$pid"
wait_for_exit
check "a signal ends it" test "$rc" = 130
check "and it is told" test "$(json '.jobs[0].jobname')" = g
finish
