#!/bin/sh
# Does fiord trace --to-job make a job that does like I/Os? Jobs with known rates are recorded, distilled and run; distil_figures.py
# compares the logs of both: IOPS, sizes, shares, sequential share, skew and working set must be within 5 %.
. "$SOURCE/t/lib.sh"
requires jq python3
cd "$dir" || exit 1
figures="$SOURCE/t/run/distil_figures.py"

# A busy machine may delay the last I/Os of a run, and with them its IOPS.
is_alike() {
	for try in 1 2 3; do
		rm -f again
		run run job.ini --set ioengine=null --set write_iolog=again
		exits 0 && python3 "$figures" compare log again >table && break
		[ $try != 3 ] || return 1
	done
}

alike() { # JOBFILE OPTION...
	job=$1
	shift
	rm -f log job.ini
	run run "$SOURCE/$job" --set ioengine=null --set ramp_time=0 --set runtime=0 --set time_based=0 "$@" --write_iolog=log
	check "$job $*: runs" exits 0
	run trace --to-job=job.ini log
	check "... is distilled" exits 0
	run check job.ini
	check "... to a valid job" exits 0
	check "... which does like I/Os" is_alike
	sed 's/^/# /' table
}
alike examples/mix.ini --set rate_iops=35k,15k
alike examples/bssplit.ini --set size=2g --set rate_iops=40k
alike examples/bssplit.ini --set bssplit=4k/99.6:1m/0.4 --set size=256m --set rate_iops=40k
alike examples/bs-by-direction.ini --set size=512m --set rate_iops=16k
alike examples/bsrange.ini --set size=512m --set rate_iops=40k
alike examples/zipf.ini --set rate_iops=40k
alike examples/fsync.ini --set size=64m --set rate_iops=30k
alike examples/rand-write.ini --set fsync=16 --set fdatasync=4 --set rate_iops=30k
alike examples/rand-write.ini --set fsync=6 --set fdatasync=10 --set rate_iops=30k
alike examples/seek-and-stream.ini --set size=1g --set rate_iops=35k
alike examples/seq-read.ini --set size=16g --set rate_iops=40k
alike examples/rand-write.ini --set rate_iops=40k
alike jobs/etcd.ini --set size=44m --set rate_iops=40k
alike jobs/latency.ini --section=read-latency --set size=64m --set norandommap=1 --set io_size=100m --set rate_iops=40k
alike jobs/database.ini --section=tables --set size=256m --set numjobs=1 --set rate_iops=32k,8k
alike jobs/oltp.ini --section=depth-4 --set size=64m --set numjobs=1 --set rate_iops=28k,12k --set io_size=200m
grep -v '^#' job.ini >lines
check "a known job comes back" grep -qx 'bs=8k' lines
check "... with its mix" grep -qxE 'rwmixread=(69|70|71)' lines
check "... and its size" grep -qx 'size=64m' lines

for name in constant poisson slow steps pause; do
	python3 "$figures" make $name || exit 1
	run trace --to-job=$name.ini $name.log --output-format=json
	check "$name rates: a job is made" exits 0
	check "... with these rates" python3 "$figures" rates $name $name.ini
	check "... the comparison has its IOPS" jq -e '.sections[0].figures.iops.difference_percent | fabs < 5' out
	check "... and its sizes" jq -e '.sections[0].figures.bytes_per_read | .trace == 4096 and .job == 4096' out
	run check $name.ini
	check "... fiord check accepts the job" exits 0
done

python3 "$SOURCE/t/run/trace_figures.py" make || exit 1
run trace --to-job=two.ini t
check "each device gets a section" same "$(grep '^\[' two.ini | paste -sd' ')" "[8-16] [8-0]"
check "... and left-out trims are named" same "$(grep -c '^# .* trims of the trace are left out' two.ini)" 2
check "... also in the comparison" grep -q '^trims .* -100.0 %' out
run check two.ini
check "... fiord check accepts it" exits 0
run trace --to-job=two.ini t
check "a job that fiord trace made is replaced" exits 0

refused() { # WORDS OPTION...
	words=$1
	shift
	run trace "$@"
	check "refused: trace $*" exits 2
	check "... because: $words" grep -q -- "$words" err
	check "... and nothing is printed" same "$(cat out)" ""
}
echo mine >mine.ini
refused "fiord trace did not make it" --to-job=mine.ini t
check "... and the file is as it was" same "$(cat mine.ini)" mine
refused "would replace the input" --to-job=constant.log constant.log
refused "must be the name of a file" --to-job=- t
refused "No such file" --to-job=new.ini absent
check "... and no job is written" absent new.ini
refused "would replace the input" -o t.blktrace.0 t
refused "to-job has the same file" --to-job=new.ini -o new.ini t
check "... and no job is written" absent new.ini
# Job files take a section "global..." for defaults.
printf 'R,/global/a,0,4096,%s\nW,data,4096,4096,%s\n' 0 1 2 3 >global.csv
run trace --to-job=global.ini --trace-columns=op,device,offset,length,time_s global.csv
check "a device below /global has a section of its own" same "$(grep '^\[' global.ini | tr -d '\n')" "[Global-a][data]"
run check global.ini
check "... and a job" same "$(grep -c 'clone 0' out)" 2
printf 'fio version 3 iolog\n0 f add\n0 f open\n1 f sync 0 0\n2 f close\n' >syncs.log
refused "the trace has no reads and writes" --to-job=new.ini syncs.log
python3 - >many.csv <<'END'
for i in range(40):
    print(f"{i},R,{i * 4096},4096,{i}")
END
refused "more than 32 devices" --to-job=new.ini --trace-columns=time_s,op,offset,length,device many.csv
check "... and no job is written" absent new.ini
finish
