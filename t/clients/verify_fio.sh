#!/bin/sh
# Does fio verify blocks that fiord wrote, and fiord blocks that fio wrote, and does each find flipped bits in the other's?
# FIO is the fio to use. It must write headers of version 0x81, which fio 3.33 of Debian 12 does not; that of Debian sid does:
#     debootstrap --variant=minbase --include=fio sid DIRECTORY
. "$SOURCE/t/lib.sh"
: "${FIO:=fio}"
requires python3 "$FIO"
FIO=$(command -v "$FIO")
cd "$dir" || exit 1

# fio_job ARG...: runs fio on two blocks.
fio_job() {
	"$FIO" --name=other --filename=written --size=8k --rw=write --bs=4k --verify=crc32c --do_verify=0 "$@"
}
fio_job --output=/dev/null || skip_all "$FIO does not run"
version=$(od -An -tx1 -j2 -N1 written | tr -d ' ')
[ "$version" = 81 ] || skip_all "$("$FIO" --version) has headers of version 0x$version; set FIO to a fio with version 0x81"
"$FIO" --version

verified() {
	python3 "$SOURCE/t/clients/verify_fio.py" "$FIORD" "$FIO" "$dir" >table 2>&1
	rc=$?
	cat table
	[ "$rc" = 0 ]
}
check "each program accepts intact blocks of the other, and finds each flipped bit" verified

# The state of fio has the name of fiord's, but other contents.
fio_job --verify_state_save=1 --output=/dev/null
if [ -e local-other-0-verify.state ]; then
	cp local-other-0-verify.state before
	run --name=other --filename=written --size=8k --rw=write --bs=4k --verify=crc32c --verify_only=1 --verify_state_load=1
	check "a state of fio is refused" eval '! exits 0 && says err local-other-0-verify.state && lines err 1'
	check "... and left as it is" cmp -s before local-other-0-verify.state
else
	skip "a state of fio" "fio saved none"
fi
finish
