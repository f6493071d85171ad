#!/usr/bin/env python3
"""verify_fio.py FIORD FIO DIRECTORY [ONLY]: fio verifies blocks of fiord, and fiord blocks of fio.

A cell is a kind of verify with a setting, a program that writes, and the way in which the other one reads: rw=read, or
verify_only=1. Cells are sections of one job file for each of these. The reader must accept each file as it was written, and
must then find a flipped bit in each: in a header, a digest, the data, and the last byte. Data without a digest (meta) are
nobody's but the writer's, so a bit that is flipped there need not be found. Prints a table of what was found.
ONLY: a regular expression; only cells with matching names run."""
import collections
import json
import os
import random
import re
import struct
import subprocess
import sys

HEADER, MAGIC, VERSION = 48, 0xACCA, 0x81
DIGEST = {"md5": 16, "crc64": 8, "crc32": 4, "crc32c": 4, "crc32c-intel": 4, "crc16": 2, "crc7": 1, "sha1": 20, "sha256": 64,
          "sha512": 128, "sha3-224": 28, "sha3-256": 32, "sha3-384": 48, "sha3-512": 64, "xxhash": 4, "pattern": 0,
          "pattern_hdr": 0, "meta": 0}
BASE = {"bs": "4k", "size": "64k", "rw": "randwrite", "ioengine": "psync"}
WAYS = {"read": {"rw": "read"}, "verify_only": {"verify_only": 1, "verify_header_seed": 0, "verify_write_sequence": 0}}
FLIPS = ["header", "digest", "data", "last byte"]

# Label, kind, options of both sides, and options of the writer or the reader alone.
Job = collections.namedtuple("Job", "label kind both writer reader")
JOBS = []


def job(label, kind="crc32c", writer=None, reader=None, **both):
    if kind.startswith("pattern"):
        both.setdefault("verify_pattern", "0xdeadbeef")
    JOBS.append(Job(label, kind, both, writer or {}, reader or {}))


for k in DIGEST:
    job("alone", k)
    job("verify_interval", k, verify_interval=512)
    if k != "pattern":
        job("interval and offset", k, verify_interval=1024, verify_offset=256)
        job("verify_offset", k, verify_offset=HEADER + DIGEST[k])
for k in "crc32c", "md5", "meta", "pattern_hdr", "pattern":
    job("sequential", k, rw="write")
    job("blocks of 512 bytes", k, bs=512)
    job("blocks of 1 MiB", k, bs="1m", size="2m")
    job("64k, not at the beginning of the file", k, bs="64k", size="256k", offset="64k")
    # The reader cannot know where blocks of mixed sizes begin, but parts of one size tell.
    job("bssplit", k, verify_interval=512, writer={"bs": None, "bssplit": "4k/50:8k/30:512/20"}, reader={"bs": "4k", "rw": "read"})
    job("bsrange", k, verify_interval=1024, writer={"bs": None, "bsrange": "1k-16k", "rw": "write"}, reader={"bs": "8k", "rw": "read"})
    job("readers of larger blocks", k, verify_interval=4096, writer={"bs": "4k"}, reader={"bs": "16k", "rw": "read"})
    job("depth 16", k, writer={"ioengine": "libaio", "iodepth": 16}, reader={"ioengine": "libaio", "iodepth": 8})
    job("two loops", k, writer={"loops": 2})
    job("backlog and threads", k, writer={"verify_backlog": 4, "do_verify": 1}, reader={"verify_async": 2})
for k in "pattern", "pattern_hdr", "crc32c", "meta":
    job("pattern with %o", k, verify_pattern="0xdeadbeef%o")
    job("pattern with %o, parts", k, verify_pattern='"abc"%o', verify_interval=512)
    job("verify_pattern_interval", k, verify_pattern="%o", verify_pattern_interval=1024)
