#!/bin/sh
# Groups and waves: which jobs share a group, when does a wave begin, and do the group's figures add up?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
common="--directory=$dir --size=1m --bs=4k --output-format=json"

# shellcheck disable=SC2086
{
	run $common --name=a --numjobs=3 --rw=read
	check "without group_reporting each worker has an entry" json out '[.jobs[].jobname] == ["a", "a", "a"]'
	run $common --name=a --numjobs=3 --rw=randread --group_reporting
	check "group_reporting makes one entry" json out '.jobs | length == 1'
	check "... with the I/O of all workers" json out '.jobs[0].read | .total_ios == 768 and .io_bytes == 3145728 and .lat_ns.N == 768'
	run $common --group_reporting --name=a --rw=read --name=b --rw=write --name=c --new_group --rw=write
	check "new_group begins the next group" json out '[.jobs[] | [.jobname, .groupid]] == [["a", 0], ["c", 1]]'
	check "... and sections of one group are one entry" json out '.jobs[0] | .read.total_ios == 256 and .write.total_ios == 256'
	run $common --name=a --rw=write --filename=f --name=b --stonewall --rw=read --filename=f
	check "stonewall begins a group, too" json out '[.jobs[].groupid] == [0, 1]'
	check "... and starts when all jobs before it have ended" json out \
		'.jobs[1].job_start >= .jobs[0].job_start + .jobs[0].job_runtime - 2'
}

# Samples of a group add up the same moments, so none exceeds the rate of its members together.
run --output-format=json --ioengine=null --size=1g --bs=4k --rw=randread --rate_iops=1000 --runtime=2 --time_based \
	--group_reporting --name=a --numjobs=4
check "the samples of a group are sums over its members" json out '.jobs[0].read | .iops_mean > 3600 and .iops_mean < 4400'
check "... and agree with the group's IOPS" json out '.jobs[0].read | .iops_mean / .iops | . > 0.9 and . < 1.1'

run --directory="$dir" --size=64k --name=a --numjobs=2 --name=b --stonewall
check "the text has a block for each worker" same "$(grep -c '(groupid=' out)" 3
check "... and a status for each group" same "$(grep -c '^Run status group' out)" 2

run --directory="$dir" --size=64k --rw=read --time_based --runtime=600 --name=long --name=short --rw=write --time_based=0 \
	--exitall
check "exitall ends the other jobs" exits 0
finish
