#!/bin/sh
# Layout: do read jobs find files full of data, and do fallocate, overwrite and create_on_open change the files as documented?
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

kib() { # FILE: its allocated KiB
	echo $(($(stat -c %b "$1") / 2))
}

run --name=x --filename=f --size=1m --rw=randread
check "a read job lays out its file" says out "x: Laying out IO file (1 file / 1MiB)"
check "... with data that gzip cannot compress" test "$(gzip -c f | wc -c)" -gt 1040000
run --name=x --filename=f --size=1m --rw=randread
check "... only once" sh -c '! grep -q "Laying out" out'
run --name=x --directory=. --size=2m --nrfiles=4 --rw=read
check "one line reports the layout of four files" says out "(4 files / 2MiB)"
run --name=x --filename=shared --size=1m --rw=read --numjobs=3
check "a shared file is laid out once" same "$(grep -c 'Laying out' out)" 1

run --name=x --filename=w --size=1m --rw=write --number_ios=1 --fallocate=none
check "fallocate=none leaves the length to the writes" same "$(stat -c %s w)" 4096
rm -f w
run --name=x --filename=w --size=1m --rw=write --number_ios=1 --fallocate=truncate
check "fallocate=truncate sets the length" same "$(stat -c %s w)" 1048576
check "... and allocates less than half" test "$(kib w)" -lt 512
rm -f w
run --name=x --filename=w --size=1m --rw=write --number_ios=1
check "fallocate=native allocates the file" test "$(kib w)" -ge 1024
rm -f w
run --name=x --filename=w --size=1m --rw=write --number_ios=1 --fallocate=keep
check "fallocate=keep does not change the length" test "$(stat -c %s w)" -le 4096
rm -f w
run --name=x --filename=w --size=1m --rw=randwrite --number_ios=1 --overwrite=1
check "overwrite=1 fills the file first" test "$(gzip -c w | wc -c)" -gt 1040000
rm -f w
run --name=x --filename=w --size=1m --rw=write --create_on_open=1 --fallocate=none
check "with create_on_open=1 the first I/O creates the file" same "$rc $(stat -c %s w)" "0 1048576"
run --name=x --filename=sub/dir/w --size=64k --rw=write
check "a missing directory is created or refused" test "$rc" = 0 -a -f sub/dir/w -o "$rc" = 3
rm -f x.0.*
# shellcheck disable=SC2016,SC2086
check "100 files are laid out where 32 may be open" sh -c 'ulimit -n 32 && exec "$0" "$@" >out 2>err' "$FIORD" \
	--name=x --size=1m --nrfiles=100 --openfiles=5 --rw=read $threads
check "... all of them" same "$(find . -name 'x.0.*' -size +9k | wc -l)" 100
run --name=x --filename=together --size=64k --rw=write --create_on_open=1 --numjobs=20 --fallocate=none --unlink=0
check "workers that open a missing file at the same time share it" exits 0
finish
