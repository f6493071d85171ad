#!/bin/sh
# Does fiord sweep --snia write the whole device twice, and nothing without permission, before points that run until they are
# steady? The figures of a point are compared with the window of steadystate in its document. Needs root and a loop device.
. "$SOURCE/t/lib.sh"
requires jq losetup cmp
requires_root
[ -e /dev/loop-control ] || skip_all "no loop devices"
cd "$dir" || exit 1
loop=
cleanup() {
	[ -z "$loop" ] || losetup -d "$loop"
}

head -c 8388608 /dev/urandom >image
cp image before
loop=$(losetup -f --show image 2>err) || skip_all "losetup: $(cat err)"
check_device() { # the device still has what it had
	cmp -s "$loop" before
}
# No program but fiord changes blocks: each of 4 KiB differs from what it was.
all_written() {
	[ "$(cmp -l "$loop" before | awk '{ seen[int(($1 - 1) / 4096)] = 1 } END { for (i in seen) n++; print n }')" = 2048 ]
}

job="--name=x --filename=$loop --rw=randwrite --bs=4k --ioengine=psync --steadystate_check_interval=10ms"
refused() { # CODE TEXT ARGUMENT...
	code=$1
	text=$2
	shift 2
	run sweep --snia -d d "$@"
	check "refused: $*" exits "$code"
	check "... with: $text" says err "$text"
	check "... and nothing was written" check_device
}
# shellcheck disable=SC2086
{
	refused 3 "allow_write=$loop permits that" --sweep iodepth=1,2 $job
	refused 3 "allow_write=$loop permits that" --sweep iodepth=1,2 $job --rw=randread
	refused 2 "file is not a block device" --sweep iodepth=1,2 --name=x --filename=file --size=1m
	refused 2 "file is not a block device" --sweep iodepth=1,2 $job --allow_write="$loop" --name=y --filename=file --size=1m --steadystate_check_interval=10ms
	refused 2 "the jobs have no block device" --sweep iodepth=1,2 --name=x --ioengine=null --size=1m
	refused 2 "neither reads nor writes data" --sweep iodepth=1,2 $job --allow_write="$loop" --rw=trim
	refused 2 "--sweep runtime=...: contradicts --snia" --sweep runtime=1,2 $job --allow_write="$loop"
	refused 2 "contradicts steadystate=snia" --sweep iodepth=1,2 $job --allow_write="$loop" --steadystate_duration=5 --runtime=900
	refused 2 "a DISKSPD line has no flag for a steady state" --sweep -o=1,2 diskspd -w100 -d1 "$loop"
	refused 2 "0000-precondition.json" --sweep iodepth=1,2 -o d/0000-precondition.json $job --allow_write="$loop"
}
# Another program holds the device as a mount does: with O_EXCL.
if command -v python3 >/dev/null; then
	mkfifo hold
	python3 -c 'import os, sys
os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL)
open("held", "w")
open("hold").read()' "$loop" &
	holder=$!
	until_true 60 test -e held
	# shellcheck disable=SC2086
	refused 3 "no option permits this" --sweep iodepth=1,2 $job --allow_write="$loop" --allow_mounted_write=1
	echo >hold
	wait "$holder"
fi
check "no directory was made" test ! -e d

# Two I/Os a second in rounds of 10 ms are never steady.
# shellcheck disable=SC2086
set -- --sweep iodepth=1,2 --snia $job --allow_write="$loop" --rate_iops=2 --runtime=60
run sweep "$@" --dry-run
check "--dry-run exits 0" exits 0
check "... and lists the precondition" says out "fiord --name=precondition --rw=write --bs=128k"
check "... its size and its time" says out "$loop written twice in sequence, 16.0 MiB in all, 16.8 ms at 1 GB/s"
check "... how long 25 rounds take" says out "2 points, up to 250 ms each, 500 ms in all"
check "... and that the user purges" says out "for example with nvme format or blkdiscard; fiord does not purge it"
check "... and writes nothing" check_device
ln -s "$loop" 'a\b:c'
run sweep --sweep iodepth=1,2 --snia --name=a '--filename=a\b\:c' '--allow_write=a\b\:c' --rw=randread --direct=1 --dry-run
check "... and has a name with a backslash and a colon as it was given" says out "--loops=2 --ioengine=libaio --filename='a\b\:c' --allow_write='a\b\:c'"
run sweep "$@" -d d --csv c.csv -o page.html
check "points that do not become steady make the exit code 1" exits 1
check "... the precondition wrote twice the capacity" json d/0000-precondition.json '.jobs[0].write.io_bytes == 16777216'
check "... all of the device" all_written
check "... the points took 25 rounds" json d/0002-iodepth=2.json '.jobs[0].job_runtime >= 250 and .jobs[0].job_runtime < 60000'
check "... the table says so" same "$(cut -d, -f1,3,16 c.csv | tr '\n' ' ')" "iodepth,state,steady 1,done,no 2,done,no "
check "... and does not call the figures those of a steady window" sh -c '! grep -q "steady window" out page.html'
check "... and the report" says out "2 of 2 points were not steady: the jobs ended by their runtime"
check "... and that the user had to purge" says out "fiord did not purge"
check "... and the page" says page.html "fiord did not purge"
check "... which marks the points" says page.html "not steady*"

# --resume runs what is missing, the precondition as well.
precondition=$(stat -c '%i %y' d/0000-precondition.json)
rm d/0002-iodepth=2.json
run sweep "$@" -d d --resume
check "--resume keeps a complete precondition" same "$(stat -c '%i %y' d/0000-precondition.json)" "$precondition"
check "... and says so" says out "0000-precondition.json is complete, so --resume does not precondition again"
check "... and runs the missing point" test -e d/0002-iodepth=2.json
point=$(stat -c '%i %y' d/0002-iodepth=2.json)
rm d/0000-precondition.json
run sweep "$@" -d d --resume
check "... a missing precondition is run" json d/0000-precondition.json '.fiord.exit.code == 0'
check "... and no point twice" same "$(stat -c '%i %y' d/0002-iodepth=2.json)" "$point"

# A rate that the device can hold is steady. 100 I/Os are 20 in a round, so that one more or less is 5 %.
steady() {
	rm -rf steady
	run sweep --sweep bs=4k,8k --snia -d steady --csv c.csv --name=x --filename="$loop" --allow_write="$loop" --rw=randread \
		--rate_iops=100 --steadystate_check_interval=200ms --numjobs=2
	exits 0 && json steady/0001-bs=4k.json '.jobs[0].steadystate.attained == 1'
}
check "points with a constant rate become steady" one_of_three steady
check "... and their figures are those of the window" same "$(sed -n 2p c.csv | cut -d, -f3,4,6)" \
	"$(value steady/0001-bs=4k.json '.jobs[0].fiord.steadystate.ios | "done,\(.),\(.)"')"
check "... of all clones together" awk -F, 'NR == 2 { exit !($6 > 150 && $6 < 250) }' c.csv
finish
