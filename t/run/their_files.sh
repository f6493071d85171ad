#!/bin/sh
# Does fiord keep a file that it did not create, and that a job names? cksum is the witness. A file that holds nothing may be
# written, and so may any file under the name fio, except those of the running system.
. "$SOURCE/t/lib.sh"
requires cksum
cd "$dir" || exit 1

ln -s "$FIORD" fio
head -c 65536 /dev/urandom >theirs
ln -s theirs link
mkdir sub
before=$(cksum <theirs)
# Eight workers end at the same time. If two of them mark the file, the mark of an older state must not stay.
repeated() {
	for _ in $(seq 100); do
		run --name=x --filename=shared --size=16k --bs=4k --rw=randrw --numjobs=8 --thread
		[ "$rc" = 0 ] || return 1
	done
}
written() { # FILE: its first byte is not 0
	[ "$(head -c 1 "$1" | tr -d '\0' | wc -c)" = 1 ]
}
touch_nothing="the file keeps its content"

# as_fio ARG...: runs the program under the name fio.
as_fio() {
	./fio "$@" >out 2>err </dev/null
	rc=$?
}

not() { # COMMAND...
	! "$@"
}

# refused LABEL TEXT ARG...: the run exits 3 with TEXT in its one line of error, and theirs keeps its content and length.
refused() {
	label=$1 text=$2
	shift 2
	run "$@"
	check "$label is refused" exits 3
	check "... because $text" says err "$text"
	check "... and $touch_nothing" same "$before" "$(cksum <theirs)"
}

job="--name=x --size=64k"
data="it has data, and fiord did not create it (64 KiB,"
# shellcheck disable=SC2086
for how in --rw=write --rw=randrw --rw=randtrim "--rw=write --file_append=1" "--rw=write --offset=1m" "--rw=write --ioengine=mmap" \
	"--rw=write --verify=crc32c" "--rw=write --fallocate=none --overwrite=1" "--rw=write --unlink=1" "--rw=write --create=always" \
	"--ioengine=falloc --rw=write" "--rw=write --create_only=1" "--rw=write --create_on_open=1" "--rw=write --fill_device=1"; do
	refused "$how" "$data" $job --filename=theirs $how
done
for name in link "$PWD/sub/../theirs" ./theirs new:theirs; do
	refused "the name $name" "$data" --name=x --size=64k --filename="$name" --rw=write
done
check "... and no other file was created" test ! -e new
refused "a second job, behind a good one" "$data" --name=a --filename=new --size=64k --rw=write --name=b --stonewall \
	--filename=theirs --size=64k --rw=write
check "... and the first job did not begin" test ! -e new
refused "allow_write of another file" "allow_write=theirs to overwrite" --name=x --filename=theirs --size=64k --rw=write --allow_write=fio
check "... with one line of error" lines err 1
refused "a thread_group" "$data" --thread --thread_group=g --size=64k --name=a --filename=new --rw=write --name=b --filename=theirs \
	--rw=write

# One rule for all verbs.
refused "check" "$data" check --name=x --filename=theirs --size=64k --rw=write
refused "a preset" "$data" preset latency --filename=theirs --size=64k --runtime=1
refused "a sweep" "$data" sweep -d curve --sweep iodepth=1,2 --name=x --filename=theirs --size=64k --rw=write
check "... before its first point" test ! -e curve
run diskspd -w100 -b4K -d1 -W0 theirs
check "a DISKSPD line is refused" exits 3
check "... with the option that permits it" says err "--allow_write=theirs to overwrite"
check "... and $touch_nothing" same "$before" "$(cksum <theirs)"
# shellcheck disable=SC2086
for how in --rw=read "--rw=write --verify=crc32c --verify_only"; do
	run $job --filename=theirs $how
	check "$how is not refused" not exits 3
	check "... and $touch_nothing" same "$before" "$(cksum <theirs)"
done

# What is permitted.
run diskspd -w100 -b4K -d1 -W0 --allow_write=theirs theirs
check "a DISKSPD line with --allow_write runs" exits 0
for how in --allow_write=theirs --allow_write=link --allow_write="$PWD/theirs"; do
	head -c 65536 /dev/urandom >theirs
	before=$(cksum <theirs)
	# shellcheck disable=SC2086
	run $job --filename=theirs --rw=write "$how"
	check "$how permits it" exits 0
	check "... the file is written" not same "$before" "$(cksum <theirs)"
	check "... and a note says so" says out "overwrites theirs, a file that fiord did not create: 64 KiB"
done
cp theirs x.0.0
# shellcheck disable=SC2086
run $job --directory=. --rw=write
check "a generated name is written" exits 0
check "... with a note" says out "overwrites ./x.0.0, a file that fiord did not create"
head -c 65536 /dev/urandom >theirs
before=$(cksum <theirs)
# shellcheck disable=SC2086
as_fio $job --filename=theirs --rw=write
check "under the name fio the file is written" exits 0
check "... with a note" says out "overwrites theirs, a file that fiord did not create"
check "... in fact" not same "$before" "$(cksum <theirs)"

