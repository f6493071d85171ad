#!/bin/sh
# Do the job files that fiord was written for (jobs/fiowrite.ini and others) run unchanged, and print fio's report? They run with
# small sizes and short times on two file systems on loop devices; a raw loop device follows.
. "$SOURCE/t/lib.sh"
requires jq losetup mount mkfs.ext4
requires_root
loops=
cleanup() {
	umount "$dir/nocache" "$dir/readcache" 2>/dev/null
	for l in $loops; do
		losetup -d "$l"
	done
}
cd "$dir" || exit 1
mkdir nocache readcache

loop() { # MiB: a new one in $dev
	n=$((${n:-0} + 1))
	truncate -s "$1M" image$n
	dev=$(losetup -f --show image$n 2>/dev/null) || skip_all "no loop device"
	loops="$loops $dev"
}

loop 512
if command -v mkfs.xfs >/dev/null; then
	mkfs.xfs -q -f "$dev"
else
	mkfs.ext4 -q -F "$dev"
fi
mount "$dev" nocache 2>/dev/null || { mkfs.ext4 -q -F "$dev" && mount "$dev" nocache; } || skip_all "mount does not work"
loop 256
mkfs.ext4 -q -F "$dev" && mount "$dev" readcache || skip_all "mount does not work"

for job in fiowrite fioread fioreadwrite; do
	sed "s|/mnt/|$dir/|" "$SOURCE/jobs/$job.ini" >$job.ini
	run --runtime 2 --set size=16m $job.ini
	check "$job exits 0" exits 0
	check "$job: stderr is empty" empty err
	for line in '^  *(read|write): IOPS=[0-9.k]+, BW=[0-9.]+[KM]iB/s \([0-9.]+[kM]B/s\)\([0-9.]+[KM]iB/[0-9]+msec\)' \
		'^    slat \([mun]sec\): min=' '^    clat \([mun]sec\): min=' '^     lat \([mun]sec\): min=' \
		'^    clat percentiles \([mun]sec\):' '^     \|  1\.00th=\[' '^  lat \((u|m)sec\)   : ' \
		'^  cpu          : usr=[0-9.]+%, sys=' '^  IO depths    : 1=' '^     submit    : 0=0\.0%' \
		'^     complete  : 0=0\.0%' '^     issued rwts: total=' '^     latency   : target=0\.00ns' \
		'^Run status group 0 \(all jobs\):' '^   READ: bw=|^  WRITE: bw=' '^Disk stats \(read/write\):' \
		'^  loop[0-9]+: ios='; do
		check "$job prints $line" grep -qE "$line" out
	done
	run --runtime 60 --set size=16m --output-format=json $job.ini
	check "$job in JSON does all its I/O" json out '[.jobs[] | .error == 0 and .read.io_bytes + .write.io_bytes == 16777216] | all'
done
# A machine that stalls takes time from a short run.
writers_keep_their_rate() {
	json out '[.jobs[] | select(.jobname == "writer1") | .write.iops | . > 3100 and . < 3300] | length > 0 and all'
}
try_writers() {
	writers_keep_their_rate && return
	run --runtime 60 --set size=16m --output-format=json $job.ini
	writers_keep_their_rate
}
one_of_three try_writers
check "the writers keep their rate" writers_keep_their_rate

run --size=16m --fallocate=none --direct=1 --runtime=2 --time_based --ramp_time=1 --directory="$dir/nocache" \
	--ioengine=libaio --rw=randwrite --bs=4k --iodepth=1 --name=nv --output-format=json
check "options on the command line run" json out '.jobs[0] | .jobname == "nv" and .write.runtime >= 2000 and .error == 0'

loop 64
for engine in psync libaio; do
	run --name=raw --filename="$dev" --rw=randrw --bs=4k --direct=1 --ioengine=$engine --iodepth=8 --runtime=60 \
		--output-format=json
	check "$engine does all I/O on a raw device" json out '.jobs[0] | .read.io_bytes + .write.io_bytes == 67108864'
	check "... and the disk's statistics count it" json out '.disk_util[0] | .read_ios > 0 and .write_ios > 0'
done

# The kernel's own counters of the device are the witness: they cannot grow by less than the document says.
reads_of() {
	awk '{ print $1 }' "/sys/class/block/${dev#/dev/}/stat"
}
disks_and_ramp='.fiord.notes | map(select(test("disk statistics cover the whole run with its ramp"))) | length'
before=$(reads_of)
run --name=r --filename="$dev" --rw=randread --bs=4k --direct=1 --ramp_size=400k --number_ios=150 --output-format=json
after=$(reads_of)
check "the disk's statistics include the ramp" json out ".jobs[0].read.total_ios <= 50 and .disk_util[0].read_ios >= 150"
check "... and are no more than the kernel counted" json out ".disk_util[0].read_ios <= $after - $before"
check "... and a note says so" json out "$disks_and_ramp == 1"
run --name=r --filename="$dev" --rw=randread --bs=4k --direct=1 --number_ios=50 --output-format=json
check "... but not without a ramp" json out "$disks_and_ramp == 0"
finish
