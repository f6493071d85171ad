#!/bin/sh
# cgroup: are the workers, and only they, in the control group; is it removed at the end; are errors clear? The test reads
# cgroup.procs and the directories of cgroup v2.
. "$SOURCE/t/lib.sh"
. "$SOURCE/t/options/needs.sh"
requires_root
requires jq findmnt
need_cgroup2 >"$dir/missing" || skip_all "$(cat "$dir/missing")"
threads=
cd "$dir" || exit 1
group=fiord-test-$$
path=$CGROUP2/$group
job="--name=x --ioengine=null --size=1g --output-format=json"
cleanup() {
	for p in $(cat "$path/cgroup.procs" 2>/dev/null); do
		kill -KILL "$p"
	done
	rmdir "$path/a" "$path" 2>/dev/null
}

members() { # GROUP COUNT
	[ "$(wc -l <"$1/cgroup.procs")" = "$2" ] 2>/dev/null
}

start $job --time_based --runtime=60 --numjobs=3 --cgroup=$group/a
check "all clones are in the group" until_true 10 members "$path/a" 3
check "the parent is not in the group" test -z "$(grep -x "$pid" "$path/a/cgroup.procs")"
kill -INT $pid
wait_for_exit
check "an interrupted run exits 130" exits 130
check "... and removes the group" test ! -e "$path"
start $job --time_based --runtime=60 --cgroup=$group
until_true 10 members "$path" 1
worker=$(cat "$path/cgroup.procs")
kill -KILL "$worker"
wait_for_exit
check "a run whose worker was killed exits 1" exits 1
check "... and removes the group" test ! -e "$path"

run $job --cgroup=$group --cgroup_nodelete=1
check "cgroup_nodelete=1 leaves the group" test -d "$path" -a "$rc" = 0
run $job --cgroup=$group/a
check "a group that existed before the run stays" test -d "$path" -a ! -e "$path/a" -a "$rc" = 0
rmdir "$path"
run $job --cgroup=$group --uid=65534 --gid=65534
check "cgroup works with another user" exits 0

run $job --cgroup=$group --thread
check "threads are refused" exits 2
check "... before a group is created" test ! -e "$path"
if ! grep -qw io "$CGROUP2/cgroup.controllers"; then
	run $job --cgroup=$group --cgroup_weight=200
	check "cgroup_weight without the io controller is refused" exits 2
	check "... with the reason" says err "cgroup v2 has no io controller"
	check "... before a group is created" test ! -e "$path"
fi
if unshare -m umount "$CGROUP2" 2>/dev/null; then
	unshare -m sh -c 'umount "$1" && shift && exec "$@"' - "$CGROUP2" "$FIORD" check $job --cgroup=$group >out 2>err
	rc=$?
	check "without cgroup v2 the plan is refused" exits 2
	check "... with the reason" says err "needs cgroup v2, which is not mounted"
else
	skip "without cgroup v2" "it cannot be unmounted"
fi
if setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	cp "$FIORD" fiord && chmod 755 . fiord
	setpriv --reuid=65534 --regid=65534 --clear-groups ./fiord $job --cgroup=$group >out 2>err
	rc=$?
	check "a user who may not create groups gets exit code 1" exits 1
	check "... and one line of error" lines err 1
	check "... with the errno and the privilege that is missing" says err "Permission denied (EACCES); it needs root or a group that is delegated"
fi
finish
