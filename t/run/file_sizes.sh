#!/bin/sh
# Which files does a job create, how long are they, and how much I/O is done? The test compares the directory and the document
# with figures worked out by hand.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

job() { # LABEL FILTER ARG...: runs in a new directory
	label=$1 filter=$2
	shift 2
	rm -rf data && mkdir data
	run --name=j --directory=data --bs=4k --output-format=json "$@"
	check "$label" json out "$filter"
}

sizes() {
	find data -type f -printf '%P %s\n' | sort | tr '\n' ';'
}

job "a worker does its size" '.jobs[0].write.io_bytes == 1048576' --rw=write --size=1m
check "... and its file is as long" same "$(sizes)" "j.0.0 1048576;"
job "each clone does its size" '[.jobs[].write.io_bytes] == [1048576, 1048576]' --rw=write --size=1m --numjobs=2
check "... in a file of its own" same "$(sizes)" "j.0.0 1048576;j.1.0 1048576;"
job "nrfiles share the size" '.jobs[0].write.io_bytes == 1048576' --rw=write --size=1m --nrfiles=4
check "... in equal parts" same "$(sizes)" "j.0.0 262144;j.0.1 262144;j.0.2 262144;j.0.3 262144;"
job "filesize alone sets the size" '.jobs[0].write.io_bytes == 262144' --rw=write --filesize=64k --nrfiles=4
job "openfiles=2 writes all eight files" '.jobs[0].write.total_ios == 256' --rw=randwrite --size=1m --nrfiles=8 \
	--openfiles=2
check "... to their end" same "$(sizes | grep -o ' 131072;' | wc -l)" 8
job "io_size limits the I/O" '.jobs[0].read.io_bytes == 262144' --rw=randread --size=1m --io_size=256k
job "io_size larger than size repeats the file" '.jobs[0].read.io_bytes == 3145728' --rw=randread --size=1m --io_size=3m
job "loops repeat the file" '.jobs[0].read.total_ios == 768' --rw=read --size=1m --loops=3
job "number_ios limits the I/Os" '.jobs[0].read.total_ios == 10' --rw=read --size=1m --number_ios=10
job "number_ios limits each loop" '.jobs[0].read.total_ios == 40' --rw=read --size=1m --number_ios=4 --loops=10
job "filename_format names files" '.jobs[0].error == 0' --rw=write --size=64k --filename_format='sub/$jobname-$filenum' \
	--nrfiles=2
check "... and creates their directories" same "$(sizes)" "sub/j-0 32768;sub/j-1 32768;"
job "offset_increment moves workers apart" '[.jobs[].write.io_bytes] | add == 1048576' --rw=write --filename=one \
	--size=256k --numjobs=4 --offset_increment=256k
check "... so the file is as long as all of them together" same "$(sizes)" "one 1048576;"
job "unlink removes the files" '.jobs[0].write.total_ios == 16' --rw=write --size=64k --unlink=1
check "... and leaves none" same "$(sizes)" ""
job "fsync=8 syncs after each eighth write" '.jobs[0].write.total_ios == 256 and .jobs[0].sync.total_ios == 31' \
	--rw=write --size=1m --fsync=8
job "colons separate file names" '.jobs[0].write.io_bytes == 65536' --rw=write --filename='a:b\:c' --size=64k
check "... unless they are escaped" same "$(sizes)" "a 32768;b:c 32768;"
job "bssplit does the whole size" '.jobs[0].write.io_bytes == 1048576' --rw=randwrite --size=1m --bssplit=4k/50:16k/50
job "bsrange does the whole size" '.jobs[0].write.io_bytes == 1048576' --rw=randwrite --size=1m --bsrange=4k-32k
head -c 1048576 /dev/urandom >there
job "size may be a percentage of a file" '.jobs[0].read.io_bytes == 524288' --rw=read --directory=. --filename=there --size=50%
job "offset may be a percentage of a file" '.jobs[0].read.io_bytes == 262144' --rw=read --directory=. --filename=there \
	--offset=75%
finish
