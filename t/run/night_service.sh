#!/bin/sh
# Does the nightly service of examples/systemd work? systemd reads the units. The service's commands run one after the other, as systemd
# runs them, in directories of the test: a usual night passes, a bad one fails, and so does one that could not be measured.
. "$SOURCE/t/lib.sh"
requires python3
cd "$dir" || exit 1
units=$SOURCE/examples/systemd
mkdir state

place() { # TEXT: the test's places in place of the system's
	sed "s|/usr/bin/fiord|$FIORD|g; s|/var/lib/fiord|$dir/state|g; s|/etc/fiord/night.ini|$dir/night.ini|g"
}

for unit in fiord-night.service fiord-night.timer; do
	place <"$units/$unit" >$unit
done
printf '[Service]\nType=oneshot\nExecStart=/bin/true\n' >true.service
if systemd-analyze verify --man=no "$dir/true.service" >out 2>&1 </dev/null; then
	systemd-analyze verify --man=no "$dir/fiord-night.service" "$dir/fiord-night.timer" >out 2>&1 </dev/null
	rc=$?
	grep fiord-night out >found
	check "systemd reads the units" test "$rc" = 0 -a ! -s found
	systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' fiord-night.timer)" >out 2>&1
	check "... the timer elapses every day" grep -q 'Normalized form: [*]-[*]-[*] 03:00:00' out
else
	skip "systemd reads the units" "no systemd-analyze that works here"
fi
check "nothing is enabled by the service itself" sh -c '! grep -q "^\[Install\]" fiord-night.service'
TARGET=$dir "$FIORD" check "$units/night.ini" >out 2>err
check "the job can be planned" test "$?" = 0

# ---- the commands ----
printf '[night]\nioengine=null\nsize=64m\nrw=randrw\nbs=4k\nnumber_ios=2000\n' >night.ini
[ -z "$threads" ] || echo thread >>night.ini
# systemd reads %% as % and $$ as $.
sed -n 's/^ExecStart=//p' fiord-night.service | sed 's/%%/%/g; s/[$][$]/$/g' >commands
sed -n "/ trend /p" commands >trends

night() { # FILE: runs its commands up to the first that fails
	rc=0
	while read -r line; do
		sh -c "$line" >out 2>err </dev/null
		rc=$?
		[ "$rc" = 0 ] || break
	done <"$1"
}

night commands
check "the first night passes" test "$rc" = 0
document=$(ls state/*.json)
check "... its document is kept, with the time in its name" sh -c 'echo "$1" | grep -Eqx "state/night-20[0-9]{6}T[0-9]{6}Z[.]json"' - "$document"
check "... the page is beside the documents, not among them" test -s state/page/trend.html
mv "$document" real.json
python3 "$SOURCE/t/run/trend_nights.py" make real.json state 30 0
night trends
check "a usual night passes" test "$rc" = 0
check "... and the page of the night before is no document" sh -c '! grep -q "^Left out" out'
python3 - <<'P'
import json
d = json.load(open("state/night-030.json"))
p = d["jobs"][0]["read"]["clat_ns"]["percentile"]
p["99.000000"] *= 3
json.dump(d, open("state/night-030.json", "w"))
P
night trends
check "a bad night fails" test "$rc" = 5
check "... which the journal says" grep -q '^  fails .*p99 > +25%: night read.p99' out

# A trend leaves out a document that it cannot read, so the exit code of the measurement is what tells.
python3 "$SOURCE/t/run/trend_nights.py" make real.json state 30 0
echo '{ "jobs" : [' >state/night-031.json
night trends
check "a document that is cut short is left out" test "$rc" = 0
check "... with a line in the journal" grep -q 'state/night-031.json: line 2: ' out
rm state/night-031.json
echo 'rw=nothing' >>night.ini
night commands
check "a night that cannot be measured fails before the trend" test "$rc" = 2
finish
