#!/bin/sh
# Do programs that call fio or read its output work with fiord? Each check does as the client does; the comment names the client and
# what breaks otherwise.
. "$SOURCE/t/lib.sh"
requires jq python3
. "$SOURCE/t/clients/fio_in_path.sh"

field() { # NUMBER: a field of the terse line in the file line
	cut -d ';' -f "$1" line
}

# numbers FIELD...: each field is a number, perhaps with a percent sign or as PERCENTILE%=N.
numbers() {
	for f in "$@"; do
		field "$f" | grep -qE '^([0-9.]+%=)?[0-9]+(\.[0-9]+)?%?$' || {
			echo "field $f: $(field "$f")"
			return 1
		}
	done
}

matches() { # FILE REGEX
	grep -qE -- "$2" "$1"
}

# ---- the command line ----

# Seven clients cut a number out of the version, and the line must contain "fio-3".
fio_says --version
check "version: float(split('-')[1])" python3 -c 'import sys; float(open(sys.argv[1]).read().split("-")[1])' "$out"
check "version: cut -c 5-" matches "$out" '^fio-3\.[0-9]+'
fio_says -v
check "xfstests: fio -v" matches "$out" '^fio-3\.'
# blktests skips every test that uses fio unless this exits 0.
fio_says --parse-only --terse-version=4
check "blktests: --parse-only --terse-version=4 without a job" exits 0
# blktests runs its zoned tests if the help names zbd, so the help may do so only when zbd works.
fio_says --cmdhelp=zonemode
check "blktests: --cmdhelp=zonemode" exits 0
if matches "$out" '\bzbd\b'; then
	fio_says --parse-only --name=x --rw=write --zonemode=zbd --zonesize=1m --size=8m --direct=1
	check "... names zbd and accepts it" exits 0
else
	fio_says --parse-only --name=x --rw=write --zonemode=zbd --zonesize=1m --size=8m --direct=1
	check "... does not name zbd and refuses it" exits 1
fi
# xfstests searches for engines as whole words, ezfio for json+.
fio_says --enghelp
for engine in libaio io_uring psync sync mmap; do
	check "xfstests: --enghelp has the word $engine" grep -qw $engine "$out"
done
fio_says --help
check "ezfio: --help has json+" eval 'exits 0 && says "$out" json+'
# xfstests does not run a job with unknown options; fiovisualizer reads numjobs from --showcmd.
printf '[global]\nsize=64k\n[job]\nrw=write\nnumjobs=3\n' >job.fio
fio_says --warnings-fatal --showcmd job.fio
check "xfstests: --warnings-fatal --showcmd of a job" exits 0
check "fiovisualizer: --showcmd prints --numjobs=3" says "$out" --numjobs=3
printf '[job]\nno_such_option=1\n' >bad.fio
fio_says --warnings-fatal --showcmd bad.fio
check "xfstests: ... and with an unknown option it fails" exits 1
# LISA abbreviates options, Alibaba's documents use one dash, Azure's have options before the file, kubestr's behind it.
fio_says --name=x --numjob=2 --size=64k --minimal
check "LISA: --numjob=" lines "$out" 2
fio_says -direct=0 -iodepth=1 -rw=randread -ioengine=libaio -bs=4k -size=64k -numjobs=1 -filename=a -name=Rand -minimal
check "Alibaba: one dash" lines "$out" 1
fio_says --runtime 1 job.fio --minimal
check "Azure: --runtime 1 job.fio" lines "$out" 3
fio_says job.fio --output-format=json
check "kubestr: job.fio --output-format=json" json "$out" '.jobs | length == 3'
# SPDK and lkp pass the job on stdin.
fio --output-format=json - <job.fio >"$out" 2>"$err"
check "SPDK, lkp: a job on stdin" json "$out" '.jobs | length == 3'
# mountpoint-s3 uses variables, threads and create_only.
printf '[global]\nname=fs_bench\nbs=256k\ndirectory=${DIR}\n[sequential_read]\nsize=${SIZE}\nrw=read\n' >s3.fio
DIR=. SIZE=1m
export DIR SIZE
fio_says --thread --eta=never --create_only=1 s3.fio
check "mountpoint-s3, KDiskMark: --create_only=1 does no I/O" eval 'exits 0 && [ "$(stat -c %s sequential_read.0.0)" = 1048576 ]'
fio_says --thread --eta=never --output=s3.json --output-format=json s3.fio
check "mountpoint-s3: jq on bw and job options.rw" json s3.json '[.jobs[] | if .["job options"].rw | test("^(rand)?read") then
	.read.bw / 1024 else .write.bw / 1024 end] | add / length > 0'
