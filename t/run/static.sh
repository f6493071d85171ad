#!/bin/sh
# Does the program of -Dstatic=true run where there is nothing but itself? readelf is the witness that it needs no library. It runs in a
# directory as its root that has /dev/null and no /proc, /sys or library, as an image from scratch. It recognizes the file systems that their
# own mkfs made. nm is the witness that fiord and its libraries have no name in common.
. "$SOURCE/t/lib.sh"
loop=
cleanup() {
	[ -z "$loop" ] || losetup -d "$loop"
}
requires readelf chroot strip nm jq
! readelf -lW "$FIORD" | grep -q INTERP || skip_all "built without -Dstatic=true"
requires_root
root=$dir/root
mkdir -p "$root/dev" "$root/data"
mknod -m 666 "$root/dev/null" c 1 3 2>"$dir/err" || skip_all "no device file can be made: $(cat "$dir/err")"
[ "$SANITIZE" = none ] || skip_all "sanitizers need /proc"
strip -o "$root/fiord" "$FIORD"

check "it needs no library" sh -c '! readelf -dW "$1" | grep -q NEEDED' sh "$root/fiord"
check "... and has at most 15 MiB" test "$(stat -c %s "$root/fiord")" -le 15728640
# names ARCHIVE...: prints the global names that they define.
names() {
	nm --defined-only "$@" 2>/dev/null | awk '$2 ~ /^[TDBR]$/ { print $3 }' | sort -u
}
names "${FIORD%/src/fiord}"/lib*.a >"$dir/ours"
check "the names of fiord's functions are known" grep -qx units_size "$dir/ours"
# The linker takes the first of two functions with one name, without a word, so that the library would call fiord's.
for library in aio blkid bpf crypto elf expat inih uring uuid z zstd; do
	archive=$(cc -print-file-name=lib$library.a 2>/dev/null)
	[ -f "$archive" ] || { skip "lib$library has no name of fiord's" "no lib$library.a" && continue; }
	names "$archive" | comm -12 "$dir/ours" - >"$dir/out"
	check "lib$library has no name of fiord's" empty "$dir/out"
done

run --version
cp "$dir/out" "$dir/version"
alone() { # ARG...
	worker_option "$@"
	# shellcheck disable=SC2086
	chroot "$root" /fiord "$@" $thread_option >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}
alone --version
check "in an empty directory it says its version" cmp "$dir/out" "$dir/version"
alone preset show disk
check "... its presets are in it" cmp "$dir/out" "$SOURCE/jobs/disk.ini"
for engine in psync libaio io_uring posixaio mmap; do
	"$FIORD" --enghelp | grep -qw $engine || { skip "$engine runs there" "not in this build" && continue; }
	alone --name=a --directory=/data --rw=randrw --size=1m --ioengine=$engine --output-format=json --output=/data/$engine.json
	if grep -q 'io_uring.*\(not permitted\|not implemented\)' "$dir/err"; then
		skip "$engine runs there" "this machine forbids it"
		continue
	fi
	check "$engine runs there" exits 0
	check "... each I/O once" json "$root/data/$engine.json" '.jobs[0] | .read.total_ios + .write.total_ios == 256'
done
for digest in crc32c md5 sha1 sha256 sha512 sha3-256 xxhash; do
	alone --name=$digest --directory=/data --rw=write --size=64k --verify=$digest --ioengine=psync
	check "verify=$digest works there" exits 0
	flip "$root/data/$digest.0.0" 5000
	alone --name=$digest --directory=/data --rw=write --size=64k --verify=$digest --verify_only --ioengine=psync
	check "... and finds a flipped bit" exits 4
done

for fs in ext4 xfs btrfs; do
	command -v mkfs.$fs >/dev/null || { skip "a device with $fs is refused" "no mkfs.$fs" && continue; }
	rm -f "$dir/image"
	truncate -s 320m "$dir/image"
	mkfs.$fs "$dir/image" >"$dir/out" 2>&1 || { skip "a device with $fs is refused" "mkfs.$fs: $(tail -n 1 "$dir/out")" && continue; }
	loop=$(losetup -f --show "$dir/image" 2>"$dir/err") || { loop= && skip "a device with $fs is refused" "$(cat "$dir/err")" && continue; }
	cksum <"$dir/image" >"$dir/before"
	run --name=a --filename="$loop" --rw=write --size=64k
	check "a device with $fs is refused" exits 3
	check "... by the name of the file system" says "$dir/err" "it carries a file system ($fs)"
	cksum <"$dir/image" >"$dir/after"
	check "... and no byte changes" cmp "$dir/before" "$dir/after"
	losetup -d "$loop" && loop=
done
finish
