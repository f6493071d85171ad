#!/bin/sh
# Does fiord keep a file or device behind a loop device in use, whatever the file is called, and whoever uses the loop device? The
# test compares all bytes after each refusal. Where /proc and /sys are missing, does a job still write the files that it makes?
. "$SOURCE/t/lib.sh"
requires losetup mkfs.ext4 mount unshare cmp
requires_root
[ -e /dev/loop-control ] || skip_all "no loop devices"
cd "$dir" || exit 1
# The checks of this test need a mount namespace, and fiord in it.
unshare -m true 2>err || skip_all "no mount namespaces: $(cat err)"
: >loops
cleanup() {
	exec 9>&- # ends the program that holds a device or a mount
	umount "$dir/mnt" 2>/dev/null
	while read -r dev; do
		losetup -d "$dev" 2>/dev/null
	done <loops
}
mkdir mnt
mkfifo hold

# new_loop IMAGE OPTION...: $dev is a new loop device.
new_loop() {
	image=$1
	shift
	dev=$(losetup -f --show "$@" "$image" 2>err) || skip_all "losetup: $(cat err)"
	# The last ones come first, because the ones below them are in use.
	{ echo "$dev"; cat loops; } >more
	mv more loops
}
new_image() {
	head -c 8388608 /dev/urandom >"$1"
	mkfs.ext4 -q -F "$1"
}
# A job of other bytes than any before it.
seed=0
write() { # OPTION...
	seed=$((seed + 1))
	run --name=x --bs=4k --size=64k --rw=write --randseed=$seed "$@"
}
refused() { # LABEL FILE TEXT OPTION...
	label=$1 file=$2 text=$3
	shift 3
	sync
	cp "$file" before
	write "$@"
	sync
	check "$label is refused" exits 3
	check "... with: $text" says err "$text"
	check "... and no byte changes" cmp "$file" before
}
# held: waits until the program in the background says that it holds the device. It ends when descriptor 9 closes.
held() {
	exec 9>hold
	until_true 30 test -e held
}
release() {
	exec 9>&-
	wait "$holder"
	rm -f held
}

# ---- the mount is in another namespace ----
new_image image
new_loop image
loop=$dev
unshare -m sh -c 'mount -o ro "$0" mnt && : >held && read -r _ <hold' "$loop" &
holder=$!
held
refused "the file of a loop device that is mounted in another namespace" image "backs $loop, which is held" --filename=image
refused "... with allow_write alone" image "backs $loop" --filename=image --allow_write=image
write --filename=image --allow_write=image --allow_mounted_write=1
check "... but both switches permit it" exits 0
release

# ---- the file has lost the name that the kernel knows ----
new_image first
ln first second
new_loop first
mount -o ro "$dev" mnt || skip_all "mount does not work"
rm first
refused "a hard link of a mounted image whose name is gone" second "backs $dev, which is mounted on $dir/mnt" --filename=second
new_image first
refused "... also if another file has that name" second "backs $dev, which is mounted on $dir/mnt" --filename=second
umount mnt
cp second before
write --filename=second --allow_write=second
check "an image whose loop device is idle is written" exits 0
check "... by fiord" sh -c '! cmp -s second before'

# ---- a loop device with an offset on a block device ----
head -c 16777216 /dev/urandom >base
new_loop base
below=$dev
new_loop "$below" --offset 1048576
mkfs.ext4 -q -F "$dev" >/dev/null 2>&1
mount -o ro "$dev" mnt
refused "a device below a loop device with an offset" "$below" "is behind $dev, which is mounted on $dir/mnt" --filename="$below"
refused "... and the file below both" base "backs $below, which is behind $dev" --filename=base
umount mnt

# ---- another program holds the loop device as a mount does ----
if command -v python3 >/dev/null; then
	python3 -c 'import os, sys
os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL)
open("held", "w")
open("hold").read()' "$loop" &
	holder=$!
	held
	refused "the file of a loop device that another program holds" image "backs $loop, which is held" --filename=image
	release
else
	skip "the file of a loop device that another program holds" "no python3"
fi

