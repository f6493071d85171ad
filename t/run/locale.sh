#!/bin/sh
# Does a locale with a decimal comma change how numbers are read or written? The test compares a German locale with C. Does a Turkish one,
# in which the capital of i is not I, change which words are known?
. "$SOURCE/t/lib.sh"
requires jq localedef
cd "$dir" || exit 1
mkdir locales
localedef -i de_DE -f UTF-8 "$dir/locales/de_DE.UTF-8" >/dev/null 2>&1 || skip_all "no German locale can be created here"
[ "$(LOCPATH=$dir/locales LC_ALL=de_DE.UTF-8 /usr/bin/printf %.1f 1,5 2>/dev/null)" = 1,5 ] ||
	skip_all "the German locale is not used"

job='--name=ä --description=größe --filename=f --size=1.5m --bs=4k --rw=randrw --rwmixread=50 --percentile_list=50:99.9
	--lat_percentiles=1 --numjobs=2 --thread --group_reporting --idle-prof=percpu --significant_figures=6'
for format in normal terse json json+; do
	# shellcheck disable=SC2086
	run $job --output-format=$format
	check "$format in the C locale exits 0" exits 0
	mv out "c.$format"
	LOCPATH=$dir/locales LC_ALL=de_DE.UTF-8
	export LOCPATH LC_ALL
	# shellcheck disable=SC2086
	run $job --output-format=$format
	unset LOCPATH
	LC_ALL=C
	check "... and in the German locale" exits 0
	mv out "de.$format"
	check "$format has no decimal comma" [ -z "$(sed -E 's/"[^"]*"//g' "de.$format" | grep -nE '[0-9],[0-9]+(%|;|$| )' |
		grep -v 'issued rwts')" ]
	check "... but decimal points" grep -qE '[0-9]\.[0-9]' "de.$format"
done
check "the terse lines have the same number of fields" same "$(tr -cd ';' <c.terse | wc -c)" "$(tr -cd ';' <de.terse | wc -c)"
check "sizes and percentiles are read with points" json de.json '.jobs[0] | (.read.io_bytes + .write.io_bytes == 3145728) and
	(.read.lat_ns.percentile | has("99.900000"))'
for file in c de; do
	jq -c '.jobs[0] | del(.fiord) | [paths | map(tostring) | join(".")] | .[]' $file.json >$file.keys
done
check "the documents have the same keys" cmp -s c.keys de.keys
check "names keep their letters" json de.json '.jobs[0].jobname == "ä" and .jobs[0].desc == "größe"'
printf '[x]\nioengine=null\nsize=(1.5k+2.5k)\nruntime=0.5\n' >job.ini
LOCPATH=$dir/locales LC_ALL=de_DE.UTF-8 "$FIORD" job.ini --output-format=json >out 2>err
check "fractions in a job file are read with points" json out '.jobs[0].read.io_bytes == 4096'
LOCPATH=$dir/locales LC_ALL=de_DE.UTF-8 "$FIORD" --name=x --ioengine=null --size=1,5m >out 2>err
check "a decimal comma is refused" [ $? = 2 ]
LOCPATH=$dir/locales LC_ALL=de_DE.UTF-8 "$FIORD" --name=x --filename=/missing/f --rw=read --size=4k --allow_file_create=0 >out 2>err
check "errors are in English, with the name of the errno" grep -q 'ENOENT\|allow_file_create' err

if localedef -i tr_TR -f UTF-8 "$dir/locales/tr_TR.UTF-8" >/dev/null 2>&1; then
	job='--name=x --ioengine=null --size=1MIB --bs=4KI --rw=write --percentile_list=50:99.9 --output-format=json'
	# shellcheck disable=SC2086
	LOCPATH=$dir/locales LC_ALL=tr_TR.UTF-8 "$FIORD" $job >out 2>err </dev/null
	rc=$?
	check "a job in a Turkish locale exits 0" exits 0
	check "... its units are known in capitals" json out '.jobs[0].write | .io_bytes == 1048576 and .total_ios == 256'
	LOCPATH=$dir/locales LC_ALL=tr_TR.UTF-8 "$FIORD" $job --rw=wrıte >out 2>err </dev/null
	rc=$?
	check "... and a dotless i is another letter" exits 2
	check "... which the error shows" says err "rw=wrıte"
else
	skip "a Turkish locale" "none can be created here"
fi
finish
