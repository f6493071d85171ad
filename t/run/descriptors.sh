#!/bin/sh
# Does a worker close all its descriptors, and do its commands inherit none of them? The commands before and after the run
# count the descriptors of each process above them.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
[ -z "$threads" ] || skip_all "the workers are threads, which share descriptors"

# Prints the number of descriptors of each process from the command upwards. The first line is the command's own shell.
cat >upwards <<'EOF'
p=$PPID
while [ "$p" -gt 1 ] && [ "$p" != "$TEST" ]; do
	ls "/proc/$p/fd" | wc -l
	p=$(sed -n 's/^.*) [A-Za-z] \([0-9]*\) .*/\1/p' "/proc/$p/stat")
done
EOF
TEST=$$
export TEST

compare_descriptors() { # LABEL OPTION...
	what=$1
	shift
	rm -f x.*
	run --name=x --directory="$dir" --size=1m --bs=16k "$@" --exec_prerun="sh ./upwards; :" \
		--exec_postrun="sh ./upwards; :"
	before=$(cat x.prerun.txt)
	check "$what: the run exits 0" exits 0
	check "$what: the command sees the worker above it" [ "$(echo "$before" | wc -l)" -gt 2 ]
	check "$what: the run leaves no descriptor open" same "$(cat x.postrun.txt)" "$before"
}

compare_descriptors "one file" --rw=randread
least=$(head -n 1 x.prerun.txt)
for engine in psync sync vsync pvsync2 mmap splice posixaio libaio io_uring; do
	if [ "$engine" = io_uring ]; then
		run --name=try --filename=try --size=64k --ioengine=io_uring
		[ "$rc" = 0 ] || { skip io_uring "$(tail -n 1 err)"; continue; }
	fi
	compare_descriptors "$engine, files opened one after the other" --rw=write --ioengine="$engine" --iodepth=4 --nrfiles=20 \
		--openfiles=2 --loops=2
done
compare_descriptors "file operations" --ioengine=filecreate --nrfiles=50
compare_descriptors "files that go and come" --rw=write --nrfiles=20 --unlink_each_loop=1 --loops=3
compare_descriptors "threads that submit" --rw=randread --io_submit_mode=offload --iodepth=8
compare_descriptors "memory of a file" --rw=randread --mem=mmap:"$dir/memory"
check "a command has as many descriptors as one of a simple job" same "$(head -n 1 x.prerun.txt)" "$least"
finish
