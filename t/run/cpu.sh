#!/bin/sh
# Engines without I/O: how much CPU cpuio takes, what exec runs and how that ends; page faults; how idle CPUs are said
# to be.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
json="--output-format=json"

cleanup() {
	[ ! -f pids ] || xargs kill -9 <pids 2>/dev/null
}

# ---- cpuio ----

# Others want the CPUs as well: what they take is not made up for. So: not much more than asked, and in one run more
# where more is asked.
run --name=x $json --ioengine=cpuio --cpuload=20 --cpuchunks=5000 --runtime=1
check "cpuio exits 0" exits 0
check "... and takes no more than its share" json out '.jobs[0] | .usr_cpu + .sys_cpu | . > 1 and . < 30'
check "... without I/O" json out '.jobs[0] | .read.total_ios == 0 and .write.total_ios == 0 and .error == 0'
check "... for its runtime" json out '.jobs[0].job_runtime | . >= 990'
run --name=little $json --ioengine=cpuio --cpuload=4 --runtime=2 --name=much --ioengine=cpuio --cpuload=90 --cpumode=qsort \
	--runtime=2
check "more load takes more" json out '[.jobs[] | .usr_cpu + .sys_cpu] | .[1] > 2 * .[0]'
run --name=x --ioengine=cpuio --cpuload=100 --runtime=1
check "the report has the CPU's line" grep -q '^  cpu          : usr=' out
run --name=cpu $json --ioengine=cpuio --cpuload=10 --exit_on_io_done=1 --name=io --ioengine=null --size=64k
check "exit_on_io_done ends with the I/O" exits 0
run --name=cpu --ioengine=cpuio --cpuload=5 --runtime=1 --name=io --ioengine=null --size=64k --group_reporting=1
check "in a group with I/O the CPU is told once a job" same "$(grep -c '^  cpu ' out)" "$(grep -c 'groupid=' out)"
run --name=cpu $json --ioengine=cpuio --cpuload=10 --name=io --ioengine=null --size=64k --exitall=1
check "so does exitall of the other job" exits 0
run --name=x --ioengine=cpuio --runtime=1
check "cpuio without a load is refused" exits 2
check "... and says what is missing" says err "cpuload="
start --name=x --ioengine=cpuio --cpuload=10 --eta=always
check "cpuio without a runtime runs" until_true 10 progress_shows R
kill -INT "$pid"
wait_for_exit
check "... until it is interrupted" exits 130

# ---- exec ----

cat >program <<'E2'
#!/bin/sh
echo "$$" >>pids
sleep 60 &
echo "$!" >>pids
trap 'echo ended; exit 3' TERM
echo started
[ "$1" != stubborn ] || trap '' TERM
wait
[ "$1" != stubborn ] || wait
E2
cat >show <<'E2'
#!/bin/sh
for word; do echo "[$word]"; done
echo complaint >&2
exit ${CODE:-0}
E2
chmod +x program show
has() {
	[ -f "$1" ] && grep -q "$2" "$1"
}
none_left() {
	# shellcheck disable=SC2046
	until_true 5 processes_ended $(cat pids)
}

