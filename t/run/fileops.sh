#!/bin/sh
# Engines whose I/O is one operation on a file or directory: what the file system shows afterwards, and what is refused.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
json="--output-format=json"
mkdir d

# A tree is made, looked at and removed; the three agree about what is there.
run --name=x $json --directory=d --ioengine=filecreate --nrfiles=50 --filesize=4k --rw=write
check "filecreate exits 0" exits 0
check "... with one I/O a file" json out '.jobs[0].write | .total_ios == 50 and .io_bytes == 204800 and .clat_ns.N == 50'
check "... and the files are there, empty" same "$(find d -type f -size 0 | wc -l)" 50
run --name=x $json --directory=d --ioengine=filestat --nrfiles=50 --loops=3 --rw=randread
check "filestat looks at each once a loop" json out '.jobs[0].read.total_ios == 150'
check "... and changes nothing" same "$(find d -type f -size 0 | wc -l)" 50
if touch attr && setfattr -n user.try -v 1 attr 2>/dev/null; then
	touch d/mine
	run --name=x $json --directory=d --ioengine=filedelete --nrfiles=50 --rw=randwrite
	check "filedelete removes what an earlier run has made" json out '.jobs[0].write.total_ios == 50'
	check "... and nothing else" same "$(ls d)" mine
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
check "directories, then files of the same names" exits 0
check "... with 30 operations each" json out '[.jobs[].read.total_ios] == [30, 30, 30, 30, 30]'
check "... and nothing is left" same "$(ls d)" ""

# What is missing is laid out as in fio, or is one error.
run --name=x $json --directory=d --ioengine=filestat --nrfiles=3 --filesize=8k
check "filestat lays out files of the size that was said" same "$(stat -c %s d/x.0.* | tr '\n' ' ')" "8192 8192 8192 "
run --name=y --directory=d --ioengine=filestat --nrfiles=3
check "filestat of missing files without a size is refused" exits 2
check "... in one line that says so" says err "d/y.0.0 does not exist"
check "... which is all" lines err 1
check "... and makes nothing" same "$(ls d | grep -c y)" 0
run --name=y --directory=d --ioengine=filestat --nrfiles=3 --filesize=4k --create_on_open=1
check "so it is when create_on_open=1" exits 3
run --name=z --directory=d --ioengine=dirdelete --nrfiles=3 --unlink=1
check "dirdelete makes what it removes" exits 0
check "... and it is gone" same "$(ls d | grep -c z)" 0

# What is not fiord's stays.
rm -rf d && mkdir d && touch d/a d/b && mkdir d/sub && ln -s a d/link
for job in "filedelete d/a" "dirdelete d/sub" "filedelete d/link" "filedelete d/sub" "dirdelete d/a" "dircreate d/sub"; do
	run --name=x --ioengine="${job% *}" --filename="${job#* }"
	check "$job is refused" exits 3
	check "... with its name" says err "${job#* }: "
done
check "... and all is still there" same "$(ls d | tr '\n' ' ')" "a b link sub "
run --name=x --ioengine=filedelete --filename=d/a --allow_write=d/a
check "allow_write of the file permits it" test ! -e d/a
run --name=x --ioengine=filedelete --filename=d/b --allow_write=d
check "allow_write of the directory permits it" test ! -e d/b
run --name=x --ioengine=dirdelete --filename=d/sub --allow_write=d/sub
check "allow_write of a directory permits to remove it" test ! -e d/sub
mkdir d/full && touch d/full/x
run --name=x --ioengine=dirdelete --filename=d/full --allow_write=d/full
check "a directory with something in it is an error" exits 1
check "... that names it" says err "d/full: dirdelete: Directory not empty (ENOTEMPTY)"
for job in filecreate filedelete dircreate dirdelete falloc ftruncate; do
	run --readonly --name=x --ioengine=$job --filename=d/full/x --size=4k
	check "$job is refused with --readonly" exits 2
done
run --name=x --ioengine=filecreate --filename=/dev/fiord-no-such --size=4k
check "nothing is made in /dev" exits 3

