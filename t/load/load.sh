#!/bin/sh
# Does the disk get the same load from fiord as from fio? Both run each job of jobs.txt on a loop device, or on files of a file system
# on one. The device's counters, and the calls and offsets in strace's output, must agree as the row says.
#
# load.sh [ROW...] runs only these rows and keeps the counts.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=t/lib.sh
. "$here/../lib.sh"
requires fio awk losetup mkfs.ext4 mountpoint strace blockdev
requires_root

mib=64
lanes=3 # the largest number of loop devices in use at the same time
keep=
only=$*
[ $# = 0 ] || keep=1
space=$dir
[ ! -w /dev/shm ] || space=$(mktemp -d /dev/shm/fiord-load.XXXXXX) || exit 1
devices=

cleanup() {
	for lane in $devices; do
		umount "$space/$lane.mnt" 2>/dev/null
		restore "$lane"
		losetup -d "$(cat "$space/$lane.dev")"
	done
	[ -z "$keep" ] || cp -r "$dir" "$(mktemp -d "${TMPDIR:-/tmp}/fiord-load-kept.XXXXXX")"
	[ "$space" = "$dir" ] || rm -rf "$space"
}

# Only the program's own submission may merge I/Os, and no result may depend on timing: the device has no scheduler and no read-ahead.
add_lane() { # NUMBER
	truncate -s "${mib}m" "$space/$1.img" && mkdir "$space/$1.mnt" &&
		losetup -f --show "$space/$1.img" >"$space/$1.dev" 2>"$dir/losetup" || return
	devices="$devices $1"
	sed 's/.*\[\(.*\)\].*/\1/' "$(queue "$1")/scheduler" >"$space/$1.scheduler"
	cat "$(queue "$1")/read_ahead_kb" >"$space/$1.read_ahead_kb"
	echo none >"$(queue "$1")/scheduler"
	echo 0 >"$(queue "$1")/read_ahead_kb"
}

restore() { # LANE
	for setting in scheduler read_ahead_kb; do
		cat "$space/$1.$setting" >"$(queue "$1")/$setting"
	done
}

queue() { # LANE
	echo "/sys/block/$(basename "$(cat "$space/$1.dev")")/queue"
}

# These fields of Documentation/block/stat.rst describe a load.
counters() { # DEVICE
	awk '{ print "reads", $1; print "read_merges", $2; print "read_sectors", $3
		print "writes", $5; print "write_merges", $6; print "write_sectors", $7
		print "trims", $12; print "trim_sectors", $14; print "flushes", $16 }' \
		"/sys/block/$(basename "$1")/stat"
}

# Another process that reads the mounts may keep one busy for a moment.
unmount() { # DIRECTORY
	! mountpoint -q "$1" || until_true 20 umount "$1" 2>/dev/null
}

# After umount a mount namespace that another process made meanwhile may still hold the device. blkdiscard then fails with EBUSY.
discard() { # DEVICE
	! blkdiscard "$1" 2>&1 | grep -q busy
}

# Sets up the target before each run: a device of zeroes, or a file system with the files f (1 MiB) and j.0.0 to j.0.3 (256 KiB each).
prepare() { # LANE WHERE DEVICE
	mnt=$space/$1.mnt
	unmount "$mnt" || return
	until_true 60 discard "$3" || return
	if [ "$2" = fs ]; then
		mkfs.ext4 -q -F -O ^has_journal -E lazy_itable_init=0 "$3" 2>/dev/null && mount "$3" "$mnt" || return
		head -c 1048576 /dev/urandom >"$mnt/f"
		for i in 0 1 2 3; do
			head -c 262144 /dev/urandom >"$mnt/j.0.$i"
		done
		unmount "$mnt" || return
	fi
	echo 0 >"$(queue "$1")/read_ahead_kb" # some kernels reset it when other limits change
	blockdev --flushbufs "$3"
	[ "$2" != fs ] || mount "$3" "$mnt"
}

# look DEVICE OPTIONS: counts the reads with which libblkid searches for signatures, once before fiord writes to a device. `fiord
# check` does the same reads. The comparison leaves them out.
look() {
	counters "$1" >look.before
	eval "\"$FIORD\" check --name=j --filename=$1 $2" >look.out 2>&1
	blockdev --flushbufs "$1"
	counters "$1" >look.after
	difference look
}

difference() { # SIDE
	awk 'NR == FNR { before[$1] = $2; next } { print $1, $2 - before[$1] }' "$1.before" "$1.after" >"$1.did"
}

