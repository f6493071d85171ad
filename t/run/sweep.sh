#!/bin/sh
# Does fiord sweep run every combination of the values once, report a point that failed, go on after a kill, and find the knee of a
# file system that serves 8 reads at a time?
. "$SOURCE/t/lib.sh"
requires jq awk
cd "$dir" || exit 1
null="--ioengine=null --size=64k"

documents() { # DIR COUNT: this many complete documents
	[ "$(find "$1" -name '0*.json' -exec jq -e '.fiord.exit.code == 0' {} + | grep -c true)" = "$2" ]
}

no_process() { # TEXT: no command line has it
	! pgrep -f -- "$1" >/dev/null
}

# figure COLUMN ROW: a cell of c.csv.
figure() {
	awk -F, -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) col = i } NR == row + 1 { print $col }' c.csv
}

run sweep --sweep iodepth=1,2,4..16 --sweep bs=4k,8k -d points -o page.html --csv c.csv --name=x $null --rw=randread
check "a sweep of ten points exits 0" exits 0
check "... and prints nothing to stderr" empty err
check "... and leaves a document for each point" documents points 10
check "... of the jobs of that point" json "points/0007-iodepth=8-bs=4k.json" '.jobs[0]["job options"] | .iodepth == "8" and .bs == "4k"'
check "... and a table of all points" lines c.csv 11
check "... whose figures are those of the documents" \
	same "$(figure ios 8) $(figure iodepth 8) $(figure bs 8)" "$(jq -r '.jobs[0].read.total_ios' 'points/0008-iodepth=8-bs=8k.json') 8 8k"
check "... each row has as many cells as the header" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' c.csv
check "... and the document in its column" same "$(figure document 8)" "0008-iodepth=8-bs=8k.json"
check "... and a page" sh -c 'grep -qE "Latency (against load|by iodepth), bs=4k" page.html &&
	grep -qE "<figcaption>Mean latency (against load|by iodepth):" page.html && grep -q "<caption>IOPS" page.html'
check "the report names two knees" same "$(grep -c 'greatest IOPS per mean latency' out)" 2

run sweep --sweep iodepth=1..4 --dry-run --name=x $null --runtime=90 --time_based
check "--dry-run lists the points" sh -c '[ $(grep -c "^0.*json" out) = 3 ]'
check "... and how long they take" says out "3 points, 90.0 s each, 4 min 30 s in all"
check "... and runs none" test ! -e sweep.json

printf '[global]\nsweep=iodepth=1,2\nsweep=bs=4k,8k,16k\nioengine=null\nsize=64k\n[a]\nrw=read\n' >lines.ini
run sweep -d lines lines.ini
check "sweep= lines of a job file are swept" documents lines 6
run sweep --sweep bs=1k -d less lines.ini
check "... but the command line replaces them" documents less 2
run lines.ini
check "... and a plain run says that it is one point" says out 'run "fiord sweep" with the same arguments for all points'
printf "[a]\nioengine=null\nsize=64k\nsweep=iodepth\n" >bad.ini
run bad.ini
check "a line without values is refused" says err "needs an option and its values"

# A point that fails: its file is missing.
head -c 65536 /dev/zero >f1
run sweep --sweep filename=f2,f1 -d partly --csv c.csv --name=x --size=64k --rw=read --allow_file_create=0
check "a first point whose target is refused stops the sweep" exits 3
check "... before it makes anything" test ! -e partly
run sweep --sweep bs=4k -d one -o one.html --name=x $null
check "the page of a single point says 1 value" says one.html "bs: 1 value<"
run sweep --sweep exec_prerun=true,false,: -d partly --csv c.csv -o page.html --name=x $null
check "a sweep with a point that fails exits 1" exits 1
check "... the other points are run" documents partly 2
check "... the report counts it" says out "1 of 3 points failed"
check "... and the page names it" sh -c 'grep -q "Failed</dt><dd class=\"v\">1 of 3 points</dd><dd>exec_prerun=false</dd>" page.html && grep -q "failed: x: exec_prerun=false" page.html'
check "... and there is no knee, because no option sets the load" sh -c '! grep -qi "knee of\|<dt>Knee" out page.html'
check "... and the table has its error" sh -c 'grep -q "^false,x,failed,.*exec_prerun" c.csv'

