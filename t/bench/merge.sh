#!/bin/sh
# merge.sh FIORD: how long does fiord merge take for many documents, and how much memory? It judges nothing. $MERGE_DOCUMENTS is
# their number (1000).
fiord=$(realpath "$1") || exit 1
many=${MERGE_DOCUMENTS:-1000}
dir=$(mktemp -d "${TMPDIR:-/tmp}/fiord-merge.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

# measure LABEL OPTION...: makes a document with these options and merges $many links to it.
measure() {
	label=$1
	shift
	"$fiord" --name=x --directory="$dir" --size=64m --bs=4k --output=one.json --output-format=json+ "$@" || exit 1
	files=$(seq -f '%g.json' "$many")
	for f in $files; do
		ln -f one.json "$f"
	done
	# shellcheck disable=SC2086
	python3 - "$fiord" merge --output=all $files <<'EOF' | sed "s|^|$label, $(wc -c <one.json) bytes each: |"
import resource, subprocess, sys, time
begin = time.monotonic()
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.1f} s of CPU, {time.monotonic() - begin:.1f} s, {used.ru_maxrss / 1024:.0f} MiB")
EOF
	# shellcheck disable=SC2086
	rm -f one.json $files
}

echo "$many documents"
measure "one job of 2 s" --rw=randread --time_based --runtime=2
measure "one job of 20 s" --rw=randread --time_based --runtime=20
measure "one job of 20 s without a series" --rw=randread --time_based --runtime=20 --series=none
measure "four jobs of 2 s, mixed, with a rate" --rw=randrw --rate_iops=2000 --time_based --runtime=2 --numjobs=4
