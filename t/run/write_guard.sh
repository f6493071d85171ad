#!/bin/sh
# Does the write guard keep block devices that are in use? A refused run exits 3 and leaves the device's bytes; allow_write
# permits exactly the device that it names, and one in use only with allow_mounted_write beside it. Needs root and loop devices; a check names the kernel feature that is missing.
set -u
export LC_ALL=C

fiord=${FIORD:-fiord}
failures=0
out=
rc=0

skip_all() {
	echo "skipped: $*"
	exit 77
}

skip() {
	echo "ok - $1 # skipped: $2"
}

[ "$(id -u)" = 0 ] || skip_all "not root"
[ -e /dev/loop-control ] || skip_all "no loop devices"
for tool in losetup mkfs.ext4 mount mknod; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

dir=$(mktemp -d "${TMPDIR:-/tmp}/fiord-guard.XXXXXX") || exit 1
# The images are in memory if it has room, because the test reads all bytes of them many times.
images=$dir
if [ "$(stat -fc %T /dev/shm 2>/dev/null)" = tmpfs ] && [ "$(df --output=avail -m /dev/shm | tail -n 1)" -gt 2048 ]; then
	images=$(mktemp -d /dev/shm/fiord-guard.XXXXXX) || exit 1
fi
: >"$dir/loops"

cleanup() {
	[ -z "${swap:-}" ] || swapoff "$swap" 2>/dev/null
	umount "$dir/mnt" 2>/dev/null
	[ -z "${dm:-}" ] || dmsetup remove "$dm" >/dev/null 2>&1
	while read -r dev; do
		partx -d "$dev" >/dev/null 2>&1
		losetup -d "$dev"
	done <"$dir/loops"
	rm -rf "$dir" "$images"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP

mkdir "$dir/mnt"

# new_loop MIB: a new loop device in $dev, full of random bytes, because zeroes are not what makes a device free.
new_loop() {
	image=$images/image$(wc -l <"$dir/loops")
	head -c "$1M" /dev/urandom >"$image" || exit 1
	dev=$(losetup -f --show "$image" 2>&1) || skip_all "losetup: $dev"
	echo "$dev" >>"$dir/loops"
}

run() {
	out=$("$fiord" --name=guard --ioengine=psync --bs=4k --size=64k "$@" 2>&1 </dev/null)
	rc=$?
}

# sum DEVICE: checksum of the bytes that reached the device. The caches of a disk and of its partitions are not coherent. The
# kernel may write to the device that is $swap, except to its first page, which the jobs below would write first.
sum() {
	sync "$1" "$1"p[0-9] 2>/dev/null
	if [ "$1" = "${swap:-}" ]; then
		dd if="$1" iflag=direct bs=4k count=1 2>/dev/null | cksum
	else
		dd if="$1" iflag=direct bs=1M 2>/dev/null | cksum
	fi
}

check() { # LABEL PROBLEM: passes if the problem is empty
	if [ -z "$2" ]; then
		echo "ok - $1"
	else
		failures=$((failures + 1))
		echo "not ok - $1: $2"
		printf '%s\n' "$out" | sed 's/^/    /'
	fi
}

# refused LABEL DEVICE TEXT OPTION...: the run exits 3 with TEXT in its error, and the device keeps its bytes.
refused() {
	label=$1 device=$2 text=$3
	shift 3
	before=$(sum "$device")
	problem=
	run --rw=write "$@"
	[ "$rc" = 3 ] || problem="exit $rc instead of 3"
	case $out in
	*"$text"*) ;;
	*) problem="$problem, nothing about '$text'" ;;
	esac
	[ "$before" = "$(sum "$device")" ] || problem="$problem, THE DEVICE WAS WRITTEN"
	check "$label is refused" "${problem#, }"
}

# opened LABEL DEVICE OPTION...: the run exits 0 and changes the device.
opened() {
	label=$1 device=$2
	shift 2
	before=$(sum "$device")
	problem=
	run --rw=write "$@"
	[ "$rc" = 0 ] || problem="exit $rc instead of 0"
	[ "$before" != "$(sum "$device")" ] || problem="$problem, nothing was written"
	check "$label is written" "${problem#, }"
}

