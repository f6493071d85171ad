# merge_check.py MERGED DOCUMENT...: do the entries of a merged document add up to its last one? The expected figures come from
# the counts and bins of the documents, by integers and fractions.
import json, math, sys
from fractions import Fraction

DIRS = ("read", "write", "trim", "sync")
KINDS = ("slat", "clat", "lat", "resp")


def entries(path):
    doc = json.load(open(path))
    jobs = doc.get("jobs", doc.get("client_stats"))
    return [j for j in jobs if j["jobname"] != "All clients"]


def latency(job, dir, kind):
    if dir == "sync":
        return job["sync"]["lat_ns"] if kind == "clat" else {}
    part = job["fiord"].get(dir, {}) if kind == "resp" else job[dir]
    return part.get(kind + "_ns", {})


def moments(job, dir, kind):
    return {k: int(v) for k, v in job["fiord"]["counts"].get(dir, {}).get(kind, {}).items() if k != "bins"}


# fio's rule: the first bucket at which the cumulative count reaches the share, within minimum and maximum
def percentile(bins, p, low, high):
    need, seen = Fraction(p) * sum(bins.values()), 0
    for ns in sorted(bins):
        seen += bins[ns]
        if 100 * seen >= need:
            return min(max(ns, low), high)


def close(a, b, what):
    assert abs(a - b) <= 2e-6 * (1 + abs(b)), (what, a, b)


def check_latency(jobs, total, dir, kind):
    parts = [m for m in (moments(j, dir, kind) for j in jobs) if m.get("n")]
    figures = latency(total, dir, kind)
    assert figures.get("N", 0) == sum(m["n"] for m in parts), (dir, kind)
    if not parts:
        return 0
    n, s, sq = (sum(m[k] for m in parts) for k in ("n", "sum", "sum_sq"))
    own = moments(total, dir, kind)
    assert (own["n"], own["sum"], own["sum_sq"]) == (n, s, sq), (dir, kind)
    assert figures["min"] == min(m["min"] for m in parts) and figures["max"] == max(m["max"] for m in parts)
    close(figures["mean"], float(Fraction(s, n)), "mean")
    if n > 1:
        close(figures["stddev"], math.sqrt((Fraction(sq) - Fraction(s * s, n)) / (n - 1)), "stddev")
    bins = {}
    for job in jobs:
        for ns, count in latency(job, dir, kind).get("bins", {}).items():
            bins[int(ns)] = bins.get(int(ns), 0) + count
    if sum(bins.values()) != n:
        assert "bins" not in figures and "percentile" not in figures, (dir, kind)
        return 0
    if bins:
        assert {int(k): v for k, v in figures["bins"].items()} == bins, (dir, kind)
        for p, value in figures["percentile"].items():
            want = percentile(bins, float(p), figures["min"], figures["max"])
            assert value == want, (dir, kind, p, value, want)
    return len(bins)


def check(merged, paths):
    doc = json.load(open(merged))
    assert "jobs" not in doc
    total = doc["client_stats"][-1]
    jobs = [j for p in paths for j in entries(p)]
    own = entries(merged)
    assert total["jobname"] == "All clients"
    assert [j["jobname"] for j in own] == [j["jobname"] for j in jobs]
    assert all(isinstance(j["hostname"], str) and j["hostname"] for j in doc["client_stats"])
    buckets = sum(check_latency(jobs, total, dir, kind) for dir in DIRS for kind in KINDS)
    for dir in DIRS:
        assert total[dir]["total_ios"] == sum(j[dir]["total_ios"] for j in jobs)
        if dir != "sync":
            ran = max(int(j["fiord"]["counts"].get(dir, {}).get("runtime_ns", 0)) if j[dir]["total_ios"] else 0 for j in jobs)
            ms = max(round(ran / 10**6), 1)
            close(total[dir]["iops"], total[dir]["total_ios"] * 1e3 / ms if ran else 0, "iops")
            assert total[dir]["io_bytes"] == sum(j[dir]["io_bytes"] for j in jobs)
    depths = [[int(d) for d in j["fiord"]["counts"]["depth"]] for j in jobs]
    assert [int(d) for d in total["fiord"]["counts"]["depth"]] == [sum(d) for d in zip(*depths)]
    assert total["fiord"]["members"] == sum(j["fiord"]["members"] for j in jobs)
    return buckets


buckets = check(sys.argv[1], sys.argv[2:])
print(buckets, "buckets")
assert buckets > 10
