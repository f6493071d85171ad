#!/bin/sh
# Which files may a run write beside its targets? Results, outputs of commands, triggers and the files behind buffers must not
# replace a target or a file with another name, must not be created below /dev, and obey --readonly.
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
	check "$option: a target of the jobs is refused" exits 2
	check "... and the error names the reason" says err "is a target of the jobs"
	check "... and the file is not created" test ! -e t
done
run --name=x --filename=x.prerun.txt --size=64k --rw=write --exec_prerun=true
check "a command's output file that is a target is refused" exits 2
check "... and the file is not created" test ! -e x.prerun.txt
run --name=x --filename=x.1.postrun.txt --size=64k --rw=write --numjobs=2 --exec_postrun=true
check "... also the output file of a clone" exits 2
run --name=p --ioengine=exec --program=true --name=x --filename=p.stdout --size=64k --rw=write
check "... also the output file of a program" exits 2

run --output="$nodev" $job
check "--output below /dev is refused" exits 2
ln -s "$nodev" link
run --output=link $job
check "... also through a symbolic link" exits 2
check "... and the link stays" test -L link
run --aux-path=/dev --name="${nodev#/dev/}" --filename=t --size=64k --exec_prerun=true
check "no command output is created below /dev" exits 3
run --mem=mmap:"$nodev" $job
check "no memory file is created below /dev" exits 3
check "... and no file is created or laid out" same "$(ls "$nodev"* t 2>/dev/null)" ""

# A file system may say only at the close that it had no room. Errno 28 is ENOSPC.
preload=$(dirname "$FIORD")/../t/fault/preload.so
closing() { # FILE ARGUMENT...: the first close of the file fails in a run whose standard output is the file "printed"
	path=$1
	shift
	LD_PRELOAD="$preload" FAULT=close:1:28 FAULT_PATH="$dir/$path" "$FIORD" "$@" --name=x --ioengine=null --size=4k >printed 2>err </dev/null
	rc=$?
	check "a close of $path that fails is an error" exits 6
	check "... that is told, with its reason" grep -q "No space left on device (ENOSPC)" err
}
if [ -f "$preload" ]; then
	closing printed
	check "... of standard output" says err "fiord: standard output: the result could not be written"
	closing result.json --output=result.json --output-format=json
	check "... and no file is left" same "$(ls result.json* 2>/dev/null)" ""
	closing lines --live=lines
	check "... of --live" says err "lines"
	closing x_bw.1.log --write_bw_log=x
	closing page.html --report=page.html
else
	skip "a close that fails is an error" "no preload.so in this build"
fi

# The temporary file that a result is written to has a longer name than the result.
long=$(printf '%0255d' 1)
run --output="$long" --name=x --ioengine=null --size=4k
check "a name may have 255 characters" exits 0
check "... and the result is there" says "$long" "x: (groupid=0, jobs=1)"
check "... with no other file beside it" same "$(find . -name '0*')" "./$long"

echo mine >mine
ln mine x.prerun.txt
run $job --rw=write --exec_prerun='echo hello'
check "the output of a command does not overwrite a file with a second hard link" exits 1
check "... and the file keeps its content" same "$(cat mine)" mine
rm x.prerun.txt
ln -s mine x.prerun.txt
run $job --rw=write --exec_prerun='echo hello'
check "the output of a command does not follow a symbolic link" exits 2
rm x.prerun.txt
echo "of another run, and longer" >x.prerun.txt
run $job --rw=write --exec_prerun='echo hello'
check "the output of a command replaces its own older file" same "$(cat x.prerun.txt)" hello

run $job --mem=mmapshared:mine --rw=write
check "buffers do not overwrite a file that fiord has not created" exits 3
ln -s later gone
run $job --output=gone
check "--output follows a symbolic link" test -s later
check "... and the link stays" test -L gone

# Results must not share a file, or standard output, with each other.
null="--name=x --ioengine=null --size=64k"
for option in --output=terse: --csv= --junit=; do
	ln -sf nowhere gone
	# shellcheck disable=SC2086
	run $null --output=json:gone "${option}nowhere"
	check "${option}FILE, to which a dangling link of another result leads, is refused" exits 2
	check "... and the file is not created" test ! -e nowhere
done
for option in "--output=json:out" "--output=json:/dev/stdout" "--live=out" "--live=- --output=out" "--csv=out --output-format=json"; do
	# shellcheck disable=SC2086
	run $null $option
	check "$option that is standard output is refused" exits 2
	check "... and the error names the reason" says err "this is standard output, which has other text already"
done
run $null --output=/dev/stdout --output-format=json
check "the only result may go to /dev/stdout" json out '.jobs | length == 1'
run $null --output=normal:/dev/stdout --output=json:result.json
check "... also with a format" says out "IOPS="

run $job --readonly --unlink=1
check "--readonly with unlink=1 is refused" exits 2
check "... and the file stays" test -s t
run $job --readonly --mem=mmapshared:other
check "--readonly refuses a writable memory file" exits 2
# A link to a missing file may lead to a target.
ln -s later.dat out.link
ln -s later.dat l_bw.1.log
run --name=a --filename=later.dat --rw=write --size=64k --output=out.link
check "--output through a dangling link is refused" test "$rc" = 2
run --name=a --filename=later.dat --rw=write --size=64k --write_bw_log=l
check "a log through a dangling link is refused" test "$rc" = 2
check "... and the file is not created" test ! -e later.dat
finish