# Files that hold nothing. fiord marks them as its own when it writes to them.
: >empty
truncate -s 1m hole
truncate -s 1m part
printf x | dd of=part bs=1 seek=500000 conv=notrunc 2>/dev/null
marks=true
setfattr -n user.fiord-test -v 1 link 2>/dev/null || marks=false
for name in empty hole; do
	# shellcheck disable=SC2086
	run $job --filename=$name --rw=write
	check "a file that is $name is written" exits 0
	check "... without a note" not says out "did not create"
	if $marks; then
		# shellcheck disable=SC2086
		run $job --filename=$name --rw=write
		check "... and is fiord's own from then on" exits 0
		cat theirs >>$name
		# shellcheck disable=SC2086
		run $job --filename=$name --rw=write
		check "... until another program changes its length" exits 3
	fi
done
before=$(cksum <part)
# shellcheck disable=SC2086
run $job --filename=part --rw=write
check "one byte between two holes is data" exits 3
check "... and stays" same "$before" "$(cksum <part)"
if $marks; then
	check "a file that several workers write stays fiord's own" repeated
	"$FIORD" --name=x --filename=busy --size=64k --rw=write --buffer_pattern=1 --time_based --runtime=600 --rate_iops=100 --output=first </dev/null &
	first=$!
	until_true 60 written busy 2>/dev/null
	# shellcheck disable=SC2086
	run $job --filename=busy --rw=write
	check "a file that another run writes is refused" exits 3
	check "... with the reason" says err "or a run of fiord that has not ended or was killed"
	kill $first
	wait $first
	# shellcheck disable=SC2086
	run $job --filename=busy --rw=write
	check "... but not when that run has ended" exits 0
	# shellcheck disable=SC2086
	run $job --filename=own --rw=write
	# shellcheck disable=SC2086
	run $job --filename=own --rw=randwrite
	check "a file that fiord created is written again" exits 0
	ln own own-hard
	# shellcheck disable=SC2086
	run $job --filename=own-hard --rw=randwrite
	check "... by any of its names" exits 0
else
	skip "files with fiord's mark" "no extended attributes in $dir"
fi

# Files of the running system: /etc is an empty file system that only these processes see.
cat >in_system.sh <<'END'
mount -t tmpfs none /etc || exit 77
head -c 4096 /dev/urandom >/etc/theirs
: >/etc/empty
ln -s /etc/theirs into
mkdir bound && mount --bind /etc bound
mkdir /etc/sub && cp /etc/theirs /etc/sub/theirs
mkdir within && mount --bind /etc/sub within
: >single && mount --bind /etc/theirs single
cksum </etc/theirs >before
kept() {
	cksum </etc/theirs | cmp -s - before && cmp -s /etc/theirs /etc/sub/theirs && [ ! -s /etc/empty ] && echo kept
}
for name in /etc/theirs /etc/empty into bound/theirs ../../../../../../../../../etc/theirs within/theirs ./single; do
	for program in "$FIORD" ./fio; do
		"$program" --name=x --filename="$name" --size=4k --rw=write >out 2>err </dev/null
		echo "$? $program $name $(kept) $(cat err)"
	done
done
"$FIORD" --name=x --directory=/etc --filename_format=theirs --size=4k --rw=write >out 2>err </dev/null
echo "$? generated $(kept) $(cat err)"
"$FIORD" --name=x --filename=/etc/theirs --allow_write=/etc/theirs --size=4k --rw=write >out 2>err </dev/null
echo "$? allowed $(cksum </etc/theirs | cmp -s - before || echo written)"
END
if unshare --mount --map-root-user sh -c 'mount -t tmpfs none /etc' 2>/dev/null; then
	FIORD=$FIORD unshare --mount --map-root-user sh in_system.sh >system 2>&1
	check "15 runs on files of the system are refused" same 15 "$(grep -c 'kept.*: refusing to write: it is a file of the running system' system)"
	check "... the names of fiord exit 3, those of fio 1" same "8 7" "$(grep -c '^3 ' system) $(grep -c '^1 .*/fio ' system)"
	check "... allow_write permits it" same "0 allowed written" "$(tail -n 1 system)"
	[ "$failures" = 0 ] || cat system
else
	skip "files of the running system" "no mount namespace"
fi
# Without /proc nobody can tell what a mount shows.
if [ "$SANITIZE" = none ] && unshare --mount --map-root-user sh -c 'mkdir hidden && mount -t tmpfs none hidden && cp theirs hidden &&
	mount -t tmpfs none /proc && ! ./fio --name=x --filename=hidden/theirs --size=4k --rw=write >out 2>err && cmp theirs hidden/theirs'; then
	check "without /proc a file of another mount may be one of the system" says err "may be a file of the running system, because /proc is not"
else
	skip "a file of another mount without /proc" "sanitizers need it, or no mount namespace"
fi
rm -f linked
if ln theirs linked 2>/dev/null && [ "$(stat -c %d linked)" = "$(stat -c %d /usr)" ]; then
	# shellcheck disable=SC2086
	as_fio $job --filename=linked --rw=write
	check "under the name fio a file with several names may be one of the system" says err "one may be that of a file of the running system"
else
	skip "a file with several names" "$dir is not on the file system of /usr"
fi
finish
