#!/bin/sh
# What fiord says of itself: the CPU time of an I/O, and a sentence where the processor set the figures.
. "$SOURCE/t/lib.sh"
requires jq
[ -r /proc/self/schedstat ] || skip_all "the kernel does not count how long threads wait for a core"
cd "$dir" || exit 1
json="--output-format=json"
long="--size=16m --runtime=1 --time_based"
saturated='any(contains("the processor, not the device, set the figures"))'

# A sum of shares is near what the CPU rows say, whatever else wants the cores.
agrees='(.fiord.self.core_percent - (.usr_cpu + .sys_cpu)) | fabs < 0.01'
per_io='(.fiord.self.user_ns_per_io * .read.total_ios / 1e6 - .usr_cpu * .job_runtime / 100) | fabs < 0.02 * 1000'

# Nothing but the processor can hold the null engine back.
for how in --iodepth=1 --iodepth=16 "--thread=1 --numjobs=2" "--numjobs=3 --group_reporting"; do
	# shellcheck disable=SC2086
	run --name=x $json --ioengine=null --rw=randread $long $how
	check "null $how: said in the job's notes, once" json out "[.jobs[].fiord.notes[] |
		select(contains(\"the processor, not the device, set the figures\"))] | length == 1"
	check "... stderr is empty" empty err
	check "... agrees with usr_cpu and sys_cpu" json out "[.jobs[] | ($agrees), ($per_io)] | all"
done
check "... with how many they are" json out '.jobs[0].fiord.notes | any(contains(": all 3 workers used "))'
run --name=x --ioengine=null --rw=randread $long
check "a line in the text" grep -qE '^  self         : [0-9.]+ ns user and [0-9.]+ ns system per I/O, [0-9.]+% of a core' out
check "... behind the CPU's" same "$(grep -A1 '^  cpu  ' out | grep -c '^  self  ')" 1
check "... and the sentence" grep -q '^  note: x: the processor, not the device, set the figures: its worker used ' out

run --name=x $json --ioengine=null --rw=randread $long
check "the whole run: the children used what the worker did, the parent little" json out '.fiord.self.children_user_us as $all |
	.jobs[0].fiord.self.user_ns_per_io * .jobs[0].read.total_ios / 1000 <= $all + 1000 and .fiord.self.user_us < $all'

# One that keeps to a rate, rests, or polls may spin without having anything to do.
for how in --rate_iops=100 "--rate_iops=100000 --thinktime=1000 --thinktime_spin=1000 --thinktime_blocks=100" \
	"--iodepth=4 --iodepth_batch_complete_min=0"; do
	# shellcheck disable=SC2086
	run --name=x $json --ioengine=null --rw=randread $long $how
	check "null $how: not said" json out ".jobs[0].fiord.notes | $saturated | not"
	check "... but the figures are there" json out '.jobs[0].fiord.self | .user_ns_per_io >= 0 and .waited_percent >= 0'
done
# A rate that nobody can keep up with.
run --name=x $json --ioengine=null --rw=randread $long --rate_iops=2000000000
check "a rate beyond the processor: said" json out ".jobs[0].fiord.notes | $saturated"

# Jobs without I/O have no cost per I/O, and burning CPU is what they are for.
run --name=x $json --ioengine=cpuio --cpuload=100 --runtime=1
check "cpuio: nothing to say" json out ".jobs[0].fiord | has(\"self\") == false and (.notes | $saturated | not)"
run --name=x $json --ioengine=psync --rw=write --size=64k
check "a short job: figures, no sentence" json out ".jobs[0].fiord | (.self.core_percent >= 0) and (.notes | $saturated | not)"

# What ramp and cool-down take is not in it: the ramp alone takes twenty times as long as what is measured.
run --name=x $json --ioengine=null --rw=randread --size=16m --ramp_time=1 --runtime=50ms --time_based --cooldown=1
check "CPU time of the measured phase alone" json out '.jobs[0] | .fiord.self.core_percent < 150'

# A worker that is killed leaves its figures.
if [ -z "$threads" ]; then
	start --name=x $json --ioengine=null --rw=randread --size=16m --runtime=60 --time_based --eta=always
	check "a worker runs" until_true 10 progress_shows r
	kill -KILL "$(children "$pid")"
	wait_for_exit
	check "killed: its CPU time is known all the same" json out '.jobs[0] | .usr_cpu + .sys_cpu > 0 and .fiord.self.core_percent > 0'
fi

# In fio's name nothing of it.
ln -s "$FIORD" fio
FIORD=$dir/fio
run --name=x --ioengine=null --rw=randread $long
check "in fio's name: no line, no sentence" eval '! grep -qE "self  |the processor" out'
run --name=x $json --ioengine=null --rw=randread $long
check "... nor in JSON" eval '! grep -qE "fiord\"|the processor" out'
finish