# After a kill the sweep goes on with the points that have no document. Each point writes its number when it begins.
: >runs
points='exec_prerun=echo 1 >>runs|echo 2 >>runs; if ! test -e go; then sleep 600; fi|echo 3 >>runs'
start sweep --sweep "$points" -d killed --name=x $null --write_bw_log=l
until_true 20 grep -q 2 runs
kill -KILL "$pid"
wait_for_exit
check "no point survives the kill of the sweep" until_true 10 no_process killed/0002
: >go
run sweep --sweep "$points" -d killed --name=x $null --write_bw_log=l
check "without --resume the directory is left alone" exits 2
check "... and the error names --resume" says err "--resume"
run sweep --sweep "$points" -d killed --resume --csv c.csv --name=x $null --write_bw_log=l
check "--resume runs the rest" documents killed 3
check "... the point that was killed again, and no point twice that had ended" same "$(paste -sd' ' runs)" "1 2 2 3"
check "... but reports all" same "$(grep -c ',done,' c.csv)" 3
: >runs
run sweep --sweep "$points" -d killed --resume --name=x $null --write_bw_log=l
check "... and runs nothing when all is done" empty runs
run sweep --sweep "$points" -d killed --resume --name=x $null --bs=8k
check "--resume refuses other jobs" exits 2
check "... and says so" says err "has other jobs than this command line"

# Files that the sweep did not write are neither replaced nor taken for its documents. Without -L, stat and test follow links.
foreign() { # LABEL TEXT ARGUMENT...: refused before anything runs: the jobs append to the file "runs"
	label=$1
	text=$2
	shift 2
	: >runs
	rc=
	timeout 30 "$FIORD" sweep "$@" --name=x $null --exec_prerun='echo >>runs' >out 2>err </dev/null
	rc=$?
	check "$label is refused" exits 2
	check "... by name" says err "$text"
	check "... in one line, before anything runs" sh -c '[ "$(wc -l <err)" = 1 ] && [ ! -s runs ]'
}
mkdir -p mine/1 mine/2 mine/3 mine/4
echo mine >mine/1/0001-iodepth=1.json
foreign "a file of the user in place of a document" "mine/1/0001-iodepth=1.json exists" --sweep iodepth=1,2 -d mine/1
check "... and stays as it is" same "$(cat mine/1/*)" mine
echo mine >mine/2/0001-rate_iops=max.json
foreign "a file in place of the maximum" "mine/2/0001-rate_iops=max.json exists" --sweep rate_iops=10%,50% -d mine/2
ln -s ../../victim mine/3/0002-iodepth=2.json
foreign "a link in place of a document" "mine/3/0002-iodepth=2.json: this is a symbolic link" --sweep iodepth=1,2 -d mine/3
ln -s ../../victim mine/4/sweep.json
foreign "a link in place of the list" "mine/4/sweep.json: this is a symbolic link" --sweep iodepth=1,2 -d mine/4
check "... and nothing is written where links point" absent victim
rm mine/4/sweep.json
mkfifo mine/4/sweep.json
foreign "a FIFO in place of the list" "mine/4/sweep.json: this is a FIFO" --sweep iodepth=1,2 -d mine/4 --resume

run sweep --sweep iodepth=1,2 -d own --name=x $null --exec_prerun='echo >>runs'
first=own/0001-iodepth=1.json
second=own/0002-iodepth=2.json
resumed() { # LABEL TEXT
	foreign "$1" "$second: $2" --sweep iodepth=1,2 -d own --resume
	rm -r "$second"
}
mv $second kept
mkfifo $second
resumed "--resume: a FIFO" "this is a FIFO"
ln -s ../kept $second
resumed "--resume: a link to the right document" "this is a symbolic link"
mkdir $second
resumed "--resume: a directory" "this is a directory"
echo mine >$second
resumed "--resume: a text" "this is not a result of fiord or fio"
cp $first $second
resumed "--resume: the document of another point" "this is not the document of point 2: its jobs have iodepth=1 where those of the sweep have iodepth=2"
run --output-format=json+ --output=$second --name=y $null --exec_prerun='echo >>runs' --iodepth=2
resumed "--resume: the document of another job" "this is not a document of the sweep: it has other jobs"
run --output-format=json+ --output=$second --name=x $null --exec_prerun='echo >>runs' --iodepth=2 --rw=write --lat_percentiles=1
resumed "--resume: the document of a job with other options" "this is not the document of point 2: its jobs have rw=write where those of the sweep have no rw"
jq 'del(.fiord)' kept >$second
resumed "--resume: a document that fiord did not write" "this is not a document of the sweep: it has other jobs"
cp kept $second
mv $first other
mv $second $first
mv other $second
foreign "--resume: two documents in each other's place" "$first: this is not the document of point 1" --sweep iodepth=1,2 -d own --resume
rm $first $second
run sweep --sweep iodepth=1,2 -d own --resume --name=x $null --exec_prerun='echo >>runs'
check "when they are moved away, the points run" documents own 2

