#!/bin/sh
# per_file_stats: are the sums over a job's files exactly its figures, whatever the job does? Does the slow or faulty file show? Are
# files added up by group_reporting and fiord merge, and what do the text, the page and fiord check say? per_file_stats.py adds up.
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1
mkdir d mnt

cleanup() {
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
}

adds_up() { # [FILES]
	python3 "$SOURCE/t/run/per_file_stats.py" out "$@" >"$dir/sums" 2>&1 || {
		cat "$dir/sums"
		false
	}
}

files="--name=x --directory=d --filename=a:b:c --filesize=64k --bs=4k --per_file_stats=percentiles --output-format=json+"
timed="--name=x --directory=d --filename=a:b:c --filesize=64k --bs=4k --time_based --runtime=200ms --per_file_stats=counts --output-format=json"
queue="--iodepth=8 --ioengine=psync --io_submit_mode=offload"

# Each line: LABEL | OPTIONS. The sums of counts and latencies must be exact.
while IFS='|' read -r label options; do
	# shellcheck disable=SC2086
	eval "run $options"
	check "sums: $label" adds_up
done <<END
reads and writes|$files --rw=randrw
syncs|$files --rw=randrw --fsync=3
fdatasync and sync_file_range|$files --rw=write --fdatasync=5 --sync_file_range=write:3
lat has the percentiles|$files --rw=randrw --fsync=3 --lat_percentiles=1 --clat_percentiles=0
one direction|$files --rw=write --unified_rw_reporting=mixed
all directions together|$files --rw=randrw --unified_rw_reporting=mixed
each direction and all together|$files --rw=randrw --unified_rw_reporting=both
sequential files|$files --rw=read --file_service_type=sequential
random files|$files --rw=randread --file_service_type=random:2 --time_based --runtime=200ms
hot files|$files --rw=randread --file_service_type=zipf:1.2 --time_based --runtime=200ms
some files open|$files --rw=randread --openfiles=1 --loops=3
numjobs|$files --rw=randrw --numjobs=3
group_reporting|$files --rw=randrw --numjobs=3 --group_reporting
threads|$files --rw=randrw --numjobs=3 --group_reporting --thread
offload|$files --rw=randrw --iodepth=8 --io_submit_mode=offload --numjobs=2 --group_reporting
libaio|$files --rw=randrw --ioengine=libaio --iodepth=8
io_uring|$files --rw=randrw --ioengine=io_uring --iodepth=8
no file|--name=x --ioengine=null --size=1m --rw=randrw --per_file_stats=counts --output-format=json
a ramp|$timed --rw=randrw $queue --ramp_time=100ms
a ramp that counts by the start of I/Os|$files --rw=randrw $queue --ramp_time=1ms --loops=50
a runtime with a limit of I/Os|$timed --rw=randread $queue --number_ios=500
a ramp of bytes|$files --rw=randrw --ramp_size=64k
a cooldown|$timed --rw=randrw $queue --cooldown=100ms
a ramp and a cooldown|$timed --rw=randread $queue --ramp_time=100ms --cooldown=100ms
a rate|$timed --rw=randrw --rate_iops=3000
an open rate|$timed --rw=randread $queue --rate_iops=3000 --rate_process=poisson
a limit of the latency|$timed --rw=randread --max_latency=10s
a search for a depth|$timed --rw=randread $queue --runtime=9 --latency_target=1s --latency_window=50ms
no latencies|$timed --rw=randrw --gtod_reduce=1
a log of single I/Os|$files --rw=randrw --write_lat_log=l
priorities|$files --rw=randrw --ioengine=io_uring --cmdprio_percentage=30
own depths|$files --rw=randrw --ioengine=libaio --iodepth=2 --iodepth_per_file=1 --norandommap --time_based --runtime=200ms
verification|$files --rw=randwrite --verify=crc32c
verification while it writes|--name=v --directory=d --nrfiles=3 --filesize=64k --bs=4k --rw=randwrite --verify=crc32c --verify_backlog=4 --numjobs=2 --per_file_stats=percentiles --output-format=json+
trims|$files --rw=randtrim
trims and writes|$files --rw=trimwrite
operations on files|--name=x --directory=d --ioengine=filestat --nrfiles=7 --filesize=4k --per_file_stats=counts --output-format=json
errors that the job survives|--name=x --filename=/dev/full:d/full --size=64k --bs=4k --rw=write --ignore_error=,ENOSPC --continue_on_error=all --per_file_stats=counts --output-format=json
END

# A thread that works on the files of two sections.
run --output-format=json --thread --thread_group=g --per_file_stats=counts --directory=d --filesize=64k --rw=randread --norandommap --bs=4k --time_based --runtime=200ms --name=g1 --filename=a:b --name=g2 --filename=c
check "sums: a group of sections in one thread" adds_up

# An error ends the job at the faulty file.
run --name=x --filename=d/a:/dev/full --filesize=64k --rw=write --bs=4k --per_file_stats=counts --output-format=json
check "sums: an error that ends the job" adds_up 2
check "the error is that of the faulty file" json out '.jobs[0].fiord.files | map({path, e: .write.errors}) == [{path: "d/a", e: 0}, {path: "/dev/full", e: 1}]'

