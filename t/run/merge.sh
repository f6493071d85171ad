#!/bin/sh
# fiord merge: do the results of several hosts become one, with exact counts, percentiles, moments and series?
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1

adds_up() { # MERGED DOCUMENT...
	python3 "$SOURCE/t/run/merge_check.py" "$@" >check.log 2>&1 || { cat check.log && false; }
}
# What of the result of a run must not change when copies of it are merged. The entry is the first or the last one.
percentiles='{p: [.read, .write | .clat_ns, .lat_ns | [.min, .max, .percentile]], resp: [.fiord.read.resp_ns.percentile], cells: .latency_us}'
one_line() {
	exits 2 && empty out && lines err 1
}

run --name=a --filename=a --size=4m --bs=4k --rw=randrw --fsync=32 --rate_iops=6000 --lat_percentiles=1 --description='"a" <b>' \
	--output-format=json+ --output=a.json
run --name=b --filename=b --size=1m --bs=8k,4k --rw=randwrite --ioengine=libaio --iodepth=8 --numjobs=2 --name=c --stonewall \
	--filename=b --size=1m --rw=read --output-format=json+ --output=b.json
run --name=x --filename=a --size=4m --rw=randread --output-format=json --output=plain.json
run --name=x --filename=a --size=4m --rw=randrw --unified_rw_reporting=mixed --output-format=json+ --output=mixed.json
rm -f a b

run merge a.json a.json a.json a.json a.json
check "copies merge" exits 0
check "... quietly" empty err
mv out copies
check "... into fio's document of several clients" json copies \
	'(keys_unsorted | index("client_stats") > 0 and index("jobs") == null) and ([.client_stats[].jobname] == ["a", "a", "a", "a", "a", "All clients"])'
check "... with the host's name in each entry" json copies "[.client_stats[].hostname] == [range(5) | \"$(hostname)\"] + [\"All clients\"]"
check "... have the counts of all" adds_up copies a.json a.json a.json a.json a.json
check "... and the percentiles of one" same "$(jq -c ".jobs[0] | $percentiles" a.json)" "$(jq -c ".client_stats[-1] | $percentiles" copies)"
check "... and the series of one, times five" same \
	"$(jq -c '.fiord.series | .interval_ms, (.groups[].read | (.ios | map(. * 5)), .lat_max, .resp_max, (.lat_ns | map(map_values(. * 5))))' a.json)" \
	"$(jq -c '.fiord.series | .interval_ms, (.groups[].read | .ios, .lat_max, .resp_max, .lat_ns)' copies)"
check "... that begins when it did" same "$(jq '.fiord.series.groups[0].start_ms' a.json)" "$(jq '.fiord.series.groups[0].start_ms' copies)"

run merge a.json b.json --output=ab.json
check "--output leaves stdout empty" empty out
check "other jobs add up" adds_up ab.json a.json b.json
check "... and runs that had no time in common have no common series" json ab.json \
	'(.fiord | has("series") | not) and (.fiord.notes | any(test("no moment at which all results ran")))'
check "... and latencies of which some entries have no bins have a note" json ab.json \
	'.fiord.notes | any(test("no percentiles of read lat"))'
run merge ab.json a.json
mv out aba
check "a merged document merges again" adds_up aba a.json b.json a.json
cat a.json b.json >several.json
run merge several.json - -o more.json
check "an empty standard input is refused" exits 2
run merge several.json -o more.json
check "several documents of one file add up" adds_up more.json a.json b.json

run merge a.json plain.json
check "without bins the sum has no percentiles" json out '.client_stats[-1].read.clat_ns | has("percentile") == false and has("bins") == false'
check "... and a note says so" json out '.fiord.notes | any(test("1 of 2 entries have no bins"))'
check "... but exact means" json out '.client_stats | .[2].fiord.counts.read.clat.sum == (.[0:2] | map(.fiord.counts.read.clat.sum | tonumber) | add | tostring)'
run merge mixed.json mixed.json
check "mixed directions stay mixed" json out '.client_stats | .[2].mixed.total_ios == 2 * .[0].mixed.total_ios and (.[2] | has("read") | not)'
run merge a.json mixed.json
check "... and mix the others" json out '.client_stats | .[2].mixed.total_ios == .[0].read.total_ios + .[0].write.total_ios + .[1].mixed.total_ios'
check "... which a note says" json out '.fiord.notes | any(test("some entries report all directions together, so \"All clients\" does, too"))'

run merge --output-format=json a.json b.json
check "plain JSON has no bins" json out '[.. | objects | has("bins")] | any | not'
check "... and the same percentiles" same "$(jq -c '.client_stats[-1].write.clat_ns.percentile' ab.json)" \
	"$(jq -c '.client_stats[-1].write.clat_ns.percentile' out)"
run merge --output-format=normal a.json b.json
check "the text names the host of each job" says out "<$(hostname)> a: (groupid=0, jobs=1): err= 0"
check "... and has the sum" says out "All clients: (groupid=0, jobs=4): err= 0"
run merge --output-format=terse,json+ a.json
check "formats combine as in a run" same "$(head -c 9 out | tr ';' ' ')" "3 fio-3.4"