# A run that is killed while it writes its document leaves a temporary file, which --resume removes. It is held in fsync.
preload=$(dirname "$FIORD")/../t/fault/preload.so
temporary() { # that of the point that is held
	find left -name '0002*.json.?*' 2>/dev/null
}
is_written() {
	[ -n "$(temporary)" ]
}
if [ -f "$preload" ]; then
	export LD_PRELOAD="$preload" FAULT=fsync:1:hang FAULT_PATH=left/0002
	start sweep --sweep iodepth=1,2,4 -d left --name=x $null
	unset LD_PRELOAD FAULT FAULT_PATH
	until_true 30 is_written
	temp=$(temporary)
	run sweep --sweep iodepth=1,2,4 -d left --resume --name=x $null
	check "--resume leaves a temporary file that is being written" test -e "$temp"
	kill -KILL "$pid"
	wait_for_exit
	until_true 30 no_process left/0002
	mkdir left/0001-iodepth=1.json.fiord-tmp-direct
	mkfifo left/0001-iodepth=1.json.fiord-tmp-aFIFO1
	ln -s ../group.ini left/0001-iodepth=1.json.fiord-tmp-linked
	for name in 0001-iodepth=1.json.backup 0001-iodepth=1.json.fiord-tmp-short 0001-iodepth=1.json.fiord-tmp-longer1 \
		0001-iodepth=1.json.fiord-tmp-a.json 0001-iodepth=1.jsonfiord-tmp-abcdef 0009-iodepth=1.json.fiord-tmp-abcdef fiord-tmp-abcdef; do
		cp left/0001-iodepth=1.json "left/$name"
	done
	ln left/0001-iodepth=1.json.backup left/0001-iodepth=1.json.fiord-tmp-second
	find left ! -path "$temp" | sort >before
	run sweep --sweep iodepth=1,2,4 -d left --resume --name=x $null
	find left | sort >after
	check "--resume removes it when its writer was killed" absent "$temp"
	check "... and nothing else" cmp before after
else
	skip "--resume removes temporary files" "no preload.so in this build"
fi

# Job files: a group has the options of its last job, global options stand apart, and a path may have any byte.
printf '[global]\nioengine=null\nsize=64k\ngroup_reporting\n[a]\nnumjobs=2\n[b]\nrw=write\n[c]\nname=d\nstats=0\n[e]\nnew_group\nfilename=\377b:c\n' >group.ini
run sweep --sweep iodepth=1,2 -d group group.ini
run sweep --sweep iodepth=1,2 -d group --resume group.ini
check "--resume knows the documents of groups" exits 0
sed 's/size=64k/size=128k/' group.ini >large.ini
run sweep --sweep iodepth=1,2 -d large large.ini
cp large/0002* group
run sweep --sweep iodepth=1,2 -d group --resume group.ini
check "... and refuses one with other global options" exits 2
check "... by name" says err "group/0002-iodepth=2.json: this is not the document of point 2: its jobs have size=128k where those of the sweep have size=64k"

start sweep --sweep iodepth=1,2,4 -d stopped --csv c.csv --name=x $null --runtime=600 --time_based --exec_prerun='echo >started'
until_true 20 test -s started
kill -INT "$pid"
wait_for_exit
check "SIGINT ends the sweep" exits 130
check "... with the document of the point" json stopped/0001-iodepth=1.json '.fiord.exit.code == 130'
check "... and says that the point was interrupted" says out "failed: interrupted"
check "... and has no knee" sh -c '! grep -q ^knee out'
check "... and a table with the points that were not run" sh -c 'grep -q "^2,[^,]*,not run" c.csv'

