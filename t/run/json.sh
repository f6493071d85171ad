#!/bin/sh
# Is the JSON document valid with any names, alone on its stream or in its file, and do its shares add up to 100 %?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

about_100='. > 99.5 and . < 100.5'
run --name=x --filename=file --size=4m --bs=4k --rw=randrw --ioengine=libaio --iodepth=16 --output-format=json
check "latency shares add up to 100 %" json out "[.jobs[0] | .latency_ns, .latency_us, .latency_ms | .[]] | add |
	$about_100"
check "... depth shares, too" json out ".jobs[0].iodepth_level | add | $about_100"
check "... submission shares, too" json out ".jobs[0].iodepth_submit | add | $about_100"
check "... completion shares, too" json out ".jobs[0].iodepth_complete | add | $about_100"
check "job options are strings as typed" json out '.jobs[0]["job options"] | .size == "4m" and .rw == "randrw"'
check "floats have six decimals" grep -qE '"iops" : [0-9]+\.[0-9]{6}' out
check "the document is formatted like fio's" grep -qxE '  "fio version" : "fio-3\.[^"]*",' out
check "stdout has only the document" same "$(head -c 1 out)$(tail -c 2 out)" "{}"

# Integers of any size, so not by jq.
figures() { # DOCUMENT: true if counts give the document's figures
	python3 - "$1" <<'EOF'
import json, math, sys
doc = json.load(open(sys.argv[1]))
seen = 0
for job in doc["jobs"]:
	counts = job["fiord"]["counts"]
	for dir in "read", "write", "trim", "sync":
		c = counts.get(dir, {})
		assert int(c.get("ios", 0)) == job[dir]["total_ios"], dir
		assert dir == "sync" or int(c.get("bytes", 0)) == job[dir]["io_bytes"], dir
		for kind in "slat", "clat", "lat", "resp":
			of = job["fiord"].get(dir, {}) if kind == "resp" else job[dir]
			l = of.get("lat_ns" if dir == "sync" else kind + "_ns", {"N": 0})
			if dir == "sync" and kind != "clat":
				continue
			m = {k: int(v) for k, v in c.get(kind, {"n": 0}).items()}
			assert m["n"] == l["N"], (dir, kind)
			if m["n"] > 1:
				var = (m["sum_sq"] * m["n"] - m["sum"] ** 2) / m["n"] / (m["n"] - 1)
				assert (m["min"], m["max"]) == (l["min"], l["max"])
				assert abs(m["sum"] / m["n"] - l["mean"]) < 1e-5 * (1 + l["mean"]), (dir, kind)
				assert abs(math.sqrt(var) - l["stddev"]) < 1e-5 * (1 + l["stddev"]), (dir, kind)
				seen += 1
		if dir != "sync" and c:
			ms, ns = job[dir]["runtime"], int(c["runtime_ns"])
			assert job[dir]["bw_bytes"] == job[dir]["io_bytes"] * 1000 // ms, (dir, "bw_bytes over runtime")
			assert job[dir]["bw"] == job[dir]["bw_bytes"] // 1024, (dir, "bw")
			assert abs(job[dir]["iops"] - job[dir]["total_ios"] * 1000 / ms) < 1e-5, (dir, "iops over runtime")
			exact = job["fiord"][dir]["exact"]
			assert abs(exact["iops"] - job[dir]["total_ios"] * 1e9 / ns) < 1e-5, (dir, "exact iops")
			assert abs(exact["bw_bytes"] - job[dir]["io_bytes"] * 1e9 / ns) < 1e-3, (dir, "exact bw_bytes")
		for row, name in ("bw", "bw_dev"), ("iops", "iops_stddev"):
			s = {k: float(v) for k, v in c.get(row + "_samples", {"n": 0}).items()}
			n = s["n"]
			assert dir == "sync" or n == job[dir][row + "_samples"]
			if n > 1:
				assert abs(s["sum"] / n - job[dir][row + "_mean"]) < 1e-6 * s["max"]
				assert abs(max(s["sum_sq"] - s["sum"] ** 2 / n, 0) / (n - 1) - job[dir][name] ** 2) < 1e-6 * s["max"] ** 2
	assert sum(int(v) for v in counts["depth"]) >= job["read"]["total_ios"]
assert seen > 4
EOF
}
if command -v python3 >/dev/null; then
	run --name=x --filename=file --size=4m --bs=4k --rw=randrw --fsync=64 --ioengine=libaio --iodepth=4 --rate_iops=9000 \
		--bwavgtime=20 --iopsavgtime=20 --output-format=json
	check "the counts give the figures" figures out
	run --name=x --filename=file --size=4m --bs=4k --rw=randrw --ioengine=libaio --output-format=json
	check "... also after some ms, to which the rates under fio's keys refer as in fio" figures out
else
	skip "the counts give the figures" "no python3"
fi
check "plain JSON has no bins" json out '[.. | objects | has("bins")] | any | not'
run --name=x --filename=file --size=64k --clat_percentiles=0 --output-format=json+
check "without percentiles JSON+ has the bins among the counts" json out \
	'.jobs[0] | (.read.clat_ns | has("bins") | not) and (.fiord.counts.read.clat.bins | add) == 16'

run --name='tab	"quote" \back é' --description="$(printf 'two\nlines')" --filename=file --size=64k --output-format=json
check "names with quotes and tabs exit 0" exits 0
check "... and are escaped" json out '.jobs[0].jobname | contains("\"quote\" \\back")'

run --name=x --filename=file --size=64k --output-format=json --output=result.json
check "--output leaves stdout empty" empty out
check "... and writes the document to the file" json result.json '.jobs | length == 1'
check "... and leaves no other file" same "$(ls)" "$(printf 'err\nfile\nout\nresult.json')"

run --name=x --filename=file --size=64k --output-format=json,normal
sed -n '/^{/,/^}/p' out >document
check "JSON and normal output contain a document" json document '.jobs | length == 1'
check "... before the text" same "$(sed -n 's/^\(}\|Run status group 0\).*/\1/p' out | tr '\n' ' ')" "} Run status group 0 "
rm document

run --name=x --filename=file --size=64k --ioengine=psync --iodepth=32 --output-format=json
check "a note does not precede the document" json out '.jobs[0].jobname == "x"'
check "... but is in it" json out '[.fiord.notes, .jobs[0].fiord.notes] | tostring | test("iodepth")'
finish
