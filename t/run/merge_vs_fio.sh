#!/bin/sh
# fiord merge: does the sum of the entries of fio's client_stats document agree with fio's own "All clients"? Two servers of fio
# run the jobs. fio 3.33 gives that entry no percentiles and bins; those are checked against the sum of the entries' bins.
. "$SOURCE/t/lib.sh"
requires fio jq python3
cd "$dir" || exit 1
cat >job.fio <<'TEXT'
[global]
ioengine=null
size=1g
bs=4k
iodepth=4
[a]
rw=randrw
number_ios=3001
[b]
stonewall
rw=randread
bs=8k
number_ios=2503
rate_iops=20000
TEXT
cat >sums.py <<'EOF'
import json, sys
from fractions import Fraction
fio, ours = (json.load(open(f))["client_stats"] for f in sys.argv[1:])
# fio has the entries in the order in which they arrive.
entries = lambda document: sorted((e["hostname"], e["port"], e["jobname"]) for e in document[:-1])
assert sorted(e["jobname"] for e in fio[:-1]) == ["a", "a", "b", "b"], entries(fio)
assert entries(fio) == entries(ours), (entries(fio), entries(ours))
assert fio[-1]["jobname"] == ours[-1]["jobname"] == "All clients"
want, got = fio[-1], ours[-1]
close = lambda a, b, least: abs(a - b) <= 1e-6 * abs(b) + least
for dir in "read", "write", "trim":
    for key in "total_ios", "io_bytes", "runtime", "bw_bytes", "short_ios":
        assert close(got[dir][key], want[dir][key], 1), (dir, key, got[dir][key], want[dir][key])
    assert close(got[dir]["iops"], want[dir]["iops"], 1e-3)
    for kind in "slat_ns", "clat_ns", "lat_ns":
        a, b = got[dir][kind], want[dir][kind]
        assert (a["N"], a["min"], a["max"]) == (b["N"], b["min"], b["max"]), (dir, kind)
        assert close(a["mean"], b["mean"], 1e-4) and close(a["stddev"], b["stddev"], 1e-3), (dir, kind, a["stddev"], b["stddev"])
for key in "latency_ns", "latency_us", "latency_ms", "iodepth_level":
    for cell, share in want[key].items():
        assert close(got[key][cell], share, 0.011), (key, cell, got[key][cell], share)
for key in "job_runtime", "ctx", "majf", "minf":
    assert close(got[key], want[key], 1), key
for key in "usr_cpu", "sys_cpu":
    assert close(got[key], want[key], 0.01), (key, got[key], want[key])
bins = {}
for e in fio[:4]:
    for ns, n in e["read"]["clat_ns"].get("bins", {}).items():
        bins[int(ns)] = bins.get(int(ns), 0) + n
clat = got["read"]["clat_ns"]
assert bins and {int(k): v for k, v in clat["bins"].items()} == bins
for p, value in clat["percentile"].items():
    seen, need = 0, Fraction(float(p)) * sum(bins.values())
    for ns in sorted(bins):
        seen += bins[ns]
        if 100 * seen >= need:
            break
    assert value == min(max(ns, clat["min"]), clat["max"]), (p, value, ns)
EOF

servers=
stop_servers() {
	for server in $servers; do
		kill "$server"
	done
}
cleanup() {
	stop_servers 2>/dev/null
}
for i in 1 2; do
	fio --server="sock:$dir/$i" >"server$i" 2>&1 &
	servers="$servers $!"
done
listen() {
	[ -S 1 ] && [ -S 2 ]
}
until_true 10 listen || skip_all "fio --server does not listen on a socket"
timeout 60 fio --output-format=json+ --client="sock:$dir/1" job.fio --client="sock:$dir/2" job.fio >client 2>client.err
sed -n '/^{/,$p' client >fio.json
jq -e '.client_stats | length == 5' fio.json >jq.log 2>&1 || skip_all "fio --client gives no client_stats here"

run merge fio.json
check "fio's document merges" exits 0
check "... to the figures of its own sum" python3 sums.py fio.json out
check "... with a note about rounded moments" json out '.fiord.notes | any(test("rounded means and deviations"))'
cp out ours.json
jq '.client_stats[0].hostname as $host | .client_stats |= map(select(.hostname == $host or .jobname == "All clients"))' fio.json >first.json
jq '.client_stats[0].hostname as $host | .client_stats |= map(select(.hostname != $host or .jobname == "All clients"))' fio.json >second.json
run merge first.json second.json
check "the hosts' entries in two documents give the same" python3 sums.py fio.json out
finish
