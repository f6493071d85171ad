#!/bin/sh
# trend.sh FIORD: how long does fiord trend take for the documents of many nights, and how much memory? It judges nothing.
# $TREND_DOCUMENTS is their number (10000), in some 1.8 GB of $TMPDIR. They are made from one run of four jobs, with its intervals and percentiles.
# A change of the kernel and of one figure of three jobs lies in the middle.
fiord=$(realpath "$1") || exit 1
source=$(realpath "$(dirname "$0")/../..") || exit 1
many=${TREND_DOCUMENTS:-10000}
dir=$(mktemp -d "${TMPDIR:-/tmp}/fiord-trend.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1
mkdir nights
"$fiord" --output-format=json+ --output=one.json --ioengine=null --size=1g --bs=4k --rate_iops=2000 --time_based --runtime=1 --name=oltp --rw=randrw \
	--name=log --rw=write --name=scan --rw=read --bs=128k --name=backup --rw=randread --bs=64k || exit 1
python3 "$source/t/run/trend_nights.py" make one.json nights "$many" $((many / 2)) || exit 1
echo "$many documents, $(($(cat nights/*.json | wc -c) / many)) bytes each"

measure() { # LABEL OPTION...
	python3 - "$@" <<'P'
import resource, subprocess, sys, time
begin = time.monotonic()
subprocess.run(sys.argv[2:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{sys.argv[1]}: {used.ru_utime + used.ru_stime:.1f} s of CPU, {time.monotonic() - begin:.1f} s, {used.ru_maxrss / 1024:.0f} MiB")
P
}

measure "text" "$fiord" trend nights -o trend.txt
measure "JSON" "$fiord" trend nights -o trend.json
measure "page" "$fiord" trend nights -o trend.html
measure "text by kernel" "$fiord" trend nights --by=environment.kernel -o trend.txt
head -n 1 trend.txt
