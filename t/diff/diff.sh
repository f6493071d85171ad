#!/bin/sh
# Does fiord agree with Debian's fio? Both run the same small jobs in all formats. The test compares exit codes, file sizes, JSON keys
# and types, job options, the counts that each row of jobs.txt names, the lines of the normal output and the fields of terse lines.
#
# diff.sh [ROW...] runs only these rows and keeps the output of both programs.
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
fiord=$(command -v "${FIORD:-fiord}") || {
	echo "no ${FIORD:-fiord}"
	exit 1
}
case $fiord in
/*) ;;
*) fiord=$PWD/$fiord ;;
esac
at_once=6

for tool in fio jq; do
	command -v $tool >/dev/null && continue
	echo "skipped: no $tool"
	exit 77
done

# $jobs is the directory of the job files.
export FOUR_SIZE=12k
jobs=$here/jobs

dir=$(mktemp -d "${TMPDIR:-/tmp}/fiord-diff.XXXXXX") || exit 1
if [ $# = 0 ]; then
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 1' INT TERM HUP
fi

# run_both OUTPUT-OPTIONS JOB-OPTIONS: runs in the directories fio/ and fiord/, with the output in fio.out and fiord.out.
run_both() {
	for side in fio fiord; do
		mkdir -p $side || exit 1
		program="timeout -k 5 120 fio" # fio 3.33 hangs at times with io_submit_mode=offload
		[ $side = fio ] || program="'$fiord'"
		(cd $side && eval "$program $1 --output=../$side.out $2") \
			>$side.err 2>&1 </dev/null &
		eval "pid_$side=\$!"
	done
	wait $pid_fio
	case $? in
	0) ;;
	124 | 137) echo "it did not end within 120 s" >"$dir/$name.skipped" ;;
	*) tail -n 1 fio.err >"$dir/$name.skipped" ;;
	esac
	wait $pid_fiord || echo "fiord: exit $?: $(cat fiord.err)"
	for side in fio fiord; do
		: >$side.terse && : >$side.json && : >$side.text
		awk -v side=$side '/^\{$/ { json = 1 }
			{ print >(side (json ? ".json" : /^([2-5]|);/ ? ".terse" : ".text")) }
			/^\}$/ { json = 0 }' $side.out
	done
}

# A state of verification is the program's own.
sizes() {
	(cd "$1" && find . -type f ! -name '*-verify.state' -printf '%p %s\n' | sort)
}

sums() {
	(cd "$1" && find . -type f ! -name '*-verify.state' -exec sha256sum {} + | sort)
}

# listing X: prints the differences between fio.X and fiord.X.
listing() {
	"$1" fio >"fio.$1"
	"$1" fiord >"fiord.$1"
	diff "fio.$1" "fiord.$1"
}

# skeleton: lines without the values of a run: numbers (D has two decimals, F one and a percent sign), units and dates. Lines of cells
# become one line. It levels the differences between 3.42 and 3.33 (zone resets, syncfs, sectors=, the units of the latency line)
# and those of fiord (decimals of IOPS below 10, environment, notes).
skeleton() {
	sed -E -e '/^(Environment|Notes):$/,$d' -e '/Laying out/d' -e 's/^(fio-3|fiord [0-9]).*/VERSION/' \
		-e 's/(: pid=)[0-9]+: .*/\1DATE/' -e 's/; 0 zone resets//' -e 's,/syncfs:$,:,' \
		-e '/: \(g(roupid)?=|^Starting|^Run status/b' \
		-e 's,sectors=[0-9]+/[0-9]+\, ,,' -e 's/(target|window)=[0-9.]+(ns)?/\1=N/g' \
		-e 's/^     \|.*/     | CELLS/' -e 's/^(  lat \()[num](sec\) +: ).*/\1\2CELLS/' \
		-e 's/^(  mixed: ).*/\1ALL/' -e 's,^( +[a-z]+ prio [0-9]+/[0-9]+)/[0-9]+,\1,' \
		-e 's/^( +[a-z]+( prio [^a-z]+| prio .* of IOs\))?( percentiles)? \()[num](sec\))/\1\4/' -e 's/^(   bw \( +)[KM]iB/\1iB/' \
		-e 's/(: IOPS=)[0-9.]+[kMG]?,/\1N,/' -e 's/= *[0-9]+\.[0-9]{2}(%?)(,|$)/=D\1\2/g' -e 's/[0-9]+\.[0-9]%/F%/g' \
		-e '/^ +(IO depths|submit|complete) /b' -e 's/([(,/=-] *)[0-9]+(\.[0-9]+)?[kMG]?/\1N/g' \
		-e 's/N[KMG]?i?B/NB/g' -e 's/N[kKMG]B/NB/g' -e 's/= +N/=N/g' | uniq | sed -e '${/^$/d' -e '}'
}

