#!/bin/sh
# Does a document that is read back become the same document again, byte for byte? And do fio's log files have the figures of
# their run? reread.c reads documents and logs and prints them as JSON; jq compares the figures.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
common="--output-format=json+ --bs=4k"
null="--ioengine=null --size=1g --time_based --runtime=300ms"
file="--directory=$dir --size=256k"

# same [FILE]: reading the document and printing it changes nothing.
same() {
	"$REREAD" "${1:-out}" >again 2>&1 && cmp "${1:-out}" again
}

# Each line: LABEL | OPTIONS
while IFS='|' read -r label options; do
	# shellcheck disable=SC2086
	eval "run $common $options"
	check "$label" same
done <<END
reads, writes and syncs|$file --name=x --rw=randrw --fsync=8
all directions together|$null --name=x --rw=randrw --unified_rw_reporting=mixed
each direction and all together|$null --name=x --rw=randrw --unified_rw_reporting=both
groups and waves|$null --name=a --rw=read --numjobs=2 --group_reporting --name=b --rw=trimwrite --new_group --name=c --stonewall --rw=write
a series for each worker|$null --name=x --rw=randrw --numjobs=3 --series=job
no series|$null --name=x --rw=read --series=none
a rate|$null --name=x --rw=randread --rate_iops=500
a rate in steps|$null --name=x --rw=randrw --rate_steps=0:1000,500,200ms:0,100,250ms:300 --numjobs=2 --group_reporting
an open rate|$null --name=x --rw=randread --rate_iops=500 --rate_process=poisson
verification|$file --name=x --rw=randwrite --verify=crc32c
errors|--filename=/dev/full --size=64k --name=x --rw=write --ignore_error=,ENOSPC
an error that ends the job|--filename=/dev/full --size=64k --name=x --rw=write
no I/O|--name=x --ioengine=cpuio --cpuload=1 --runtime=200ms --time_based
percentiles of each kind|$null --name=x --rw=read --lat_percentiles=1 --slat_percentiles=1 --percentile_list=50:99:99.9:99.9999999:100
no latencies|$null --name=x --rw=read --gtod_reduce=1
no percentiles|$null --name=x --rw=read --clat_percentiles=0
names that need escapes|$null --name='<b>&"\\\\' --rw=read --description='caf\303\251 \$x'
the idle time of CPUs|$null --name=x --rw=read --idle-prof=percpu
status entries|$null --name=x --rw=read --runtime=1200ms --status-interval=500ms
units of 1000 and bits|$null --name=x --rw=read --kb_base=1000 --unit_base=1
a steady state|$null --name=x --rw=randrw --runtime=2 --ss=iops:90% --ss_dur=400ms --ss_interval=100ms
a latency that gets steady|$null --name=x --rw=randrw --runtime=2 --ss=lat_slope:1 --ss_dur=400ms --ss_interval=100ms
a search for a depth|$null --name=x --rw=randrw --iodepth=4 --runtime=2 --latency_target=1ns --latency_window=50ms --numjobs=2
rounds|$null --name=x --rw=randrw --runtime=2 --rate_iops=1000 --ss=snia --ss_interval=200ms
files apart|$file --name=x --nrfiles=3 --rw=randrw --fsync=8 --per_file_stats=percentiles
files apart, and all directions together|$file --name=x --nrfiles=3 --rw=randrw --per_file_stats=counts --unified_rw_reporting=mixed
priorities|$null --name=x --rw=randread --cmdprio_percentage=50
threads with depth|$null --name=x --rw=randread --thread --iodepth=16 --numjobs=2
END

# shellcheck disable=SC2086
{
	run --output-format=json --bs=4k $null --name=x --rw=randrw
	check "plain JSON, without bins" same
	cp out plain
	run $common $null --name=y --rw=read
	(echo "note: both iodepth >= 1 and synchronous I/O engine are selected" && cat plain && echo "fio: terminating" && cat out) >two
	cat plain out >both
	check "two documents, with lines of text between" sh -c '"$REREAD" two | cmp - both'
	check "... and as an array" sh -c 'jq -s . both >array && "$REREAD" array | jq -s . | cmp - array'
	cp out y
	run merge plain y
	check "a merged result" same
	run report both -o both.html
	check "a page holds its documents" sh -c '"$REREAD" both.html | jq -s "map(.jobs)" >a; jq -s "map(.jobs)" both | cmp - a'

	run $common $file --name=w --rw=randrw --write_lat_log=w --write_bw_log=w --write_iops_log=w
	check "logs of each I/O are read" sh -c '"$REREAD" w_*.log >logs'
	check "... with the I/Os, bytes and latencies of the run" sh -c 'jq -c "$0" out >a; jq -c "$0" logs | cmp - a' \
		'[.jobs[0] | .read, .write | [.total_ios, .io_bytes, .clat_ns.N, .clat_ns.min, .clat_ns.max, .lat_ns.max, .clat_ns.bins]]'
	check "... and a series that adds up" json logs '[.fiord.series.jobs[0] | .read, .write | .ios | add] ==
		[.jobs[0] | .read, .write | .total_ios]'
	run report w_*.log -o logs.html
	check "fiord report makes a page of them" [ "$rc" = 0 ]
}

# fio_same LABEL OPTION...: a document of fio keeps every value that it has.
fio_same() {
	label=$1
	shift
	# shellcheck disable=SC2086
	fio $file --output-format=json+ "$@" >fio.json 2>&1
	check "$label" sh -c '"$REREAD" fio.json >again && sed -n "/^{/,\$p" fio.json | jq -se "
		.[0].jobs as \$a | .[1].jobs as \$b | [\$a | paths(scalars)] | length > 100 and
		all(.[]; . as \$p | (\$a | getpath(\$p)) == (\$b | getpath(\$p)))" - again >/dev/null'
}
if command -v fio >/dev/null; then
	fio_same "fio's document, with a line before it" --name=x --rw=randrw --iodepth=4 --fsync=8
	fio_same "... with all directions beside each" --name=x --rw=randrw --unified_rw_reporting=both --lat_percentiles=1
	fio_same "... with a steady state" --name=x --rw=randread --time_based --runtime=5 --ss=iops:90% --ss_dur=2
	fio_same "... with a group" --name=x --rw=randrw --numjobs=2 --group_reporting --name=y --rw=read
else
	skip "fio's documents" "no fio"
fi

run report /dev/zero -o zero.html
check "/dev/zero is refused with one line" [ "$rc-$(wc -l <err)" = 2-1 ]
check "... and no page" [ ! -e zero.html ]
head -c 3000 out >half
run report half -o half.html
check "half a document is refused with one line" [ "$rc-$(wc -l <err)" = 2-1 ]
finish
