#!/bin/sh
# Priorities of single I/Os: do the figures per priority add up to those of the job, in text, JSON and groups?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

refused() { # TEXT
	exits 2 && says err "$1" && [ ! -s out ]
}

# Each I/O of a direction has exactly one priority, so the counts per priority add up to all I/Os.
add_up='[.jobs[] | .read, .write | select(has("prios")) | (.prios | map(.clat_ns.N) | add) == .total_ios] | (length > 0 and all)'
both="--filename=file --size=4m --rw=randrw --iodepth=8"

for engine in libaio io_uring; do
	# shellcheck disable=SC2086
	run $both --name=x --ioengine=$engine --cmdprio_percentage=30 --cmdprio_class=2 --cmdprio=3 --output-format=json
	if [ "$engine" = io_uring ] && [ "$rc" = 1 ] && grep -q io_uring err; then
		skip "io_uring" "not here"
		continue
	fi
	check "$engine exits 0" exits 0
	check "$engine: two priorities are listed, the worker's first" json out '[.jobs[0].read, .jobs[0].write] |
		map(.prios | map([.prioclass, .prio, .priohint])) == [[[0,0,0],[2,3,0]],[[0,0,0],[2,3,0]]]'
	check "$engine: the counts add up" json out "$add_up"
	check "$engine: about 30 % of the I/Os have the second priority" json out '.jobs[0].read | .prios[1].clat_ns.N / .total_ios | . > 0.2 and . < 0.4'
	check "$engine: minimum and maximum are those of the job" json out '[.jobs[0].read, .jobs[0].write] | map(
		(.prios | map(.clat_ns.min) | min) == .clat_ns.min and (.prios | map(.clat_ns.max) | max) == .clat_ns.max) | all'
	check "$engine: each priority has percentiles" json out '[.jobs[0].read.prios[].clat_ns.percentile["99.000000"] > 0] | all'
done

# shellcheck disable=SC2086
prios() { run $both --name=x --ioengine=libaio "$@"; }

prios --bssplit=4k/50:8k/50 --cmdprio_bssplit=4k/30/2/1:4k/30/3/2:8k/20 --cmdprio_class=2 --output-format=json+ --numjobs=2 --group_reporting
check "cmdprio_bssplit exits 0" exits 0
check "priorities are listed in the order of the option" json out '.jobs[0].read.prios | map("\(.prioclass)/\(.prio)") == ["0/0","2/1","3/2","2/0"]'
check "the counts of a group add up" json out "$add_up"
check "json+: the bins of a priority hold all its I/Os" json out '[.jobs[0] | .read, .write | .prios[].clat_ns | (.bins | add) == .N] | all'
prios --cmdprio_percentage=50,0 --cmdprio_class=2 --output-format=json
check "cmdprio_percentage=50,0 applies to reads only" json out '.jobs[0] | (.read | has("prios")) and (.write | has("prios") | not)'
prios --cmdprio_percentage=100 --cmdprio_class=2 --output-format=json
check "one priority for all I/Os has no rows, as in fio" json out '.jobs[0] | (.read | has("prios")) or (.write | has("prios")) | not'
prios --ramp_time=200ms --time_based --runtime=500ms --fsync=5 --cmdprio_percentage=50 --cmdprio_class=2 --output-format=json
check "a run with a ramp and fsyncs exits 0" exits 0
check "... and its counts add up" json out "$add_up"
prios --time_based --runtime=60 --cmdprio_percentage=101
check "a percentage of 101 is refused" refused "cmdprio_percentage=101"
prios --cmdprio_percentage=10 --cmdprio_bssplit=4k/10
check "percentage and bssplit together are refused" refused "use one of them"
prios --cmdprio=3
check "a note names a priority that no I/O gets" grep -q "cmdprio=3 has no effect" out
prios --cmdprio_bssplit=4k/10,16k/10/2/3 --cmdprio_class=2
check "a note names a block size that no I/O has" grep -q "has the size 16384, but no write has this size" out

prios --cmdprio_percentage=50 --cmdprio_class=2 --lat_percentiles=1 --output-format=json
check "lat_percentiles: the rows have the whole latency, as in fio" json out \
	'.jobs[0].read | (.prios | map(.lat_ns.N) | add) == .total_ios and (.prios | map(.lat_ns.max) | max) == .lat_ns.max'
prios --cmdprio_percentage=50 --cmdprio_class=2 --disable_clat=1 --output-format=json
check "disable_clat: there are no rows" json out '.jobs[0].read | .total_ios > 0 and (has("prios") | not)'

# Members of a group name different priorities, or none.
job="--filename=file --rw=read --ioengine=libaio"
# shellcheck disable=SC2086
run --group_reporting --size=4m --output-format=json --name=a --filename=file --rw=read --ioengine=psync --prio=4 \
	--name=b $job --cmdprio_percentage=50 --cmdprio_class=2 --cmdprio=4 --numjobs=2 \
	--name=c $job --cmdprio_percentage=50 --cmdprio_class=3 --prioclass=2 --prio=4
check "a group exits 0" exits 0
check "a group's rows are joined by priority" json out \
	'.jobs | length == 1 and (.[0].read.prios | map("\(.prioclass)/\(.prio)") == ["2/4","0/0","3/0"])'
check "... and add up" json out "$add_up"

prios --cmdprio_percentage=40 --cmdprio_class=2
grep -E '^    clat prio [0-9/]+ \([mnu]sec\):' out >rows
check "the text has two rows per direction" lines rows 4
sed -nE 's/^    clat prio .* \((.*)% of IOs\) percentiles .*/\1/p' out >shares
check "the shares of each direction add up to 100 %" same "$(awk '{ s += $1 } NR % 2 == 0 { printf "%d ", s + 0.5; s = 0 }' shares)" "100 100 "
prios --cmdprio_percentage=40 --cmdprio_class=2 --minimal
check "terse has no rows" lines out 1

start --filename=file --size=4m --rw=randrw --iodepth=8 --name=x --ioengine=libaio --time_based --runtime=60 \
	--cmdprio_percentage=40 --cmdprio_class=2 --eta=always --output-format=json --output=doc
until_true 20 progress_shows '[mM]'
kill -INT "$pid"
wait_for_exit
check "SIGINT exits 130" exits 130
cp doc out
check "SIGINT: the counts add up" json out "$add_up"
finish
