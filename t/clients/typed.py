#!/usr/bin/env python3
"""Do the JSON types suit programs with typed structures? typed.py DOCUMENT. Go cannot store 1.0 in an int64, and Ceph CBT
asserts isinstance(iops, float); both ignore unknown keys."""
import json
import sys


class Float(float):
    """A number with a decimal point in the text."""


LATENCY = {"min": int, "max": int, "mean": Float, "stddev": Float, "N": int}
DIRECTION = {
    "io_bytes": int, "io_kbytes": int, "bw_bytes": int, "bw": int, "iops": Float, "runtime": int, "total_ios": int,
    "short_ios": int, "drop_ios": int, "slat_ns": LATENCY, "clat_ns": LATENCY, "lat_ns": LATENCY, "bw_min": int,
    "bw_max": int, "bw_agg": Float, "bw_mean": Float, "bw_dev": Float, "bw_samples": int, "iops_min": int,
    "iops_max": int, "iops_mean": Float, "iops_stddev": Float, "iops_samples": int,
}
JOB = {
    "jobname": str, "groupid": int, "error": int, "eta": int, "elapsed": int, "read": DIRECTION, "write": DIRECTION,
    "trim": DIRECTION, "sync": {"lat_ns": LATENCY, "total_ios": int}, "job_runtime": int, "usr_cpu": Float,
    "sys_cpu": Float, "ctx": int, "majf": int, "minf": int, "latency_depth": int, "latency_target": int,
    "latency_percentile": Float, "latency_window": int, "job options": dict,
}
# (client, its declarations). An int64 accepts an int, a float64 accepts both.
DOCUMENTS = [
    ("kubestr, kbench (Go structs)",
     {"fio version": str, "timestamp": int, "timestamp_ms": int, "time": str, "global options": dict, "jobs": [JOB]}),
    ("Ceph CBT (isinstance)",
     {"jobs": [{d: {"iops": Float, "bw": int, "io_bytes": int, "total_ios": int, "runtime": int,
                    "clat_ns": {"mean": Float, "stddev": Float}} for d in ("read", "write")}
               | {"usr_cpu": Float, "sys_cpu": Float, "jobname": str}]}),
    ("gcsfuse (job_start is from 3.36 on)",
     {"jobs": [{"job_start": int, "read": {"runtime": int, "lat_ns": {"percentile": dict}}}]}),
]


def fits(where, want, v):
    if isinstance(want, dict):
        for key, kind in want.items():
            yield from fits(f"{where}.{key}", kind, v[key]) if key in v else [f"{where}.{key}: missing"]
    elif isinstance(want, list):
        for item in v:
            yield from fits(where + "[]", want[0], item)
    elif type(v) is not want:
        yield f"{where}: {type(v).__name__}, not {want.__name__}"


def flat(where, v):
    """xfstests and gcsfuse make a column of each scalar, so the tree may have only scalars as leaves."""
    if isinstance(v, (dict, list)):
        for key, item in v.items() if isinstance(v, dict) else enumerate(v):
            yield from flat(f"{where}.{key}", item)
    elif type(v) not in (int, Float, str):
        yield f"{where}: {v!r} is no column"


def main(name):
    document = json.load(open(name, encoding="utf-8"), parse_float=Float)
    wrong = [f"{client}: {p}" for client, want in DOCUMENTS for p in fits("", want, document)]
    wrong += [f"xfstests: {p}" for p in flat("", document)]
    for job in document["jobs"]:
        wrong += [f"kdevops: {k} is no string" for k, v in job["job options"].items() if type(v) is not str]
        # int32 in its structs
        wrong += [f"kubestr: {k} does not fit" for k in ("job_runtime", "ctx", "majf", "minf") if job[k] >= 1 << 31]
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
