#!/usr/bin/env python3
"""Makes nights from one document, and says by another test where they changed.

trend_nights.py make REAL.json DIR NIGHTS CHANGE: writes DIR/night-001.json and so on. All figures vary by some 2 percent. From night
CHANGE on the p99 of reads is 30 percent higher, and the kernel is another one; 0: neither.
trend_nights.py witness DIR: prints the probability of Pettitt's test (Applied Statistics 28, 1979) for p99 of reads,
and the night from which on a line of two levels is nearest to it by least squares."""
import glob
import json
import math
import random
import re
import sys

DAY_MS = 24 * 3600 * 1000
BEGIN_MS = 1750000000000


def vary(figures, change):
    for key, value in figures.items():
        if isinstance(value, dict):
            vary(value, change)
        elif key in ("iops", "bw_bytes", "mean", "max") or key[0].isdigit():
            figures[key] = change(value)


def make(real, where, nights, change):
    with open(real) as f:
        document = json.load(f)
    for job in document["jobs"]:
        for direction in ("read", "write"):
            for kind in ("slat_ns", "clat_ns", "lat_ns"):
                slow = job[direction].get(kind, {})
                # The bins hold the percentiles of the run that was measured. Latencies of the null engine have few digits.
                slow.pop("bins", None)
                vary(slow, lambda value: 1000 * value)
    # The document is written once, with a mark in place of each value that changes.
    values = []

    def mark(value):
        values.append(value)
        return "@%d@" % (len(values) - 1)

    worse = set()
    for job in document["jobs"]:
        for direction in ("read", "write"):
            vary(job[direction], mark)
        worse.add(job["read"].get("clat_ns", {}).get("percentile", {}).get("99.000000"))
    document["timestamp_ms"], document["timestamp"] = "@ms@", "@s@"
    document["fiord"]["environment"]["kernel"] = "@kernel@"
    parts = re.split('"(@[a-z0-9]+@)"', json.dumps(document))
    rng = random.Random(nights * 1000 + change)
    for night in range(1, nights + 1):
        changed = change and night >= change
        ms = BEGIN_MS + night * DAY_MS
        now = {"@ms@": ms, "@s@": ms // 1000, "@kernel@": "6.2.0" if changed else "6.1.0"}
        for i, value in enumerate(values):
            name = "@%d@" % i
            now[name] = type(value)(value * math.exp(rng.gauss(0, 0.02)))
            if changed and name in worse:
                now[name] = int(now[name] * 1.3)
        text = [json.dumps(now[part]) if i % 2 else part for i, part in enumerate(parts)]
        with open("%s/night-%03d.json" % (where, night), "w") as f:
            f.write("".join(text))


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
