#!/bin/sh
# Does the JSON document have each key of fio's, with its type and place, and no other key outside "fiord"? The list of keys is checked
# against the output of an installed fio 3.33.
. "$SOURCE/t/lib.sh"
requires python3
cd "$dir" || exit 1
here=$SOURCE/t/clients

# documents PROGRAM ARG...: runs jobs that work on any machine and together have all keys.
documents() {
	rm -f ./*.json
	n=0
	all="--slat_percentiles=1 --clat_percentiles=1 --lat_percentiles=1 --output-format=json+"
	while read -r job; do
		n=$((n + 1))
		# shellcheck disable=SC2086
		"$@" --output=$n.json $all $job >out 2>err </dev/null || echo "$job: $(cat err)"
	done <<-JOBS
		--size=256k --ioengine=libaio --iodepth=4 --name=a --description=d --rw=randrw --fsync=8 --continue_on_error=all --name=b --rw=write
		--size=256k --ioengine=libaio --iodepth=4 --unified_rw_reporting=mixed --name=a --rw=randrw --fsync=4
		--size=256k --ioengine=libaio --iodepth=4 --unified_rw_reporting=both --name=a --rw=randrw --fsync=4
		--size=256k --ioengine=null --iodepth=4 --rw=randtrim --name=a
		--size=4m --ioengine=libaio --iodepth=8 --cmdprio_percentage=50 --cmdprio_class=2 --cmdprio=3 --lat_percentiles=0 --name=a --rw=randrw
		--size=64k --idle-prof=percpu --name=a --rw=randread
		--size=256k --group_reporting --numjobs=3 --name=a --rw=randrw
		--size=64k --name=a --rw=read --name=b --new_group --rw=write --disable_lat=1 --gtod_reduce=1
		--ioengine=null --size=4k --name=nothing --startdelay=60 --runtime=1 --name=b --exitall
	JOBS
	for kind in iops lat; do
		"$@" --output=$kind.json --output-format=json --size=64k --name=a --rw=randread --time_based --runtime=5 \
			--ss=$kind:50% --ss_dur=2 --rate_iops=1000 >out 2>err </dev/null || rm -f $kind.json
	done
	"$@" --output=zbd.json --output-format=json --name=zbd --filename=a.0.0 --size=256k --rw=write --zonemode=zbd --zonesize=64k \
		>out 2>err </dev/null || rm -f zbd.json
	without=--without=stacked # needs a device mapper
	[ -e iops.json ] || without="$without --without=steadystate"
	[ -e zbd.json ] || without="$without --without=zbd"
	[ -e lat.json ] || without="$without --without=ss=lat"
	grep -q '"disk_util"' 1.json || without="$without --without=disk" # tmpfs
}

schema() { # OPTION...
	# shellcheck disable=SC2086
	python3 "$here/schema.py" $without "$@" "$here/json-keys.txt" ./*.json >problems 2>&1 || {
		cat problems
		return 1
	}
}

# shellcheck disable=SC2086
documents "$FIORD" $threads >errors
check "all jobs run" empty errors
check "each key of fio exists, with its type and place" schema
ln -s "$FIORD" fio
# shellcheck disable=SC2086
documents ./fio $threads >errors
check "all jobs run under the name fio" empty errors
check "... with all keys" schema
check "... and no fiord key" same "$(grep -l '"fiord" :' ./*.json)" ""

# The check itself finds wrong documents.
sed 's/"bw_mean" : \([0-9]*\)\.[0-9]*/"bw_mean" : \1/' 1.json >wrong
mv wrong 1.json
check "a float that became an integer is found" eval '! schema >wrong && says wrong "bw_mean: int, not float"'
sed -i 's/"bw_mean"/"bw_meen"/' 2.json
check "a renamed key is found" eval '! schema >wrong && says wrong "bw_meen: not a key" && says wrong "bw_mean: missing"'

fio=$(command -v fio)
case $("${fio:-false}" --version 2>&1) in
fio-3.33*)
	documents "$fio" >errors
	check "fio runs the same jobs" empty errors
	check "the list has the keys of fio 3.33" schema --until=3.33
	;;
*) skip "the list against fio" "no fio 3.33" ;;
esac
finish