job("compression", buffer_compress_percentage=50)
job("compression, meta", "meta", buffer_compress_percentage=50)
job("dedupe", dedupe_percentage=50)
job("checked by the writer", writer={"do_verify": 1})


def kind_of(job):
    return "%-12s %s" % (job.kind, job.label)


class Side:
    """A direction: one program writes, and the other one reads."""

    def __init__(self, writer, reader, programs, folder, jobs):
        self.writer, self.reader, self.programs = writer, reader, programs
        self.folder = os.path.join(folder, writer + "-" + reader)
        os.mkdir(self.folder)
        self.jobs = {"c%03d" % i: j for i, j in enumerate(jobs)}
        self.results = {}  # (label, way, damage): what was wrong, or ""

    def path(self, name):
        return os.path.join(self.folder, name + ".data")

    def jobfile(self, path, options):
        with open(path, "w") as f:
            f.write("[global]\nthread=1\ndirectory=%s\nverify_state_save=0\n" % self.folder)
            for name, j in self.jobs.items():
                o = {**BASE, "filename": name + ".data", "verify": j.kind, **options(j)}
                f.write("[%s]\n%s\n" % (name, "\n".join("%s=%s" % i for i in o.items() if i[1] is not None)))

    def run(self, program, jobfile):
        """Returns the job's errors by their names, and all that was said."""
        out = os.path.join(self.folder, "out.json")
        done = subprocess.run([self.programs[program], jobfile, "--output-format=json", "--output=" + out], cwd=self.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        try:
            with open(out) as f:
                text = f.read()
            jobs = json.loads(text[text.index("\n{"):] if not text.startswith("{") else text)["jobs"]
        except (OSError, ValueError) as e:
            sys.exit("%s %s: %s\n%s" % (program, jobfile, e, done.stdout))
        return {j["jobname"]: j for j in jobs}, done.stdout

    def write(self):
        path = os.path.join(self.folder, "write.fio")
        self.jobfile(path, lambda j: {"do_verify": 0, **j.both, **j.writer})
        jobs, said = self.run(self.writer, path)
        bad = [n for n in self.jobs if jobs[n]["error"]]
        if bad or set(jobs) != set(self.jobs):
            sys.exit("%s cannot write %s:\n%s" % (self.writer, [self.jobs[n] for n in bad], said))
        for name in self.jobs:
            self.parts(name)  # fails if there is no block

    def parts(self, name):
        """The parts of the file's blocks: their offsets and lengths."""
        j = self.jobs[name]
        with open(self.path(name), "rb") as f:
            data = f.read()
        if j.kind == "pattern":
            return [(len(data) // 2, 512)]
        at, step, found = int(j.both.get("verify_offset", 0)), 512, []
        for lo in range(0, len(data) - at - HEADER + 1, step):
            magic, version, _, length, _, offset = struct.unpack_from("<HBBIQQ", data, lo + at)
            if (magic, version, offset) == (MAGIC, VERSION, lo):
                found.append((lo, length))
        if not found:
            sys.exit("%s wrote no blocks with headers of version 0x81: %s" % (self.writer, j))
        return found

    def read(self, way, damage):
        path = os.path.join(self.folder, "read.fio")
        self.jobfile(path, lambda j: {**j.both, **WAYS[way], **j.reader})
        jobs, said = self.run(self.reader, path)
        if set(jobs) != set(self.jobs):
            sys.exit("%s does not run %s:\n%s" % (self.reader, path, said))
        for name, j in self.jobs.items():
            if not jobs[name]["read"]["total_ios"]:
                self.results[name, way, damage] = "NOTHING READ: " + self.lines(name, said)
            elif damage and damage not in self.planted[name]:
                continue
            else:
                self.results[name, way, damage] = self.judge(j, jobs[name], damage, self.lines(name, said))

    def lines(self, name, said):
        """What was said about the job's file. Lines of fio's threads may be interleaved."""
        return " | ".join(m[0] for m in re.finditer(name + r"\.data.{0,160}", said))[:200]

    def judge(self, j, result, damage, said):
        error, mixed = result["error"], "bs" in j.reader
        if damage:
            # fio's exit code is 0 if an intact part follows in the block; its message is right.
            found = error == 84 or (self.reader == "fio" and said)
            return "" if found else "NOT FOUND: error %d %s" % (error, said)
        wrong = "ACCUSED: error %d %s" % (error, said) if error or said else ""
        if self.reader == "fiord":
            v = result.get("fiord", {}).get("verify", dict.fromkeys(("checked", "in_part", "not_checked", "damaged"), 0))
            if not v["checked"] + v["in_part"] or (v["in_part"] and not mixed) or v["not_checked"] or v["damaged"]:
                wrong += " " + str({k: v[k] for k in ("checked", "in_part", "not_checked", "damaged")})
        return wrong

    def place(self, name, damage, rng):
        """Returns a byte of the file to flip a bit in; None if this kind has none."""
        j = self.jobs[name]
        lo, length = rng.choice(self.parts(name))
        offset, digest, head = int(j.both.get("verify_offset", 0)), DIGEST[j.kind], HEADER
        if j.kind == "pattern":
            head = 0
        if damage == "header":
            return lo + offset + rng.randrange(head) if head else None
        if damage == "digest":
            return lo + offset + head + rng.randrange(digest) if digest else None
        if j.kind == "meta" and "verify_pattern" not in j.both and self.writer != self.reader:
            return None
        if damage == "last byte":
            return lo + length - 1
        places = [i for i in range(length) if not offset <= i < offset + head + digest]
        return lo + rng.choice(places)

    def flip(self, damage, seed):
        """Flips a bit in each file. Returns the places, to flip it back."""
        places = {}
        for i, name in enumerate(self.jobs):
            rng = random.Random(seed * 1000 + i)
            at = self.place(name, damage, rng)
            if at is not None:
                places[name] = (at, 1 << rng.randrange(8))
                self.planted.setdefault(name, set()).add(damage)
        self.flip_bits(places)
        return places

    def flip_bits(self, places):
        for name, (at, bit) in places.items():
            with open(self.path(name), "r+b") as f:
                f.seek(at)
                old = f.read(1)[0]
                f.seek(at)
                f.write(bytes([old ^ bit]))

    def work(self, rounds):
        self.planted = collections.defaultdict(set)
        self.write()
        for way in WAYS:
            self.read(way, "")
            for i in range(rounds):
                for damage in FLIPS:
                    places = self.flip(damage, i)
                    self.read(way, damage)
                    self.flip_bits(places)


def main():
    fiord, fio, folder = sys.argv[1:4]
    only = sys.argv[4] if len(sys.argv) > 4 else ""
    jobs = [j for j in JOBS if re.search(only, kind_of(j))]
    programs = {"fiord": fiord, "fio": fio}
    failed = cells = 0
    for writer, reader in ("fio", "fiord"), ("fiord", "fio"), ("fiord", "fiord"):
        side = Side(writer, reader, programs, folder, jobs)
        side.work(int(os.environ.get("VERIFY_FIO_ROUNDS", "1")))
        table = collections.defaultdict(lambda: [0, 0])
        for (name, way, damage), wrong in side.results.items():
            cells += 1
            row = table[side.jobs[name].kind]
            row[bool(damage)] += not wrong
            if wrong:
                failed += 1
                print("%s writes, %s reads (%s): %s: %s: %s" % (writer, reader, way, kind_of(side.jobs[name]), damage or "intact", wrong))
        print("%s writes, %s reads: accepted intact, found flipped" % (writer, reader))
        for k, (intact, found) in table.items():
            print("    %-12s %3d %3d" % (k, intact, found))
    print("%d checks, %d failures" % (cells, failed))
    sys.exit(bool(failed) or not cells)


main()
