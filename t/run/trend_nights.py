#!/usr/bin/env python3
"""Makes nights from one document, and says by another test where they changed.

trend_nights.py make REAL.json DIR NIGHTS CHANGE: writes DIR/night-001.json and so on. All figures vary by some 2 percent. From night
CHANGE on the p99 of reads is 30 percent higher, and the kernel is another one; 0: neither.
trend_nights.py witness DIR: prints the probability of Pettitt's test (Applied Statistics 28, 1979) for p99 of reads,
and the night from which on a line of two levels is nearest to it by least squares."""
import copy
import glob
import json
import math
import random
import sys

DAY_MS = 24 * 3600 * 1000
BEGIN_MS = 1750000000000


def vary(figures, factor):
    for key, value in figures.items():
        if isinstance(value, dict):
            vary(value, factor)
        elif key in ("iops", "bw_bytes", "mean", "max") or key[0].isdigit():
            figures[key] = type(value)(value * factor())


def make(real, where, nights, change):
    with open(real) as f:
        document = json.load(f)
    for direction in ("read", "write"):
        for kind in ("slat_ns", "clat_ns", "lat_ns"):
            slow = document["jobs"][0][direction].get(kind, {})
            # The bins hold the percentiles of the run that was measured. Latencies of the null engine have few digits.
            slow.pop("bins", None)
            vary(slow, lambda: 1000)
    rng = random.Random(nights * 1000 + change)
    for night in range(1, nights + 1):
        d = copy.deepcopy(document)
        d["timestamp_ms"] = BEGIN_MS + night * DAY_MS
        d["timestamp"] = d["timestamp_ms"] // 1000
        d["fiord"]["environment"]["kernel"] = "6.2.0" if change and night >= change else "6.1.0"
        for job in d["jobs"]:
            for direction in ("read", "write"):
                vary(job[direction], lambda: math.exp(rng.gauss(0, 0.02)))
            if change and night >= change:
                percentile = job["read"]["clat_ns"]["percentile"]
                percentile["99.000000"] = int(percentile["99.000000"] * 1.3)
        with open("%s/night-%03d.json" % (where, night), "w") as f:
            json.dump(d, f)


def witness(where):
    v = []
    for path in sorted(glob.glob(where + "/night-*.json")):
        with open(path) as f:
            v.append(json.load(f)["jobs"][0]["read"]["clat_ns"]["percentile"]["99.000000"])
    n = len(v)
    u = [sum((a > b) - (a < b) for a in v[:k] for b in v[k:]) for k in range(1, n)]
    most = max(abs(x) for x in u)
    squares = lambda w: sum((x - sum(w) / len(w)) ** 2 for x in w)
    night = 1 + min(range(1, n), key=lambda k: squares(v[:k]) + squares(v[k:]))
    print(night, "%.6f" % min(1, 2 * math.exp(-6 * most**2 / (n**3 + n**2))))


if sys.argv[1] == "make":
    make(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
else:
    witness(sys.argv[2])
