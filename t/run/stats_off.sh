#!/bin/sh
# stats=0: a job runs, and stands in no report; what happened to it is told all the same.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

run --name=a --filename=a --size=64k --rw=write --name=b --stats=0 --filename=b --size=128k --rw=write \
	--name=c --filename=c --size=64k --rw=write --output-format=json,terse,normal
check "all three have run" [ -s a -a "$(stat -c %s b)" = 131072 -a -s c ]
sed -n '/^{/,/^}/p' out >document
check "JSON has two of them" json document '[.jobs[].jobname] == ["a", "c"]'
check "terse has two lines" [ "$(grep -c '^3;' out)" = 2 ]
check "the text has two blocks" [ "$(grep -c '^[abc]: (groupid' out)" = 2 ]
check "... and their sum" grep -q 'WRITE:.*io=128KiB' out
check "the plan still names three" json document '[.fiord.plan.jobs[].name] == ["a", "b", "c"]'

run --group_reporting --size=64k --rw=write --name=a --stats=0 --name=b --name=c --stats=0 --name=d --output-format=json
check "a group begins with its first job that counts" json out '.jobs | length == 1 and .[0].jobname == "b"'
check "... and has the sums of those" json out '.jobs[0] | .write.total_ios == 32 and .fiord.members == 2'

run --name=x --ioengine=null --size=64k --stats=0 --output-format=json
check "nobody may be left" json out '.jobs == [] and .fiord.exit.code == 0'
run --name=x --ioengine=null --size=64k --stats=0 --minimal
check "... and terse is empty then" empty out

run --name=x --filename=f --size=64k --rw=write --exec_prerun=false --stats=0 --name=y --ioengine=null --size=64k --output-format=json
check "a failure counts" exits 1
check "... is on stderr" grep -q '^fiord: x: ' err
check "... and in the document" json out '[.jobs[].jobname] == ["y"] and (.fiord.notes | map(test("x \\(stats=0\\)")) | any)'
finish
