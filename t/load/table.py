#!/usr/bin/env python3
"""table.py [-1] [REGEX]: does each job of a large table do the same under fio and fiord?

A line of table.txt stands for many rows: {a|b} is either. Each row runs under both programs, on a loop device or in an
empty file system on one. strace, the device's counters, the block layer's tracepoint and the files say what each did.
What differs must be listed in differences.tsv, with words of fiord-differences(7) that give the reason. Every twentieth
row runs, every tenth with THOROUGH=1, and with LOAD_TABLE=all all; then a line of the list that no row needs fails, too. A REGEX
selects rows.
-1 runs each row once, without a second and third attempt. Exit code 77: this machine cannot run the table."""
import collections
import concurrent.futures
import itertools
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

from witness import Lane, Seen, flat, sh

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = ["fio", "strace", "losetup", "mkfs.ext4", "mount", "blkdiscard", "blockdev"]


def expand(line):
    """Yields the rows of a line: each {a|b|c} stands for one of its parts."""
    parts = re.split(r"\{([^{}]*)\}", line)
    choices = [part.split("|") if n % 2 else [part] for n, part in enumerate(parts)]
    for choice in itertools.product(*choices):
        yield " ".join("".join(choice).split())


def table_rows():
    lines = open(os.path.join(HERE, "table.txt")).read().splitlines()
    rows = [row for line in lines if line and line[0] != "#" for row in expand(line)]
    return list(dict.fromkeys(rows))


