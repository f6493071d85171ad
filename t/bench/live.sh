#!/bin/sh
# What do --live and --prometheus cost the parent process, and how late are the lines?
#   t/bench/live.sh build/src/fiord [JOBS [SECONDS]]
# Runs JOBS jobs (64) with a rate for SECONDS (10), in turns without and with both options at an interval of 1 s. The CPU time is the
# parent's, from the document (fiord.self). The lines go to a FIFO, whose reader compares the end of each interval with the clock.
set -eu
fiord=$1 jobs=${2:-64} seconds=${3:-10}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkfifo "$dir/fifo"
cat >"$dir/reader.py" <<'PY'
import json
import sys
import time

late = [time.time() * 1000 - line["time_ms"] for line in map(json.loads, open(sys.argv[1])) if line["type"] == "interval"]
print(f"{len(late)} lines, at most {max(late):.0f} ms after the end of their interval")
PY

run() { # DOCUMENT [OPTION]...
	document=$1
	shift
	"$fiord" --name=x --ioengine=null --size=1g --rw=randrw --numjobs="$jobs" --rate_iops=100,100 --time_based \
		--runtime="$seconds" --output-format=json --output="$document" "$@"
}

percent() { # DOCUMENT: the parent's CPU time
	jq '.fiord.self | (.user_us + .sys_us) * 100000 / .wall_ns | . * 1000 | round / 1000' "$1"
}

for round in 1 2 3; do
	run "$dir/off.json"
	python3 "$dir/reader.py" "$dir/fifo" >"$dir/late" &
	run "$dir/on.json" --live="$dir/fifo" --prometheus="$dir/m.prom"
	wait
	echo "round $round: parent $(percent "$dir/off.json") % of a core without, $(percent "$dir/on.json") % with; $(cat "$dir/late")"
done
