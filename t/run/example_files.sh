#!/bin/sh
# Does each file of jobs/ and examples/ parse, and can it be planned on this machine?
. "$SOURCE/t/lib.sh"
export SIZE=8m

for file in "$SOURCE"/jobs/*.ini "$SOURCE"/examples/*.ini; do
	name=${file#"$SOURCE"/}
	run --parse-only "$file"
	check "$name parses" exits 0
	check "$name: stderr is empty" empty "$dir/err"
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

check "jobs/ has the three job files of the mission" test -f "$SOURCE/jobs/fiowrite.ini" -a -f "$SOURCE/jobs/fioread.ini" -a \
	-f "$SOURCE/jobs/fioreadwrite.ini"
finish
