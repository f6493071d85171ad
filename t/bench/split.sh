#!/bin/sh
# seconds: 600
# split.sh: what does latency_split cost on a null_blk device, which needs next to no time itself? A guest makes the device, so run it by
#     t/guest/run t/bench/split.sh
# or, on a block device that only this script uses,
#     SPLIT_DEVICE=/dev/loop0 t/bench/split.sh FIORD
# Runs with latency_split=0, 1 and all take turns. The table has medians: the CPU time of the worker for an I/O, and the time that the kernel counts for the
# BPF programs (kernel.bpf_stats_enabled) in runs of their own. "More" is the median of the ratios of single rounds. A guest without KVM is translated, so its
# times are no CPU's. It judges nothing.
if [ -z "${SPLIT_DEVICE-}" ]; then
	. "$SOURCE/t/guest/lib.sh"
	null_block plain size=1024 blocksize=4096 submit_queues=1 irqmode=0 || skip_all "null_blk makes no device"
	SPLIT_DEVICE=/dev/plain
fi
python3 - "${1:-$FIORD}" "$SPLIT_DEVICE" <<'END'
import json, os, re, statistics, subprocess, sys

STATS = "/proc/sys/kernel/bpf_stats_enabled"
ROUNDS = int(os.environ.get("ROUNDS", 5))

def run(engine, depth, mode, seconds):
    command = [sys.argv[1], "--name=a", "--filename=" + sys.argv[2], "--direct=1", "--rw=randread", "--bs=4k", "--time_based", f"--runtime={seconds}",
               f"--ioengine={engine}", f"--iodepth={depth}", f"--latency_split={mode}", "--output-format=json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)

def programs_ns(*job):
    with open(STATS) as f:
        before = f.read()
    try:
        open(STATS, "w").write("1")
        notes = " ".join(run(*job, 2)["fiord"]["notes"])
    finally:
        open(STATS, "w").write(before)
    found = re.search("BPF programs took ([0-9]+) ns", notes)
    return found.group(1) if found else "-"

print("| random reads of 4 KiB | latency_split | I/Os a second | CPU ns of an I/O | more | measured | programs, ns of a request |")
print("|---|---:|---:|---:|---:|---:|---:|")
for engine, depth in ("psync", 1), ("libaio", 32):
    rounds = {"0": [], "1": [], "all": []}
    for _ in range(ROUNDS):
        for mode, list_ in rounds.items():
            job = run(engine, depth, mode, 2)["jobs"][0]
            self, row = job["fiord"]["self"], job["fiord"].get("split", [None])[0]
            list_.append((job["read"]["iops"], self["user_ns_per_io"] + self["sys_ns_per_io"], 100 * row["measured"] / row["requests"] if row else 0))
    for mode, list_ in rounds.items():
        iops, ns, share = (statistics.median(column) for column in zip(*list_))
        more = 100 * (statistics.median(r[1] / off[1] for r, off in zip(list_, rounds["0"])) - 1)
        cost = programs_ns(engine, depth, mode) if mode != "0" else "-"
        print(f"| {engine}, depth {depth} | {mode} | {iops:.0f} | {ns:.0f} | {more:.1f} % | {share:.0f} % | {cost} |", flush=True)
END
