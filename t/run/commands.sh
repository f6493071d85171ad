#!/bin/sh
# exec_prerun, exec_postrun, uid and gid: when does a command run, as which user, where is its output, and does it end with
# the run? The test reads the output files, /proc and the owners of files.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
job="--ioengine=null --size=64k --output-format=json --name=x"
nap=73$$

sleeping() { # COUNT: so many of this test's sleep processes run
	[ "$(pgrep -xf "sleep $nap" | wc -l)" = "$1" ]
}
cleanup() {
	for p in $(pgrep -xf "sleep $nap"); do
		kill -KILL "$p"
	done
}
command -v pgrep >/dev/null || skip_all "no pgrep"

run $job --exec_prerun='echo out; echo err >&2' --exec_postrun='echo $((1+1))'
check "a job with both commands exits 0" exits 0
check "their output is not in the document" json out '.jobs[0].read.io_bytes == 65536'
check "... but in a file, both streams" same "$(cat x.prerun.txt)" "$(printf 'out\nerr')"
check "... one file for each command" same "$(cat x.postrun.txt)" 2

run $job --exec_prerun='cat; exit 3' --exec_postrun='echo never' --name=y
check "a failing exec_prerun exits 1" exits 1
check "... with one line of error" lines err 1
check "... that has the exit code and the output file" says err "ended with code 3; its output is in x.prerun.txt"
check "... its job does not run, the other job runs" json out '.jobs[0].error > 0 and .jobs[0].read.total_ios == 0 and
	.jobs[1].error == 0 and .jobs[1].read.io_bytes == 65536'
check "... and its exec_postrun does not run" same "$(cat x.postrun.txt)" 2

run $job --exec_postrun='kill -KILL $$'
check "a failing exec_postrun exits 1" exits 1
check "... and the error names the signal" says err "killed by signal 9 (SIGKILL)"
check "... and the job keeps its figures" json out '.jobs[0].read.io_bytes == 65536'

mkdir aux
run $job --numjobs=2 --exec_prerun='echo $PPID' --aux-path=aux
check "each clone runs its command" exits 0
check "... with an output file of its own in --aux-path" test -s aux/x.prerun.txt -a -s aux/x.1.prerun.txt
run --aux-path=nosuch $job --exec_prerun=true
check "a missing --aux-path exits 2" exits 2
check "... and the error names it" says err "--aux-path=nosuch: No such file or directory (ENOENT)"
ln -s aux/target x.prerun.txt.link && rm x.prerun.txt && mv x.prerun.txt.link x.prerun.txt
run $job --exec_prerun='echo'
check "the output does not follow a symbolic link" test ! -e aux/target -a "$rc" = 2
rm x.prerun.txt

run --name=x --filename=f --size=64k --rw=read --exec_prerun='stat -c %s f' --unlink=1 --exec_postrun='stat -c %s f'
check "files exist before exec_prerun" same "$(cat x.prerun.txt)" 65536
check "... and still exist in exec_postrun" same "$(cat x.postrun.txt)" 65536

start $job --exec_prerun="sleep $nap; true"
until_true 10 sleeping 1
kill -INT $pid
wait_for_exit
check "SIGINT during a command exits 130" exits 130
check "... and ends all processes of the command" until_true 10 sleeping 0
start $job --exec_prerun="trap '' TERM; sleep $nap; sleep $nap"
until_true 10 sleeping 1
kill -INT $pid
wait_for_exit
check "a command that ignores SIGTERM is ended, too" exits 130
check "... with its child processes" until_true 10 sleeping 0
start $job --exec_prerun="sleep $nap; true"
until_true 10 sleeping 1
kill -KILL "$(children $pid | head -n 1)"
wait_for_exit
check "the error of a killed worker names the command that was running" says err "SIGKILL); its exec_prerun was running"
check "... and the command ends" until_true 10 sleeping 0
start $job --exec_prerun="sleep $nap; true"
until_true 10 sleeping 1
kill -KILL $pid
wait_for_exit
check "the command ends when fiord is killed" until_true 10 sleeping 0

start --eta=always $job --time_based --runtime=60 --exec_postrun='echo ran'
until_true 10 progress_shows R
kill -INT $pid
wait_for_exit
check "exec_postrun runs after an interrupted job" same "$(cat x.postrun.txt)" ran

[ "$(id -u)" = 0 ] || {
	skip "users" "not root"
	finish
}
threads=
chmod 755 "$dir" && mkdir -m 777 free && cd free || exit 1
run --name=x --filename=f --size=64k --rw=write --uid=65534 --gid=65534 --exec_prerun='id -u; id -G; cat secret' --output=/dev/null
check "a job as another user fails if its command fails" exits 1
check "... its command runs as that user and group" same "$(head -n 2 x.prerun.txt)" "$(printf '65534\n65534')"
check "... its files belong to that user" same "$(stat -c %u:%g f)" 65534:65534
rm -f f x.prerun.txt
mkdir -m 755 closed
run --name=x --directory=closed --size=64k --rw=write --uid=65534
check "a job with uid= cannot write to a directory of root" exits 1
check "... and the error says so" says ../err "closed/x.0.0: open failed: Permission denied (EACCES)"
check "... and the directory stays empty" same "$(ls closed)" ""
run --name=x --filename=f --size=64k --uid=65534 --thread
check "uid= with threads is refused" exits 2
run --name=x --filename=f --size=64k --gid=65534 --thread
check "gid= with threads is refused" exits 2
start --name=x --filename=g --size=64k --rw=write --uid=65534 --time_based --runtime=60 --rate_iops=100
until_true 10 test -s g
worker=$(children $pid | head -n 1)
kill -KILL $pid
wait_for_exit
check "a worker of another user ends when fiord is killed" until_true 10 processes_ended $worker
if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	cp "$FIORD" fiord && chmod 755 fiord
	setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --uid=1 >../out 2>../err
	rc=$?
	check "an unprivileged user cannot change uid" exits 1
	check "... and the error names the missing privilege" says ../err "uid=1: Operation not permitted (EPERM); this needs CAP_SETGID"
	setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --nice=-5 >../out 2>../err
	rc=$?
	check "... and cannot lower nice" says ../err "nice=-5: Permission denied (EACCES); this needs CAP_SYS_NICE"
	setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --uid=65534 --gid=65534 >../out 2>../err
	rc=$?
	check "... but may keep the own uid" exits 0
	(ulimit -l 64 && exec setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --lockmem=1m) >../out 2>../err
	rc=$?
	check "... and cannot lock more memory than the limit" says ../err "64 KiB may be locked (ulimit -l)"
else
	skip "privileges" "no setpriv"
fi
finish
