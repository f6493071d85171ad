#!/bin/sh
# Does a later run know what a killed one has written? SIGKILL of the whole process group at random points: the run that loads
# the saved state calls no intact block damaged, and finds damage that is planted after the kill. There are VERIFY_CRASH_ROUNDS
# kills (10, or 20 with THOROUGH=1), drawn from VERIFY_CRASH_SEED (1). Then states that are damaged, missing, of other jobs, or have no room are refused in
# one line, and nothing is written.
. "$SOURCE/t/lib.sh"
requires jq setsid od
cd "$dir" || exit 1
rounds=${VERIFY_CRASH_ROUNDS:-$((${THOROUGH:-0} ? 20 : 10))}
random=${VERIFY_CRASH_SEED:-1}
blocks=256
state=local-a-0-verify.state

# draw N: sets $drawn to a number below N.
draw() {
	random=$(((random * 1103515245 + 12345) % 2147483648))
	drawn=$((random / 65536 % $1))
}

# jobs NUMBER: prints the options of a job that writes until it is killed.
jobs() {
	case $(($1 % 10)) in
	0) echo rw=randwrite ioengine=psync loops=100000 do_verify=0 ;;
	1) echo rw=randwrite ioengine=libaio iodepth=8 loops=100000 do_verify=0 fsync=37 ;;
	2) echo rw=write ioengine=libaio iodepth=16 time_based runtime=600 ;;
	3) echo rw=randwrite norandommap ioengine=libaio iodepth=8 fsync=29 time_based runtime=600 ;;
	4) echo rw=randwrite ioengine=psync time_based runtime=600 verify=md5 verify_interval=512 ;;
	5) echo rw=randrw ioengine=libaio iodepth=4 loops=100000 do_verify=0 verify_state_save=1 ;;
	6) echo rw=randwrite ioengine=psync io_submit_mode=offload iodepth=8 time_based runtime=600 ;;
	8) echo rw=randwrite bssplit=4k/60:16k/40 ioengine=libaio iodepth=8 time_based runtime=600 ;;
	9) echo rw=randwrite direct=1 iodepth=8 ioengine=libaio fdatasync=5 time_based runtime=600 ;;
	7) echo rw=randwrite loops=100000 ;; # the kill meets the phase that reads back, too
	esac
}

job_file() { # OPTION...
	printf '%s\n' "[a]" filename=data size=$((blocks * 4))k bs=4k verify=crc32c "$@" >job
}

number() { # LOW MIDDLE HIGH
	echo $(($1 + $2 * 65536 + $3 * 4294967296))
}

# issued FILE: prints how many writes the state has as issued.
issued() {
	# shellcheck disable=SC2046
	[ ! -e "$1" ] || number $(od -An -tu2 -j 8208 -N 6 "$1")
}

reached() { # FILE COUNT
	[ "$(issued "$1" 2>/dev/null || echo 0)" -ge "$2" ] 2>/dev/null
}

nobody_left() {
	! kill -s 0 -- "-$pid" 2>/dev/null
}

# kill_at COUNT: starts the job and kills it and all its workers when it has issued this many writes.
kill_at() {
	rm -f data "$state"
	worker_option job
	# shellcheck disable=SC2086
	setsid "$FIORD" job $thread_option >out 2>err </dev/null &
	pid=$!
	tries=20000
	while ! reached "$state" "$1" && [ "$tries" -gt 0 ] && kill -0 "$pid" 2>/dev/null; do
		tries=$((tries - 1))
	done
	kill -s KILL -- "-$pid"
	wait "$pid" 2>/dev/null
	until_true 30 nobody_left
}

verify() {
	run job --set=verify_only=1 --set=verify_state_load=1 --output-format=json "$@"
}

plant() { # BLOCK: writes zeroes over 64 blocks
	dd if=/dev/zero of=data bs=4k count=64 seek="$1" conv=notrunc 2>/dev/null
}

