#!/bin/sh
# readme.sh [OPTION... FIORD]: runs fiord-bench --ratios and puts its table into README.md in this directory. Run it on an idle machine.
# readme.sh --from FILE takes a table from a file.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
readme=${README:-$top/t/bench/README.md}
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
	}' "$readme" >"$tmp.new"
cat "$tmp.new" >"$readme"