check "mountpoint-s3: lat_ns.mean" json s3.json '.jobs[0].read.lat_ns.mean / 1e6 > 0'
# kbench includes a file and reads the idle CPUs.
printf 'size=64k\nioengine=libaio\n' >common.fio
printf '[global]\ninclude common.fio\n[iops]\nrw=randread\n' >kbench.fio
fio_says kbench.fio --idle-prof=percpu --output-format=json
check "kbench: cpu_idleness.system is a number" json "$out" '.cpu_idleness.system | type == "number"'
check "kbench: an option of the included file is a global option" json "$out" '.["global options"].ioengine == "libaio"'

# Missing directories of a file name are created.
fio_says --name x --filename=some/where/file --size 64k --rw write
check "missing directories of filename are created; --name x" eval 'exits 0 && [ -s some/where/file ]'

# ---- JSON ----

printf '[global]\nioengine=libaio\niodepth=4\nlat_percentiles=1\nclat_percentiles=1\n[x]\nfilename=f\nsize=4m\nrw=randrw\nfdatasync=16\n' >mix.fio
fio_says mix.fio --output-format=json
cp "$out" doc
check "kubestr, CBT, gcsfuse, xfstests: types" python3 "$SOURCE/t/clients/typed.py" doc
# bench-fio stops if stderr has a single byte.
check "bench-fio: stderr is empty" empty "$err"
# FioSynth cuts off the text before this string.
check "FioSynth: the literal \"fio version\" : " grep -qF '"fio version" : ' doc
check "kubestr: the document is alone on stdout" same "$(head -c 1 doc)$(tail -c 2 doc)" "{}"
# fio-plot adds two zeros to latency_us for the two keys that only latency_ms has.
check "fio-plot: 10 latency cells of us and ns, 12 of ms" json doc '.jobs[0] | (.latency_ns | length) == 10 and
	(.latency_us | keys_unsorted) == ["2","4","10","20","50","100","250","500","750","1000"] and
	(.latency_ms | keys_unsorted) == ["2","4","10","20","50","100","250","500","750","1000","2000",">=2000"]'
# SPDK and FioSynth index all directions and test for percentiles.
check "SPDK, FioSynth: an idle direction has zeros and no percentiles" json doc '.jobs[0].trim |
	.iops == 0 and .clat_ns.N == 0 and (.clat_ns | has("percentile") | not)'
check "lkp: clat percentiles 90, 95, 99, latency_us and latency_ms" json doc '.jobs[0] | (.read.clat_ns.percentile |
	.["90.000000"] > 0 and .["95.000000"] > 0 and .["99.000000"] > 0) and ([.latency_us[], .latency_ms[]] | add) > 0'
check "CBT: usr_cpu and sys_cpu" json doc '.jobs[0] | .usr_cpu + .sys_cpu > 0'
check "FioSynth, PerfKit: trim and sync" json doc '.jobs[0] | has("trim") and (.sync.lat_ns.N > 0)'
# gcsfuse takes the start in ms since 1970 and computes the end.
check "gcsfuse: job_start + runtime lies before timestamp_ms" json doc '.timestamp_ms >= .jobs[0].job_start and
	.jobs[0].job_start > .timestamp_ms - 600000'
# Go's time parser and Python's strptime read the time.
check "the time has ctime's format" python3 -c 'import json, sys, time; time.strptime(json.load(open("doc"))["time"])'
fio_says --output-format=json+ --name=x --filename=f --size=256k --percentile_list=25:50:75:99:99.9999
cp "$out" plus
check "PerfKit: the document has the requested percentiles" json plus '.jobs[0].read.clat_ns.percentile | keys_unsorted ==
	["25.000000", "50.000000", "75.000000", "99.000000", "99.999900"]'
