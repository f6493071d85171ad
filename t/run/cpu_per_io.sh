#!/bin/sh
# Does fiord report its own CPU time per I/O, and a note if the processor limited the result? The figures must agree with usr_cpu
# and sys_cpu; jobs on the null engine are limited by the processor, jobs with a low rate are not.
. "$SOURCE/t/lib.sh"
requires jq python3
[ -r /proc/self/schedstat ] || skip_all "the kernel does not count how long threads wait for a core"
cd "$dir" || exit 1
json="--output-format=json"
long="--size=16m --runtime=200ms --time_based"
saturated='any(contains("the processor, not the device, limited the job"))'

# The sum of the shares agrees with the CPU rows, however busy the machine is.
agrees='(.fiord.self.core_percent - (.usr_cpu + .sys_cpu)) | fabs < 0.01'
per_io='(.fiord.self.user_ns_per_io * .read.total_ios / 1e6 - .usr_cpu * .job_runtime / 100) | fabs < 0.02 * 1000'

# Only the processor limits the null engine. A machine that stalls limits it, too, so the runs are short and may be repeated.
names_processor_once() {
	json out "[.jobs[].fiord.notes[] | select(contains(\"the processor, not the device, limited the job\"))] | length == 1"
}

limited() { # COMMAND...
	"$@"
	names_processor_once
}

limited_text() { # COMMAND...
	"$@"
	grep -q '^  note: x: the processor, not the device, limited the job: its worker used ' out
}

for how in --iodepth=1 --iodepth=16 "--thread=1 --numjobs=2" "--numjobs=3 --group_reporting"; do
	# shellcheck disable=SC2086
	one_of 12 limited run --name=x $json --ioengine=null --rw=randread $long $how
	check "null $how: the job's notes name the processor once" names_processor_once
	check "... stderr is empty" empty err
	check "... the figures agree with usr_cpu and sys_cpu" json out "[.jobs[] | ($agrees), ($per_io)] | all"
done
check "... the note has the number of workers" json out '.jobs[0].fiord.notes | any(contains(": all 3 workers used "))'
one_of 12 limited_text run --name=x --ioengine=null --rw=randread $long
check "the text has a self line" grep -qE '^  self         : [0-9.]+ ns user and [0-9.]+ ns system per I/O, [0-9.]+% of a core' out
check "... behind the cpu line" same "$(grep -A1 '^  cpu  ' out | grep -c '^  self  ')" 1
check "... and the note" grep -q '^  note: x: the processor, not the device, limited the job: its worker used ' out

run --name=x $json --ioengine=null --rw=randread $long
check "the children used at least the worker's CPU time, the parent less than the children" json out '.fiord.self.children_user_us as $all |
	.jobs[0].fiord.self.user_ns_per_io * .jobs[0].read.total_ios / 1000 <= $all + 1000 and .fiord.self.user_us < $all'

# Start-up and earlier runs are no part of a run of a millisecond: the parent has one thread, so it cannot use more than a core.
run --name=x --output-format=json --ioengine=null --size=4k --repeat=20
check "the parent uses at most one core in each of 20 runs" same "$(jq '.fiord.self | (.user_us + .sys_us) * 1000 <= .wall_ns' out | sort | uniq -c | tr -d ' ')" 20true

# A job with a rate, think time or polling may spin without work.
for how in --rate_iops=100 "--rate_iops=100000 --thinktime=1000 --thinktime_spin=1000 --thinktime_blocks=100" \
	"--iodepth=4 --iodepth_batch_complete_min=0"; do
	# shellcheck disable=SC2086
	run --name=x $json --ioengine=null --rw=randread $long $how
	check "null $how: no note names the processor" json out ".jobs[0].fiord.notes | $saturated | not"
	check "... and the figures exist" json out '.jobs[0].fiord.self | .user_ns_per_io >= 0 and .waited_percent >= 0'
done
# A rate beyond the processor's speed.
one_of 12 limited run --name=x $json --ioengine=null --rw=randread $long --rate_iops=2000000000
check "a rate beyond the processor's speed gets the note" json out ".jobs[0].fiord.notes | $saturated"

# Jobs without I/O have no cost per I/O, and using CPU is their purpose.
run --name=x $json --ioengine=cpuio --cpuload=100 --runtime=200ms
check "cpuio has no figures and no note" json out ".jobs[0].fiord | has(\"self\") == false and (.notes | $saturated | not)"
run --name=x $json --ioengine=psync --rw=write --size=64k
check "a short job has figures but no note" json out ".jobs[0].fiord | (.self.core_percent >= 0) and (.notes | $saturated | not)"

# Ramp and cool-down are not counted: the ramp alone lasts ten times as long as the measurement.
run --name=x $json --ioengine=null --rw=randread --size=16m --ramp_time=500ms --runtime=50ms --time_based --cooldown=500ms
check "only the measured time counts" json out '.jobs[0] | .fiord.self.core_percent < 150'

# A killed worker keeps its figures.
if [ -z "$threads" ]; then
	start --name=x $json --ioengine=null --rw=randread --size=16m --runtime=60 --time_based --eta=always
	check "the worker runs" until_true 10 progress_shows r
	kill -KILL "$(children "$pid")"
	wait_for_exit
	check "the CPU time of a killed worker is known" json out '.jobs[0] | .usr_cpu + .sys_cpu > 0 and .fiord.self.core_percent > 0'
fi

# The page cache has what was just read; fiord drops it before the job (invalidate). The kernel's count for fiord and its children
# says whether this file system reads from storage at all.
fetched() { # COMMAND...: what the kernel fetched for it
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock * 512)' "$@"
}
dd if=/dev/urandom of=cached bs=1M count=1 conv=fsync 2>/dev/null
dd of=cached oflag=nocache conv=notrunc,fdatasync count=0 2>/dev/null
if [ "$(fetched cat cached)" -ge 1048576 ]; then
	read_file="--filename=cached --size=1m --bs=64k --rw=read --output-format=json --output=read.json"
	for how in --thread=0 --thread=1 --numjobs=2; do
		# shellcheck disable=SC2086
		all=$(fetched "$FIORD" --name=x $read_file $how --group_reporting)
		check "$how: a file that the page cache lacks comes from storage once" json read.json \
			'.jobs[0].fiord | .self.storage_read_bytes == 1048576 and .counts.storage_read_bytes == "1048576"'
		check "... of what the kernel fetched for all processes" test "$all" -ge 1048576
		# shellcheck disable=SC2086
		fetched "$FIORD" --name=x $read_file $how --group_reporting --invalidate=0 >/dev/null
		# Beside other tests the kernel may have dropped a page of the program itself.
		check "... and without invalidate nothing of the file" json read.json '.jobs[0] | .fiord.self.storage_read_bytes < 65536 and .read.io_bytes > 0'
	done
	check "an assertion names it" "$FIORD" report read.json --output=text --assert 'self.storage_read_bytes < 65536'
else
	echo "# this file system reads nothing from storage"
fi

# Under the name fio none of this is printed.
ln -s "$FIORD" fio
FIORD=$dir/fio
run --name=x --ioengine=null --rw=randread $long
check "under the name fio the text has no self line and no note" eval '! grep -qE "self  |the processor" out'
run --name=x $json --ioengine=null --rw=randread $long
check "... nor does the document" eval '! grep -qE "fiord\"|the processor" out'
finish