planted=0
i=0
while [ "$i" -lt "$rounds" ]; do
	# shellcheck disable=SC2046
	job_file $(jobs "$i")
	draw 3000
	kill_at $((drawn + 1))
	n=$(issued "$state")
	label="round $i ($(jobs "$i"), killed after $n writes)"
	cp "$state" saved
	verify
	check "$label: nothing is accused" exits 0
	check "... and all but a few blocks are checked" json out ".jobs[0].fiord.verify | .in_part <= 32 and .checked + .in_part >= $((n < blocks ? n / 2 : blocks / 3))"
	verify --set=verify_policy=fsynced
	check "... nor with verify_policy=fsynced" exits 0
	check "... and the state is as it was" cmp -s "$state" saved
	if [ "$n" -ge $((blocks * 2)) ]; then
		planted=$((planted + 1))
		draw $((blocks - 64))
		plant "$drawn"
		verify
		check "... damage after the kill is found" exits 4
		check "... and it is error 84 in many blocks" json out '.jobs[0] | .error == 84 and .fiord.verify.damaged >= 8'
	fi
	i=$((i + 1))
done
check "some rounds planted damage" test "$planted" -gt $((rounds / 4))

# What an fsync promised. The job ends by itself here: a kill makes no difference to what the state says.
for sync in 0 1; do
	job_file rw=write do_verify=0 fsync=$sync
	rm -f data "$state"
	run job
	plant 10
	verify
	check "fsync=$sync: completed writes must be there" exits 4
	verify --set=verify_policy=fsynced
	check "fsync=$sync: with verify_policy=fsynced only those that an fsync made durable" exits $((4 * sync))
done
# A power loss brings back what the disk had. Three passes over the blocks, with an fsync after two of them. With allrandrepeat=1
# runs of different lengths write the same data, so each run leaves what the longest one had on the disk by then.
pass() { # WRITES FILE: keeps what so many writes leave
	job_file rw=write do_verify=0 allrandrepeat=1 fsync=$((2 * blocks)) io_size=$(($1 * 4))k
	rm -f data
	run job
	cp data "$2"
}
restore() { # FILE: block 10 is what it was in this file
	cp after_all data
	dd if="$1" of=data bs=4k skip=10 seek=10 count=1 conv=notrunc 2>/dev/null
	verify --set=verify_policy=fsynced
}
pass $blocks after_one
pass $((2 * blocks)) after_two
pass $((3 * blocks - 50)) after_all
restore after_two
check "a block that is as the fsync left it is accepted" exits 0
restore after_one
check "... an older one is stale" exits 4
check "... and damaged" json out '.jobs[0].fiord.verify.damaged == 1'
verify
check "a completed write that is lost is found with verify_policy=completed" exits 4

