#!/bin/sh
# Do the templates of examples/ci work? Python's YAML and XML parsers read them and what they write. Their commands run with a small job:
# against a base whose I/Os took a second each they pass, against one of a nanosecond each they fail. The rate makes the IOPS the same.
. "$SOURCE/t/lib.sh"
requires python3
python3 -c 'import yaml' 2>/dev/null || skip_all "no python3-yaml"
cd "$dir" || exit 1
ci=$SOURCE/examples/ci
export TARGET="$dir/target" JOB="$dir/small.ini" BASE="$dir/base.json"
mkdir target bin
ln -s "$FIORD" bin/fiord

"$FIORD" check "$ci/disk.ini" >out 2>err
check "the job of the templates can be planned" test "$?" = 0
{
	echo '[disk]'
	sed -n '/^rw=/p; /^bs=/p; /^directory=/p' "$ci/disk.ini"
	printf 'size=1m\nioengine=psync\ntime_based\nruntime=1500ms\nrate_iops=200,200\n'
	[ -z "$threads" ] || echo thread
} >small.ini
"$FIORD" "$JOB" --output-format=json+ --output=real.json >out 2>err
check "a base is measured" test "$?" = 0

base() { # NS: makes the base of the measured document, in which each I/O took this time
	python3 - "$1" <<'P'
import json, sys
ns = int(sys.argv[1])
d = json.load(open("real.json"))
for figures in [j[direction] for j in d["jobs"] for direction in ("read", "write")]:
    for lat in [figures[k] for k in ("slat_ns", "clat_ns", "lat_ns") if figures.get(k, {}).get("bins")]:
        lat.update(min=ns, max=ns, mean=ns, stddev=0, bins={str(ns): sum(lat["bins"].values())})
        lat["percentile"] = dict.fromkeys(lat.get("percentile", {}), ns)
json.dump(d, open("base.json", "w"))
P
}

commands() { # runs the commands of the template as CI does: up to the first that fails
	rm -f result.* compare.*
	rc=0
	while read -r line; do
		PATH="$dir/bin:$PATH" sh -e -c "$line" >out 2>err </dev/null
		rc=$?
		[ "$rc" = 0 ] || break
	done <commands
}

for template in github.yml gitlab.yml Jenkinsfile; do
	python3 "$SOURCE/t/run/ci_templates.py" "$ci" $template >parts 2>err
	check "$template can be read" test "$?" = 0
	sed -n 's/^command //p' parts >commands
	check "... it has commands to measure and to compare" sh -c 'grep -q "^fiord .*--junit=" commands && grep -q "^fiord compare .*--fail-if" commands'
	check "... it sets what its commands need" same "$(sed -n 's/^env //p' parts | sort | tr '\n' ' ')" "BASE JOB TARGET "
	base 1000000000
	commands
	check "... storage that is as fast passes" test "$rc" = 0
	sed -n 's/^artefact //p' parts >files
	check "... each artefact is there" sh -c 'while read -r f; do [ -s "$f" ] || exit 1; done <files && [ "$(wc -l <files)" = 4 ]'
	check "... JUnit has the verdict of the assertion" python3 -c '
import xml.etree.ElementTree as tree
root = tree.parse("result.xml").getroot()
cases = list(root.iter("testcase"))
assert any("p99" in c.get("name") for c in cases) and not list(root.iter("failure")), tree.tostring(root)'
	base 1
	commands
	check "... slower storage fails with 5" test "$rc" = 5
	check "... the text, which is in the log, names the condition" grep -q '^  fails .*mean > +25%' out
	check "... its page is kept" test -s compare.html
done
finish