# run_program PROGRAM LANE WHERE OPTIONS: prints the counts as lines of a name and a number, and writes the offsets to SIDE.order.
run_program() {
	side=$(basename "$1")
	device=$(cat "$space/$2.dev")
	case $3 in
	dev) at="--filename=$device" ;;
	fs)
		at="--directory=$space/$2.mnt"
		[ "$side" != fiord ] || at="$at --allow_write=$space/$2.mnt/f"
		;;
	esac
	prepare "$2" "$3" "$device" || return
	counters "$device" >"$side.before"
	eval "straced -f -y -qq -e trace=$traced -o $side.calls \"$1\" --name=j $at --output=$side.out $4" \
		>"$side.err" 2>&1 </dev/null || echo "$side: exit $?: $(tail -n 3 "$side.err" "$side.out")"
	if [ "$3" = fs ]; then
		sync -f "$space/$2.mnt"
	else
		blockdev --flushbufs "$device"
	fi
	counters "$device" >"$side.after"
	difference "$side"
	if [ "$side:$3" = fiord:dev ]; then
		look "$device" "$4"
		awk 'NR == FNR { look[$1] = $2; next } { print $1, $2 - look[$1] }' look.did "$side.did" >"$side.net"
		mv "$side.net" "$side.did"
	fi
	awk -v target="$space/$2.mnt/|$device" -v order="$side.order" -f "$here/calls.awk" "$side.calls" >>"$side.did"
}

traced=openat,close,fsync,fdatasync,sync_file_range,fadvise64,ioctl,fallocate,unlink,unlinkat,read,write,pread64,pwrite64

# differs COMPARED: prints the counters that differ, or differ more than the row allows (NAME~PERCENT).
differs() {
	for what in $(echo "$1" | tr , ' '); do
		case $what in
		order) diff fio.order fiord.order | head -n 20 ;;
		places)
			sort fio.order >fio.places
			sort fiord.order >fiord.places
			diff fio.places fiord.places | head -n 20
			;;
		disk) numbers 0 'reads|read_merges|read_sectors|writes|write_merges|write_sectors|trims|trim_sectors|flushes' ;;
		*~*) numbers "${what#*~}" "${what%~*}" ;;
		*) numbers 0 "$what" ;;
		esac
	done
}

numbers() { # PERCENT NAMES
	awk -v percent="$1" -v names="^($2)\$" '$1 !~ names { next }
		NR == FNR { fio[$1] = $2; next }
		{ found++; off = $2 - fio[$1]; off = off < 0 ? -off : off
		  if (!($1 in fio) || off * 100 > fio[$1] * percent) print $1 ": fio " fio[$1] ", fiord " $2 }
		END { if (!found) print "nothing is called " names }' fio.did fiord.did
}

row() { # LANE NAME WHERE COMPARED OPTIONS
	mkdir -p "$dir/$2" && cd "$dir/$2" || return
	run_program fio "$1" "$3" "$5" && run_program "$FIORD" "$1" "$3" "$5" || echo "not prepared"
	differs "$4"
}

# On a busy machine another process may read the device, or a call of fio may be interrupted. A row that differs may run three times.
agrees() { # LANE NAME WHERE COMPARED OPTIONS
	row "$@" >"$dir/$2.differs" 2>&1
	empty "$dir/$2.differs"
}

rows() { # LANE: runs its share of the rows
	turn=0
	grep -v -e '^#' -e '^$' "$here/jobs.txt" | while read -r name where compared options; do
		[ -z "$only" ] || case " $only " in *" $name "*) ;; *) continue ;; esac
		turn=$(((turn + 1) % lanes))
		[ $turn = "$1" ] || continue
		one_of_three agrees "$1" "$name" "$where" "$compared" "$options"
	done
}

case $FIORD in /*) ;; *) FIORD=$PWD/$FIORD ;; esac
wanted=$lanes
lanes=0
while [ $lanes -lt $wanted ] && add_lane $lanes; do
	lanes=$((lanes + 1))
done
[ $lanes -gt 0 ] || skip_all "no loop device: $(cat "$dir/losetup")"
for lane in $devices; do
	rows "$lane" &
	running="${running:-} $!"
done
# shellcheck disable=SC2086
wait $running

for list in "$dir"/*.differs; do
	name=$(basename "$list" .differs)
	label="$name: $(grep "^$name " "$here/jobs.txt" | tr -s ' ' | cut -d ' ' -f 4-)"
	check "$label" empty "$list"
	sed 's/^/    /' "$list"
done
finish
