#!/bin/sh
# Can the tools of Debian's package fio (Python scripts, gnuplot), jq and pandas read fiord's documents and logs?
. "$SOURCE/t/lib.sh"
requires jq python3
. "$SOURCE/t/clients/fio_in_path.sh"
docs=/usr/share/doc/fio

# tool NAME: prints the path of a tool, unpacked if it is among the documentation; false if it is not installed.
tool() {
	command -v "$1" && return
	if [ -e "$docs/$1.gz" ]; then
		zcat "$docs/$1.gz" >"$dir/$1" && echo "$dir/$1"
	elif [ -e "$docs/$1" ]; then
		echo "$docs/$1"
	else
		return 1
	fi
}

# with_python PATH ARG...: sets $out, $err and $rc.
with_python() {
	"$python" "$@" >"$out" 2>"$err" </dev/null
	rc=$?
}

python=python3
for p in python3 /usr/bin/python3; do
	$p -c 'import pandas' 2>/dev/null && python=$p && break
done
pandas=$($python -c 'import pandas; print(pandas.__version__)' 2>/dev/null)

fio_says --output-format=json+ --output=plus.json --name=x --filename=f --size=4m --rw=randrw --ioengine=libaio --iodepth=4
check "a job exits 0" exits 0
check "jq prints a table of all jobs" same "$(jq -r '.jobs[] | [.jobname, .read.iops > 0, .write.bw > 0] | @csv' plus.json)" '"x",true,true'

if clat2csv=$(tool fio_jsonplus_clat2csv); then
	with_python "$clat2csv" plus.json plus.csv
	check "fio_jsonplus_clat2csv reads the bins" exits 0
	# Each direction and latency has three columns: count, cumulative count, share. Column 5 is the count of read clat.
	sum=$(awk -F , 'NR > 1 { n += $5 } END { print n }' plus_job0.csv)
	check "... and its table has each I/O" same "$sum" "$(value plus.json .jobs[0].read.clat_ns.N)"
else
	skip "fio_jsonplus_clat2csv" "not installed"
fi

if [ -n "$pandas" ]; then
	with_python - <<-'PY'
	import json, pandas
	document = json.load(open("plus.json"))
	jobs = pandas.json_normalize(document["jobs"])
	assert jobs["read.iops"].dtype == float and jobs["read.total_ios"].dtype.kind == "i"
	assert jobs["read.clat_ns.percentile.99.000000"][0] > 0 and jobs["job options.rw"].isna().sum() == 0
	disks = pandas.DataFrame(document.get("disk_util", []), columns=["name", "read_ios", "util"])
	assert disks.read_ios.ge(0).all()
	PY
	check "pandas makes a frame of numbers" exits 0
else
	skip "pandas" "not installed"
fi

# ---- logs ----

# genfio writes job files in which each job has logs.
if command -v genfio >/dev/null; then
	truncate -s 1m disk0 disk1
	genfio -d "$PWD/disk0,$PWD/disk1" -a -b 4k,64k -r 1 -z 1m -m read,randread >"$out" 2>"$err" </dev/null
	job=$(find . -name '*.fio' | head -n 1)
	check "genfio writes a job file" [ -n "$job" ]
	fio_says --parse-only "$job"
	check "... that fiord parses" exits 0
else
	skip "genfio" "not installed"
fi

mkdir logs && cd logs || exit 1
set -- --write_bw_log=r --write_lat_log=r --write_iops_log=r --log_avg_msec=250 --write_hist_log=r --log_hist_msec=500
fio_says --name=x --filename=f --size=4m --rw=randrw --ioengine=libaio --iodepth=4 --time_based --runtime=3 --output=text "$@"
check "a job with logs exits 0" exits 0
for log in r_bw r_iops r_lat r_slat r_clat r_clat_hist; do
	check "... and writes $log.1.log" [ -s $log.1.log ]
done

# pbench and crucible take each file that they find. fio leaves this one empty for synchronous engines.
fio_says --name=sync --filename=f --size=64k --write_lat_log --output=text
check "logs are named after the job, and _slat is empty" eval '[ -s sync_lat.1.log ] && [ -s sync_clat.1.log ] &&
	[ -e sync_slat.1.log ] && [ ! -s sync_slat.1.log ]'
rm -f sync_*

if parser=$(tool fiologparser.py); then
	# fiologparser.py reads the four columns of old logs. fio's current logs must be cut for it, too. Its -A fails by itself.
	cut -d , -f 1-4 r_lat.1.log >old.log
	for mode in -a -f -s; do
		with_python "$parser" -i 1000 $mode old.log
		check "fiologparser.py $mode" eval 'exits 0 && [ "$(grep -c "^[0-9]" "$out")" -ge 2 ]'
	done
else
	skip "fiologparser.py" "not installed"
fi
if halve=$(tool half-bins.py); then
	with_python "$halve" -c 2 r_clat_hist.1.log
	check "half-bins.py merges 1856 bins to 464" same "$(awk -F , '{ print NF }' "$out" | sort -u)" 467
else
	skip "half-bins.py" "not installed"
fi
if [ -n "$pandas" ] && hist=$(tool fiologparser_hist.py); then
	with_python "$hist" r_clat_hist.1.log
	check "fiologparser_hist.py prints percentiles" eval 'exits 0 && [ "$(grep -c "^ *[0-9]" "$out")" -ge 2 ]'
	with_python "$(tool fio-histo-log-pctiles.py)" --time-quantum=1 --fio-version=3 r_clat_hist.1.log
	check "fio-histo-log-pctiles.py prints percentiles" eval 'exits 0 && [ "$(grep -c "^ *[0-9]" "$out")" -ge 2 ]'
	with_python - <<-'PY'
	import pandas
	log = pandas.read_csv("r_bw.1.log", names=["ms", "value", "dir", "bs", "prio"], skipinitialspace=True)
	assert log.ms.is_monotonic_increasing and set(log.dir) == {0, 1} and log.value.gt(0).all()
	PY
	check "pandas reads a log as five columns" exits 0
else
	skip "fiologparser_hist.py, fio-histo-log-pctiles.py" "no pandas, or not installed"
fi
if command -v gnuplot >/dev/null && command -v fio_generate_plots >/dev/null; then
	fio_generate_plots title >"$out" 2>"$err" </dev/null
	for kind in bw iops lat slat clat; do
		check "fio_generate_plots draws $kind" grep -q '<path' title-$kind.svg
	done
	fio2gnuplot -b -g >"$out" 2>"$err" </dev/null
	check "fio2gnuplot -b" eval 'exits 0 && [ -s r_bw.1-2Draw.png ]'
	fio2gnuplot -i -g -p 'r_iops*.log' >"$out" 2>"$err" </dev/null
	check "fio2gnuplot -i" [ -s r_iops.1-2Draw.png ]
else
	skip "fio_generate_plots, fio2gnuplot" "no gnuplot, or not installed"
fi
finish