# A window that is as long as the run has its I/Os, also at rates that are no whole numbers in a second or an interval.
window_has_all() {
	rm -rf window
	run sweep --sweep bs=4k,8k -d window --csv c.csv --name=x --ioengine=null --size=1g --rate_iops=6 --runtime=1800ms \
		--time_based --steadystate=iops:0.1% --steadystate_duration=1800ms --steadystate_check_interval=150ms
	[ "$(figure steady 1)" = no ] && [ "$(figure ios 1)" = "$(value window/0001-bs=4k.json '.jobs[0].read.total_ios')" ]
}
check "the figures of a window count its I/Os" one_of_three window_has_all
check "... and their rate has decimals" awk -v ios="$(figure ios 1)" -v iops="$(figure iops 1)" -v bw="$(figure bw_bytes 1)" \
	'BEGIN { exit !(ios > 5 && (iops - ios / 1.8) ^ 2 < 1e-6 && (bw - 4096 * ios / 1.8) ^ 2 < 1) }'
check "the report says whose figures they are" says out "the figures are those of the last window"

# Percentages refer to a maximum, which is measured first.
run sweep --sweep rate_iops=25%,50% -d percent --name=x $null --size=1g --numjobs=2 --rate_iops_min=1 --runtime=1 --time_based --rate_process=linear
check "a rate in percent refers to the measured maximum" json "percent/0001-rate_iops=max.json" '.jobs | length == 2'
max=$(value "percent/0001-rate_iops=max.json" '[.jobs[].read.iops] | add | floor')
said_maximum() { # the figure of the report is that of the document, to its three digits
	grep -o '100 % is what the jobs reached without a rate: [0-9.]*[kM]* IOPS (0001-rate_iops=max.json)' out | awk -v max="$max" \
		'{ n = $11; u = n ~ /k$/ ? 1e3 : n ~ /M$/ ? 1e6 : 1; sub(/[kM]$/, "", n); v = n * u } END { exit !(NR == 1 && (v - max) ^ 2 < (max / 100) ^ 2) }'
}
check "the report says what 100 % was" said_maximum
rate=$(value "percent/0002-rate_iops=50%.json" '.jobs[0]["job options"].rate_iops')
check "... divided by the clones" awk -v m="$max" -v r="${rate%%,*}" 'BEGIN { exit !(r > m * 0.249 && r <= m * 0.25) }'
check "... and those points are open loop" json "percent/0001-rate_iops=25%.json" '.jobs[0]["job options"].rate_open == "1"'

run sweep --sweep rate_iops=25%,50% -d percent --name=x $null --size=1g --numjobs=2 --rate_iops_min=1 --runtime=1 --time_based --rate_process=linear --resume
check "--resume knows the rates of percentages" exits 0
mv percent/0001-rate_iops=max.json max
run sweep --sweep rate_iops=25%,50% -d percent --name=x $null --size=1g --numjobs=2 --rate_iops_min=1 --runtime=1 --time_based --rate_process=linear --resume
check "... and needs the maximum to which they refer" exits 2
check "... by name" says err "percent/0001-rate_iops=25%.json: the document of its 100 %, 0001-rate_iops=max.json, is missing"
jq '.jobs[0].read.iops = 1 | .jobs[1].read.iops = 1' max >percent/0001-rate_iops=max.json
run sweep --sweep rate_iops=25%,50% -d percent --name=x $null --size=1g --numjobs=2 --rate_iops_min=1 --runtime=1 --time_based --rate_process=linear --resume
check "... not another one" says err "percent/0001-rate_iops=25%.json: this is not the document of point 1: its jobs have rate_iops="

