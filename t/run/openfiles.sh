#!/bin/sh
# Does a job with fewer open files than files (openfiles) do the same I/Os as one that has all files open? The same job without
# openfiles gives the expected values: with one I/O in flight the order of the I/Os is the same.
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1

mkdir tree
for i in 1 2 3 4 5 6 7 8 9; do
	for k in 0 1 2 3 4; do
		head -c 65536 /dev/urandom >tree/f$k$i
	done
done

# traced OPTION...: runs the job under strace; trace has the opens, closes, reads and advice of its worker.
traced() {
	rm -f trace.*
	straced -ff -y -e trace=openat,close,pread64,fadvise64 -o trace "$FIORD" $threads --name=x --opendir=tree --bs=4k --ioengine=psync "$@" >out 2>err
	cat $(grep -l 'pread64.*tree' trace.*) >trace
}
# ios: prints file and offset of each read, in order.
ios() {
	sed -n 's/.*pread64([0-9]*<.*\/\(f[0-9]*\)>.*, 4096, \([0-9]*\)).*/\1 \2/p' trace
}
# most_open: prints how many files of the tree were open at a time, from the first read on.
most_open() {
	awk '/openat\(.*\/tree\/f|openat\(.*"tree\/f/ { if (++n > most) most = n } /close\(.*\/tree\/f/ { n-- } END { print most + 0 }' trace
}
opens() {
	grep 'openat(.*tree/f.*) = ' trace | grep -vc O_NOCTTY # the search for holes
}
drops() {
	grep -c 'fadvise64(.*DONTNEED' trace
}

if command -v strace >/dev/null && straced -o /dev/null true 2>/dev/null && [ "$SANITIZE" = none ]; then
	for order in random random:4 zipf:1.1 pareto:0.2 normal:20; do
		traced --rw=randread --file_service_type=$order --number_ios=600
		ios >all
		traced --rw=randread --file_service_type=$order --number_ios=600 --openfiles=3
		check "$order: 600 I/Os of few open files" test "$(ios | wc -l)" = 600
		check "... are those of all files open, in the same order" same "$(ios | sha256sum)" "$(sha256sum <all)"
		check "... and at most three files are open" test "$(most_open)" -le 3
		files=$(cut -d ' ' -f 1 all | sort -u | wc -l)
		check "... $(opens) opens of $files files drop the cache of each once" test "$(opens)" -gt "$files" -a "$(drops)" = "$files"
	done
	# A file keeps its position while it is closed.
	traced --rw=read --file_service_type=random --openfiles=2
	check "sequential reads of drawn files read each block once" same "$(ios | sort | uniq | wc -l) $(ios | wc -l)" "720 720"
	check "... each file from its beginning to its end" python3 - <<'EOF'
import re, collections
last = collections.defaultdict(lambda: -4096)
for m in re.finditer(r"/(f\d+)>.*, 4096, (\d+)\)", open("trace").read()):
    assert int(m[2]) == last[m[1]] + 4096, m[0]
    last[m[1]] += 4096
EOF
	# The orders that do not draw stay with their open files until these are done, as in fio.
	traced --rw=read --file_service_type=roundrobin --openfiles=3
	check "roundrobin opens each file once" test "$(opens)" = 45
	check "... and begins with three of them in turn" same "$(ios | head -n 6 | cut -d ' ' -f 1 | tr '\n' ' ')" "f01 f02 f03 f01 f02 f03 "
	check "... and reads all blocks" same "$(ios | sort -u | wc -l)" 720
else
	skip "the I/Os of few open files are those of all" "no strace"
fi

# Files with I/Os in flight stay open: nothing fails, and each block is read once.
for engine in libaio posixaio io_uring mmap pvsync2 offload; do
	sanitizer_allows $engine || continue
	options="--ioengine=$engine"
	[ $engine != offload ] || options="--ioengine=psync --offload=1"
	# shellcheck disable=SC2086
	"$FIORD" --name=x --filename=tree/f01 --rw=read $options >/dev/null 2>&1 || {
		skip "$engine" "it does not run here"
		continue
	}
	for order in random zipf:1.3 roundrobin; do
		for few in 1 3 20; do
			# shellcheck disable=SC2086
			run --name=x --opendir=tree --bs=4k --rw=randread $options --iodepth=16 --file_service_type=$order --openfiles=$few \
				--loops=2 --output-format=json
			check "$engine, $order, openfiles=$few: two loops read each block twice" \
				json out '.jobs[0] | .read.total_ios == 1440 and .error == 0'
		done
	done
	# shellcheck disable=SC2086
	run --name=x --directory=. --nrfiles=20 --filesize=64k --bs=4k --rw=randwrite $options --iodepth=16 --file_service_type=random \
		--openfiles=4 --verify=crc32c --verify_backlog=50 --fsync=30 --output-format=json
	check "$engine: writes to drawn files are verified" \
		json out '.jobs[0].fiord.verify | .checked == 320 and .damaged == 0'
	# shellcheck disable=SC2086
	run --name=x --directory=. --nrfiles=20 --filesize=64k --bs=4k --rw=randrw $options --iodepth=16 --file_service_type=zipf:1.2 \
		--openfiles=2 --verify=crc32c --io_size=3m --fsync_on_close=1 --output-format=json
	check "$engine: ... also with reads between them, and several passes" \
		json out '.jobs[0].fiord.verify | .checked > 0 and .damaged == 0'
done
run --name=x --directory=. --nrfiles=20 --filesize=64k --bs=4k --rw=randtrimwrite --ioengine=psync --file_service_type=random --openfiles=1 \
	--output-format=json
check "trimwrite writes each block that it trims, in the same file" json out '.jobs[0] | .trim.total_ios == 320 and .write.total_ios == 320'

# Writes that wait for others when the runtime ends are not submitted. Their file is no longer in use, so the verification can
# close it and open the next one.
mkdir waiting
for engine in libaio io_uring; do
	run --name=x --directory=waiting --nrfiles=3 --filesize=16k --bs=4k --rw=randwrite --norandommap --ioengine=$engine --iodepth=16 \
		--file_service_type=random:64 --openfiles=1 --serialize_overlap=1 --verify=crc32c --time_based --runtime=1 --output-format=json
	[ "$engine" = libaio ] || [ "$rc" = 0 ] || { skip "verification after a runtime, $engine" "the engine does not start here"; continue; }
	check "$engine: the verification after a runtime comes to its end" \
		json out '.jobs[0].fiord.verify | .checked + .in_part == 12 and .not_checked == 0 and .damaged == 0'
done

# The depth that few open files may limit.
run --name=x --opendir=tree --bs=4k --rw=randread --ioengine=libaio --iodepth=16 --file_service_type=random --openfiles=4
check "fewer open files than I/Os in flight get a note" says out "only 4 of its 45 files are open at a time"
run --name=x --opendir=tree --bs=4k --rw=randread --ioengine=libaio --iodepth=4 --file_service_type=random --openfiles=4
check "... and as many get none" sh -c "! grep -q files.are.open out"
finish
