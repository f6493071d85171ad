#!/bin/sh
# Does fiord compare show what changed between real runs, and refuse what says nothing? Expected figures come from the documents
# themselves, read by python3's json.
. "$SOURCE/t/lib.sh"
requires python3 jq

# sample NAME ARG...: runs a job on the null engine and writes NAME.json.
sample() {
	name=$1
	shift
	run --name=job --ioengine=null --size=1g --rw=randread --bs=4k --runtime=1500ms --time_based --output-format=json+ \
		--output="$dir/$name.json" "$@"
	[ "$rc" = 0 ] || cat "$dir/err"
}

# compare ARG...: compares in the test's directory, so that messages have short names.
compare() {
	(cd "$dir" && "$FIORD" compare "$@" >out 2>err </dev/null)
	rc=$?
}

said() { # PART: the error is one line with this part
	[ "$(wc -l <"$dir/err")" = 1 ] && grep -qF -- "$1" "$dir/err"
}

quiet() {
	[ ! -s "$dir/err" ]
}

sample slow --rate_iops=1000
sample slow2 --rate_iops=1000
sample fast --rate_iops=2000

# ---- a pair ----
compare slow.json slow2.json
check "two runs of one setup are compared" test "$rc" = 0
check "... with nothing on standard error" quiet
check "... the first line answers for them" sh -c 'head -n 1 "$1" | grep -q "^job: the IOPS of reads show no difference in two single runs; p99 "' - "$dir/out"
check "... and the methods are named" grep -q 'equal weighted cosine' "$dir/out"
compare slow.json fast.json --allow=rate
# A busy machine issues fewer I/Os than the rate asks for.
faster=$(jq -s '100 * (.[1].jobs[0].read.iops / .[0].jobs[0].read.iops - 1) | floor' "$dir/slow.json" "$dir/fast.json")
check "twice the rate is some 100% faster, in the first line" grep -Eq \
	"^job: B reads ($faster|$((faster + 1)))% faster [(].* -> .* IOPS[)]; p99 " "$dir/out"
compare --format=json slow.json slow2.json
check "JSON has the figures of both documents" python3 - "$dir" <<'P'
import json, sys
d = sys.argv[1]
a, b = (json.load(open("%s/%s.json" % (d, n)))["jobs"][0]["read"] for n in ("slow", "slow2"))
out = json.load(open(d + "/out"))["compare"]
f = {x["figure"]: x for x in out["jobs"][0]["figures"]}
for side, doc in (("a", a), ("b", b)):
    assert abs(f["read.iops"][side] - doc["iops"]) < 1e-5
    assert f["read.bw"][side] == doc["bw_bytes"]
    assert f["read.p99"][side] == doc["clat_ns"]["percentile"]["99.000000"]
    assert f["read.p99.9"][side] == doc["clat_ns"]["percentile"]["99.900000"]
    assert abs(f["read.mean"][side] - doc["clat_ns"]["mean"]) < 1e-5
    assert f["read.max"][side] == doc["clat_ns"]["max"]
assert abs(f["read.iops"]["change_percent"] - (b["iops"] / a["iops"] - 1) * 100) < 1e-5
assert f["read.iops"]["basis"] == "series" and f["read.p99"]["basis"] == "series"
assert f["read.iops"]["low_percent"] <= f["read.iops"]["change_percent"] <= f["read.iops"]["high_percent"]
assert not out["failed"]
P
cp "$dir/out" "$dir/first"
compare --format=json slow.json slow2.json
check "the same comparison gives the same document" cmp -s "$dir/out" "$dir/first"

