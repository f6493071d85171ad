#!/bin/sh
# Does fiord trend find the night at which a figure changed for good, with the setting that changed, and nothing else? The nights are
# made from one real run by trend_nights.py, which finds the change by a test of its own.
. "$SOURCE/t/lib.sh"
requires python3 jq

nights() { # NAME COUNT CHANGE: makes a directory of nights
	mkdir "$dir/$1"
	python3 "$SOURCE/t/run/trend_nights.py" make "$dir/real.json" "$dir/$1" "$2" "$3"
}

trend() {
	(cd "$dir" && "$FIORD" trend "$@" >out 2>err </dev/null)
	rc=$?
}

quiet() {
	[ ! -s "$dir/err" ]
}

said() { # PART: the error is one line with this part
	[ "$(wc -l <"$dir/err")" = 1 ] && grep -qF -- "$1" "$dir/err"
}

run --name=job --ioengine=null --size=64m --rw=randrw --bs=4k --number_ios=2000 --output-format=json+ --output="$dir/real.json"
check "a job makes a document" test "$rc" = 0

# ---- a change in night 41 ----
nights changed 60 41
trend changed
check "60 nights make a report" test "$rc" = 0
check "... with nothing on standard error" quiet
check "... whose first line names the night" grep -q '^1 of 15 figures changed for good in 60 documents, last at .*changed/night-041.json' "$dir/out"
check "... as does the list" grep -q '^  from .* changed/night-041.json (document 41 of 60) on$' "$dir/out"
check "... with the figure" grep -q '^    job: read.p99 .* (+[23][0-9].*%)$' "$dir/out"
check "... and the setting" grep -q '^    with it:   kernel: 6.1.0 -> 6.2.0$' "$dir/out"
check "... and no other figure changes" test "$(grep -c '^    job: ' "$dir/out")" = 1
python3 "$SOURCE/t/run/trend_nights.py" witness "$dir/changed" >"$dir/witness"
check "Pettitt's test and least squares find the same" grep -q '^41 0.0000' "$dir/witness"
trend --format=json changed
check "JSON has one document with the same answer" jq -e '
	[.trend.sets[].figures[] | select(.changes != [])] | length == 1 and .[0].figure == "read.p99" and
	.[0].changes[0].document == 41' "$dir/out"
check "... the settings" jq -e '.trend.sets[0].settings == [{document: 41, name: "kernel", before: "6.1.0", after: "6.2.0"}]' "$dir/out"
check "... and all values" python3 - "$dir" <<'P'
import glob, json, statistics, sys
trend = json.load(open(sys.argv[1] + "/out"))["trend"]
line = next(f for f in trend["sets"][0]["figures"] if f["figure"] == "read.p99")
nights = [json.load(open(p)) for p in sorted(glob.glob(sys.argv[1] + "/changed/*.json"))]
v = [n["jobs"][0]["read"]["clat_ns"]["percentile"]["99.000000"] for n in nights]
assert line["values"] == v, (line["values"], v)
assert line["first"] == statistics.median(v[:40]) and line["now"] == statistics.median(v[40:])
distance = [abs(x / line["first"] - 1) for x in v[:40]] + [abs(x / line["now"] - 1) for x in v[40:]]
assert abs(line["noise_percent"] - 148.26 * statistics.median(distance)) < 1e-4
P
trend changed --by=environment.kernel
check "by kernel the second one is where it changed" grep -q 'last at 6.2.0, .*changed/night-041.json' "$dir/out"
check "... and both have their documents" sh -c 'grep -q "=6.1.0: 40 documents" "$1" && grep -q "=6.2.0: 20 documents" "$1"' - "$dir/out"

# ---- parts of the latency (latency_split) ----
mkdir "$dir/split"
i=0
while [ $((i += 1)) -le 14 ]; do
	jq --argjson i $i '.timestamp_ms += $i * 86400000 | .timestamp += $i * 86400 | .jobs[0].fiord.split = [
		{disk: "vda", direction: "read", requests: 1000, helper_requests: 0, requests_per_io: 1} +
		([{submission: 1000}, {scheduler: 2000}, {device: (if $i > 7 then 90000 else 60000 end)}, {completion: 4000}] | add |
			map_values({mean: (. + $i), p50: ., p90: ., p99: (. * 2 + $i), p99_9: ., max: (. * 3), N: 1000}))]' \
		"$dir/real.json" >"$dir/split/night-$i.json"
done
trend split --format=json --fail-if='read.device.mean > +1%'
check "each part of the latency has its own values" jq -e '
	[.trend.sets[0].figures[] | select(.figure | test("submission|scheduler|device|completion")) | {(.figure): .values[13]}] | add == {
		"read.submission.mean": 1014, "read.submission.p99": 2014, "read.scheduler.mean": 2014, "read.scheduler.p99": 4014,
		"read.device.mean": 90014, "read.device.p99": 180014, "read.completion.mean": 4014, "read.completion.p99": 8014}' "$dir/out"
check "... no figure stands there twice" jq -e '[.trend.sets[0].figures[].figure] | length == (unique | length)' "$dir/out"
check "... and the device changed in the eighth night" jq -e '
	[.trend.sets[0].figures[] | select(.figure == "read.device.mean") | .changes[].document] == [8]' "$dir/out"
check "... with which a condition compares the last one" test "$rc" = 0
trend split --fail-if='read.device.mean > 90us'
check "... or with a limit" test "$rc" = 5
check "the curves of all figures stand below each other" same "$(python3 -c '
import re, sys
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
print(len({re.search("[\u2581-\u2588]", line).start() for line in lines if re.match("  (read|write)[.]", line)}))' "$dir/out")" 1

