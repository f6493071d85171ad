#!/bin/sh
# devices: nvme-fdp nvme
# kernel: trixie-backports
# qemu: trixie
# seconds: 300
# Do writes reach the reclaim units that the job names: by placement ids (io_uring_cmd), and by write streams of Linux (io_uring)? Witness: nvme-cli
# reads how many blocks each unit still takes (RUAMW), and the counters of the endurance group.
. "$SOURCE/t/guest/lib.sh"
requires nvme jq
block=$(guest_device nvme-fdp) || skip_all "the guest has no nvme-fdp"
plain=$(guest_device nvme) || skip_all "the guest has no nvme"
ng=/dev/ng${block#/dev/nvme}
unit=65536 # blocks of 512 bytes in a reclaim unit

# room: prints the blocks that the unit of each of the four handles still takes.
room() {
	nvme fdp status "$block" | sed -n 's/.*RUAMW): //p' | paste -sd' '
}

# placed OPTION...: runs a job. $taken are the blocks that it wrote to the unit of each handle; a unit that is full is followed by an empty one.
placed() {
	before=$(room)
	run --output-format=json --output="$dir/json" --name=job --bs=4k --rw=write --size=1m --iodepth=8 "$@"
	taken=$(echo "$before $(room)" | awk -v unit=$unit '{ for (i = 1; i <= 4; i++) printf "%s%d", (i > 1 ? " " : ""), ($i - $(i + 4) + unit) % unit }')
}

cmd() {
	placed --filename="$ng" --ioengine=io_uring_cmd "$@"
}

stream() {
	placed --filename="$block" --ioengine=io_uring --direct=1 --dataplacement=streams "$@"
}

takes() { # NAME BLOCKS REPORTED: whether the units took these blocks, and the report has these writes of each number
	check "$1: the units took $2 blocks" test "$taken" = "$2"
	check "... and the report has the writes: $3" json "$dir/json" \
		".jobs[0].fiord.placement | ([.ids[] | \"\\(.plid)=\\(.ios)x\\(.bytes / (.ios + if .ios == 0 then 1 else 0 end))\"] | join(\" \")) == \"$3\""
}

cmd
check "without an option all goes to the first unit" test "$taken" = "2048 0 0 0"
cmd --fdp=1
takes "fdp=1" "512 512 512 512" "0=64x4096 1=64x4096 2=64x4096 3=64x4096"
cmd --dataplacement=fdp --plids=3,1
takes "plids=3,1" "0 1024 0 1024" "3=128x4096 1=128x4096"
cmd --fdp=1 --fdp_pli=1-3 --size=96k
takes "fdp_pli=1-3" "0 64 64 64" "1=8x4096 2=8x4096 3=8x4096"
printf '0, 256k, 2\n512k, 1m, 0\n' >"$dir/scheme"
cmd --fdp=1 --plid_select=scheme --dp_scheme="$dir/scheme" --iodepth=4
check "a scheme: the units took the blocks of its lines, and the first unit the blocks without a line" test "$taken" = "1536 0 512 0"
check "... and the report has both" json "$dir/json" '.jobs[0].fiord.placement | .unplaced_ios == 64 and .unplaced_bytes == 262144 and
	.ids == [{kind: "fdp", plid: 2, ios: 64, bytes: 262144}, {kind: "fdp", plid: 0, ios: 128, bytes: 524288}]'
cmd --fdp=1 --plids=2,3 --plid_select=random --size=4m
check "random: two units took all blocks" sh -c 'set -- $0; test "$1 $2" = "0 0" && test $(($3 + $4)) = 8192' "$taken"
check "... as many as the report has of each" test "$taken" = "0 0 $(jq -r '[.jobs[0].fiord.placement.ids[] | .bytes / 512] | join(" ")' "$dir/json")"
check "... each between a quarter and three quarters" json "$dir/json" '[.jobs[0].fiord.placement.ids[] | .ios > 256 and .ios < 768] | all'
cmd --fdp=1 --plids=1 --numjobs=2 --group_reporting=1 --size=256k
takes "two workers in one entry" "0 1024 0 0" "1=128x4096"
cmd --fdp=1 --rw=randrw --plids=2 --size=1m --verify=crc32c --do_verify=0
check "reads need no placement" exits 0

stream
takes "streams" "512 512 512 512" "1=64x4096 2=64x4096 3=64x4096 4=64x4096"
stream --plids=2,4
takes "streams 2 and 4" "0 1024 0 1024" "2=128x4096 4=128x4096"
stream --plids=3 --registerfiles=0 --fixedbufs=0 --io_submit_mode=offload --iodepth=2
takes "a stream by threads that submit" "0 0 2048 0" "3=256x4096"
stream --plids=2 --fsync=3
check "syncs between the writes succeed" exits 0
check "... have no stream" test "$taken" = "0 2048 0 0"
placed --group_reporting=1 --filename="$ng" --ioengine=io_uring_cmd --fdp=1 --plids=1 --name=second --filename="$block" --ioengine=io_uring --direct=1 \
	--group_reporting=1 --bs=4k --rw=write --size=1m --offset=1m --dataplacement=streams --plids=1
check "placement ids and streams with the same number stay apart" json "$dir/json" \
	'.jobs[0].fiord.placement.ids | map("\(.kind) \(.plid) \(.ios)") == ["fdp 1 256", "streams 1 256"]'
stream --plids=5
check "a number above those of the device is refused" grep -q "plids=5: $block has no write stream 5, only 1 to 4" "$dir/err"
before=$(room)
run --output-format=json --output="$dir/example" "$SOURCE/examples/fdp.ini" --set filename="$ng" --set time_based=0 --set runtime=0 --set io_size=1m
taken=$(echo "$before $(room)" | awk -v unit=$unit '{ for (i = 1; i <= 4; i++) printf "%s%d", (i > 1 ? " " : ""), ($i - $(i + 4) + unit) % unit }')
check "examples/fdp.ini: the journal and the data took a unit each" test "$taken" = "2048 2048 0 0"
cmd --fdp=1 --plids=1,3
cp "$dir/json" "$dir/first"
cmd --fdp=1 --plids=2
"$FIORD" compare "$dir/first" "$dir/json" >"$dir/compare"
check "fiord compare says that placement differs" grep -q 'plids: 1,3 -> 2' "$dir/compare"
"$FIORD" check --name=job --filename="$ng" --ioengine=io_uring_cmd --rw=write --size=1m --fdp=1 --plids=1,3 >"$dir/plan"
check "the plan has the ids" grep -q 'by plids, which take turns: 1 (id 0x1), 3 (id 0x3)' "$dir/plan"
sfdisk --quiet "$block" >/dev/null 2>&1 <<-'TABLE'
	label: gpt
	start=2048, size=65536
TABLE
until_true 10 test -b "${block}p1"
placed --filename="${block}p1" --ioengine=io_uring --direct=1 --dataplacement=streams
check "a partition has no streams" grep -q "${block}p1: it is a partition" "$dir/err"
module ext4
mkfs.ext4 -q "${block}p1" && mkdir "$dir/mnt" && mount "${block}p1" "$dir/mnt"
placed --filename="$dir/mnt/f" --ioengine=io_uring --direct=1 --dataplacement=streams
check "... and a file has none" grep -q "not through file systems" "$dir/err"
umount "$dir/mnt"
placed --filename="$plain" --ioengine=io_uring --direct=1 --dataplacement=streams
check "a plain NVMe device has no streams" grep -q "$plain: the device has no write streams" "$dir/err"
placed --filename="/dev/ng${plain#/dev/nvme}" --ioengine=io_uring_cmd --fdp=1
check "... and no placement ids" grep -q 'fdp=1: .* has no placement ids (I/O Management Receive: ' "$dir/err"
cmd --fdp=1 --plids=4
check "a number that the device lacks is refused" grep -q "plids=4: $ng has no placement id 4, only 0 to 3" "$dir/err"
printf '0, 4k, 0\n1m, 2m, 9\n' >"$dir/scheme"
cmd --fdp=1 --plid_select=scheme --dp_scheme="$dir/scheme"
check "... also in a scheme, with its line" grep -q "scheme:2: $ng has no placement id 9, only 0 to 3" "$dir/err"
finish
