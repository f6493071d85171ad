#!/bin/sh
# Does latency_split find where the time of I/Os goes? A loop device lies on a file system of this test (slow_fs.c), which serves one
# read at a time, in 20 ms, and records when. The kernel's counters of the device are the witness of the number of requests.
. "$SOURCE/t/lib.sh"
requires jq awk losetup dd fusermount3 python3 setpriv
requires_root
[ -n "${SLOW_FS-}" ] || skip_all "fiord was built without libfuse3"
[ -w /dev/fuse ] || skip_all "/dev/fuse is missing or not writable"
[ -e /dev/loop-control ] || skip_all "no loop devices"
cd "$dir" || exit 1
mkdir mnt
cleanup() {
	[ -z "${dev-}" ] || losetup -d "$dev"
	[ -z "${fast-}" ] || losetup -d "$fast"
	[ -z "${slow-}" ] || losetup -d "$slow"
	[ -z "${tail-}" ] || losetup -d "$tail"
	[ -z "${turn-}" ] || losetup -d "$turn"
	[ -z "${queue-}" ] || { set_scheduler none && losetup -d "$queue"; }
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
	fusermount3 -u -z "$dir/fast_mnt" 2>/dev/null
	fusermount3 -u -z "$dir/tail_mnt" 2>/dev/null
	fusermount3 -u -z "$dir/turn_mnt" 2>/dev/null
	fusermount3 -u -z "$dir/mix100" 2>/dev/null
	fusermount3 -u -z "$dir/mix2500" 2>/dev/null
}
run --name=try --filename=try --size=64k --rw=write --direct=1 --latency_split=1
! grep -qE "built without BPF|this kernel has no BTF|CAP_BPF" out || skip_all "$(grep -m 1 "latency_split" out)"

