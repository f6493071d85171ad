#!/bin/sh
# Does a job with --where run where the filter of a container refuses BPF or perf events? One note says what is missing, and why; the rest is measured.
# preload.c sets the filter; the same job without one is the witness of what would be there.
. "$SOURCE/t/lib.sh"
requires jq losetup
requires_root
[ -n "${PRELOAD:-}" ] || skip_all "a sanitizer has to be the first library"
case $(uname -m) in
x86_64) bpf=321 perf_event_open=298 ;;
aarch64 | riscv64) bpf=280 perf_event_open=241 ;;
*) skip_all "the numbers of the system calls of $(uname -m) are not in this test" ;;
esac
cd "$dir" || exit 1
cleanup() {
	[ -z "$loop" ] || losetup -d "$loop"
}
truncate -s 4m disk
loop=$(losetup -f --show disk 2>err) || { loop= && skip_all "no loop device"; }

# where [FILTER]: reads each block of the device once.
where() {
	LD_PRELOAD=${1:+$PRELOAD} REFUSE=${1-} "$FIORD" --where --name=x --filename="$loop" --rw=read --bs=4k --size=4m --direct=1 --ioengine=psync \
		--output-format=json >out 2>err </dev/null
	rc=$?
}

notes() { # COUNT WORDS: so many notes have these words
	json out "[.fiord.notes[], .jobs[].fiord.notes[] | select(contains(\"$2\"))] | length == $1"
}

where
json out '.jobs[0].fiord.split | length == 1' || skip_all "no split of latencies here: $(jq -c .fiord.notes out)"
for error in 1 38; do
	where "$bpf:$error"
	check "bpf() fails with error $error: the job runs" exits 0
	check "... and reads each block" json out '.jobs[0] | .error == 0 and .read.total_ios == 1024'
	check "... without parts of latencies" json out '.jobs[0].fiord | has("split") | not'
	check "... as one note says" notes 1 "the run went on without it"
	where "$perf_event_open:$error"
	check "perf_event_open() fails with error $error: the job runs" exits 0
	check "... and reads each block" json out '.jobs[0] | .error == 0 and .read.total_ios == 1024'
	check "... with the parts of its latencies" json out '.jobs[0].fiord.split[0].requests > 0'
	check "... and one note says that nothing is counted" notes 1 "instructions and cycles are not counted, because"
done
where "$bpf:1"
check "root is told of filters that forbid BPF" notes 1 "its seccomp profile may forbid BPF"
where "$perf_event_open:1"
check "... and perf events" notes 1 "a container's seccomp profile forbids perf events"
where "$perf_event_open:38"
check "another error has its name" notes 1 "ENOSYS"
finish
