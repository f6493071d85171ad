#!/bin/sh
# The manual pages are built, and can be shown without a complaint.
. "$SOURCE/t/lib.sh"
[ -f "$MAN/fiord.1" ] || skip_all "no manual was built (no scdoc)"

for page in fiord.1 fiord-job.5 fiord-diskspd.1 fiord-differences.7; do
	check "$page is there" test -s "$MAN/$page"
	check "$page breaks no option's name by a hyphen" grep -q '^\.nr HY 0' "$MAN/$page"
	if command -v man >/dev/null && man --version >/dev/null 2>&1; then
		MANWIDTH=100 man --warnings -l "$MAN/$page" >"$dir/out" 2>"$dir/err" </dev/null
		rc=$?
		check "$page can be shown" test "$rc" = 0 -a "$(wc -l <"$dir/out")" -gt 20
		check "$page shows without a complaint" empty "$dir/err"
	else
		skip "$page can be shown" "no man"
	fi
done

# Every option that works has its place in the manual.
"$FIORD" --cmdhelp | sed -n 's/^\([a-z][a-z0-9_-]*\) .*/\1/p' >"$dir/options"
check "there are options" test -s "$dir/options"
while read -r name; do
	check "$name is in fiord-job.5" grep -qE "(^|[^a-z_])$(echo "$name" | sed 's/[_-]/.?[_-]/g')([^a-z_]|$)" "$MAN/fiord-job.5"
done <"$dir/options"

# A value that may be left out is shown as such.
check "write_lat_log may have a prefix" grep -q 'write_lat_log.fR\[=.fIprefix.fR\]' "$MAN/fiord-job.5"

# Every example that the topics name is there.
sed -n '/^# OPTIONS BY TOPIC/,/^# VALUES/p' "$SOURCE/man/fiord-job.5.scd" | tr '\n\t' '  ' | grep -oE 'Examples?: [^.]*' |
	sed 's/Examples*: //' | tr -d ' \\' | tr , '\n' >"$dir/examples"
check "there are examples" test "$(wc -l <"$dir/examples")" -gt 30
while read -r name; do
	check "examples/$name.ini is there" test -s "$SOURCE/examples/$name.ini"
done <"$dir/examples"

# Every option of DISKSPD has its place in its page.
"$FIORD" diskspd '-?' | sed -nE 's/^  (-[A-Za-z:?]+).*/\1/p' >"$dir/options"
check "there are options of DISKSPD" test "$(wc -l <"$dir/options")" -gt 40
while read -r name; do
	check "$name is in fiord-diskspd.1" grep -qE "^.fB.?$(echo "$name" | sed 's/[?]/[?]/g')" "$MAN/fiord-diskspd.1"
done <"$dir/options"
finish
