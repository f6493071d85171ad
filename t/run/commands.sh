#!/bin/sh
# exec_prerun, exec_postrun, and the user that a worker becomes: what is run, as whom, when not, and what is left of it.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
job="--ioengine=null --size=64k --output-format=json --name=x"
nap=73$$

sleeping() { # COUNT of our naps
	[ "$(pgrep -xf "sleep $nap" | wc -l)" = "$1" ]
}
cleanup() {
	for p in $(pgrep -xf "sleep $nap"); do
		kill -KILL "$p"
	done
}
command -v pgrep >/dev/null || skip_all "no pgrep"

run $job --exec_prerun='echo out; echo err >&2' --exec_postrun='echo $((1+1))'
check "a job between two commands" exits 0
check "their output is not ours" json out '.jobs[0].read.io_bytes == 65536'
check "... but in a file, all of it" same "$(cat x.prerun.txt)" "$(printf 'out\nerr')"
check "... each its own" same "$(cat x.postrun.txt)" 2

run $job --exec_prerun='cat; exit 3' --exec_postrun='echo never' --name=y
check "a command that fails" exits 1
check "... in one line" lines err 1
check "... that tells how" says err "ended with code 3; its output is in x.prerun.txt"
check "... keeps its job from running, and no other" json out '.jobs[0].error > 0 and .jobs[0].read.total_ios == 0 and
	.jobs[1].error == 0 and .jobs[1].read.io_bytes == 65536'
check "... and the second command with it" same "$(cat x.postrun.txt)" 2

run $job --exec_postrun='kill -KILL $$'
check "a second command that fails" exits 1
check "... is told" says err "killed by signal 9 (SIGKILL)"
check "... and does not spoil the figures" json out '.jobs[0].read.io_bytes == 65536'

mkdir aux
run $job --numjobs=2 --exec_prerun='echo $PPID' --aux-path=aux
check "every clone runs it" exits 0
check "... with files of its own, in --aux-path" test -s aux/x.prerun.txt -a -s aux/x.1.prerun.txt
run --aux-path=nosuch $job --exec_prerun=true
check "output that cannot be written" exits 2
check "... is told" says err "--aux-path=nosuch: No such file or directory (ENOENT)"
ln -s aux/target x.prerun.txt.link && rm x.prerun.txt && mv x.prerun.txt.link x.prerun.txt
run $job --exec_prerun='echo'
check "... nor follows it links" test ! -e aux/target -a "$rc" = 2
rm x.prerun.txt

run --name=x --filename=f --size=64k --rw=read --exec_prerun='stat -c %s f' --unlink=1 --exec_postrun='stat -c %s f'
check "files are there before" same "$(cat x.prerun.txt)" 65536
check "... and after" same "$(cat x.postrun.txt)" 65536

start $job --exec_prerun="sleep $nap; true"
until_true 10 sleeping 1
kill -INT $pid
finished
check "SIGINT ends a command" exits 130
check "... with all that it has started" until_true 10 sleeping 0
start $job --exec_prerun="trap '' TERM; sleep $nap; sleep $nap"
until_true 10 sleeping 1
kill -INT $pid
finished
check "... even one that does not want to" exits 130
check "... and its children" until_true 10 sleeping 0
start $job --exec_prerun="sleep $nap; true"
until_true 10 sleeping 1
kill -KILL "$(children $pid | head -n 1)"
finished
check "a worker killed beside its command" says err "SIGKILL); its exec_prerun was running"
check "... takes it along" until_true 10 sleeping 0
start $job --exec_prerun="sleep $nap; true"
until_true 10 sleeping 1
kill -KILL $pid
finished
check "without fiord the command ends, too" until_true 10 sleeping 0

start --eta=always $job --time_based --runtime=60 --exec_postrun='echo ran'
until_true 10 shows R
kill -INT $pid
finished
check "the second command follows an interrupted job" same "$(cat x.postrun.txt)" ran

[ "$(id -u)" = 0 ] || {
	skip "users" "not root"
	finish
}
threads=
chmod 755 "$dir" && mkdir -m 777 free && cd free || exit 1
run --name=x --filename=f --size=64k --rw=write --uid=65534 --gid=65534 --exec_prerun='id -u; id -G; cat secret' --output=/dev/null
check "a job as another user" exits 1
check "... who is that user alone" same "$(head -n 2 x.prerun.txt)" "$(printf '65534\n65534')"
check "... lays files out as that user" same "$(stat -c %u:%g f)" 65534:65534
rm -f f x.prerun.txt
mkdir -m 755 closed
run --name=x --directory=closed --size=64k --rw=write --uid=65534
check "... and cannot write where that user cannot" exits 1
check "... which is told" says ../err "closed/x.0.0: open failed: Permission denied (EACCES)"
check "... and leaves nothing there" same "$(ls closed)" ""
run --name=x --filename=f --size=64k --uid=65534 --thread
check "threads cannot be other users" exits 2
run --name=x --filename=f --size=64k --gid=65534 --thread
check "... nor groups" exits 2
start --name=x --filename=g --size=64k --rw=write --uid=65534 --time_based --runtime=60 --rate_iops=100
until_true 10 test -s g
worker=$(children $pid | head -n 1)
kill -KILL $pid
finished
check "another user's worker ends with fiord, too" until_true 10 gone $worker
if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	cp "$FIORD" fiord && chmod 755 fiord
	setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --uid=1 >../out 2>../err
	rc=$?
	check "who may not become another user" exits 1
	check "... learns what it takes" says ../err "uid=1: Operation not permitted (EPERM); takes CAP_SETGID"
	setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --nice=-5 >../out 2>../err
	rc=$?
	check "... nor be less nice" says ../err "nice=-5: Permission denied (EACCES); takes CAP_SYS_NICE"
	setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --uid=65534 --gid=65534 >../out 2>../err
	rc=$?
	check "... but stay who he is" exits 0
	(ulimit -l 64 && exec setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --lockmem=1m) >../out 2>../err
	rc=$?
	check "... and lock no more than is allowed" says ../err "64 KiB may be locked (ulimit -l)"
else
	skip "privileges" "no setpriv"
fi
finish
