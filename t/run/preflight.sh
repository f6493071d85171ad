#!/bin/sh
# The preflight: said by check without running, in the report and the document, and where it belongs only.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
case $(stat -f -c %T .) in
tmpfs | ramfs) skip_all "$dir is in memory" ;;
esac

truncate -s 1m holes
run check --name=x --filename=holes --rw=randread
check "check says that there is nothing to read" says out "note: x: holes: 1.0 MiB of 1.0 MiB were never written (holes)"
check "... runs nothing" says out "1 worker in 1 wave"
run --name=x --filename=holes --rw=randread
check "the report says so, too" says out "note: x: holes: 1.0 MiB of 1.0 MiB were never written"
run --name=x --filename=holes --rw=randread --output-format=json
check "... and the document" json out '[.fiord.notes[] | select(test("holes: 1.0 MiB of 1.0 MiB were never written"))] | length == 1'
check "... and nothing else does" empty err
run --name=x --filename=holes --rw=write --end_fsync=1
run check --name=x --filename=holes --rw=randread
check "once it is written nothing is said" sh -c '! grep -q note: out'
run --name=x --filename=new --size=1m --rw=randread
check "nor of a file that was laid out" sh -c '! grep -q "never written" out'
run check --name=x --filename=new --rw=randread
check "... nor later" sh -c '! grep -q note: out'

run check --name=x --filename=new --rw=randread --time_based --runtime=60
check "reads from the page cache" says out "reads go again and again through the page cache (direct=0)"
run check --name=x --filename=new --rw=randwrite
check "writes into it" says out "writes go to the page cache"
run check --name=x --filename=new --rw=write --create_only=1
check "nothing of a job that only makes its files" sh -c '! grep -q note: out'
run check --name=x --filename=new --rw=randread --iodepth=4
check "a depth that is none is said once" same "$(grep -c 'note: .*depth' out)" 1
run check --name=x --filename=new --rw=randtrim --iodepth=4 --ioengine=libaio
check "... and of trims" same "$(grep -c 'note: .*one at a time' out)" 1
run check --name=x --filename=new --rw=write --end_fsync=1 --numjobs=4
check "clones at the same place" says out "its 4 clones use the same blocks of new"
run --name=x --filename=new --rw=randwrite --warnings-fatal
check "--warnings-fatal is about the words of the job, not about these" exits 0
run check "$SOURCE/jobs/quickstart.ini"
check "the first run is told three things at most" test "$(grep -c note: out)" -le 3
# The counters of the disk know better what became of the I/O.
run --name=x --filename=large --size=64m --bs=1m --rw=write --end_fsync=1
run --name=x --filename=new --rw=read --output-format=json
if json out '(.disk_util | length) == 0'; then
	skip "notes and counters" "no counters are known of the disk below $dir"
else
	run --name=x --filename=new --rw=randread --time_based --runtime=1 --invalidate=0 --output-format=json
	check "reads that memory answers" json out '[.fiord.notes[] | select(contains("mostly those of memory"))] | length == 1'
	run --name=x --filename=large --rw=randread --time_based --runtime=1 --rate_iops=300 --output-format=json
	check "reads that reach the disk are not said to be of memory" \
		json out '[.fiord.notes[] | select(contains("mostly those of memory"))] | length == 0'
fi
if ! why=$(no_shm); then
	run check --name=x --filename="/dev/shm/fiord-$$" --size=1m --rw=randrw --loops=2 --runtime=1
	check "a file in memory: that, and nothing of caches" same "$(grep -c 'note: .* is in memory (tmpfs)' out) $(grep -c 'page cache' out)" "1 0"
else
	skip "a file in memory" "$why"
fi
finish
