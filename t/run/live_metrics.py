"""Is this file valid in the text exposition format 0.0.4 of Prometheus? With a document: has it the same totals?

live_metrics.py METRICS [DOCUMENT]   A line of the result says what is wrong; the exit code is then 1.
"""
import json
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"^({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (NaN|[0-9]+(?:\.[0-9]+)?)$")
problems = []


def check(holds, *what):
	if not holds:
		problems.append(" ".join(str(w) for w in what))
	return holds


def family(name, types):
	for suffix in ("_sum", "_count"):
		if name.endswith(suffix) and types.get(name[:-len(suffix)]) == "summary":
			return name[:-len(suffix)]
	return name


def read_metrics(path):
	types, helps, samples, done, current = {}, set(), {}, set(), None
	text = open(path, encoding="utf-8").read()
	check(text.endswith("\n"), "the last line has no end")
	for line in text.splitlines():
		words = line.split(" ", 3)
		if line.startswith("# HELP "):
			check(words[2] not in helps, "HELP twice:", line)
			helps.add(words[2])
		elif line.startswith("# TYPE "):
			check(words[2] not in types, "TYPE twice:", line)
			check(words[3] in ("counter", "gauge", "summary"), line)
			types[words[2]] = words[3]
		elif match := SAMPLE.match(line):
			name = family(match.group(1), types)
			check(name in types and name in helps, "no TYPE or HELP before", line)
			check(name == current or name not in done, "the samples of", name, "are apart")
			current = name
			done.add(name)
			labels = dict(re.findall(r'([a-zA-Z_0-9]+)="((?:[^"\\]|\\.)*)"', match.group(2) or ""))
			key = (match.group(1), tuple(sorted(labels.items())))
			check(key not in samples, "twice:", line)
			samples[key] = float(match.group(3))
			check(types.get(name) != "counter" or name.endswith("_total"), "a counter without _total:", line)
		else:
			check(False, "not a sample:", line)
	return samples


def compare(samples, document):
	for n, job in enumerate(document["jobs"]):
		label = {"job": job["jobname"].replace("\\", "\\\\").replace('"', '\\"'), "number": str(n)}
		for d in ("read", "write", "trim", "sync"):
			key = tuple(sorted({**label, "direction": d}.items()))
			check(samples.get(("fiord_ios_total", key)) == job[d]["total_ios"], n, d, "I/Os",
			      samples.get(("fiord_ios_total", key)), job[d]["total_ios"])
			if d != "sync":
				check(samples.get(("fiord_bytes_total", key)) == job[d]["io_bytes"], n, d, "bytes")
			if job[d]["total_ios"]:
				check(samples.get(("fiord_clat_seconds_count", key)) == job[d]["total_ios"], n, d, "latencies")
	check(samples.get(("fiord_run_finished", ())) == 1, "the run is not finished")
	check(samples.get(("fiord_exit_status", ())) == document["fiord"]["exit"]["code"], "another exit status")


found = read_metrics(sys.argv[1])
check(found, "no samples")
if len(sys.argv) > 2:
	compare(found, json.load(open(sys.argv[2])))
for problem in problems[:20]:
	print(problem)
sys.exit(1 if problems else 0)
