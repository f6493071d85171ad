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
	check "the mark says that it is complete" sh -c 'getfattr -n user.fiord own | grep -q "size=1048576 done"'
	for how in read write; do
		rm -f altered
		run --name=x --filename=altered --size=64k --rw=$how
		echo mine >altered
		run --name=x --filename=altered --size=64k --rw=read
		check "of one made by a $how job, and altered since: refused" exits 3
		check "... it is still somebody's" same "$(cat altered)" mine
		run --name=x --filename=altered --size=4 --bs=4 --rw=read --unlink=1
		check "... and not removed" same "$(cat altered)" mine
	done
	run --name=x --filename=grown --size=64k --rw=write
	run --name=x --filename=grown --size=64k --rw=write --file_append=1
	run --name=x --filename=grown --size=1m --rw=read
	check "what fiord itself has lengthened stays fiord's" exits 0
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

# Nothing was there when the plan was made. The first wave ends when its file is cut short.
for what in link file; do
	for rw in read write; do
		start --name=a --filename=first --size=1m --rw=read --runtime=600 --time_based --eta=always --eta-interval=250 \
			--name=b --stonewall --filename=late --size=1m --rw=$rw --unlink=1
		check "the first wave runs" until_true 30 progress_shows R
		if [ $what = link ]; then ln -s other late; else cp other late; fi
		truncate -s 0 first
		wait_for_exit
		check "a $what that has appeared meanwhile is refused to $rw" says err "late: refused: another program has created it"
		check "... with exit code 1" exits 1
		check "... the bytes are still there" same "$before $before" "$(sha256sum <other) $(sha256sum <late)"
		rm -f late first
	done
done

start --name=a --filename=mine-not --size=1m --rw=write --runtime=600 --time_based --unlink=1 --eta=always --eta-interval=250
check "a job that will remove its file runs" until_true 30 progress_shows W
cp other copy
mv copy mine-not
kill -INT "$pid"
wait_for_exit
check "unlink=1 leaves a file that has taken the name since" same "$before" "$(sha256sum <mine-not)"
check "... and says so" says out "mine-not: not removed"
finish
