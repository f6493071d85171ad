#!/bin/sh
# devices: nvme
# seconds: 300
# Does fiord peak try hipri where a device has poll queues, and only there, does it say what ended the search, and does its job file run?
# The poll queues are those that the test gives the driver; t/guest/polling.sh sees by interrupts that hipri polls.
. "$SOURCE/t/guest/lib.sh"
requires jq
cd "$dir" || exit 1

# tries_hipri FILE: the document has a point with hipri in the search for IOPS.
tries_hipri() {
	json "$1" 'any(.searches[] | select(.goal == "iops") | .points[].targets[]; .hipri)'
}

# peak NAME DEVICE TIME: searches, and runs the job file that it prints.
peak() {
	run peak --time="$3" --output="$1.json" --job="$1.ini" "$2"
	check "$1: a search ends" exits 0
	check "... without a message" empty err
	check "... each search has a peak, and names what limits it" json "$1.json" '.searches | length == 2 and all(.best != null and .mean > 0 and
		(.limit | IN("device", "cpu", "link", "unknown")) and (.sentence | length > 20))'
	jq -c '.searches[] | [.goal, .limit, .sentence, (.points | length), .points[.best].targets[0]]' "$1.json" | sed 's/^/# /'
	run --set runtime=100ms --output-format=json "$1.ini"
	check "... the job file runs" exits 0
	check "... and reads" json out '[.jobs[] | .error == 0 and .read.total_ios > 0] | all'
}

# ended FILE: the search for IOPS had enough time to come to its step hipri.
ended() {
	json "$1" '.searches[0] | .goal == "iops" and .out_of_time == false'
}

block=$(guest_device nvme) || skip_all "the guest has no nvme"
peak nvme "$block" 6
check "a disk without poll queues: the document says so" json nvme.json '.targets[0].poll_queues == false'
check "... and nothing polls" json nvme.json 'any(.searches[].points[].targets[]; .hipri) == false'

null_block polled submit_queues=2 poll_queues=1 size=256 irqmode=0 || skip_all "null_blk of this kernel has no poll queues"
peak null_blk /dev/polled 80
check "a disk with a poll queue: the document says so" json null_blk.json '.targets[0].poll_queues == true'
if ended null_blk.json; then
	check "... hipri is tried for IOPS" tries_hipri null_blk.json
	# Whether polling gains depends on the machine. If it did, the first job of the file polls.
	polls=$(value null_blk.json '.searches[0] | .points[.best].targets[0].hipri')
	check "... the job file has it if the best point has: $polls" same "$(sed '/^\[bandwidth/,$d' null_blk.ini | grep -c '^hipri$')" \
		"$([ "$polls" = true ] && echo 1 || echo 0)"
	check "... as the note of its engine says" json out "any(.jobs[0].fiord.notes[]; contains(\"polled completions\")) == $polls"
else
	skip "hipri is tried" "the machine is too slow for the whole search"
fi
finish
