#!/bin/sh
# Does verify_only find each damage in each kind of block, with each setting and each engine, and name its place? verify_damage.py
# lists jobs and damages, plants the damages in the files and judges the messages.
. "$SOURCE/t/lib.sh"
requires python3
no_shm >/dev/null || {
	rm -rf "$dir"
	dir=$(mktemp -d /dev/shm/fiord-test.XXXXXX)
}

found() {
	python3 "$SOURCE/t/run/verify_damage.py" "$FIORD" "$dir" >"$dir/out" 2>"$dir/err"
}
check "all planted damages are found, with file, place and kind" found
grep ' cells, ' "$dir/out"
finish