# A loss of power may also take the end of a file away, with blocks that were synced and blocks that were not.
pass $((2 * blocks + 100)) at_end
head -c $((blocks * 2048)) after_two >data
verify --set=verify_policy=fsynced
check "a file that is cut short is damaged" exits 4
check "... where the first of its blocks is lost, and up to its last" json out ".jobs[0].fiord.verify.damage | length == 1 and
	(.[0] | .kind == \"beyond the end of the file\" and .offset == $((blocks * 2048)) and .blocks == $((blocks / 2)))"
pass $((blocks * 3 / 4)) at_end
head -c $((blocks * 2048)) at_end >data
verify --set=verify_policy=fsynced
check "blocks that were never synced may be beyond the end of the file" exits 0
check "... and count as checked in part" json out ".jobs[0].fiord.verify | .damaged == 0 and .in_part == $((blocks / 4))"
verify
check "... but with verify_policy=completed they are damaged" json out ".jobs[0].fiord.verify | .damaged == $((blocks / 4))"
rm data
verify --set=verify_policy=fsynced
check "a missing file is refused" exits 3
check "... in one line" lines err 1

# The same for a job that needs a map, with other writes of the block between the fsync and the power loss: copies of the file
# after 0, 1 and 2 fsyncs, and at the end. take_block FILE BLOCK replaces one block by that of a copy.
mapped() { # WRITES FILE OPTION...: keeps what so many writes leave
	writes=$1 copy=$2
	shift 2
	job_file rw=randwrite norandommap=1 do_verify=0 allrandrepeat=1 verify_state_save=1 size=64k io_size=100m fsync=300 number_ios="$writes" "$@"
	rm -f data "$state"
	run job
	cp data "$copy"
}
take_block() {
	cp at_end data
	dd if="$1" of=data bs=4k skip="$2" seek="$2" count=1 conv=notrunc 2>/dev/null
}
for how in "bs=4k" "bssplit=4k/50:8k/50" "verify=meta" "nrfiles=1 bs=8k"; do
	# shellcheck disable=SC2086
	{
		mapped 300 one_fsync $how
		mapped 600 two_fsyncs $how
		mapped 899 at_end $how
	}
	verify --set=verify_policy=fsynced
	check "map, $how: what the job left is accepted" exits 0
	cp two_fsyncs data
	verify --set=verify_policy=fsynced
	check "... and what the last fsync left" exits 0
	check "... which counts as checked in part" json out '.jobs[0].fiord.verify | .in_part > 0 and .damaged == 0'
	cp one_fsync data
	verify --set=verify_policy=fsynced
	check "... but not what the fsync before left" json out '.jobs[0].fiord.verify | .in_part == 0 and .damaged > 6'
	[ "$how" != bs=4k ] || check "... which is stale" json out '[.jobs[0].fiord.verify.damage[].kind] | unique == ["stale"]'
	take_block one_fsync 4
	verify --set=verify_policy=fsynced
	check "... nor in one block" json out '.jobs[0].fiord.verify.damaged == 1'
	cp two_fsyncs data
	flip data 19000
	verify --set=verify_policy=fsynced
	check "... nor a flipped byte in it" json out '.jobs[0].fiord.verify.damaged == 1'
	cp two_fsyncs data
	dd if=at_end of=data bs=512 skip=41 seek=41 count=3 conv=notrunc 2>/dev/null
	verify --set=verify_policy=fsynced
	check "... while sectors of later writes are accepted" json out '.jobs[0].fiord.verify.damaged == 0'
	take_block two_fsyncs 4
	verify
	check "... and with verify_policy=completed only the last" json out '.jobs[0].fiord.verify.damaged == 1'
	head -c 33000 two_fsyncs >data
	verify --set=verify_policy=fsynced
	check "... nor a file that is cut short" exits 4
	check "... with the rest beyond its end" json out '[.jobs[0].fiord.verify.damage[] | select(.kind == "beyond the end of the file")] |
		(map(.length) | add) == 65536 - 33000 and (map(.offset) | min) == 33000'
	check "... and an error that says so" grep -q "data: verify at offset [0-9]*, length [0-9]*: .*blocks are damaged in all" err
done

# A kill ends a copy into a mapped file at any byte, and the kernel may write the page so. A system call leaves whole sectors.
for engine in psync mmap; do
	mapped 600 two_fsyncs ioengine=$engine
	mapped 899 at_end ioengine=$engine
	cp two_fsyncs data
	dd if=at_end of=data bs=1 skip=21001 seek=21001 count=801 conv=notrunc 2>/dev/null
	verify --set=verify_policy=fsynced
	check "$engine: $([ $engine = mmap ] && echo no || echo one) block is damaged that two writes share within a sector" \
		json out ".jobs[0].fiord.verify.damaged == $([ $engine = mmap ] && echo 0 || echo 1)"
	printf QQQ | dd of=data bs=1 seek=21901 conv=notrunc 2>/dev/null
	verify --set=verify_policy=fsynced
	check "... and bytes of no write are damage" json out '.jobs[0].fiord.verify.damaged == 1'
done

rm -f data
job_file rw=write do_verify=0 number_ios=100
run job
plant 100
verify
check "blocks that were never written are not read" exits 0
check "... the others are" json out '.jobs[0].read.total_ios == 100'
rm data
job_file rw=write do_verify=0 number_ios=100 fallocate=none
run job
check "a file that the job has not extended to its size is as long as its writes" same "$(stat -c %s data)" 409600
verify
check "... and is checked" exits 0
check "... and not extended" same "$(stat -c %s data)" 409600

# States that are not the job's.
refused() { # LABEL WORDS
	sum=$(cksum data)
	verify
	check "$1: refused" exits 2
	check "... in one line" lines err 1
	check "... that says why" says err "$2"
	check "... and nothing is written" same "$(cksum data)" "$sum"
}
cp "$state" saved
head -c 5000 saved >"$state"
refused "a state cut short" "cut short"
printf X | dd of="$state" bs=1 seek=8210 conv=notrunc 2>/dev/null
refused "a state cut short and damaged" "cut short"
{
	head -c 8210 saved
	printf X
	tail -c +8212 saved
} >"$state"
refused "a damaged state" "damaged at byte 8208"
printf 'hello\n' >"$state"
refused "another file" "no verify state"
rm "$state"
refused "no state" "No such file"
cp saved "$state"
job_file rw=write do_verify=0 number_ios=100 verify=md5
refused "another kind of verify" "had verify=crc32c, this job has verify=md5"
job_file rw=write do_verify=0 number_ios=100 randseed=7
refused "another seed" "randseed"
run job --set=verify_state_load=1
check "a job that writes loads no state" exits 2
check "... and says what to do" says err "verify_only=1"

# The same load, read, and the file at another place.
job_file rw=randwrite do_verify=0 number_ios=100
rm -f data "$state"
run job
for how in "--set=rw=randread" "--set=rw=randread --set=filename=./data" "--set=verify_only=1 --set=filename=moved/data"; do
	case $how in
	*moved*) mkdir -p moved && mv data moved/ ;;
	esac
	# shellcheck disable=SC2086
	run job --set=verify_state_load=1 $how --output-format=json
	check "$how checks the writes of the state" json out '.jobs[0] | .fiord.verify.checked == 100 and .fiord.verify.damaged == 0 and .write.total_ios == 0'
	check "... and exits 0" exits 0
