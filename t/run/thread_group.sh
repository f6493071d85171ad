#!/bin/sh
# thread_group: do threads do the I/O of several sections, each as its section says? And DISKSPD profiles with ThreadCount over
# different targets. The test compares counts, contents, sizes and weights.
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

# With one I/O in flight the files take turns. Each thread has 1.25 MiB to do.
run --output-format=json --output=out.json job
check "a group exits 0" test "$rc" = 0
check "the document has one job with the group's name" test "$(json '[.jobs[].jobname] | join(" ")')" = both
check "... whose options are those that all sections share" test "$(json '.jobs[0]["job options"] | has("filename") or has("bs")')" = false
check "... and a note that names the sections" grep -q 'sections (a, b)' out.json
check "each thread does the I/O of its sections" test "$(json '.jobs[0].write.io_bytes')" -ge $((2 * 1310720 - 2 * 16384))
check "the group reads nothing" test "$(json '.jobs[0].read.io_bytes')" = 0
check "section a writes its pattern" test "$(tr -d '\253' <a | wc -c)" = 0
check "section b writes zeroes" test "$(tr -d '\0' <b | wc -c)" = 0
check "each file has its section's size" test "$(wc -c <a) $(wc -c <b)" = "1048576 262144"
check "the plan has the sections" test "$(json '[.fiord.plan.jobs[]? | .name] | join(" ")')" = "a b"

run --set=group_reporting=0 --output-format=json --output=out.json job
check "without group_reporting each thread has an entry" test "$(json '[.jobs[].jobname] | join(" ")')" = "both both"

# pool OPTIONS...: 4000 I/Os of two sections. The options apply to section a.
pool() {
	run --output-format=json --output=out.json --name=a --thread --thread_group=g --filename=f --size=1m --bs=16k \
		--rw=read --ioengine=null --number_ios=4000 --io_size=1g --thread_group_depth=8 "$@" \
		--name=b --thread --thread_group=g --filename=g --size=1m --bs=4k --rw=write --ioengine=null \
		--number_ios=4000 --io_size=1g --thread_group_depth=8
	reads=$(json '.jobs[0].read.total_ios') writes=$(json '.jobs[0].write.total_ios')
}
pool
check "number_ios limits both sections together" test $((reads + writes)) = 4000
check "without weights both sections do about the same number of I/Os" test "$reads" -gt 1850 -a "$reads" -lt 2150
pool --thread_group_weight=3
check "thread_group_weight=3 gives three times as many I/Os" test "$reads" -gt 2850 -a "$reads" -lt 3150
check "each section has its block size" test "$(json '.jobs[0] | .read.io_bytes == .read.total_ios * 16384 and
	.write.io_bytes == .write.total_ios * 4096')" = true

# Threads with targets of their own. Thread 2 has none.
run check --name=a --thread --thread_group=g --numjobs=4 --filename=f --size=64k --thread_group_weight=0/1:1/2 \
	--name=b --thread --thread_group=g --numjobs=4 --filename=g --size=64k --thread_group_weight=1/1:3/1
check "a plan with weights per thread is valid" test "$rc" = 0
check "a note names the thread without I/O" grep -q 'leaves thread 2 nothing to do' out
check "... which does not start" grep -q '^3 workers' out

# Rules that change an option in one section, because of the section's own options, make no difference between the sections.
run check --thread --thread_group=g --openfiles=8 --ioengine=null --iodepth=32 --size=1m \
	--name=a --nrfiles=2 --rate=1m --name=b --nrfiles=3 --iodepth=64
check "sections with equal options form a group: $(cat err)" test "$rc" = 0

# ---- refused jobs ----

