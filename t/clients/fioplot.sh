#!/bin/sh
# Do bench-fio and fio-plot work with fiord under the name fio? bench-fio runs its benchmarks, and fio-plot draws each kind of graph.
# Most kinds of lines over time are drawn with THOROUGH=1 alone. Both tools come from PyPI into $BUILD_ROOT/fio-plot once; $FIO_PLOT names a directory that has them already.
. "$SOURCE/t/lib.sh"
requires python3
release=1.1.21

# Installs the tools completely or not at all.
install() {
	tools=${BUILD_ROOT:-$dir}/fio-plot-$release
	[ ! -e "$tools/bin/fio-plot" ] || return 0
	rm -rf "$tools" "$tools.new"
	{ python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check --retries 0 \
		--timeout 10 "fio-plot==$release"; } >"$dir/log" 2>&1 && return 0
	rm -rf "$tools"
	return 1
}

if [ -n "${FIO_PLOT:-}" ]; then
	tools=$FIO_PLOT
else
	install || skip_all "fio-plot cannot be installed: $(tail -n 1 "$dir/log")"
fi
. "$SOURCE/t/clients/fio_in_path.sh"
PATH=$PATH:$tools:$tools/bin
export MPLBACKEND=Agg MPLCONFIGDIR="$dir/matplotlib" HOME="$dir" PYTHONIOENCODING=utf-8

# plots LABEL "DIRECTORY..." ARG...: fio-plot draws an image without an error.
plots() {
	label=$1 from=$2
	shift 2
	rm -f graph.png
	# shellcheck disable=SC2086
	fio-plot -i $from -T title -D 50 -o graph.png "$@" >"$out" 2>"$err" </dev/null
	rc=$?
	check "fio-plot: $label" eval 'exits 0 && [ "$(head -c 4 graph.png | tail -c 3)" = PNG ] && ! says "$err" Traceback'
}

# Documents without logs, with names like bench-fio's.
mkdir documents
for depth in 1 4; do
	for jobs in 1 2; do
		printf '[FIOJOB]\nfilename=f\nrw=randread\nbs=4k\niodepth=%s\nnumjobs=%s\n' $depth $jobs >job.fio
		printf 'ioengine=libaio\nsize=1m\nruntime=1\n' >>job.fio
		fio_says --output-format=json --output=documents/randread-$depth-$jobs.json job.fio
	done
done
plots "bars by depth" documents -l -r randread
plots "bars by depth, with CPU" documents -l -r randread --show-cpu
plots "bars by jobs" documents -N -r randread -n 1 2 -d 1
plots "bars of depths and jobs" documents -L -r randread -t iops
plots "histogram" documents -H -r randread -d 4 -n 1
cp -R documents again
plots "comparison" "documents again" -C -r randread -d 1 -n 1

# Documents with logs, which bench-fio always requests.
mkdir target
bench-fio --target target --type directory --size 1m --output bench --iodepth 1 4 --numjobs 1 2 --runtime 1 --time-based \
	--mode randread randrw --rwmixread 75 --direct 0 --engine libaio --destructive --quiet --loginterval 250 >"$out" 2>"$err"
rc=$?
check "bench-fio runs its benchmarks" eval 'exits 0 && ! says "$out" "An error occurred"'
check "... and writes a document for each" same "$(find bench -name '*.json' | wc -l)" 8
check "... and logs of each job" same "$(find bench -name 'rand*_bw.[12].log' -size +0 | wc -l)" 12
reads=bench/target/4k mixed=bench/target/randrw75/4k
plots "bars by depth, of bench-fio" $reads -l -r randread
plots "bars by jobs, of bench-fio" $reads -N -r randread -d 1 -n 1 2
plots "3D of bench-fio" $mixed -L -r randrw -t iops -f read
plots "histogram of bench-fio" $mixed -H -r randrw -d 4 -n 1
types="bw clat"
[ "${THOROUGH:-0}" = 0 ] || types="bw iops lat clat slat"
for type in $types; do
	plots "line of $type over time" $reads -g -r randread -t $type -d 4 -n 1
done
plots "lines of several depths and jobs" $mixed -g -r randrw -t bw iops lat -d 1 4 -n 1 2
plots "comparison with bench-fio's" "$reads documents" -C -r randread -d 1 -n 1

# The README's commands for graphs, with shorter times and without O_DIRECT, which some file systems lack.
mkdir readme && cd readme || exit 1
sed -n '/^## Graphs/,/^## Exit/s/^    //p' "$SOURCE/README.md" >commands
fiord() {
	"$FIORD" "$@"
}
eval "$(sed -n '/^for /,/^done/p' commands | sed 's/--runtime=5/--runtime=1/; s/--direct=1/--direct=0/; s/msec=500/msec=200/')" \
	>"$out" 2>"$err" </dev/null
check "the README's jobs write documents and logs" [ -s 4.json -a -s 16.json -a -s randread-iodepth-16-numjobs-1_lat.1.log ]
grep '^fio-plot ' commands >plots
check "the README has three graphs of fio-plot" same "$(wc -l <plots)" 3
while read -r line; do
	eval "$line" >"$out" 2>"$err" </dev/null
	rc=$?
	check "README: $line" eval 'exits 0 && ! says "$err" Traceback'
done <plots
check "... all graphs are drawn" [ -s bars.png -a -s lines.png -a -s histogram.png ]
finish
