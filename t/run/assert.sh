#!/bin/sh
# Do assertions (--assert) judge what the document says, refuse what cannot be measured before anything is created, and is
# --junit XML in every ending? The expected values are those of the document, and those of fiord(1), ASSERTIONS.
. "$SOURCE/t/lib.sh"
requires python3 jq
cd "$dir" || exit 1

junit() { # FILE EXPRESSION: the file is well-formed, its counts are right, and the expression about its root holds
	python3 - "$@" <<'END'
import sys, xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
cases = root.findall('./testsuite/testcase')
for suite in root.findall('testsuite'):
    assert int(suite.get('tests')) == len(suite.findall('testcase')), 'tests'
    assert int(suite.get('failures')) == len(suite.findall('testcase/failure')), 'failures'
    assert int(suite.get('errors')) == len(suite.findall('testcase/error')), 'errors'
def case(job, name):
    found = [c for c in cases if (c.get('classname'), c.get('name')) == (job, name)]
    assert len(found) == 1, (job, name, [(c.get('classname'), c.get('name')) for c in cases])
    return found[0]
sys.exit(not eval(sys.argv[2]))
END
}
job="--name=j --filename=t.dat --size=1m --bs=4k --rw=randrw"

# ---- verdicts ----
run $job --output-format=json --output=r.json --junit=r.xml --assert 'read.total_ios > 0' --assert='errors == 0' --assert 'j.write.iops > 0'
check "assertions that hold: code 0" exits 0
check "... the document has their verdicts" json r.json '.assertions | length == 3 and all(.passed)'
check "... with the value of the document" json r.json '.assertions[0].measured == .jobs[0].read.total_ios'
check "... and the JUnit file has no failure" junit r.xml 'len(cases) == 5 and not root.findall(".//failure") and not root.findall(".//error")'
run $job --assert 'p99 < 1ns' --junit=r.xml --report=r.html
check "an assertion that does not hold: code 5" exits 5
check "... the report has a row for each direction" grep -Eq '^  FAILED +j +write\.clat\.p99 .* < 1 ns +p99 < 1ns$' out
check "... and how many failed" says out "Assertions: 0 passed, 2 FAILED"
check "... the page, too" says r.html "The verdicts of the assertions"
check "... and JUnit the measured value and the limit" junit r.xml '"and the limit is < 1 ns" in case("j", "p99 < 1ns (read.clat.p99)")[0].get("message")'
run $job
check "without assertions the report has no word of them" sh -c '! grep -q -i assert out'
run $job --output-format=json --assert 'read.iops < 1'
check "machine output alone: the failure is on standard error" says err "--assert='read.iops < 1' failed: j: read.iops is"
check "... and standard output is one document" json out '.assertions[0].passed == false and .fiord.exit.code == 5'
run --name=w --filename=t.dat --size=64k --rw=randrw --rwmixread=100 --output-format=json --assert 'write.iops < 5'
check "a figure that was not measured fails, whatever the limit" exits 5
check "... with the reason" json out '.assertions[0] | .not_measured == "no I/O was measured" and (has("measured") | not)'
run --name='a<"&' --filename=t.dat --size=64k --rw=read --numjobs=2 --junit=r.xml --assert 'a<"&.read.iops > 0'
check "names with the characters of XML and of operators" junit r.xml 'case("a<\"& (2)", "a<\"&.read.iops > 0") is not None'
run --repeat=2 $job --junit=r.xml --assert 'iops > 0'
check "--repeat: a test suite for each run" junit r.xml '[s.get("name") for s in root] == ["run 1", "run 2"]'

