#!/bin/sh
# Does --output=FORMAT:FILE write each format to its own file? Each file must be complete and valid in every ending, nothing else may be
# on standard output, and a bad name must be refused before anything is created.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1
job="--name=x --filename=t --size=64k --rw=read"

one_document() { # FILE: has one JSON document and nothing else
	[ "$(jq -s length "$1")" = 1 ]
}
formats() { # prints the names of the files that hold what their name says
	one_document a.json && jq -e '.jobs[0].read.total_ios == 16' a.json >/dev/null && printf 'json '
	one_document a.plus && jq -e '.jobs[0].read.clat_ns.bins' a.plus >/dev/null && printf 'json+ '
	[ "$(wc -l <a.terse)" = 1 ] && grep -q '^3;fio' a.terse && printf 'terse '
	grep -q 'Run status group 0' a.txt && ! grep -q '^{' a.txt && printf 'normal '
	xmllint --noout a.xml 2>/dev/null && grep -q '<Results>' a.xml && printf 'xml '
	grep -q '^Total IO' a.dsp && printf 'diskspd '
	grep -q '</html>' a.html && printf 'html'
}
not() {
	! "$@"
}

all="--output=json:a.json --output=json+:a.plus --output=terse:a.terse --output=normal:a.txt --output=diskspd-xml:a.xml
	--output=diskspd:a.dsp --output=html:a.html"
# shellcheck disable=SC2086
run $job $all
check "a file for each format exits 0" exits 0
check "... and stderr is empty" empty err
check "... and nothing is on standard output, because the normal report has a file" empty out
if command -v xmllint >/dev/null; then
	check "each file has its format" same "$(formats)" "json json+ terse normal xml diskspd html"
else
	skip "the file of each format" "no xmllint"
fi
check "plain JSON beside JSON+ has neither bins" same "$(jq '[.. | objects | select(has("bins"))] | length' a.json)" 0
check "... nor the series of JSON+" same "$(jq -c '[.fiord | has("series")]' a.json a.plus | tr '\n' ' ')" "[false] [true] "
check "the files agree" same "$(jq .jobs[0].read.lat_ns.mean a.json)" "$(jq .jobs[0].read.lat_ns.mean a.plus)"

# shellcheck disable=SC2086
run $job --output=json:b.json
check "formats without a file go to standard output" says out "Run status group 0"
check "... and those with a file only there" not grep -q '^{' out
# shellcheck disable=SC2086
run $job --output=json:b.json --output=rest --output-format=terse,json
check "... or to the plain file" same "$(cut -c 1-5 rest)" "3;fio"
check "... where nothing else is" same "$(wc -l <rest)" 1
check "... and standard output stays empty" empty out
# shellcheck disable=SC2086
run $job --output=a:b --output=./json:x
check "the last plain file counts, and ./json:x is one" says json:x "Run status group 0"
check "... as is a:b" not test -e a:b

# ---- refused before anything is created ----
refused() { # TEXT ARG...
	text=$1
	shift
	rm -f t new*
	# shellcheck disable=SC2086
	run $job "$@"
	check "$*: is refused" exits 2
	check "... with the reason" says err "$text"
	check "... in one line" same "$(wc -l <err)" 1
	check "... and creates nothing" same "$(ls t new* 2>/dev/null)" ""
}
refused "did you mean json:new?" --output=jsn:new
refused "A file of this name is ./JSON:new" --output=JSON:new
refused "did you mean diskspd-xml:new?" --output=xml:new
refused "the file is missing; write json:FILE" --output=json:
refused "is not standard output here" --output=json:-
refused "two meanings" --output=csv:new
refused "new is the file of two formats" --output=json:new --output=terse:./new
refused "new is the file of two formats" --output=json:new --output=new
refused "--output has the same file" --output=json:new1 --report=new --output=normal:new
refused "the page has the file new1 already" --output=html:new1 --output=html:new2
refused "would stay empty" --output=new1 --output=normal:new2
refused "this is a target of the jobs" --output=json:t
refused "No such file or directory" --output=json:new --output=terse:missing/new
mkdir d
refused "this is a directory" --output=json:new --output=terse:d

# ---- other endings ----
# shellcheck disable=SC2086
run $job --output=json:e.json --output=terse:/dev/full --output=normal:e.txt
check "a full disk exits 6" exits 6
check "... with the error" says err "/dev/full: the result could not be written: No space left on device (ENOSPC)"
check "... and the other files are complete" one_document e.json
check "... all of them" says e.txt "Run status group 0"
# shellcheck disable=SC2086
run $job --output=terse:/dev/full --output=json:e.json >/dev/full
check "the second file that cannot be written is named, too" exits 6

run --name=x --filename=/dev/full --size=64k --rw=write --allow_write=/dev/full --output=json:f.json --output=terse:f.terse
check "after a failed job the exit code is 1" exits 1
check "... the JSON is complete" one_document f.json
check "... and the terse line" same "$(wc -l <f.terse)" 1

start --name=x --ioengine=null --size=1g --rw=read --rate_iops=100 --output=json:g.json --output=terse:g.terse --output-format=json+ \
	--status-interval=1
until_true 30 grep -qs fio g.terse
kill -INT "$pid"
wait_for_exit
check "a signal ends the run with 130" exits 130
check "... the JSON in the file is one document" one_document g.json
check "... with its statuses" test "$(jq '.fiord.status | length' g.json)" -gt 0
check "... and that on standard output" one_document out
check "... and terse has a line for each status and for the end" test "$(wc -l <g.terse)" -gt 1
check "no temporary file is left" same "$(ls -A | grep -E '\.[A-Za-z0-9]{6}$' | grep -v fiord)" ""

# shellcheck disable=SC2086
run $job --repeat=2 --output=json:h.json --output=terse:h.terse
check "with --repeat each file has all runs" same "$(jq -s length h.json) $(wc -l <h.terse)" "2 2"

# ---- DISKSPD ----
run diskspd -b4K -d1 -W0 -c64K --output=diskspd-xml:i.xml --output=json:i.json i.dat
check "a DISKSPD line has text and XML at once" exits 0
check "... the text on standard output" says out "Total IO"
check "... the XML in its file" says i.xml "<Results>"
check "... and JSON" one_document i.json
run diskspd -b4K -d1 -W0 -c64K -Rxml --output=diskspd:i.txt i.dat
check "-Rxml with a file for the text" says out "<Results>"
check "... which has only that" same "$(grep -c '^Total IO' i.txt) $(grep -c '<Results>' i.txt)" "1 0"
check "the plan of fiord check goes to standard output" test -n "$("$FIORD" check --name=x --size=64k --output=normal:new)"
finish