# ---- the file system is made after the plan, before the wave of the device ----
head -c 8388608 /dev/urandom >blank
new_loop blank
for target in "$dev" blank; do
	start --name=a --filename=first --size=1m --rw=read --runtime=600 --time_based --eta=always --eta-interval=250 \
		--name=b --stonewall --filename="$target" --allow_write=blank --size=64k --rw=write
	check "the first wave runs" until_true 30 progress_shows R
	[ "$target" = blank ] || mkfs.ext4 -q -F "$dev" >/dev/null 2>&1
	mount -o ro "$dev" mnt
	[ "$target" = blank ] || umount mnt
	sync
	cp blank before
	truncate -s 0 first
	wait_for_exit
	sync
	check "a new file system on ${target##*/} is refused when the wave begins" exits 1
	check "... with its reason" grep -qE "refusing to write: it (carries a file system .ext4|backs $dev, which is mounted)" err
	check "... and no byte changes" cmp blank before
	rm -f first
done
umount mnt

# ---- no /sys, no /proc: what cannot be checked is refused ----
# hidden DIRECTORY OPTION...: a write where an empty directory hides this one.
hidden() {
	where=$1
	shift
	seed=$((seed + 1))
	cp image before
	worker_option
	# shellcheck disable=SC2016,SC2086
	unshare -m sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$where" "${program:-$FIORD}" --name=x --bs=4k --size=64k --rw=write --randseed=$seed \
		"$@" $thread_option >out 2>err </dev/null
	rc=$?
	sync
}
mount -o ro "$loop" mnt 2>/dev/null || { mkfs.ext4 -q -F "$loop" >/dev/null 2>&1 && mount -o ro "$loop" mnt; }
sync
# fiord refuses a file of others in any case, but fio only for this reason.
hidden /sys --filename=image
check "the file of a mounted loop device is refused without /sys" exits 3
ln -sf "$FIORD" fio
program=./fio
hidden /sys --filename=image
unset program
check "... under the name fio, too" exits 1
check "... with the reason" says err "may back a loop device, but they cannot be listed: /sys is not mounted"
check "... and no byte changes" cmp image before
if [ "$SANITIZE" = none ]; then
	hidden /proc --filename=image
	check "... and without /proc" exits 3
	check "... with the reason" says err "backs $loop, which is held"
	check "... and no byte changes" cmp image before
else
	skip "... and without /proc" "sanitizers need it"
fi
umount mnt
hidden /sys --filename="$loop" --allow_write="$loop"
check "a device is refused without /sys" exits 3
check "... with the reason" says err "/sys is not mounted"
check "... and no byte changes" cmp image before
head -c 65536 /dev/urandom >mine
hidden /sys --filename=mine --allow_write=mine
check "allow_write alone does not permit a file either" exits 3
check "... with the option that does" says err "put allow_mounted_write=1 beside allow_write=mine"
hidden /sys --filename=mine --allow_write=mine --allow_mounted_write=1
check "... and does" exits 0

# ---- a job that makes its files runs where there is nothing but them ----
# The root has no /proc, /sys and /dev: a bind mount does not take what is mounted below.
# shellcheck disable=SC2016
bare() { # ARGUMENT...
	worker_option
	# shellcheck disable=SC2086
	unshare -m sh -c 'mount --bind / "$0" && mount --bind "$1" "$0$1" && shift && exec chroot "$0" "$@"' "$dir/root" "$dir" \
		"$FIORD" "$@" $thread_option >out 2>err </dev/null
	rc=$?
}
mkdir root made
if [ "$SANITIZE" != none ]; then
	skip "a bare chroot" "sanitizers need /proc"
elif bare --version && [ "$rc" = 0 ]; then
	bare --name=w --directory="$dir/made" --size=1m --rw=randwrite --bs=4k
	check "a job writes its own file in a bare chroot" exits 0
	check "... of full size" same "$(stat -c %s made/w.0.0)" 1048576
	bare --name=w --directory="$dir/made" --size=1m --rw=randread --bs=4k
	check "... which another job reads" exits 0
	head -c 65536 /dev/zero >"$dir/result"
	bare --name=w --directory="$dir/made" --size=1m --rw=randread --bs=4k --output="$dir/result"
	check "... and writes its result over one of 64 KiB" exits 0
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$FIORD" sweep --sweep bs=4k,8k -d "$dir/points" --name=w \
		--directory="$dir/made" --size=1m --rw=randread >out 2>err </dev/null
	check "... and a sweep runs without /proc" same $? 0
	if getfattr -n user.fiord made/w.0.0 >/dev/null 2>&1; then
		bare --name=w --directory="$dir/made" --size=1m --rw=randwrite --bs=4k
		check "... and a third one writes again" exits 0
	else
		skip "... and a third one writes again" "no extended attributes in $dir"
	fi
else
	skip "a bare chroot" "fiord does not start there: $(head -n 1 err)"
fi
finish
