#!/bin/sh
# Does fiord report make a page or a table of what it can read, does --report leave the page of a run, and what is refused?
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

is_page() { # FILE: a complete page
	head -n 1 "$1" | grep -qi '^<!doctype html>' && tail -n 1 "$1" | grep -q '</html>'
}

# A document has deviations with six decimals, so the sums of all jobs that are computed from them may differ in the last ones.
figures() { # TABLE: without the columns of the source
	cut -d, -f2- "$1" | sed -E '/,all jobs,/s/(\.[0-9]{3})[0-9]+/\1/g'
}

run --output-format=json+ --output=a.json --report=a.html --csv=a.csv --name=a --size=1m --rw=randrw
check "a run writes document, page and table" exits 0
check "... and prints nothing" empty err
check "... a complete page" is_page a.html
run --output=plain.txt --report=plain.html --name=a --size=1m --rw=randrw
check "a page beside a text report has the curve of percentiles" grep -q 'aria-label="Latency by percentile' plain.html
run report --csv a.json -o b.csv
check "the document gives the same table" same "$(figures b.csv)" "$(figures a.csv)"
run report --csv a.html
check "... and so does the page" same "$(figures out)" "$(figures a.csv)"
run report a.json -o b.html
check "report writes a page" is_page b.html
check "... and prints nothing" sh -c '! [ -s out ] && ! [ -s err ]'
"$FIORD" report - <a.json >c.html 2>err
check "- is standard input, and without -o the page goes to standard output" is_page c.html
run report a.json b.html -o two.html
check "several results make one page" same "$(grep -ci '<!doctype' two.html)" 1
run report --output=d.html -- a.json
check "-- ends the options" is_page d.html

printf '{ "jobs": [' >cut.json
mkdir empty
refused() { # LABEL ERROR ARG...
	label=$1 error=$2
	shift 2
	ls >before
	run report "$@"
	check "$label is refused" exits 2
	check "... with one line" lines err 1
	check "... that says why" says err "$error"
	check "... and nothing on standard output" empty out
}
: >before
refused "no result" "no result to read"
refused "a missing file" "none.json" none.json -o x.html
refused "half a document" "cut.json" cut.json -o x.html
refused "a good one beside it" "cut.json" a.json cut.json -o x.html
refused "an unknown option" "has no such option" --nosuch a.json
refused "-o without a value" "needs a value" a.json -o
refused "two outputs" "the option was given before" a.json -o x.html -o y.html
refused "--csv with a value" "takes no value" --csv=x a.json
refused "standard input twice" "only once" - - -o x.html
refused "the input as output" "would replace the input a.json" a.json -o ./a.json
refused "a missing directory" "No such file" a.json -o no/x.html
refused "a directory" "is a directory" a.json -o empty
check "no refusal created a file" sh -c '! ls x.html y.html 2>/dev/null'
check "... or changed the input" jq -e .jobs a.json
run report a.json -o /dev/full
check "a full disk gives code 6" exits 6
why=$(no_terminal)
if [ -n "$why" ]; then
	skip "no page on a terminal" "$why"
else
	script -qec "$FIORD report a.json" /dev/null </dev/null >term
	check "no page is written to a terminal" grep -q "name a file: -o" term
fi

run diskspd --report=d.html --output=d.txt -c64K -d1 -W0 -b4K d.dat
check "fiord diskspd has --report" is_page d.html
start --name=n --ioengine=null --size=1g --time_based --runtime=60 --report=s.html --exec_prerun='touch began'
while [ ! -e began ]; do :; done
kill -INT "$pid"
wait_for_exit
check "after SIGINT the page is complete" is_page s.html
run --name=f --ioengine=null --size=4k --exec_prerun=false --report=f.html
check "after an error, too" is_page f.html
check "... with the exit code of the error" exits 1
echo mine >g.html
run --name=f --filename=none/f --size=4k --rw=read --readonly --report=g.html
check "a refused run leaves the file" same "$rc $(cat g.html)" "3 mine"
run --name=n --ioengine=null --size=64k --repeat=3 --report=r.html
check "--repeat makes one page of all runs" same "$(grep -ci '<!doctype' r.html)" 1
run report --csv r.html
check "... which holds all of them" same "$(wc -l <out)" 4
jq '.jobs[0].jobname = "=1+1" | .jobs[0].error = -5' a.json >formula.json
run report --csv formula.json
check "a name is no formula in the table" says out ",'=1+1,"
check "... and a negative error is one" says out ",-5,"

# Documents of 100 kB in all that need more memory than the limit, and a file of the kernel, which a reader would wait for.
yes '{"jobs":[]}' | head -n 8200 >many.json
run report many.json
check "a document that needs too much memory is refused" same "$rc $(cat err)" "2 fiord: many.json: the document needs more memory than the limit of 1 GiB"
run report /proc/self/status
check "a file of procfs is no document" same "$rc $(cat err)" "2 fiord: /proc/self/status: this is a file of the kernel, not a document"
finish
