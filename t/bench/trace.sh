#!/bin/sh
# trace.sh FIORD: how many events a second does fiord trace read and count, and with how much memory? Beside it stand wc -l and
# zcat, which only touch the bytes. The script only prints figures. $TRACE_EVENTS is the number of events in thousands (3000).
fiord=$(realpath "$1") || exit 1
thousands=${TRACE_EVENTS:-3000}
dir=$(mktemp -d /tmp/fiord-trace.XXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1
python3 - "$thousands" <<'EOF2'
import random, struct, sys
random.seed(1)
time = 0
with open("log", "w") as log, open("t.csv", "w") as csv, open("t.blktrace.0", "wb") as blk:
    log.write("fio version 3 iolog\n0 /data/f add\n0 /data/f open\n")
    for i in range(int(sys.argv[1]) * 1000):
        time += random.randrange(30)
        block, write = random.randrange(1 << 24), i % 3 == 0
        log.write(f"{time} /data/f {'write' if write else 'read'} {block * 4096} 4096\n")
        csv.write(f"419,{'W' if write else 'R'},{block * 4096},4096,{1577808000000000 + time}\n")
        blk.write(struct.pack("<IIQQIIIIIHH", 0x65617407, i, time * 1000, block * 8, 4096, 1 | 1 << 16 + write, 1, 8 << 20, 0, 0, 0))
EOF2
gzip -1 -k log
zstd -q -k log 2>/dev/null
measure() { # LABEL COMMAND...
	python3 - "$thousands" "$@" <<'EOF2'
import resource, subprocess, sys
subprocess.run(sys.argv[3:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = used.ru_utime + used.ru_stime
print(f"{sys.argv[2]}: {cpu:.2f} s of CPU, {float(sys.argv[1]) / 1000 / max(cpu, 0.01):.1f} million events/s, {used.ru_maxrss / 1024:.0f} MiB")
EOF2
}
measure "wc -l" wc -l log
measure "zcat" zcat log.gz
for file in log log.gz log.zst t.csv t.blktrace.0; do
	[ ! -e "$file" ] || measure "fiord trace $file" "$fiord" trace "$file"
done
