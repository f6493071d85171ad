#!/bin/sh
# Is the HTML page well formed, safe and true? html_page.py parses pages and compares their figures with the JSON of the runs.
. "$SOURCE/t/lib.sh"
requires python3
cd "$dir" || exit 1
mkdir pages
python3 "$SOURCE/t/run/html_page.py" "$FIORD" "$dir/pages" >checks 2>&1
code=$?
cat checks
checks=$((checks + $(grep -c '^ok - ' checks)))
failures=$((failures + $(grep -c '^not ok - ' checks)))
check "the checks ended" test "$code" = 0
finish
