#!/bin/sh
# opendir.sh FIORD: what do the files of opendir cost: to list them, to plan a job on them, to begin it, and to draw among them? It
# judges nothing. $OPENDIR_FILES is their number in thousands (1000); they lie on /dev/shm, or below $OPENDIR_DIRECTORY.
fiord=$(realpath "$1") || exit 1
many=${OPENDIR_FILES:-1000}
dir=$(mktemp -d "${OPENDIR_DIRECTORY:-/dev/shm}/fiord-opendir.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1

python3 - "$many" <<'EOF'
import os, sys
for d in range(int(sys.argv[1])):
    os.mkdir(f"d{d:04}")
    for f in range(1000):
        with open(f"d{d:04}/f{f:03}", "wb") as out:
            out.write(b"x" * 4096)
EOF
measure() { # LABEL COMMAND...
	label=$1
	shift
	python3 - "$fiord" "$@" --name=x --opendir="$dir" --rw=randread --bs=512 <<'EOF' | sed "s|^|$label: |"
import json, resource, subprocess, sys, time
command = [word for word in sys.argv[1:] if word != "run"]
runs = len(command) < len(sys.argv) - 1
wall, begin = time.time(), time.monotonic()
out = subprocess.run(command + ["--output-format=json"] * runs, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
end = time.monotonic() - begin
used = resource.getrusage(resource.RUSAGE_CHILDREN)
text = f"{used.ru_utime + used.ru_stime:.1f} s of CPU, {end:.1f} s, {used.ru_maxrss / 1024:.0f} MiB"
if runs:
    job = json.loads(out)["jobs"][0]
    text = f"first I/O after {job['job_start'] / 1000 - wall:.1f} s, {job['read']['iops'] / 1000:.1f} k IOPS; {text}"
print(text)
EOF
}

echo "$many directories with 1000 files each"
measure "listed, and none of them used" check --opendir_match=none
measure "listed and planned" check
for order in roundrobin random zipf:1.2; do
	measure "20000 reads, $order" run --number_ios=20000 --file_service_type=$order
	measure "20000 reads, $order, 16 files open" run --number_ios=20000 --file_service_type=$order --openfiles=16
done
