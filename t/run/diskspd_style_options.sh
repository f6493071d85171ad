#!/bin/sh
# Job options that imitate DISKSPD: are senseless combinations refused with a reason, and do create and create_fill work?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
truncate -s 1m f

# At their defaults the options have no effect.
run --name=a --filename=f --offset_shared=0 --seq_wrap=start --cooldown=0
check "defaults exit 0" test "$rc" = 0

# refused TEXT OPTIONS...: check refuses a combination that makes no sense, with this reason.
refused() {
	text=$1
	shift
	run check --name=a --filename=f "$@"
	check "$* is refused" test "$rc" = 2
	check "$*: the error has the reason" grep -qF "$text" err
}
refused "needs sequential I/O" --rw=randread --offset_shared=1
refused "needs sequential I/O" --rw=randread --seq_per_slot=1
refused "contradicts offset_shared" --offset_shared=1 --seq_per_slot=1
refused "contradicts offset_increment" --offset_shared=1 --offset_increment=4k --numjobs=2
refused "needs rate" --rate_total=1
refused "one rate for both" --rw=rw --rate=1m,2m --rate_total=1
refused "have separate rates" --rw=randrw --percentage_random=20 --seq_runs=homogeneous --rate=1m
refused "one block size" --rw=rw --bs=4k,8k --offset_shared=1
refused "goes forward" --rw=read:-8k --bs=4k --seq_wrap=target
refused "whose range ends at" --rw=read --size=64k --seq_wrap=target --offset_increment=64k --numjobs=2
refused "rate_open" --rw=rw --rate=1m --rate_total=1 --rate_open=1
refused "a schedule of its own" --ioengine=libaio --rate=1m --rate_open=1 --iodepth_per_file=1
refused "a schedule of its own" --ioengine=libaio --rate=1m --rate_shared=x --iodepth_per_file=1
refused "does one I/O at a time" --ioengine=psync --iodepth_per_file=1
refused "norandommap" --ioengine=libaio --rw=randread --iodepth_per_file=1
refused "all files to stay open" --ioengine=libaio --filename=g --size=2m --iodepth_per_file=1 --create_on_open=1
refused "openfiles=1: iodepth_per_file needs all 2 files" --ioengine=libaio --filename=g --size=2m --iodepth_per_file=1 --openfiles=1
refused "openfiles=1: file_weights needs all 2 files" --filename=g --size=2m --file_service_type=random --file_weights=1:2 --openfiles=1
refused "beyond the end" --rw=randread --random_clip=1 --random_distribution=zoned_abs:0/2m:100/1m
refused "needs file_service_type=random" --file_weights=1
refused "2 weights for 1 file" --file_service_type=random --file_weights=1:2
refused "not weights" --file_service_type=random --file_weights=1:0
refused "not weights" --file_service_type=random --file_weights=1:
refused "norandommap" --rw=randread --file_service_type=random --file_weights=1
refused "contradicts iodepth_per_file" --ioengine=libaio --file_service_type=random --file_weights=1 --iodepth_per_file=1
refused "smaller than one write" --rw=write --bs=64k --write_pool=4k
refused "contradicts write_pool" --rw=write --write_pool=1m --zero_buffers
refused "write_pool_file=x" --write_pool_file=x
refused "measures nothing" --ramp_only=1 --runtime=1
refused "has no effect without thread_group" --thread_group_depth=4
[ -n "$threads" ] || refused "thread=1" --thread_group=g
refused "contradicts cpus_allowed" --cpu_list=0 --cpus_allowed=0
refused "not a list of CPUs" --cpu_list=0,,1
refused "contradicts cpu_list" --cpu_list=0 --cpu_order=c
refused "not an order" --cpu_order=pe
refused "not a weight" --thread_group_weight=0/0
# create=always: fiord replaces files that it created. Another program's file stays, or is refused if it is too short.
run --name=a --filename=made --filesize=64k --rw=read --create=always --create_fill=pattern
check "a missing file is created" test "$rc" = 0
check "... with the bytes 0 to 255" test "$(od -An -tx1 -j 65280 -N 4 made)" = " 00 01 02 03"
if [ "$(getfattr --only-values -n user.fiord made 2>/dev/null)" ]; then
	run --name=a --filename=made --filesize=32k --rw=read --create=always --create_fill=zero
	check "a file that fiord created is replaced" test "$(stat -c %s made)" = 32768
	check "... with zeroes" test "$(tr -d '\0' <made | wc -c)" = 0
else
	skip "a file that fiord created is replaced" "no extended attributes here, or no getfattr"
fi
printf x >mine
truncate -s 64k mine
run --output-format=json --name=a --filename=mine --filesize=64k --rw=read --create=always
check "another program's file stays" test "$rc:$(head -c 1 mine)" = 0:x
check "... and a note advises allow_write" test "$(jq '[.fiord.notes[] | select(contains("allow_write=mine"))] | length' out)" = 1
run --name=a --filename=mine --filesize=128k --rw=read --create=always
check "another program's file that is too short is refused" test "$rc:$(stat -c %s mine)" = 3:65536
run --name=a --filename=mine --filesize=64k --rw=read --create=always --create_fill=zero --allow_write=mine
check "allow_write replaces it" test "$rc:$(tr -d '\0' <mine | wc -c)" = 0:0
run --readonly --name=a --filename=mine --filesize=64k --rw=read --create=always --allow_write=mine
check "--readonly does not replace it" test "$rc" = 3
finish
