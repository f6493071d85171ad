#!/bin/sh
# Does each field of the terse lines agree with the JSON document of the same run, in each version? terse.py compares by position.
. "$SOURCE/t/lib.sh"
requires python3
cd "$dir" || exit 1

# agrees VERSION: the file all has both formats; terse comes first.
agrees() {
	sed '/^{/,$d' all >lines
	sed -n '/^{/,/^}/p' all >document
	python3 "$SOURCE/t/clients/terse.py" "$1" lines document >problems 2>&1 || {
		cat problems
		return 1
	}
}

for version in 2 3 4 5; do
	set -- --terse-version=$version --output-format=terse,json --output=all
	run "$@" --name=x --description=described --filename=f --size=16m --rw=randrw --fsync=16 --ioengine=libaio \
		--iodepth=8 --time_based --runtime=1500ms
	check "version $version: a mix of reads and writes agrees" agrees $version
	run "$@" --name=x --filename=f --size=1m --rw=randread --continue_on_error=all --lat_percentiles=1 \
		--percentile_list=50:99:99.9999
	check "... percentiles of the total, and errors" agrees $version
	run "$@" --name=x --rw=randtrim --size=1m --ioengine=null --disk_util=0
	check "... trims" agrees $version
	run "$@" --group_reporting --filename=f --size=1m --name=x --numjobs=3 --rw=write --name=y --new_group --rw=read \
		--clat_percentiles=0
	check "... groups" agrees $version
	run "$@" --name=x --filename=/dev/full --size=4k --rw=write
	check "... a failed job" agrees $version
	run "$@" --ioengine=null --size=4k --name=nothing --startdelay=60 --runtime=1 --name=b --exitall
	check "... a job without I/O" agrees $version
done

run --terse-version=3 --output-format=terse,json --output=all --name=x --filename=f --size=1m
sed -i '1s/;[0-9]*;0;0;0;0;0/;77;0;0;0;0;0/' all
check "a wrong field is found" eval '! agrees 3'
finish
