#!/bin/sh
# Are the figures of --csv those of the JSON document, in a table that a CSV reader reads? Which files are refused?
. "$SOURCE/t/lib.sh"
requires python3
cd "$dir" || exit 1

run --output-format=json --output=r.json --csv=r.csv --name='a, "quoted"
=1+1' --size=4m --rw=randrw --bs=4k --fsync=16 --name=rate --size=1m --rw=write --bsrange=8k-16k --rate_iops=2000 --percentile_list=50:99.99 \
	--lat_percentiles=1 --name=all --size=1m --rw=rw --unified_rw_reporting=both --name=mix --size=1m --rw=rw \
	--unified_rw_reporting=mixed --name=idle --ioengine=cpuio --cpuload=50 --runtime=1
check "the run exits 0" exits 0
check "all figures agree" python3 "$SOURCE/t/run/csv_figures.py" r.json r.csv
check "lines end as RFC 4180 wants" sh -c 'tr -cd "\r" <r.csv | wc -c | grep -qx 11'

run --output-format=json --output=r.json --csv=r.csv --ioengine=null --size=4m --name=a --rw=randrw --name=b --rw=write --numjobs=2 \
	--name=c --stonewall --rw=read --name=d --new_group --rw=trimwrite
check "rows of all jobs of a group are their sums" python3 "$SOURCE/t/run/csv_figures.py" r.json r.csv
check "... also of waves, by group" same "$(grep -c ',all jobs,' r.csv)" 4
run --ioengine=null --size=4m --name=a --rw=randrw --rate_iops=300,100 --runtime=1 --time_based
check "the text has the sum of reads and writes, after fio's rows" awk '/^  total: / { total = $2 + 0; read = $7 + 0; write = $9 + 0; before = seen }
	/^  WRITE: / { seen = 1 } END { exit !(before && read > 270 && read <= 301 && write > 90 && write <= 101 &&
	total > read + write - 2 && total < read + write + 2) }' out

run --output-format=json --output=f.json --csv=f.csv --name='=1+1' --ioengine=null --size=64k --rw=read
check "a name that a spreadsheet takes for a formula has an apostrophe" grep -q ",'=1+1," f.csv
run --output-format=json --output=f.json --csv=f.csv --name='=1,"2"' --ioengine=null --size=64k --rw=read
check "... inside the quotes of its cell" grep -q ',"'"'"'=1,""2""",' f.csv
sed 's/"bs" : "[^"]*"/"bs" : "1,2-1,2"/' f.json >bs.json
run report --csv bs.json
check "a block size with commas is one cell" grep -q ',"1,2-1,2",' out
printf '100, 4000, 0, 0, 0\n200, 4100, 0, 0, 0\n' >l_bw.1.log
run report --csv l_bw.1.log
check "bandwidths alone are a row of reads without a number of I/Os" grep -q ',read,,,,,0,,[1-9]' out

job="--name=x --filename=t.dat --size=64k --rw=write"
truncate -s 64k t.dat
printf '[j]\nfilename=t.dat\nsize=64k\n' >j.ini
mkfifo pipe
ln -s t.dat link
touch before names; ls -p >names
refused() { # LABEL ERROR ARG...: run and check refuse these arguments, before anything is written
	refusal=$1 error=$2
	shift 2
	for verb in run check; do
		cksum t.dat j.ini >before
		run $verb "$@"
		check "$verb: $refusal is refused" exits 2
		check "... with the reason" says err "$error"
		check "... before anything is written" same "$(cksum t.dat j.ini)" "$(cat before)"
	done
}

for file in csv report; do
	refused "--$file with the file of a job" "is a target of the jobs" $job --allow_write=t.dat --$file=./t.dat
	refused "... by a link" "is a target of the jobs" $job --allow_write=t.dat --$file=link
	refused "--$file with the job file" "is the job file" --$file=j.ini j.ini
	refused "--$file in no directory" "No such file or directory" $job --$file=none/x
	refused "--$file with a directory" "is a directory" $job --$file=.
	refused "--$file with a device" "is not a regular file" $job --$file=/dev/null
	refused "--$file with a pipe" "is not a regular file" $job --$file=pipe
	refused "--$file below /dev" "creates no files below /dev" $job --$file=/dev/nosuch
	refused "--$file with the file of --output" "--output has the same file" $job --output=o --$file=./o
	refused "a log with the file of --$file" "--$file has the same file" $job --write_iops_log=l --per_job_logs=0 --$file=l_iops.log
	refused "--output with the file of --$file" "has the same file" $job --output=o --$file=o
	refused "--trigger-file with the file of --$file" "--$file has the same file" $job --trigger-file=o --$file=o --trigger-timeout=9
done
refused "--csv with the file of --report" "--report has the same file" $job --report=o --csv=./o
check "no refusal created a file" same "$(ls -p)" "$(cat names)"

: >full
mkdir d
run --name=n --ioengine=null --size=64k --csv=d/x.csv --exec_postrun='rm -r d'
check "a file that cannot be written any more gives code 6" exits 6
check "... and an error" says err "d/x.csv: the result could not be written"
finish
