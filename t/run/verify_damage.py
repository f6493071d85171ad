#!/usr/bin/env python3
"""verify_damage.py FIORD DIRECTORY [ONLY]: plants each damage in files that fiord wrote, and reads them back.

A cell is a job (kind of verify, setting, engine) and a damage. Cells are sections of a few job files, and each has files of
its own. Each job file is run with do_verify=0, the damages are planted, and it is run again with verify_only=1.
A cell passes if its job ends with error 84, and the error names the damaged file, a range within the damaged block, and
no more blocks than were damaged. A damage that cannot be found in principle (see ANY) passes if it is not found.
A table of the failures is printed at the end. ONLY: a regular expression; only cells with matching names run."""
import collections
import concurrent.futures
import itertools
import os
import random
import re
import struct
import subprocess
import sys

PER_FILE = 40
HEADER = 48
DIGEST = {"md5": 16, "crc64": 8, "crc32": 4, "crc32c": 4, "crc32c-intel": 4, "crc16": 2, "crc7": 1, "sha1": 20, "sha256": 64,
          "sha512": 128, "sha3-224": 28, "sha3-256": 32, "sha3-384": 48, "sha3-512": 64, "xxhash": 4, "pattern": 0,
          "pattern_hdr": 0, "meta": 0}
FIELDS = {"magic": (0, 2), "version": (2, 1), "type": (3, 1), "length": (4, 4), "seed": (8, 8), "offset": (16, 8),
          "seconds": (24, 4), "nanoseconds": (28, 4), "number": (32, 8), "thread": (40, 2), "pad": (42, 2), "crc": (44, 4)}

# A part of a block, with its place in the file; block is the number of the block that it belongs to.
Part = collections.namedtuple("Part", "at bytes block")


