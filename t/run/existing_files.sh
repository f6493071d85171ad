#!/bin/sh
# Does a read job keep files that fiord has not created? Short files are refused with advice; the test compares checksums.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

head -c 100000 /dev/urandom >mine
before=$(sha256sum <mine)
for rw in read randread; do
	run --name=x --filename=mine --size=1m --rw=$rw
	check "$rw of a file that is too short exits 3" exits 3
	check "... with one line of error" lines err 1
	check "... that advises allow_write" says err "allow_write=mine"
	check "... and the file keeps its content" same "$before" "$(sha256sum <mine)"
done
run --name=x --filename=mine --size=64k --rw=read
check "an existing file can be read as far as it goes" exits 0
check "... and keeps its content" same "$before" "$(sha256sum <mine)"
run --name=x --filename=mine --size=1m --rw=read --allow_mounted_write=1
check "allow_mounted_write alone does not permit the layout" exits 3
run --name=x --filename=mine --size=1m --rw=read --allow_write=other
check "allow_write of another file does not permit the layout" exits 3
check "... and the file keeps its content" same "$before" "$(sha256sum <mine)"
run --name=x --filename=mine --size=1m --rw=read --allow_write=mine
check "allow_write of the file permits the layout" exits 0
check "... up to size" same "$(stat -c %s mine)" 1048576

# Verification of earlier data neither creates nor extends a file, whoever made it.
run --name=x --filename=made --size=64k --rw=write
for how in "--rw=write --verify_only" "--rw=randrw --verify_only" "--rw=randread"; do
	# shellcheck disable=SC2086
	run --name=x --filename=missing --size=64k --verify=crc32c $how
	check "$how of a missing file exits 3" exits 3
	check "... with one line of error" lines err 1
	check "... that says so" says err "missing: does not exist, but the job checks data in it"
	check "... and creates nothing" test ! -e missing
	before=$(sha256sum <made)
	# shellcheck disable=SC2086
	run --name=x --filename=made --size=1m --verify=crc32c $how
	check "$how of a file that is too short exits 3" exits 3
	check "... with one line of error" lines err 1
	check "... that has both lengths" says err "made: has 64 KiB, the job checks 1 MiB"
	check "... and the file keeps its content" same "$before" "$(sha256sum <made)"
done

