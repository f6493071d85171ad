#!/bin/sh
# Which layer does latency_split name for partitions and for devices that lie on others, and what does it say where there is nothing to split? The
# kernel's counters (/sys/block/NAME/stat) are the witness of the number of requests.
# clock: instructions
# seconds: 500
. "$SOURCE/t/guest/lib.sh"
requires dmsetup addpart
module -a dm-delay dm-multipath dm-round-robin raid0 raid1
module scsi_debug ndelay=300000 dev_size_mb=32 add_host=2
modprobe sd_mod
until_true 20 test -b /dev/sdb || skip_all "scsi_debug makes no two disks"
null_block slow irqmode=2 completion_nsec=2000000 size=64 || skip_all "null_blk makes no device with a timer"
null_block fast irqmode=2 completion_nsec=50000 size=64 || skip_all "null_blk makes no device with a timer"

reads() { # DISK
	awk '{ print $1 }' "/sys/block/$1/stat"
}

split_job() { # FILE [OPTION...]
	file=$1
	shift
	run --output-format=json --latency_split=all --name=a --filename="$file" --direct=1 --rw=randread --bs=4k --number_ios=200 "$@"
}

split() { # CONDITION on the rows
	json "$dir/out" ".jobs[0] | . as \$job | .fiord.split | $1"
}

# ---- a partition, dm-linear ----
addpart /dev/slow 1 2048 65536
split_job /dev/slow1
check "requests of a partition are those of its disk" split 'map([.disk, .requests]) == [["slow", 200]] and .[0].device.mean > 2e6 and .[0].device_percent > 98'
delpart /dev/slow 1
dmsetup create line --table "0 65536 linear /dev/slow 0"
split_job /dev/mapper/line
check "below dm-linear it is the disk that takes the time" split 'map([.disk, .requests]) == [["slow", 200]] and .[0].device_percent > 98'

# ---- a device that comes in the middle of the run, and one that goes ----
after_reads() { # DISK READS
	[ "$(reads "$1")" -ge "$2" ]
}
number=$(cat /sys/block/slow/dev) before=$(reads slow)
start --output-format=json --latency_split=all --name=a --filename=/dev/mapper/line --direct=1 --rw=randread --bs=4k --time_based --runtime=3600
check "a job reads the first disk" until_true 60 after_reads slow $((before + 10))
null_block later irqmode=2 completion_nsec=1000000 size=64
dmsetup load line --table "0 65536 linear /dev/later 0"
dmsetup resume line
before=$(($(reads slow) - before)) opened=$(reads later)
check "... and one that came later" until_true 60 after_reads later $((opened + 10))
echo 0 >/sys/kernel/config/nullb/slow/power
rmdir /sys/kernel/config/nullb/slow
check "... while the first one goes" test ! -e /sys/block/slow
kill -INT "$pid"
wait_for_exit
check "both have a row; the one that is gone has its number" split "map(.disk) | sort == ([\"$number\", \"later\"] | sort)"
# fiord looks for a file system before the job begins, which takes some reads. A read that comes while the table changes is sent by one of the kernel's
# threads.
check "... with the requests that the kernel counted" split "(.[] | select(.disk == \"$number\") | .requests | . <= $before and . > $before - 6) and
	(map(.requests) | add | . == \$job.read.total_ios or . == \$job.read.total_ios - 1)"
dmsetup remove line

# ---- multipath ----
paths="1 1 round-robin 0 2 1 8:0 10 8:16 10"
dmsetup create paths --table "0 65536 multipath 0 0 $paths"
queue=$(dmsetup info -c --noheadings -o blkdevname paths)
split_job /dev/mapper/paths
check "multipath has a queue of its own: the split names it" split "map([.disk, .requests]) == [[\"$queue\", 200]] and .[0].device.mean > 300e3"
dmsetup remove paths
dmsetup create paths --table "0 65536 multipath 2 queue_mode bio 0 $paths"
split_job /dev/mapper/paths
check "... and without it the disks" split 'all(.disk == "sda" or .disk == "sdb") and (map(.requests) | add) == 200'
dmsetup remove paths

# ---- md ----
# array LEVEL: makes /dev/md_LEVEL of two disks.
array() {
	echo "md_$1" >/sys/module/md_mod/parameters/new_array
	md=/sys/block/md_$1/md at=0
	echo "$1" >"$md/level"
	echo 2 >"$md/raid_disks"
	echo 65536 >"$md/chunk_size"
	for member in later fast; do
		cat "/sys/block/$member/dev" >"$md/new_dev"
		echo $at >"$md/dev-$member/slot"
		echo 32768 >"$md/dev-$member/size"
		at=$((at + 1))
	done
	echo 32768 >"$md/component_size"
	echo active >"$md/array_state"
}
array raid0
first=$(reads later) second=$(reads fast)
split_job /dev/md_raid0
first=$(($(reads later) - first)) second=$(($(reads fast) - second))
check "a job on raid0 has a row for each of its disks" split "map({key: .disk, value: .requests}) | from_entries | keys == [\"fast\", \"later\"] and
	.fast + .later == 200 and .fast <= $second and .later <= $first and .fast + .later > $first + $second - 6"
check "... with the time of that disk" split 'all(.device.mean > (if .disk == "later" then 1e6 else 50e3 end)) and (.[] | select(.disk == "fast") | .device.mean < 1e6)'
echo clear >/sys/block/md_raid0/md/array_state
array raid1
split_job /dev/md_raid1 --rw=randwrite
check "a write to raid1 is one to each of its disks" split 'map([.disk, .direction, .requests, .requests_per_io]) | sort == [["fast", "write", 200, 1], ["later", "write", 200, 1]]'
echo clear >/sys/block/md_raid1/md/array_state

# ---- nothing to split ----
dmsetup create late --table "0 65536 delay /dev/fast 0 20 /dev/fast 0 20"
split_job /dev/mapper/late --number_ios=5
nothing="no request of the job reached a block device with a queue"
check "where a thread of the kernel does the I/O, a note says so" json "$dir/out" ".jobs[0].fiord | (has(\"split\") | not) and any(.notes[]; contains(\"$nothing\"))"
dmsetup remove late
run --latency_split=1 --name=a --directory="$dir" --size=64k --rw=write
check "a file in memory has nothing to split, and the run goes on" exits 0
check "... which is said once" same "$(grep -c "$nothing" "$dir/out")" 1
run --latency_split=1 --name=a --directory="$OUT" --size=64k --rw=write --end_fsync=1
check "... and a file system of the network, too" same "$rc:$(grep -c "$nothing" "$dir/out")" 0:1

# ---- lockdown ----
mount -t securityfs security /sys/kernel/security
if ! echo confidentiality >/sys/kernel/security/lockdown; then
	skip "lockdown" "this kernel has none"
	finish
fi
run --latency_split=1 --name=a --filename=/dev/fast --direct=1 --rw=read --bs=4k --number_ios=5
check "under lockdown the run goes on" exits 0
check "... with one note that says why nothing is split" same "$(grep -c "lockdown=confidentiality" "$dir/out")" 1
finish
