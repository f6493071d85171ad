#!/usr/bin/env python3
"""Does one version of fiord need more CPU time per I/O than another, or was its code only laid out better?

  layouts.py link BUILD COUNT DIRECTORY    links BUILD/src/fiord COUNT times, with its functions in another order each time
  layouts.py run OLD NEW [SCENE...]        compares the programs of two such directories on the null engine
  layouts.py pairs OLD NEW SECONDS SCENE   compares two programs on a file, layouts.dat, in the current directory

BUILD was configured with -Dc_args=-ffunction-sections. Where a loop lies moves the CPU time of an I/O on the null engine by
several percent, so one program of each version proves nothing. All programs run in turn, pinned to a CPU; the least CPU time
(user and system) of each counts, without that of a short run, because other load only adds to it. The table has the mean over
the layouts, and the lowest and highest of them. ROUNDS and CPU are variables of the environment.

On files the kernel does most of the work, and other load moves all figures. There the two programs take turns in short runs, and
the median of the ratios of neighbouring runs counts, of the CPU time of the workers. The old program runs twice in each turn: its
ratio to itself shows the noise. The runs have a runtime and no io_size: between two passes over a file, later versions close and
open it again, as fio does, which is another load."""
import json
import os
import random
import statistics
import subprocess
import sys
import time

NULL = "--ioengine=null --size=1g"
HOT = "--filename=layouts.dat --size=16m --invalidate=0"
DIRECT = "--filename=layouts.dat --size=256m --direct=1 --iodepth=128"
TIMED = "--time_based --runtime=500ms"
NULL_SCENES = {  # options, I/Os
    "null-randread-1": (f"{NULL} --rw=randread --iodepth=1", 3_000_000),
    "null-randread-32": (f"{NULL} --rw=randread --iodepth=32", 8_000_000),
    "null-read-32": (f"{NULL} --rw=read --iodepth=32", 8_000_000),
    "null-randrw-32": (f"{NULL} --rw=randrw --rwmixread=70 --iodepth=32", 3_000_000),
}
FILE_SCENES = {  # options
    "psync-hot": f"{HOT} --ioengine=psync --rw=randread",
    "psync-hot-write": f"{HOT} --ioengine=psync --rw=randwrite",
    "uring-hot-32": f"{HOT} --ioengine=io_uring --rw=randread --iodepth=32",
    "uring-direct": f"{DIRECT} --ioengine=io_uring --rw=randread",
    "aio-direct": f"{DIRECT} --ioengine=libaio --rw=randread",
}
SHORT = 20_000


def link(build, count, directory):
    os.makedirs(directory, exist_ok=True)
    directory = os.path.abspath(directory)
    command = subprocess.run(["ninja", "-t", "commands", "src/fiord"], cwd=build, check=True, capture_output=True,
                             text=True).stdout.splitlines()[-1]
    names = subprocess.run(["readelf", "-SW", *(x for x in command.split() if x.endswith((".a", ".o")) and x[0] != "/")],
                           cwd=build, check=True, capture_output=True, text=True).stdout
    names = sorted({word for word in names.split() if word.startswith(".text.") and not word.startswith(".text.unlikely")})
    for i in range(count):
        random.Random(i).shuffle(names)
        with open(f"{directory}/order", "w", encoding="ascii") as f:
            f.write("\n".join(names) + "\n")
        subprocess.run(command.replace("-o src/fiord", f"-o {directory}/fiord.{i:02} -fuse-ld=gold "
                                       f"-Wl,--section-ordering-file={directory}/order", 1), shell=True, cwd=build, check=True)


def cpu_ns(program, options, ios):
    """Returns the CPU time of a run, its workers included."""
    args = [program, "--name=b", "--bs=4k", "--randseed=1", "--eta=never", "--output=/dev/null", *options.split(),
            f"--io_size={ios * 4096}"]
    pid = os.posix_spawn(program, args, os.environ)
    _, status, use = os.wait4(pid, 0)
    if status:
        sys.exit(f"layouts.py: {' '.join(args)}: status {status}")
    return (use.ru_utime + use.ru_stime) * 1e9


def compare(scene, versions, rounds):
    options, ios = NULL_SCENES[scene]
    runs = [(p, n) for programs in versions for p in programs for n in (SHORT, ios + SHORT)]
    least = {}
    for number in range(rounds):
        random.Random(number).shuffle(runs)
        for run in runs:
            least[run] = min(least.get(run, float("inf")), cpu_ns(run[0], options, run[1]))
    cost = []
    for programs in versions:
        short = statistics.median(least[p, SHORT] for p in programs)
        cost.append(sorted((least[p, ios + SHORT] - short) / ios for p in programs))
    old, new = (statistics.mean(c) for c in cost)
    error = 2 * sum(statistics.variance(c) / len(c) if len(c) > 1 else 0 for c in cost) ** 0.5
    cells = [f"{statistics.mean(c):.2f} ({c[0]:.2f}..{c[-1]:.2f})" for c in cost]
    print(f"| {scene} | {cells[0]} | {cells[1]} | {(new / old - 1) * 100:+.1f} % ± {error / old * 100:.1f} |", flush=True)


def worker_ns(program, scene):
    """Returns the CPU time of the workers for each I/O."""
    text = subprocess.run([program, "--name=b", "--bs=4k", "--randseed=1", "--eta=never", "--output-format=json",
                           *FILE_SCENES[scene].split(), *TIMED.split()], check=True, capture_output=True).stdout
    document = json.loads(text)
    use, (job,) = document["fiord"]["self"], document["jobs"]
    ios = job["read"]["total_ios"] + job["write"]["total_ios"]
    return (use["children_user_us"] + use["children_sys_us"]) * 1000 / ios


def pairs(old, new, seconds, scene):
    ratios, same, cost = [], [], []
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(ratios) < 3:
        a, b, c = (worker_ns(program, scene) for program in (old, new, old))
        ratios.append(b / ((a + c) / 2) - 1)
        same.append(c / a - 1)
        cost.append((a + c) / 2)
    cells = [f"{statistics.median(r) * 100:+.1f} % ± {250 * statistics.stdev(r) / len(r) ** 0.5:.1f}" for r in (ratios, same)]
    print(f"| {scene} | {statistics.median(cost):.0f} | {cells[0]} | {cells[1]} |")


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "link":
        link(sys.argv[2], int(sys.argv[3]), sys.argv[4])
        return
    os.sched_setaffinity(0, {int(os.environ.get("CPU", "1"))})
    if len(sys.argv) == 6 and sys.argv[1] == "pairs":
        print("| scene | old, ns of CPU time an I/O | new / old | old / old |\n|---|---:|---:|---:|")
        pairs(sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5])
        return
    if len(sys.argv) < 4 or sys.argv[1] != "run":
        sys.exit(__doc__)
    versions = [sorted(f"{os.path.abspath(d)}/{f}" for f in os.listdir(d) if f.startswith("fiord.")) for d in sys.argv[2:4]]
    print("| scene | old, ns of CPU time an I/O | new | difference of the means |\n|---|---:|---:|---:|", flush=True)
    for scene in sys.argv[4:] or NULL_SCENES:
        compare(scene, versions, int(os.environ.get("ROUNDS", "8")))


main()
