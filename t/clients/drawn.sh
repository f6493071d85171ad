#!/bin/sh
# Can people see what the HTML pages have? A page of every kind is drawn by Chromium: light, dark, on a screen of 390 px and in print.
# drawn.js looks at the pixels: all texts and lines stand out from their background, no text lies on another, and every column of
# every table can be reached. The pages come from small runs; the numbers in them do not matter here.
# $SCREENSHOTS is a directory that keeps the pictures; $PAGES one that keeps the pages.
. "$SOURCE/t/lib.sh"
requires python3
chromium=$(command -v chromium || command -v chromium-browser) || skip_all "no chromium"
[ "$SANITIZE" = none ] || skip_all "the page does not depend on the sanitizer"

cd "${PAGES:-$dir}" || exit 1
null="--ioengine=null --size=1g"
clocked="$null --time_based --runtime=2 --rate_iops=3000,1500"

page() { # NAME ARGUMENT...: a command that writes NAME.html
	page=$1.html
	shift
	run "$@"
	check "$page is written" test -s "$page"
}
jobs() { # NAME...: jobs that run one after the other, each in a group of its own
	for job; do
		echo "--name=$job --stonewall --new_group"
	done
}

# shellcheck disable=SC2046,SC2086
{
	page run --report=run.html --output-format=json+ --output=run.json --name=mix --size=16m --rw=randrw --bs=4k $clocked --ioengine=psync
	page groups --report=groups.html --rw=randrw $clocked --runtime=1 --numjobs=2 $(jobs orders log)
	page jobs --report=jobs.html --output-format=json+ --output=jobs.json $null --time_based --runtime=1 --name=readers --rw=randread \
		--name=writers --rw=randwrite --rate_iops=2000
	page runs report run.json jobs.json -o runs.html
	for rates in a1=2000,2000 a2=2010,1990 b1=3000,1000 b2=2990,990; do
		run --output-format=json+ --output=${rates%=*}.json --name=mix --rw=randrw --bs=4k $clocked --runtime=1 --rate_iops=${rates#*=}
	done
	page compare compare --allow=rate --fail-if 'read.iops < -10%' --a a1.json a2.json --b b1.json b2.json -o compare.html
	page sweep sweep --sweep iodepth=1,2,4..256 --sweep bs=4k,64k -d points -o sweep.html --name=x $null --rw=randread --runtime=100ms --time_based
	# All points have the same IOPS, so the curves run straight up and down.
	page saturated sweep --sweep iodepth=1,2,4..64 -d saturated -o saturated.html --name=x $null --rw=randread --bs=4k --rate_iops=3000 \
		--runtime=300ms --time_based
	page until sweep --until 'lat.mean < 3us' --sweep iodepth=1..256 --sweep bs=4k,64k -d searched -o until.html --name=x $null --rw=randrw \
		--runtime=100ms --time_based
	page rates sweep --sweep rate_iops=5000,5500..9500 -d rated -o rates.html --name=x $null --rw=randread --runtime=300ms --time_based
	run $clocked --name=l --rw=randrw --write_bw_log=l --write_lat_log=l --log_avg_msec=100
	page logs report l_bw.1.log l_clat.1.log -o logs.html
	run --name=t --ioengine=null --rw=randrw --bssplit=4k/60:64k/40 --size=64m --io_size=100m --norandommap --random_distribution=zipf:1.1 \
		--fsync=20 --rate_iops=3000,1500 --write_iolog=iolog
	page trace trace iolog -o trace.html
	page steps --report=steps.html $null --name=steps --rw=randread --rate_steps=0s:1000,500ms:4000 --runtime=1 --time_based
	mkdir nights many
	run --name=job $null --rw=randrw --bs=4k --number_ios=2000 --output-format=json+ --output=night.json
	python3 "$SOURCE/t/run/trend_nights.py" make night.json nights 60 41
	python3 "$SOURCE/t/run/trend_nights.py" make night.json many 900 500
	page trend trend nights --fail-if 'p99 > +50%' -o trend.html
	page joined trend many --by=environment.kernel -o joined.html
	head -c 8388608 /dev/zero >target
	page diskspd diskspd --report=diskspd.html --allow_write=target -b4K -t2 -o4 -r -w30 -d2 -W0 target
	head -c 65536 /dev/urandom >damaged
	page notes --report=notes.html --name=damage --filename=damaged --size=64k --rw=read --verify=crc32c --verify_fatal=0 \
		--continue_on_error=verify --name=many --size=1m --rw=randrw --ioengine=psync --iodepth=8 --direct=0 --thinktime=10 \
		--rate_iops=100000 --runtime=1
}
loop=
cleanup() {
	[ -z "$loop" ] || losetup -d "$loop"
}
if [ "$(id -u)" = 0 ] && [ -e /dev/loop-control ] && loop=$(losetup -f --show target 2>err); then
	page where --report=where.html --where --filename="$loop" --direct=1 --bs=4k --name=mix --rw=randrw --rate_iops=3000,1500 --iodepth=4 \
		--ioengine=libaio --time_based --runtime=2 --allow_write="$loop"
	page snia sweep --sweep iodepth=1,2,4 --snia -d snia -o snia.html --name=x --filename="$loop" --rw=randwrite --bs=4k --ioengine=psync \
		--steadystate_check_interval=10ms --allow_write="$loop" --runtime=10
else
	skip "snia.html" "no loop device"
fi

mkdir -p "${SCREENSHOTS:=$dir/screenshots}"
HOME=$dir timeout 800 python3 "$SOURCE/t/clients/drawn.py" "$chromium" "$SCREENSHOTS" ./*.html >checks 2>&1
code=$?
cat checks
checks=$((checks + $(grep -c '^ok - ' checks)))
failures=$((failures + $(grep -c '^not ok - ' checks)))
check "the browser's checks ended" test "$code" -le 1
finish