class Job:
    """What a cell writes, and how."""

    def __init__(self, label, kind="crc32c", engine="psync", bs=4096, size=65536, rw="randwrite", files=1, clones=1, **options):
        self.label, self.kind, self.engine, self.bs, self.size, self.rw = label, kind, engine, bs, size, rw
        self.files, self.clones, self.options = files, clones, options
        self.interval = int(options.get("verify_interval", 0))
        self.offset = int(options.get("verify_offset", 0))
        self.pattern = "verify_pattern" in options
        self.headers = kind != "pattern"

    def section(self, name, number):
        o = {"filename_format": name + ".$jobnum.$filenum", "verify": self.kind, "ioengine": self.engine, "rw": self.rw,
             "size": self.size, "nrfiles": self.files, "numjobs": self.clones, "randseed": 1000 + number}
        if "bssplit" not in self.options and "bsrange" not in self.options:
            o["bs"] = self.bs
        o.update({k: v for k, v in self.options.items()})
        return "[%s]\n%s\n" % (name, "\n".join("%s=%s" % i for i in o.items()))

    def paths(self, name):
        return ["%s.%d.%d" % (name, c, f) for c in range(self.clones) for f in range(self.files)]

    def parts(self, data):
        """Where the blocks and their parts are, by their headers; without headers by their size."""
        found, blocks = [], {}
        if not self.headers:
            return [Part(at, self.bs, at // self.bs) for at in range(0, len(data), self.bs)]
        at = 0
        while at + self.offset + HEADER <= len(data):
            magic, version, _, length, _, offset, _, _, number = struct.unpack_from("<HBBIQQIIQ", data, at + self.offset)
            if magic != 0xACCA or version != 0x81 or offset != at:
                at += 512
                continue
            found.append(Part(at, length, blocks.setdefault(number, len(blocks))))
            at += length
        return found


# ---- damages: each changes data and returns the range that it damaged ----

class Cannot(Exception):
    """The damage makes no sense for this job."""


def blocks_of(parts):
    return [list(g) for _, g in itertools.groupby(parts, key=lambda p: p.block)]


def bounds(block):
    return block[0].at, block[-1].at + block[-1].bytes


def flip(data, rng, lo, hi):
    data[rng.randrange(lo, hi)] ^= 1 << rng.randrange(8)


def header_at(job, part):
    if not job.headers:
        raise Cannot
    return part.at + job.offset


def flip_data(job, data, parts, rng, old):
    p = rng.choice(parts)
    head = header_at(job, p) if job.headers else 0
    free = [i for i in range(p.at, p.at + p.bytes) if not job.headers or not head <= i < head + HEADER + DIGEST[job.kind]]
    at = rng.choice(free)
    flip(data, rng, at, at + 1)
    return at, at + 1


def flip_last(job, data, parts, rng, old):
    p = rng.choice(parts)
    at = p.at + p.bytes - 1
    flip(data, rng, at, at + 1)
    return at, at + 1


def flip_field(name):
    def plant(job, data, parts, rng, old):
        at, n = FIELDS[name]
        at += header_at(job, rng.choice(parts))
        flip(data, rng, at, at + n)
        return at, at + n
    return plant


def flip_digest(job, data, parts, rng, old):
    at = header_at(job, rng.choice(parts)) + HEADER
    if not DIGEST[job.kind]:
        raise Cannot
    flip(data, rng, at, at + DIGEST[job.kind])
    return at, at + DIGEST[job.kind]


def replace(data, lo, new):
    """Returns the range that really differs afterwards."""
    differ = [i for i, b in enumerate(new) if data[lo + i] != b]
    if not differ:
        raise Cannot
    data[lo:lo + len(new)] = new
    return lo + differ[0], lo + differ[-1] + 1


def zero_sector(job, data, parts, rng, old):
    sectors = [at for p in parts for at in range(p.at, p.at + p.bytes, 512) if any(data[at:at + 512])]
    at = rng.choice(sectors)
    return replace(data, at, bytes(512))


def zero_block(job, data, parts, rng, old):
    lo, hi = bounds(rng.choice(blocks_of(parts)))
    return replace(data, lo, bytes(hi - lo))


def garbage(job, data, parts, rng, old):
    lo, hi = bounds(rng.choice(blocks_of(parts)))
    return replace(data, lo, rng.randbytes(hi - lo))


def shift_sector(job, data, parts, rng, old):
    blocks = [b for b in blocks_of(parts) if bounds(b)[1] - bounds(b)[0] > 512]
    if not blocks:
        raise Cannot
    lo, hi = bounds(rng.choice(blocks))
    return replace(data, lo + 512, bytes(data[lo:hi - 512]))


def pairs(parts):
    """Two different blocks of one size."""
    blocks = [bounds(b) for b in blocks_of(parts)]
    return [(a, b) for a, b in itertools.permutations(blocks, 2) if a[1] - a[0] == b[1] - b[0]]


def shift_block(job, data, parts, rng, old):
    near = [(a, b) for a, b in pairs(parts) if a[1] == b[0]]
    if not near:
        raise Cannot
    a, b = rng.choice(near)
    return replace(data, b[0], bytes(data[a[0]:a[1]]))


def copy_block(job, data, parts, rng, old):
    a, b = rng.choice(pairs(parts))
    return replace(data, b[0], bytes(data[a[0]:a[1]]))


def needs_old(plant):
    plant.old = True
    return plant


def stale_range(block, old, data):
    lo, hi = bounds(block)
    if hi > len(old) or old[lo:hi] == data[lo:hi]:
        raise Cannot
    return lo, hi


@needs_old
def stale(job, data, parts, rng, old):
    lo, hi = stale_range(rng.choice(blocks_of(parts)), old, data)
    return replace(data, lo, bytes(old[lo:hi]))


@needs_old
def stale_first(job, data, parts, rng, old):
    lo, hi = stale_range(blocks_of(parts)[0], old, data)
    return replace(data, lo, bytes(old[lo:hi]))


@needs_old
def torn_head(job, data, parts, rng, old):
    """The first half is new, the second old."""
    lo, hi = stale_range(rng.choice(blocks_of(parts)), old, data)
    half = lo + (hi - lo) // 2
    return replace(data, half, bytes(old[half:hi]))


@needs_old
def torn_tail(job, data, parts, rng, old):
    lo, hi = stale_range(rng.choice(blocks_of(parts)), old, data)
    return replace(data, lo, bytes(old[lo:lo + (hi - lo) // 2]))


@needs_old
def other_job(job, data, parts, rng, old):
    if not old:
        raise Cannot
    return stale(job, data, parts, rng, old)


def truncate(job, data, parts, rng, old):
    lo, hi = bounds(blocks_of(parts)[-1])
    del data[lo + rng.randrange(1, hi - lo):]
    return len(data), hi


DAMAGES = {"flip data": flip_data, "flip last byte": flip_last, "flip digest": flip_digest}
DAMAGES.update({"flip " + f: flip_field(f) for f in FIELDS})
DAMAGES.update({"zero sector": zero_sector, "zero block": zero_block, "garbage": garbage, "shift by sector": shift_sector,
                "shift by block": shift_block, "copy block": copy_block, "stale": stale, "stale first block": stale_first,
                "torn, new head": torn_head, "torn, old head": torn_tail, "another job's": other_job, "truncated": truncate})

# ---- jobs ----

KINDS = [Job("kind " + k, kind=k, **({"verify_pattern": "0xdeadbeef"} if k.startswith("pattern") else {})) for k in DIGEST]
SETTINGS = [
    Job("verify_interval", verify_interval=512),
    Job("verify_offset", verify_offset=100),
    Job("interval and offset", kind="md5", verify_interval=512, verify_offset=100),
    Job("meta, interval and offset", kind="meta", verify_interval=1024, verify_offset=52),
    Job("crc32c with a pattern", verify_pattern="0xdeadbeef"),
    Job("crc32c with %o", verify_pattern="0xdeadbeef%o"),
    Job("pattern with %o", kind="pattern", verify_pattern="0xdeadbeef%o"),
    Job("pattern_hdr with %o", kind="pattern_hdr", verify_pattern="0xdeadbeef%o", verify_interval=512),
    Job("verify_pattern_interval", kind="pattern", verify_pattern="%o", verify_pattern_interval=512),
    Job("bs=512", bs=512, size=16384),
    Job("bs=64k", bs=65536, size=262144),
    Job("bs=1m", bs=1048576, size=4194304, kind="crc64"),
    Job("bssplit", bssplit="4k/50:8k/30:512/20"),
    Job("bsrange", bsrange="4k-16k", size=131072),
    Job("bssplit and interval", bssplit="4k/50:8k/50", verify_interval=512, kind="sha256"),
    Job("compression", buffer_compress_percentage=50),
    Job("compression, meta", buffer_compress_percentage=50, kind="meta"),
    Job("rw=write", rw="write"),
    Job("norandommap", norandommap=1),
    Job("holes", rw="write:4k", size=131072),
    Job("randrw", rw="randrw", rwmixread=30),
    Job("backwards", rw="write:-8k"),
    Job("one block again and again", rw="write:-4k"),
    Job("patterns behind equal headers", kind="pattern_hdr", rw="write", verify_pattern="0xdeadbeef"),
    Job("nrfiles=3", files=3, size=196608),
    Job("numjobs=2", clones=2),
    Job("randwrite:8", rw="randwrite:8"),
    Job("loops", loops=2),
    Job("size is no multiple", size=65536 - 512, rw="write"),
    Job("dedupe", dedupe_percentage=50),
    Job("iodepth=32", engine="libaio", iodepth=32),
    Job("offload", io_submit_mode="offload"),
    Job("offset", offset=8192),
    Job("threads", verify_async=3, verify_interval=512),
    Job("threads, libaio", engine="libaio", iodepth=8, verify_async=2),
]
ENGINES = [Job("engine " + e, engine=e, kind=k, iodepth=d, verify_interval=i) for e, k, d, i in
           [("sync", "crc32c", 1, 0), ("vsync", "xxhash", 4, 0), ("pvsync", "md5", 1, 1024), ("pvsync2", "crc16", 1, 0),
            ("mmap", "sha1", 1, 512), ("posixaio", "crc32", 4, 0), ("splice", "crc64", 1, 0), ("libaio", "sha512", 8, 1024),
            ("io_uring", "meta", 8, 0)]]

# ---- what cannot be found, and why ----
# 1. A block that another write has left with the same bytes (kind pattern): nothing is damaged. The damages raise Cannot.
# 2. A whole block of another write that differs only in these bytes of its header, time, job and CRC: seed 0 where a pattern
#    fills the block, and by chance the same number. Its data are those that should be there. The time may be any, and fio's
#    headers have other numbers of jobs.
# 3. The same in a file of one block: no other block shows that this job wrote the file, so another program may have written it.
ANY = {i for f in ("seconds", "nanoseconds", "thread", "pad", "crc") for i in range(FIELDS[f][0], sum(FIELDS[f]))}
OF_ANOTHER_WRITE = r"stale|torn, old head|another job's"

# Names that messages give to damages.
NAMES = {"flip magic": "no header", "flip data": "corrupt|wrong pattern", "flip last byte": "corrupt|wrong pattern",
         "flip digest": "wrong digest", "zero": "zeroed", "garbage": "no header|wrong pattern", "shift by sector": "shifted|wrong pattern",
         "shift by block": "another block|wrong pattern", "copy block": "another block|wrong pattern", "stale": "torn|zeroed|stale|a later write|another write|no header",
         # With an old head, the block is that of the other write if the second halves are equal, as those of a pattern are.
         "torn, old head": "torn|zeroed|stale|a later write|another write|no header", "torn": "torn|zeroed|stale|no header", "another job's": "another job's block|a later write|stale|no header|torn", "flip": "corrupt header"}


class Cell:
    def __init__(self, number, job, damage):
        self.job, self.damage, self.plant = job, damage, DAMAGES[damage]
        self.name = "c%03d" % number
        self.number = number
        self.rng = random.Random(number)
        self.label = "%s; %s" % (job.label, damage)
        self.path = self.rng.choice(job.paths(self.name))
        self.old = {}  # the files that another run wrote, by their paths
        self.unseen = False  # it cannot be found
        self.other = None  # a file that another job wrote

    def read(self, folder):
        return {p: bytearray(open(os.path.join(folder, p), "rb").read()) for p in self.job.paths(self.name)}

    def damage_file(self, folder):
        """Plants the damage. Returns False if the damage makes no sense here."""
        files = self.read(folder)
        old = self.other if self.damage == "another job's" else self.old.get(self.path)
        data = files[self.path]
        before = bytes(data)
        parts = self.job.parts(data)
        if not parts:
            raise RuntimeError(self.label + ": no blocks in " + self.path)
        try:
            self.lo, self.hi = self.plant(self.job, data, parts, self.rng, old)
        except (Cannot, IndexError):
            return False
        block = next(b for b in blocks_of(parts) if bounds(b)[0] <= self.lo < bounds(b)[1])
        self.block = bounds(block)
        self.unseen = self.is_unseen(parts, before, data)
        with open(os.path.join(folder, self.path), "r+b") as f:
            f.write(data)
            f.truncate(len(data))
        return True

    def is_unseen(self, parts, before, data):
        if not self.job.headers or not re.match(OF_ANOTHER_WRITE, self.damage):
            return False
        if len(blocks_of(parts)) == 1 and not self.damage.startswith("torn"):
            return True
        free = {p.at + self.job.offset + i for p in parts for i in ANY}
        return all(before[i] == data[i] or i in free for i in range(self.lo, self.hi))

    def judge(self, folder, errors):
        """Returns (was it found, None or what is wrong)."""
        mine = errors.get(self.name, [])
        if self.unseen:
            return None if not mine else "found, although it cannot be: " + mine[0]
        if not mine:
            return "NOT FOUND: %s, %d to %d" % (self.path, self.lo, self.hi)
        m = re.search(r"/([^/]*): verify at offset (\d+), length (\d+): (.*)", mine[0])
        if len(mine) > 1 or not m:
            return "strange: %s" % mine
        self.found = m[4]
        lo, hi = int(m[2]), int(m[2]) + int(m[3])
        if m[1] != self.path:
            return "wrong file: " + mine[0]
        if not (self.block[0] <= lo < hi <= self.block[1]) or not (lo < self.hi and self.lo < hi):
            return "wrong place: %s; damaged are %d to %d" % (mine[0], self.lo, self.hi)
        if "damaged in all" in m[4]:
            return "more blocks than one: " + mine[0]
        if not re.match(next(names for start, names in NAMES.items() if self.damage.startswith(start)), m[4]):
            return "wrong name: " + mine[0]
        return None


class Batch:
    """Cells that share a job file."""

    def __init__(self, fiord, folder, number, cells):
        self.fiord, self.cells = fiord, cells
        self.folder = os.path.join(folder, "b%d" % number)
        os.mkdir(self.folder)

    def run(self, *options):
        path = os.path.join(self.folder, "job.fio")
        with open(path, "w") as f:
            f.write("[global]\nthread=1\ndirectory=%s\n" % self.folder)
            f.write("".join(c.job.section(c.name, c.number) for c in self.cells))
        done = subprocess.run([self.fiord, path, "--output=/dev/null", *options], stdin=subprocess.DEVNULL, cwd=self.folder,
                              stderr=subprocess.PIPE, text=True)
        errors = collections.defaultdict(list)
        for line in done.stderr.splitlines():
            m = re.match(r"(?:fiord|fio): (c\d+): (.*)", line)
            errors[m[1] if m else "?"].append(m[2] if m else line)
        return done.returncode, errors

    def write(self, *options):
        code, errors = self.run("--set=do_verify=0", *options)
        if code or errors:
            raise RuntimeError("writing failed: %d %s" % (code, dict(errors)))

    def other_file(self, cell):
        """Returns another file of the cell's job or of an equal job: blocks of its offsets, which others wrote."""
        equal = [c for c in self.cells if c.job is cell.job and c is not cell]
        files = [f for c in [cell] + equal for f in c.read(self.folder).items() if f[0] != cell.path]
        return files[0][1] if files else None

    def work(self):
        """Returns the cells that ran, and the failures with their cells."""
        if any(hasattr(c.plant, "old") for c in self.cells):
            self.write("--set=randseed=7")
            for c in self.cells:
                c.old = c.read(self.folder)
                for p in c.old:
                    os.remove(os.path.join(self.folder, p))
        self.write()
        for c in self.cells:
            c.other = self.other_file(c)
        short = [c for c in self.cells if c.damage == "truncated"]
        ran = [c for c in self.cells if c not in short and c.damage_file(self.folder)]
        code, errors = self.run("--set=verify_only=1")
        bad = [(c, why) for c in ran if (why := c.judge(self.folder, errors))]
        for c in set(self.cells) - set(ran):
            if c.name in errors:
                bad.append((c, "accused without damage: %s" % errors[c.name]))
        if "?" in errors:
            bad.append((self.cells[0], "strange lines: %s" % errors["?"]))
        if code == 0 and any(not c.unseen for c in ran):
            bad.append((self.cells[0], "exit code 0"))
        return ran + short, bad + [(c, why) for c in short if (why := self.judge_short(c))]

    def judge_short(self, cell):
        """A file that is too short is refused before anything runs."""
        if not cell.damage_file(self.folder):
            return "was not truncated"
        code, errors = self.run("--set=verify_only=1", "--section=" + cell.name)
        said = " ".join(sum(errors.values(), []))
        return None if code and cell.path in said and "verif" in said else "NOT FOUND: exit code %d, %s" % (code, said)


def main():
    fiord, folder = sys.argv[1:3]
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    cells = [Cell(n, j, d) for n, (j, d) in enumerate(itertools.product(KINDS + SETTINGS + ENGINES, DAMAGES), 1)]
    cells = [c for c in cells if re.search(only, c.label)]
    if os.environ.get("SANITIZE") == "thread":  # it crashes in threads that the C library makes
        cells = [c for c in cells if c.job.engine != "posixaio"]
    batches = [Batch(fiord, folder, i, cells[i:i + PER_FILE]) for i in range(0, len(cells), PER_FILE)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(Batch.work, batches))
    ran = [c for r, _ in results for c in r]
    bad = [b for _, bs in results for b in bs]
    names = collections.Counter((c.damage, getattr(c, "found", "-").split(":")[0]) for c in ran)
    for (damage, name), n in sorted(names.items()):
        print("    %-20s %-30s %d" % (damage, name, n))
    print("%d cells, %d of them cannot be found, %d failures" % (len(ran), sum(c.unseen for c in ran), len(bad)))
    for c, why in bad:
        print("%s %-28s %-20s %s" % (c.name, c.job.label, c.damage, why))
    sys.exit(bool(bad) or not ran)


main()
