#!/bin/sh
# The benchmark runs, and its tables have a figure wherever there is something to measure. No figure is judged.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
: "${BENCH:?}"

bench() {
	"$BENCH" --dir="$dir" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}

# row LABEL PATTERN: the cells behind the label, in which N stands for a figure above 0.
row() {
	pattern=$(echo "$2" | sed 's/N/[0-9.]*[1-9][0-9.]*( \\([0-9.]+\\.\\.[0-9.]+\\))?/g; s/|/\\|/g')
	grep -F "| $1 |" "$dir/out" | grep -qE "$pattern\$"
}

bench --list
check "scenes have names" grep -q '^null-1 ' out
sed 's/^[^ ]* *//' out >labels
while read -r label; do
	check "t/bench/README.md quotes: $label" grep -qF "| $label |" "$SOURCE/t/bench/README.md"
done <labels

# readme.sh replaces the table between the two marks, and nothing else.
readme="$SOURCE/t/bench/README.md"
cp "$readme" copy.md
echo "| a new table |" >table
README=copy.md sh "$SOURCE/t/bench/readme.sh" --from table
check "readme.sh puts in the new table" same "$(sed -n '/^<!-- bench -->/,/^<!-- .bench -->/p' copy.md | sed 1d | sed '$d')" \
	"| a new table |"
check "... and leaves the text around it" same "$(sed '/^<!-- bench -->/,/^<!-- .bench -->/d' copy.md)" \
	"$(sed '/^<!-- bench -->/,/^<!-- .bench -->/d' "$readme")"
bench --only=nosuch "$FIORD"
check "a scene that does not exist is refused" exits 2
check "... by name" says err "--only=nosuch: no such scene"
bench --rounds=0 "$FIORD"
check "no rounds are refused" exits 2
bench
check "no program is refused" exits 2

bench --short --rounds=2 --many=10 --fio="$FIORD" --only=null,psync,start-1,start-threads,layout "$FIORD"
check "the short form runs" exits 0
check "... in silence" empty err
for label in "null, depth 1, randread 4k" "null, depth 32, randread 4k" "null, depth 32, randrw 70/30" \
	"psync, 4k randread, hot page cache 16 MiB"; do
	check "$label: three figures and two ratios" row "$label" "ns | N | N | N | [0-9]+ % | [0-9.]+ × |"
done
check "a start has no bare loop" row "start to exit, 1 tiny job" "s | N | - | N | - | [0-9.]+ × |"
check "of many threads, too" row "start to exit, 10 threads" "s | N | - | N | - | [0-9.]+ × |"
check "layout has dd beside it" grep -qE '^\| layout .* MiB/s \| [0-9.]+ \(.*\) \| [0-9.]+ \(' out
check "nothing is left behind" same "$(find . -name 'fiord-bench*')" ""

bench --short --rounds=1 --fio=none --only=null-1 "$FIORD"
check "without fio" row "null, depth 1, randread 4k" "ns | N | N | - | [0-9]+ % | - |"

bench --short --rounds=1 --fio="$FIORD" --ratios --only=null-1,start-1 "$FIORD"
check "ratios are one table" same "$(grep -c '^|---' out)" 1
check "... with a figure and two ratios" row "null, depth 1, randread 4k" "N ns | [0-9]+ % | [0-9.]+ × |"

printf '#!/bin/sh\nexit 3\n' >broken
chmod +x broken
bench --short --rounds=1 --fio=none --only=null-1 ./broken
check "a program that fails fails the benchmark" exits 1
check "... and its row says so" says out "| failed |"
check "... and what was run is told" says err "exit code 3 of"

bench --short --rounds=1 --no-instructions --features --only=mix,series "$FIORD"
check "features run" exits 0
check "... against the job without" grep -qE '^\| plain: random reads \| \|' out
check "... each with a difference" grep -qE '^\| the series, in the document \|.*\([+-][0-9.]+\) \|' out
if [ "$SANITIZE" != none ] || ! command -v valgrind >/dev/null || ! grep -qw avx2 /proc/cpuinfo; then
	skip "instructions" "needs valgrind, AVX2 and a build without sanitizers"
	finish
fi
bench --short --rounds=1 --flat "$FIORD"
check "many jobs and files run" exits 0
check "... each with its row" same "$(grep -cE '^\| (1|10|100|1000) (job|thread)s? \|' out)" 7

budget() { # LIMIT
	printf '# scene\nshort\t-\t100\t%s\t--rw=randread --iodepth=32\n' "$1" >budget
	BUDGET=budget SHORT=50000 LONG=100000 sh "$SOURCE/t/bench/instructions.sh" "$FIORD" >out 2>err
	rc=$?
}
budget 100000
check "a budget that is kept passes" exits 0
check "... and says how many" grep -qE '^ok - short: [0-9.]+ instructions per I/O, limit 100000$' out
budget 1
check "a budget that is not kept fails" exits 1
check "... and names scene, limit and way to the cause" \
	grep -qE '^not ok - short: .* [0-9.]+ instructions, limit 1, .*instructions.sh --where short$' out
check "... and counts it" same "$(tail -n 1 out)" "0 passed, 1 failed, 0 skipped"
BUDGET=budget SHORT=50000 LONG=100000 sh "$SOURCE/t/bench/instructions.sh" --where short "$FIORD" >out
check "functions are told" grep -qE '^ +[0-9.]+  [a-z_]+\.[ch]:[a-z]' out
BUDGET=budget SHORT=50000 LONG=100000 sh "$SOURCE/t/bench/instructions.sh" --set "$FIORD" >out
check "a budget can be set" sh -c 'awk -F "\t" "!/^#/ { exit !(\$3 > 1 && \$4 > \$3 && \$4 < \$3 * 1.04) }" budget'
finish
