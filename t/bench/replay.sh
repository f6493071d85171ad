#!/bin/sh
# replay.sh FIORD: how exactly does read_iolog keep the times of a trace, how fast is it without them, and how much memory does
# it need? The script only prints figures. $REPLAY_SECONDS is the length of the traces (5).
fiord=$(realpath "$1") || exit 1
seconds=${REPLAY_SECONDS:-5}
dir=$(mktemp -d /tmp/fiord-replay.XXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1
truncate -s 16m f
python3 - "$seconds" <<'EOF2'
import random, sys
random.seed(1)
seconds = int(sys.argv[1])
def log(name, times):
    with open(name, "w") as out:
        out.write("fio version 3 iolog\n0 f add\n0 f open\n")
        for us in times:
            out.write(f"{us} f read {random.randrange(4096) * 4096} 4096\n")
        out.write(f"{us} f close\n")
for rate in 10000, 100000, 300000:
    log(f"even.{rate}", (i * 1000000 // rate for i in range(rate * seconds)))
log("bursts", (burst * 10000 + i for burst in range(100 * seconds) for i in range(100)))
EOF2
for rate in 10000 100000 300000; do
	"$fiord" --name=p --ioengine=null --iodepth=64 --read_iolog=even.$rate --output-format=json --eta=never >out || exit 1
	jq -r --arg rate $rate '.jobs[0].fiord.lateness_ns |
		"\($rate) I/Os per s on null: lateness p50 \(.p50 / 1e3) us, p99 \(.p99 / 1e3) us, max \(.max / 1e3) us"' out
done
python3 - "$fiord" "$seconds" <<'EOF2'
import os, resource, subprocess, sys, time
fiord, seconds = sys.argv[1], int(sys.argv[2])
def usage(*args):
    pid = os.fork()
    if not pid:
        start = time.monotonic()
        subprocess.run(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        took, most = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{took:.2f} {most:.0f}", file=open("used", "w"))
        os._exit(0)
    os.waitpid(pid, 0)
    return map(float, open("used").read().split())
for rate in 10000, 300000:
    took, most = usage(fiord, "--name=p", "--ioengine=null", "--iodepth=64", f"--read_iolog=even.{rate}", "--replay_no_stall=1")
    print(f"{rate * seconds} I/Os without times: {rate * seconds / took / 1e6:.2f} million per s with both passes over the trace, {most:.0f} MiB")
length = (100 * seconds - 1) * 10000 / 1e6
for name, args in (("fiord", [fiord]), ("fio", ["fio"])):
    try:
        took, most = usage(*args, "--name=p", "--ioengine=psync", "--read_iolog=bursts", "--output-format=json", "--output=out.json", "--eta=never")
    except FileNotFoundError:
        continue
    import json
    text = open("out.json").read()
    ran = json.loads(text[text.index("{"):])["jobs"][0]["read"]["runtime"] / 1e3
    print(f"{name}: bursts of {length:.2f} s took {ran:.2f} s, {ran / length:.3f} of the trace")
EOF2