done
mv moved/data . && rmdir moved
run job --set=verify_state_load=1 --set=rw=read
check "reads in another order are refused" exits 2
check "... and the error names the order" says err "had rw=randwrite, this job has rw=write"

# A state that replaces another file.
job_file rw=write
rm "$state"
run job --output-format=json
run job --output-format=json
check "the state of an earlier run of the job is replaced without a note" json out '.fiord.notes | tostring | test("verify_state_save") | not'
run job --set=bs=8k --output-format=json
check "that of another job is replaced with a note" json out '.fiord.notes | tostring |
	test("a: verify_state_save: replaces the state of another job: local-a-0-verify.state: .* had bs=4k,4k,4k, this job has bs=8k,8k,8k")'
echo precious >"$state"
run job --output-format=json
check "a file that is no state stays" same "$(cat "$state")" precious
check "... and the job runs without a state" exits 0
check "... and a note says so" json out '.fiord.notes | tostring | test("the job saves no state, because it would replace a file that is not a state: local-a-0")'
run check job
check "... which fiord check shows" says out "the job saves no state"
run job --set=verify_state_save=1 --output-format=json
check "... unless the user asks for it" json out '.fiord.notes | tostring | test("replaces a file: local-a-0")'
run job --set=verify_only=1 --set=verify_state_load=1
check "... then it is a state" exits 0