# ---- every figure ----
run --output-format=json+ --output=all.json --idle-prof=percpu --name=v --filename=v.dat --size=1m --rw=randrw --bs=4k --fsync=16 \
	--lat_percentiles=1 --slat_percentiles=1 --verify=crc32c --name=open --ioengine=null --size=1m --rw=read --rate_iops=5000 \
	--rate_open=1 --unified_rw_reporting=mixed --name=steady --stonewall --ioengine=null --size=1m --rw=read --time_based --runtime=3 \
	--ss=iops:1000% --ss_dur=1 --ss_interval=200ms --name=target --stonewall --ioengine=null --size=1m --rw=trim --time_based --runtime=1 \
	--iodepth=8 --latency_target=1s --latency_window=50ms --latency_percentile=50 --name=both --ioengine=null --size=1m --rw=rw --unified_rw_reporting=both \
	--name=step --stonewall --ioengine=null --size=1m --rw=randrw --time_based --runtime=300ms --rate_steps=0s:1000,100ms:2000,200ms:0 \
	--name=files --stonewall --filename=x.dat:y.dat:z.dat:u.dat --filesize=256k --rw=randrw --fsync=8 --per_file_stats=percentiles \
	--name=prio --stonewall --ioengine=libaio --filename=prio.dat --size=1m --rw=randrw --cmdprio_percentage=50 --cmdprio_class=2
check "a run with many figures" exits 0
check "an assertion can name each of them, with its value" python3 "$SOURCE/t/run/assert_figures.py" "$FIORD" all.json 1500


# The results of t/golden have what no run of a test has: ranks, damage, lost I/Os. Of those left out some are fio's, some have
# values that a double cannot hold, and the files of one do more than their job.
for result in "$SOURCE"/t/golden/report/*.json; do
	case $result in
	*/compare*.json | */as-fio.json | */fio-*.json | */files.json | */huge.json | */widths.json) continue ;;
	esac
	check "... of $(basename "$result"), too" python3 "$SOURCE/t/run/assert_figures.py" "$FIORD" "$result" 0
done

# ---- entries of lists ----
run --output-format=json --output=l.json --name=s --ioengine=null --size=1m --rw=read --time_based --runtime=200ms \
	--rate_steps=0s:1000,100ms:2000 --junit=l.xml --assert 's.rate_steps[0].read.rate == 1000' --assert 'rate_steps.rate > 1000' \
	--assert 'rate_steps[1].read.total_ios < 1'
check "steps of a rate: by index, and all of them" exits 5
check "... the verdict of all names the worst one" json l.json '.assertions | map([.figure, .measured, .passed]) | .[:2] ==
	[["rate_steps.steps[0].read.rate", 1000, true], ["rate_steps.steps[0].read.rate", 1000, false]]'
check "... with the value of the document" json l.json '.assertions[2].measured == .jobs[0].fiord.rate_steps.steps[1].read.total_ios'
check "... and JUnit has them" junit l.xml 'case("s", "rate_steps[1].read.total_ios < 1")[0].tag == "failure"'
run --output-format=json --output=l.json --name=p --numjobs=2 --filename=prio.dat --size=1m --rw=randrw --ioengine=libaio \
	--cmdprio_percentage=50 --cmdprio_class=2 --per_file_stats=counts --assert 'prios.clat.mean > 0ns' --assert 'files.errors == 0'
check "priorities and files of each clone" json l.json '.assertions | map(.figure | sub("\\[.*\\]"; "")) ==
	["read.prios.clat.mean", "write.prios.clat.mean", "read.prios.clat.mean", "write.prios.clat.mean"] +
	["files.read.errors", "files.write.errors", "files.read.errors", "files.write.errors"]'
run --output-format=json+ --output=l.json --name=s --ioengine=null --size=1m --rw=read --time_based --runtime=500ms --rate_iops=200 \
	--assert 'fiord.series.groups.read.ios > 1000000' --assert 'fiord.series.groups[s].read.bytes[0] > 0'
check "intervals of the series: each of them" exits 5
check "... the verdict names the one with the fewest I/Os" json l.json '.assertions[0].measured == (.fiord.series.groups[0].read.ios | min)'
check "... and one interval by its index" json l.json '.assertions[1] | .passed and .figure == "fiord.series.groups.read.bytes[0]" and .of == "s"'
run report all.json --assert 'files["y.dat"].read.clat.p99 > 0ns' --assert 'files.errors == 0' --assert 'cpu_idleness.cpu >= 0' \
	--assert 'prio.read.prios[0].clat.mean > 0ns' --assert 'jobs[0].errors == 0' --assert 'target.latency_target.steps[0].ios > 0'
check "a document is judged by names and indexes" exits 0
run report all.json --assert 'steady.steadystate.data.iops[99999] > 0'
check "an entry that the run did not have fails" exits 5

