#!/bin/sh
# Where an option stands decides what it means: the plan tells.
. "$SOURCE/t/lib.sh"
threads=
cd "$dir" || exit 1
printf '[global]\nsize=1m\nruntime=2\n[a]\n[b]\nbs=8k\n' >job.ini

plan() { # LABEL TEXT ARG...: the plan says TEXT
	label=$1 text=$2
	shift 2
	run check "$@"
	check "$label" says "$dir/out" "$text"
}

plan "a job option is a default under a file" "runtime=2" --runtime=1 job.ini
plan "... behind it, too" "runtime=2" job.ini --runtime=1
plan "... and a note names the line that overrode it" "job.ini:3 says runtime=2" job.ini --runtime=1
plan "... and counts where the file is silent" "iodepth" --iodepth=4 --ioengine=null job.ini
plan "--set overrides the file" "runtime=1" --set runtime=1 job.ini
plan "one dash will do" "bs=16384" -name=x -bs=16k -size=1m
plan "a blank instead of =" "bs=16384" --name x --bs 16k --size 1m
plan "a unique abbreviation" "2 workers in 1 wave" --name=x --numj=2 --size=1m
plan "arithmetic without parentheses" "iodepth=256" --name=x --size=1m --ioengine=libaio --iodepth='128*2'
check "... and a note says what fio reads" says "$dir/out" "fio takes the first number only, 128"
plan "threads=1 is thread=1" "buffered, thread," --name=x --size=1m --threads=1
check "... and a note says so" says "$dir/out" "threads=1 is taken for thread=1"
plan "--threads alone, too" "buffered, thread," --name=x --size=1m --threads
plan "and with --set" "buffered, thread," --set threads=1 job.ini
run check --name=x --size=1m --threads=4
check "threads=4 names numjobs" says "$dir/err" "numjobs=4 starts so many workers"
plan "options behind a job's name are its own" "y, clone 0: rw=read, bs=4096" --name=x --bs=8k --size=1m --name=y --size=1m
plan "several files follow each other" "4 workers in 2 waves" job.ini job.ini
plan "a section of the file" "1 worker in 1 wave" --section=b job.ini

for word in jobs threads qd block diskspd check version json; do
	run help $word
	check "help $word" exits 0
done
run version
check "fiord version" grep -q "^fiord [0-9]" "$dir/out"

run --section=nosuch job.ini
check "an unknown section is refused" exits 2
"$FIORD" check - <job.ini >out 2>err
rc=$?
check "a job file from stdin" says out "2 workers in 1 wave"

refused() { # LABEL TEXT ARG...: exit 2, one line that says TEXT, nothing made
	label=$1 text=$2
	shift 2
	run "$@"
	check "$label is refused" exits 2
	check "... in one line" lines err 1
	check "... that says $text" says err "$text"
	check "... before anything is made" same "$(ls)" "$(printf 'err\njob.ini\nout')"
}
printf '[a]\nsize=1m\nbs=4q\n' >bad.ini && mv bad.ini job.ini
refused "a bad size" "job.ini:3: bs=4q" job.ini
refused "a misspelt option" "did you mean '--iodepth'" --name=x --size=1m --iodepht=3
refused "a misspelt value" "randread" --name=x --size=1m --rw=randraed
refused "an option for later" "not supported yet" --name=x --size=1m --steadystate=iops:1%
refused "an ambiguous abbreviation" "iodepth" --name=x --size=1m --iodepth_b=3
refused "a file that is not there" "nosuch.ini" nosuch.ini
refused "--readonly with a writer" "readonly" --readonly --name=x --size=1m --rw=write
refused "--client" "ssh" --client=host job.ini
refused "--max-jobs" "max-jobs" --max-jobs=2 --name=x --size=1m --numjobs=3
finish