# Places.
job_file rw=write
mkdir aux
rm "$state"
run job --aux-path=aux
check "the state goes to --aux-path" test -s aux/$state
check "... only" absent $state
run job --set=verify_state_save=0
check "verify_state_save=0 saves none" absent $state
# elsewhere WORDS: the place of the state is taken.
elsewhere() {
	run job --output-format=json
	check "... the job runs without a state" exits 0
	check "... with a note that says why" json out ".fiord.notes | tostring | test(\"a: verify_state_save: the job saves no state: the state would go to $state, $1\")"
	run job --set=verify_state_save=1
	check "... and the state is refused if the user asks for it" exits 2
	check "... in one line" lines err 1
	check "... with the reason" says err "$state, $1"
}
mkdir $state
echo "# a directory of that name:"
elsewhere "which is no regular file"
rmdir $state
mkfifo $state
echo "# a FIFO:"
elsewhere "which is no regular file"
rm $state
echo precious >other
ln -s other $state
echo "# a symbolic link:"
elsewhere "which is a symbolic link"
check "... and what it refers to stays" same "$(cat other)" precious
ln -sf nowhere $state
echo "# a symbolic link to nothing:"
elsewhere "which is a symbolic link"
check "... and stays so" test -L $state -a ! -e nowhere
rm $state

# Two jobs of one name, and names that become one file name.
for names in "a a" "a/b a_b"; do
	# shellcheck disable=SC2086
	set -- $names
	for n in 1 2; do
		printf '%s\n' "[$1]" filename=data.$n size=64k bs=4k verify=crc32c rw=write
		shift
	done >two
	rm -f local-a*.state
	run two --output-format=json
	check "two jobs whose states have one name ($names): both run" exits 0
	check "... and both are checked" json out '[.jobs[].fiord.verify.checked] | add == 32'
	check "... with a note about the second" json out '.fiord.notes | map(select(test("saves no state.*where another job saves its state"))) | length == 1'
	rm -f local-a*.state data.*
	run two --set=verify_state_save=1
	check "... but not if both are to save theirs" exits 2
	check "... and one line says what to do" same "$(grep -c 'give the jobs different names' err)/$(wc -l <err)" 1/1
	check "... before anything is written" absent data.1
done
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=8k none small 2>/dev/null; then
	cleanup() {
		umount "$dir/small" 2>/dev/null
	}
	run job --set=verify_state_save=1 --aux-path=small
	check "a state without room is an error before the first write" exits 1
	check "... that says so" says err "No space left on device"
	run job --aux-path=small --output-format=json
	check "without verify_state_save=1 the job runs without a state" exits 0
	check "... with a note" json out '.jobs[0].fiord.notes | tostring | test("runs without it")'
	check "... and leaves no file" test -z "$(ls small)"
	umount small
else
	skip "a state without room" "no tmpfs can be mounted"
fi

# verify_state_sync: on another disk than the data.
run job --set=verify_state_sync=state
check "verify_state_sync on the disk of the data is refused" exits 2
check "... with the reason" says err "is on the disk of data"
if reason=$(no_shm); then
	skip "verify_state_sync" "$reason"
else
	shm=$(mktemp -d /dev/shm/fiord-test.XXXXXX)
	cleanup() {
		rm -rf "$shm"
	}
	for i in 1 2 3; do
		# shellcheck disable=SC2046
		job_file $(jobs "$i") "verify_state_sync=$shm/state"
		rm -f "$shm/state"
		state=$shm/state
		draw 200
		kill_at $((drawn + 1))
		verify
		check "verify_state_sync, round $i: nothing is accused" exits 0
	done
	check "... and no state lies in the working directory" absent local-a-0-verify.state
	rm data # a killed run leaves a file that is no longer fiord's
	job_file rw=randwrite "verify_state_sync=$shm/" numjobs=2
	run job
	check "a directory has the states of all clones" test -s "$shm/local-a-1-verify.state"
	printf 'precious\n' >"$shm/state"
	job_file rw=write "verify_state_sync=$shm/state"
	run job
	check "a file that is no state is not replaced" exits 2
	check "... and stays" says "$shm/state" precious
	job_file rw=write "verify_state_sync=$shm/new" numjobs=2
	run job
	check "two clones cannot share a file" exits 2
	check "... and the error says how to avoid that" says err "end the name with a slash"
fi
finish
