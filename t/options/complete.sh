#!/bin/sh
# Every option that the program calls supported has a row in a table.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
# Options whose only value today is what happens anyway: no job differs with them.
only_default="verify zonemode"

# states: names and what the program says of them, from the help's blocks.
states() {
	sed -nE 's/^ *status: /status /; s/^ *([a-z][a-z0-9_-]*): .*/name \1/; /^(name|status) /p' |
		sed -E '/^name (type|default|range|alias|values|unit)$/d'
}
supported() {
	awk '$1 == "name" { name = $2 } $0 == "status supported" { print name }'
}

cat "$SOURCE"/t/options/*.tsv | sed -n 's/^\([a-z][^#	]*\)	.*/\1/p' | sort -u >rows
"$FIORD" --cmdhelp=all >help
for engine in $("$FIORD" --enghelp | sed -n 's/^[[:space:]]\([a-z0-9_]*\) .*/\1/p'); do
	"$FIORD" --enghelp="$engine" | sed 1d
done >>help
states <help >list
supported <list | sort -u >options
flags() {
	"$FIORD" --help | grep -oE -- '--[a-z][a-z-]*' | sed 's/^--//'
}
{
	sed -n 's/^name //p' list
	flags
} | sort -u >names
check "there are options" test "$(wc -l <options)" -gt 80
check "those of engines, too" grep -q '^sqthread_poll$' options
for name in $only_default; do
	echo "$name"
done | sort | cat rows - | sort -u >done
comm -23 options done >missing
check "every option has a row: $(tr '\n' ' ' <missing)" empty missing
comm -13 names rows >strange
check "no row is of an option that does not exist: $(tr '\n' ' ' <strange)" empty strange
finish
