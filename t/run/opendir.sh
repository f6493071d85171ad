#!/bin/sh
# Does opendir use exactly the files that are below the directory, in a stable order, and leave all of them alone unless allow_write
# permits writes? find(1) and sha256sum(1) give the expected values.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

mkdir -p tree/b/c tree/a.d outside
for file in tree/f1.dat tree/f2.dat tree/b/g1 tree/b/c/h.dat tree/a.d/i; do
	head -c 8192 /dev/urandom >"$file"
done
head -c 8192 /dev/urandom >outside/secret
echo short >tree/short
: >tree/empty
ln -s ../outside tree/out
ln -s f1.dat tree/link
ln -s /dev/zero tree/zero
mkfifo tree/pipe
[ "$(id -u)" != 0 ] || mknod tree/null c 1 3 2>/dev/null
sums() {
	find tree outside -type f | sort | xargs sha256sum
}
before=$(sums)

# planned OPTION...: prints the files of the plan, in their order.
planned() {
	"$FIORD" check --name=x --opendir=tree --bs=4k "$@" | sed -n 's/^    \(tree[^ ]*\) (file).*/\1/p' | tr '\n' ' '
}

all="tree/a.d/i tree/b/c/h.dat tree/b/g1 tree/f1.dat tree/f2.dat "
check "the plan has the regular files, sorted by path" same "$(planned --rw=read)" "$all"
check "... again" same "$(planned --rw=read)" "$all"
check "a slash at the end changes nothing else" same "$("$FIORD" check --name=x --opendir=tree/ --bs=4k | grep -c '^    tree/.* (file)')" 5
run check --name=x --opendir=tree --bs=4k
check "the plan counts them" says out "opendir=tree: 5 files, 40 KiB"
check "... and a note counts those without a whole block" says out "2 of 7 files are left out"
ln -s tree top
check "the directory itself may be a link" same "$("$FIORD" check --name=x --opendir=top --bs=4k | grep -c '^    top/.* (file)')" 5

# A pattern may be long: one with 300 stars excludes the same files. A longer list than the limit is refused.
stars=$(printf '%300s' '' | tr ' ' '*')
check "a long pattern excludes" same "$(planned --rw=read "--opendir_match=!f$stars")" "tree/a.d/i tree/b/c/h.dat tree/b/g1 "
run check --name=x --opendir=tree --bs=4k "--opendir_match=!$(printf '%5000s' '' | tr ' ' x)"
check "a list of 5000 bytes is refused" exits 2
for engine in psync libaio io_uring mmap; do
	"$FIORD" --name=x --filename=outside/secret --ioengine=$engine --rw=read >/dev/null 2>&1 || {
		skip "$engine" "it does not run here"
		continue
	}
	run --name=x --opendir=tree --bs=4k --ioengine=$engine --rw=randread --openfiles=2 --output-format=json
	check "$engine reads each block once, with two files open at a time" json out '.jobs[0].read.total_ios == 10'
done
run --name=x --opendir=tree --ioengine=filestat --output-format=json
check "filestat uses the short files, too" json out '.jobs[0].read.total_ios == 7'
run --name=x --opendir=tree --bs=4k --rw=read --size=12k --output-format=json
check "size limits the I/O" json out '.jobs[0].read.total_ios == 3'
run --name=x --opendir=tree --bs=4k --rw=read --numjobs=3 --output-format=json
check "all workers use all files" json out '[.jobs[].read.total_ios] | add == 30'
run --name=x --opendir=tree --bs=4k --rw=read --size=1g
check "a job that reads extends no file" exits 0
check "nothing was changed so far" same "$before" "$(sums)"

# Patterns.
while IFS='|' read -r match files; do
	check "opendir_match=$match" same "$(planned "--opendir_match=$match")" "$files"
