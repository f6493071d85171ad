#!/bin/sh
# devices: nvme-pi1
# kernel: trixie-backports
# seconds: 900
# protection.sh: what does it cost to check protection information on the host, beside the controller's checks and none? A guest has the disk, so
# run it by
#     t/guest/run t/bench/protection.sh
# The three ways take turns on 4 KiB random reads with pi_act=0, by commands and by io_uring's attributes; the table has medians. It judges nothing.
# Where the guest has no KVM, the ratios are those of QEMU's translation: bench-digests protection shows the cost on this CPU.
. "$SOURCE/t/guest/lib.sh"
requires jq
block=$(guest_device nvme-pi1) || skip_all "the guest has no nvme-pi1"
ng=/dev/ng${block#/dev/nvme}
head -c 16M /dev/urandom | dd of="$block" bs=1M oflag=direct status=none

# measure ENGINE FILE WAY OPTION...: prints engine, way, I/Os per second and CPU time per I/O in ns.
measure() {
	engine=$1 file=$2 way=$3
	shift 3
	"$FIORD" --output-format=json --name=p --filename="$file" --ioengine="$engine" --direct=1 --rw=randread --bs=4k --size=16m --iodepth=32 --pi_act=0 "$@" \
		2>/dev/null | jq -r --arg e "$engine" --arg w "$way" \
		'.jobs[0] | select(.error == 0) | "\($e) \($w) \(.read.iops) \((.usr_cpu + .sys_cpu) / 100 * .job_runtime * 1e6 / .read.total_ios)"'
}

for _ in 1 2 3 4 5; do
	for target in "io_uring_cmd $ng" "io_uring $block"; do
		# shellcheck disable=SC2086
		{
			measure $target none
			measure $target controller --pi_chk=GUARD,REFTAG --pi_chk_by=controller
			measure $target host --pi_chk=GUARD,REFTAG --pi_chk_by=host
		}
	done
done >"$dir/figures"
python3 - "$dir/figures" <<'EOF2'
import statistics, sys
runs = {}
for line in open(sys.argv[1]):
    engine, way, iops, ns = line.split()
    runs.setdefault((engine, way), []).append((float(iops), float(ns)))
print("| engine | checks | I/Os per s | of none | CPU time per I/O | of none |\n|---|---|---:|---:|---:|---:|")
for (engine, way), figures in runs.items():
    none = runs[engine, "none"]
    iops = statistics.median(have[0] / base[0] for have, base in zip(figures, none))
    cpu = statistics.median(have[1] / base[1] for have, base in zip(figures, none))
    print(f"| {engine} | {way} | {statistics.median(f[0] for f in figures):.0f} | {iops:.0%} | {statistics.median(f[1] for f in figures):.0f} ns | {cpu:.0%} |")
EOF2
