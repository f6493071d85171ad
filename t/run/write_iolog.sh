#!/bin/sh
# Does write_iolog record the I/Os that the job did? Expected: the system calls that strace sees, and what fio counts when it
# replays the log.
. "$SOURCE/t/lib.sh"
requires jq strace
cd "$dir" || exit 1
json="--output-format=json --eta=never"

# counts OUT: reads, writes, trims and syncs of the job's entry.
counts() {
	jq -r '.jobs[0] | [.read.total_ios, .write.total_ios, .trim.total_ios, .sync.total_ios] | map(. // 0) | join(" ")' "$1"
}

# logged LOG: the same from the lines.
logged() {
	awk '{ n[$3]++ } END { print n["read"] + 0, n["write"] + 0, n["trim"] + 0, n["sync"] + n["datasync"] + 0 }' "$1"
}

# I/Os in their order, by strace and by the log.
traced_ios() {
	sed -nE 's/.*pread64\(.* ([0-9]{4,}), ([0-9]+)\) +=.*/read \2 \1/p; s/.*pwrite64\(.* ([0-9]{4,}), ([0-9]+)\) +=.*/write \2 \1/p
		s/.*fdatasync\(.*/datasync/p' trace
}

logged_ios() { # LOG
	awk '$3 == "datasync" { print $3 } $3 == "read" || $3 == "write" { print $3, $4, $5 }' "$1"
}

job="--name=x --filename=data --size=256k --io_size=1m --rw=randrw --bsrange=1k-8k --fdatasync=3 --ioengine=psync"
run $job --create_only=1 # so that strace sees no layout
straced -f -e trace=pread64,pwrite64,fdatasync -s 0 -o trace "$FIORD" $json $job --write_iolog=psync.log >out 2>err
rc=$?
check "the job runs" exits 0
traced_ios >expected
logged_ios psync.log >got
check "there are I/Os of all kinds" eval '[ "$(cut -d" " -f1 expected | sort -u | wc -l)" = 3 ]'
check "the log has the I/Os of the job in their order" cmp expected got
check "it begins as fio's does" same "$(head -n 3 psync.log)" "$(printf 'fio version 3 iolog\n0 data add\n0 data open')"
check "... and ends with the close" same "$(tail -n 1 psync.log | cut -d' ' -f2-)" "data close"
check "its times ascend" eval 'tail -n +2 psync.log | cut -d" " -f1 | sort -nc'

replay() { # LOG: fio's counts
	fio --name=p --ioengine=psync --read_iolog="$1" --replay_no_stall=1 --output-format=json --output=fio.out >/dev/null 2>&1
	counts fio.out
}

for engine in psync libaio io_uring mmap posixaio sync pvsync2; do
	rm -f data
	run $json --name=x --filename=data --size=2m --rw=randrw --bs=4k --fsync=16 --iodepth=8 --ioengine=$engine --write_iolog=$engine.log
	case $(cat err) in
	*"not available"* | *"cannot"*)
		skip "$engine" "$(head -n 1 err)"
		continue
		;;
	esac
	cp out $engine.out
	check "$engine: the log has the I/Os of the result" same "$(logged $engine.log)" "$(counts $engine.out)"
	check "$engine: each block is there once" same "$(logged_ios $engine.log | awk '$1 != "sync" { print $2 }' | sort -n | uniq | wc -l)" 512
	if command -v fio >/dev/null; then
		check "$engine: fio replays the same I/Os" same "$(replay $engine.log)" "$(counts $engine.out)"
	else
		skip "$engine: fio replays the same I/Os" "no fio"
	fi
done

for how in --thread=0 --thread=1; do
	run $json $how --group_reporting --size=512k --bs=4k --numjobs=2 --write_iolog=shared.log --name=r --filename=r --rw=randread \
		--name=w --rw=write --filename_format='w$jobnum'
	check "$how: several jobs share a log" exits 0
	check "$how: it has one first line" same "$(grep -c version shared.log)" 1
	check "$how: each file is opened and closed once" same "$(awk '$3 == "open" || $3 == "close"' shared.log | cut -d" " -f2- | sort | paste -sd,)" \
		"r close,r open,w0 close,w0 open,w1 close,w1 open"
	check "$how: no I/O is missing" same "$(logged shared.log)" "256 256 0 0"
	check "$how: its times ascend" eval 'tail -n +2 shared.log | cut -d" " -f1 | sort -nc'
done

run $json --name=x --ioengine=null --rw=randrw --size=256k --bs=4k --numjobs=2 --write_iolog=null.log
check "the log of an engine without files opens it once, before the first I/O" same "$(awk 'NR > 1 { print $3 }' null.log | uniq | head -n 2 | paste -sd,) $(grep -cE ' (open|close)$' null.log)" "add,open 2"
run trace --output-format=json null.log
check "... and fiord trace reads it" same "$(jq .all.ios out)" 128

run $json --size=64k --bs=4k --rw=write --numjobs=2 --write_iolog='of-$jobname-$jobnum' --name=a/b --filename_format='v$jobnum'
check "\$jobname and \$jobnum make names" same "$(echo of-*)" "of-a_b-0 of-a_b-1"
check "... each with its own job" same "$(grep -c write of-a_b-0) $(grep -c write of-a_b-1) $(grep -l v1 of-*)" "16 16 of-a_b-1"

run --name=x --filename='two words' --size=64k --rw=write --write_iolog=blank.log
check "a name with a blank is refused" eval 'exits 2 && says err "has a blank" && absent blank.log "two words"'
run --name=x --ioengine=filecreate --nrfiles=2 --filesize=4k --write_iolog=meta.log
check "an engine without I/O is refused" eval 'exits 2 && says err "does no I/O that could be replayed" && absent meta.log'
run --name=x --filename=data --size=64k --rw=read --write_iolog=data
check "a log over a target is refused" eval '! exits 0 && says err "this is a target of the jobs"'
: >same
run --ioengine=null --rw=read --size=64k --name=x --write_iolog=same --name=y --write_iolog=./same
check "two names of one log are refused" eval 'exits 2 && says err "are the same file"'
run --name=x --ioengine=null --size=8k --rw=read --write_iolog=-
check "standard output is refused, and no file - is made" eval 'exits 2 && says err "write_iolog=-: cannot be standard output" && [ ! -e ./- ]'

finish