check "ezfio, diskplorer: the bins hold each I/O" json plus '.jobs[0].read.clat_ns | (.bins | add) == .N'
check "ezfio: bins are integers in order" json plus '.jobs[0].read.clat_ns.bins | keys_unsorted | map(tonumber) | . == sort'
# fio-plot and xfstests expect an entry for each clone, all with the same name.
fio_says --output-format=json --name=x --size=64k --numjobs=2
check "fio-plot: numjobs=2 gives two entries of one name" json "$out" '[.jobs[].jobname] == ["x", "x"]'
# kdevops and CBT expect canonical names and strings; a section without options has no such key.
printf '[global]\nreadwrite=randread\nsize=64k\n[own]\nblocksize=8k\ntime_based=0\n[none]\n' >names.fio
fio_says --output-format=json names.fio
check "kdevops: options by their canonical name, as strings" json "$out" '.["global options"] == {"rw": "randread", "size": "64k"}
	and .jobs[0]["job options"].bs == "8k" and (.jobs[1] | has("job options") | not)'
fio_says --output-format=json --name=x --size=64k
check "fio-plot: no [global], no key" json "$out" 'has("global options") | not'
fio_says --output-format=json --name=x --size=64k --numjobs=3 --group_reporting
check "KDiskMark: a group is one entry: error, bw, iops, clat_ns.mean" json "$out" '.jobs | length == 1 and (.[0] |
	.error == 0 and .read.bw > 0 and .read.iops > 0 and .read.clat_ns.mean > 0)'
fio_says --output-format=json --name=x --filename=/dev/full --size=4k --rw=write
check "KDiskMark, portworx: an error is in jobs[].error, and the code is 1" eval 'exits 1 && json "$out" ".jobs[0].error == 28"'
# etcd, Red Hat and IBM publish this job.
fio_says --rw=write --ioengine=sync --fdatasync=1 --directory=. --size=230k --bs=2300 --name=mytest --output-format=json
check "etcd: sync.lat_ns.percentile" json "$out" '.jobs[0].sync | .lat_ns.percentile["99.000000"] > 0 and .total_ios == .lat_ns.N'
# Ceph CBT takes the document from the line with Starting to the first blank line; the file exists already.
fio_says --output-format=json,normal --name=x --filename=f --size=64k
cp "$out" both
sed '1,/Starting/d; /^ *$/,$d' both >chopped
check "CBT: from Starting to the first blank line" json chopped '.jobs[0].read.total_ios == 16'
# ezfio, lkp, snafu and fio-plot cut off the text before the first {.
check "ezfio: from the first {" python3 -c 'import json; s = open("both").read(); json.JSONDecoder().raw_decode(s[s.index("{"):])'

# ---- terse ----

# YABS reads fields 7, 8, 48 and 49 of version 3, and finds the line by its name.
fio --name=rand_rw_4k --ioengine=libaio --rw=randrw --rwmixread=50 --bs=4k --iodepth=64 --numjobs=2 --size=1m --runtime=30 \
	--gtod_reduce=1 --direct=0 --filename=f --group_reporting --minimal 2>/dev/null | grep rand_rw_4k >line
check "YABS: --minimal, bandwidth and IOPS of both directions" eval 'numbers 7 8 48 49 && [ "$(field 8)" -gt 0 ] && [ "$(field 49)" -gt 0 ]'
# fio_benchmark_exporter reads 45 fields of version 5 and recognises a line by its beginning.
fio_says --name=x --filename=f --size=1m --rw=randrw --output-format=terse --terse-version=5 --lat_percentiles=1 --clat_percentiles=0
cp "$out" line
check "exporter: a line begins with 5;fio-" matches line '^5;fio-'
# shellcheck disable=SC2046
check "exporter: its fields are numbers" numbers 7 8 $(seq 28 30) $(seq 38 40) 42 43 45 $(seq 48 50) 54 55 $(seq 75 77) \
	$(seq 85 87) 89 90 92 $(seq 95 97) 147 148 $(seq 152 158)
