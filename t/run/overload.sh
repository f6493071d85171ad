#!/bin/sh
# Do the response times of a rate include the I/Os that did not complete? A file system of this test (slow_fs.c) answers 800 reads at
# once and then stalls for longer than the job runs. The expected figures are formulas: arrivals are rate times time, those that the
# file system has not answered were not complete, and at 1000 per second they are 1, 2, 3 ... ms old at the end.
. "$SOURCE/t/lib.sh"
requires jq awk fusermount3
[ -n "${SLOW_FS-}" ] || skip_all "fiord was built without libfuse3"
[ -w /dev/fuse ] || skip_all "/dev/fuse is missing or not writable"
cd "$dir" || exit 1

unmount() {
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
	[ -z "${server-}" ] || wait "$server"
	rm -rf mnt answers
}

cleanup() {
	unmount
}

# serve PLACES MS [STALL STALL_MS]
serve() {
	unmount
	mkdir mnt
	"$SLOW_FS" "$dir/answers" "$dir/mnt" "$@" >fs.out 2>&1 &
	server=$!
	until_true 10 test -f mnt/f
}

answered() {
	wc -l <answers
}

job="--name=x --filename=mnt/f --allow_file_create=0 --rw=randread --bs=4k --direct=1 --rate_iops=1000"

serve 1 0 801 600 || skip_all "the file system cannot be mounted: $(cat fs.out)"
# shellcheck disable=SC2086
run $job --rate_open=1 --runtime=1 --time_based --output-format=json+ --series --output=open.json --csv=open.csv --report=open.html --live=live \
	--assert 'resp.p90 < 20ms'
cp open.json out
read='.jobs[0].fiord.read'
check "the file system has answered reads" test -s answers
check "rate x time = 1000 I/Os arrived" json out "$read.arrivals == 1000"
check "... of which those are complete that the file system answered" json out ".jobs[0].read.total_ios == $(answered)"
check "... although the run was longer, it asked for 1000 per second" json out "$read.asked | .ios == 1000 and .time_ns == 1000000000 and .iops == 1000"
check "... and the others were not issued" json out "$read | .unissued == 1000 - $(answered) and .in_flight_at_end == 0"
check "each arrival has a response time" json out "$read.resp_ns | .N == 1000 and ([.bins[]] | add) == 1000"
check "the oldest was due for 1 ms for each that was not issued" json out "$read | .unissued_age_ns == .unissued * 1000000"
check "... so at least one in a hundred waited for so long" json out \
	"$read | .unissued > 20 and .resp_ns.percentile[\"99.000000\"] >= (.unissued - 11) * 1000000 * 63 / 64"
check "... and the sum of all is not less than that of their ages" json out "$read | .resp_ns.mean * 1000 >= .unissued * (.unissued + 1) / 2 * 1000000"
check "the intervals of the series have all of them" json out '.fiord.series.groups[0].read | ([.resp_ns[] | add // 0] | add) == 1000'
check "... and name those that were not issued" json out ".fiord.series.groups[0].read | ([.unfinished[]] | add) == 1000 - $(answered)"
check "an assertion about resp fails" exits 5
check "a note says that percentiles are lower bounds" json out \
	".jobs[0].fiord.notes | any(startswith(\"$((1000 - $(answered))) of 1000 reads that were due were not complete\"))"
check "the lines of --live have them" sh -c \
	'[ "$(jq -s "[.[] | select(.type == \"interval\") | .all.read.unfinished // 0] | add" live)" = "$1" ]' - $((1000 - $(answered)))
check "... and the last line" sh -c '[ "$(tail -n 1 live | jq .all.read.unfinished)" = "$1" ]' - $((1000 - $(answered)))
check "the page names them" says open.html "Not complete at the end"
check "the table has them" awk -F, -v want=$((1000 - $(answered))) '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "unissued") at = i } NR == 2 { found = $at == want } END { exit !found }' open.csv
check "... and what was asked" awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i } NR == 2 { found = $col["asked_ios"] == 1000 && $col["asked_iops"] == 1000 } END { exit !found }' \
	open.csv