"$SLOW_FS" "$dir/answers" "$dir/mnt" 1 20 >fs.out 2>&1 &
until_true 10 test -f mnt/f || skip_all "the file system cannot be mounted: $(cat fs.out)"
dev=$(losetup -f --show -r --direct-io=on mnt/f 2>err) || skip_all "losetup: $(cat err)"
disk=${dev#/dev/}

# reads: the number of reads that the kernel has counted for the device. answered: those that the file system has.
reads() {
	awk '{print $1}' "/sys/block/$disk/stat"
}
answered() {
	wc -l <answers
}
more_reads() { # THAN
	[ "$(reads)" -gt "$1" ]
}
split() { # CONDITION on the row of reads of the device, and on its job
	json out ".jobs[0] | . as \$job | .fiord.split[] | select(.disk == \"$disk\" and .direction == \"read\") | $1"
}

job="--output-format=json --name=a --filename=$dev --direct=1 --rw=randread --bs=4k --latency_split=1"
before=$(reads) lines=$(answered)
# shellcheck disable=SC2086
run $job --ioengine=psync --number_ios=20
mean_ms=$(tail -n +$((lines + 1)) answers | awk '{ sum += $2 - $1; n++ } END { print sum / n }')
check "each I/O is one request, as the kernel counts" split ".requests == $(($(reads) - before)) and .requests == 20 and .requests_per_io == 1"
check "no request takes less than 20 ms on the device" split '.device.p50 >= 20e6 and .device.mean >= 20e6'
check "... and the mean is at least that of the file system ($mean_ms ms, which has whole ms)" split ".device.mean / 1e6 > $mean_ms - 1"
check "the parts are no longer than lat" split '.submission.mean + .scheduler.mean + .device.mean <= $job.read.lat_ns.mean'
check "... and with the completion, which is measured, they are lat within 2 %" split '.completion.N >= 18 and
	((.submission.mean + .scheduler.mean + .device.mean + .completion.mean) / $job.read.lat_ns.mean - 1 | fabs) < 0.02'
check "... and most of it is on the device" split '.device_percent > 50 and .device.mean / $job.read.lat_ns.mean > 0.5'
check "... of all 20 requests" split '[.submission.N, .scheduler.N, .device.N] == [20, 20, 20]'

# ---- another tracer at the same time, which measures the same ----
if command -v bpftrace >/dev/null; then
	{
		printf 'tracepoint:block:block_rq_issue /args->dev == $1/ { @issued[args->sector] = nsecs; }\n'
		printf 'tracepoint:block:block_rq_complete /args->dev == $1 && @issued[args->sector]/ '
		printf '{ @ns = sum(nsecs - @issued[args->sector]); @n = count(); delete(@issued[args->sector]); }\n'
	} >device.bt
	# shellcheck disable=SC2086
	printf '%s\n' "#!/bin/sh" "exec '$FIORD' $job --ioengine=psync --number_ios=20 >both" >both.sh
	bpftrace -c "/bin/sh $dir/both.sh" device.bt $(($(stat -c '0x%t << 20 | 0x%T' "$dev"))) >traced 2>&1
	traced_ns=$(awk '$1 == "@ns:" { ns = $2 } $1 == "@n:" { n = $2 } END { if (n == 20) print ns / n }' traced)
fi
if [ -n "${traced_ns-}" ]; then
	check "another tracer finds the same time on the device ($traced_ns ns)" json both ".jobs[0].fiord.split[0] |
		.requests == 20 and .device.N == 20 and (.device.mean - $traced_ns | fabs | . < 5000 or . < 0.02 * $traced_ns)"
else
	skip "another tracer finds the same time on the device" "no bpftrace, or it cannot trace here: $(tail -n 1 traced 2>&1)"
fi

# ---- the page: a bar of the four parts, drawn by the figures of the document ----
cp out one.json
run report one.json -o page.html
python3 - one.json page.html >drawn 2>&1 <<'END'
import json, re, sys
row = json.load(open(sys.argv[1]))['jobs'][0]['fiord']['split'][0]
section = re.search('<h2 id="r1-where">.*?</section>', open(sys.argv[2], encoding='utf-8').read(), re.S).group()
widths = [float(w) for w in re.findall(r'<rect class="bar [a-z]+" x="[0-9.]+%" width="([0-9.]+)%"', section)]
parts = [row[part]['mean'] for part in ('submission', 'scheduler', 'device', 'completion')]
assert len(widths) == 4, widths
assert all(abs(w / sum(widths) - p / sum(parts)) < 0.001 for w, p in zip(widths, parts)), (widths, parts)
END
check "the page has a bar with the shares of the document" same "$?:$(cat drawn)" 0:
check "... and a table" grep -q '<td>device</td><td class="n">[0-9.]* m\?s</td>' page.html

# ---- compare and sweep: rows of the parts ----
jq '(.jobs[0].fiord.split[0].device | .mean, .p99) *= 2' one.json >slower.json
"$FIORD" compare --allow=same-run --format=json --fail-if='read.device.p99 > +40%' --fail-if='read.device.mean > 20ms' one.json slower.json >compared 2>err
check "compare judges conditions on a part: one has no interval, the other is on B's figure" json compared \
	'.compare | [.conditions[] | [.figure, .state]] == [["read.device.p99", "cannot be judged"], ["read.device.mean", "fails"]] and .failed'
check "... and has means and p99 of the parts" json compared '[.compare.jobs[0].figures[] | select(.figure | startswith("read.device.")) | [.figure, .change_percent]] |
	map(.[0]) == ["read.device.mean", "read.device.p99"] and all(.[][1]; . - 100 | fabs < 0.001)'
check "... and of completions the mean" json compared 'any(.compare.jobs[0].figures[].figure; . == "read.completion.mean")'
printf '[a]\nfilename=%s\ndirect=1\nrw=randread\nbs=4k\nioengine=libaio\nnumber_ios=20\n' "$dev" >sweep.ini
run sweep --sweep iodepth=1,4 -d points --csv=points.csv -o points.html sweep.ini --where
check "a sweep has columns of the parts" test "$rc:$(grep -c 'submission *scheduler *device *completion' out):$(grep -c '>Scheduler<' points.html)" = 0:1:1
# jq 1.7 prints a number as the document has it, with its last zeros, unless it calculates with it.
cell() { # COLUMN POINT
	awk -F, -v column="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } NR == row + 1 { print $at }' points.csv
}
check "... with those of the documents" same "$(cell device_mean_ns 1) $(cell device_p99_ns 2)" \
	"$(value "points/0001-iodepth=1.json" '.jobs[0].fiord.split[0].device.mean + 0') $(value "points/0002-iodepth=4.json" '.jobs[0].fiord.split[0].device.p99')"
check "... which the file system explains: four in flight take more than twice as long" sh -c '[ "${1%.*}" -ge 20000000 ] && [ "${2%.*}" -gt $((2 * ${1%.*})) ]' - "$(cell device_mean_ns 1)" "$(cell device_mean_ns 2)"

# The percentile of bins: the first one at which so many requests are counted.
from_bins='def at(share): .N as $n | [.bins | to_entries[] | {ns: (.key | tonumber), n: .value}] | sort_by(.ns) |
	reduce .[] as $b ({seen: 0}; if .seen < $n * share then {seen: (.seen + $b.n), ns: $b.ns} else . end) | .ns;'
# shellcheck disable=SC2086
run $job --output-format=json+ --ioengine=psync --number_ios=40
has_bins='[.submission, .scheduler, .device, .completion] | all(.p50 == at(0.5) and .p90 == at(0.9) and ([.bins[]] | add) == .N)'
check "json+ has each part in bins, of which the percentiles are" json out "$from_bins .jobs[0].fiord.split[0] | .requests == 40 and ($has_bins)"
cp out plus
run merge plus plus
check "... and so has a merged document" json out "$from_bins .client_stats[0].fiord.split[0] | $has_bins"
check "... whose sum has the requests of both, of all disks" json out "$from_bins .client_stats[0].fiord.split[0] as \$one | .client_stats[-1].fiord.split |
	length == 1 and (.[0] | .disk == \"all disks\" and .direction == \"read\" and .requests == 80 and .requests_per_io == 1 and ($has_bins) and
	all((\"submission\", \"scheduler\", \"device\", \"completion\") as \$part | [.[\$part], \$one[\$part]]; .[0].N == 2 * .[1].N and
		.[0].p50 == .[1].p50 and .[0].max == .[1].max and (.[0].mean - .[1].mean | fabs) < 0.01))"
run merge --output-format=json one.json one.json
check "... unless bins are missing, which a note says" json out '(.client_stats[-1].fiord | has("split") | not) and
	any(.fiord.notes[]; contains("\"All clients\" has no parts of the latency of requests (latency_split=1), because not all entries have bins"))'
run merge --output-format=json plus plus
check "a merged document has no bins if it is to have none" json out '.client_stats[0].fiord.split[0].device | .N == 40 and (has("bins") | not)'

# ---- depth, the ramp, threads of io_uring ----
# The file system serves one read at a time: with four in flight, each is on the device (or in its queue) for four services.
# shellcheck disable=SC2086
run $job --ioengine=libaio --iodepth=4 --number_ios=40
check "with four in flight the completion has only a mean" split '.completion | keys == ["mean"]'
check "four reads in flight take 80 ms on the device" split '.requests == 40 and .device.p50 > 70e6 and .device.mean <= $job.read.lat_ns.mean'
before=$(reads)
# shellcheck disable=SC2086
run $job --ioengine=psync --time_based --ramp_time=500ms --runtime=500ms
check "requests of the ramp do not count" split "(.requests - \$job.read.total_ios | fabs) <= 1 and .requests < $(reads) - $before - 5"
# Each batch of descending reads becomes one request, in which the last read is the first bio.
before=$(reads)
# shellcheck disable=SC2086
run $job --rw=read:-8k --offset=512k --ioengine=libaio --iodepth=16 --iodepth_batch_submit=16 --iodepth_batch_complete_min=16 --number_ios=32 \
	--assert='split[0].completion.mean < 100s'
check "a request of several I/Os has no completion, and no assertion on it passes" json out \
	"(.jobs[0].fiord.split[0] | has(\"completion\") | not) and (.assertions[] | .assertion == \"split[0].completion.mean < 100s\" and (.passed | not))"
check "a request counts, in front of whose bio others were put" split ".requests == $(reads) - $before and .requests < 32 and .device.N == .requests"
# With thread=1 the other threads of a process may belong to any of its workers, so they count as others.
# shellcheck disable=SC2086
run $job --ioengine=io_uring --force_async=1 --number_ios=5
if [ -n "$threads" ]; then
	check "threads of io_uring are others where workers are threads" json out \
		'.jobs[0].fiord | (has("split") | not) and any(.notes[]; contains("or other threads did the I/O"))'
elif [ "$rc" = 0 ]; then
	check "requests of io_uring's threads are the job's" split '.requests == 5 and .helper_requests == 5 and .device.mean >= 20e6'
else
	skip "requests of io_uring's threads are the job's" "no io_uring: $(head -n 1 err)"
fi
if [ -z "$threads" ]; then
	# shellcheck disable=SC2086
	run $job --ioengine=psync --io_submit_mode=offload --iodepth=2 --number_ios=6
	check "requests of threads that submit for the worker are the job's" split '.requests == 6 and .helper_requests == 6'
fi
# shellcheck disable=SC2086
run $job --ioengine=psync --number_ios=2 --numjobs=2 --thread --offset_increment=1m
check "each thread has its own requests" json out '[.jobs[].fiord.split[0].requests] == [2, 2]'

# ---- a full queue ----
# A second file system serves one read at a time, in 1 ms. Its loop device takes as many requests as the kernel says (nr_tags).
mkdir fast_mnt
"$SLOW_FS" "$dir/fast_answers" "$dir/fast_mnt" 1 1 >fast.out 2>&1 &
set_scheduler() { # NAME
	echo "$1" >"/sys/block/${queue#/dev/}/queue/scheduler"
} 2>/dev/null
queue_job() { # [OPTION...]
	run --output-format=json --name=a --filename="$queue" --direct=1 --rw=randread --bs=4k --latency_split=1 --ioengine=libaio --number_ios=1500 "$@"
}
notes='.jobs[0].fiord.notes[]'
if until_true 10 test -f fast_mnt/f && queue=$(losetup -f --show -r --direct-io=on fast_mnt/f 2>err) &&
	places=$(cat "/sys/block/${queue#/dev/}/mq/0/nr_tags" 2>/dev/null) && set_scheduler mq-deadline; then
	queue_job --iodepth=$((places + 60))
	check "... and the slowest 1 % are no faster than the others, and no slower than the slowest parts together" json out '.jobs[0].fiord.split[0] |
		.tail as $tail | ($tail | has("completion_percent") | not) and $tail.N == (.requests / 100 | floor) and
		$tail.mean >= .submission.mean + .scheduler.mean + .device.mean and $tail.mean <= .submission.max + .scheduler.max + .device.max and
		$tail.mean * $tail.scheduler_percent / 100 <= .scheduler.max and $tail.mean * $tail.device_percent / 100 <= .device.max'
	check "requests that the scheduler holds are counted" json out "any($notes; capture(\"^requests wait to be issued to ${queue#/dev/}: (?<wait>[0-9.]+) of the job wait on \" +
		\"average, and (?<there>[0-9.]+) are on the device, whose queue depth is $places\$\") | map_values(tonumber) |
		.wait > 20 and .wait <= 60.1 and .there > 0.8 * $places and .there <= $places + 0.1)"
	queue_job --iodepth=8
	check "a queue with room for all has no such sentence" json out "all($notes; contains(\"requests wait\") or contains(\"fills the queue\") | not)"
	set_scheduler none
	queue_job --iodepth=$((places + 60))
	check "without a scheduler the submission waits for a place" json out "any($notes; capture(\"^the job fills the queue of ${queue#/dev/}: (?<there>[0-9.]+) of its $places \" +
		\"places are taken\") | .there | tonumber | . > 0.8 * $places and . <= $places + 0.1)"
else
	skip "requests that the scheduler holds are counted" "no loop device with mq-deadline"
fi

# ---- the slowest 1 % ----
# From its read number 396 on, a file system that serves each read in 1 ms takes 60 ms. The kernel and the guard read, too.
mkdir tail_mnt
"$SLOW_FS" "$dir/tail_answers" "$dir/tail_mnt" 1 1 396 60 >tail.out 2>&1 &
if until_true 10 test -f tail_mnt/f && tail=$(losetup -f --show -r --direct-io=on tail_mnt/f 2>err); then
	run --output-format=normal,json --output=tailed --name=a --filename="$tail" --direct=1 --rw=randread --bs=4k --latency_split=1 \
		--ioengine=psync --number_ios=400
	sed -n '/^{/,/^}/p' tailed >tailed.json
	# Of the completions, that of the last I/O is not known.
	slow_ms=$(head -n -1 tail_answers | awk '{ print $2 - $1 }' | sort -n | tail -n 3 | awk '{ sum += $1; n++ } END { print sum / n }')
	check "the slowest 1 % are those that the file system was slow with ($slow_ms ms)" json tailed.json ".jobs[0].fiord.split[0] |
		.tail.N == 3 and .tail.mean / 1e6 > $slow_ms - 2 and .device.p50 < 30e6"
	check "... and most of their time is spent on the device" json tailed.json '.jobs[0].fiord.split[0].tail | .device_percent > 50 and
		(.submission_percent + .scheduler_percent + .device_percent + .completion_percent - 100 | fabs < 0.001)'
	check "... which a sentence says" grep -qE "note: a: the slowest 1 % of the reads on ${tail#/dev/} spend [5-9][0-9] % of their time on the device" tailed
	check "... and the text" grep -qE '^ +slowest 1%: avg=[0-9.]+ ms, submission=.*, completion=' tailed
	jq '.jobs[0].fiord.split[0].tail.mean *= 2' tailed.json >slower.json
	run compare --allow=same-run --format=json --fail-if='read.tail.mean > 1ms' tailed.json slower.json
	check "... and compare" json out '.compare | (.jobs[0].figures[] | select(.figure == "read.tail.mean") | .change_percent - 100 | fabs < 0.001) and
		([.conditions[] | [.figure, .state]] == [["read.tail.mean", "fails"]])'
	check "... with the time of these in each part, which add up" json out '.compare.jobs[0].figures | map({key: .figure, value: .b}) | from_entries |
		((."read.tail_submission.mean" + ."read.tail_scheduler.mean" + ."read.tail_device.mean" + ."read.tail_completion.mean") / ."read.tail.mean" - 1 | fabs) < 1e-6'
	run report tailed.json -o page.html
	check "... and the page" same "$(grep -c 'Share of the slowest 1 %' page.html)" 1
fi

# ---- the device over time ----
# From its read number 301 on, a file system that serves each read in 1 ms takes 40 ms. Its log says when that was.
mkdir turn_mnt
"$SLOW_FS" "$dir/turn_answers" "$dir/turn_mnt" 1 1 301 40 >turn.out 2>&1 &
if until_true 10 test -f turn_mnt/f && turn=$(losetup -f --show -r --direct-io=on turn_mnt/f 2>err); then
	run --output-format=json+ --output=turned.json --name=a --filename="$turn" --direct=1 --rw=randread --bs=4k --latency_split=1 \
		--ioengine=psync --number_ios=320
	run report turned.json -o turned.html
	python3 "$SOURCE/t/run/device_heat.py" turned.json turned.html turn_answers >turned.out 2>&1
	check "the heat map has each request where the file system served it" same "$?:$(cat turned.out)" 0:
	run merge --output-format=json+ turned.json turned.json
	cp out turned2.json
	run report turned2.json -o turned2.html
	python3 "$SOURCE/t/run/device_heat.py" turned.json turned2.html turn_answers 2 >turned.out 2>&1
	check "... and that of a merged document those of both" same "$?:$(cat turned.out)" 0:
	run --output-format=json --latency_split=1 --name=a --filename="$turn" --direct=1 --rw=randread --bs=4k --number_ios=3
	check "plain JSON has no intervals" json out '.jobs[0].fiord.split[0].device | .N == 3 and (has("intervals") or has("interval_ms") or has("start_ms") | not)'
fi

# ---- another process ----
before=$(reads)
# shellcheck disable=SC2086
start $job --ioengine=psync --time_based --runtime=600
check "the job reads" until_true 30 more_reads $((before + 5))
dd if="$dev" of=/dev/null bs=4k count=7 iflag=direct 2>/dev/null
kill -INT "$pid"
wait_for_exit
check "a neighbour is named, with its 7 requests of 4 KiB" json out \
	".jobs[0].fiord.split_others[] | select(.name == \"dd\") | .disk == \"$disk\" and .requests == 7 and .bytes == 7 * 4096 and (.kernel | not)"
check "... and its share" json out '.jobs[0].fiord | .split[0].requests as $own | (.split_others | map(.requests) | add) as $others |
	.split_others[] | select(.name == "dd") | .percent - 700 / ($own + $others) | fabs < 0.01'
check "... and a sentence, from 5 % on" json out '.jobs[0].fiord | (.split_others[] | select(.name == "dd") | .percent) as $percent |
	any(.notes[]; test("^other processes issued (at least )?[0-9]+ % of the requests to '"$disk"': dd")) == ($percent >= 5)'

# ---- instructions and cycles, of a library in place of the CPU ----
if [ -n "${FAKE_COUNTERS-}" ]; then
	LD_PRELOAD=$FAKE_COUNTERS "$FIORD" --latency_split=1 --name=a --filename="$dev" --direct=1 --rw=randread --bs=4k --number_ios=20 \
		--output-format=normal,json --output=counted
	check "each I/O has the instructions and cycles that the CPU counts" grep -q "counters *: 2000 user and 20000 kernel instructions per I/O, in 6000 and 60000 cycles" counted
	sed -n '/^{/,/^}/p' counted >counted.json
	check "... in JSON, too" json counted.json '.jobs[0].fiord.self | [.user_instructions_per_io, .kernel_instructions_per_io, .user_cycles_per_io, .kernel_cycles_per_io] ==
		[2000, 20000, 6000, 60000]'
	run merge --output-format=json counted.json counted.json
	check "... and in a merged document" json out '.client_stats[-1].fiord.self.kernel_instructions_per_io == 20000'
	check "... without a note" sh -c '! grep -q "instructions and cycles are not counted" counted'
fi
run --output-format=json --name=a --size=64k --rw=write --latency_split=1
check "figures of instructions, or one note that says why there are none" json out \
	'(.jobs[0].fiord.self | has("user_instructions_per_io")) != any(.fiord.notes[]; contains("instructions and cycles are not counted, because"))'

run --name=a --size=64k --rw=write --latency_split=1 --assert='self.kernel_cycles_per_io < 5'
check "an assertion on cycles fails: no CPU needs so few, and figures that are not known do not pass" same "$rc" 5

# ---- --where, text, the page cache, and no privileges ----
printf '[a]\nfilename=%s\ndirect=1\nrw=read\nbs=4k\nnumber_ios=3\n' "$dev" >job.ini
run --where job.ini
check "--where splits the jobs of a file" says out "where on $disk: read, 3 requests, 1.00 per I/O"
check "... and says which part takes most of the time" grep -qE "note: a: [5-9][0-9] % of the mean latency of the reads on $disk is spent on the device" out
run job.ini
check "without it nothing is split" test "$rc:$(grep -c "where on" out)" = 0:0
head -c 8M /dev/zero >cached
run --latency_split=1 --name=a --filename=cached --rw=read --bs=4k --pre_read=1
check "data of the page cache has no request" says out "no request of the job reached a block device"
fast=$(losetup -f --show -r cached 2>err) || skip_all "losetup: $(cat err)"
run --latency_split=all --output-format=json --name=fast --filename="$fast" --direct=1 --rw=randread --bs=4k
check "the completion of fast I/Os is measured, too, and the parts are lat within 2 %" json out '.jobs[0] | .read.lat_ns.mean as $lat |
	.fiord.split[0] | .requests > 2000 and .completion.N > 0.95 * .requests and
	((.submission.mean + .scheduler.mean + .device.mean + .completion.mean) / $lat - 1 | fabs) < 0.02'
printf '[a]\nfilename=%s\ndirect=1\nrw=randread\nbs=4k\nnumber_ios=200\n' "$fast" >tails.ini
run sweep --sweep iodepth=1,2 -d tails --csv=points.csv -o points.html tails.ini --where
check "a sweep has the slowest 1 %" same "$(cell tail_mean_ns 1):$(grep -c '>Slowest 1 %<' points.html)" \
	"$(value "tails/0001-iodepth=1.json" '.jobs[0].fiord.split[0].tail.mean + 0'):1"
check "... and its CSV table the time that these spend on the device" json "tails/0001-iodepth=1.json" \
	".jobs[0].fiord.split[0].tail | .mean * .device_percent / 100 - $(cell tail_device_mean_ns 1) | fabs < 1"
# ---- a sample ----
busy() { # SPLIT
	run --latency_split="$1" --output-format=json --name=busy --filename="$fast" --direct=1 --rw=randread --bs=4k --ioengine=libaio --iodepth=32 \
		--time_based --runtime=1
}
counted=$(cat /proc/sys/kernel/bpf_stats_enabled 2>/dev/null)
sysctl -q -w kernel.bpf_stats_enabled=1 2>/dev/null
busy all
[ -z "$counted" ] || sysctl -q -w kernel.bpf_stats_enabled="$counted" 2>/dev/null
check "the cost is said, where the kernel counts it" json out 'any(.fiord.notes[]; capture("the BPF programs took (?<ns>[0-9]+) ns of CPU time for each request").ns | tonumber > 0)'
check "with latency_split=all each request is measured" json out '.jobs[0].fiord | all(.notes[]; contains("sample") | not) and
	(.split[0] | .requests == .measured and .device.N == .measured)'
# While it runs, the programs are attached and detached in turn. A process that was forked while they are would keep them.
attached() {
	# shellcheck disable=SC2046
	ls -l $(for one in "$pid" $(pgrep -P "$pid"); do echo "/proc/$one/fd"; done) 2>/dev/null | grep -q 'bpf[-_]link'
}
detached() {
	! attached
}
# mix MS ONE_OF READS: of so many reads, one in ONE_OF goes to a file system that takes MS.
mix() {
	mkdir "mix$1"
	"$SLOW_FS" "$dir/mix_answers$1" "$dir/mix$1" 1000 "$1" >mix.out 2>&1 &
	until_true 10 test -f "mix$1/f" && slow=$(losetup -f --show -r --direct-io=on "mix$1/f" 2>err) || return
	awk -v f="$fast" -v s="$slow" -v one="$2" -v n="$3" 'BEGIN { srand(1); print "fio version 2 iolog\n" f, "add\n" s, "add\n" f, "open\n" s, "open"
		for (i = 1; i <= n; i++) print i % one ? f : s, "read", int(rand() * 2048) * 4096, 4096
		print f, "close\n" s, "close" }' >mix.log
	run --latency_split=1 --output-format=json --name=mix --read_iolog=mix.log --replay_no_stall=1 --direct=1 --ioengine=libaio --iodepth=256
	slow_row="[.jobs[0].fiord.split[] | select(.disk == \"${slow#/dev/}\")]"
	losetup -d "$slow"
	fusermount3 -u -z "$dir/mix$1"
	slow=
}
busy 1
if json out '.jobs[0].read.iops < 60000'; then
	skip "of many requests a sample is measured" "the device does $(value out .jobs[0].read.iops) IOPS"
