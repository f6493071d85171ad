#!/bin/sh
# Does the result describe the machine, the storage below the targets, the seeds and the plan? The test compares it with
# sysfs, findmnt and losetup.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
loop=
mounted=
cleanup() {
	[ -z "$mounted" ] || umount "$dir/mnt"
	[ -z "$loop" ] || losetup -d "$loop"
}
env=.fiord.environment

run --name=a --rw=write --size=256k --nrfiles=50 --numjobs=2 --randseed=7 --name=b --stonewall --rw=write --size=64k \
	--randrepeat=0 --output-format=json
check "the document has the CPUs, the kernel and the memory" json out "$env | .cpus >= 1 and (.kernel == \"$(uname -r)\") and .memory_bytes > 0"
if [ -r /sys/devices/system/cpu/cpu0/topology/core_id ]; then
	check "... and the cores" json out "$env | .sockets >= 1 and .cores >= .sockets and .cores <= .cpus"
else
	skip "cores" "no topology in sysfs"
fi
governor=$(cat /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor 2>/dev/null | sort -u)
case $(printf %s "$governor" | grep -c '') in
0) governor=null ;;
1) governor="\"$governor\"" ;;
*) governor='"mixed"' ;;
esac
check "... and the CPU governor" json out "$env.governor == $governor"
check "101 files on one file system are one target" json out '.fiord.targets | length == 1 and .[0].count == 101'
# In a chroot / is not a mount point.
fstype=$(findmnt -fno FSTYPE -T . | tail -n 1)
if [ -n "$fstype" ]; then
	check "... with the file system's type" json out ".fiord.targets[0].filesystem.type == \"$fstype\""
	check "... and its mount options" json out ".fiord.targets[0].filesystem.options == \"$(findmnt -fno VFS-OPTIONS -T . | tail -n 1)\""
else
	skip "the file system" "no mount point above this directory"
fi
check "the plan has an entry for each section" json out '.fiord.plan | .workers == 3 and .waves == 2 and
	[.jobs[] | [.name, .workers, .wave, .randseed, .randrepeat]] == [["a", 2, 0, 7, true], ["b", 1, 1, 137, false]]'
disk=$(jq -r '.fiord.targets[0].devices[] | select(.kind == "disk") | .name' out | head -n 1)
if [ -r "/sys/block/$disk/queue/scheduler" ] && [ -n "$disk" ]; then
	chosen=$(sed 's/.*\[\(.*\)\].*/\1/' "/sys/block/$disk/queue/scheduler")
	check "the document has the disk's scheduler" json out "[.fiord.targets[0].devices[] | select(.name == \"$disk\")][0].scheduler == \"$chosen\""
	check "... and its write cache" json out "[.fiord.targets[0].devices[] | select(.name == \"$disk\")][0].write_cache ==
		\"$(cat "/sys/block/$disk/queue/write_cache")\""
	check "the document has no serial number" json out '[.. | objects | has("serial") or has("wwid") or has("uuid")] | any | not'
else
	skip "the disk" "none is known below $dir"
fi
cp out first
run --name=a --rw=write --size=256k --nrfiles=50 --numjobs=2 --randseed=7 --name=b --stonewall --rw=write --size=64k \
	--randrepeat=0 --output-format=json
seed='.fiord.plan.jobs | map(.seed)'
check "the seed is the same in the next run" same "$(value out "$seed | .[0]")" "$(value first "$seed | .[0]")"
check "... but not with randrepeat=0" [ "$(value out "$seed | .[1]")" != "$(value first "$seed | .[1]")" ]

ln -s "$FIORD" fio
./fio --name=a --size=64k --output-format=json >out 2>err
check "under the name fio the document has no such keys" json out 'has("fiord") or has("targets") or has("environment") | not'
./fio --name=a --size=64k >out 2>err
check "... and the text has no such lines" [ "$(grep -c '^Environment' out)" = 0 ]
rm fio
run --name=a --size=64k
check "the text has the environment once" [ "$(grep -c '^Environment:$' out)" = 1 ]
[ -z "$fstype" ] || check "... with the file system" grep -q "^  a.0.0: [a-z0-9.]* on /" out

run --name=s --ioengine=null --size=64k --time_based --runtime=1 --rate_iops=100 --status-interval=200ms
check "results before the end leave the environment out" [ "$(grep -c '^Environment:$' out)" = 1 -a "$(grep -c '^s: (groupid' out)" -gt 1 ]
run --name=n --ioengine=null --size=64k --output-format=json
check "a job without files has no targets" json out '.fiord.targets == []'
run --name=n --filename=/dev/null --size=64k --rw=write --output-format=json
check "a character device has no device below it" json out '.fiord.targets | length == 1 and .[0].devices == []'
run --name=m --filename=no/such/dir/file --rw=write --size=64k --output-format=json
check "a file in missing directories has a file system" json out '.fiord.targets[0].filesystem.free_bytes > 0'
run --name=bad --rw=nonsense --output-format=json
check "a refused job has no targets" json out '.fiord.targets == []'

if ! why=$(no_shm); then
	run --name=t --directory=/dev/shm --filename="fiord-env-$$" --size=64k --rw=write --output-format=json
	rm -f "/dev/shm/fiord-env-$$"
	check "tmpfs is in memory and on no device" json out '.fiord.targets[0] | .filesystem.type == "tmpfs" and
		.filesystem.kept_in == "memory" and .devices == []'
else
	skip "tmpfs" "$why"
fi

if [ "$(id -u)" = 0 ] && truncate -s 32m image && loop=$(losetup -f --show image 2>/dev/null); then
	run --name=l --filename="$loop" --size=64k --rw=write --output-format=json
	check "a loop device has its backing file" json out ".fiord.targets[0] | .type == \"block device\" and
		(.devices[0] | .kind == \"loop\" and .backing_file == \"$dir/image\" and .size_bytes == 33554432)"
	mkdir mnt
	if mkfs.ext4 -q -F "$loop" 2>/dev/null && mount -o noatime "$loop" mnt 2>/dev/null; then
		mounted=1
		printf 'tab\there' | xargs -0 -I NAME touch mnt/NAME
		run --name=l --filename="mnt/tab	here" --size=64k --rw=write --output-format=json
		check "a file system on a loop device has its mount options" json out ".fiord.targets[0] | (.filesystem.options | test(\"noatime\")) and
			.filesystem.source == \"$loop\" and .devices[0].kind == \"loop\" and (.path | test(\"\\t\"))"
	else
		skip "a file system on a loop device" "no mkfs.ext4 or no mount"
	fi
else
	loop=
	skip "loop devices" "not root, or there are none"
fi
finish