# DISKSPD lines and presets sweep as well.
head -c 1048576 /dev/zero >io.dat
run sweep --sweep -o=1,4 --sweep -b=4K,8K -d line --csv c.csv diskspd -t1 -o8 -b64K -d1 -W0 -L io.dat
check "a DISKSPD line is swept" exits 0
check "... over its own flags" json line/0003-o=4-b=4K.json '.fiord.command | test("-o4") and test("-b4K") and (test("-o8|-b64K") | not)'
documents=$(stat -c '%i %y' line/0*)
run sweep --sweep -o=1,4 --sweep -b=4K,8K -d line --resume diskspd -t1 -o8 -b64K -d1 -W0 -L io.dat
check "... --resume knows its documents" same "$rc $(stat -c '%i %y' line/0*)" "0 $documents"
cp line/0003* line/0001-o=1-b=4K.json
run sweep --sweep -o=1,4 --sweep -b=4K,8K -d line --resume diskspd -t1 -o8 -b64K -d1 -W0 -L io.dat
check "... and finds one in the place of another" says err "line/0001-o=1-b=4K.json: this is not the document of point 1"
run sweep --sweep -o=1,4 --dry-run diskspd -r -o8 -W0 -o16 io.dat
check "... or flags that occur twice" says out "diskspd -r -o4 -W0 -o4 io.dat"
run sweep --sweep -r=4K,8K --dry-run diskspd -r -W0 io.dat
check "... or have no number" says out "diskspd -r8K -W0 io.dat"
run sweep --sweep bs=4k,8k --dry-run preset latency --directory="$dir"
check "a preset is swept" sh -c 'grep -q "bs=8k" out'
check "... and how long it takes is known" says out "2 points, 64.0 s each"
run sweep --sweep bs=4k,8k --set size=1m --dry-run preset latency --directory="$dir"
check "... also with options before the word" says out " --size=1m "
run sweep --sweep -o=1,4 -d diskspd --dry-run diskspd -d7 -W0 io.dat
check "a directory may be called diskspd, and how long a line takes is known" says out "2 points, 7.00 s each, 14.0 s in all"
run sweep --sweep bs=4k,8k --dry-run --filename diskspd --name=x $null
check "... and a file as well" says out "--filename=diskspd"

# The maximum is that of a slow disk.
disk="--name=x $null --rw=read --number_ios=4"
run sweep --sweep rate_iops=0.5%,50% -d slow $disk
jq '.jobs[0].read.iops = 199.6' slow/0001-rate_iops=max.json >max && mv max slow/0001-rate_iops=max.json
rm slow/0001-rate_iops=0.5%.json slow/0002-rate_iops=50%.json
run sweep --sweep rate_iops=0.5%,50% -d slow --resume $disk
check "a percentage of few IOPS is not rounded to hundreds" json slow/0002-rate_iops=50%.json '.jobs[0]["job options"].rate_iops == "99,,"'
check "... and may be below 1" json slow/0001-rate_iops=0.5%.json '.jobs[0]["job options"].rate_iops == "1,,"'

refused() { # TEXT ARGUMENT...
	text=$1
	shift
	run sweep "$@"
	check "refused: $*" exits 2
	check "... with: $text" says err "$text"
}
refused "needs an option and its values" -d d --name=x $null
refused "needs jobs" --sweep bs=4k -d d
refused "point 1: --sweep iodepht=1: unknown option 'iodepht'; did you mean 'iodepth'?" --sweep iodepht=1..4 -d d --name=x $null
run sweep --sweep -o=1,4 -d d diskspd -o8 nofile
check "a DISKSPD line without its file is refused before the first point" exits 3
check "... and the error names it" says err "nofile: no such file"
refused "--set numjobs=2: not possible beside a DISKSPD line; use -F or -t" --sweep -o=1,4 --set numjobs=2 -d d diskspd io.dat
refused "leave out the options that explain or translate it" --sweep -o=1,4 -d d diskspd --explain io.dat
refused "directory=/no/such: does not exist" --sweep bs=4k,8k -d d preset latency --directory=/no/such
refused "the name of the preset" --sweep bs=4k,8k -d d preset
refused "-d DIR" --sweep bs=4k,8k --name=x $null
refused "more than 10000 points" --sweep iodepth=1,2..101 --sweep bs=1k,2k..200k -d d --name=x $null
refused "swept twice" --sweep bs=4k --sweep bs=8k -d d --name=x $null
refused "blocksize: this is the option bs, which is swept already" --sweep bs=4k,8k --sweep blocksize=4k -d d --name=x $null
refused "only a DISKSPD line has this flag" --sweep -o=1,2 -d d --name=x $null
refused "give all values of a rate in percent, or none" --sweep rate_iops=10%,20 -d d --name=x $null
refused "only one rate can be in percent, and rate_iops is" --sweep rate_iops=10%,20% --sweep rate=5% -d d --name=x $null
refused "did you mean 'iodepth'" --sweep iodeth=1,2 -d d --name=x $null
refused "iodepth=0: out of range" --sweep iodepth=1,0 -d d --name=x $null
refused "--output=f: fiord sweep writes a document for each point" --sweep bs=4k -d d --name=x $null --output=f
refused "the jobs name this file, and the report would replace it" --sweep bs=4k -d d -o lines.ini lines.ini
refused "this is the file of both reports" --sweep bs=4k -d d -o both --csv both --name=x $null
refused "give a percentage from 0.01% to 10000%" --sweep rate_iops=-10% -d d --name=x $null
refused "give a percentage from 0.01% to 10000%" --sweep rate_iops=99999999% -d d --name=x $null
refused "writes a JSON+ document for each point" --sweep bs=4k -d d --name=x $null --minimal
refused "writes a JSON+ document for each point" --sweep bs=4k -d d --name=x $null --append-terse
refused "percentages need a single job" --sweep rate_iops=10%,50% -d d $null --name=x --name=y
head -c 1 /dev/zero >file
run sweep --sweep bs=4k,8k -d file --name=x $null
check "a file cannot be the directory" sh -c 'grep -q -- "-d file: Not a directory" "$0"' "$dir/err"
check "no directory was made" test ! -e d

