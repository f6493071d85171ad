#!/bin/sh
# readme.sh [OPTION... FIORD]: runs fiord-bench --ratios and puts what it prints into the README. For a machine that does
# nothing else. --from FILE instead: what has been printed before.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp)
trap 'rm -f "$tmp" "$tmp.new"' EXIT
if [ "${1-}" = --from ]; then
	cat "$2" >"$tmp"
else
	[ $# -gt 0 ] || set -- "$top/build/src/fiord"
	"$top/build/t/bench/fiord-bench" --ratios "$@" | tee "$tmp"
fi
awk -v table="$tmp" '
	$0 == "<!-- /bench -->" { inside = 0 }
	!inside { print }
	$0 == "<!-- bench -->" {
		inside = 1
		while ((getline line < table) > 0)
			print line
	}' "$top/README.md" >"$tmp.new"
cat "$tmp.new" >"$top/README.md"
