#!/bin/sh
# Does each file of jobs/ and examples/ parse, and can it be planned on this machine?
. "$SOURCE/t/lib.sh"
export SIZE=8m

for file in "$SOURCE"/jobs/*.ini "$SOURCE"/examples/*.ini; do
	name=${file#"$SOURCE"/}
	run --parse-only "$file"
	check "$name parses" exits 0
	check "$name: stderr is empty" empty "$dir/err"
	! grep -q '^filename=/dev/[ns]g' "$file" || continue # needs an NVMe namespace or a SCSI disk
	if grep -q '^filename=/dev/' "$file"; then
		run check --set=filename="$dir/file" --set=size=1m "$file"
	elif grep -q '^opendir=' "$file"; then
		run check --set=opendir="$SOURCE/src" --set="opendir_match=*.c" "$file"
	else
		run check --set=directory="$dir" --set=size=1m "$file"
	fi
	check "$name can be planned" exits 0
	check "the plan of $name has a worker" grep -q ' workers* in ' "$dir/out"
	check "planning $name creates no file" same "$(find "$dir" -type f ! -name out ! -name err)" ""
done

# The workers of percent-areas.ini read in order from their start on, the amount of I/O.
run check --set=directory="$dir" "$SOURCE/examples/percent-areas.ini"
sed -n 's/.*, io=\([0-9]*\).*/\1/p; s/.*percent-areas.dat.*: bytes \([0-9]*\) to .*/\1/p' "$dir/out" >"$dir/areas"
check "the areas of percent-areas.ini do not overlap" awk 'NR % 2 { io = $1 } NR % 2 == 0 { if ($1 < end) bad = 1; end = $1 + io }
	END { exit bad || NR != 6 }' "$dir/areas"

check "jobs/ has the three job files of the mission" test -f "$SOURCE/jobs/fiowrite.ini" -a -f "$SOURCE/jobs/fioread.ini" -a \
	-f "$SOURCE/jobs/fioreadwrite.ini"
finish