refused "each point reads the job file again" --sweep bs=4k -d d - $null
refused "files *.json in d are documents" --sweep bs=4k -d d --csv d/sweep.json --name=x $null
refused "the page needs a file" --sweep bs=4k -d d -o - --name=x $null
run sweep --sweep rate_iops=10%,50% --dry-run --name=x $null
check "--dry-run lists percentages as they are" says out "--rate_iops=50% "
run sweep --sweep bs=4k,8k -d table --csv=- --name=x $null
check "--csv=- prints the table alone" same "$(head -n 1 out | cut -d, -f1-3) $(wc -l <out)" "bs,jobs,state 3"
run sweep --sweep bs=4k,8k -d told --name=x --size=64k --runtime=1 --time_based
check "a note of all points is printed once" same "$(grep -c 'runtime=1 is short' out)" 1
run sweep --sweep bs=4k,8k -d told -o page.html --name=x --size=64k --runtime=1 --time_based --resume
check "... and the page has it, too" says page.html "all points: x: runtime=1 is short"
echo mine >user
run sweep --sweep bs=4k,8k -d over --name=x --filename=user --allow_write=user --size=64k --rw=write
check "a file of the user that is overwritten is named" sh -c 'grep "^note: " out | grep -q "overwrites user"'


# --until
until_is_refused() { # WORDS CONDITION VALUES [OPTION...]
	words=$1 condition=$2 values=$3
	shift 3
	run sweep --until "$condition" --sweep "$values" -d refused --name=x --filename=never --size=64k --rw=read "$@"
	exits 2 && grep -q -- "$words" err && [ "$(wc -l <err)" = 1 ] && [ ! -e refused ] && [ ! -e never ]
}
check "--until: a figure that the jobs cannot have" until_is_refused "--until='write.iops > 1': job 'x' does not write" "write.iops > 1" iodepth=1..4
check "... that does not exist" until_is_refused "--until=.*did you mean iops" "read.iop > 1" iodepth=1..4
check "... no condition" until_is_refused "--until=" "read.iops" iodepth=1..4
check "... an option without numbers" until_is_refused "not all whole numbers" "read.iops > 1" rw=read,randread
check "... values that do not grow" until_is_refused "1 follows 4" "read.iops > 1" iodepth=4,1
check "... a single value" until_is_refused "at least two values" "read.iops > 1" iodepth=4
check "... too many of them" until_is_refused "more than 10000 points" "read.iops > 1" iodepth=1..64 --sweep bs=512,1k..1m
run --until "read.iops > 1" --name=x --filename=never --size=64k
check "... without the verb sweep" sh -c '[ ! -e never ] && grep -qF "write '\''fiord sweep --until" err'
check "... --snia" until_is_refused "--snia measures every value" "read.iops > 1" iodepth=1..4 --snia
run sweep --until "read.iops > 1" --sweep iodepth=1..64 --dry-run --name=x --filename=never --size=64k --rw=read --runtime=1 --time_based
check "--dry-run tells the runs of a search" says out "a search of iodepth from 1 to 64, 10 runs if the target does not change, 1.00 s each, 10.0 s in all"