# ---- documents ----
run report all.json --assert 'v.read.clat.p99 > 0ns' --assert 'v.verify.damaged == 0' --junit=d.xml
check "fiord report judges a document" exits 0
check "... and prints the verdicts" says out "Assertions: 2 passed, 0 FAILED"
check "... and writes JUnit" junit d.xml 'root[0].get("name") == "all.json" and case("v", "v.verify.damaged == 0") is not None'
run report all.json --assert 'v.read.clat.p99 < 1ns' -o page.html
check "... code 5 if one fails" exits 5
check "... the page is written" says page.html "FAILED"
run report all.json --assert 'v.trim.iops > 1'
check "... and refuses figures that the document cannot have" exits 2
run --output-format=json+ --output=w.json --name=w --ioengine=null --size=64k --rw=randrw --rate_iops=10000,0 \
	--assert 'fiord.series.groups.resp_max < 10s' --assert 'disk_util[9].util >= 0'
check "response times of the series are those of the directions with a rate" json w.json '.assertions[:-1] | map(.figure | sub("\\[.*"; "")) ==
	["fiord.series.groups.read.resp_max"]'
check "a run that watched no disk fails" json w.json '.assertions[-1] | .figure == "disk_util[9].util" and .not_measured == "the run watched no disk"'
run report w.json --assert 'disk_util[9].util >= 0'
check "... and so does its document" exits 5
run report w.json --assert 'fiord.series.groups.write.resp_max < 10s'
check "... which refuses what the run would refuse" says err "no job has a rate in this direction"
run $job --output-format=json --output=f.json --assert 'read.iops < 1'
run report f.json -o f.html
check "a document keeps its verdicts: the page has them" says f.html "read.iops &lt; 1"
run merge f.json r.json -o m.json
check "a merged document has none" json m.json 'has("assertions") | not'

# ---- endings ----
run --junit=e.xml --assert 'errors == 0' --name=good --ioengine=null --size=1m --rw=read --name=worse --ioengine=null --size=1m --rw=read \
	--exec_prerun=false
check "a job that fails: its code comes before that of assertions" exits 1
check "... its error is a test case" junit e.xml 'case("worse", "no errors").find("error") is not None'
start --name=long --ioengine=null --size=1m --rw=read --time_based --runtime=600 --eta=always --junit=s.xml --assert 'errors == 0'
until_true 30 progress_shows R
kill -INT "$pid"
wait_for_exit
check "a signal: its code" exits 130
check "... the file is complete" junit s.xml '"SIGINT" in case("run", "complete")[0].get("message")'
mkdir d
run $job --junit=d/x.xml --assert 'iops > 0' --exec_postrun='rm -r d'
check "a file that cannot be written any more: code 6" exits 6
check "... and an error" says err "d/x.xml: the result could not be written"
"$FIORD" --name=n --ioengine=null --size=64k --rw=read --output-format=json --junit=full.xml --assert 'iops > 0' >/dev/full 2>err
rc=$?
check "standard output is full: code 6" exits 6
check "... the file is complete" junit full.xml 'case("n", "iops > 0") is not None'
check "... with this exit code" says full.xml '<property name="exit code" value="6"/>'
check "... and an error" junit full.xml '"could not be written" in case("run", "complete").find("error").get("message")'
run --name=n --ioengine=null --size=64k --rw=read --output=/dev/full --junit=full.xml --assert 'iops < 0'
check "the file of --output is full: code 6" exits 6
check "... so says JUnit" says full.xml '<property name="exit code" value="6"/>'
check "... with the failed assertion" junit full.xml 'case("n", "iops < 0").find("failure") is not None'

