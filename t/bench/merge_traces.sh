#!/bin/sh
# merge_traces.sh FIORD: how many events a second does fiord merge (merge_blktrace_*), of how many traces of blktrace, and with how much
# memory? "read" is one pass over the merged events, "written" are two, of which one writes the merged trace. The script only prints
# figures. $MERGE_EVENTS is the number of events of all traces in thousands (2000).
fiord=$(realpath "$1") || exit 1
thousands=${MERGE_EVENTS:-2000}
dir=$(mktemp -d /tmp/fiord-merge-traces.XXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1
measure() { # LABEL PASSES ARG...
	python3 - "$thousands" "$@" <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[4:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
events = float(sys.argv[1]) / 1000 * int(sys.argv[3])
print(f"{sys.argv[2]}: {cpu:.2f} s of CPU, {events / max(cpu, 0.01):.1f} million events/s, {used.ru_maxrss / 1024:.0f} MiB")
END
}
for traces in 2 8 64; do
	rm -f t.*
	python3 - "$thousands" $traces <<'END'
import random, struct, sys
random.seed(1)
traces = int(sys.argv[2])
for t in range(traces):
    time = 0
    with open(f"t.{t}", "wb") as out:
        for i in range(int(sys.argv[1]) * 1000 // traces):
            time += random.randrange(30000)
            out.write(struct.pack("<IIQQIIIIIHH", 0x65617407, i, time, random.randrange(1 << 24) * 8, 4096, 1 | 1 << 16 + (i % 3 == 0), 1,
                                  8 << 20, 0, 0, 0))
END
	names=$(seq -s: -f 't.%g' 0 $((traces - 1)))
	ones=$(yes 1 | head -n $traces | paste -sd:)
	set -- --name=p --ioengine=null --replay_redirect=x --read_iolog="$names" --merge_blktrace_iters="$ones"
	measure "$traces traces, read" 1 "$fiord" check "$@"
	# The replay of the run is cut off after its first I/Os.
	measure "$traces traces, written" 2 "$fiord" run "$@" --merge_blktrace_file=merged --replay_no_stall=1 --runtime=1ms --eta=never
done
