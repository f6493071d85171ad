#!/bin/sh
# A worker has as many open descriptors after its run as before it, and its commands get none of them.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
[ -z "$threads" ] || skip_all "the workers are threads: all of them share descriptors"

# From the command upwards: how many descriptors each process has, first line the command's own shell.
cat >upwards <<'EOF'
p=$PPID
while [ "$p" -gt 1 ] && [ "$p" != "$TEST" ]; do
	ls "/proc/$p/fd" | wc -l
	p=$(sed -n 's/^.*) [A-Za-z] \([0-9]*\) .*/\1/p' "/proc/$p/stat")
done
EOF
TEST=$$
export TEST

look() { # WHAT OPTION...
	what=$1
	shift
	rm -f x.*
	run --name=x --directory="$dir" --size=1m --bs=16k "$@" --exec_prerun="sh ./upwards; :" \
		--exec_postrun="sh ./upwards; :"
	before=$(cat x.prerun.txt)
	check "$what: ran" exits 0
	check "$what: there are workers to look at" [ "$(echo "$before" | wc -l)" -gt 2 ]
	check "$what: as many descriptors as before" same "$(cat x.postrun.txt)" "$before"
}

look "one file" --rw=randread
least=$(head -n 1 x.prerun.txt)
for engine in psync sync vsync pvsync2 mmap splice posixaio libaio io_uring; do
	if [ "$engine" = io_uring ]; then
		run --name=try --filename=try --size=64k --ioengine=io_uring
		[ "$rc" = 0 ] || { skip io_uring "$(tail -n 1 err)"; continue; }
	fi
	look "$engine, files opened one after the other" --rw=write --ioengine="$engine" --iodepth=4 --nrfiles=20 \
		--openfiles=2 --loops=2
done
look "file operations" --ioengine=filecreate --nrfiles=50
look "files that go and come" --rw=write --nrfiles=20 --unlink_each_loop=1 --loops=3
look "threads that submit" --rw=randread --io_submit_mode=offload --iodepth=8
look "memory of a file" --rw=randread --mem=mmap:"$dir/memory"
check "a command has the descriptors of the program's caller" same "$(head -n 1 x.prerun.txt)" "$least"
finish