# refused_then_opened LABEL DEVICE TEXT: the run is refused, and succeeds with allow_write.
refused_then_opened() {
	refused "$1" "$2" "$3" --filename="$2"
	opened "$1 with allow_write" "$2" --filename="$2" --allow_write="$2"
}

make_ext4() {
	mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$1" >/dev/null 2>&1
}

put() { # DEVICE OFFSET: writes stdin there
	dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
	sync "$1"
}

# --- a free device
new_loop 16
free=$dev
opened "a free device" "$free" --filename="$free"

# --- file systems and other signatures
new_loop 32
make_ext4 "$dev"
signed=$dev
refused "an ext4 device" "$dev" "ext4" --filename="$dev"

ln -s "$dev" "$dir/link"
ln -s link "$dir/link2"
refused "an ext4 device by symbolic link" "$dev" "ext4" --filename="$dir/link"
refused "an ext4 device by two links" "$dev" "ext4" --filename="$dir/link2"
mknod "$dir/node" b $(stat -c '0x%t 0x%T' "$dev" | xargs printf '%d %d')
if dd if="$dir/node" of=/dev/null bs=512 count=1 2>/dev/null; then
	refused "an ext4 device by another node" "$dev" "ext4" --filename="$dir/node"
	refused "an ext4 device by another node (allow_write for another device)" "$dev" "ext4" \
		--filename="$dir/node" --allow_write="$free"
	opened "an ext4 device by another node (allow_write for the same device)" "$dev" \
		--filename="$dir/node" --allow_write="$dev"
	make_ext4 "$dev"
else
	skip "an ext4 device by another node" "nodes cannot be opened in $dir"
fi
refused "an ext4 device with allow_mounted_write=1 alone" "$dev" "allow_write=" \
	--filename="$dev" --allow_mounted_write=1
refused "a free device with an ext4 device" "$free" "ext4" --filename="$free:$dev"
refused_then_opened "an ext4 device" "$dev" "ext4"

if command -v mkfs.xfs >/dev/null; then
	new_loop 320
	mkfs.xfs -q -f "$dev"
	refused_then_opened "an xfs device" "$dev" "xfs"
else
	skip "an xfs device" "no mkfs.xfs"
fi

new_loop 16
printf 'LABELONE\001\000\000\000\000\000\000\000\000\000\000\000\040\000\000\000LVM2 001' | put "$dev" 512
refused_then_opened "an LVM physical volume" "$dev" "LVM2_member"

new_loop 16
head -c 4096 /dev/zero | put "$dev" 4096
printf '\374\116\053\251\001\000\000\000' | put "$dev" 4096
printf '\010' | put "$dev" 4240 # super_offset: sector 8
refused_then_opened "an md member" "$dev" "linux_raid_member"

# --- partition tables
if command -v sfdisk >/dev/null; then
	for table in dos gpt; do
		new_loop 32
		printf 'label: %s\nstart=2048, size=8192\nstart=16384, size=8192\n' "$table" |
			sfdisk -q --no-reread --no-tell-kernel "$dev" >/dev/null
		partx -d "$dev" >/dev/null 2>&1
		refused_then_opened "an idle $table partition table" "$dev" "partition table ($table)"
	done
else
	skip "an idle partition table" "no sfdisk"
fi

# --- partitions that the kernel knows (addpart works on kernels without partition parsers, too)
new_loop 32
if command -v addpart >/dev/null && addpart "$dev" 1 2048 16384 2>/dev/null && addpart "$dev" 2 32768 16384 2>/dev/null &&
	[ -b "${dev}p2" ]; then
	disk=$dev
	refused "a disk with idle partitions" "$disk" "it has partitions" --filename="$disk"
	make_ext4 "${disk}p1"
	mount -o ro "${disk}p1" "$dir/mnt"
	refused "a disk with a mounted partition" "$disk" "its partition ${disk}p1 is mounted on $dir/mnt" \
		--filename="$disk"
	refused "a mounted partition" "$disk" "mounted on $dir/mnt" --filename="${disk}p1"
	opened "a free partition beside a mounted one" "$disk" --filename="${disk}p2"
	refused "allow_write for one partition leaves the other" "$disk" "mounted on $dir/mnt" \
		--filename="${disk}p1" --allow_write="${disk}p2"
	refused "allow_write for a partition leaves the disk" "$disk" "mounted on $dir/mnt" \
		--filename="$disk" --allow_write="${disk}p1"
	umount "$dir/mnt"