start $timed --runtime=60 --rw=randread $queue --numjobs=2 --write_bw_log=sigint --log_avg_msec=20
until_true 20 test -s sigint_bw.1.log
kill -INT "$pid"
wait_for_exit
check "sums: SIGINT" adds_up 3

# Who is in the list, and in which order.
run --name=x --directory=d --filename=a:b:c --filesize=64k --rw=read --bs=4k --per_file_stats=counts --output-format=json --file_service_type=sequential --io_size=64k
check "files without I/Os are listed in their order" json out '[.jobs[0].fiord.files[] | [.path, .read.total_ios]] == [["d/a", 16], ["d/b", null], ["d/c", null]]'
check "counts have no percentiles" json out '[.jobs[0].fiord.files[].read | select(.) | .clat_ns | has("percentile") or has("bins")] | any | not'
run $files --rw=read --output-format=json
check "percentiles are those of the list" json out '[.jobs[0] | (.read.clat_ns.percentile | keys), (.fiord.files[].read.clat_ns.percentile | keys)] | unique | length == 1'
check "... and bins stand in json+ only" json out '[.jobs[0].fiord.files[].read.clat_ns | has("bins")] | any | not'
run --name=x --directory=d --filename=a --filesize=64k --rw=read --output-format=json
check "without the option nothing is listed" json out '.jobs[0].fiord | has("files") | not'
run --name=x --directory=d --filename=a:b --filesize=64k --rw=read --numjobs=3 --group_reporting --per_file_stats=counts --output-format=json
check "the workers of a group are added" json out '[.jobs[0].fiord.files[] | [.path, .read.total_ios]] == [["d/a", 48], ["d/b", 48]]'
run --name=x --directory=d --filename=a:b --filesize=64k --rw=read --per_file_stats=counts --ramp_only=1 --ramp_time=200ms --time_based --output-format=json
check "what the ramp does counts for no file" json out '[.jobs[0].fiord.files[] | has("read")] == [false, false]'

# merge: files of each host, and of all.
run --name=x --directory=d --filename=a:b --filesize=64k --rw=randrw --per_file_stats=percentiles --output-format=json+
cp out one
run merge one one
check "merge: sums" adds_up 2
check "... of the same path on one host" json out '(.client_stats[0].fiord.files[0].read.total_ios * 2) == .client_stats[2].fiord.files[0].read.total_ios'
check "... with percentiles" json out '[.client_stats[].fiord.files[].read.clat_ns | has("percentile")] | all'
jq '.fiord.environment.host = "other"' one >two
run merge one two
check "the same path on another host is another file" json out '.client_stats[2].fiord.files | length == 4 and ([.[].hostname] | unique | length == 2)'
check "... and adds up" adds_up
run --name=x --directory=d --filename=a --filesize=64k --rw=read --output-format=json+
cp out none
run merge one none
check "without the files of one entry there is no sum" json out '.client_stats | [.[].fiord | has("files")] == [true, false, false]'
check "... and a note" says out "1 of 2 entries have no counts of files"

# Names that are not UTF-8 look alike in JSON, and are different files nevertheless.
mkdir bytes
python3 -c 'for name in (b"bytes/c\xff", b"bytes/c\xfe", b"bytes/c"): open(name, "wb").write(bytes(65536))'
run --name=x --opendir=bytes --rw=read --bs=4k --per_file_stats=counts --output-format=json+ --report=bytes.html
cp out bytes.json
check "paths that are not UTF-8 have their bytes" json out '[.jobs[0].fiord.files[].path_hex] == [null, "62797465732f63fe", "62797465732f63ff"]'
run merge bytes.json bytes.json
check "... merge adds the same ones" json out '[.client_stats[2].fiord.files[] | [.path_hex, .read.total_ios]] == [[null, 32], ["62797465732f63fe", 32], ["62797465732f63ff", 32]]'
run merge bytes.html bytes.html
check "... so does merge of pages" json out '[.client_stats[2].fiord.files[].path_hex] == [null, "62797465732f63fe", "62797465732f63ff"]'
for digits in 6 6g 6200 GG; do
	sed "s/62797465732f63fe/$digits/" bytes.json >damaged.json
	run merge damaged.json damaged.json
	check "... path_hex $digits is refused" sh -c '[ "$1" != 0 ] && grep -q "path_hex: these are not the bytes of a path" err' - "$rc"
done

# The text and the page list some of many files.
run --name=x --directory=d --nrfiles=50 --filesize=8k --bs=4k --rw=read --file_service_type=random:1 --norandommap --io_size=4m --per_file_stats=counts \
	--report=page.html
check "the text says how many files there are" says out "  files        : 50; the busiest"
check "... lists 20" sh -c '[ "$(grep -c "^    read  .* d/x.0" out)" = 40 ]'
check "... the slowest of the others" says out "  files        : the slowest others"
check "... and how many more" says out "  files        : and 10 more"
check "the page has the files" sh -c '[ "$(grep -c "d/x.0.*</th>" page.html)" = 40 ]'
check "... and how many more" says page.html "10 more files are in the JSON document"
run merge --output-format=normal page.html
check "the page can be read back" says out "  files        : 50; the busiest"

