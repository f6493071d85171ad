#!/bin/sh
# --series: do the intervals add up to the result of the whole run, however it runs and ends? series.jq compares them.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
common="--directory=$dir --size=1m --bs=4k --output-format=json+ --series"

adds_up() { # [TORN]
	[ "$(jq --argjson torn "${1:-false}" -f "$SOURCE/t/run/series.jq" out 2>&1)" = true ]
}

# shellcheck disable=SC2086
{
	run $common --name=x --rw=randrw --fsync=16
	check "reads, writes and syncs add up" adds_up
	check "... in one group" json out '[.fiord.series.groups[] | [.group, .name, .lat_kind]] == [[0, "x", "clat"]]'
	check "... that begins when the job does" json out \
		'(.fiord.series.groups[0].start_ms - .jobs[0].job_start) | . > -200 and . < 200'
	run $common --name=x --rw=randread --ioengine=null --size=1g --time_based --runtime=1200ms --iodepth=16
	check "many intervals add up" adds_up
	check "... and are as many as the run is long" json out '.fiord.series | .interval_ms as $ms |
		.groups[0] | (.intervals - .runtime_ms / $ms) as $more | $more > -0.1 and $more < 1.1 and .runtime_ms >= 1200'
	check "... and each has minimum <= mean <= maximum" json out '.fiord.series.groups[0].read |
		[.lat_min, .lat_mean, .lat_max] | transpose | all(.[0] == null or (.[0] <= .[1] + 0.1 and .[1] <= .[2]))'
	run $common --name=x --rw=read --size=4k
	check "a run of one I/O adds up" adds_up
	check "... in one interval" json out '.fiord.series.groups[0].read.ios == [1]'
	run $common --name=x --rw=randread --rate_iops=4 --time_based --runtime=1500ms
	check "slow jobs add up" adds_up
	check "... with zeros between" json out '.fiord.series.groups[0].read | (.ios | any(. == 0)) and
		([.ios, .lat_mean] | transpose | all((.[0] == 0) == (.[1] == null)))'
	run $common --name=x --rw=randrw --rate_iops=500 --ramp_time=400ms --runtime=600ms --time_based
	check "I/O of the ramp is not in the series" adds_up
	run $common --name=a --rw=write --numjobs=3 --group_reporting --name=b --rw=trimwrite --ioengine=null --new_group \
		--numjobs=2 --name=c --stonewall --rw=randrw --startdelay=200ms --name=d --rw=read --wait_for=c
	check "groups, waves and clones add up" adds_up
	check "... and each group has its series" json out '[.fiord.series.groups[].name] == ["a", "b", "c"]'
	run $common=job --name=a --rw=read --numjobs=3 --group_reporting
	check "--series=job has a series for each worker" json out \
		'[.fiord.series.jobs[] | [.name, .clone]] == [["a", 0], ["a", 1], ["a", 2]]'
	check "... with its own I/O" json out '[.fiord.series.jobs[] | .read.ios | add] == [256, 256, 256]'
	run --bs=4k --output-format=json+ --series --name=x --rw=write --filename=/dev/full --ignore_error=,ENOSPC --size=64k
	check "errors are in the interval in which they happened" json out \
		'(.fiord.series.groups[0].write.errors | add) == .jobs[0].fiord.errors and .jobs[0].fiord.errors == 16'
	run $common --name=x --rw=read --gtod_reduce=1
	check "without latencies the series has none" json out '.fiord.series.groups[0] | has("lat_kind") == false and
		(.read | keys) == ["bytes", "errors", "ios"] and (.read.ios | add) == 256'
	run $common --name=x --rw=read --name=left_out --stats=0
	check "a job with stats=0 is in no series" adds_up

	start $common --name=x --rw=randrw --time_based --runtime=600 --numjobs=2 --eta=always --eta-interval=250
	check "interrupted: the job runs" until_true 30 progress_shows m
	kill -INT "$pid"
	wait_for_exit
	check "interrupted: the intervals add up" adds_up
	start $common --name=x --ioengine=null --size=1g --rw=randrw --time_based --runtime=600 --numjobs=2 --eta=always \
		--eta-interval=250 --iodepth=4
	check "killed: the job runs" until_true 30 progress_shows m
	for worker in $(children "$pid"); do
		kill -KILL "$worker"
	done
	wait_for_exit
	check "killed: the intervals add up" adds_up true
	check "... to the I/O before the kill" json out '(.fiord.series.groups[0].read.ios | add) > 0'

	start $common --name=x --rw=randrw --time_based --runtime=600 --ramp_time=600 --eta=always --eta-interval=250
	check "killed in its ramp: the job runs" until_true 30 progress_shows /
	for worker in $(children "$pid"); do
		kill -KILL "$worker"
	done
	wait_for_exit
	check "killed in its ramp: nothing was measured" json out \
		'.jobs[0].read.total_ios == 0 and [.fiord.series.groups[] | [.intervals, has("start_ms")]] == [[0, false]]'

	run $common --name=x --rw=read --disable_clat=1
	check "without a histogram the series has none" json out '.fiord.series.groups[0].read |
		has("lat_ns") == false and has("lat_mean")'
	run $common --name=x --rw=read --disable_clat=1 --lat_percentiles=1
	check "... with lat_percentiles it has the one of lat" json out '.fiord.series.groups[0] |
		.lat_kind == "lat" and ([.read.lat_ns[][]] | add) == (.read.ios | add)'
	run $common --name=x --rw=read --bwavgtime=50 --iopsavgtime=70
	check "sampling options do not change the series" adds_up
	run --name=x --rw=randrw --size=1m --bs=4k --output-format=json+
	check "JSON+ has the series without --series" adds_up
	run --name=x --rw=read --size=64k --output-format=json+ --series=none
	check "... but not with --series=none" json out '.fiord | has("series") == false'
	run $common --name=x --rw=randrw --rate_iops=400 --rwmixread=60
	check "under a rate the latencies add up" adds_up
	check "... and response times stand beside them" json out '[.fiord.series.groups[0] as $s | .jobs[0].fiord as $job |
		("read", "write") as $dir | $s[$dir] as $c | $job[$dir].resp_ns | .N == ([$c.resp_ns[][]] | add) and
		.min == ([$c.resp_min[] | select(. != null)] | min) and .max == ([$c.resp_max[] | select(. != null)] | max) and
		.bins == ($c.resp_ns | map(to_entries[]) | group_by(.key) | map({(.[0].key): (map(.value) | add)}) | add)] |
		all and length == 2'
	run $common --name=x --rw=read --name=rated --stonewall --rw=read --rate_iops=1000
	check "only groups with a rate have response times" json out \
		'[.fiord.series.groups[].read | has("resp_ns")] == [false, true]'
	run --name=x --rw=read --size=64k --output-format=json
	check "without --series the document has none" json out '.fiord | has("series") == false'
	run --name=x --rw=read --size=64k --series
	check "a note says that --series needs JSON" says out "--series"
	run $common=job --name=x --ioengine=null --numjobs=2049
	check "more than 2048 series are refused" eval 'exits 2 && says err "the limit of 2048"'
	run $common=worker --name=x --rw=read
	check "an unknown value of --series is refused" eval 'exits 2 && says err "write none, group or job"'
}
finish
