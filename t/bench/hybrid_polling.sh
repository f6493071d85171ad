#!/bin/sh
# kernel: trixie-backports
# devices: nvme
# seconds: 300
# hybrid_polling.sh: what does hipri=hybrid cost beside interrupts and beside hipri=1? On an NVMe disk of QEMU, in a guest:
#     t/guest/run t/bench/hybrid_polling.sh
# Medians (lowest..highest) of 5 interleaved rounds. It judges nothing.
. "$SOURCE/t/guest/lib.sh"
modprobe -r nvme && modprobe nvme poll_queues=1 || skip_all "the driver of NVMe cannot be loaded again"
block=$(guest_device nvme) || skip_all "the guest has no nvme"
uname -r
python3 - "$FIORD" "$block" <<'E2'
import json, resource, statistics, subprocess, sys

def measure(depth, hipri):
    """Returns CPU time and time of an I/O, and the median of its latency, in us."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([sys.argv[1], "--output-format=json", "--name=h", f"--filename={sys.argv[2]}", "--direct=1", "--ioengine=io_uring", "--rw=randread",
                          "--bs=4k", f"--iodepth={depth}", "--runtime=2", "--time_based", f"--hipri={hipri}"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    read = json.loads(out.stdout)["jobs"][0]["read"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu * 1e6 / read["total_ios"], 2e6 / read["total_ios"], read["clat_ns"]["percentile"]["50.000000"] / 1000

def text(values):
    return f"{statistics.median(values):.1f} ({min(values):.1f}..{max(values):.1f})"

print("| depth, hipri | CPU time of an I/O, us | time of an I/O, us | median of clat, us |\n|---|---:|---:|---:|")
cases = [(depth, hipri) for depth in (1, 8, 32) for hipri in ("0", "1", "hybrid")]
figures = {case: [] for case in cases}
for _ in range(5):
    for case in cases:
        figures[case].append(measure(*case))
for (depth, hipri), rounds in figures.items():
    print(f"| {depth}, {hipri} |", " | ".join(text(f) for f in zip(*rounds)), "|")
E2
