#!/bin/sh
# Which exit code does each kind of failure have, and does the JSON document have the same?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

run --name=x --filename=f --size=64k
check "a complete run exits 0" exits 0
run --name=x --filename=f --size=64k --output-format=json
check "... also in the document" json out '.fiord.exit.code == 0'

run --name=x --filename=f --size=64k --no-such-option=1
check "a wrong option exits 2" exits 2
run nosuch.ini
check "a missing job file exits 2" exits 2
check "... and stderr names it" says err "nosuch.ini"

run --name=x --filename=/dev/no-such-disk --size=64k --rw=write
check "a refused target exits 3" exits 3
check "... and stderr names it" says err "/dev/no-such-disk"
check "... and stdout stays empty" empty out

run --name=x --filename=f --size=64k --output=nodir/result
check "an --output that cannot be created exits 2 before the run" exits 2
run --name=x --filename=f --size=64k --output=/dev/full
check "a result that cannot be written exits 6" exits 6
check "... with a line on stderr" says err "could not be written"
# shellcheck disable=SC2086
"$FIORD" $threads --name=x --filename=f --size=64k >/dev/full 2>err
rc=$?
check "... also on stdout" exits 6

run --output-format=json --name=x --filename=f --size=64k --rw=write --name=full --filename=/dev/full --size=64k --rw=write
check "a job with an I/O error exits 1" exits 1
check "... and stderr has the file and the error" says err "/dev/full"
check "... and the document has the errno" json out '[.jobs[].error] == [0, 28]'
check "... and the exit code" json out '.fiord.exit.code == 1'
check "... and the figures of the other job" json out '.jobs[0].write.io_bytes == 65536'

# --output must not overwrite a target or the job file.
run --name=x --filename=f --size=64k --output=f
check "--output on a target is refused" exits 2
printf '[x]\nfilename=f\nsize=64k\n' >job.ini
run job.ini --output=job.ini
check "--output on the job file is refused" exits 2
check "... and the job file stays" grep -q filename=f job.ini

# With JSON output a refused job is a document, too.
run --output-format=json --name=x --filename=nothere --rw=read
check "a refused plan exits 2" exits 2
check "... with a document that has the reason" json out '.jobs == [] and .timestamp > 0 and .fiord.exit.code == 2 and (.fiord.notes[0] | test("size="))'
run --output-format=json --output=refused.json --name=x --filename=nothere --rw=read
check "... but does not create the file of --output" test ! -e refused.json
for what in --bs=4x --ioengine=net --nosuch=1 --uncached=1; do
	run --output-format=json --name=x --filename=f --size=64k $what
	check "a refused $what exits 2" exits 2
	check "... with a document" json out '.fiord.exit.code == 2 and (.fiord.notes[0] | test("'"${what%=*}"'"))'
done
check "the error names the engines that have the option" grep -q "an option of the engines\{0,1\} pvsync2" err
run check --output-format=json --name=x --bs=4x
check "a refused check is a document, too" json out '.fiord.exit.code == 2'
finish