# ---- refusals ----
rm -f t.dat
printf '[j]\nfilename=n.dat\nsize=64k\n' >j.ini
touch before names
ls -p >names
refused() { # LABEL ERROR ARG...
	refusal=$1 text=$2
	shift 2
	for verb in run check; do
		run $verb --name=reader --filename=n.dat --size=64k --rw=read "$@"
		check "$verb: $refusal is refused" exits 2
		check "... with the reason" says err "$text"
		check "... in one line" lines err 1
	done
}
refused "an assertion without an operator" "has the form" --assert 'read.iops'
refused "an unknown unit" "a time with its unit" --assert 'read.clat.p99 < 1 fortnight'
refused "an unknown figure" "did you mean iops?" --assert 'read.iop < 1'
refused "an unknown job" "did you mean 'reader'?" --assert 'redaer.read.iops > 0'
refused "writes of a job that reads" "does not write" --assert 'write.iops > 0'
refused "response times without a rate" "has no rate" --assert 'read.resp.p99 < 1s'
refused "a percentile that is not listed" "percentile_list" --assert 'read.p98 < 1s'
refused "... by its option" "percentile_list" --percentile_list=50:98 --assert 'read.p99 < 1s'
refused "latencies that are switched off" "does not measure lat" --disable_lat=1 --assert 'read.lat.mean < 1s'
refused "an unknown disk" "no disk is called" --assert 'disk_util.nosuch.util < 5%'
refused "verification without verify" "does not verify" --assert 'verify.damaged == 0'
refused "a step that the job does not have" "the last one is rate_steps.steps[1]" --rate_steps=0s:10,1s:20 --assert 'rate_steps[2].iops > 0'
refused "a step of a job without rate_steps" "has no rate_steps" --assert 'reader.rate_steps[0].iops > 0'
refused "a file without per_file_stats" "per_file_stats" --assert 'files[n.dat].read.total_ios > 0'
refused "a file that the job does not have" "did you mean 'n.dat'?" --per_file_stats=counts --assert 'files[m.dat].read.total_ios > 0'
refused "a file beyond the last one" "the last one is files[0]" --per_file_stats=counts --assert 'files[1].read.total_ios > 0'
refused "priorities of a job that has one" "one priority" --assert 'read.prios[0].clat.mean < 1s'
refused "an unknown figure of a step" "did you mean iops?" --assert 'rate_steps[0].read.iop < 1'
refused "an unknown list" "did you mean 'rate_steps'?" --assert 'rate_step[0].read.iops < 1'
refused "a CPU without --idle-prof=percpu" "needs --idle-prof=percpu" --idle-prof=system --assert 'cpu_idleness.cpu-0 > 1'
refused "a CPU that the machine does not have" "there is no CPU 99999" --idle-prof=percpu --assert 'cpu_idleness.cpu-99999 > 1'
refused "hosts of a run on one" "only the document of fiord-mpi" --assert 'fiord.hosts[0].done_ns < 1s'
refused "the series of another job" "did you mean 'reader'?" --assert 'fiord.series.groups[raeder].ios > 0'
refused "a job beyond the last one" "its last job is jobs[0]" --assert 'jobs[1].errors == 0'
refused "an index that is too large" "its last job is jobs[0]" --assert 'jobs[99999999999999999999].errors == 0'
refused "a job with no similar name" "the names are 'reader'" --assert 'nobody.read.iops > 0'
refused "a word that is no direction" "these are read, write" --per_file_stats=counts --assert 'files[0].other.errors == 0'
refused "response times of the series in a direction without a rate" "no job has a rate in this direction" --rw=randrw \
	--rate_iops=1000,0 --assert 'fiord.series.groups.write.resp_max < 1s'
refused "an empty assertion" "--assert" --assert ''
refused "--junit with the file of --output" "--output has the same file" --output=o --junit=./o --assert 'iops > 0'
refused "--junit in no directory" "No such file or directory" --junit=none/x --assert 'iops > 0'
refused "--junit twice with the file of --csv" "--csv has the same file" --csv=o --junit=o
run --parse-only --name=reader --filename=n.dat --size=64k --rw=read --assert 'read.iop < 1'
check "--parse-only parses assertions, too" exits 2
run --group_reporting=1 --name=a --filename=n.dat --size=64k --name=b --filename=n.dat --size=64k --assert 'b.read.iops > 0'
check "a job that is reported with its group" says err "is reported together with 'a'"
check "no refusal created a file" same "$(ls -p)" "$(cat names)"
mkdir gone
run --name=a --ioengine=null --size=64k --exec_postrun='rmdir gone' --csv=gone/c --junit=u.xml
check "a table that cannot be written makes the exit code 6" exits 6
check "... and --junit says so" says u.xml '<error message="a log or a result could not be written"'
finish
