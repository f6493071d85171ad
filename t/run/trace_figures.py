"""trace_figures.py make: writes one made-up trace as blktrace's binary files (by linux/blktrace_api.h), blkparse's text, CSV,
SPC and Tencent. trace_figures.py compare FILE FORMAT: compares what fiord trace printed with figures of the list of I/Os. trace_figures.py skew FILE LOG THETA: checks
the skew of an iolog."""
import bisect, collections, json, random, struct, sys

random.seed(30)
SECTOR = 512


def make_ios():
    """(time_us, device, op, sector, sectors, delay_us): runs that are sequential on a device, random ones, trims and flushes."""
    ios, end, time = [], {}, 1000
    for i in range(3000):
        time += random.choice((2, 5, 100, 2000))
        device = random.choice((0, 0, 16))
        op = random.choices(("read", "write", "trim", "sync"), (60, 30, 5, 5))[0]
        sectors = 0 if op == "sync" else random.choice((1, 8, 8, 64, 256))
        sector = 0 if op == "sync" else random.randrange(1 << 17) * 8
        if op in ("read", "write") and random.random() < 0.4:
            sector = end.get((device, op), sector)
        end[device, op] = sector + sectors
        ios.append((time, device, op, sector, sectors, random.randrange(2, 3000)))
    return ios


IOS = make_ios()
CATEGORY = {"read": 1 << 16, "write": 1 << 17, "trim": 1 << 17 | 1 << 29, "sync": 1 << 17 | 1 << 18}
KIND = {"read": "R", "write": "W", "trim": "D", "sync": "FN"}


