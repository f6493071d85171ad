#!/bin/sh
# --trigger-file and --trigger-timeout end a run as if its time were over, and --trigger runs a command then.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
job="--name=x --ioengine=null --size=1g --time_based --runtime=60 --output-format=json"

start $job --eta=always --trigger-file=now --trigger='echo words; touch fired'
check "it runs" until_true 10 progress_shows R
touch now
wait_for_exit
check "the file ends the run" exits 0
check "... long before its time" json out '.jobs[0].job_runtime | . > 0 and . < 30000'
check "... and the result says so" json out '.fiord.notes | any(contains("--trigger-file"))'
check "the command was run" test -e fired
check "... its words are on stderr" says err words
check "the file is gone, as in fio" test ! -e now

run $job --trigger-timeout=1
check "--trigger-timeout ends a run" exits 0
check "... after that time" json out '.jobs[0].job_runtime | . > 500 and . < 30000'
run $job --trigger-timeout=1 --name=y --stonewall --ioengine=null --size=1g
check "it ends later jobs, too" json out '.jobs[1].read.total_ios == 0'
run $job --trigger-timeout=1 --trigger='exit 7'
check "a command that fails is a failure" exits 1
check "... which is told" says err "--trigger=exit 7: ended with code 7"
start $job --trigger-timeout=1 --trigger='echo $$ >pid; exec sleep 60'
check "the command runs" until_true 10 test -s pid
kill -INT "$pid"
wait_for_exit
check "a signal ends the waiting for it" exits 1
check "... and the command" until_true 5 processes_ended "$(cat pid)"

run --name=x --ioengine=null --size=64k --trigger-file=never --trigger='touch no'
check "a run that ends before has no trigger" exits 0
check "... and no command" test ! -e no
touch there
run $job --trigger-file=there
check "a file that is there already is refused" exits 2
check "... and stays" test -e there
run $job --trigger=true
check "a command that never runs is refused" exits 2
run $job --trigger-remote=true --trigger-timeout=1
check "--trigger-remote is refused" exits 2
check "... with the reason" says err "no client and server"
finish
