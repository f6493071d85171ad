# lib.sh: the helpers of scripts that run in a guest (t/guest/run): those of t/lib.sh, and the devices.
# shellcheck shell=sh
. "$SOURCE/t/lib.sh"

# gojq begins in a tenth of the time of jq 1.6, which compiles its own library first. A guest under TCG feels that in each check.
! command -v gojq >/dev/null || jq() {
	gojq "$@"
}

# module NAME [PARAMETER=VALUE...]: loads a module of the guest's kernel, or skips the script.
module() {
	modprobe "$@" || skip_all "no module $1 in kernel $(uname -r)"
}

# requires_kernel MAJOR.MINOR: skips the script if the guest's kernel is older.
requires_kernel() {
	[ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -n 1)" = "$1" ] || skip_all "kernel $(uname -r) is older than $1"
}

# guest_device NAME [NAMESPACE]: prints the block device of a row of devices.tsv, as soon as the kernel has it.
guest_device() {
	until_true 20 find_guest_device "$1" "${2:-1}" && echo "/dev/$found"
}

find_guest_device() { # NAME NAMESPACE
	for block in /sys/block/*; do
		found=${block##*/}
		case $found in
		nvme*c*n*) continue ;;
		nvme*n"$2") serial=$block/device/serial ;;
		vd*) serial=$block/serial ;;
		sd*) serial=$block/device/model ;;
		*) continue ;;
		esac
		[ "$(tr -d ' \n' <"$serial" 2>/dev/null)" != "$1" ] || return 0
	done
	return 1
}

# null_block NAME [ATTRIBUTE=VALUE...]: makes a null_blk device by configfs, such as zoned=1 memory_backed=1 size=256 (MiB).
null_block() {
	null=/sys/kernel/config/nullb/$1
	[ -d /sys/module/null_blk ] || module null_blk nr_devices=0
	mkdir "$null" || return
	shift
	for attribute in "$@" power=1; do
		echo "${attribute#*=}" >"$null/${attribute%%=*}" || return
	done
}

# device_ios NAME: prints the reads, read sectors, writes and written sectors that the kernel has counted for a block device.
device_ios() {
	awk '{print $1, $3, $5, $7}' "/sys/block/$1/stat"
}

# namespace NAME EXTENDED BYTES AT TYPE: sets $block, $ng and what the format is.
namespace() {
	name=$1 extended=$2 bytes=$3 at=$4 type=$5
	block=$(guest_device "$1") || skip_all "the guest has no $1"
	ng=/dev/ng${block#/dev/nvme}
}

# transfer read|write: 16 blocks from block 136 on, by nvme-cli, without a check: the files data and metadata.
transfer() {
	if [ "$extended" = 1 ]; then
		nvme "$1" "$ng" -s 136 -c 15 -z $((16 * (512 + bytes))) -d "$dir/data" -p 0
	else
		nvme "$1" "$ng" -s 136 -c 15 -z 8192 -d "$dir/data" -y $((16 * bytes)) -M "$dir/metadata" -p 0
	fi
} >/dev/null 2>&1

tuples_match() { # TAG
	rm -f "$dir/data" "$dir/metadata"
	transfer read && (cd "$dir" && python3 "$SOURCE/t/guest/tuples.py" "$extended" "$bytes" "$at" "$type" "$1")
}

# plant BYTE: changes this byte of the metadata of block 137, counted from the tuple on. Its new value is $planted, in hexadecimal.
plant() {
	file=$dir/metadata place=$((bytes + at + $1))
	transfer read
	[ "$extended" = 0 ] || file="$dir/data" place=$((2 * 512 + place))
	planted=$(($(od -An -tu1 -j "$place" -N 1 "$file") ^ 0x5a))
	printf '%b' "\\0$(printf %o "$planted")" | dd of="$file" bs=1 seek="$place" conv=notrunc status=none
	planted=$(printf %x "$planted")
	transfer write
}
