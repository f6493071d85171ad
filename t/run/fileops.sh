#!/bin/sh
# Engines whose I/O is one operation on a file or directory: is each operation done and counted once, and are files of other
# programs kept? The test reads the directory afterwards.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
json="--output-format=json"
mkdir d

# filecreate, filestat and filedelete agree on the files of a directory.
run --name=x $json --directory=d --ioengine=filecreate --nrfiles=50 --filesize=4k --rw=write
check "filecreate exits 0" exits 0
check "... with one I/O per file" json out '.jobs[0].write | .total_ios == 50 and .io_bytes == 204800 and .clat_ns.N == 50'
check "... and the files exist and are empty" same "$(find d -type f -size 0 | wc -l)" 50
run --name=x $json --directory=d --ioengine=filestat --nrfiles=50 --loops=3 --rw=randread
check "filestat reads each file's attributes once per loop" json out '.jobs[0].read.total_ios == 150'
check "... and changes no file" same "$(find d -type f -size 0 | wc -l)" 50
if touch attr && setfattr -n user.try -v 1 attr 2>/dev/null; then
	touch d/mine
	run --name=x $json --directory=d --ioengine=filedelete --nrfiles=50 --rw=randwrite
	check "filedelete removes the files of an earlier run" json out '.jobs[0].write.total_ios == 50'
	check "... and no other file" same "$(ls d)" mine
	rm d/mine
