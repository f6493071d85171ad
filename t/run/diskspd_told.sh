#!/bin/sh
# What DISKSPD tells beside the load: the system (-Rs).
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1

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
finish
