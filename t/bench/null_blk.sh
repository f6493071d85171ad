#!/bin/sh
# clock: instructions
# seconds: 600
# null_blk.sh: how many instructions does fiord add to a bare loop on a null_blk device, with all statistics, and zonemode=zbd to a sequential write?
# A guest makes the devices, so run it by
#     t/guest/run t/bench/null_blk.sh
# The guest's clock counts instructions, of kernel and programs: what a table calls ns are instructions, the same on a busy machine, and not the time
# of a real CPU. Each figure is the difference of two lengths, without what a start takes. It judges nothing.
. "$SOURCE/t/guest/lib.sh"
# A device with fewer tags than I/Os in flight has the kernel submit I/Os again and again.
like="size=1024 blocksize=4096 submit_queues=1 irqmode=0 hw_queue_depth=512"
# shellcheck disable=SC2086
null_block polled $like poll_queues=1 || skip_all "null_blk makes no device with poll queues"
[ "$(cat /sys/block/polled/queue/io_poll)" = 1 ] || skip_all "the device does not poll"
"${FIORD%/src/fiord}/t/bench/fiord-bench" --device=/dev/polled --fio=none --rounds=2 --only=device "$FIORD"

# shellcheck disable=SC2086
null_block zoned $like zoned=1 zone_size=64 zone_nr_conv=0 || skip_all "null_blk makes no zoned device"
python3 - "$FIORD" <<'E2'
import resource, statistics, subprocess, sys

def cpu_ns(*options):
    """Returns the CPU time of a job that writes the device, whose zones are empty."""
    subprocess.run(["blkzone", "reset", "/dev/zoned"], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.argv[1], "--name=z", "--filename=/dev/zoned", "--direct=1", "--rw=write", "--bs=4k", *options], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e9

def instructions(*options):
    """Returns those of a write: 100 000 KiB more of 4 KiB."""
    return (cpu_ns(*options, "--io_size=120000k") - cpu_ns(*options, "--io_size=20000k")) / 25000

def row(engine, depth):
    """Prints a row: the instructions of plain writes, as many in flight as the job asks for and one, and those of zonemode=zbd."""
    jobs = {"plain": (depth, "none"), "one": (1, "none"), "zbd": (depth, "zbd")}
    figures = {name: [] for name in jobs}
    for _ in range(2):
        for name, (iodepth, mode) in jobs.items():
            figures[name].append(instructions(f"--ioengine={engine}", f"--iodepth={iodepth}", f"--zonemode={mode}"))
    plain, one, zbd = (statistics.median(f) for f in figures.values())
    print(f"| {engine}, depth {depth} | {plain:.0f} | {one:.0f} | {zbd:.0f} | {zbd - one:.0f} |", flush=True)

print("\n| sequential writes of 4 KiB | plain | plain, one in flight | zonemode=zbd | more than that |\n|---|---:|---:|---:|---:|")
for engine, depth in ("psync", 1), ("io_uring", 1), ("io_uring", 8), ("libaio", 8):
    row(engine, depth)
E2