# ---- refusals ----
compare slow.json fast.json
check "another rate is refused" test "$rc" = 2
check "... and the error names both and the option" grep -qF "rate is 1000 IOPS in slow.json and 2000 IOPS in fast.json" "$dir/err"
check "... and nothing is on standard output" test ! -s "$dir/out"
compare --allow=rate slow.json fast.json --fail-if='iops > +50%' --fail-if='iops < -5%'
check "a condition that the data shows makes exit 5" test "$rc" = 5
check "... and the table says which" grep -q '^  fails *iops > +50%: job read.iops: +' "$dir/out"
check "... and which passes" grep -q '^  passes *iops < -5%: job read.iops: +' "$dir/out"
compare --allow=rate slow.json fast.json --fail-if='iops < -5%'
check "a condition that does not hold makes exit 0" test "$rc" = 0
compare --force slow.json fast.json --fail-if='cpu > -99%'
check "a condition met without an interval makes exit 5" test "$rc" = 5
check "... and cannot be judged" grep -q '^  cannot be judged *cpu > -99%' "$dir/out"
check "... which one line says with its reason" said "--allow-unjudged permits this): each run has only one such figure"
compare --force slow.json fast.json --fail-if='cpu > -99%' --allow-unjudged
check "... but exit 0 with --allow-unjudged" test "$rc" = 0
check "... and then nothing is on standard error" quiet
python3 - "$dir" <<'P'
import json, sys
doc = json.load(open(sys.argv[1] + "/slow.json"))
doc["jobs"][0]["read"]["iops"] *= 0.9998
json.dump(doc, open(sys.argv[1] + "/less.json", "w"))
P
compare --force slow.json less.json --fail-if='iops < -0.01%'
check "a condition met within the rounding makes exit 0" test "$rc" = 0
check "... and is called not shown" grep -q '^  not shown *iops < -0.01%' "$dir/out"
compare --force slow.json less.json --fail-if='iops < -0.01%' --fail-unsure
check "... and exit 5 with --fail-unsure" test "$rc" = 5
compare --force slow.json less.json --fail-if='iops < -0.01%' --fail-unsure --format=json
check "... where JSON has the same answer" python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["compare"]["failed"]' "$dir/out"

sample other --rate_iops=1000 --bs=8k
compare slow.json other.json
check "another block size is refused" grep -qF 'bs is 4k in slow.json and 8k in other.json' "$dir/err"
compare --allow=bs slow.json other.json
check "... unless it is allowed" test "$rc" = 0
check "... and then listed" grep -qF 'job: bs: 4k -> 8k' "$dir/out"

python3 - "$dir" <<'P'
import json, sys
doc = json.load(open(sys.argv[1] + "/slow.json"))
doc["jobs"].append(dict(doc["jobs"][0], jobname="more"))
json.dump(doc, open(sys.argv[1] + "/more.json", "w"))
P
compare more.json slow2.json --fail-if='iops < -50%' --format=json
check "a job that B lacks fails a condition" test "$rc" = 5
check "... and a line says so" said "job 'more': slow2.json has no such job"
check "... as JSON does" grep -qF '"why" : "slow2.json has no such job"' "$dir/out"
compare more.json slow2.json --fail-if='job.iops < -50%'
check "... but not one about another job" test "$rc" = 0

# ---- repeated runs ----
compare --a slow.json slow2.json --b fast.json --force
check "a single run against several" grep -q 'single run' "$dir/out"
sample fast2 --rate_iops=2000
compare --a slow.json slow2.json --b fast.json fast2.json --allow=rate
check "repeated runs have Welch's intervals" grep -q "Welch's" "$dir/out"
cat "$dir/slow.json" "$dir/slow2.json" >"$dir/both.json"
cat "$dir/fast.json" "$dir/fast2.json" >"$dir/both2.json"
cp "$dir/out" "$dir/first"
compare --allow=rate both.json both2.json
check "documents in one file are runs of one side" same "$(grep '^  read' "$dir/out")" "$(grep '^  read' "$dir/first")"

# ---- a document without a series, and pages ----
python3 - "$dir" <<'P'
import json, sys
for n in ("slow", "slow2"):
    doc = json.load(open("%s/%s.json" % (sys.argv[1], n)))
    del doc["fiord"]["series"]
    json.dump(doc, open("%s/%s-plain.json" % (sys.argv[1], n), "w"))
P
compare slow-plain.json slow2-plain.json
check "without a series the sampled rows are used, and this is said" grep -q 'come from the sampled rows' "$dir/out"
compare slow.json slow2.json -o page.html
check "a page is written, by the name of the output" grep -q '^<!doctype html>' "$dir/page.html"
check "... with nothing on standard output" test ! -s "$dir/out"
compare --allow=same-run --a slow.json --b page.html
check "a page is read back" test "$rc" = 0

# ---- bad input ----
compare slow.json slow.json
check "a run is not compared with itself" test "$rc" = 2
: >"$dir/empty.json"
printf '{"jobs":[]}' >"$dir/nojobs.json"
printf 'PK\003\004 no results' >"$dir/foreign.json"
sed 's/"jobname" : "job"/"jobname" : "jib"/' "$dir/slow2.json" >"$dir/renamed.json"
while IFS='|' read -r part args; do
	# shellcheck disable=SC2086
	eval "compare $args"
	check "fiord compare $args: exit 2" test "$rc" = 2
	check "... one line says '$part'" said "$part"
	check "... and no output" test ! -s "$dir/out"
