#!/bin/sh
# Does every document that fiord writes say the same to another reader? cJSON reads the documents of runs, comparisons,
# merges, sweeps, distributions and --live, and each value is compared with what fiord's own readers get.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

equal() { # LEAST-VALUES LEAST-FIGURES FILE...
	least_values=$1 least_figures=$2
	shift 2
	"$TWO_READERS" "$@" >two.out || return 1
	read -r values _ figures _ <two.out
	[ "$values" -ge "$least_values" ] && [ "$figures" -ge "$least_figures" ]
}
job="--ioengine=null --size=1m --rw=randrw"

for i in 1 2; do
	run --output-format=json+ --output=run$i.json --live=live$i.json --live-interval=100ms --idle-prof=percpu --name='a"\	é' \
		$job --name=b $job --rate_iops=20000 --rate_open=1 --lat_percentiles=1 --name=c --filename=c.dat --size=1m --rw=randrw \
		--verify=crc32c --per_file_stats=percentiles --assert='iops > 0'
	check "run $i" exits 0
done
check "a run" equal 1000 300 run1.json
check "lines of --live" equal 50 0 live1.json
run merge run1.json run2.json -o merged.json
check "a merge" equal 1000 300 merged.json
run compare run1.json run2.json -f json -o compared.json
check "a comparison" equal 100 0 compared.json
"$FIORD" dist zipf:1.2 --size=1g --format=json >dist.json
check "a distribution" equal 20 0 dist.json
run sweep --sweep bs=4k,8k -d points --name=s $job
check "a sweep: the list of its points and their documents" equal 1000 100 points/*.json
# A result refuses the values of widths.json, which are too large for one.
sed 's/"fio version"/"version"/' "$SOURCE/t/golden/report/widths.json" >widths.json
check "values of all widths" equal 1000 0 widths.json
for document in "$SOURCE"/t/golden/report/*.json; do
	case $document in
	*/widths.json) ;;
	*) check "$(basename "$document")" equal 10 0 "$document" ;;
	esac
done
finish