# The knee of a file system that serves 8 reads at a time is at depth 8: beyond it the reads wait.
served() { # DEPTHS
	rm -rf knee
	run sweep --sweep "iodepth=$1" -d knee -o page.html --name=x --filename="$dir/mnt/f" --size=64m --rw=randread --direct=1 --ioengine=libaio \
		--runtime=1 --time_based --bs=4k
}
knee() {
	served 1..32
	says out "knee: iodepth=8," && ! grep -q "may lie beyond" out page.html
}
knee_beyond() {
	served 1..4
	says out "knee: iodepth=4," && grep -q "may lie beyond" out && grep -q "may lie beyond" page.html
}
# Buffered reads by libaio are done when the submission call returns. 4 of them, one by one, each take what the server takes.
buffered() { # OPTION...
	rm -rf buffered
	run sweep --sweep bs=4k,8k -d buffered --csv c.csv --name=x --filename="$dir/mnt/f" --size=64m --rw=randread --ioengine=libaio --number_ios=4 "$@"
}
# Of the 4 latencies of a row, the second is p50 and the last one max, so their mean is at least (2 p50 + max) / 4 and at most
# (p50 + max) / 2; a percentile may be off by half a bucket.
one_kind() { # KIND: every row has figures of this kind alone
	awk -F, -v kind="$1" 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } {
		mean = $col["mean_ns"]; p50 = $col["p50_ns"]; max = $col["max_ns"]
		bad += $col["ios"] != 4 || $col["latency"] != kind || $col["percentiles_of"] != kind || $col["p99_ns"] > max ||
			mean < (2 * p50 + max) / 4 * 0.98 || mean > (p50 + max) / 2 * 1.02 } END { exit !(NR == 3 && !bad) }' c.csv
}
of_document() { # KIND: the figures of the first row are those of its document
	same "$(figure mean_ns 1 | cut -c1-9) $(figure max_ns 1)" \
		"$(jq -r --arg k "$1_ns" '.jobs[0].read[$k] | "\(.mean | tostring[0:9]) \(.max)"' buffered/0001-bs=4k.json)"
}
took_20_ms() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } { bad += $col["p50_ns"] < 1.8e7 || $col["mean_ns"] < 1.8e7 } END { exit !!bad }' c.csv
}

# At depths beyond 8 the mean is depth / 8 * 20 ms, and the server answers 400 reads per second.
limit() { # DEPTH LEAST MOST: the search for a mean just below that of the next depth finds the depth, and IOPS within 5 % of theory
	rm -rf until
	run sweep --until "read.lat.mean < $(($1 * 2500 + 1250))us" --sweep iodepth=1..64 -d until -o page.html --name=x --filename="$dir/mnt/f" \
		--size=64m --rw=randread --direct=1 --ioengine=libaio --runtime=1 --time_based --bs=4k
	grep -q "IOPS at read.lat.mean .* ms (iodepth=$1); .* in a second run. iodepth=$(($1 + 1)) does not meet the condition: " out &&
		awk -v least="$2" -v most="$3" '/ IOPS at / { exit !($1 >= least && $1 <= most) }' out &&
		grep -q "<p class=.answer.>[0-9]* IOPS at read.lat.mean .* ms (iodepth=$1)" page.html && [ "$(find until -name '0*' | wc -l)" -le 10 ]
}

# A condition on both directions is judged by the one that is farther from the limit, which differs from run to run when both take the
# same time. The sentence names one figure for both runs of a value.
same_figures() {
	run sweep --until "lat.mean < 1ms" --sweep iodepth=1..4 --sweep bs=4k,8k,16k,32k -d both --name=x --ioengine=null --size=1g --rw=randrw \
		--runtime=20ms --time_based
	grep -cE "IOPS at (read|write)\.lat\.mean .* in a second run" out | grep -qx 4 &&
		! grep -E "at read\.lat.*; write\.lat|at write\.lat.*; read\.lat" out
}
check "a search names the same figure for both runs of a value" same_figures