run --name=x $json --ioengine=exec --program=./show --arguments='a  "b c" %r %n' --runtime=7
check "exec ends with its program" exits 0
check "... which got its arguments, divided at blanks" same "$(tr '\n' ' ' <x.stdout)" '[a] ["b] [c"] [7] [x] '
check "... and its errors have a file of their own" same "$(cat x.stderr)" complaint
check "... apart from the document" json out '.jobs[0].error == 0'
mkdir aux
run --name=x $json --ioengine=exec --program=./show --aux-path=aux --numjobs=2
check "clones have files of their own, in --aux-path" test -f aux/x.stdout -a -f aux/x.1.stderr
run --name=x $json --ioengine=exec --program=./show --std_redirect=0 --arguments=word
check "std_redirect=0: the output comes on stderr" says err "[word]"
check "... never between the document" json out '.jobs[0].error == 0'
CODE=5 run --name=x $json --ioengine=exec --program=./show
check "a program that fails is an error" exits 1
check "... with its code" says err "x: exec: ./show: ended with code 5"
run --name=x $json --ioengine=exec --program=./no-such
check "one that does not exist, too" says err "./no-such: cannot be started: No such file or directory (ENOENT)"
run --name=x --ioengine=exec
check "exec without a program is refused" exits 2
run --name=x --ioengine=exec --program=./program --runtime=1
check "at the end of runtime it gets SIGTERM" same "$(tr '\n' ' ' <x.stdout)" "started ended "
check "... which is no error" exits 0
check "... and nothing stays behind" none_left
run --name=x --ioengine=exec --program=./program --arguments=stubborn --runtime=1 --grace_time=1 --thread=1
check "SIGKILL comes after the grace" exits 0
check "... and nothing stays behind" none_left
: >pids
: >x.stdout
start --name=x --ioengine=exec --program=./program
check "it runs" until_true 10 has x.stdout started
kill -INT "$pid"
wait_for_exit
check "SIGINT ends it" exits 130
check "... and nothing stays behind" none_left
: >pids
: >x.stdout
start --name=x --ioengine=exec --program=./program --arguments=stubborn --grace_time=60
check "it runs" until_true 10 has x.stdout started
kill -9 "$(children "$pid" | head -n 1)"
wait_for_exit
check "a worker that is killed takes its program along" none_left

# ---- page_fault ----

run --name=x $json --ioengine=page_fault --size=8m --bs=16k --rw=randwrite
# The shadow of a sanitizer has its faults, too.
most=2300
[ "$SANITIZE" = none ] || most=8192
check "page_fault takes a fault a page" json out ".jobs[0] | .minf >= 2048 and .minf < $most and .write.total_ios == 512"
run --name=x $json --ioengine=page_fault --size=1m --bs=64k --rw=read --loops=8
check "... in later passes, too" json out ".jobs[0].minf | . >= 2048 and . < $most"

# ---- --idle-prof ----

number='[0-9]+\.[0-9][0-9]'
run --name=x --ioengine=null --size=64k --idle-prof=percpu
check "--idle-prof=percpu exits 0" exits 0
check "... with fio's lines: all" grep -qE "^  system: $number%\$" out
check "... each CPU" test "$(sed -n 's/^  percpu: //p' out | tr , '\n' | grep -cE "$number%")" = "$(nproc --all)"
check "... the unit of work" grep -qE "^  unit work: mean=${number}us, stddev= ?$number\$" out
run --name=x $json --ioengine=cpuio --cpuload=1 --runtime=1 --idle-prof=percpu
check "in JSON, too" json out '.cpu_idleness | .system >= 0 and .system <= 100 and ."cpu-0" <= 100 and .unit_mean > 0 and
	has("unit_stddev")'
run --name=x $json --ioengine=null --size=64k --idle-prof=system
check "--idle-prof=system leaves out the CPUs" json out '.cpu_idleness | has("system") and (has("cpu-0") | not)'
run --name=x $json --ioengine=null --size=64k
check "without it there is nothing" json out 'has("cpu_idleness") | not'
run --idle-prof=calibrate
check "--idle-prof=calibrate needs no job" exits 0
check "... and says the unit of work alone" same "$(wc -l <out) $(head -n 1 out)" "2 CPU idleness:"
run --name=x --ioengine=null --size=64k --idle-prof=some
check "another word is refused" exits 2
# Minor faults include those of the start, as the kernel counts them for the worker.
minor_faults() { # PID
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 8
}
if [ -z "$threads" ]; then
	start --name=x --ioengine=null --size=1g --rw=read --time_based --runtime=600 --rate_iops=100 --eta=always \
		--output-format=json
	check "it runs" until_true 20 progress_shows R
	faults=$(minor_faults "$(children "$pid" | head -n 1)")
	kill -INT "$pid"
	wait_for_exit
	check "of the worker's minor faults the kernel had counted $faults while it ran" \
		json out ".jobs[0].minf >= $faults and .jobs[0].minf < $faults + 500 and $faults > 20"
fi
finish
