#!/bin/sh
# Exit codes, and that the JSON lists them.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

run --name=x --filename=f --size=64k
check "a run that did everything exits 0" exits 0
run --name=x --filename=f --size=64k --output-format=json
check "... and the JSON says so" json out '.fiord.exit.code == 0'

run --name=x --filename=f --size=64k --no-such-option=1
check "a usage error exits 2" exits 2
run nosuch.ini
check "a missing job file exits 2" exits 2
check "... named on stderr" says err "nosuch.ini"

run --name=x --filename=/dev/no-such-disk --size=64k --rw=write
check "a refused target exits 3" exits 3
check "... named on stderr" says err "/dev/no-such-disk"
check "... and stdout stays empty" empty out

run --name=x --filename=f --size=64k --output=nodir/result
check "an output that cannot be made is a usage error, before the run" exits 2
run --name=x --filename=f --size=64k --output=/dev/full
check "a result that cannot be written exits 6" exits 6
check "... with a line on stderr" says err "could not be written"
# shellcheck disable=SC2086
"$FIORD" $threads --name=x --filename=f --size=64k >/dev/full 2>err
rc=$?
check "... on stdout, too" exits 6

run --output-format=json --name=x --filename=f --size=64k --rw=write --name=full --filename=/dev/full --size=64k --rw=write
check "a job that fails exits 1" exits 1
check "... with the file and the error on stderr" says err "/dev/full"
check "... and the errno in the JSON" json out '[.jobs[].error] == [0, 28]'
check "... which lists the code" json out '.fiord.exit.code == 1'
check "... and has the other job's counts" json out '.jobs[0].write.io_bytes == 65536'

# The result must not replace what it is about.
run --name=x --filename=f --size=64k --output=f
check "a target as --output is refused" exits 2
printf '[x]\nfilename=f\nsize=64k\n' >job.ini
run job.ini --output=job.ini
check "the job file as --output is refused" exits 2
check "... and is as it was" grep -q filename=f job.ini

# A refusal is a document, too, for those who read one.
run --output-format=json --name=x --filename=nothere --rw=read
check "a refused plan exits 2" exits 2
check "... with a document that says why" json out '.jobs == [] and .timestamp > 0 and .fiord.exit.code == 2 and (.fiord.notes[0] | test("size="))'
run --output-format=json --output=refused.json --name=x --filename=nothere --rw=read
check "... but makes no file" test ! -e refused.json
for what in --bs=4x --ioengine=net --nosuch=1 --uncached=1; do
	run --output-format=json --name=x --filename=f --size=64k $what
	check "a refused $what exits 2" exits 2
	check "... with a document, too" json out '.fiord.exit.code == 2 and (.fiord.notes[0] | test("'"${what%=*}"'"))'
done
check "the engines that have an option are named" grep -q "an option of the engines\{0,1\} pvsync2" err
run check --output-format=json --name=x --bs=4x
check "a refused plan is a document, too" json out '.fiord.exit.code == 2'
finish