# latency_target within a run. Of a server with 2 places of 100 ms, reads at depth 2 take 100 ms, and at depth 3 150 ms: the answer for
# 125 ms is depth 2, and 20 reads per second.
target() { # OPTION...: the answer in document, text and page
	run --latency_target=125ms --latency_window=2s --latency_percentile=90 --iodepth=8 --name=x --filename="$dir/mnt/f" --size=64m --bs=4k \
		--rw=randread --direct=1 --ioengine=libaio --runtime=30 --time_based --output-format=normal,json --report=page.html "$@"
	sed -n '/^{/,/^}/p' out >target.json
	json target.json '.jobs[0].fiord.latency_target.answer | .depth == 2 and .met and .lat_ns < 125e6 and (.iops - 20 | fabs) <= 1' &&
		grep -qE "^x: [12][0-9.]+ IOPS at p90 1[0-9]+ ms \(iodepth=2\)\. iodepth=3 does not meet the target: p90 [12][0-9]+ ms" out &&
		grep -qE "<p class=.answer.>[12][0-9.]+ IOPS at p90 1[0-9]+ ms \(iodepth=2\)" page.html
}

cleanup() {
	fusermount3 -u -z "$dir/mnt" 2>/dev/null
}
if [ -z "${SLOW_FS-}" ] || [ ! -w /dev/fuse ] || ! command -v fusermount3 >/dev/null; then
	skip "the knee of a server with 8 places is at depth 8" "no FUSE"
else
	mkdir mnt
	"$SLOW_FS" "$dir/answers" "$dir/mnt" 8 20 >fs.out 2>&1 &
	if until_true 10 test -f mnt/f; then
		check "the knee of a server with 8 places is at depth 8" one_of_three knee
		buffered
		check "--until finds the depth that meets a latency, and its IOPS, in 10 runs" one_of_three limit 12 380 420
		run sweep --resume --until "read.lat.mean < 31250us" --sweep iodepth=1..64 -d until --name=x --filename="$dir/mnt/f" \
			--size=64m --rw=randread --direct=1 --ioengine=libaio --runtime=1 --time_based --bs=4k
		check "... --resume gives the same answer" says out "(iodepth=12); read.lat.mean"
		run sweep --until "read.lat.mean < 20ms" --sweep iodepth=1,9 -d none --csv none.csv --name=x --filename="$dir/mnt/f" --size=64m \
			--rw=randread --direct=1 --ioengine=libaio --number_ios=50 --bs=4k
		check "a limit that no value can meet: the nearest is named" says out "No value that was run meets the condition. iodepth=1 comes nearest: "
		check "... with exit code 5" exits 5
		check "... after two runs" same "$(wc -l <none.csv)" 3
		run sweep --until "read.lat.mean > 1ms" --sweep iodepth=1,4 --sweep bs=4k,8k -d all --name=x --filename="$dir/mnt/f" --size=64m \
			--rw=randread --direct=1 --ioengine=libaio --number_ios=50
		check "a limit that every value meets may be met beyond them, too" says out \
			"in a second run. iodepth=1, the least value, meets the condition too, so the most may lie beyond 4"
		check "... for each combination of the others" same "$(grep -c '^bs=[48]k: .* beyond 4' out)" 2
		check "a server takes 20 ms: so do median and mean of buffered reads" took_20_ms
		check "... and all latencies of a point are lat" one_kind lat
		check "... as in its document" of_document lat
		check "... and the report says so" says out "mean, percentiles and max: lat"
		run report -o page.html buffered/0001-bs=4k.json
		check "... and so does the page of a point" says page.html "of the total latency (lat), from the submission of an I/O to its completion"
		buffered --lat_percentiles=0
		check "without percentiles of lat, all latencies are clat" one_kind clat
		check "... as in the document" of_document clat
		check "... and the report says so" says out "mean, percentiles and max: clat"
		run report -o page.html buffered/0001-bs=4k.json
		check "... and the page names clat, and the time with the submission" sh -c \
			'grep -q "(clat), from the end of the submission of an I/O to its completion. From the beginning of its submission (lat), an I/O took [1-9][0-9.]* m*s" page.html'
		check "of depths up to 4 the report says that the knee may lie beyond" one_of_three knee_beyond
		cleanup
		"$SLOW_FS" "$dir/answers" "$dir/mnt" 2 100 >fs.out 2>&1 &
		check "the file system is mounted with 2 places" until_true 10 test -f mnt/f
		check "latency_target finds the depth of a server with 2 places, and its IOPS" one_of_three target
		check "... also if it goes on until the end of the runtime" one_of_three target --latency_run=1 --runtime=20
	else
		skip "the knee of a server with 8 places is at depth 8" "$(cat fs.out)"
	fi
fi
finish
