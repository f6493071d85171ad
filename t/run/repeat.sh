#!/bin/sh
# Does --repeat run the jobs N times, each time as if it were the first, and leave a document of each run?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

docs() { # FILTER: prints its value for all documents of the file r.json, on one line
	jq -c "$1" r.json | tr '\n' ' ' | sed 's/ $//'
}

job="--name=a --size=1m --rw=randrw --filename=made.dat --name=b --size=1m --rw=read --filename=old.dat"
head -c 1048576 /dev/zero >old.dat
inode=$(stat -c %i old.dat)
run $job --repeat=3 --output-format=json --output=r.json --csv=r.csv
check "three runs exit 0" exits 0
check "... and print nothing" empty err
check "... and leave three documents in one file" same "$(docs .fiord.run)" "1 2 3"
check "... that know how many there are" same "$(docs .fiord.runs)" "3 3 3"
check "... of all I/Os" same "$(docs '[.jobs[] | .read.total_ios + .write.total_ios]')" "[256,256] [256,256] [256,256]"
check "each run lays its file out anew" same "$(docs .fiord.plan.layout_bytes)" "1048576 1048576 1048576"
check "... but never a file that was there before" same "$(stat -c %i old.dat)" "$inode"
check "... which keeps its content" sh -c 'head -c 1048576 /dev/zero | cmp - old.dat'
check "the last run's file stays" test -s made.dat
# Each run has rows for both jobs and both directions, and at the end those of all jobs.
check "the table has the rows of each run" same "$(cut -d, -f1 r.csv | uniq -c | tr -s ' \n' ' ')" " 1 source 3 run 1 3 run 2 3 run 3 3 run 1 3 run 2 3 run 3 "

run $job --repeat=2 --output-format=json
check "on standard output the documents follow each other" same "$(jq -c .fiord.run out | tr '\n' ' ')" "1 2 "
check "... and nothing else does" same "$(jq -sc length out)" 2
run $job --repeat=1 --output-format=json
check "--repeat=1 is a run like any other" same "$(jq -c '.fiord.runs' out)" null
run $job --repeat=2 --eta=never
check "the text says which run it is" same "$(grep '^Run [0-9]' out | tr '\n' ' ')" "Run 1 of 2 Run 2 of 2 "

# The page and the table are written once, after the last run: until then they do not exist.
run --name=o --size=64k --ioengine=null --exec_prerun='ls once.csv once.html >>seen 2>&1; true' --repeat=3 --csv=once.csv --report=once.html
check "the files of all runs are written at the end" sh -c '! grep -qx "once\..*" seen'
check "... with all runs" same "$(grep -c '^run [123],' once.csv)" 3
# A run that fails is the last one.
run --name=p --size=64k --ioengine=null --exec_prerun='test ! -e mark && touch mark' --repeat=4 --output-format=json --output=r.json \
	--csv=r.csv
check "the exit code is that of the run that failed" exits 1
check "... which is the last one" same "$(docs .fiord.run)" "1 2"
check "... and has its code in the document" same "$(docs .fiord.exit.code)" "0 1"
check "... and an error says so" says err "run 2 of 4 is the last one"
check "... and the table has both runs" grep -q '^run 2,' r.csv
# A file that another program moves to the target's name while the first run goes on.
echo precious >other
run --name=m --filename=moved --size=64k --rw=write --exec_postrun='mv other moved' --repeat=2 --csv=moved.csv
check "a file that fiord did not make ends the runs" exits 3
check "... whose table has the first one" lines moved.csv 2
check "... and stays" same "$(cat moved)" precious
run --name=x --filename=old.dat --allow_write=old.dat --size=4k --rw=write --repeat=3 --output=old.dat
check "a refused job set runs not at all" exits 2
check "... and says it once" lines err 1
run --repeat=0 $job
check "--repeat=0 is refused" exits 2

# On a terminal, machine formats have progress and notes on stderr, and standard output has the documents alone.
if reason=$(no_terminal); then
	skip "progress on a terminal" "$reason"
else
	script -qec "'$FIORD' --name=t --numjobs=2 --filename=old.dat --rw=read --runtime=1 --time_based --rate_iops=100 --repeat=2 --output-format=json \
		--csv=t.csv >t.json" /dev/null </dev/null >seen
	check "on a terminal each run shows its progress" test "$(tr '\r' '\n' <seen | grep -c '^fiord: run [12] of 2')" = 2
	check "... the line of the jobs" says seen "Jobs: 2 (f="
	check "... a note of both runs and clones once" same "$(grep -c 'runtime=1 is short' seen)" 1
	check "... and the file of the results" says seen "fiord: the results of all runs are in t.csv"
	check "... and standard output has the documents alone" same "$(jq -c .fiord.run t.json | tr '\n' ' ')" "1 2 "
fi

# A signal ends all runs; what was measured is there.
start --name=n --ioengine=null --size=1g --time_based --runtime=60 --repeat=5 --output-format=json --output=s.json --csv=s.csv \
	--status-interval=100ms --exec_prerun='touch began'
while [ ! -e began ]; do :; done
kill -INT "$pid"
wait_for_exit
check "SIGINT ends the runs" exits 130
check "... with a complete document" same "$(jq -c '[.fiord.run, .fiord.interrupted]' s.json)" "[1,true]"
check "... and a complete table" sh -c 'head -n 1 s.csv | grep -q ^source,'
finish
