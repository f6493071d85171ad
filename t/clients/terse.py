#!/usr/bin/env python3
"""Compares terse lines with the JSON document of the same run, field by field: terse.py VERSION LINES DOCUMENT.

Prints the differences. Positions and names of fields are those of fio-compat.md 2.4.
"""
import json
import sys

LATENCY_US = ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"]


class Line:
    """Reads fields in order, numbered from 1 like those of cut -f."""

    def __init__(self, text):
        self.fields, self.at, self.problems = text.split(";"), 0, []

    def take(self):
        self.at += 1
        return self.fields[self.at - 1] if self.at <= len(self.fields) else "(no field)"

    def expect(self, name, want):
        got = self.take()
        if got != want:
            self.problems.append(f"field {self.at} ({name}): {got}, JSON says {want}")

    def near(self, name, want, unit="", step=1e-6):
        """Compares a float with six decimals in both, or rounded further."""
        got = self.take()
        try:
            good = got.endswith(unit) and abs(float(got[: len(got) - len(unit)]) - want) <= 0.5001 * step + 1e-6
        except ValueError:
            good = False
        if not good:
            self.problems.append(f"field {self.at} ({name}): {got}, JSON says {want}{unit}")


def latency(line, name, lat):
    line.expect(name + " min", str(lat["min"] // 1000))
    line.expect(name + " max", str(lat["max"] // 1000))
    line.near(name + " mean", lat["mean"] / 1000)
    line.near(name + " stddev", lat["stddev"] / 1000)


def percentiles(line, name, d):
    """Percentiles of the total latency if the document has them, as in fio."""
    list_ = d["lat_ns"].get("percentile") or d["clat_ns"].get("percentile")
    if list_ is None:
        for _ in range(20):
            got = line.take()
            if not got.endswith("%=0"):
                line.problems.append(f"field {line.at} ({name} percentile): {got}, nothing was measured")
        return
    cells = [f"{key}%={value // 1000}" for key, value in list_.items()]
    for cell in cells + ["0%=0"] * (20 - len(cells)):
        line.expect(name + " percentile", cell)


def direction(line, version, name, d):
    line.expect(name + " KiB", str(d["io_kbytes"]))
    line.expect(name + " bandwidth", str(d["bw"]))
    line.expect(name + " IOPS", str(int(d["iops"])))
    line.expect(name + " runtime", str(d["runtime"]))
    latency(line, name + " slat", d["slat_ns"])
    latency(line, name + " clat", d["clat_ns"])
    percentiles(line, name, d)
    latency(line, name + " lat", d["lat_ns"])
    line.expect(name + " bw min", str(d["bw_min"]))
    line.expect(name + " bw max", str(d["bw_max"]))
    line.near(name + " bw share", d["bw_agg"], "%")
    line.near(name + " bw mean", d["bw_mean"])
    line.near(name + " bw deviation", d["bw_dev"])
    if version < 5:
        return
    line.expect(name + " bw samples", str(d["bw_samples"]))
    line.expect(name + " IOPS min", str(d["iops_min"]))
    line.expect(name + " IOPS max", str(d["iops_max"]))
    line.near(name + " IOPS mean", d["iops_mean"])
    line.near(name + " IOPS deviation", d["iops_stddev"])
    line.expect(name + " IOPS samples", str(d["iops_samples"]))


def shares(line, job):
    for name, value in job["iodepth_level"].items():
        line.near("depth " + name, value, "%", 0.1)
    below = sum(job["latency_ns"].values())
    for i, name in enumerate(LATENCY_US):
        line.near(f"latency {name} us", job["latency_us"][name] + (0 if i else below), "%", 0.01)
    for name, value in job["latency_ms"].items():
        line.near(f"latency {name} ms", value, "%", 0.01)


def disks(line, document):
    for disk in document.get("disk_util", []):
        for key in ("name", "read_ios", "write_ios", "read_merges", "write_merges", "read_ticks", "write_ticks",
                    "in_queue"):
            line.expect("disk " + key, str(disk[key]))
        line.near("disk util", disk["util"], "%", 0.01)


def compare(version, text, document, job):
    line = Line(text)
    line.expect("version", str(version))
    if version > 2:
        line.expect("fio version", document["fio version"])
    line.expect("job name", job["jobname"])
    line.expect("group", str(job["groupid"]))
    line.expect("error", str(job["error"]))
    for name in ("read", "write", "trim"):
        if name != "trim" or version != 3:
            direction(line, version, name, job[name])
    line.near("user CPU", job["usr_cpu"], "%")
    line.near("system CPU", job["sys_cpu"], "%")
    for key in ("ctx", "majf", "minf"):
        line.expect(key, str(job[key]))
    shares(line, job)
    named = line.at
    if named != {2: 161, 3: 121, 4: 162, 5: 180}[version]:
        line.problems.append(f"{named} fields before disks")
    if version > 2:
        disks(line, document)
    if "total_err" in job:
        line.expect("errors", str(job["total_err"]))
        line.expect("first error", str(job["first_error"]))
    if "desc" in job and version > 2:
        line.expect("description", job["desc"])
    if line.at != len(line.fields):
        line.problems.append(f"{len(line.fields)} fields, not {line.at}")
    return line.problems


def main(version, lines, document):
    version = int(version)
    document = json.load(open(document, encoding="utf-8"))
    texts = open(lines, encoding="utf-8").read().splitlines()
    problems = []
    for job in document["jobs"]:
        problems += [f"{job['jobname']}: {p}" for p in compare(version, texts.pop(0), document, job)]
        if version == 2 and "desc" in job and texts.pop(0) != ";" + job["desc"]:
            problems.append("the description is not on a line of its own")
    problems += [f"one line too many: {t}" for t in texts]
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
