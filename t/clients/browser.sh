#!/bin/sh
# Does a browser show the HTML page as it was meant: figures, charts, widths, colours, without scripts, for screen readers? Chromium
# is driven by playwright-core, with axe-core beside it; both are installed into the build folder, or found in $BROWSER_PACKAGES.
# $SCREENSHOTS keeps the pictures.
. "$SOURCE/t/lib.sh"
requires node npm
chromium=$(command -v chromium || command -v chromium-browser) || skip_all "no chromium"
[ "$SANITIZE" = none ] || skip_all "the page does not depend on the sanitizer"

packages=${BROWSER_PACKAGES:-$BUILD_ROOT/browser/node_modules}
[ -d "$packages/playwright-core" ] ||
	timeout 100 npm install --silent --no-audit --no-fund --prefix "$BUILD_ROOT/browser" playwright-core@1.55.0 axe-core@4.10.3 \
		>"$dir/npm" 2>&1 || skip_all "npm does not install playwright-core: $(head -n 1 "$dir/npm")"
[ -d "$packages/axe-core" ] || skip_all "no axe-core in $packages"

cd "$dir" || exit 1
mkdir -p "${SCREENSHOTS:=$dir/screenshots}"
run --output-format=json+ --output=run.json --report=run.html --name=mix --size=16m --rw=randrw --bs=4k --rate_iops=3000,1500 --runtime=4 \
	--time_based
check "the run writes its page" test "$rc" = 0 -a -s run.html
name='<img src=x onerror=ran=1></title></style><script>ran=1;</script>'
run --report=hostile.html --name="$name" --description="$name'\"&amp;--><svg onload=ran=1>" --filename='x<script>ran=1;<\/script>' \
	--size=1m --rw=randread --group_reporting --name="a</script><script>ran=1;</script>" --size=64k --rw=write
check "a run with hostile names writes its page" test "$rc" = 0 -a -s hostile.html

run report run.json -o again.html
check "fiord report makes a page of the document" test "$rc" = 0 -a -s again.html
run report run.html --csv
check "... and reads the page" grep -q ',mix,.*,read,' out
run report run.json again.html -o two.html
check "... and a page of two results" test "$rc" = 0 -a -s two.html
run compare --allow=same-run run.json again.html -o change.html
check "fiord compare makes a page" test "$rc" = 0 -a -s change.html
wave() { # NAME...: jobs one after the other, each a group of its own
	for job; do
		echo "--name=$job --stonewall --new_group"
	done
}
run --report=groups.html --ioengine=null --size=1g --rw=randrw --runtime=1 --time_based --rate_iops=2000 --numjobs=2 $(wave a b c d e f)
check "a run of six groups writes its page" test "$rc" = 0 -a -s groups.html
run --ioengine=null --size=1g --name=l --rw=randrw --rate_iops=2000 --runtime=2 --time_based --write_bw_log=l --write_lat_log=l --log_avg_msec=100
run report l_bw.1.log l_clat.1.log -o logs.html
check "fiord report makes a page of logs" test "$rc" = 0 -a -s logs.html
head -c 65536 /dev/urandom >damaged.dat
run --report=damage.html --name=damage --filename=damaged.dat --size=64k --rw=read --verify=crc32c --verify_fatal=0 --continue_on_error=verify
check "a run that finds damage writes its page" test -s damage.html
HOME=$dir timeout 520 node "$SOURCE/t/clients/browser.cjs" "$packages" "$chromium" "$dir/run.html" "$dir/run.json" "$dir/hostile.html" \
	"$SCREENSHOTS" "$dir/two.html" "$dir/change.html" "$dir/groups.html" "$dir/logs.html" "$dir/damage.html" "$dir/hostile.html" >checks 2>&1
code=$?
cat checks
checks=$((checks + $(grep -c '^ok - ' checks)))
failures=$((failures + $(grep -c '^not ok - ' checks)))
check "the browser's checks ended" test "$code" -le 1
finish
