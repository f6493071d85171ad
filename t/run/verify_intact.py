#!/usr/bin/env python3
"""verify_intact.py FIORD DIRECTORY [ONLY]: verifies files that nobody has damaged, with all kinds of jobs.

Each row of JOBS is a section of a job file. A job file runs three times: it writes and verifies, verifies again with
verify_only=1, and then reads with verify in place of writing. No job may end with an error, and each must have verified
something. Where the number of blocks is known from the options alone, each block must have been read once: "blocks". ONLY: a
regular expression; only rows with matching names run."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys

PER_FILE = 12
ENGINES = ["psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", "posixaio", "splice", "libaio", "io_uring"]
BASE = {"bs": "4k", "size": "256k", "rw": "randwrite", "verify": "crc32c"}

# Jobs that no other run follows. They stand in job files of their own: the seeds depend on the jobs before.
ONCE = {"_no_second", "_partial"}

# Label, blocks that each of the two runs reads (None: not known from the options), options.
JOBS = []


def job(label, blocks, **options):
    JOBS.append((label, blocks, options))


for engine in ENGINES:
    for depth in 1, 32:
        job("%s, %d deep" % (engine, depth), 64, ioengine=engine, iodepth=depth)
        job("%s, %d deep, without a map" % (engine, depth), None, ioengine=engine, iodepth=depth, norandommap=1, io_size="512k")
for engine in "libaio", "io_uring", "psync", "mmap":
    common = {"ioengine": engine, "iodepth": 32}
    job(engine + ", process", 64, thread=0, **common)
    job(engine + ", offload", 64, io_submit_mode="offload", **common)
    job(engine + ", offload, without a map", None, io_submit_mode="offload", norandommap=1, **common)
    job(engine + ", zones", None, random_distribution="zoned:80/10:20/90", **common)
    job(engine + ", bssplit", None, bssplit="4k/50:8k/30:16k/20", **common)
    job(engine + ", bssplit without a map", None, bssplit="4k/50:8k/30:16k/20", norandommap=1, **common)
    job(engine + ", bsrange", None, bsrange="1k-16k", **common)
    job(engine + ", bsrange without a map", None, bsrange="1k-16k", norandommap=1, io_size="1m", **common)
    job(engine + ", randrw", None, rw="randrw", **common)
    job(engine + ", randrw without a map", None, rw="randrw", norandommap=1, **common)
    job(engine + ", loops", None, loops=3, **common)
    job(engine + ", number_ios", 32, number_ios=32, **common)
    job(engine + ", more I/O than the size", 64, io_size="900k", **common)
    job(engine + ", time_based", None, time_based=1, runtime="0.2", **common)
    job(engine + ", sequential, time_based", None, rw="write", time_based=1, runtime="0.2", **common)
    job(engine + ", one block again and again", 1, rw="write:-4k", io_size="256k", **common)
    job(engine + ", few open files", 64, nrfiles=8, openfiles=3, file_service_type="random", **common)
    job(engine + ", overlapping, serialized", None, norandommap=1, io_size="1m", serialize_overlap=1, **common)

    backlog = {"verify_backlog": 10, **common}
    job(engine + ", backlog", 64, **backlog)
    job(engine + ", backlog and batch", 64, verify_backlog_batch=3, **backlog)
    job(engine + ", backlog, sequential", 64, rw="write", **backlog)
    job(engine + ", backlog without a map", None, norandommap=1, io_size="512k", **backlog)
    job(engine + ", backlog, bssplit", None, bssplit="4k/50:8k/50", **backlog)
    job(engine + ", backlog, bssplit without a map", None, bssplit="4k/50:8k/50", norandommap=1, **backlog)
    job(engine + ", backlog, loops", None, loops=2, **backlog)
    job(engine + ", backlog, time_based", None, time_based=1, runtime="0.2", _no_second=1, **backlog)
    job(engine + ", backlog, randrw", None, rw="randrw", **backlog)
    job(engine + ", backlog, files", 64, nrfiles=4, openfiles=2, **backlog)
    job(engine + ", threads", 64, verify_async=3, **common)
    job(engine + ", threads, without a map", None, verify_async=2, norandommap=1, io_size="512k", **common)
    job(engine + ", threads, bssplit", None, verify_async=2, bssplit="4k/50:8k/50", **common)
    job(engine + ", threads, loops", None, verify_async=2, loops=2, **common)
    job(engine + ", threads and backlog", 64, verify_async=2, **backlog)
    job(engine + ", backlog, offload", 64, io_submit_mode="offload", **backlog)

job("less I/O than the size", 16, io_size="64k")
job("number_ios above the size", 64, number_ios=100)
job("sequential", 64, rw="write")
job("sequential, number_ios", 10, rw="write", number_ios=10)
job("loops of a sequential job", None, rw="write", loops=3)
job("loops without a map", None, norandommap=1, loops=3)
job("bs=512", 512, bs=512)
job("bs=1m", 4, bs="1m", size="4m")
job("bssplit, more I/O than the size", None, bssplit="4k/50:8k/50", io_size="700k")
job("bssplit, time_based", None, bssplit="4k/50:8k/50", time_based=1, runtime="0.2", _no_second=1)
job("bssplit, sequential, time_based", None, bssplit="512/50:4k/50", rw="write", size="300k", time_based=1, runtime="0.2", _no_second=1)
job("bssplit, intervals, time_based", None, bssplit="512/50:4k/50", rw="randwrite:4", verify_interval=1024, time_based=1, runtime="0.2",
    _no_second=1)
job("bsrange, sequential", None, bsrange="4k-16k", rw="write")
job("bsrange, time_based", None, bsrange="4k-16k", time_based=1, runtime="0.2", _no_second=1)
job("bsrange with intervals", None, bsrange="4k-16k", verify_interval=1024, norandommap=1)
# The smallest size does not divide the interval, so a piece may lie in a part that is longer than the sizes before.
for sizes, interval in ("4k/50:12k/50", "6k"), ("8k/50:24k/50", "12k"), ("1k/50:3k/50", 1536):
    job("bssplit=%s with intervals of %s" % (sizes, interval), None, bssplit=sizes, verify_interval=interval, norandommap=1, size="2m")
job("bs_unaligned", None, bsrange="1k-8k", bs_unaligned=1, _may_refuse=1)
job("bs_unaligned, sequential", None, bsrange="1k-8k", bs_unaligned=1, rw="write", _may_refuse=1)
job("blockalign", None, bs="4k", blockalign="8k")
job("blockalign below the size", None, bs="8k", blockalign="4k")
for kind in "zoned:50/10:30/40:20/50", "zoned_abs:50/64k:50/192k", "zipf:1.2", "pareto:0.2:0.5", "normal:10", "sequence:3,1,60":
    job(kind, None, random_distribution=kind)
job("sequence with a stride", None, random_distribution="sequence:3,1,2", random_sequence_stride=1)
job("zipf, several sizes", None, random_distribution="zipf:0.8", bssplit="4k/60:8k/40")
job("zipf, partly sequential", None, random_distribution="zipf:1.2", percentage_random=50)
job("percentage_random", None, percentage_random=50)
job("bs_is_seq_rand, runs", None, bs="4k,16k", bs_is_seq_rand=1, rw="randwrite:3")
job("bs_is_seq_rand, random", 16, bs="4k,16k", bs_is_seq_rand=1, size="256k")
job("bs_is_seq_rand, sequential", 64, bs="4k,16k", bs_is_seq_rand=1, rw="write", size="256k")
job("bs_is_seq_rand, bssplit", None, bssplit="4k/50:8k/50,16k/50:32k/50", bs_is_seq_rand=1, percentage_random=40)
job("bs_is_seq_rand, bsrange, reads too", None, bsrange="2k-8k,16k-64k", bs_is_seq_rand=1, rw="randrw", percentage_random="30,60", size="640k")
job("bs_is_seq_rand, identical", None, bs="4k,16k", bs_is_seq_rand=1, rw="randwrite:3", rw_sequencer="identical")
job("bs_is_seq_rand, zones that take turns", None, bs="4k,16k", bs_is_seq_rand=1, percentage_random=50, zonemode="strided",
    zonesize="32k", zonerange="64k")
job("bs_is_seq_rand, write pointers", None, bs="4k,16k", bs_is_seq_rand=1, percentage_random=50, zonemode="zbd", zonesize="32k")
zones = {"zonemode": "strided", "zonesize": "16k", "zonerange": "32k", "zoneskip": "4k"}
for engine in "psync", "libaio":
    job(engine + ", zones that take turns", None, ioengine=engine, iodepth=8, **zones)
    job(engine + ", zones that take turns, sequential", None, ioengine=engine, iodepth=8, rw="write", **zones)
job("zones that take turns, without a map", None, norandommap=1, **zones)
job("zones that take turns, bssplit", None, bssplit="4k/50:8k/30:12k/20", **zones)
job("zones that take turns, loops", None, loops=3, **zones)
job("zones that take turns, more I/O than the size", None, io_size="900k", **zones)
job("zones that take turns, time_based", None, time_based=1, runtime="0.2", _no_second=1, **zones)
job("zones that take turns, files", None, nrfiles=3, size="384k", **zones)
job("zones that take turns, backlog", None, verify_backlog=10, **zones)
zbd = {"zonemode": "zbd", "zonesize": "32k"}
job("write pointers", None, **zbd)
job("write pointers, bssplit", None, bssplit="4k/50:8k/30:12k/20", **zbd)
job("write pointers, more I/O than the size", None, io_size="900k", max_open_zones=2, **zbd)
job("write pointers, resets", None, zone_reset_frequency="0.3", zone_reset_threshold="0.2", **zbd)
job("write pointers, sequential, gaps", None, rw="write", zonecapacity="20k", zoneskip="1z", **zbd)
job("write pointers, deep", None, ioengine="libaio", iodepth=16, loops=2, **zbd)
job("zones used twice", None, zonemode="strided", zonesize="64k", zonerange="32k")
job("percentage_random without a map", None, percentage_random=50, norandommap=1)
job("randwrite:8", None, rw="randwrite:8")
job("randwrite:3", None, rw="randwrite:3")
job("holes", 16, rw="write:12k", io_size="64k", _only=16)
job("holes, the whole size", None, rw="write:12k")
job("backwards", None, rw="write:-8k")
job("backwards, one block again and again", 1, rw="write:-4k")
job("backwards, bssplit", None, rw="write:-4k", bssplit="2k/10:4k/60:32k/30", nrfiles=5, size="325k")
job("rw_sequencer", None, rw="randwrite:4", rw_sequencer="identical")
job("rw=rw", None, rw="rw")
job("rw=randrw, rate", None, rw="randrw", rate_iops="4000,4000", _unknown=1)
job("rate_iops", 64, rate_iops=2000)
job("rate_steps", 64, rate_steps="0:1000,10ms:4000")
job("rw=randrw, rate_steps", None, rw="randrw", rate_steps="0:4000,2ms:1000,4ms:2000,8000", _unknown=1)
job("thinktime", 64, thinktime=100, thinktime_blocks=4)
job("startdelay", 64, startdelay="0.1")
job("ramp_time", None, ramp_time="0.1", time_based=1, runtime="0.2")
job("ramp_time, rate", None, ramp_time="0.1", runtime="0.3", rate_iops=1000, size="16m", norandommap=1, _partial=1)
job("ramp_time before the passes", None, ramp_time="0.02", rate_iops=2000, _unknown=1)
job("ramp_time and runtime in a pass", None, ramp_time="0.1", runtime="0.2", rate_iops=300, size="1m", _partial=1)
job("runtime ends within the pass", None, runtime="0.1", rate_iops=500, size="1m", _partial=1)
job("runtime within the second pass", None, runtime="0.2", time_based=1, rate_iops=500)
job("fsync", 64, fsync=4)
job("fdatasync", 64, fdatasync=3, ioengine="libaio", iodepth=8)
job("end_fsync", 64, end_fsync=1)
job("fsync_on_close", 64, fsync_on_close=1)
job("dedupe", 64, dedupe_percentage=60)
job("compression", 64, buffer_compress_percentage=50)
job("compression and dedupe, meta", 64, buffer_compress_percentage=50, dedupe_percentage=30, verify="meta")
job("zero_buffers", 64, zero_buffers=1)
job("buffer_pattern", 64, buffer_pattern="0xff")
job("scramble_buffers=0", 64, scramble_buffers=0)
job("refill_buffers", 64, refill_buffers=1)
for service in "random", "roundrobin", "sequential", "zipf:1.2", "normal:20":
    job("files, " + service, 64, nrfiles=4, file_service_type=service)
    job("files, sequential writes, " + service, 64, nrfiles=4, file_service_type=service, rw="write")
    job("few open files, " + service, 64, nrfiles=8, openfiles=2, file_service_type=service)
    job("files, loops, " + service, None, nrfiles=4, file_service_type=service, loops=2)
    job("files, without a map, " + service, None, nrfiles=4, file_service_type=service, norandommap=1)
job("files of random sizes", None, nrfiles=4, filesize="16k-64k")
job("file_append", 64, rw="write", file_append=1, filesize="256k", _only=None, _no_second=1)
job("create_on_open", 64, create_on_open=1)
job("create_on_open, files", 64, create_on_open=1, nrfiles=4, openfiles=2, rw="write")
job("unlink", 64, unlink=1, _no_second=1)
job("overwrite", 64, overwrite=1)
job("fallocate=none", 64, fallocate="none")
job("offset", None, offset="64k")
job("offset and size", 16, offset="64k", size="64k")
job("offset that is no multiple", None, offset="2560", size="64k")
job("offset_increment", 64, size="64k", offset_increment="64k", numjobs=4, filename="shared", _only=64)
job("one file, the same range", None, size="256k", numjobs=3, filename="same", _no_second=1)
job("one file, the same range, no map", None, size="256k", numjobs=3, filename="same", norandommap=1, iodepth=8, ioengine="libaio",
    _no_second=1)
job("one file, read by all", None, numjobs=2, filename="same", norandommap=1)
job("one file, read by all, sizes", None, numjobs=3, filename="same", bsrange="4k-16k")
job("one file, read by all, parts of ranges", None, numjobs=2, filename="same", offset_increment="64k", norandommap=1)
job("one file, read by all, a pattern", None, numjobs=2, filename="same", bssplit="1k/30:4k/70", verify_pattern="0x12345678%o")
job("one file, ranges that are no multiple apart", None, numjobs=3, filename="same", bs="3k", size="512k", offset_increment="64k", rw="write",
    verify="pattern", verify_pattern="%o", _no_second=1)
job("sizes again and again, zones", None, bssplit="1k/30:4k/70", random_distribution="zoned:50/10:50/90", io_size="1m")
job("sizes at small offsets", None, bs="8k", blockalign="512", norandommap=1, verify="meta")
job("sizes and compression", None, bssplit="4k/50:12k/50", norandommap=1, buffer_compress_percentage=50)
job("sizes and intervals, a pattern", None, bssplit="4k/50:12k/50", norandommap=1, verify="pattern", verify_pattern="0x12345678%o",
    verify_interval=1024)
job("one file, sequential", None, numjobs=4, filename="same", rw="write", _no_second=1)
job("one file, the same range, bssplit", None, numjobs=2, filename="same", bssplit="4k/50:8k/50", _no_second=1)
job("one file, a pattern", None, numjobs=4, filename="same", rw="write", verify="pattern", verify_pattern="0xabcdef")
job("size is no multiple, sequential", 64, rw="write", size=str(64 * 4096 + 512))
job("size is no multiple, random", None, size=str(64 * 4096 + 1536))
job("an odd size", None, size=str(64 * 4096 + 777))
job("an odd size, bsrange", None, size=str(64 * 4096 + 777), bsrange="512-8k", _may_refuse=1)
job("clones", 256, numjobs=4)
job("clones in a group", 256, numjobs=4, group_reporting=1)
job("direct=0, invalidate=0", 64, invalidate=0)
job("pre_read", 64, rw="randrw", rwmixread=0, pre_read=1)
job("lfsr", 64, random_generator="lfsr")
job("tausworthe64", 64, random_generator="tausworthe64")
job("allrandrepeat", 64, allrandrepeat=1)
job("random seeds", 64, randrepeat=0, _no_second=1)
job("iodepth_batch", 64, ioengine="libaio", iodepth=32, iodepth_batch=8, iodepth_batch_complete_min=4, iodepth_low=16)
job("verify_fatal", 64, verify_fatal=1)
for kind in ["md5", "crc64", "crc32", "crc16", "crc7", "sha1", "sha256", "sha512", "sha3-224", "sha3-512", "xxhash", "meta"]:
    job("kind " + kind, 64, verify=kind, verify_interval=1024, verify_offset=200)
    job("kind %s, without a map" % kind, None, verify=kind, norandommap=1, bssplit="4k/50:8k/50", verify_interval=1024)
for kind in "pattern", "pattern_hdr", "crc32c", "meta":
    job("a pattern, " + kind, 64, verify=kind, verify_pattern="0x12345%o")
    job("a pattern, %s, without a map" % kind, None, verify=kind, verify_pattern="0x12345%o", norandommap=1, bssplit="4k/50:8k/50")


def reads_back(options):
    """Returns whether reads in place of the writes read the same blocks. Emulated zones are empty when a run begins."""
    options = {**BASE, **options}
    return "write" in options["rw"] and options.get("zonemode") != "zbd"


class Batch:
    def __init__(self, fiord, folder, number, jobs):
        self.fiord, self.jobs = fiord, jobs
        self.folder = os.path.join(folder, "b" + number)
        os.mkdir(self.folder)

    def name(self, i):
        return "r%02d" % i

    def run(self, jobs, reads, *options):
        """Returns the members of the JSON document for each job, and what it said."""
        path, out = os.path.join(self.folder, "job.fio"), os.path.join(self.folder, "out")
        text = ["[global]", "thread=1", "directory=" + self.folder]
        for i, (_, _, options_of) in jobs:
            text.append("[%s]" % self.name(i))
            options_of = {**BASE, **options_of}
            if "filename" in options_of:
                options_of["filename"] += "." + self.name(i)
            if reads and reads_back(options_of):
                options_of["rw"] = options_of["rw"].replace("write", "read")
            elif reads:
                options_of["verify_only"] = 1
            text += ["%s=%s" % o for o in options_of.items() if o[0][0] != "_"]
        with open(path, "w") as f:
            f.write("".join(line + "\n" for line in text))
        done = subprocess.run([self.fiord, path, "--output=" + out, "--output-format=json", *options], stdin=subprocess.DEVNULL, cwd=self.folder,
                              stderr=subprocess.PIPE, text=True, timeout=200)
        said = {}
        for line in done.stderr.splitlines():
            at = re.search(r"job.fio:(\d+): ", line)
            names = re.findall(r"\[(r\d\d)\]", "".join(text[:int(at[1])])) if at else re.findall(r"\b(r\d\d)\b", line)
            said.setdefault(names[-1] if names else "?", []).append(line)
        try:
            with open(out) as f:
                docs = json.load(f)["jobs"]
            os.remove(out)
        except (OSError, ValueError):
            docs = []
        by_name = {}
        for d in docs:
            by_name.setdefault(d["jobname"], []).append(d)
        return done.returncode, by_name, said

    def judge(self, which, job, docs, said):
        label, blocks, options = job
        if said:
            return "%s: %s" % (which, said[0])
        if not docs or any(d["error"] for d in docs):
            return "%s: error %s" % (which, [d["error"] for d in docs])
        reads = sum(d["read"]["total_ios"] for d in docs)
        options["_reads"] = which == "write" and options.get("rw", "") in ("rw", "randrw")
        # On a slow machine the time may be over within the first pass, and the blocks after it are not checked.
        if which == "write" and "time_based" in options and sum(d["write"]["total_ios"] for d in docs) < 64:
            options["_unknown"] = 1
        if which == "verify_only" and "_only" in options:
            blocks = options["_only"]
        if which == "read" and ("io_size" in options or options.get("rw") == "write:-4k"):  # it reads some blocks again
            blocks = None
        counts = [d.get("fiord", {}).get("verify") for d in docs]
        if blocks is not None and reads != blocks and not options["_reads"]:
            return "%s: %d blocks were read in place of %d" % (which, reads, blocks)
        if not reads:
            return "%s: nothing was read" % which
        total = {k: sum(c[k] for c in counts) for k in ("checked", "in_part", "not_checked", "damaged")}
        if total["damaged"] or total["not_checked"] and not (which == "verify_only" and "_unknown" in options):
            return "%s: %s" % (which, total)
        if blocks is not None and total["checked"] + total["in_part"] != blocks:
            return "%s: %s in place of %d" % (which, total, blocks)
        if not options["_reads"] and "ramp_time" not in options and total["checked"] + total["in_part"] + total["not_checked"] != reads:
            return "%s: %s, but %d blocks were read" % (which, total, reads)
        if total["in_part"] and blocks is not None and "filename" not in options:
            return "%s: %d blocks were checked in part" % (which, total["in_part"])
        return None

    def check(self, which, jobs, *options):
        code, docs, said = self.run(jobs, which == "read", *options)
        while "?" not in said and not docs and said:  # a job that is refused before anything runs
            bad = next(iter(said))
            yield next(j for i, j in jobs if self.name(i) == bad), "refused: " + said[bad][0]
            jobs = [(i, j) for i, j in jobs if self.name(i) != bad]
            code, docs, said = self.run(jobs, which == "read", *options)
        for i, j in jobs:
            yield j, self.judge(which, j, docs.get(self.name(i), []), said.get(self.name(i)))
        if "?" in said:
            yield jobs[0][1], "%s: somewhere here: %s" % (which, said["?"])

    def work(self):
        jobs = list(enumerate(self.jobs))
        results = list(self.check("write", jobs))
        refused = [j for j, why in results if why and why.startswith("refused")]
        if not ONCE & set(self.jobs[0][2]):
            rest = [(i, j) for i, j in jobs if j not in refused]
            results += self.check("verify_only", rest, "--set=verify_only=1")
            # The other jobs stay in the file, so that no job gets other seeds.
            # A reader expects all blocks of the first pass; a write job that had no time for them all left zeroes.
            results += [r for r in self.check("read", rest) if reads_back(r[0][2]) and "_unknown" not in r[0][2]]
        return [(j, why) for j, why in results
                if why and not ("_may_refuse" in j[2] and why.startswith("refused"))]


def main():
    fiord, folder = sys.argv[1:3]
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    built = subprocess.run([fiord, "--enghelp"], stdout=subprocess.PIPE, text=True).stdout.split()
    jobs = [j for j in JOBS if re.search(only, j[0]) and j[2].get("ioengine", "psync") in built]
    if os.environ.get("SANITIZE") == "thread":  # it crashes in threads that the C library makes
        jobs = [j for j in jobs if j[2].get("ioengine") != "posixaio"]
    once = [j for j in jobs if ONCE & set(j[2])]
    again = [j for j in jobs if not ONCE & set(j[2])]
    batches = [Batch(fiord, folder, "%d.%d" % (k, i), part[i:i + PER_FILE]) for k, part in enumerate((once, again))
               for i in range(0, len(part), PER_FILE)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        bad = [b for bs in pool.map(Batch.work, batches) for b in bs]
    for (label, _, options), why in bad:
        print("%-32s %s\n%34s%s" % (label, why, "", " ".join("--%s=%s" % o for o in {**BASE, **options}.items() if o[0][0] != "_")))
    print("%d jobs, %d failures" % (len(jobs), len(bad)))
    sys.exit(bool(bad) or not jobs)


main()