check "exporter: percentiles are those of the total" same "$(field 30 | cut -d % -f 1)" 99.000000
# blktests reads fields 6 to 162 of version 4 by number.
fio_says --name=x --filename=f --size=1m --rw=randread --output-format=terse --terse-version=4 --group_reporting=1 --output=line
# shellcheck disable=SC2046
check "blktests: 162 fields, all numbers" numbers $(seq 6 162)
check "blktests: clat mean, CPU, contexts, depths" eval '[ "$(field 16 | cut -d . -f 1)" -ge 0 ] && same "$(field 134)" 100.0%'

# exporter and fiovisualizer expect whole lines that repeat, the last one at the end; fiovisualizer reads fields up to 129.
fio_says --name=x --filename=f --size=1m --rw=randrw --time_based --runtime=3 --minimal --status-interval=1
check "exporter, fiovisualizer: --status-interval repeats the line" eval '[ "$(wc -l <"$out")" -ge 2 ]'
check "... each line is whole" same "$(awk -F ';' '{ print NF }' "$out" | sort -u | wc -l)" 1
check "... and nothing else is printed" same "$(grep -vc '^3;fio-' "$out")" 0
tail -n 1 "$out" >line
check "fiovisualizer: bandwidth, IOPS and clat mean" numbers 7 8 16 48 49 57

# ---- the normal output ----

fio_says --name=x --filename=f --size=4m --rw=randrw --ioengine=libaio --iodepth=4 --time_based --runtime=1
cp "$out" text
# dbench and its many copies.
check "dbench: BW= of reads" eval '[ "$(grep -E "read ?:" text | grep -Eoi "BW=[0-9GMKiBs/.]+" | cut -d = -f 2)" ]'
check "dbench: IOPS= of writes" eval '[ "$(grep -E "write ?:" text | grep -Eoi "IOPS=[0-9k.]+" | cut -d = -f 2)" ]'
check "dbench: avg= of \" lat\"" eval '[ "$(grep " lat.*avg" text | grep -Eoi "avg= *[0-9.]+" | cut -d = -f 2)" ]'
# LISA searches the whole text with regular expressions.
check "LISA: IOPS=, BW=, avg=" python3 -c 'import re; t = open("text").read()
assert re.search(r"[\w\W]*?IOPS=(?P<iops>.+?),", t) and re.search(r"[\w\W]*?BW=.+?B/s", t)
assert re.search(r"[\w\W]*? lat \(.sec\).*avg=(?P<latency>.+?),", t)'
# Phoronix: its job file, and the lines from which it takes results.
cat >phoronix.fio <<-JOB
	[global]
	rw=randwrite
	ioengine=sync
	iodepth=64
	size=1m
	direct=0
	buffered=1
	startdelay=0
	runtime=20
	disk_util=0
	clat_percentiles=0
	disable_lat=1
	disable_clat=1
	disable_slat=1
	group_reporting=1
	[test]
	name=test
	bs=4k
	stonewall
JOB
fio_says phoronix.fio
check "Phoronix: write: IOPS= and WRITE: bw=" eval 'matches "$out" "^  write: IOPS=.*BW=" && matches "$out" "^  WRITE: bw="'
check "Phoronix: disk_util=0" eval '! says "$out" "Disk stats"'
# fio-parser.py searches for words and takes the unit's letter from a fixed column.
check "fio-parser.py: read: IOP and IO depths" eval 'says text "read: IOP" && says text "IO depths"'
check "fio-parser.py: the unit of latencies in column 11" same "$(grep -E '^ +[sc]?lat \([num]sec\): ' text | cut -c 11 | tr -d 'num\n')" ""
check "fio-parser.py: the unit of bandwidth in column 10" same "$(grep -E '^   bw ' text | cut -c 10 | tr -d 'KM\n')" ""
check "vendor documents: READ: bw= ... io= ... run=" matches text '^   READ: bw=.*io=.*run=[0-9]+-[0-9]+msec$'
# LISA waits for the word eta on stdout, which is a terminal there.
if ! why=$(no_terminal); then
	script -qec "fio --name=x --filename=f --size=64k --time_based --runtime=2" /dev/null >"$out" </dev/null
	check "LISA: eta on stdout of a terminal" says "$out" "[eta "
else
	skip "LISA: eta on a terminal" "$why"
fi
finish