# Removes fiord's own rows (response times, self, verify, total), and slat where threads submit the I/Os.
without_ours() { # OPTIONS
	case $1 in
	*offload*) own='resp|slat|self|verify|total:' ;;
	*) own='resp|self|verify|total:' ;;
	esac
	awk -v own="^ +($own) " '$0 ~ own { skip = 1; next }
		skip && /^ +\|/ { next }
		{ skip = 0; print }'
}

# fio prints rows of samples after a second of run time, so only the rows `text` are compared with them.
text_differs() { # HOW OPTIONS
	rows='^   (bw|iops) '
	[ "$1" != text ] || rows='^$.'
	skeleton <fio.text | grep -vE "$rows" >fio.lines
	without_ours "$2" <fiord.text | skeleton | grep -vE "$rows" >fiord.lines
	[ -s fio.lines ] || echo "fio printed nothing"
	diff fio.lines fiord.lines
}

# The set of json+ bins depends on the run; that they hold each I/O does not.
fold='def folded: walk(if type == "object" and has("bins") then .bins = (if (.bins | add) == .N then {"whole": 0} else
	{"lacking": 0} end) else . end);'

json_differs() {
	for side in fio fiord; do
		[ "$(jq -r .jobs[0].jobname $side.json)" != "" ] && continue
		echo "$side: no JSON document"
		return
	done
	jq -n -r --arg how "$1" --slurpfile fios fio.json --slurpfile fiords fiord.json \
		"$fold (\$fios[0] | folded) as \$fio | (\$fiords[0] | folded) as \$fiord | $(cat "$here/compare.jq")" 2>&1
}

terse_differs() {
	awk -v how="$1" -v ours=fiord.terse -f "$here/terse.awk" fio.terse
}

# row NAME HOW OPTIONS FORMATS: prints the differences. Small jobs run again for other terse versions, because a run has one.
row() {
	mkdir "$dir/$1" && cd "$dir/$1" || exit 1
	run_both "--output-format=normal,terse,json+" "$3"
	text_differs "$2" "$3"
	terse_differs "$2"
	json_differs "$2"
	[ "$2" != bytes ] || listing sums
	listing sizes
	case $2 in
	counts | mix) ;;
	*) return ;;
	esac
	for formats in $4; do
		rm -rf fio fiord
		run_both "--output-format=${formats%:*} --terse-version=${formats#*:}" "$3"
		terse_differs "$2"
		[ "${formats%:*}" = terse ] || json_differs "$2"
	done
}

# verdict: a job that fio cannot run here, for lack of an engine or of O_DIRECT, is skipped.
verdict() {
	row "$@" >"$dir/$1.differs" 2>&1
	if [ -e "$dir/$1.skipped" ]; then
		echo "ok - $1 # skipped: fio fails: $(cat "$dir/$1.skipped")"
	elif [ -s "$dir/$1.differs" ]; then
		sed 's/^/# /' "$dir/$1.differs"
		echo "not ok - $1: $3"
	else
		echo "ok - $1"
	fi
}

wanted() {
	while read -r name how options; do
		case $name in
		'' | '#'*) continue ;;
		esac
		[ $# = 0 ] && echo "$name $how $options"
		for only; do
			[ "$only" = "$name" ] && echo "$name $how $options"
		done
	done <"$here/jobs.txt"
}

wanted "$@" >"$dir/rows"
# Each row takes one of the three other runs in turn, so that each version has more than forty rows. Rows that the caller names take
# all three, and so do all rows with THOROUGH=1.
running=0
while read -r name how options; do
	case $#${THOROUGH:-}:$((running % 3)) in
	0:0) formats='terse,json:4' ;;
	0:1) formats='terse:2' ;;
	0:2) formats='terse:5' ;;
	*) formats='terse,json:4 terse:2 terse:5' ;;
	esac
	verdict "$name" "$how" "$options" "$formats" >"$dir/$name.verdict" &
	running=$((running + 1))
	[ $((running % at_once)) = 0 ] && wait
done <"$dir/rows"
wait

failures=0
while read -r name _; do
	cat "$dir/$name.verdict"
	grep -q "^ok " "$dir/$name.verdict" || failures=$((failures + 1))
done <"$dir/rows"
[ $# = 0 ] || echo "# kept in $dir"
echo "# $running rows, $failures differ"
[ "$running" -gt 0 ] && [ "$failures" = 0 ]
