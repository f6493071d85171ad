#!/bin/sh
# What a run writes beside its targets: the result, the output of commands, the trigger, the files behind buffers. None of
# them replaces a target or what has another name, none is made below /dev, and --readonly holds.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
job="--name=x --filename=t --size=64k"
nodev=/dev/fiord-test-$$
cleanup() {
	rm -f "$nodev" "$nodev".*
}

for option in "--output=t" "--output=./t" "--trigger-file=t --trigger=true" "--mem=mmapshared:t"; do
	# shellcheck disable=SC2086
	run $option $job --rw=write
	check "$option: not the target" exits 2
	check "... by name" says err "is a target of the jobs"
	check "... and nothing was made" test ! -e t
done
run --name=x --filename=x.prerun.txt --size=64k --rw=write --exec_prerun=true
check "the output of a command is not a target" exits 2
check "... and nothing was made" test ! -e x.prerun.txt
run --name=x --filename=x.1.postrun.txt --size=64k --rw=write --numjobs=2 --exec_postrun=true
check "... nor that of a clone's" exits 2
run --name=p --ioengine=exec --program=true --name=x --filename=p.stdout --size=64k --rw=write
check "... nor that of a program" exits 2

run --output="$nodev" $job
check "a result below /dev is a typing error" exits 2
ln -s "$nodev" link
run --output=link $job
check "... by a link, too" exits 2
check "... which stays" test -L link
run --aux-path=/dev --name="${nodev#/dev/}" --filename=t --size=64k --exec_prerun=true
check "no output of commands is made below /dev" exits 3
run --mem=mmap:"$nodev" $job
check "no memory either" exits 3
check "... and nothing is there, nor laid out" same "$(ls "$nodev"* t 2>/dev/null)" ""

echo mine >mine
ln mine x.prerun.txt
run $job --rw=write --exec_prerun='echo hello'
check "a file with another name is not emptied for the output of a command" exits 1
check "... but as it was" same "$(cat mine)" mine
rm x.prerun.txt
ln -s mine x.prerun.txt
run $job --rw=write --exec_prerun='echo hello'
check "nor what a link leads to" exits 2
rm x.prerun.txt
echo "of another run, and longer" >x.prerun.txt
run $job --rw=write --exec_prerun='echo hello'
check "a file of its own is written anew" same "$(cat x.prerun.txt)" hello

run $job --mem=mmapshared:mine --rw=write
check "buffers do not overwrite what fiord has not made" exits 3
ln -s later gone
run $job --output=gone
check "a result goes where a link leads" test -s later
check "... which stays" test -L gone

run $job --readonly --unlink=1
check "--readonly removes nothing" exits 2
check "... not even what fiord has made" test -s t
run $job --readonly --mem=mmapshared:other
check "--readonly maps nothing to be written" exits 2
# A link to what does not exist yet may lead to a target.
ln -s later.dat out.link
ln -s later.dat l_bw.1.log
run --name=a --filename=later.dat --rw=write --size=64k --output=out.link
check "--output through a dangling link is refused" test "$rc" = 2
run --name=a --filename=later.dat --rw=write --size=64k --write_bw_log=l
check "so is a log" test "$rc" = 2
check "and nothing is made" test ! -e later.dat
finish
