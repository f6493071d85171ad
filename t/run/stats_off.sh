#!/bin/sh
# stats=0: does a job run without an entry in any report, and are its errors still reported?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

run --name=a --filename=a --size=64k --rw=write --name=b --stats=0 --filename=b --size=128k --rw=write \
	--name=c --filename=c --size=64k --rw=write --output-format=json,terse,normal
check "all three jobs run" [ -s a -a "$(stat -c %s b)" = 131072 -a -s c ]
sed -n '/^{/,/^}/p' out >document
check "JSON has two of them" json document '[.jobs[].jobname] == ["a", "c"]'
check "terse has two lines" [ "$(grep -c '^3;' out)" = 2 ]
check "the text has two blocks" [ "$(grep -c '^[abc]: (groupid' out)" = 2 ]
check "... and the sum of two jobs" grep -q 'WRITE:.*io=128KiB' out
check "the plan has all three jobs" json document '[.fiord.plan.jobs[].name] == ["a", "b", "c"]'

run --group_reporting --size=64k --rw=write --name=a --stats=0 --name=b --name=c --stats=0 --name=d --output-format=json
check "a group has the name of its first job with statistics" json out '.jobs | length == 1 and .[0].jobname == "b"'
check "... and the sums of the jobs with statistics" json out '.jobs[0] | .write.total_ios == 32 and .fiord.members == 2'

run --name=x --ioengine=null --size=64k --stats=0 --output-format=json
check "a document without jobs is valid" json out '.jobs == [] and .fiord.exit.code == 0'
run --name=x --ioengine=null --size=64k --stats=0 --minimal
check "terse is empty then" empty out

run --name=x --filename=f --size=64k --rw=write --exec_prerun=false --stats=0 --name=y --ioengine=null --size=64k --output-format=json
check "a failure sets the exit code" exits 1
check "... is on stderr" grep -q '^fiord: x: ' err
check "... and in the document" json out '[.jobs[].jobname] == ["y"] and (.fiord.notes | map(test("x \\(stats=0\\)")) | any)'
finish