# Files that fiord created have its mark and may grow.
run --name=x --filename=own --size=64k --rw=read
check "a missing file is created" same "$(stat -c %s own)" 65536
if command -v getfattr >/dev/null && getfattr -n user.fiord own >/dev/null 2>&1; then
	run --name=x --filename=own --size=1m --rw=read
	check "a file with fiord's mark is laid out again" exits 0
	check "... up to size" same "$(stat -c %s own)" 1048576
	check "the mark says that the file is complete" sh -c 'getfattr -n user.fiord own | grep -q "size=1048576 time=$(stat -c %.9Y own) done"'
	for how in read write; do
		rm -f altered
		run --name=x --filename=altered --size=64k --rw=$how
		echo mine >altered
		run --name=x --filename=altered --size=64k --rw=read
		check "a file of a $how job that another program changed is refused" exits 3
		check "... and keeps its content" same "$(cat altered)" mine
		run --name=x --filename=altered --size=4 --bs=4 --rw=read --unlink=1
		check "... and unlink=1 does not remove it" same "$(cat altered)" mine
	done
	run --name=x --filename=altered --size=64k --rw=write
	printf mine | dd of=altered conv=notrunc 2>/dev/null
	before=$(cksum <altered)
	run --name=x --filename=altered --size=64k --rw=write
	check "a file that another program changed without changing its length is refused" says err "it has changed since fiord marked it"
	check "... and keeps its content" same "$before" "$(cksum <altered)"
	run --name=x --filename=altered --size=64k --rw=read --unlink=1
	check "... and unlink=1 does not remove it" same "$before" "$(cksum <altered)"
	# A worker writes when it or the whole run is killed. Only in the first case somebody is left to complete the mark.
	for who in worker run; do
		rm -f killed
		start --name=x --filename=killed --size=1m --rw=write --time_based --runtime=600 --eta=always --eta-interval=250
		check "the job writes" until_true 30 progress_shows W
		worker=$(children "$pid" | head -n 1)
		if [ $who = worker ]; then kill -KILL "$worker"; else kill -KILL "$pid"; fi
		wait_for_exit 2>/dev/null
		check "... and is killed" until_true 30 sh -c "! kill -0 $worker 2>/dev/null"
		[ $who = worker ] || echo mine >killed
		before=$(cksum <killed)
		run --name=x --filename=killed --size=4m --rw=read
		if [ $who = worker ]; then
			check "the file of a killed worker is laid out again" same "0 4194304" "$rc $(stat -c %s killed)"
			continue
		fi
		check "what a user put into the file of a killed run is not laid out again" exits 3
		check "... and stays" same "$before" "$(cksum <killed)"
		run --name=x --filename=killed --size=4 --bs=4 --rw=read --unlink=1
		check "... and unlink=1 does not remove it" same "$before" "$(cksum <killed)"
		run --name=x --filename=killed --size=4k --rw=write
		check "... and no job writes to it" says err "it has changed since fiord marked it"
	done
	# The file holds nothing when the run begins, and a user fills it before its wave.
	truncate -s 1m late
	start --name=a --filename=first --size=1m --rw=read --runtime=600 --time_based --eta=always --eta-interval=250 \
		--name=b --stonewall --filename=late --size=1m --rw=write --name=c --filename=beside --size=64k --rw=write
	check "the first wave runs" until_true 30 progress_shows R
	echo mine >late
	truncate -s 0 first
	wait_for_exit
	check "a file that somebody fills before its wave is refused" says err "late: refusing to write: another program has changed it"
	check "... with exit code 1" exits 1
	check "... and keeps its content" same "$(cat late)" mine
	check "... also its mark does not come back" sh -c '! getfattr -n user.fiord late 2>/dev/null'
	check "... and the job beside it writes its own file" same "$(stat -c %s beside)" 65536
	rm -f late first beside
	run --filename=twice --size=64k --name=x --rw=write --name=y --stonewall --rw=randwrite --name=z --stonewall --rw=read --unlink=1
	check "waves may write to one file in turn" exits 0
	check "... and the last one removes it" test ! -e twice
	run --name=x --filename=grown --size=64k --rw=write
	run --name=x --filename=grown --size=64k --rw=write --file_append=1
	run --name=x --filename=grown --size=1m --rw=read
	check "a file that fiord appended to keeps its mark" exits 0
	setfattr -x user.fiord own
	run --name=x --filename=own --size=2m --rw=read
	check "a file without the mark is refused" exits 3
else
	skip "files with fiord's mark" "no extended attributes in $dir"
fi

head -c 100000 /dev/urandom >other
ln -s other link
before=$(sha256sum <other)
run --name=x --filename=link --size=1m --rw=read
check "a file behind a symbolic link is refused, too" exits 3
check "... and keeps its content" same "$before" "$(sha256sum <other)"

# The plan finds no file, another program creates it during the first wave, and the second wave must refuse it. The first wave
# ends when its file is cut short.
for what in link file; do
	for rw in read write; do
		start --name=a --filename=first --size=1m --rw=read --runtime=600 --time_based --eta=always --eta-interval=250 \
			--name=b --stonewall --filename=late --size=1m --rw=$rw --unlink=1
		check "the first wave runs" until_true 30 progress_shows R
		if [ $what = link ]; then ln -s other late; else cp other late; fi
		truncate -s 0 first
		wait_for_exit
		check "a $what that appeared after the plan is refused to $rw" says err "late: refused: another program has created it"
		check "... with exit code 1" exits 1
		check "... and the files keep their content" same "$before $before" "$(sha256sum <other) $(sha256sum <late)"
		rm -f late first
	done
done

start --name=a --filename=mine-not --size=1m --rw=write --runtime=600 --time_based --unlink=1 --eta=always --eta-interval=250
check "a job with unlink=1 runs" until_true 30 progress_shows W
cp other copy
mv copy mine-not
kill -INT "$pid"
wait_for_exit
check "unlink=1 keeps a file that replaced its own" same "$before" "$(sha256sum <mine-not)"
check "... and a note says so" says out "mine-not: not removed"
finish
