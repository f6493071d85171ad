#!/bin/sh
# Which job and plan does each line of t/diskspd/cmdlines.txt that DISKSPD accepts become? t/diskspd/plans.tsv has the answer.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
tab=$(printf '\t')

# The accepted lines: id, dialect, line.
awk '/^# O/ { id = $2; next }
	/^=/ { if (line !~ /-X/) print id "\t" ($1 == "=linux-port" ? "linux-port" : "2.3") "\t" line; next }
	!/^[#!]/ { line = $0 }' "$SOURCE/t/diskspd/cmdlines.txt" >lines
check "the file has lines" test "$(wc -l <lines)" -gt 80
mkdir mnt v1 v3 v4

# names: the files of the job.
names() {
	sed -n 's/^filename=//p' job | sed 's/\([^\\]\):/\1\n/g'
}

# make_files: creates sparse files of the size in the job, or of 64 GiB.
make_files() {
	size=$(sed -n 's/^filesize=//p' job | head -n 1)
	names | while read -r file; do
		truncate -s "${size:-64g}" "$file"
	done
}

# of_job OPTION: its value in the job, or "-".
of_job() {
	value=$(sed -n "s/^$1=\([^ ]*\).*/\1/p" job | head -n 1)
	echo "${value:--}"
}

# as_row ID: the job and its plan as a row of the table.
as_row() {
	worker=$(sed -n 's/^  .*, clone 0: //p' plan | head -n 1)
	part() {
		echo "$worker" | grep -oE "(^|[ ,])$1=[^,]*" | sed 's/.*=//' | sed 's/s$//'
	}
	own=$(sed -n 's/^\([a-z_]*\)=.*; fiord only:.*/\1/p' job | grep -vE '^(create|create_fill|create_size|cpu_list)$' |
		sort | tr '\n' ',' | sed 's/,$//')
	printf '%s\t' "$1" "$(part rw)" "$(of_job rwmixwrite)" "$(part bs)" "$(part iodepth)" \
		"$(echo "$worker" | grep -oE 'direct|buffered' | head -n 1)" "$(of_job sync)" \
		"$(grep -c ', clone ' plan)" "$(names | wc -l)" "$(of_job ramp_time | sed 's/^-$/0/')" "$(part runtime)" \
		"$(sed -n 's/^ .*bytes 0 to \([0-9]*\).*/\1/p' plan | head -n 1 | sed "$(grep -q '^filesize=' job || echo 's/.*/-/')")"
	echo "${own:--}"
}

while IFS="$tab" read -r id dialect line; do
	run diskspd --dialect "$dialect" --map '#4=disk4' --map '#1=disk1' --map 'C:\ClusterStorage\vol1=v1' \
		--map 'C:\ClusterStorage\vol3=v3' --map 'C:\ClusterStorage\vol4=v4' --to-job --line "$line"
	check "$id becomes a job" test "$rc" = 0
	sed 's|^filename=/dev/|filename=|; s|^filename=/mnt/tank/|filename=mnt/|' out >job
	make_files
	run check job
	check "$id can be planned" test "$rc" = 0
	cp out plan
	as_row "$id" >>rows
	names | while read -r file; do
		rm -f "$file"
	done
done <lines
# The example lines.
for example in "$SOURCE"/examples/*.diskspd; do
	name=examples/${example##*/}
	"$FIORD" diskspd --map '#4=disk4' --to-job - <"$example" >job 2>"$dir/err"
	rc=$?
	check "$name becomes a job" test "$rc" = 0
	make_files
	run check job
	check "$name can be planned" test "$rc" = 0
	rm -f -- *.dat disk4
	"$FIORD" diskspd --explain - <"$example" >"$dir/out" 2>"$dir/err"
	check "$name can be explained" grep -q '^  in flight: ' "$dir/out"
done

# The example profiles.
for example in "$SOURCE"/examples/*.xml; do
	name=examples/${example##*/}
	"$FIORD" diskspd --to-job "-X$example" >job 2>"$dir/err"
	rc=$?
	check "$name becomes a job" test "$rc" = 0
	run check job
	check "$name can be planned" test "$rc" = 0
done

grep -v '^#' "$SOURCE/t/diskspd/plans.tsv" >want
diff want rows >differences
check "the plans match the table: $(cat differences)" empty differences
finish