done <<-'END'
	*.dat|tree/b/c/h.dat tree/f1.dat tree/f2.dat 
	*.dat:!f2*|tree/b/c/h.dat tree/f1.dat 
	!*.dat|tree/a.d/i tree/b/g1 
	b/*|tree/b/c/h.dat tree/b/g1 
	f[2-9].dat:i|tree/a.d/i tree/f2.dat 
	!b/*:*.dat|tree/f1.dat tree/f2.dat 
END

# Writes.
for rw in write randrw trim; do
	run --name=x --opendir=tree --bs=4k --rw=$rw
	check "rw=$rw is refused" exits 3
	check "... in one line" lines err 1
	check "... that names the way out" says err "allow_write=tree permits"
done
run --name=x --opendir=tree --bs=4k --rw=write --allow_write=tree/f1.dat
check "allow_write of one file does not permit the others" exits 3
check "no file was changed" same "$before" "$(sums)"
run --name=x --opendir=tree --bs=4k --rw=write --allow_write=tree --verify=crc32c --output-format=json
check "allow_write of the directory permits writes, with verification" json out '.jobs[0].fiord.verify | .checked == 10 and .damaged == 0'
check "... which leave the lengths" same "$(find tree -type f -size 8192c | wc -l)" 5
check "... and the files outside" same "$(echo "$before" | grep outside)" "$(sums | grep outside)"
check "... and the short files" same "$(cat tree/short)" short

# Contradictions and mistakes.
mkdir bare
count=$(find . -type f | wc -l)
while IFS='|' read -r code args text; do
	# shellcheck disable=SC2086
	run --name=x --bs=4k --rw=read $args
	check "$args is refused" exits "$code"
	check "... in one line" lines err 1
	check "... with the reason" says err "$text"
done <<-END
	2|--opendir=tree --filename=f|opendir=tree: the job takes the files that are there, as they are; leave out filename
	2|--opendir=tree --nrfiles=4|leave out nrfiles
	2|--opendir=tree --directory=.|leave out directory
	2|--opendir=tree --filesize=4k|leave out filesize
	2|--opendir=tree --unlink=1|leave out unlink
	2|--opendir=tree --offset=4k|leave out offset
	2|--opendir_match=*|opendir_match
	2|--opendir=tree --ioengine=null|the engine null does no I/O on existing files
	2|--opendir=tree --ioengine=filedelete|the engine filedelete does no I/O on existing files
	2|--opendir=bare|there is no regular file below this directory
	2|--opendir=outside --bs=1m|none of its 1 files has a whole block
	2|--opendir=tree --opendir_match=*.none|matches none of the
	3|--opendir=missing|missing: the directory cannot be read: No such file or directory
	3|--opendir=tree/short|tree/short: the directory cannot be read: Not a directory
END
check "nothing was created" same "$(find . -type f | wc -l)" "$count"

# The cost of a million files: the mounts are not read again for each file.
mount_reads() {
	straced -f -o trace -e trace=openat "$FIORD" $threads --name=x --opendir="$1" --bs=4k --number_ios=1 >out 2>err
	grep -c mountinfo trace
}
if command -v strace >/dev/null && straced -o /dev/null true 2>/dev/null && [ "$SANITIZE" = none ]; then
	mkdir few many
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		head -c 4096 /dev/zero >many/$i
	done
	cp many/1 many/2 few
	check "twenty files read the mounts as often as two" test "$(mount_reads many)" = "$(mount_reads few)"

	# Most files take one call: 5000 files more take fewer than three calls each, with those that are searched for holes.
	mkdir thousands
	head -c 20480000 /dev/zero | split -b 4096 -a 4 - thousands/f
	calls() {
		straced -o trace "$FIORD" check --name=x --opendir="$1" --bs=4k >out 2>err
		wc -l <trace
	}
	few=$(calls few) thousands=$(calls thousands)
	check "5000 files take $((thousands - few)) calls more than two, so fewer than three each" \
		test $((thousands - few)) -lt 15000
	rm -r thousands
else
	skip "the mounts are not read for each file" "no strace"
fi
finish
