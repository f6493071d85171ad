#!/usr/bin/env python3
"""Compares the sums over the files of each job of a document with the job's own figures: per_file_stats.py DOCUMENT [FILES]

Integers are compared exactly: I/Os, bytes, short I/Os, errors, and of each latency the number, the sum, the sum of squares and the
extremes. The figures of each file are computed again from its sums. With FILES, each job must list this many files.
"""
import json
import math
import sys

DIRS = ("read", "write", "trim", "sync")


def moments(lat):
    return {"N": lat["N"], "min": lat["min"], "max": lat["max"], "sum": int(lat["sum"]), "sum_sq": int(lat["sum_sq"])}


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=2e-6)


def check_figures(lat, place):
    n, total, squares = lat["N"], int(lat["sum"]), int(lat["sum_sq"])
    assert n > 0 and lat["min"] <= lat["mean"] <= lat["max"] + 1e-6, place
    assert close(lat["mean"], total / n), place
    deviation = math.sqrt((squares * n - total * total) / n / (n - 1)) if n > 1 else 0
    assert close(lat["stddev"], deviation), (place, lat["stddev"], deviation)
    if "bins" in lat:
        assert sum(lat["bins"].values()) == n, place
        assert lat["percentile"], place
    for value in lat.get("percentile", {}).values():
        assert lat["min"] <= value <= lat["max"], place


def add(a, b):
    if not a:
        return dict(b)
    return {"N": a["N"] + b["N"], "min": min(a["min"], b["min"]), "max": max(a["max"], b["max"]), "sum": a["sum"] + b["sum"],
            "sum_sq": a["sum_sq"] + b["sum_sq"]}


def counted(counts, kind):
    """A latency of the job's own counts, as moments() has it."""
    c = counts.get(kind)
    return c and {"N": int(c["n"]), "min": int(c["min"]), "max": int(c["max"]), "sum": int(c["sum"]), "sum_sq": int(c["sum_sq"])}


def sum_of(files, name):
    total = {"ios": 0, "bytes": 0, "short_ios": 0, "errors": 0}
    lat = {"clat": None, "lat": None}
    for f in files:
        d = f.get(name)
        if not d:
            continue
        assert d["total_ios"] or d["errors"] or d["short_ios"], (f["path"], name)
        total["ios"] += d["total_ios"]
        total["bytes"] += d.get("io_bytes", 0)
        total["short_ios"] += d.get("short_ios", 0)
        total["errors"] += d["errors"]
        # fio names the latency of syncs lat_ns; it is measured like clat.
        for key, kind in (("lat_ns", "clat"),) if name == "sync" else (("clat_ns", "clat"), ("lat_ns", "lat")):
            if key in d:
                check_figures(d[key], (f["path"], name, key))
                lat[kind] = add(lat[kind], moments(d[key]))
    return total, lat


def check_job(job, expected):
    files = job["fiord"]["files"]
    names = [(f.get("hostname"), f["path"]) for f in files]
    counts = job["fiord"]["counts"]
    errors = 0
    assert len(set(names)) == len(names), "a file is listed twice"
    assert expected is None or len(files) == expected, (len(files), expected)
    for name in DIRS if "mixed" not in counts else ("mixed", "sync"):
        own = counts.get(name, {})
        total, lat = sum_of(files, name)
        for key, value in total.items():
            assert value == int(own.get(key, 0)), (job["jobname"], name, key, value, own.get(key, 0))
        for kind, value in lat.items():
            assert value == counted(own, kind), (job["jobname"], name, kind, value, counted(own, kind))
        if name != "sync" and name in job:
            assert total["ios"] == job[name]["total_ios"] and total["bytes"] == job[name]["io_bytes"], name
        errors += total["errors"]
    assert errors == job["fiord"]["errors"], (errors, job["fiord"]["errors"])
    return sum(sum_of(files, name)[0]["ios"] for name in (*DIRS, "mixed"))


def main():
    document = json.load(open(sys.argv[1], encoding="utf-8"))
    expected = int(sys.argv[2]) if len(sys.argv) > 2 else None
    jobs = document.get("jobs") or document["client_stats"]
    assert jobs, "no jobs"
    ios = [check_job(j, expected) for j in jobs]
    assert all(ios), f"a job without I/Os shows nothing: {ios}"


main()
