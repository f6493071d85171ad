#!/bin/sh
# Every line of t/diskspd/cmdlines.txt that DISKSPD accepts runs, scaled (files of 4 MiB, blocks of 64 KiB and four
# threads at most, one second without warm-up), several at once, and its XML adds up.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
: "${ADDSUP:?}"
at_once=6
tab=$(printf '\t')

# id, dialect, line: scaled.
awk '/^# O/ { id = $2; next }
	/^=/ { if (line !~ /-X/) print id "\t" ($1 == "=linux-port" ? "linux-port" : "2.3") "\t" line; next }
	!/^[#!]/ { line = $0 }' "$SOURCE/t/diskspd/cmdlines.txt" |
	sed -E 's/ -[dWC][0-9]+[sm]?( |$)/ /g; s/ -[dWC][0-9]+[sm]?( |$)/ /g
		s/ -c[0-9]+[kKmMgGtTbB]*/ -c4M/g; s/ -f[0-9]+[kKmMgGtTbB]*/ -f2M/; s/ -B[0-9]+[kKmMgGtTbB]*/ -B64K/
		s/ -T[0-9]+[kKmMgGtTbB]*/ -T64K/; s/ -Z[0-9]+[kKmMgGtTbB]*/ -Z1M/
		s/ -b([0-9]+[mMgG]|[0-9]{3,}[kK])/ -b64K/; s/ -([tF])([5-9]|[0-9]{2,})/ -\14/
		/ -/!s/(\t[^\t ]*) /\1 -d1 -W0 /; / -d1/!s/ -/ -d1 -W0 -/
		s/\t-b1M/\t-b64K/' >lines
check "there are lines" test "$(wc -l <lines)" -gt 80
check "none takes long" test "$(grep -cvE ' -d1 -W0 ' lines)" = 0

# Without direct I/O the lines go through the cache.
truncate -s 1m probe
if ! "$FIORD" diskspd -d1 -W0 -Su -b64K probe >out 2>&1; then
	skip "unbuffered lines" "no direct I/O here: they run through the cache"
	sed -E 's/ -(Sh|Suw|Swu|Su|Sw|S|h)( |$)/ /g; s/ -(Su|Sw)( |$)/ /g' lines >cached
	mv cached lines
fi

# one ID DIALECT LINE: in a folder of its own; leaves code, err, xml and what addsup says of it.
one() {
	mkdir "$1" && cd "$1" || exit 1
	printf '%4096s' x >0_pct_comp.bin
	set -- "$1" --dialect "$2" --map '#4=disk4' --map '#1=disk1' --map 'C:\ClusterStorage\vol1=v1' \
		--map 'C:\ClusterStorage\vol3=v3' --map 'C:\ClusterStorage\vol4=v4' --line "$3"
	shift
	mkdir v1 v3 v4
	"$FIORD" diskspd --to-job "$@" >job 2>err
	# Those that the line expects to be there; a path that is absolute is not ours.
	if ! grep -q '^filename=/' job && ! grep -q '^create=always' job; then
		sed -n 's/^filename=//p' job | sed 's/\([^\\]\):/\1\n/g' | while read -r file; do
			truncate -s 4m "$file"
		done
	fi
	grep '^filename=/' job >elsewhere
	[ -s elsewhere ] || "$FIORD" diskspd --output-format=diskspd-xml --output=xml "$@" >out 2>err
	echo $? >code
	[ ! -s xml ] || "$ADDSUP" <xml >sums 2>&1 || echo "code $?" >>sums
}

judge() {
	if [ -s "$1/elsewhere" ]; then
		skip "$1" "$(cat "$1/elsewhere")"
	elif grep -qE 'no such CPU|CPU' "$1/err"; then
		skip "$1" "$(cat "$1/err")"
	else
		cp "$1/err" err
		check "$1 runs: $2" same "$(cat "$1/code")" 0
		check "$1 says nothing beside" empty "$1/err"
		cp "$1/sums" out
		check "$1 adds up" empty "$1/sums"
	fi
	rm -rf "${dir:?}/$1"
}

# batch: the lines of file `batch`, all at once.
batch() {
	pids=
	while IFS="$tab" read -r id dialect line; do
		(one "$id" "$dialect" "$line") </dev/null &
		pids="$pids $!"
	done <batch
	for pid in $pids; do
		wait "$pid"
	done
	while IFS="$tab" read -r id dialect line; do
		judge "$id" "$line"
	done <batch
}
first=1
while sed -n "$first,$((first + at_once - 1))p" lines >batch && [ -s batch ]; do
	batch
	first=$((first + at_once))
done
finish
