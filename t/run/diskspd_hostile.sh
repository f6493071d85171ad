#!/bin/sh
# Can a pasted line or a profile smuggle in a job option, or -c overwrite a device? The names in it contain line breaks,
# comments and variables; a loop device stands for a disk.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
truncate -s 1m t.dat
ln -s "$FIORD" diskspd
break='
exec_prerun=touch pwned'

# harmless LABEL ARGUMENT...: the line is refused, and the command in its name has not run.
harmless() {
	label=$1
	shift
	run diskspd "$@"
	check "$label is refused" test "$rc" = 3
	check "$label runs no command" test ! -e pwned
	run diskspd --to-job "$@"
	check "$label does not become a job option" sh -c '! grep -q "^exec_prerun" out'
}
harmless "a pool file with a line break" -w100 -d1 -W0 "-Z64K,t.dat$break" t.dat
harmless "a pool file with a comment" -w100 -d1 -W0 "-Z64K,t.dat;x" t.dat
# shellcheck disable=SC2016
harmless "a pool file with a variable" -w100 -d1 -W0 '-Z64K,${HOME}/x' t.dat
harmless "an event with a line break" -d1 -W0 "-ysgo$break" t.dat
harmless "a path with a line break" -d1 -W0 "t.dat$break"
harmless "a path that ends in a backslash" -F2 -d1 -W0 't.dat\' t.dat
run diskspd -d1 -W0 -b4K "-Ln$break" t.dat
check "text behind an option without meaning runs no command" test ! -e pwned

cat >p.xml <<'X'
<Profile><TimeSpans><TimeSpan><Duration>1</Duration><Warmup>0</Warmup><Targets><Target><Path>t.dat</Path>
<WriteRatio>100</WriteRatio><WriteBufferContent><Pattern>random</Pattern><RandomDataSource><SizeInBytes>65536</SizeInBytes>
<FilePath>t.dat&#10;exec_prerun=touch pwned</FilePath></RandomDataSource></WriteBufferContent></Target></Targets></TimeSpan></TimeSpans></Profile>
X
harmless "a profile's pool file with a line break" -Xp.xml

# -f counts from the size that an earlier span gives the file.
cat >f.xml <<'X'
<Profile><TimeSpans>
<TimeSpan><Duration>1</Duration><Warmup>0</Warmup><Targets><Target><Path>t.dat</Path><FileSize>4194304</FileSize></Target></Targets></TimeSpan>
<TimeSpan><Duration>1</Duration><Warmup>0</Warmup><Targets><Target><Path>t.dat</Path><MaxFileSize>2097152</MaxFileSize></Target></Targets></TimeSpan>
</TimeSpans></Profile>
X
run diskspd --to-job -Xf.xml
check "-f counts from the size that an earlier span creates" grep -q '^size=2m' out

# The write guard decides about -c and --recreate, whatever name the device has.
if [ "$(id -u)" = 0 ] && command -v losetup >/dev/null && command -v mkfs.ext4 >/dev/null; then
	truncate -s 16m image
	mkfs.ext4 -q -F image
	mkdir mnt
	dev=$(losetup -f --show image 2>/dev/null) || dev=
fi
if [ -n "${dev:-}" ]; then
	cleanup() {
		umount "$dir/mnt" 2>/dev/null
		losetup -d "$dev"
	}
	ln -s "$dev" link.dat
	before=$(sha256sum <image)
	for name in link.dat "$dev" "/$dev" image; do
		# The image of an unused loop device may be written; while it is mounted it may not.
		[ "$name" != image ] || mount -o ro "$dev" mnt || continue
		run diskspd --recreate -c1M -w100 -d1 -W0 "$name"
		check "--recreate of $name is refused" test "$rc" = 3
		env ./diskspd -c1M -w100 -d1 -W0 "$name" >out 2>err </dev/null
		check "$name is refused under the name diskspd" test $? = 3
	done
	sync
	check "the file system is unchanged" test "$before" = "$(sha256sum <image)"
else
	skip "-c of devices" "not root, or no loop devices"
fi
finish