else
	skip "a disk with a mounted partition" "this kernel takes no partitions on $dev"
fi

# --- mounted
new_loop 32
make_ext4 "$dev"
mount -o ro "$dev" "$dir/mnt" || skip_all "mount does not work"
refused "a mounted device" "$dev" "mounted on $dir/mnt" --filename="$dev"
run --rw=read --filename="$dev"
check "a mounted device is read" "$([ "$rc" = 0 ] || echo "exit $rc instead of 0")"
refused "a mounted device" "$dev" "end that use first" --filename="$dev"
check "... and no option is named that would do" "$(case $out in *allow_mounted_write*) echo "it is" ;; esac)"
refused "a mounted device with allow_write alone" "$dev" "allow_mounted_write=1 beside" --filename="$dev" --allow_write="$dev"
refused "a mounted device with allow_mounted_write beside another name" "$dev" "allow_mounted_write=1 beside" \
	--allow_write="$free" --allow_mounted_write=1 --filename="$free" --name=second --filename="$dev" --rw=write --bs=4k --size=64k \
	--allow_mounted_write=0 --allow_write="$dev"
if (: 3<>"$dev") 2>/dev/null; then
	opened "a mounted device with allow_write and allow_mounted_write" "$dev" --filename="$dev" --allow_write="$dev" \
		--allow_mounted_write=1
	case $out in
	*"$dev is in use (it is mounted on $dir/mnt)"*) problem= ;;
	*) problem="no such note" ;;
	esac
	check "... with a note about its other users" "$problem"
else
	skip "a mounted device with allow_write and allow_mounted_write" "this kernel never lets a mounted device be written"
fi
umount "$dir/mnt"
make_ext4 "$dev"
run --rw=write --filename="$dev" --allow_write="$dev"
check "no note calls a file system in use that is not mounted" "$(case $out in *"in use"* | *mounted*) echo "one does" ;; esac)"
make_ext4 "$dev"

# --- verify_only writes nothing, so it needs no permission: not for a mounted device, nor for one that is read-only
before=$(sum "$dev")
mount -o ro "$dev" "$dir/mnt"
run --rw=write --verify=crc32c --verify_only --filename="$dev"
problem=
case $rc:$out in
[23]:*) problem="exit $rc" ;;
*header*) ;;
*) problem="nothing about headers" ;;
esac
[ "$before" = "$(sum "$dev")" ] || problem="$problem, THE DEVICE WAS WRITTEN"
check "verify_only of a mounted device reads it, and finds no headers" "$problem"
umount "$dir/mnt"
opened "a free device with verify" "$free" --filename="$free" --rw=randwrite --verify=crc32c
if blockdev --setro "$free" 2>/dev/null; then
	run --rw=randwrite --verify=crc32c --verify_only --filename="$free"
	check "verify_only of a read-only device" "$([ "$rc" = 0 ] || echo "exit $rc")"
	blockdev --setrw "$free"
else
	skip "verify_only of a read-only device" "blockdev --setro does not work"
fi

# --- swap
new_loop 32
mkswap "$dev" >/dev/null 2>&1
if swapon "$dev" 2>/dev/null; then
	swap=$dev
	refused "a swap device in use" "$dev" "in use as swap" --filename="$dev"
	refused "a swap device in use with allow_write alone" "$dev" "in use as swap" --filename="$dev" --allow_write="$dev"
	swapoff "$dev"
	swap=
else
	skip "a swap device in use" "swapon does not work"
fi
refused_then_opened "an idle swap device" "$dev" "swap"

# --- held by dm
new_loop 16
if command -v dmsetup >/dev/null && grep -q device-mapper /proc/devices; then
	dm=fiord-guard-$$
	echo "0 16384 linear $dev 0" | dmsetup create "$dm"
	refused "a device held by dm" "$dev" "held by dm-" --filename="$dev"
	refused "a device held by dm with allow_write alone" "$dev" "held by dm-" --filename="$dev" --allow_write="$dev"
	opened "the dm device itself" "/dev/mapper/$dm" --filename="/dev/mapper/$dm"
	dmsetup remove "$dm"
	dm=
else
	skip "a device held by dm" "no device mapper in this kernel"
fi