def make():
    records, lines = ([], []), []
    for i, (time, device, op, sector, sectors, delay) in enumerate(IOS):
        for event, letter, at, cpu in ((1, "Q", time, i % 2), (7, "D", time + 1, i % 2), (8, "C", time + delay, i // 2 % 2)):
            records[cpu].append((at, len(records[cpu]), event, op, sector, sectors, device))
            what = f" {sector} + {sectors}" if sectors else ""
            lines.append((at, f"  8,{device} {cpu:4} {len(lines) + 1:8} {at // 1000000:5}.{at % 1000000:06}000 {77:5} {letter:>2} {KIND[op]:>3}{what} [p]\n"))
    for cpu in 0, 1:
        with open(f"t.blktrace.{cpu}", "wb") as out:
            out.write(struct.pack("<IIQQIIIIIHH", 0x65617407, 0, 0, 0, 0, 1 << 26, 77, 0, cpu, 0, 2) + b"p\0")
            for n, (at, _, event, op, sector, sectors, device) in enumerate(sorted(records[cpu])):
                out.write(struct.pack("<IIQQIIIIIHH", 0x65617407, n + 1, at * 1000, sector, sectors * SECTOR,
                                      CATEGORY[op] | event, 77, 8 << 20 | device, cpu, 0, 0))
    open("blkparse.txt", "w").writelines(text for _, text in sorted(lines, key=lambda line: line[0]))
    letter = {"read": "R", "write": "W", "trim": "T", "sync": "F"}
    with open("t.csv", "w") as out:
        out.write("n,us,sector,bytes,op,device,ms\n")
        for n, (time, device, op, sector, sectors, delay) in enumerate(IOS):
            out.write(f"{n},{time},{sector},{sectors * SECTOR},{letter[op]},8.{device},{delay / 1000}\n")
    rw = [io for io in IOS if io[2] in ("read", "write")]
    with open("t.spc", "w") as out:
        for time, device, op, sector, sectors, _ in rw:
            out.write(f"{device},{sector},{sectors * SECTOR},{letter[op].lower()},{time / 1e6:.6f}\n")
    with open("t.msr", "w") as out:
        for time, device, op, sector, sectors, delay in rw:
            out.write(f"{128166372003061629 + 10 * time},h,{device},{op.title()},{sector * SECTOR},{sectors * SECTOR},{delay * 10}\n")
    with open("t.tencent", "w") as out:
        for time, device, op, sector, sectors, _ in rw:
            out.write(f"{1538323200 + time // 1000000},{sector},{sectors},{int(op == 'write')},{device}\n")


LATENCIES = "latency", "csv-window", "msr"


def near(what, got, want, share):
    assert abs(got - want) <= share * want, (what, got, want)


def select(form):
    """The I/Os of the format with their times in us since the first one."""
    ios = [io for io in IOS if form not in ("spc", "tencent", "msr") or io[2] in ("read", "write")]
    start = ios[0][0]
    ios = [(time - start, *rest) for time, *rest in ios]
    if form == "tencent":
        ios = [((time + start) // 1000000 * 1000000 - start // 1000000 * 1000000, *rest) for time, *rest in ios]
    if form == "csv-window":
        ios = [io for io in ios if 300000 <= io[0] < 1200000]
    return ios


def compare_places(d, ios):
    end, sequential, blocks = {}, 0, {"read": set(), "write": set()}
    for _, device, op, sector, sectors, _ in ios:
        if op not in blocks:
            continue
        sequential += end.get((device, op)) == sector
        end[device, op] = sector + sectors
        blocks[op].update((device, b) for b in range(sector // 8, (sector + sectors - 1) // 8 + 1))
    assert d["sequential"]["ios"] == sequential > 300, (d["sequential"], sequential)
    # Four standard errors.
    near("blocks read", d["working_set"]["read_bytes"], len(blocks["read"]) * 4096, 0.0325)
    near("blocks written", d["working_set"]["written_bytes"], len(blocks["write"]) * 4096, 0.0325)
    near("all blocks", d["working_set"]["bytes"], len(blocks["read"] | blocks["write"]) * 4096, 0.0325)


def compare_reuse(d, ios):
    """All distances, not a sample: the stack of an LRU cache."""
    last, stack, distances, accesses = {}, [], [], 0  # stack: the last accesses of all blocks, in order of time
    for _, device, op, sector, sectors, _ in ios:
        for b in range(sector // 8, (sector + sectors - 1) // 8 + 1) if op in ("read", "write") else ():
            accesses += 1
            if (device, b) in last:
                place = bisect.bisect_left(stack, last[device, b])
                distances.append(len(stack) - place)
                del stack[place]
            last[device, b] = accesses
            stack.append(accesses)
    near("re-use", d["reuse"]["percent"], 100 * len(distances) / accesses, 0.1)
    assert d["reuse"]["share_of_blocks"] == next(1 / 2**h for h in range(9) if len(stack) / 2**h < 8192), d["reuse"]
    distances.sort()
    # The sample has a fourth of some 600 to 1400 distances: the share that a cache serves is right within 10 points.
    for p, value in d["reuse"]["lru_bytes"].items():
        low, high = (distances[min(max(len(distances) * (int(p) + points) // 100, 0), len(distances) - 1)] for points in (-10, 10))
        assert low * 0.95 <= value / 4096 <= high * 1.05, (p, value / 4096, low, high)
    caches = d["reuse"]["caches"]
    assert [c["bytes"] for c in caches] == [4096 << i for i in range(len(caches))] and caches[-1]["bytes"] >= distances[-1] * 4096
    for cache in caches:
        served = 100 * bisect.bisect_right(distances, cache["bytes"] // 4096) / accesses
        assert abs(cache["served_percent"] - served) <= 10 * len(distances) / accesses, (cache, served)
    assert abs(caches[-1]["served_percent"] - d["reuse"]["percent"]) < 1e-6


def compare_times(d, ios, form):
    seconds = (ios[-1][0] - ios[0][0]) / 1e6
    near("IOPS", d["rate"]["iops"], len(ios) / seconds, 1e-6)
    width = d["rate"]["interval_ns"] // 1000
    assert seconds * 1e6 / width <= 1000 and (width == 1000 or seconds * 1e6 / (width // 10) > 999 or form == "tencent"), width
    count = {}
    for io in ios:
        count[(io[0] - ios[0][0]) // width] = count.get((io[0] - ios[0][0]) // width, 0) + 1
    near("peak", d["rate"]["peak_iops"], max(count.values()) * 1e6 / width, 1e-6)
    series = [sum(v[op]["ios"] for op in ("read", "write", "trim", "sync", "datasync")) for v in d["series"]]
    assert series == [count.get(i, 0) for i in range(len(series))] and sum(series) == len(ios)
    sets = [v["working_set_bytes"] for v in d["series"]]
    assert sets == sorted(sets) and sets[-1] == d["working_set"]["bytes"] and sets[0] > 0
    if form == "tencent":
        assert d["whole_seconds"] and "interarrival_ns" not in d
        return
    gaps = sorted((b[0] - a[0]) * 1000 for a, b in zip(ios, ios[1:]))
    got = d["interarrival_ns"]
    assert (got["min"], got["max"]) == (gaps[0], gaps[-1])
    near("mean gap", got["mean"], sum(gaps) / len(gaps), 1e-6)
    for p, value in got["percentile"].items():
        near(f"gap {p} %", value, gaps[max(0, -(-len(gaps) * float(p) // 100) - 1).__int__()], 1 / 64)


def compare_depth(d, ios, form):
    """Requests in flight, and Little's law. blktrace has the issue 1 us behind the queueing; latencies count from the stamp."""
    wait = 0 if form in LATENCIES else 1
    steps = sorted([(io[0] + wait, 1) for io in ios] + [(io[0] + io[5], -1) for io in ios])
    depth = area = most = 0
    for i, (time, step) in enumerate(steps):
        area += depth * (time - steps[i - 1][0]) if i else 0
        depth += step
        most = max(most, depth)
    near("mean depth", d["depth"]["mean"], area / (steps[-1][0] - steps[0][0]), 1e-6)
    near("Little's law", d["depth"]["mean"], sum(io[5] - wait for io in ios) / (steps[-1][0] - steps[0][0]), 1e-6)
    # Of events of the same time, those of blktrace may have the issue first.
    assert most <= d["depth"]["max"] <= most + 2 * wait, (most, d["depth"])


def check_skew(file, log, theta):
    """Is this the theta that the job had, and are the I/Os those of the log that do not begin where the last one ended?"""
    d, theta, end, begins = json.load(open(file))["skew"], float(theta), {}, []
    for line in open(log):
        _, *words = line.split()
        if words[1] in ("read", "write"):
            if end.get(words[1]) != words[2]:
                begins.append(words[2])
            end[words[1]] = str(int(words[2]) + int(words[3]))
    assert d["ios"] == len(begins), (d, len(begins))
    near("addresses", d["touched_addresses"], len(set(begins)), 0.08)  # five standard errors of a sample of 4096
    # Four standard errors, because the interval of 95 % has two.
    assert d["theta_from"] - (d["zipf_theta"] - d["theta_from"]) - 0.01 <= theta <= d["theta_to"] + (d["theta_to"] - d["zipf_theta"]) + 0.01, d
    assert d["theta_to"] - d["theta_from"] < 0.2 and d["misfit_percent"] < 4, d
    counts = sorted(collections.Counter(begins).values())
    for share in d["shares"]:
        near("addresses", share["addresses_percent"], 100 * bisect.bisect_right(counts, share["at_most_ios"]) / len(counts), 0.04)
    assert max(abs(s["addresses_percent"] - s["fitted_percent"]) for s in d["shares"]) - d["misfit_percent"] < 1e-3


def compare(file, form):
    d, ios = json.load(open(file)), select(form)
    for op in "read", "write", "trim", "sync":
        own = [io for io in ios if io[2] == op]
        assert d[op] == {"ios": len(own), "bytes": sum(io[4] for io in own) * SECTOR}, (op, d[op])
    for sectors in 1, 8, 64, 256:
        size = next(s for s in d["sizes"] if s["bytes"] == sectors * SECTOR)
        for op in "read", "write", "trim":
            assert size[op] == sum(io[2] == op and io[4] == sectors for io in ios), size
    for device in d["devices"]:
        own = [io for io in ios if io[1] == int(device["name"].replace(",", ".").split(".")[-1])]
        assert device["largest_address"] == max(io[3] + io[4] for io in own) * SECTOR
        assert device["read"]["ios"] == sum(io[2] == "read" for io in own)
    assert len(d["devices"]) == 2
    compare_places(d, ios)
    compare_times(d, ios, form)
    compare_reuse(d, ios)
    assert ("depth" in d) == (form in ("blktrace", "blkparse", "issued", *LATENCIES))
    if "depth" in d:
        compare_depth(d, ios, form)


if sys.argv[1] == "make":
    make()
elif sys.argv[1] == "skew":
    check_skew(*sys.argv[2:])
else:
    compare(*sys.argv[2:])
