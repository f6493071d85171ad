#!/bin/sh
# Does fiord run on a Linux of 2018, and say what this kernel lacks? io_uring came with 5.1, and the BPF that --where needs later.
# A program built with -Dstatic=true also runs in a directory with nothing else, not even /proc.
# kernel: ubuntu-bionic
. "$SOURCE/t/guest/lib.sh"
cd "$dir" || exit 1
check "the kernel is older than 5.1" sh -c '[ "$(printf "5.1\n%s\n" "$(uname -r)" | sort -V | tail -n 1)" = 5.1 ]'

for engine in psync pvsync2 libaio posixaio mmap splice; do
	run --name=a --directory="$dir" --rw=randrw --size=1m --ioengine=$engine --output-format=json
	check "$engine runs" exits 0
	check "... each I/O once" json out '.jobs[0] | .read.total_ios + .write.total_ios == 256'
done
run --name=a --directory="$dir" --rw=write --size=1m --verify=crc32c --ioengine=libaio --iodepth=8
check "verification runs" exits 0
run --name=a --directory="$dir" --rw=read --size=1m --ioengine=io_uring
check "io_uring fails" exits 1
check "... and the error says that this kernel has none" grep -qF 'ioengine=io_uring: the kernel has no io_uring' err
run --where --name=a --directory="$dir" --rw=read --size=1m --ioengine=psync
check "with --where the job runs" exits 0
check "... and a note says what this kernel lacks" says out "this kernel has no BTF"

if readelf -lW "$FIORD" | grep -q INTERP; then
	skip "the static program runs alone" "built without -Dstatic=true"
else
	mkdir -p root/dev root/data && strip -o root/fiord "$FIORD"
	mknod -m 666 root/dev/null c 1 3
	chroot root /fiord --name=a --directory=/data --rw=randrw --size=1m --ioengine=libaio --output-format=json >out 2>err
	rc=$?
	check "the static program runs alone" exits 0
	check "... each I/O once" json out '.jobs[0] | .read.total_ios + .write.total_ios == 256'
fi
finish