# --- typing errors: no file is created below /dev
for typo in /dev/loop99x /dev/sdzz "${free}x" /dev/nodir/sda; do
	[ ! -e "$typo" ] || continue
	refused "the typing error $typo" "$free" "no such device" --filename="$typo"
	check "$typo was not created" "$([ ! -e "$typo" ] || echo "it exists")"
done
refused "a typing error with allow_write" "$free" "no such device" --filename=/dev/loop99x --allow_write=/dev/loop99x
refused "a typing error names what is near" "$free" "did you mean $free" --filename="${free}x"
ln -s /dev/loop99x "$dir/typo"
refused "a link to a typing error" "$free" "no such device" --filename="$dir/typo"
ln -s "$dir/nothing" "$dir/dangling"
refused "a link to nothing" "$free" "does not exist" --filename="$dir/dangling"
check "no file was created through the links" "$([ ! -e /dev/loop99x ] && [ ! -e "$dir/nothing" ] || echo "a file exists")"

# --- targets that are no devices
refused "a directory as filename" "$free" "directory" --filename="$dir/mnt"
mkfifo "$dir/fifo"
refused "a FIFO" "$free" "neither a file nor a device" --filename="$dir/fifo"

# --- the file behind a loop device
new_loop 32
make_ext4 "$dev"
image=$(cat "/sys/block/${dev#/dev/}/loop/backing_file")
mount -o ro "$dev" "$dir/mnt"
ln "$image" "$images/hard"
for name in "$image" "$images/hard"; do
	refused "the file behind a mounted loop device" "$dev" "mounted on $dir/mnt" --filename="$name"
	refused "... with allow_write alone" "$dev" "mounted on $dir/mnt" --filename="$name" --allow_write="$name"
done
run --rw=read --filename="$image"
check "... is read" "$([ "$rc" = 0 ] || echo "exit $rc")"
ln -s "$image" "$dir/x_bw.1.log"
before=$(sum "$dev")
for beside in --write_bw_log="$dir/x" --output="$image"; do
	run --rw=read --ioengine=null "$beside"
	check "... holds no ${beside%%=*}" "$([ "$rc" = 2 ] || echo "exit $rc")"
done
check "... and stays" "$([ "$before" = "$(sum "$dev")" ] || echo "THE DEVICE WAS WRITTEN")"
umount "$dir/mnt"
refused "the file behind a loop device that is not in use" "$dev" "it has data" --filename="$image"
opened "... with allow_write" "$dev" --filename="$image" --allow_write="$image"

# --- trims
new_loop 32
make_ext4 "$dev"
for rw in trim randtrim trimwrite randtrimwrite; do
	refused "$rw of an ext4 device" "$dev" "ext4" --filename="$dev" --rw=$rw
done
ln -sf "$dev" "$dir/link"
refused "a trim by symbolic link" "$dev" "ext4" --filename="$dir/link" --rw=trim
mount -o ro "$dev" "$dir/mnt"
refused "a trim of a mounted device" "$dev" "mounted on $dir/mnt" --filename="$dev" --rw=trim
umount "$dir/mnt"
if [ "$(cat "/sys/block/${dev#/dev/}/queue/discard_max_bytes" 2>/dev/null || echo 0)" = 0 ]; then
	skip "a trim with allow_write" "this loop device does not discard"
else
	opened "a trim of an ext4 device with allow_write" "$dev" --filename="$dev" --allow_write="$dev" --rw=trim
	opened "a trimwrite of a free device by libaio" "$free" --filename="$free" --rw=trimwrite --ioengine=libaio \
		--iodepth=4
	dd if=/dev/urandom of="$free" bs=64k count=1 conv=fsync 2>/dev/null
	run --rw=randtrim --filename="$free" --ioengine=libaio --iodepth=4 --direct=1
	check "a trimmed device reads as zeroes" "$(dd if="$free" iflag=direct bs=64k count=1 2>/dev/null | tr -d '\0' |
		head -c 1 | od -An -c)"
	run --rw=trim --filename="$free" --bs=1000
	check "an unaligned trim is refused" "$(case $rc$out in 2*"multiples of 512"*) ;; *) echo "exit $rc" ;; esac)"
fi

[ "$failures" = 0 ] || echo "$failures failed"
[ "$failures" = 0 ]