# ---- a job that did nothing in the last night ----
jq '.timestamp_ms += 20 * 86400000 | .timestamp += 20 * 86400 | .jobs[0].read |= (.iops = 0 | .bw_bytes = 0 | .bw = 0 | .total_ios = 0 |
	.io_bytes = 0) | del(.jobs[0].fiord.counts, .jobs[0].fiord.read)' "$dir/real.json" >"$dir/split/night-20.json"
for condition in 'iops < -5%' 'read.bw < 1k'; do
	trend split --allow-unjudged --fail-if="$condition"
	check "a job without reads in the last night fails $condition" test "$rc" = 5
	check "... and is not called unjudged" grep -Fq "fails            $condition: job read." "$dir/out"
done
trend split --allow-unjudged --fail-if='write.iops < -5%'
check "... but its writes do not" test "$rc" = 0

# ---- no change ----
nights same 60 0
trend same
python3 "$SOURCE/t/run/trend_nights.py" witness "$dir/same" >"$dir/witness"
check "Pettitt's test finds no change" grep -Eq ' (0[.][1-9]|1[.])' "$dir/witness"
check "nights without a change have no mark" grep -q '^none of 15 figures changed for good in 60 documents[.]$' "$dir/out"

# ---- conditions on the last night ----
trend same --fail-if='p99 > +15%'
check "a usual night passes" test "$rc" = 0
python3 - "$dir" <<'P'
import json, sys
path = sys.argv[1] + "/same/night-060.json"
d = json.load(open(path))
p = d["jobs"][0]["read"]["clat_ns"]["percentile"]
p["99.000000"] = int(p["99.000000"] * 1.5)
json.dump(d, open(path, "w"))
P
trend same --fail-if='p99 > +15%'
check "a bad last night fails" test "$rc" = 5
check "... which the report says" grep -Eq '^  fails +p99 > [+]15%: job read.p99: [+][45]' "$dir/out"
check "... but makes no lasting change" grep -q '^none of 15 figures' "$dir/out"
trend same --fail-if='p99 > +80%' --format=json
check "a higher limit passes, and JSON says so" jq -e '.trend.failed == false and (.trend.conditions | length) == 2' "$dir/out"
trend same/night-001.json same/night-002.json --fail-if='read.p99 < +90%'
check "two nights cannot judge a change" test "$rc" = 5
check "... and the reason is a line" said "only one document of this stretch is earlier"
trend same/night-001.json same/night-002.json --fail-if='read.p99 < +90%' --allow-unjudged
check "... unless this is allowed" test "$rc" = 0
trend same --fail-if='p98.7x > 1'
check "a condition that is none is refused" test "$rc" = 2

# ---- documents that do not belong ----
nights odd 30 0
: >"$dir/odd/empty.json"
echo '{ "jobs" : [' >"$dir/odd/cut.json"
echo '[1, 2]' >"$dir/odd/other.json"
cp "$dir/odd/night-007.json" "$dir/odd/zz-copy.json"
echo text >"$dir/odd/readme.txt"
mkfifo "$dir/odd/fifo.json"
jq '.jobs[0].jobname = "else"' "$dir/real.json" >"$dir/odd/zz-else.json"
trend odd
check "documents that do not belong are left out" test "$rc" = 0
check "... with their number" grep -q '^Left out: 5 documents or files; 31 documents are used[.]$' "$dir/out"
check "... and a line each" sh -c 'grep -q "^  odd/empty.json: the file is empty" "$1" && grep -q "^  odd/cut.json: line 2: " "$1" && grep -q "^  odd/other.json: " "$1"' - "$dir/out"
check "... without waiting for a FIFO" grep -q '^  odd/fifo.json: this is not a regular file$' "$dir/out"
check "... a copy names its original" grep -q '^  odd/zz-copy.json: it holds the same run as odd/night-007.json$' "$dir/out"
check "... and other jobs are a set of their own" grep -q '^Set 2 of jobs: 1 document' "$dir/out"
trend odd --fail-if='p99 > +50%'
check "... which no condition is about" test "$rc" = 0
trend odd/empty.json
check "without a document there is an error" sh -c '[ "$1" = 2 ] && grep -q "no document can be used; the first one: odd/empty.json: the file is empty" "$2"' - "$rc" "$dir/err"
trend odd --by=environment.kernl
whole=0
for document in "$dir"/odd/night-*.json "$dir"/odd/zz-*.json; do
	! jq -e .jobs "$document" >/dev/null 2>&1 || whole=$((whole + 1))
done
check "a key that no document has leaves all out, which is the reason" said "no document can be used; documents that have no environment.kernl (--by): $whole"
trend odd --by=option.iodpth
check "... and so does an option, though a file before them cannot be read" said "no document can be used; documents that have no option.iodpth (--by): $whole"
trend odd --by=kernel
check "an unknown key names the nearest" said "did you mean environment.kernel?"
cksum "$dir/odd/night-003.json" >"$dir/before"
trend odd --output=odd/night-003.json
check "a document of the directory is not replaced" said "--output=odd/night-003.json: this would replace the input odd/night-003.json"
check "... and is as it was" sh -c 'cksum "$1" | cmp -s - "$2"' - "$dir/odd/night-003.json" "$dir/before"
trend odd --output=odd/trend.json && trend odd --output=odd/trend.json
check "a trend that lies there is" test "$rc" = 0
mkdir "$dir/none"
trend none
check "a directory without documents says so" said "none: no document can be used, because no file is named *.json, *.html or *.htm"
trend
check "no file is an error" said "fiord trend needs documents"
finish
