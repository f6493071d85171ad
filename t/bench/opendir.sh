#!/bin/sh
# opendir.sh FIORD: how long does fiord take to list the files of opendir, and to plan a job on them? It judges nothing.
# $OPENDIR_FILES is their number in thousands (1000); they lie on /dev/shm.
fiord=$(realpath "$1") || exit 1
many=${OPENDIR_FILES:-1000}
dir=$(mktemp -d /dev/shm/fiord-opendir.XXXXXX) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

python3 - "$many" <<'EOF'
import os, sys
for d in range(int(sys.argv[1])):
    os.mkdir(f"d{d:04}")
    for f in range(1000):
        with open(f"d{d:04}/f{f:03}", "wb") as out:
            out.write(b"x" * 512)
EOF
measure() { # LABEL OPTION...
	label=$1
	shift
	python3 - "$fiord" check --name=x --opendir="$dir" --rw=read --bs=512 "$@" <<'EOF' | sed "s|^|$label: |"
import resource, subprocess, sys, time
begin = time.monotonic()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.1f} s of CPU, {time.monotonic() - begin:.1f} s, {used.ru_maxrss / 1024:.0f} MiB")
EOF
}

echo "$many directories with 1000 files each"
measure "listed, and none of them used" --opendir_match=none
measure "listed and planned"
