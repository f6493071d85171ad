#!/bin/sh
# Does the CPU time of jobs include the threads that the kernel and the C library start for them, whether workers are processes or
# threads, and is nothing counted twice? The witness is what the kernel counted for all processes of the run (getrusage of the
# children that this test has waited for).
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1
head -c 4194304 /dev/urandom >file

# measured ARGUMENT...: runs the jobs, and leaves the CPU time of the whole run in the file `used`, in microseconds.
measured() {
	python3 - "$FIORD" --output-format=json "$@" >out 2>err <<'P'
import resource, subprocess, sys
rc = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL).returncode
u = resource.getrusage(resource.RUSAGE_CHILDREN)
open("used", "w").write(str(int((u.ru_utime + u.ru_stime) * 1e6)))
sys.exit(rc)
P
	rc=$?
}

cpu_us='(.fiord.counts | ((.user_us // "0") | tonumber) + ((.sys_us // "0") | tonumber))'
# Set-up and the parent are not the jobs' time, so it is a little less than the run's.
adds_up() {
	json out "[.jobs[] | $cpu_us] | add | . > 0.5 * $(cat used) and . < 1.02 * $(cat used)"
}
measured_adds_up() {
	measured "$@"
	exits 0 && adds_up
}

load="--filename=file --size=4m --rw=randread --time_based --runtime=500ms --iodepth=4"
works() { # ARGUMENT...: the engine works here
	run --name=x --filename=file --size=4k "$@" && exits 0
}
uring=no
works --ioengine=io_uring --force_async=1 && uring=yes
sqpoll=no
works --ioengine=io_uring --sqthread_poll=1 && sqpoll=yes

# The C library gives its threads stacks that are too small for what ThreadSanitizer adds.
no_room="ThreadSanitizer and threads of the C library"
for thread in 0 1; do
	for how in "--ioengine=psync --io_submit_mode=offload" --ioengine=posixaio "--ioengine=posixaio --numjobs=3" \
		"--ioengine=io_uring --force_async=1" "--ioengine=io_uring --sqthread_poll=1 --rate_iops=500" \
		"--ioengine=io_uring --force_async=1 --name=y --ioengine=posixaio --name=z --ioengine=psync"; do
		label="thread=$thread, $how: the jobs have the CPU time of the run"
		case $how-$uring-$sqpoll in
		*posixaio*--n*) [ $thread$SANITIZE = 1thread ] && skip "$label" "$no_room" && continue ;;
		esac
		case $how-$uring-$sqpoll in
		*io_uring*-no-*) skip "$label" "no io_uring here" ;;
		*sqthread*-no) skip "$label" "no sqthread_poll here" ;;
		*) check "$label" one_of_three measured_adds_up --thread=$thread $load --name=x $how ;;
		esac
	done
done

# The thread of a ring works for one worker, so its neighbour has none of its time. fiord knows the worker by the id in the thread's name, which is that of
# the first PID namespace (always number 4026531836). In other namespaces fiord divides the time.
if [ "$(readlink /proc/self/ns/pid)" != "pid:[4026531836]" ]; then
	skip "the time of sqthread_poll is that of its job" "this is another PID namespace"
elif [ $sqpoll = yes ]; then
	# shellcheck disable=SC2086
	measured --thread=1 $load --rate_iops=100 --ioengine=io_uring --name=polled --sqthread_poll=1 --name=plain --sqthread_poll=0
	check "the time of sqthread_poll is that of its job" json out "[.jobs[] | $cpu_us] | .[0] > 5 * .[1]"
	check "... without a note" json out '[.jobs[].fiord.notes[] | select(contains("share of threads"))] == []'
else
	skip "the time of sqthread_poll is that of its job" "no sqthread_poll here"
fi
# The threads of the C library work for all jobs: their time is divided, and the jobs say so.
if [ "$SANITIZE" = thread ]; then
	skip "the time of threads of the C library is divided" "$no_room"
	finish
fi
# shellcheck disable=SC2086
measured --thread=1 $load --ioengine=posixaio --name=a --name=b --rate_iops=10
check "the time of threads of the C library goes to the job with the I/Os" json out \
	'[.jobs[].fiord.counts | (.divided_us // "0") | tonumber] | .[0] > 5 * .[1]'
check "... which has a note" json out '.jobs[0].fiord.notes | any(contains("share of threads that did I/Os of several jobs"))'
# shellcheck disable=SC2086
measured --thread=1 $load --ioengine=posixaio --name=a --numjobs=2 --group_reporting
check "clones that are reported together need no note" json out '.jobs[0].fiord | (.counts | has("divided_us") | not) and
	(.notes | any(contains("share of threads")) | not)'
finish