# refused WORDS LINE...: the lines are added to section b, from line 22 on, and the run exits 2 with these words.
refused() {
	words=$1
	shift
	cat job >bad
	printf '%s\n' "$@" >>bad
	run bad
	check "$*: exit code 2" test "$rc" = 2
	check "$*: the error has: $words" grep -qF "bad:$words" err
	check "$*: no file is created" test ! -e new
}
rm -f a b
refused "22: ioengine=libaio: the sections of a thread_group share their threads" ioengine=libaio filename=new
refused "22: runtime=3: the sections of a thread_group share their threads" runtime=3 filename=new
refused "22: numjobs=3: the sections of a thread_group share their threads" numjobs=3 filename=new
refused "22: thread_group_depth=3: the sections" thread_group_depth=3
[ -n "$threads" ] || refused "3: thread_group=both: needs threads" thread=0
refused "22: stonewall: the threads of its thread_group start with [a]" stonewall
refused "22: mem=mmap: the sections" mem=mmap
refused "22: thread_group_weight=0/1:2/1: thread 2 does not exist" thread_group_weight=0/1:2/1
refused "22: iodepth_per_file=1: is implied by thread_group" iodepth_per_file=1
refused "22: file_service_type=random: does not go with" file_service_type=random
refused "23: rate_open=1: does not go with" rate=1m rate_open=1
refused "22: rate_min=1m: does not go with" rate_min=1m
refused "3: thread_group=both: needs norandommap=1" norandommap=0
run --set=openfiles=1 job
check "openfiles below the number of files is refused" test "$rc" = 2
check "... and the error says so: $(cat err)" grep -qF "[both]: openfiles=1: thread_group needs all 2 files open at once" err
run --name=a --thread --thread_group=g --filename=new --size=64k --name=w --filename=new2 --size=64k --stonewall \
	--name=b --thread --thread_group=g --filename=new3 --size=64k
check "a section behind a stonewall after the group's start is refused" test "$rc" = 2
check "... and the error says so: $(cat err)" grep -qF "start with [a], but [w] waits for all jobs before it" err
run --name=a --thread --thread_group=g --numjobs=2 --filename=new --size=64k --name=b --thread --thread_group=g --numjobs=2 \
	--filename=new2 --size=64k --rw=write --thread_group_weight=1/1 --write_pool=8000t
check "a write pool larger than the memory is refused for the second thread" test "$rc" = 2
check "... and the error says so: $(cat err)" grep -qF "[b]: write_pool=8000t: more memory" err
check "no file is created" test ! -e new -a ! -e new2 -a ! -e new3
check "the files a and b are not created" test ! -e a -a ! -e b

# ---- profiles ----

# span ELEMENTS <TARGETS: prints a profile of one second.
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
check "a profile with different targets exits 0" test "$rc" = 0
check "... and stderr is empty" empty err
"$ADDSUP" <own.out >sums 2>&1 || echo "code $?" >>sums
check "... its XML adds up: $(cat sums)" empty sums
check "... and each thread has each target" test "$(grep -c '<Target>' own.out)" -ge 9

span '<ThreadCount>3</ThreadCount><RequestCount>6</RequestCount>' >pool.xml <<'END'
<Target><Path>x</Path><FileSize>1048576</FileSize><BlockSize>4096</BlockSize><Random>4096</Random><Weight>4</Weight></Target>
<Target><Path>y</Path><FileSize>1048576</FileSize><BlockSize>8192</BlockSize><WriteRatio>100</WriteRatio>
	<ThreadStride>8192</ThreadStride>
	<ThreadTargets><ThreadTarget><Thread>0</Thread></ThreadTarget><ThreadTarget><Thread>2</Thread></ThreadTarget></ThreadTargets>
	</Target>
END
"$FIORD" diskspd --output-format=diskspd-xml --output=pool.out -Xpool.xml >out 2>err
rc=$?
check "a profile with RequestCount over different targets exits 0" test "$rc" = 0
"$ADDSUP" <pool.out >sums 2>&1 || echo "code $?" >>sums
check "... its XML adds up: $(cat sums)" empty sums
"$FIORD" diskspd -Xpool.xml >out 2>err
sed -n '/^Total IO/,/^total/s/^ *\([0-9]\) |[^|]*| *\([0-9]*\) |.*| \([xy]\) .*/\1 \3 \2/p' out >rows
check "... each thread has its targets" same "$(awk '{print $1 $2}' rows | tr '\n' ' ')" "0x 0y 1x 2x 2y "
check "... and I/Os follow the weights: $(tr '\n' ';' <rows)" awk '
	{ n[$1 $2] = $3 }
	END { exit !(n["0x"] > 2 * n["0y"] && n["0x"] < 8 * n["0y"] && n["2x"] > 2 * n["2y"] && n["2x"] < 8 * n["2y"]) }' rows

