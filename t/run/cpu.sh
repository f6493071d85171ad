#!/bin/sh
# Engines without I/O: does cpuio take its share of CPU, does exec run and end its program, does page_fault take one fault per
# page, and does --idle-prof report the idle CPUs? The test reads the CPU figures, output files and /proc.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
json="--output-format=json"

cleanup() {
	[ ! -f pids ] || xargs kill -9 <pids 2>/dev/null
}

# ---- cpuio ----

# Other processes may take the CPUs, and cpuio does not catch up afterwards. So the test checks an upper bound, and that a
# larger load takes more CPU in the same run.
run --name=x $json --ioengine=cpuio --cpuload=20 --cpuchunks=5000 --runtime=1
check "cpuio exits 0" exits 0
check "... and takes no more than its share" json out '.jobs[0] | .usr_cpu + .sys_cpu | . > 1 and . < 30'
check "... and does no I/O" json out '.jobs[0] | .read.total_ios == 0 and .write.total_ios == 0 and .error == 0'
check "... and lasts for its runtime" json out '.jobs[0].job_runtime | . >= 990'
larger_load_takes_more() {
	run --name=little $json --ioengine=cpuio --cpuload=1 --runtime=2 --name=much --ioengine=cpuio --cpuload=90 --cpumode=qsort \
		--runtime=2
	json out '[.jobs[] | .usr_cpu + .sys_cpu] | .[1] > 2 * .[0]'
}
check "a larger cpuload takes more CPU" one_of_three larger_load_takes_more
run --name=x --ioengine=cpuio --cpuload=100 --runtime=1
check "the report has the cpu line" grep -q '^  cpu          : usr=' out
run --name=cpu $json --ioengine=cpuio --cpuload=10 --exit_on_io_done=1 --name=io --ioengine=null --size=64k
check "exit_on_io_done ends cpuio with the last I/O" exits 0
run --name=cpu --ioengine=cpuio --cpuload=5 --runtime=1 --name=io --ioengine=null --size=64k --group_reporting=1
check "a group with I/O has one cpu line per job" same "$(grep -c '^  cpu ' out)" "$(grep -c 'groupid=' out)"
run --name=cpu $json --ioengine=cpuio --cpuload=10 --name=io --ioengine=null --size=64k --exitall=1
check "exitall of another job ends cpuio" exits 0
run --name=x --ioengine=cpuio --runtime=1
check "cpuio without cpuload is refused" exits 2
check "... and the error names the missing option" says err "cpuload="
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
check "... which gets its arguments, split at blanks" same "$(tr '\n' ' ' <x.stdout)" '[a] ["b] [c"] [7] [x] '
check "... and has a file for its stderr" same "$(cat x.stderr)" complaint
check "... and the document is valid" json out '.jobs[0].error == 0'
mkdir aux
run --name=x $json --ioengine=exec --program=./show --aux-path=aux --numjobs=2
check "each clone has files of its own in --aux-path" test -f aux/x.stdout -a -f aux/x.1.stderr
run --name=x $json --ioengine=exec --program=./show --std_redirect=0 --arguments=word
check "std_redirect=0 passes the output to stderr" says err "[word]"
check "... and the document is valid" json out '.jobs[0].error == 0'
CODE=5 run --name=x $json --ioengine=exec --program=./show
check "a failing program is an error" exits 1
check "... and the message has its exit code" says err "x: exec: ./show: ended with code 5"
run --name=x $json --ioengine=exec --program=./no-such
check "a missing program is an error" says err "./no-such: cannot be started: No such file or directory (ENOENT)"
run --name=x --ioengine=exec
check "exec without a program is refused" exits 2
run --name=x --ioengine=exec --program=./program --runtime=1
check "the program gets SIGTERM at the end of runtime" same "$(tr '\n' ' ' <x.stdout)" "started ended "
check "... and the run exits 0" exits 0
check "... and no process is left" none_left
run --name=x --ioengine=exec --program=./program --arguments=stubborn --runtime=1 --grace_time=1 --thread=1
check "a program that ignores SIGTERM gets SIGKILL after grace_time" exits 0
check "... and no process is left" none_left
: >pids
: >x.stdout
start --name=x --ioengine=exec --program=./program
check "the program runs" until_true 10 has x.stdout started
kill -INT "$pid"
wait_for_exit
check "SIGINT ends the run" exits 130
check "... and no process is left" none_left
: >pids
: >x.stdout
start --name=x --ioengine=exec --program=./program --arguments=stubborn --grace_time=60
check "the program runs" until_true 10 has x.stdout started
kill -9 "$(children "$pid" | head -n 1)"
wait_for_exit
check "the program ends when its worker is killed" none_left

# ---- page_fault ----

run --name=x $json --ioengine=page_fault --size=8m --bs=16k --rw=randwrite
# A sanitizer's shadow memory has page faults, too.
most=2300
[ "$SANITIZE" = none ] || most=8192
check "page_fault takes one fault per page" json out ".jobs[0] | .minf >= 2048 and .minf < $most and .write.total_ios == 512"
run --name=x $json --ioengine=page_fault --size=1m --bs=64k --rw=read --loops=8
check "... in later passes, too" json out ".jobs[0].minf | . >= 2048 and . < $most"

# ---- --idle-prof ----

number='[0-9]+\.[0-9][0-9]'
run --name=x --ioengine=null --size=64k --idle-prof=percpu
check "--idle-prof=percpu exits 0" exits 0
check "... and prints fio's line for the system" grep -qE "^  system: $number%\$" out
check "... and a figure for each CPU" test "$(sed -n 's/^  percpu: //p' out | tr , '\n' | grep -cE "$number%")" = "$(nproc --all)"
check "... and the unit of work" grep -qE "^  unit work: mean=${number}us, stddev= ?$number\$" out
run --name=x $json --ioengine=cpuio --cpuload=1 --runtime=1 --idle-prof=percpu
check "JSON has cpu_idleness" json out '.cpu_idleness | .system >= 0 and .system <= 100 and ."cpu-0" <= 100 and .unit_mean > 0 and
	has("unit_stddev")'
run --name=x $json --ioengine=null --size=64k --idle-prof=system
check "--idle-prof=system leaves out the single CPUs" json out '.cpu_idleness | has("system") and (has("cpu-0") | not)'
run --name=x $json --ioengine=null --size=64k
check "without --idle-prof JSON has no cpu_idleness" json out 'has("cpu_idleness") | not'
run --idle-prof=calibrate
check "--idle-prof=calibrate needs no job" exits 0
check "... and prints only the unit of work" same "$(wc -l <out) $(head -n 1 out)" "2 CPU idleness:"
run --name=x --ioengine=null --size=64k --idle-prof=some
check "an unknown value of --idle-prof is refused" exits 2
# The minor faults of a worker are those that the kernel counts for its process, start included.
minor_faults() { # PID
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 8
}
if [ -z "$threads" ]; then
	start --name=x --ioengine=null --size=1g --rw=read --time_based --runtime=600 --rate_iops=100 --eta=always \
		--output-format=json
	check "the worker runs" until_true 20 progress_shows R
	faults=$(minor_faults "$(children "$pid" | head -n 1)")
	kill -INT "$pid"
	wait_for_exit
	check "minf includes the $faults minor faults that the kernel had counted during the run" \
		json out ".jobs[0].minf >= $faults and .jobs[0].minf < $faults + 500 and $faults > 20"
fi
finish