else
	check "of many requests a sample is measured" json out '.jobs[0].fiord.split[0] | .measured > 1000 and .measured < .requests'
	check "... from which the number of requests is estimated" json out '.jobs[0] | .fiord.split[0].requests / .read.total_ios - 1 | fabs < 0.1'
	check "... those of windows stand for 32 each, and the others were measured before it was known that the job is fast" json out \
		'.jobs[0].fiord.split[0] | .device.N > .measured and (.device.N - .measured) % 31 == 0'
	check "... and each part has as many" json out '.jobs[0].fiord.split[0] | .submission.N == .device.N and .scheduler.N == .device.N'
	check "... and a note says the share" json out '.jobs[0].fiord | (.split[0] | 100 * .measured / .requests) as $share |
		any(.notes[]; capture("come from (?<percent>[0-9.]+) % of the requests .a random sample .* estimate; latency_split=all measures all").percent | tonumber - $share | fabs < 0.06)'
	# It ends some ms after it is known that it is fast, which may be before the first window.
	run --latency_split=1 --output-format=json --name=short --filename="$fast" --direct=1 --rw=randread --bs=4k --ioengine=libaio --iodepth=32 \
		--number_ios=12000 --io_size=1g
	check "the requests of a job that ends before a window are estimated, too" json out '.jobs[0] | .read.total_ios == 12000 and
		(.fiord.split[0].requests / 12000 - 1 | fabs < 0.1)'
	check "... and a note says which of them were measured" json out '.jobs[0].fiord | .split[0] as $row | if $row.measured == $row.requests then true
		else any(.notes[]; contains(if $row.device.N == $row.measured then "(the first ones" else "(a random sample" end)) end'
	start --latency_split=1 --name=busy --filename="$fast" --direct=1 --rw=randread --bs=4k --ioengine=libaio --iodepth=32 --time_based --runtime=600
	check "the programs are attached at first" until_true 60 attached
	check "... then, between windows, no more" until_true 30 detached
	check "... and in a window they are again" until_true 60 attached
	kill -INT "$pid"
	wait_for_exit

	# Some reads of this job go to a file system that takes 100 ms, which is longer than a window, or 2.5 s, which is longer than a request of a
	# sample is followed. The first reads are measured before it is known that the job is fast.
	mix 100 1000 150000
	check "slow requests of a fast job are measured, though they outlive their window" json out "$slow_row | length == 1 and
		all(.device.p50 >= 100e6 and .device.N > .measured)"
	mix 2500 2000 300000
	check "a note says how many requests took longer than the sample follows them" json out 'any(.fiord.notes[]; test("[0-9] requests? w.* not counted: the sample follows the requests of a window for 2 s")) or
		('"$slow_row"' | any(.measured > 190))'
fi

# There is room for 512 rows; the job that runs last has none.
run --latency_split=1 --output-format=json --filename="$fast" --direct=1 --rw=read --bs=4k --number_ios=1 --thread \
	--name=many --numjobs=512 --name=last --stonewall
check "a job whose requests found no room did have some" json out \
	'any(.fiord.notes[]; contains(": 1 request was not counted")) and (.jobs[-1].fiord | (has("split") | not) and .notes == [])'
chmod 755 "$dir"
cp "$FIORD" fiord
mkdir open
chmod 777 open
(cd open && setpriv --reuid=65534 --regid=65534 --clear-groups ../fiord --name=a --size=64k --rw=write --where >../out 2>../err)
check "without privileges the job runs" same $? 0
check "... with one note" same "$(grep -c 'BPF programs need the capabilities CAP_BPF and CAP_PERFMON' out)" 1
finish
