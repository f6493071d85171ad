"""Reads the lines of --live: are they a valid sequence, and are their sums the totals of the document?

live_lines.py LINES [DOCUMENT] [--until=WHEN]...  A line of the result says what is wrong; the exit code is then 1.
--lost      lines may be lost: sums are not compared
--counted   the reader was there from the start, so all that it did not get is counted as lost
--no-end    the last line may be missing
--part      the last line may be cut off
"""
import json
import sys

DIRS = ("read", "write", "trim", "sync")
COUNTS = ("ios", "bytes", "errors")
PERCENTILES = ["p50", "p90", "p95", "p99", "p99.9", "p99.99"]
STATES = {"waiting", "setup", "ready", "delay", "ramp", "run", "cooldown", "verify", "sync", "done", "failed", "lost"}
problems = []


def check(holds, *what):
	if not holds:
		problems.append(" ".join(str(w) for w in what))
	return holds


def read_lines(path, part):
	text = open(path, "rb").read()
	lines = text.split(b"\n")
	last = lines.pop()
	check(part or not last, "the last line has no end")
	result = []
	for i, line in enumerate(lines):
		try:
			result.append(json.loads(line))
		except ValueError as error:
			check(False, "line", i + 1, "is no JSON:", error, line[:100])
	return result


def count(obj, direction, what):
	return obj[direction].get(what, 0)


def check_latency(where, lat, ios):
	if not check((lat is None) == (ios == 0), where, "has latencies, or none, with", ios, "I/Os"):
		return
	if lat is None:
		return
	check(lat["N"] == ios, where, "has", lat["N"], "latencies of", ios, "I/Os")
	check(lat["min"] <= lat["mean"] <= lat["max"], where, "min, mean, max", lat)
	values = [lat[p] for p in PERCENTILES if p in lat]
	check(values == sorted(values), where, "percentiles fall", lat)
	check(all(lat["min"] <= v <= lat["max"] for v in values), where, "percentiles are out of range", lat)


def check_figures(where, figures, length_ns):
	for d in DIRS:
		v = figures[d]
		check(abs(v["iops"] * length_ns / 1e9 - v["ios"]) < 0.01 + v["ios"] * 1e-6, where, d, "iops", v)
		if "clat_ns" in v:
			check_latency(f"{where} {d}", v["clat_ns"], v["ios"])
	check(figures["in_flight"] is None or figures["in_flight"] >= 0, where, "in flight", figures["in_flight"])


def check_interval(number, line, run):
	where = f"interval {number}"
	check(line["length_ns"] > 0, where, "has no length")
	names = [j["jobname"] for j in line["jobs"]]
	check(names == [j["jobname"] for j in run["jobs"]], where, "has other jobs than the first line")
	check_figures(where + " all", line["all"], line["length_ns"])
	for j in line["jobs"]:
		check(j["state"] in STATES, where, "state", j["state"])
		check_figures(f"{where} {j['jobname']}", j, line["length_ns"])
	for d in DIRS:
		for what in COUNTS:
			total = sum(count(j, d, what) for j in line["jobs"])
			check(total == count(line["all"], d, what), where, d, what, "of all is not the sum of the jobs")


def compare_sums(intervals, end):
	for n, job in enumerate(end["jobs"]):
		for d in DIRS:
			for what in COUNTS:
				total = sum(count(line["jobs"][n], d, what) for line in intervals)
				check(total == count(job, d, what), f"job {n}, {d} {what}: the lines have {total}, the last line",
				      count(job, d, what))


def compare_means(intervals, document):
	"""The means of the lines, times their numbers, are the sums that the document was computed from."""
	for n, job in enumerate(document["jobs"]):
		for d in DIRS:
			counts = job.get("fiord", {}).get("counts", {}).get(d, {})
			lats = [lat for line in intervals for lat in [line["jobs"][n][d].get("clat_ns")] if lat]
			total = sum(lat["mean"] * lat["N"] for lat in lats)
			want = int(counts.get("clat", {}).get("sum", total))
			check(abs(total - want) <= 1 + want * 1e-6, f"job {n}, {d}: the means give a sum of {total}, the document has {want}")


def compare_document(end, document):
	jobs = document["jobs"]
	check(len(jobs) == len(end["jobs"]), "the document has", len(jobs), "jobs, the lines", len(end["jobs"]))
	check(document["fiord"]["exit"]["code"] == end["exit"], "exit", document["fiord"]["exit"], end["exit"])
	for n, (job, doc) in enumerate(zip(end["jobs"], jobs)):
		check(job["jobname"] == doc["jobname"], "job", n, "is", job["jobname"], "and", doc["jobname"])
		for d in DIRS:
			check(job[d]["ios"] == doc[d]["total_ios"], f"job {n}, {d}: {job[d]['ios']} I/Os,",
			      doc[d]["total_ios"], "in the document")
			if d != "sync":
				check(job[d]["bytes"] == doc[d]["io_bytes"], f"job {n}, {d}: {job[d]['bytes']} bytes,",
				      doc[d]["io_bytes"], "in the document")


def main():
	flags = [a for a in sys.argv[1:] if a.startswith("--")]
	files = [a for a in sys.argv[1:] if not a.startswith("--")]
	lines = read_lines(files[0], "--part" in flags)
	if not check(lines and lines[0]["type"] == "run", "the first line is not that of the run"):
		return
	check(all(line["version"] == 1 for line in lines), "a line has another version")
	times = [line["time_ms"] for line in lines]
	elapsed = [line["elapsed_ms"] for line in lines]
	check(elapsed == sorted(elapsed), "elapsed_ms falls", elapsed)
	check(all(a <= b + 1 for a, b in zip(times, times[1:])), "time_ms falls", times)
	intervals = [line for line in lines if line["type"] == "interval"]
	end = lines[-1] if lines[-1]["type"] == "end" else None
	check(end or "--no-end" in flags, "the last line is", lines[-1]["type"])
	check([line["type"] for line in lines[1:]] == ["interval"] * len(intervals) + ["end"] * bool(end), "lines out of order")
	for n, line in enumerate(intervals):
		check_interval(n, line, lines[0])
	if not end or problems:
		return
	if "--lost" in flags:
		check(end["lost_lines"] > 0, "no line is lost")
		if "--counted" in flags:
			check(end["lines"] == len(intervals) + end["lost_lines"], end["lines"], "lines:", len(intervals), "were read,",
			      end["lost_lines"], "are counted as lost")
	else:
		check(end["lost_lines"] == 0, end["lost_lines"], "lines are lost")
		check(end["lines"] == len(intervals), end["lines"], "lines, but", len(intervals), "were written")
		compare_sums(intervals, end)
		if len(files) > 1:
			compare_means(intervals, json.load(open(files[1])))
	if len(files) > 1:
		compare_document(end, json.load(open(files[1])))


main()
for problem in problems[:20]:
	print(problem)
sys.exit(1 if problems else 0)
