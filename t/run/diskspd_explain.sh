#!/bin/sh
# What DISKSPD tells beside the load: the system (-Rs), waits (-vs), clocks (-e).
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

# -Rs takes nothing beside it.
run diskspd -Rs
check "-Rs exits 0" exits 0
check "-Rs: nothing on stderr" empty err
check "-Rs: the system" grep -q '^System information:$' out
check "... in the layout of 2.3" grep -q "^  cpu count:  *$(getconf _NPROCESSORS_ONLN)\$" out
check "... and no run" same "$(grep -c "^Results for" out)" 0
run diskspd --layout=2.2 -Rs
check "-Rs: in the layout of 2.2" grep -q "^	cpu count:		$(getconf _NPROCESSORS_ONLN)\$" out
run diskspd -Rsxml
check "-Rsxml exits 0" exits 0
check "-Rsxml: the element alone" same "$(sed -n '1p;$p' out | tr '\n' ' ')" "<System> </System> "
check "-Rsxml: its name" grep -q "^  <ComputerName>$(uname -n)</ComputerName>\$" out
for line in '-Rs -b4K' '-Rs file' '-c1M -Rs file' '--explain -Rs' '--to-job -Rs' '--output=x -Rs'; do
	# shellcheck disable=SC2086
	run diskspd $line
	check "$line: refused" exits 3
	check "... in one line" same "$(grep -c '^ERROR: .*-Rs' err) $(wc -l <err)" "1 1"
	check "... nothing is made or said" same "$(ls -d x file 2>/dev/null)$(cat out)" ""
done

# What --explain says of a run is what the run does.
explained() {
	run diskspd --explain "$@"
	check "--explain $*: exits 0" exits 0
}
says() {
	check "$1" grep -qF -- "$2" out
}
head -c 1048576 /dev/zero | tr '\0' x >theirs
explained -c512K -Z1M -si -ft theirs
says "a file that fiord has not made stays" "on disk: nothing is made: what is there is kept"
says "... and is told so" "theirs: is there and fiord has not made it, so -c keeps it as it is"
says "... with its size" "theirs, 1MiB:"
says "a pool in a read test" "DISKSPD takes 1MiB of memory for -Z all the same, fiord none"
check "... is no memory" same "$(grep -c 'in memory: .*-Z' out)" 0
says "-si with one thread" "note: -si with one thread has no effect"
says "-ft" "note: -ft: Linux has no such hint for a file"
explained -c2M theirs
says "a shorter one is refused" "theirs: is there and fiord has not made it, so -c is refused, because it is shorter"
run diskspd -d1 -W0 -c2M theirs
check "... by the run, too" grep -q '^ERROR: theirs: has 1 MiB' err
explained -c2M --recreate theirs
says "--recreate has it made" "on disk: 2MiB of files, made anew (-c)"
explained -c2M --allow_write=theirs theirs
says "so has --allow_write" "on disk: 2MiB of files, made anew (-c)"
explained -c2M -Z1M -w10 mine
says "a file that is not there is made" "on disk: 2MiB of files, made anew (-c)"
says "a pool to write takes memory" "and 1MiB of data to write (-Z)"
explained -v -ePROCESS -f2M theirs
says "-f behind the end" "note: -f: theirs is smaller than that (1048576 bytes); its end is the end"
check "-v is about the report, which has it" same "$(grep -c 'note: -v' out)" 0

run diskspd -eq -vs -i4 -j100 -c1M -b4K -d1 -W0 -o1 file
check "-eq -vs run" exits 0
check "-eq: there is no such clock" says out "-eq: is about ETW"
check "-vs: calls that wait look for no completions" same \
	"$(awk -F'[|-]' '/^ +0 \|/ && NF > 10 { print $2 + 0, $5 + 0, $6 + 0 }' out)" "0 0 0"
check "-vs: it rested between bursts" test "$(awk -F'[|-]' '/^ +0 \|/ && NF > 10 { print $4 + 0 }' out)" -ge 1
finish