# Memory: announced and refused.
run check --name=x --directory=d --nrfiles=50 --filesize=8k --rw=randrw --fsync=1 --per_file_stats=counts
check "check says what the counts take" says out "    per_file_stats=counts: up to 19 KiB (384 bytes for each of 50 files)"

refused() {
	text=$1
	shift
	run --name=x --ioengine=null --size=1m "$@"
	check "$* is refused: $text" sh -c '[ "$1" = 2 ] && grep -qF -- "$2" err' - "$rc" "$text"
}
refused "contradicts per_file_stats=percentiles" --per_file_stats=percentiles --gtod_reduce=1
refused "contradicts per_file_stats=percentiles" --per_file_stats=percentiles --clat_percentiles=0
refused "contradicts per_file_stats=percentiles" --per_file_stats=percentiles --disable_clat=1
refused "contradicts stats=0" --per_file_stats=counts --stats=0
refused "cpuio does no I/O" --ioengine=cpuio --cpuload=1 --runtime=1 --per_file_stats=counts
refused "whose files have percentiles of clat, and those of this job have percentiles of lat (lat_percentiles)" --per_file_stats=percentiles --group_reporting \
	--name=y --ioengine=null --size=1m --per_file_stats=percentiles --group_reporting --lat_percentiles=1
refused "group_reporting adds this job to x, which has per_file_stats=none" --group_reporting --name=y --ioengine=null --size=1m \
	--per_file_stats=counts --group_reporting

# A file system with a file whose reads take at least 200 ms.
if [ -z "${SLOW_FS-}" ] || [ -z "${FAULTY_FS-}" ] || [ ! -w /dev/fuse ] || ! command -v fusermount3 >/dev/null; then
	skip "a slow and a faulty file" "no libfuse3, no fusermount3 or no /dev/fuse"
	finish
fi
"$SLOW_FS" "$dir/answers" "$dir/mnt" >fs.out 2>&1 &
if until_true 10 test -f mnt/f; then
	# Each block is read once and nothing is read ahead, so the page cache has none of them.
	run --name=x --filename=d/a:mnt/f:d/b --filesize=16k --bs=4k --rw=randread --per_file_stats=counts --output-format=json
	check "the slow file has the delay" json out '.jobs[0].fiord.files[1] | .path == "mnt/f" and .read.total_ios == 4 and .read.lat_ns.min >= 200000000 and .read.clat_ns.min >= 200000000'
	check "... and the others have not" json out '.jobs[0].fiord.files | [.[0, 2].read.lat_ns.min < .[1].read.lat_ns.min] | all'
	check "... the sums hold" adds_up 3
	mkdir many
	run --name=x --directory=many --nrfiles=40 --filesize=64k --bs=4k --rw=read --per_file_stats=counts --group_reporting --name=slow --directory=. --filename=mnt/f \
		--filesize=64k --offset=32k --bs=4k --rw=randread --io_size=4k --per_file_stats=counts --group_reporting
	check "the slowest file is the first in its list" sh -c 'grep -A1 "the slowest others" out | tail -n 1 | grep -q "mnt/f$"'
	cleanup
	until_true 10 sh -c '! test -f mnt/f'
else
	skip "a slow file" "the file system cannot be mounted: $(cat fs.out)"
fi

"$FAULTY_FS" "$dir/log" "$dir/mnt" >fs.out 2>&1 &
if ! until_true 10 test -f mnt/.faults; then
	skip "a faulty file" "the file system cannot be mounted: $(cat fs.out)"
	finish
fi
faulty="--name=x --filename=mnt/a:d/b:mnt/c --allow_write=mnt/a:mnt/c --filesize=64k --bs=4k --rw=write --per_file_stats=counts --output-format=json"
run $faulty --create_only=1
echo "fail 1+3" >mnt/.faults
run $faulty --continue_on_error=all
echo none >mnt/.faults
# as_logged KIND FILTER: the file system harmed writes of this kind, and FILTER gives their number for each file.
as_logged() {
	grep -q "^$1 " log && [ "$(for f in a b c; do grep -c "^$1 $f " log; done | tr '\n' ' ')" = "$(jq -r ".jobs[0].fiord.files[] | $2" out | tr '\n' ' ')" ]
}
check "failed writes count for their file" as_logged fail '.write.errors'
check "... the sums hold" adds_up 3
echo "short 1+5" >mnt/.faults
run $faulty
echo none >mnt/.faults
check "short writes count for their file" as_logged short '.write.short_ios'
check "... the sums hold" adds_up 3
echo "flip 1+5" >mnt/.faults
run $faulty --verify=crc32c --do_verify=1 --continue_on_error=all
echo none >mnt/.faults
check "damaged blocks count for their file" as_logged flip '.read.errors'
check "... the sums hold" adds_up 3
cleanup
finish
