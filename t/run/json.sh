#!/bin/sh
# The document is valid whatever the names are, alone on its stream or in its file, and its shares add up.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

about_100='. > 99.5 and . < 100.5'
run --name=x --filename=file --size=4m --bs=4k --rw=randrw --ioengine=libaio --iodepth=16 --output-format=json
check "the shares of latencies add up to 100" json out "[.jobs[0] | .latency_ns, .latency_us, .latency_ms | .[]] | add |
	$about_100"
check "... and those of depths" json out ".jobs[0].iodepth_level | add | $about_100"
check "... of submissions" json out ".jobs[0].iodepth_submit | add | $about_100"
check "... and of completions" json out ".jobs[0].iodepth_complete | add | $about_100"
check "the job's options are strings as typed" json out '.jobs[0]["job options"] | .size == "4m" and .rw == "randrw"'
check "floats have six decimals" grep -qE '"iops" : [0-9]+\.[0-9]{6}' out
check "the layout is fio's" grep -qxE '  "fio version" : "fio-3\.[^"]*",' out
check "the document is alone" same "$(head -c 1 out)$(tail -c 2 out)" "{}"

run --name='tab	"quote" \back é' --description="$(printf 'two\nlines')" --filename=file --size=64k --output-format=json
check "odd names exit 0" exits 0
check "... and are escaped" json out '.jobs[0].jobname | contains("\"quote\" \\back")'

run --name=x --filename=file --size=64k --output-format=json --output=result.json
check "--output leaves stdout empty" empty out
check "... and holds the document" json result.json '.jobs | length == 1'
check "... and nothing lies beside it" same "$(ls)" "$(printf 'err\nfile\nout\nresult.json')"

run --name=x --filename=file --size=64k --output-format=json,normal
sed -n '/^{/,/^}/p' out >document
check "with both formats there is a document" json document '.jobs | length == 1'
check "... before the text" same "$(sed -n 's/^\(}\|Run status group 0\).*/\1/p' out | tr '\n' ' ')" "} Run status group 0 "
rm document

run --name=x --filename=file --size=64k --ioengine=psync --iodepth=32 --output-format=json
check "a note does not stand before the document" json out '.jobs[0].jobname == "x"'
check "... but in it" json out '[.fiord.notes, .jobs[0].fiord.notes] | tostring | test("iodepth")'
finish