def hottest(ios):
    """The share, in percent, of the I/Os that went to the hottest tenth of the places."""
    counts = sorted(collections.Counter(io[1:3] for io in ios).values(), reverse=True)
    return 100 * sum(counts[:max(1, len(counts) // 10)]) / max(1, sum(counts))


def steps(offsets):
    """Where a direction begins, and how far apart its neighbours are."""
    return offsets[:1] + sorted(set(b - a for a, b in zip(offsets, offsets[1:])))


def edges(ios):
    """The number of I/Os, and the first and the last byte that they reach."""
    return len(ios), min((io[2] for io in ios), default=0), max((io[2] + io[3] for io in ios), default=0)


# What a level compares of the workers' I/Os.
LEVELS = {
    "order": lambda workers: sorted(workers.values()),
    "places": lambda workers: sorted(flat(workers)),
    "spots": lambda workers: sorted(io[1:] for io in flat(workers)),
    "sizes": lambda workers: collections.Counter((io[0], io[3]) for io in flat(workers)),
    "ops": lambda workers: collections.Counter(io[0] for io in flat(workers)),
    "ios": lambda workers: len(flat(workers)),
    "edges": lambda workers: edges(flat(workers)),
    "streams": lambda workers: {op: steps([io[2] for io in flat(workers) if io[0] == op]) for op in "read write trim".split()},
    "none": lambda workers: None,
    "contents": lambda workers: None,
    "disk": lambda workers: None,
}
ABOUT = {
    "ios": len,
    "bytes": lambda ios: sum(io[3] for io in ios),
    "distinct": lambda ios: len(set(io[1:3] for io in ios)),
    "reads": lambda ios: sum(io[0].startswith("read") for io in ios),
    "hottest": hottest,
    "top": lambda ios: edges(ios)[2],
    "jumps": lambda ios: sum(a[1:2] + (a[2] + a[3],) != b[1:3] for a, b in zip(ios, ios[1:])),
}


def diff(label, a, b):
    """Says where two values differ first."""
    if isinstance(a, collections.Counter):
        a, b = a - b, b - a
    if isinstance(a, dict):
        a, b = sorted(a.items()), sorted(b.items())
    if isinstance(a, list) and isinstance(b, list):
        at = next((n for n, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        if at < len(a) and at < len(b) and isinstance(a[at], list):
            return diff("%s of worker %d" % (label, at), a[at], b[at])
        return "%s: fio has %d, fiord %d; from %d: fio %s, fiord %s" % (label, len(a), len(b), at, a[at:at + 4], b[at:at + 4])
    return "%s: fio %s, fiord %s" % (label, a, b)


def kinds(syncs):
    return collections.Counter(sync[1] for sync in flat(syncs))


def pairs(levels, fio, fiord):
    """Yields (what, of fio, of fiord) for all that must be equal."""
    is_direct = any("O_DIRECT" in opened for opened in fio.calls.counts["opens"])
    for level in levels:
        if level in LEVELS:
            yield "ios", LEVELS[level](fio.calls.ios), LEVELS[level](fiord.calls.ios)
            if is_direct:
                yield "bios", LEVELS[level](fio.bios), LEVELS[level](fiord.bios)
    if "order" in levels:
        yield "syncs", sorted(fio.calls.syncs.values()), sorted(fiord.calls.syncs.values())
    else:
        yield "syncs", kinds(fio.calls.syncs), kinds(fiord.calls.syncs)
    for what in "opens", "drops", "advice", "unlinks":
        a, b = fio.calls.counts[what], fiord.calls.counts[what]
        # Workers that start together look at their files an uncertain number of times.
        yield (what, sorted(a), sorted(b)) if len(fio.calls.ios) > 1 else (what, a, b)
    if {"order", "places", "sizes", "disk"} & set(levels):
        yield "disk", fio.disk, fiord.disk
    if "contents" in levels:
        yield "contents", fio.contents, fiord.contents
    yield "files", fio.files, fiord.files


def estimates(levels, fio, fiord):
    """Yields (what, name, percent, of fio, of fiord) for all that may differ by a percentage."""
    for name, percent in (level.split("~") for level in levels if "~" in level):
        if name == "elapsed":
            yield "time", name, int(percent), *(seen.calls.times[-1] - seen.calls.times[0] for seen in (fio, fiord))
        else:
            yield "ios", name, int(percent), ABOUT[name](fio.ios()), ABOUT[name](fiord.ios())


def compare(levels, fio, fiord):
    """Yields (what, text) for each difference."""
    if fio.code or fiord.code:
        if not fio.code or not fiord.code:
            yield "exit", "exit: fio %d, fiord %d: %s" % (fio.code, fiord.code, (fiord.said if fiord.code else fio.said)[-300:])
        return
    if "none" not in levels and not fio.ios() and not any(fio.disk.values()):
        yield "nothing", "nothing was seen of fio"
        return
    for what, name, percent, a, b in estimates(levels, fio, fiord):
        if abs(a - b) * 100 > percent * max(abs(a), abs(b)):
            yield what, "%s: fio %.4g, fiord %.4g" % (name, a, b)
    for what, a, b in pairs(levels, fio, fiord):
        if a != b:
            yield what, diff(what, a, b)


class Differences:
    """The lines of differences.tsv: a regular expression of rows, what differs, and words of the manual."""

    def __init__(self):
        manual = " ".join(open(os.path.join(HERE, "../../man/fiord-differences.7.scd")).read().split())
        self.lines, self.wrong = [], []
        for line in open(os.path.join(HERE, "differences.tsv")):
            if line.strip() and line[0] != "#":
                rows, what, reason = line.rstrip("\n").split("\t")
                self.lines.append([re.compile(rows), what.split(","), reason, 0])
                if reason not in manual:
                    self.wrong.append("differences.tsv: not in fiord-differences(7): " + reason)

    def reason(self, row, what):
        for line in self.lines:
            if what in line[1] and line[0].search(row):
                line[3] += 1
                return line[2]
        return None

    def unused(self):
        return ["differences.tsv: no row differs: " + line[0].pattern for line in self.lines if not line[3]]


class Table:
    def __init__(self, fiord, attempts):
        self.fiord, self.attempts = fiord, attempts
        self.differences = Differences()
        self.lanes = queue.Queue()
        self.tally = collections.Counter()
        self.lock = threading.Lock()

    def attempt(self, lane, where, levels, options):
        fio = Seen("/usr/bin/fio", lane, where, options)
        return list(compare(levels, fio, Seen(self.fiord, lane, where, options)))

    def row(self, row):
        where, levels, *options = row.split()
        lane = self.lanes.get()
        try:
            for _ in range(self.attempts):  # On a busy machine another process may touch the device, so only a difference of all attempts counts.
                found = [(what, text, self.differences.reason(row, what))
                         for what, text in self.attempt(lane, where, levels.split(","), options)]
                if all(reason for *_, reason in found):
                    break
        finally:
            self.lanes.put(lane)
        with self.lock:
            self.report(row, found)

    def report(self, row, found):
        unlisted = [text for what, text, reason in found if not reason]
        self.tally["failed" if unlisted else "listed" if found else "equal"] += 1
        if unlisted:
            print("not ok - " + "\n    ".join([row] + [text.replace("\n", " ")[:900] for text in unlisted]), flush=True)

    def run(self, rows, lanes):
        for lane in lanes:
            self.lanes.put(lane)
        pool = concurrent.futures.ThreadPoolExecutor(len(lanes))
        try:
            for _ in pool.map(self.row, rows):
                pass
        finally:
            pool.shutdown(cancel_futures=True)

    def finish(self, is_all):
        """Prints the sums, and returns the exit code."""
        wrong = self.differences.wrong + (self.differences.unused() if is_all else [])
        print("\n".join(wrong + ["%d rows: %d equal, %d with a difference on purpose, %d failed" % (
            sum(self.tally.values()), *(self.tally[kind] for kind in ("equal", "listed", "failed")))]))
        return int(bool(self.tally["failed"] or wrong or not self.tally))


def chosen_rows(only):
    """The rows to run, and whether they are all rows."""
    rows = table_rows()
    if only:
        return [row for row in rows if re.search(only[0], row)], False
    if os.environ.get("LOAD_TABLE") == "all":
        return rows, True
    return rows[::20 if os.environ.get("THOROUGH", "0") in ("", "0") else 10], False


def open_lanes(space, lanes):
    """Appends lanes until there are LANES, or no more loop devices. The tracefs is our own: no other program's settings matter."""
    os.mkdir(space + "/trace")
    trace = None if sh("mount -t tracefs none %s/trace" % space).returncode else space + "/trace"
    for number in range(int(os.environ.get("LANES", 2 * (os.cpu_count() or 1)))):
        try:
            lanes.append(Lane(number, space, trace))
        except OSError as error:
            if not lanes:
                print("skipped: no loop device:", error)
                sys.exit(77)
            return


def close_lanes(space, lanes):
    for lane in lanes:
        lane.close()
    sh("umount %s/trace" % space)
    shutil.rmtree(space)


def own_mounts():
    """Starts this program again in a mount namespace of its own, which ends with it."""
    if shutil.which("unshare") and os.environ.get("MOUNTS_OF") != str(os.getpid()):  # exec keeps the process ID
        os.environ["MOUNTS_OF"] = str(os.getpid())
        alone = ["unshare", "--mount"]
        if subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL).returncode:  # the root of a chroot is no mount point
            alone.append("--propagation=unchanged")
        os.execvp("unshare", [*alone, sys.executable, *sys.argv])


def main():
    arguments = sys.argv[1:]
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing or os.getuid():
        print("skipped: " + ("no " + missing[0] if missing else "not root"))
        sys.exit(77)
    own_mounts()
    rows, is_all = chosen_rows([a for a in arguments if a != "-1"])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    space = tempfile.mkdtemp(prefix="fiord-table.", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    os.symlink(os.path.abspath(os.environ["FIORD"]), space + "/fio")  # By this name fiord is fio's replacement.
    table = Table(space + "/fio", 1 if "-1" in arguments else 3)
    lanes = []
    try:
        open_lanes(space, lanes)
        table.run(rows, lanes)
    finally:
        close_lanes(space, lanes)
    sys.exit(table.finish(is_all))


main()