else
	skip "filedelete of an earlier run's files" "no extended attributes (or no setfattr)"
	rm -f d/*
fi

cat >tree.fio <<-EOF
	[global]
	directory=d
	nrfiles=30
	filesize=8k
	filename_format=dir.\$filenum
	numjobs=1
	[make]
	ioengine=dircreate
	[look]
	stonewall
	ioengine=dirstat
	[remove]
	stonewall
	ioengine=dirdelete
	[again]
	stonewall
	ioengine=filecreate
	[gone]
	stonewall
	ioengine=filedelete
EOF
run $json tree.fio
check "directories and then files of the same names exit 0" exits 0
check "... with 30 operations in each job" json out '[.jobs[].read.total_ios] == [30, 30, 30, 30, 30]'
check "... and nothing is left" same "$(ls d)" ""

# Missing files are laid out as in fio, or are an error.
run --name=x $json --directory=d --ioengine=filestat --nrfiles=3 --filesize=8k
check "filestat lays out files of filesize" same "$(stat -c %s d/x.0.* | tr '\n' ' ')" "8192 8192 8192 "
run --name=y --directory=d --ioengine=filestat --nrfiles=3
check "filestat of missing files without a size is refused" exits 2
check "... and the error names the file" says err "d/y.0.0 does not exist"
check "... in one line" lines err 1
check "... and no file is created" same "$(ls d | grep -c y)" 0
run --name=y --directory=d --ioengine=filestat --nrfiles=3 --filesize=4k --create_on_open=1
check "filestat of missing files with create_on_open=1 is refused" exits 3
run --name=z --directory=d --ioengine=dirdelete --nrfiles=3 --unlink=1
check "dirdelete creates the directories that it removes" exits 0
check "... and removes them" same "$(ls d | grep -c z)" 0

# Files that fiord has not created stay.
rm -rf d && mkdir d && touch d/a d/b && mkdir d/sub && ln -s a d/link
for job in "filedelete d/a" "dirdelete d/sub" "filedelete d/link" "filedelete d/sub" "dirdelete d/a" "dircreate d/sub"; do
	run --name=x --ioengine="${job% *}" --filename="${job#* }"
	check "$job is refused" exits 3
	check "... and the error names the file" says err "${job#* }: "
done
check "... and all files still exist" same "$(ls d | tr '\n' ' ')" "a b link sub "
run --name=x --ioengine=filedelete --filename=d/a --allow_write=d/a
check "allow_write of the file permits it" test ! -e d/a
run --name=x --ioengine=filedelete --filename=d/b --allow_write=d
check "allow_write of its directory permits it" test ! -e d/b
run --name=x --ioengine=dirdelete --filename=d/sub --allow_write=d/sub
check "allow_write of a directory permits to remove it" test ! -e d/sub
mkdir d/full && touch d/full/x
run --name=x --ioengine=dirdelete --filename=d/full --allow_write=d/full
check "a directory that is not empty is an error" exits 1
check "... that names it" says err "d/full: dirdelete: Directory not empty (ENOTEMPTY)"
for job in filecreate filedelete dircreate dirdelete falloc ftruncate; do
	run --readonly --name=x --ioengine=$job --filename=d/full/x --size=4k
	check "$job is refused with --readonly" exits 2
done
run --name=x --ioengine=filecreate --filename=/dev/fiord-no-such --size=4k
check "no file is created in /dev" exits 3

# Combinations that make no sense are refused before any operation.
for job in "filedelete --loops=2" "dirdelete --time_based --runtime=1" "dircreate --loops=2" "ftruncate --rw=read" \
	"filestat --rw=trimwrite"; do
	# shellcheck disable=SC2086
	run --name=x --filename=d/new --size=4k --ioengine=$job
	check "$job is refused" exits 2
done
run --name=x --filename=d/new --filesize=4k --ioengine=filecreate --numjobs=2
check "two workers that create the same file are refused" exits 3
check "... before the file is created" test ! -e d/new

# A second run finds its files and says so.
run --name=x $json --filename=d/twice --filesize=4k --ioengine=filecreate
run --name=x $json --filename=d/twice --filesize=4k --ioengine=filecreate
check "filecreate opens an existing file, as fio does" exits 0
check "... with a note" json out '[.fiord.notes[] | select(contains("exists already"))] | length == 1'

run --name=x $json --filename=d/twice --filesize=4k --ioengine=filestat --direct=1 --fsync=1 --rw=write
check "a note names each option that concerns data" json out '.fiord.notes | map(select(contains("moves no data"))) | length == 2'

# Clones, threads, a rate and a limit.
run --name=many $json --directory=d --ioengine=filecreate --nrfiles=20 --filesize=4k --numjobs=3 --thread=1 \
	--group_reporting --filename_format='$jobname-$jobnum/$filenum'
check "clones create files of their own, with their directories" same "$(find d/many-* -type f | wc -l)" 60
check "... and one group reports them" json out '.jobs | length == 1 and .[0].read.total_ios == 60'
obeys_rate() {
	run --name=x $json --directory=d --ioengine=filestat --nrfiles=2 --filesize=4k --time_based --runtime=1 --rate_iops=50
	json out '.jobs[0].read.iops | . > 40 and . < 60'
}
check "filestat obeys a rate" one_of_three obeys_rate
run --name=x $json --directory=d --ioengine=filecreate --nrfiles=10 --filesize=4k --number_ios=4 --unlink=1 \
	--filename_format='gone.$filenum'
check "number_ios limits the operations" json out '.jobs[0].read.total_ios == 4'
check "... and unlink=1 removes the files" same "$(ls d | grep -c gone)" 0
run --name=x $json --directory=d --ioengine=filestat --nrfiles=40 --filesize=4k --file_service_type=random --loops=2
check "random file order visits each file once per loop" json out '.jobs[0].read.total_ios == 80'

for kind in file dir; do
	run --name=x $json --directory=d --filename_format="again-$kind.\$filenum" --ioengine=${kind}create --nrfiles=5 \
		--filesize=4k --loops=4 --unlink_each_loop=1
	check "${kind}create with unlink_each_loop creates all in each loop" json out '.jobs[0].read.total_ios == 20'
	check "... and leaves those of the last loop" same "$(ls d | grep -c "again-$kind")" 5
done

# falloc and ftruncate. A file may have one more block than its data, for its extents.
blocks() {
	stat -c %b d/alloc
}
if fallocate -l 64k probe 2>/dev/null && fallocate -p -o 0 -l 16k probe 2>/dev/null; then
	run --name=x $json --filename=d/alloc --size=64k --bs=4k --ioengine=falloc --rw=randwrite
	check "falloc makes the file as long as its writes" same "$(stat -c %s d/alloc)" 65536
	check "... and allocates its blocks" test "$(blocks)" -ge 128
	before=$(blocks)
	run --name=x $json --filename=d/alloc --size=64k --bs=4k --ioengine=falloc --rw=trim --io_size=16k
	check "... punches the ranges that it trims" test "$(blocks)" -le $((before - 24))
	check "... and counts them as trims" json out '.jobs[0].trim.total_ios == 4'
	run --name=x $json --filename=d/keep --size=64k --bs=4k --ioengine=falloc --rw=read
	check "... and allocates the ranges that it reads" test "$(stat -c %b d/keep)" -ge 128
else
	skip "falloc" "the file system does not allocate or punch"
fi
run --name=x $json --filename=d/length --size=64k --bs=4k --ioengine=ftruncate --rw=write
check "ftruncate sets the length to the last offset" same "$(stat -c %s d/length)" 61440
finish