# Each thread has its own number, beside other jobs and where a thread has no I/O.
run --output-format=diskspd --runtime=1 --time_based --size=64k --thread --name=w --filename=w --name=a --thread_group=g \
	--numjobs=3 --thread_group_depth=1 --filename=x --thread_group_weight=0/1 --name=b --thread_group=g --numjobs=3 \
	--thread_group_depth=1 --filename=y --thread_group_weight=2/1
sed -n '/^Total IO/,/^total/s/^ *\([0-9]\) |.*| \([wxy]\) .*/\1\2/p' out >rows
check "threads are numbered" same "$(tr '\n' ' ' <rows)" "0w 1x 3y "

# Caching flags are set for each target.
if command -v strace >/dev/null; then
	span '<ThreadCount>1</ThreadCount>' >flags.xml <<'END'
<Target><Path>x</Path><BlockSize>4096</BlockSize><WriteRatio>100</WriteRatio><WriteThrough>true</WriteThrough></Target>
<Target><Path>z</Path><BlockSize>8192</BlockSize></Target>
END
	straced -f -e trace=open,openat -o trace "$FIORD" diskspd -Xflags.xml >out 2>err </dev/null
	check "write-through applies to its target" grep -qE '"x", .*O_DSYNC' trace
	check "... and to no other target" sh -c '! grep -qE "\"z\", .*(O_DSYNC|O_WRONLY|O_RDWR)" trace'
else
	skip "caching of each target" "no strace"
fi

# A profile that becomes a job and a profile again is unchanged.
for f in own pool; do
	"$FIORD" diskspd --to-profile -X$f.xml >there 2>err
	"$FIORD" diskspd --to-job -X$f.xml >job2 2>err
	"$FIORD" diskspd --from-job job2 >back 2>err
	sed -i '/<MeasureLatency>/d' there back
	check "$f: the profile survives the way to a job and back" cmp there back
done

# Mapped targets are synchronous. A rate delays only its own target.
span '<ThreadCount>1</ThreadCount>' >rated.xml <<'END'
<Target><Path>x</Path><BlockSize>4096</BlockSize><MemoryMappedIo>true</MemoryMappedIo>
	<Throughput unit="IOPS">20</Throughput></Target>
<Target><Path>z</Path><BlockSize>8192</BlockSize><MemoryMappedIo>true</MemoryMappedIo></Target>
END
"$FIORD" diskspd -Xrated.xml >out 2>err
sed -n '/^Total IO/,/^total/s/^ *\([0-9]\) |[^|]*| *\([0-9]*\) |.*| \([xz]\) .*/\3 \2/p' out >rows
check "a rate on one mapped target does not delay the other: $(tr '\n' ';' <rows)" awk '{ n[$1] = $2 } END { exit !(n["x"] && n["x"] <= 21 && n["z"] > n["x"]) }' rows

# All targets share one engine, so mapped and unmapped targets cannot mix.
span '<ThreadCount>1</ThreadCount>' >mapped.xml <<'END'
<Target><Path>x</Path><BlockSize>4096</BlockSize><MemoryMappedIo>true</MemoryMappedIo></Target>
<Target><Path>z</Path><BlockSize>8192</BlockSize></Target>
END
"$FIORD" diskspd -Xmapped.xml >out 2>err
rc=$?
check "mapped and unmapped targets together are refused" test "$rc" != 0
check "... and the error names both: $(cat err)" grep -q "^ERROR: .*x is mapped, z is not" err

# A signal during the run.
start --output-format=json --output=out.json --time_based --runtime=60 --name=a --thread --thread_group=g --filename=f \
	--size=1m --bs=16k --rw=read --name=b --thread --thread_group=g --filename=g --size=1m --bs=4k --rw=write
until_true 60 test -s g
kill -INT "$pid"
wait_for_exit
check "SIGINT exits 130" test "$rc" = 130
check "... and the document has the group" test "$(json '.jobs[0].jobname')" = g
finish
