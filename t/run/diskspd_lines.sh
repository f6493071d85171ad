#!/bin/sh
# Does each line of t/diskspd/cmdlines.txt that DISKSPD accepts run, and does its XML add up? Lines are scaled down (files of
# 4 MiB, blocks of 64 KiB and four threads at most, one second without warm-up), and several run at once.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
: "${ADDSUP:?}"
at_once=10
tab=$(printf '\t')

# The scaled lines: id, dialect, line.
awk '/^# O/ { id = $2; next }
	/^=/ { if (line !~ /-X/) print id "\t" ($1 == "=linux-port" ? "linux-port" : "2.3") "\t" line; next }
	!/^[#!]/ { line = $0 }' "$SOURCE/t/diskspd/cmdlines.txt" |
	sed -E 's/ (-|–)[dWC][0-9]+[sm]?( |$)/ /g; s/ (-|–)[dWC][0-9]+[sm]?( |$)/ /g
		s/ (-|–)c[0-9]+[kKmMgGtTbB]*/ \1c4M/g; s/ (-|–)f[0-9]+[kKmMgGtTbB]*/ \1f2M/; s/ (-|–)B[0-9]+[kKmMgGtTbB]*/ \1B64K/
		s/ (-|–)T[0-9]+[kKmMgGtTbB]*/ \1T64K/; s/ (-|–)Z[0-9]+[kKmMgGtTbB]*/ \1Z1M/
		s/ (-|–)b([0-9]+[mMgG]|[0-9]{3,}[kK])/ \1b64K/; s/ (-|–)([tF])([5-9]|[0-9]{2,})/ \1\24/
		/ (-|–)/!s/(\t[^\t ]*) /\1 -d1 -W0 /; / -d1/!s/ (-|–)/ -d1 -W0 \1/
		s/\t-b1M/\t-b64K/' >lines
check "the file has lines" test "$(wc -l <lines)" -gt 80
check "each line runs for one second" test "$(grep -cvE ' -d1 -W0 ' lines)" = 0
check "... and for no other time" test "$(grep -cE ' (-|–)[dWC][0-9].* (-|–)[dWC][0-9].* (-|–)[dWC][0-9]' lines)" = 0

# Where direct I/O does not work the lines use the page cache.
truncate -s 1m probe
if ! "$FIORD" diskspd -d1 -W0 -Su -b64K probe >out 2>&1; then
	skip "unbuffered lines" "no direct I/O here: they run through the cache"
	sed -E 's/ -(Sh|Suw|Swu|Su|Sw|S|h)( |$)/ /g; s/ -(Su|Sw)( |$)/ /g' lines >cached
	mv cached lines
fi

# run_line ID DIALECT LINE: runs it in a folder of its own, which then has the files code, err, xml and sums (of addsup).
run_line() {
	mkdir "$1" && cd "$1" || exit 1
	printf '%4096s' x >0_pct_comp.bin
	set -- "$1" --dialect "$2" --map '#4=disk4' --map '#1=disk1' --map 'C:\ClusterStorage\vol1=v1' \
		--map 'C:\ClusterStorage\vol3=v3' --map 'C:\ClusterStorage\vol4=v4' --line "$3"
	shift
	mkdir v1 v3 v4
	"$FIORD" diskspd --to-job "$@" >job 2>err
	# Creates the files that the line expects. A line with an absolute path is skipped.
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

check_line() {
	if [ -s "$1/elsewhere" ]; then
		skip "$1" "$(cat "$1/elsewhere")"
	elif grep -qE 'no such CPU|CPU' "$1/err"; then
		skip "$1" "$(cat "$1/err")"
	else
		cp "$1/err" err
		check "$1 exits 0: $2" same "$(cat "$1/code")" 0
		check "$1: stderr is empty" empty "$1/err"
		cp "$1/sums" out
		check "$1: the figures of its XML add up" empty "$1/sums"
	fi
	rm -rf "${dir:?}/$1"
}

# batch: runs the lines of the file `batch`, all at once.
batch() {
	pids=
	while IFS="$tab" read -r id dialect line; do
		(run_line "$id" "$dialect" "$line") </dev/null &
		pids="$pids $!"
	done <batch
	for pid in $pids; do
		wait "$pid"
	done
	while IFS="$tab" read -r id dialect line; do
		check_line "$id" "$line"
	done <batch
}
first=1
while sed -n "$first,$((first + at_once - 1))p" lines >batch && [ -s batch ]; do
	batch
	first=$((first + at_once))
done
finish
