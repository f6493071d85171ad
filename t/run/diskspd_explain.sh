#!/bin/sh
# Do -Rs, --explain, -vs and -e print what the run then does? The test compares --explain with runs of the same line.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

# -Rs stands alone on the line.
run diskspd -Rs
check "-Rs exits 0" exits 0
check "-Rs: stderr is empty" empty err
check "-Rs prints the system information" grep -q '^System information:$' out
check "... in the layout of 2.3" grep -q "^  cpu count:  *$(getconf _NPROCESSORS_ONLN)\$" out
check "... and runs nothing" same "$(grep -c "^Results for" out)" 0
run diskspd --layout=2.2 -Rs
check "-Rs prints the layout of 2.2" grep -q "^	cpu count:		$(getconf _NPROCESSORS_ONLN)\$" out
run diskspd -Rsxml
check "-Rsxml exits 0" exits 0
check "-Rsxml prints only the System element" same "$(sed -n '1p;$p' out | tr '\n' ' ')" "<System> </System> "
check "-Rsxml has the computer's name" grep -q "^  <ComputerName>$(uname -n)</ComputerName>\$" out
for line in '-Rs -b4K' '-Rs file' '-c1M -Rs file' '--explain -Rs' '--to-job -Rs' '--output=x -Rs'; do
	# shellcheck disable=SC2086
	run diskspd $line
	check "$line is refused" exits 3
	check "... with one line of error" same "$(grep -c '^ERROR: .*-Rs' err) $(wc -l <err)" "1 1"
	check "... and prints and creates nothing" same "$(ls -d x file 2>/dev/null)$(cat out)" ""
done

# explain LINE...: prints what the line would do. explanation_has LABEL TEXT: checks a part of it.
explain() {
	run diskspd --explain "$@"
	check "--explain $*: exits 0" exits 0
}
explanation_has() {
	check "$1" grep -qF -- "$2" out
}
head -c 1048576 /dev/zero | tr '\0' x >theirs
explain -c512K -Z1M -si -ft theirs
explanation_has "-c keeps another program's file" "on disk: nothing is created: existing files are kept"
explanation_has "... and a note says so" "theirs: exists and was not created by fiord, so -c keeps it"
explanation_has "... with its size" "theirs, 1MiB:"
explanation_has "-Z in a read test takes no memory" "DISKSPD would still take 1MiB of memory for -Z, fiord takes none"
check "... and is not counted" same "$(grep -c 'in memory: .*-Z' out)" 0
explanation_has "a note says that -si with one thread has no effect" "note: -si with one thread has no effect"
explanation_has "a note says that Linux lacks -ft" "note: -ft: Linux has no such hint for a file"
explain -c2M theirs
explanation_has "-c refuses another program's file that is too short" "theirs: exists and was not created by fiord, so -c is refused, because the file is shorter"
for line in "-w50 theirs" "-w50 -c512K theirs"; do
	# shellcheck disable=SC2086
	explain $line
	explanation_has "a line that writes to another program's file is refused" "so the line is refused, because it writes; "
done
explanation_has "... unless an option permits it" "--recreate or --allow_write=theirs permits it"
explain -w50 --allow_write=theirs theirs
check "... as here" test "$(grep -c 'is refused, because it writes' out)" = 0
run diskspd -d1 -W0 -c2M theirs
check "... and so does the run" grep -q '^ERROR: theirs: has 1 MiB' err
explain -c2M --recreate theirs
explanation_has "--recreate creates the file again" "on disk: 2MiB of files, created by -c"
explain -c2M --allow_write=theirs theirs
explanation_has "--allow_write creates the file again" "on disk: 2MiB of files, created by -c"
explain -c2M -Z1M -w10 mine
explanation_has "a missing file is created" "on disk: 2MiB of files, created by -c"
explanation_has "-Z in a write test takes memory" "and 1MiB of data to write (-Z)"
explain -v -ePROCESS -f2M theirs
explanation_has "a note says that -f lies behind the end of the file" "note: -f: theirs is smaller (1048576 bytes), so I/O ends at its end"
check "-v gets no note" same "$(grep -c 'note: -v' out)" 0

explain -F2 -o2 -c1M one two
explanation_has "-F without -O: 2.2 differs from itself" "DISKSPD 2.2 itself sends all I/O of this line to one"
explain -F2 -O2 -c1M one two
check "-F with -O: nothing is said about that" same "$(grep -c 'DISKSPD 2.2 itself' out)" 0

run diskspd -eq -vs -i4 -j100 -c1M -b4K -d1 -W0 -o1 file
check "-eq -vs exits 0" exits 0
check "-eq: a note says that Linux has no such clock" says out "-eq: is an option of ETW"
waits=$(sed -n '/^Wait Statistics/,$s/^ *0 |\(.*\)/\1/p' out | tr -d '|-') # waits, throttle waits, sleeps, lookasides ...
check "-vs: waiting calls do not count as polling" same "$(echo "$waits" | awk '{ print $1, $4, $5 }')" "0 0 0"
check "-vs: the thread waited between bursts" test "$(echo "$waits" | awk '{ print $3 }')" -ge 1
finish