# Nonsense is refused before anything happens.
for job in "filedelete --loops=2" "dirdelete --time_based --runtime=1" "dircreate --loops=2" "ftruncate --rw=read" \
	"filestat --rw=trimwrite"; do
	# shellcheck disable=SC2086
	run --name=x --filename=d/new --size=4k --ioengine=$job
	check "$job is refused" exits 2
done
run --name=x --filename=d/new --filesize=4k --ioengine=filecreate --numjobs=2
check "two workers that make the same file are refused" exits 3
check "... and nothing was made" test ! -e d/new

# The same files twice: there is nothing to make, and the report says so.
run --name=x $json --filename=d/twice --filesize=4k --ioengine=filecreate
run --name=x $json --filename=d/twice --filesize=4k --ioengine=filecreate
check "filecreate opens what is there, as fio does" exits 0
check "... with a note" json out '[.fiord.notes[] | select(contains("is there already"))] | length == 1'

run --name=x $json --filename=d/twice --filesize=4k --ioengine=filestat --direct=1 --fsync=1 --rw=write
check "options about data are noted" json out '.fiord.notes | map(select(contains("moves no data"))) | length == 2'

# numjobs, a thread, a rate, a time limit.
run --name=many $json --directory=d --ioengine=filecreate --nrfiles=20 --filesize=4k --numjobs=3 --thread=1 \
	--group_reporting --filename_format='$jobname-$jobnum/$filenum'
check "clones make files of their own, and the directories above" same "$(find d/many-* -type f | wc -l)" 60
check "... and are reported together" json out '.jobs | length == 1 and .[0].read.total_ios == 60'
run --name=x $json --directory=d --ioengine=filestat --nrfiles=2 --filesize=4k --time_based --runtime=1 --rate_iops=50
check "filestat keeps a rate" json out '.jobs[0].read.iops | . > 40 and . < 60'
run --name=x $json --directory=d --ioengine=filecreate --nrfiles=10 --filesize=4k --number_ios=4 --unlink=1 \
	--filename_format='gone.$filenum'
check "number_ios and unlink" json out '.jobs[0].read.total_ios == 4'
check "... leave nothing" same "$(ls d | grep -c gone)" 0
run --name=x $json --directory=d --ioengine=filestat --nrfiles=40 --filesize=4k --file_service_type=random --loops=2
check "files at random are each looked at once a loop" json out '.jobs[0].read.total_ios == 80'

for kind in file dir; do
	run --name=x $json --directory=d --filename_format="again-$kind.\$filenum" --ioengine=${kind}create --nrfiles=5 \
		--filesize=4k --loops=4 --unlink_each_loop=1
	check "${kind}create with unlink_each_loop makes all of them in each loop" json out '.jobs[0].read.total_ios == 20'
	check "... and leaves the last loop's" same "$(ls d | grep -c "again-$kind")" 5
done

# falloc and ftruncate. A file may have a block more than its data, for its extents.
blocks() {
	stat -c %b d/alloc
}
if fallocate -l 64k probe 2>/dev/null && fallocate -p -o 0 -l 16k probe 2>/dev/null; then
	run --name=x $json --filename=d/alloc --size=64k --bs=4k --ioengine=falloc --rw=randwrite
	check "falloc makes the file as long as what it would write" same "$(stat -c %s d/alloc)" 65536
	check "... and allocates it" test "$(blocks)" -ge 128
	before=$(blocks)
	run --name=x $json --filename=d/alloc --size=64k --bs=4k --ioengine=falloc --rw=trim --io_size=16k
	check "... punches what it would trim" test "$(blocks)" -le $((before - 24))
	check "... which is counted as trims" json out '.jobs[0].trim.total_ios == 4'
	run --name=x $json --filename=d/keep --size=64k --bs=4k --ioengine=falloc --rw=read
	check "... and allocates what it would read" test "$(stat -c %b d/keep)" -ge 128
else
	skip "falloc" "the file system does not allocate or punch"
fi
run --name=x $json --filename=d/length --size=64k --bs=4k --ioengine=ftruncate --rw=write
check "ftruncate sets the length to the last offset" same "$(stat -c %s d/length)" 61440
finish