run compare open.json open.json --allow=same-run
check "compare names them" says out "$((1000 - $(answered))) of 1000 reads that were due were not complete at the end"
run merge open.json open.json -o both.json
check "merge adds them" json both.json '.client_stats | last | .fiord.read | .resp_ns.N == 2000 and .unissued * 2 > 40 and .arrivals == 2000 and .asked == {ios: 2000, time_ns: 1000000000, iops: 2000}'

# Without rate_open, with random arrivals, and as text.
serve 1 0 401 600
# shellcheck disable=SC2086
run $job --rate_process=poisson --runtime=500ms --time_based
check "the text says that resp has lower bounds" sh -c 'grep -q "unissued .* of [0-9]* I/Os that were due (IOPS=[0-9]* were asked for) were not issued.*lower bounds" out'
serve 1 0 1 600
# shellcheck disable=SC2086
run $job --runtime=200ms --time_based --output-format=json
check "a job that gets one answer has the response times of all 200 arrivals" json out \
	"$read | .unissued == 199 and .resp_ns.N == 200 and .unissued_age_ns == 199000000"

# After a ramp the window is cut: reads in flight at its end do not count, but their ages do.
serve 8 0 301 600
# shellcheck disable=SC2086
run $job --ioengine=libaio --iodepth=8 --ramp_time=100ms --runtime=400ms --time_based --output-format=json+
check "reads in flight at the end of a cut window count with their age" json out \
	"$read | .in_flight_at_end == 8 and .resp_ns.N == $(value out '.jobs[0].read.total_ios') + .unissued + 8"

# SIGINT while the file system stalls: arrivals end with the signal, not with the answer.
serve 1 0 101 2500
# shellcheck disable=SC2086
start $job --rate_open=1 --runtime=60 --time_based --output-format=json
all_arrived() {
	[ "$(answered)" -ge 100 ]
}
check "the file system stalls" until_true 20 all_arrived
kill -INT "$pid"
wait_for_exit
check "SIGINT exits 130" exits 130
check "each arrival before the signal is complete or not issued" json out \
	".jobs[0].read.total_ios as \$ios | $read | .arrivals == \$ios + .unissued and .resp_ns.N == .arrivals"
check "... and those not issued are 1, 2, 3 ... ms old" json out \
	"$read | .unissued_age_ns <= .unissued * 1000000 and .unissued_age_ns > (.unissued - 1) * 1000000"
check "... but none arrived while the answer was awaited" json out \
	".jobs[0].read.runtime - $read.arrivals > 50"
# Two places of 20 ms answer at most 100 reads per second. At 2 per second the last read is due half a second before the end.
serve 2 20
# shellcheck disable=SC2086
run sweep --sweep rate_iops=2,1000 -d sweep --csv sweep.csv -o sweep.html --name=x --filename="$dir/mnt/f" --allow_file_create=0 \
	--rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=2 --runtime=1 --time_based
cell() { # COLUMN ROW
	awk -F, -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i } NR == row + 1 { print $col[name] }' sweep.csv
}
check "a sweep over a rate names the points that are overloaded" same "$(cell overloaded 1) $(cell overloaded 2)" "no yes"
check "... which do not reach 100 reads per second and a few at the edge" awk -v iops="$(cell iops 2)" 'BEGIN { exit !(iops > 0 && iops <= 104) }'
check "... what was asked, although the last reads end late" same "$(cell asked_iops 1) $(cell asked_iops 2)" "2 1000"
check "... and what was not issued: rate x time without the answered reads" sh -c '[ $(($1 + $2)) = 1000 ]' - "$(cell ios 2)" "$(cell unissued 2)"
check "... in the text" says out "  overloaded"
check "... with its meaning" says out "1 of 2 points were overloaded"
check "... the notes of the point stand below" says out "note: rate_iops=1000: x: "
check "... with their figures" says out "of 1000 reads that were due were not complete at the end"
check "... also on the page" says sweep.html "of 1000 reads that were due were not complete at the end"
check "... on the page" says sweep.html "<td>overloaded</td>"
check "... and in its chart, with a legend" sh -c 'grep -q "class=\"dot square" sweep.html && grep -q "a square is an overloaded point" sweep.html'
finish
