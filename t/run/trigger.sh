#!/bin/sh
# Do --trigger-file and --trigger-timeout end a run as at the end of runtime, and does --trigger then run its command?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
job="--name=x --ioengine=null --size=1g --time_based --runtime=60 --output-format=json"

start $job --eta=always --trigger-file=now --trigger='echo words; touch fired'
check "the job runs" until_true 10 progress_shows R
touch now
wait_for_exit
check "the trigger file ends the run" exits 0
check "... long before its runtime" json out '.jobs[0].job_runtime | . > 0 and . < 30000'
check "... and a note says so" json out '.fiord.notes | any(contains("--trigger-file"))'
check "the command has run" test -e fired
check "... with its output on stderr" says err words
check "the trigger file is removed, as in fio" test ! -e now

run $job --trigger-timeout=1
check "--trigger-timeout ends a run" exits 0
check "... after that time" json out '.jobs[0].job_runtime | . > 500 and . < 30000'
run $job --trigger-timeout=1 --name=y --stonewall --ioengine=null --size=1g
check "later jobs do not start" json out '.jobs[1].read.total_ios == 0'
run $job --trigger-timeout=1 --trigger='exit 7'
check "a failing command exits 1" exits 1
check "... and the error has its exit code" says err "--trigger=exit 7: ended with code 7"
start $job --trigger-timeout=1 --trigger='echo $$ >pid; exec sleep 60'
check "the command runs" until_true 10 test -s pid
kill -INT "$pid"
wait_for_exit
check "SIGINT ends the wait for the command" exits 1
check "... and the command" until_true 5 processes_ended "$(cat pid)"

run --name=x --ioengine=null --size=64k --trigger-file=never --trigger='touch no'
check "a run that ends earlier exits 0" exits 0
check "... and runs no command" test ! -e no
touch there
run $job --trigger-file=there
check "an existing trigger file is refused" exits 2
check "... and stays" test -e there
run $job --trigger=true
check "--trigger without a trigger condition is refused" exits 2
run $job --trigger-remote=true --trigger-timeout=1
check "--trigger-remote is refused" exits 2
check "... with the reason" says err "no client and server"
finish
