#!/bin/sh
# Does fiord peak find the peak of a file system that serves so many reads at a time, each in a known time (slow_fs.c)? Do its job
# files run, does it open its targets for reading only (strace), and does it refuse what it cannot measure?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

cleanup() {
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
}

# What must hold in each document: each search keeps the best of its curve, and its share of the time.
document() { # FILE
	jq -e '(.searches | length > 0) and
		([.searches[].points[].runtime_ns] | add) <= .time_ns and
		all(.searches[] | select(.best != null); . as $s | (if .goal == "iops" then "iops" else "bytes_per_s" end) as $key |
			all(.points[] | select(.repeat or .error | not); .[$key] <= $s.points[$s.best][$key] * (1 + $s.noise_percent / 100)))' \
		"$1" >/dev/null
}

# The sections of the job file have the settings of the best points: of the last search of each goal.
settings_agree() { # FILE
	jq -e '[.searches[-1], ([.searches[] | select(.goal == "iops")] | last)] |
		all(. as $s | .points[.best].targets | all(. as $t |
			$job | contains("\nioengine=\($t.ioengine)\niodepth=\($t.iodepth)\nnumjobs=\($t.numjobs)\n") and
			contains("\nrw=\($t.rw)\n")))' --arg job "$(jq -r .job_file "$1")" "$1" >/dev/null
}

if [ -z "${SLOW_FS-}" ] || [ ! -w /dev/fuse ] || ! command -v fusermount3 >/dev/null; then
	skip "the peak of a file system with 8 places" "no libfuse3 or no /dev/fuse"
else
	mkdir mnt
	"$SLOW_FS" "$dir/answers" "$dir/mnt" 8 20 >fs.out 2>&1 &
	if until_true 10 test -f mnt/f; then
		run peak --time=20 --output-format=json mnt/f
		check "a peak is found" exits 0
		check "... and nothing is said on stderr" empty err
		check "... in one valid document" document out
		# A busy machine may answer later, never earlier: 8 reads in 20 ms are 400 a second.
		check "... it is 8 reads in 20 ms" json out '.searches[0] | .goal == "iops" and .mean > 300 and .mean < 416'
		check "... with 8 or more in flight" json out '.searches[0] | .points[.best].targets[0] | .numjobs * .iodepth >= 8'
		check "... which the device limits" json out '.searches[0] | .limit == "device" and (.sentence | startswith("The device is the limit"))'
		cleanup
	else
		skip "the peak of a file system with 8 places" "it cannot be mounted: $(cat fs.out)"
	fi
fi

# ---- files ----
head -c 16777216 /dev/urandom >f
sync f
if ! dd if=f of=/dev/null iflag=direct bs=4k count=1 2>/dev/null; then
	skip "peaks of files" "no direct I/O in $dir"
	finish
fi
if [ "$(stat -fc %T .)" = tmpfs ] || ! "$FIORD" check --name=x --filename=f --rw=read --direct=1 >/dev/null; then
	skip "peaks of files" "no disk in $dir"
	finish
fi
cp f g
sync g
run peak --time=8 -j peak.ini -o peak.json f
check "a file is searched" exits 0
check "... with nothing on stdout" empty out
check "... the document is valid" document peak.json
check "... it has one search for each goal" json peak.json '[.searches[].goal] == ["iops", "bandwidth"]'
check "... the job file is the same in the document" same "$(cat peak.ini)" "$(jq -r .job_file peak.json)"
check "... and has the settings of the best points" settings_agree peak.json
run --set runtime=100ms --output-format=json peak.ini
check "the job file runs" exits 0
check "... and both jobs read" json out '[.jobs[].read.total_ios > 0] == [true, true]'

run peak --time=15 f g
check "two files are searched alone and together" exits 0
check "... and compared with the sum" sh -c '[ $(grep -c "^Together they reach .* % of the sum" out) = 2 ]'
check "... each figure stands below its name" awk '/^  ioengine/ { ok = $(NF - 1) == "CPU" && $NF == "clat" } /^[* ] io_uring .* % / && !($(NF - 2) $(NF - 1) ~ /^%[0-9]/ && $NF ~ /s$/) { bad = 1 } END { exit !ok || bad }' out
check "... one star marks the best point of each search" same "$(grep -c '^\* ' out)" 6
sed '1,/^This job file/d' out >both.ini
check "the job file has a section for each file" same "$(grep -c '^\[iops-[fg]\]' both.ini)" 2
run check both.ini
check "... and can be planned" exits 0

ln -s f 'a\b:c'
run peak --time=5 -j named.ini 'a\b:c'
check "a name with a backslash and a colon is searched" exits 0
run check named.ini
check "... and the job file has it" says out '  a\b:c (file)'

# ---- reads only ----
if command -v strace >/dev/null && straced -f -o /dev/null true 2>/dev/null; then
	cksum f >before
	straced -f -P "$dir/f" -P f -e trace=openat,open,openat2,write,pwrite64,pwritev,ftruncate,fallocate -o trace "$FIORD" peak --time=5 f >out 2>err
	rc=$?
	check "a search under strace" exits 0
	check "... opens the file in the points" grep -q "O_RDONLY|.*O_DIRECT" trace
	check "... but never for writing" sh -c '! grep -E "O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|write|truncate|fallocate" trace'
	check "... and the file is as it was" same "$(cksum f)" "$(cat before)"
else
	skip "nothing is opened for writing" "no strace"
fi

# ---- Ctrl-C ----
point_runs() {
	pgrep -P "$pid" >/dev/null
}
no_point() {
	! pgrep -f "filename=$dir/f " >/dev/null
}
start peak --time=1h --output-format=json "$dir/f"
until_true 20 point_runs
kill -INT "$pid"
wait_for_exit
check "Ctrl-C ends a search with its signal" exits 130
check "... with a valid document of what was found" json out '.interrupted and (.searches | length == 1)'
check "... and no point goes on" no_point

# ---- bad input ----
truncate -s 64m hole
head -c 1048576 f >small
mkdir d
ln -s f link
while IFS='|' read -r code words args; do
	# shellcheck disable=SC2086
	run peak $args
	check "fiord peak $args: exit code $code" exits "$code"
	check "... says: $words" says err "$words"
	check "... in one line" lines err 1
	check "... and nothing on stdout" empty out
done <<'EOT'
2|needs a block device or a file|
3|missing: no such file or device|missing
3|/dev/nvme99n9: no such file or device|/dev/nvme99n9
3|d: is a directory|d
3|/dev/null: is neither a block device|/dev/null
3|hole: 64 MiB of the file were never written|hole
3|small: has 1 MiB; fiord peak needs 16 MiB|small
2|link: is the same as f|f link
2|a#b: a job file cannot hold this path|a#b
2|a;b: a job file cannot hold this path|a;b
2|--time=abc: not a time|--time=abc f
2|--time=0: must be more than 0|--time=0 f
2|1 target needs 4800ms at least|--time=1 f
2|2 targets need 14400ms at least|--time=14399ms f g
2|did you mean json|--output-format=jsno f
2|would replace the input f|-o f f
2|would replace the input f|-j f f
2|names the same file|-o x -j x f
2|must be the name of a file|--job=- f
EOT
check "nothing was written by then" test ! -e x
finish
