#!/bin/sh
# Does a zoned device look after a job as the manual of zonemode=zbd says? Each row is a job and a sentence of the manual as arithmetic about the
# write pointers, which `blkzone report` prints. The installed fio runs the same jobs and must satisfy the same sentences.
# seconds: 600
. "$SOURCE/t/guest/lib.sh"
requires blkzone jq
cd "$dir" || exit 1
null_block z zoned=1 zone_size=1 size=16 || skip_all "null_blk makes no zoned device"
dev=/dev/z # 16 zones of 1 MiB, that is of 16 blocks of 64 KiB

# look: sets the blocks in all zones ($blocks) and in the first six ($list), and how many zones are written ($touched), full and open.
look() {
	pointers=$(blkzone report $dev | sed -n 's/.*wptr 0x\([0-9a-f]*\) .*/\1/p')
	blocks=0 list='' touched=0 full=0 n=0
	for wp in $pointers; do
		wp=$((0x$wp / 128)) n=$((n + 1))
		blocks=$((blocks + wp))
		[ $n -gt 6 ] || list="$list$wp "
		[ $wp = 0 ] || touched=$((touched + 1))
		[ $wp != 16 ] || full=$((full + 1))
	done
	open=$((touched - full))
}

by_fio() {
	fio --output=out "$@" >/dev/null 2>err </dev/null
	rc=$?
}

# both: the programs that run the jobs.
both=run
if command -v fio >/dev/null && fio --version | grep -q '^fio-3\.[3-9][0-9]'; then
	both="run by_fio"
else
	skip "the same jobs with fio" "no fio"
fi

# The columns: blocks that dd writes first; options; what holds then. ios: I/Os of the jobs.
while IFS='|' read -r before options rule; do
	for program in $both; do
		blkzone reset $dev
		[ "$before" -eq 0 ] || dd if=/dev/zero of=$dev bs=64k count="$before" oflag=direct 2>/dev/null
		set -- --name=x --filename=$dev --direct=1 --zonemode=zbd --bs=64k --thread=1 --group_reporting=1 --output-format=json
		[ $program = by_fio ] || set -- "$@" --allow_write=$dev
		# shellcheck disable=SC2086
		$program "$@" $options
		look
		ios=$(value out '[.jobs[] | .read.total_ios + .write.total_ios + .trim.total_ios] | add')
		check "$program: $options" exits 0
		check "... $rule (pointers $list, touched $touched, full $full, ios $ios)" eval "[ $rule ]"
	done
done <<-'END'
	0|--rw=randwrite --max_open_zones=2 --numjobs=3 --io_size=1m|$ios = 48 -a $open -le 2
	0|--rw=randwrite --max_open_zones=6 --job_max_open_zones=1 --numjobs=3 --io_size=1m|$ios = 48 -a $open -le 3
	0|--rw=randwrite --max_open_zones=6 --job_max_open_zones=2 --io_size=3m --iodepth=8 --ioengine=libaio|$ios = 48 -a $open -le 2
	0|--rw=randwrite --size=8z --io_size=4m --zone_reset_threshold=0.6 --zone_reset_frequency=0.5|$blocks = 64
	0|--rw=randwrite --size=8z --io_size=6m --zone_reset_threshold=0.3 --zone_reset_frequency=0.25|$ios = 96 -a $blocks -gt 20 -a $blocks -lt 80
	0|--rw=write --size=6z --io_size=3m --zoneskip=1z|"$list" = "16 0 16 0 16 0 "
	0|--rw=write --size=2z --zonecapacity=512k --zonerange=64k --zonesize=1m|"$list" = "16 16 0 0 0 0 "
	24|--rw=write --offset=1z --size=3z --io_size=1m|"$list" = "16 16 8 0 0 0 "
	40|--rw=read --size=6z|$ios = 40
	40|--rw=read --size=6z --read_beyond_wp=1|$ios = 96
	40|--rw=trim --bs=1m --size=6z|$blocks = 0 -a $ios -ge 3
END
finish
