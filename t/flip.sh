#!/bin/sh
# flip.sh FILE OFFSET [BYTES]: flips the lowest bit of some bytes, 1 by default. A fixed byte may be the one that is there: each run
# writes other data. It is a script so that options such as exec_prerun can run it.
od -An -v -tu1 -w1 -j "$2" -N "${3:-1}" "$1" | while read -r byte; do
	# shellcheck disable=SC2059
	printf "\\$(printf %o $((byte ^ 1)))"
done | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
