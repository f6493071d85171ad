#!/bin/sh
# Does the benchmark run, and does its table have a figure wherever a scene measures one? No figure is judged.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
: "${BENCH:?}"

bench() {
	"$BENCH" --dir="$dir" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}

# row LABEL PATTERN: the cells behind the label match the pattern, in which N stands for a figure above 0.
row() {
	pattern=$(echo "$2" | sed 's/N/[0-9.]*[1-9][0-9.]*( \\([0-9.]+\\.\\.[0-9.]+\\))?/g; s/|/\\|/g')
	grep -F "| $1 |" "$dir/out" | grep -qE "$pattern\$"
}

bench --list
check "--list names the scenes" grep -q '^null-1 ' out
sed 's/^[^ ]* *//' out >labels
while read -r label; do
	check "t/bench/README.md has the row: $label" grep -qF "| $label |" "$SOURCE/t/bench/README.md"
done <labels

# readme.sh replaces only the table between the two marks.
readme="$SOURCE/t/bench/README.md"
cp "$readme" copy.md
echo "| a new table |" >table
README=copy.md sh "$SOURCE/t/bench/readme.sh" --from table
check "readme.sh inserts the new table" same "$(sed -n '/^<!-- bench -->/,/^<!-- .bench -->/p' copy.md | sed 1d | sed '$d')" \
	"| a new table |"
check "... and keeps the text around it" same "$(sed '/^<!-- bench -->/,/^<!-- .bench -->/d' copy.md)" \
	"$(sed '/^<!-- bench -->/,/^<!-- .bench -->/d' "$readme")"
bench --only=nosuch "$FIORD"
check "an unknown scene is refused" exits 2
check "... and the error names it" says err "--only=nosuch: no such scene"
bench --rounds=0 "$FIORD"
check "--rounds=0 is refused" exits 2
bench
check "a missing program is refused" exits 2

bench --short --rounds=2 --many=10 --fio="$FIORD" --only=null,psync,start-1,start-threads,layout "$FIORD"
check "the short form exits 0" exits 0
check "... and stderr is empty" empty err
for label in "null, depth 1, randread 4k" "null, depth 32, randread 4k" "null, depth 32, randrw 70/30" \
	"psync, 4k randread, hot page cache 16 MiB"; do
	check "$label: the row has three figures and two ratios" row "$label" "ns | N | N | N | [0-9]+ % | [0-9.]+ × |"
done
check "a start scene has no bare loop" row "start to exit, 1 tiny job" "s | N | - | N | - | [0-9.]+ × |"
check "a start scene with many threads has none either" row "start to exit, 10 threads" "s | N | - | N | - | [0-9.]+ × |"
check "the layout scene compares with dd" grep -qE '^\| layout .* MiB/s \| [0-9.]+ \(.*\) \| [0-9.]+ \(' out
check "the benchmark removes its files" same "$(find . -name 'fiord-bench*')" ""

bench --short --rounds=1 --fio=none --only=null-1 "$FIORD"
check "--fio=none leaves the cell of fio empty" row "null, depth 1, randread 4k" "ns | N | N | - | [0-9]+ % | - |"

bench --short --rounds=1 --fio="$FIORD" --ratios --only=null-1,start-1 "$FIORD"
check "--ratios prints one table" same "$(grep -c '^|---' out)" 1
check "... with a figure and two ratios in a row" row "null, depth 1, randread 4k" "N ns | [0-9]+ % | [0-9.]+ × |"

printf '#!/bin/sh\nexit 3\n' >broken
chmod +x broken
bench --short --rounds=1 --fio=none --only=null-1 ./broken
check "the benchmark fails if the program fails" exits 1
check "... and the row says failed" says out "| failed |"
check "... and stderr has the command and its exit code" says err "exit code 3 of"

bench --short --rounds=1 --no-instructions --features --only=mix,series "$FIORD"
check "--features exits 0" exits 0
check "... and compares with the job without features" grep -qE '^\| plain: random reads \| \|' out
check "... and prints a difference for each feature" grep -qE '^\| the series, in the document \|.*\([+-][0-9.]+\) \|' out
if [ "$SANITIZE" != none ] || ! command -v valgrind >/dev/null || ! grep -qw avx2 /proc/cpuinfo; then
	skip "instructions" "needs valgrind, AVX2 and a build without sanitizers"
	finish
fi
bench --short --rounds=1 --flat "$FIORD"
check "--flat exits 0" exits 0
check "... and prints a row for each number of jobs and files" same "$(grep -cE '^\| (1|10|100|1000) (job|thread)s? \|' out)" 7

budget() { # LIMIT
	printf '# scene\nshort\t-\t100\t%s\t--rw=randread --iodepth=32\n' "$1" >budget
	BUDGET=budget SHORT=50000 LONG=100000 sh "$SOURCE/t/bench/instructions.sh" "$FIORD" >out 2>err
	rc=$?
}
budget 100000
check "a scene below its budget passes" exits 0
check "... and prints its instructions" grep -qE '^ok - short: [0-9.]+ instructions per I/O, limit 100000$' out
budget 1
check "a scene above its budget fails" exits 1
check "... and prints scene, limit and the command that finds the cause" \
	grep -qE '^not ok - short: .* [0-9.]+ instructions, limit 1, .*instructions.sh --where short$' out
check "... and counts as failed" same "$(tail -n 1 out)" "0 passed, 1 failed, 0 skipped"
BUDGET=budget SHORT=50000 LONG=100000 sh "$SOURCE/t/bench/instructions.sh" --where short "$FIORD" >out
check "--where lists functions with their instructions" grep -qE '^ +[0-9.]+  [a-z_]+\.[ch]:[a-z]' out
BUDGET=budget SHORT=50000 LONG=100000 sh "$SOURCE/t/bench/instructions.sh" --set "$FIORD" >out
check "--set writes a new budget" sh -c 'awk -F "\t" "!/^#/ { exit !(\$3 > 1 && \$4 > \$3 && \$4 < \$3 * 1.04) }" budget'
finish