done <<'T'
needs two results|slow.json
needs two results|slow.json slow2.json fast.json
no file follows --b|--a slow.json --b
it belongs to neither|slow.json --a slow2.json --b fast.json
no-such.json: No such file|slow.json no-such.json
empty.json|slow.json empty.json
foreign.json|slow.json foreign.json
nojobs.json|slow.json nojobs.json
slow.json has 'job', and renamed.json has 'jib'|slow.json renamed.json
did you mean json?|--format=jsn slow.json slow2.json
did you mean direct?|--allow=drect slow.json slow2.json
did you mean iops?|--fail-if='iop < -5%' slow.json slow2.json
did you mean 'job'?|--fail-if='jbo.iops < -5%' slow.json slow2.json
is not a limit for this figure|--fail-if='p99 > 5k' slow.json slow2.json
has the form|--fail-if='p99' slow.json slow2.json
no job has such a figure|--fail-if='write.iops < -5%' slow.json slow2.json
between 50 and 99.99|--confidence=10 slow.json slow2.json
not a percentage|--percentiles=50,101 slow.json slow2.json
T
echo old >"$dir/kept.json"
compare slow.json foreign.json -o kept.json
check "an output file stays as it was when the comparison fails" grep -qx old "$dir/kept.json"
compare slow.json slow2.json -o "$dir/no/such/dir/out.txt"
check "an output that cannot be written is refused" test "$rc" = 2
cp "$dir/slow2.json" "$dir/same.json"
compare slow.json same.json -o "$dir/same.json"
check "an output that is an input is refused" eval 'test "$rc" = 2 && cmp -s "$dir/slow2.json" "$dir/same.json"'
# ---- options that change the load ----
# The second document has a value for each option of fiord; the expected words are those of fiord-compare(1).
"$FIORD" --cmdhelp | awk '{ sub(/:$/, "", $1); print $1 }' >"$dir/names"
python3 - "$dir" <<'P'
import json, sys
doc = json.load(open(sys.argv[1] + "/slow.json"))
doc["jobs"][0]["job options"] = {name: "odd" for name in open(sys.argv[1] + "/names").read().split()}
json.dump(doc, open(sys.argv[1] + "/odd.json", "w"))
P
compare slow.json odd.json --force --format=json
needs() { # SETTING OPTION...: each of these options needs --allow=SETTING
	python3 - "$dir" "$@" <<'P'
import json, sys
found = {d["name"]: d.get("allow") for d in json.load(open(sys.argv[1] + "/out"))["compare"]["differences"]}
wrong = {name: found.get(name) for name in sys.argv[3:] if found.get(name) != (sys.argv[2] or None)}
sys.exit(f"{sys.argv[2]}: {wrong}" if wrong else 0)
P
}
check "all think time is load" needs thinktime thinktime thinktime_spin thinktime_blocks thinktime_blocks_type thinktime_iotime thinkcycles
check "... all that makes or moves a rate" needs rate rate rate_process rate_open rate_steps rate_shared rate_total rate_wait rate_ignore_thinktime flow flow_id \
	flow_sleep
check "... all syncs" needs sync sync fsync fdatasync sync_file_range write_barrier end_fsync end_syncfs fsync_on_close atomic
check "... all that chooses the next block" needs distribution random_distribution percentage_random percentage_sequential norandommap rw_sequencer \
	random_sequence_stride offset_shared seq_runs seq_per_slot seq_wrap file_service_type file_weights zonemode zonesize zonerange zoneskip zonecapacity \
	zone_reset_frequency zone_reset_threshold max_open_zones job_max_open_zones read_beyond_wp
check "... the mix of directions" needs mix rwmixread rwmixwrite rwmix_shared_pos trim_percentage trim_backlog trim_backlog_batch verify do_verify verify_only \
	verify_backlog verify_backlog_batch
check "... the depth" needs iodepth iodepth_batch iodepth_batch_complete_min iodepth_batch_complete_max iodepth_low iodepth_per_file io_submit_mode \
	serialize_overlap thread_group_depth thread_group_weight latency_target latency_window latency_percentile latency_run
check "... the blocks" needs bs bs ba bs_unaligned bs_is_seq_rand num_range
check "... where they lie" needs size size filesize nrfiles offset offset_increment offset_align rank_offset_increment rank_shared
check "... and what they hold" needs contents buffer_pattern zero_buffers refill_buffers scramble_buffers buffer_compress_percentage buffer_compress_chunk \
	dedupe_percentage dedupe_mode dedupe_global dedupe_working_set_percentage write_pool write_pool_file
check "how long a run is, and what it reports, is not" needs "" runtime io_size number_ios loops ramp_time lat_percentiles write_bw_log randseed
finish
