#!/bin/sh
# A read job never rewrites a file that is not fiord's own: it refuses a short one, and says what would help.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

head -c 100000 /dev/urandom >mine
before=$(sha256sum <mine)
for rw in read randread; do
	run --name=x --filename=mine --size=1m --rw=$rw
	check "$rw of a file that is too short exits 3" exits 3
	check "... in one line that names it" lines err 1
	check "... and says allow_write" says err "allow_write=mine"
	check "... and leaves its bytes alone" same "$before" "$(sha256sum <mine)"
done
run --name=x --filename=mine --size=64k --rw=read
check "what there is can be read" exits 0
check "... and stays as it is" same "$before" "$(sha256sum <mine)"
run --name=x --filename=mine --size=1m --rw=read --allow_mounted_write=1
check "allow_mounted_write alone opens nothing" exits 3
run --name=x --filename=mine --size=1m --rw=read --allow_write=other
check "allow_write of another file opens nothing" exits 3
check "... the bytes are still there" same "$before" "$(sha256sum <mine)"
run --name=x --filename=mine --size=1m --rw=read --allow_write=mine
check "allow_write of this file lays it out anew" exits 0
check "... as long as asked" same "$(stat -c %s mine)" 1048576

# Files that fiord made carry its mark and may grow.
run --name=x --filename=own --size=64k --rw=read
check "a missing file is made" same "$(stat -c %s own)" 65536
if command -v getfattr >/dev/null && getfattr -n user.fiord own >/dev/null 2>&1; then
	run --name=x --filename=own --size=1m --rw=read
	check "a file with fiord's mark is laid out anew" exits 0
	check "... as long as asked" same "$(stat -c %s own)" 1048576
	setfattr -x user.fiord own
	run --name=x --filename=own --size=2m --rw=read
	check "without its mark it is someone else's" exits 3
else
	skip "files with fiord's mark" "no extended attributes in $dir"
fi

head -c 100000 /dev/urandom >other
ln -s other link
before=$(sha256sum <other)
run --name=x --filename=link --size=1m --rw=read
check "a symbolic link does not get around it" exits 3
check "... the bytes are still there" same "$before" "$(sha256sum <other)"
finish
