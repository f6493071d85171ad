#!/bin/sh
# Do the manual pages exist, does man show them without a warning, and do they describe each option?
. "$SOURCE/t/lib.sh"
[ -f "$MAN/fiord.1" ] || skip_all "no manual was built (no scdoc)"

for page in fiord.1 fiord-job.5 fiord-diskspd.1 fiord-compare.1 fiord-merge.1 fiord-dist.1 fiord-peak.1 fiord-trace.1 fiord-trend.1 fiord-preset.1 fiord-report.1 fiord-differences.7 fiord-verify.7; do
	check "$page exists" test -s "$MAN/$page"
	check "$page switches hyphenation off, so that option names stay whole" grep -q '^\.nr HY 0' "$MAN/$page"
	if command -v man >/dev/null && man --version >/dev/null 2>&1; then
		MANWIDTH=100 man --warnings -l "$MAN/$page" >"$dir/out" 2>"$dir/err" </dev/null
		rc=$?
		check "man shows $page" test "$rc" = 0 -a "$(wc -l <"$dir/out")" -gt 20
		check "man shows $page without a warning" empty "$dir/err"
	else
		skip "man shows $page" "no man"
	fi
done

# Each supported option is in the manual.
"$FIORD" --cmdhelp | sed -n 's/^\([a-z][a-z0-9_-]*\) .*/\1/p' >"$dir/options"
check "--cmdhelp lists options" test -s "$dir/options"
while read -r name; do
	check "$name is in fiord-job.5" grep -qE "(^|[^a-z_])$(echo "$name" | sed 's/[_-]/.?[_-]/g')([^a-z_]|$)" "$MAN/fiord-job.5"
done <"$dir/options"

# An optional value stands in brackets.
check "write_lat_log has an optional prefix" grep -q 'write_lat_log.fR\[=.fIprefix.fR\]' "$MAN/fiord-job.5"

# Each example that the topics name exists.
sed -n '/^# OPTIONS BY TOPIC/,/^# VALUES/p' "$SOURCE/man/fiord-job.5.scd" | tr '\n\t' '  ' | grep -oE 'Examples?: [^.]*' |
	sed 's/Examples*: //' | tr -d ' \\' | tr , '\n' >"$dir/examples"
check "the topics name more than 30 examples" test "$(wc -l <"$dir/examples")" -gt 30
while read -r name; do
	check "examples/$name.ini exists" test -s "$SOURCE/examples/$name.ini"
done <"$dir/examples"

# Each kind of verify, and each damage that it finds, is in its page.
{
	sed -n 's/^	\[VERIFY_[A-Z0-9_]*\] *= { "\(..*\)", .*/\1/p' "$SOURCE/src/gen/verify_digest.c" | grep -v '^0$'
	sed -n 's/^	\[DAMAGE_[A-Z_]*\] *= { "\(.*\)", .*/\1/p' "$SOURCE/src/gen/verify_check.c" | grep -v '^intact$'
} >"$dir/names"
check "verify has more than 30 kinds and damages" test "$(wc -l <"$dir/names")" -gt 30
while read -r name; do
	check "$name is in fiord-verify.7" grep -qF "*$name*" "$SOURCE/man/fiord-verify.7.scd"
done <"$dir/names"

# Each option of DISKSPD is in its page.
"$FIORD" diskspd '-?' | sed -nE 's/^  (-[A-Za-z:?]+).*/\1/p' >"$dir/options"
check "the usage lists more than 40 options of DISKSPD" test "$(wc -l <"$dir/options")" -gt 40
while read -r name; do
	check "$name is in fiord-diskspd.1" grep -qE "^.fB.?$(echo "$name" | sed 's/[?]/[?]/g')" "$MAN/fiord-diskspd.1"
done <"$dir/options"
finish
