#!/bin/sh
# Is the JSON document valid with any names, alone on its stream or in its file, and do its shares add up to 100 %?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

about_100='. > 99.5 and . < 100.5'
run --name=x --filename=file --size=4m --bs=4k --rw=randrw --ioengine=libaio --iodepth=16 --output-format=json
check "latency shares add up to 100 %" json out "[.jobs[0] | .latency_ns, .latency_us, .latency_ms | .[]] | add |
	$about_100"
check "... depth shares, too" json out ".jobs[0].iodepth_level | add | $about_100"
check "... submission shares, too" json out ".jobs[0].iodepth_submit | add | $about_100"
check "... completion shares, too" json out ".jobs[0].iodepth_complete | add | $about_100"
check "job options are strings as typed" json out '.jobs[0]["job options"] | .size == "4m" and .rw == "randrw"'
check "floats have six decimals" grep -qE '"iops" : [0-9]+\.[0-9]{6}' out
check "the document is formatted like fio's" grep -qxE '  "fio version" : "fio-3\.[^"]*",' out
check "stdout has only the document" same "$(head -c 1 out)$(tail -c 2 out)" "{}"

run --name='tab	"quote" \back é' --description="$(printf 'two\nlines')" --filename=file --size=64k --output-format=json
check "names with quotes and tabs exit 0" exits 0
check "... and are escaped" json out '.jobs[0].jobname | contains("\"quote\" \\back")'

run --name=x --filename=file --size=64k --output-format=json --output=result.json
check "--output leaves stdout empty" empty out
check "... and writes the document to the file" json result.json '.jobs | length == 1'
check "... and leaves no other file" same "$(ls)" "$(printf 'err\nfile\nout\nresult.json')"

run --name=x --filename=file --size=64k --output-format=json,normal
sed -n '/^{/,/^}/p' out >document
check "JSON and normal output contain a document" json document '.jobs | length == 1'
check "... before the text" same "$(sed -n 's/^\(}\|Run status group 0\).*/\1/p' out | tr '\n' ' ')" "} Run status group 0 "
rm document

run --name=x --filename=file --size=64k --ioengine=psync --iodepth=32 --output-format=json
check "a note does not precede the document" json out '.jobs[0].jobname == "x"'
check "... but is in it" json out '[.fiord.notes, .jobs[0].fiord.notes] | tostring | test("iodepth")'
finish