# Placement id 1 and write stream 1 are not the same. Documents of older versions have the kind of the entry only.
placed() { # KIND [IDS]: prints a.json with such a placement.
	jq --arg kind "$1" ".jobs[0].fiord.placement = {kind: \$kind, unplaced_ios: 2, unplaced_bytes: 8192, ids: $2}" a.json
}
placed fdp '[{plid: 1, ios: 3, bytes: 12288}, {plid: 0, ios: 5, bytes: 20480}]' >ids.json
placed streams '[{kind: "streams", plid: 1, ios: 7, bytes: 28672}]' >streams.json
run merge ids.json streams.json ids.json
check "placement ids and write streams with the same number stay apart" json out '.client_stats[-1].fiord.placement | .kind == "mixed" and
	.unplaced_ios == 6 and .ids == [{kind: "fdp", plid: 1, ios: 6, bytes: 24576}, {kind: "fdp", plid: 0, ios: 10, bytes: 40960},
		{kind: "streams", plid: 1, ios: 7, bytes: 28672}]'
mv out mixed_placement.json
run merge mixed_placement.json streams.json
check "... also in a merged document" json out \
	'.client_stats[-1].fiord.placement.ids | map("\(.kind) \(.plid) \(.ios)") == ["fdp 1 6", "fdp 0 10", "streams 1 14"]'
run merge --output-format=normal ids.json streams.json
check "... and the text has the kind of each" same "$(sed -n '/All clients/,$s/.*placement : //p' out | cut -d, -f1)" "id 1: 3 writes
id 0: 5 writes
stream 1: 7 writes
no id or stream: 4 writes"

# what fio's documents have beside the figures
jq '.jobs[0].steadystate = {ss: "iops:5.000000%", attained: 1, data: {iops: [1, 2], bw: [4, 8]}} |
	.disk_util = [{name: "sda", read_ios: 7, util: 50.0, aggr_read_ios: 3, aggr_util: 2.0}]' a.json >steady.json
run merge steady.json a.json
check "the steady state stays with its job" json out '[.client_stats[].steadystate.data.iops] == [[1, 2], null, null]'
check "... and stands there once" same "$(grep -c '"ss" *:' out)" 1
check "a disk has the name of its host" json out ".disk_util[0] | .name == \"sda@$(hostname)\" and .read_ios == 7 and .util == 50"
check "... and the figures of its members" json out '.disk_util[0] | .aggr_read_ios == 3 and .aggr_util == 2'
jq '.client_stats[0].port = 8765' out >port.json
run merge port.json a.json
check "so do the port and the disks of a merged document" json out \
	"[.client_stats[].port] == [8765, 0, 0, 0] and .disk_util[0].name == \"sda@$(hostname)\""

# bad input: one line, nothing on standard output, and no file
head -c 5000 a.json >cut.json
echo '{"jobs": []}' >none.json
echo 'not a result' >text
for bad in cut.json none.json text missing.json .; do
	echo old >old
	run merge a.json "$bad"
	case $bad in
	none.json) check "$bad: a result without jobs is noted" json out '.fiord.notes | any(test("no jobs"))' ;;
	*) check "$bad is refused in one line" one_line ;;
	esac
	[ "$bad" = none.json ] || check "... that names it" says err "$bad"
	[ "$bad" = none.json ] || run merge a.json "$bad" --output=old
	[ "$bad" = none.json ] || check "... and leaves the output alone" same "$(cat old)" old
done
echo x >x_lat.1.log.fz
run merge x_lat.1.log.fz
check "a compressed log is refused" one_line
check "... and the error says how to inflate it" says err "fiord --inflate-log=x_lat.1.log.fz >x_lat.1.log"
run merge none.json
check "nothing but empty results is refused" one_line
run merge
check "no file is refused" one_line
run merge --output-format=jsn a.json
check "an unknown format is refused" eval 'one_line && says err "did you mean json?"'
run merge --no-such a.json
check "an unknown option is refused" one_line
run merge a.json --output=missing/x
check "an output that cannot be written is refused" eval 'exits 2 && lines err 1'
cp a.json same.json
run merge a.json same.json -o same.json
check "an output that is an input is refused" eval 'exits 2 && lines err 1 && cmp -s a.json same.json'
run merge --help
check "--help exits 0" eval 'exits 0 && says out "fiord merge" && empty err'
jq '.jobs[0].fiord.counts.read.bytes = "18446744073709551615"' a.json >huge.json
run merge huge.json huge.json
check "sums that do not fit are refused" one_line
jq '.jobs[0].jobname = "<script>\u0007\"" | .fiord.environment.host = "h\u001b[31m" | .jobs[0].fiord.notes += ["noted"] |
	.jobs[0].error = 5 | .jobs[0].fiord.error_text = "bad\u001b[31m"' a.json >names.json
run merge names.json names.json
check "names stay names" json out '.client_stats[0].jobname == "<script>\u0007\"" and .client_stats[1].hostname == "h\u001b[31m"'
run merge names.json --output-format=normal
check "... and send nothing else to a terminal" same "$(tr -d '[:print:]\n' <out)" ""
finish
