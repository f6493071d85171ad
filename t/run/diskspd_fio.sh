#!/bin/sh
# Does `fiord diskspd --to-job --fio` write job files that Debian's fio accepts, without any option of fiord's own?
. "$SOURCE/t/lib.sh"
requires fio
fio --version >/dev/null 2>&1 || skip_all "fio does not start"
cd "$dir" || exit 1
awk '/^# O/ { id = $2; next }
	/^= / { if (line !~ /-X/) print id "\t" line; next }
	!/^[#!]/ { line = $0 }' "$SOURCE/t/diskspd/cmdlines.txt" >lines
check "the file has lines" test "$(wc -l <lines)" -gt 80
# Forms that the lines of the file do not have.
cat >>lines <<'EOL'
more	diskspd -rs40 -w50 -b8K -o4 f
more	diskspd -p -o4 -T1M -t2 f
more	diskspd -s4K -b64K f
more	diskspd -r -rdabs90/1G:10/2G -c4G f
more	diskspd -g100 -w30 -r f
more	diskspd -g100i -w100 f
more	diskspd -i100 -j5 -t4 f
more	diskspd -d0 -C3 f
more	diskspd -a0,0 -t2 -I2 -fr f
more	diskspd -Sm -Nv -w100 f
more	diskspd -Sw -w100 -Zr -z f
more	diskspd -u8 -oc4 -o32 -Su f
more	diskspd -F2 -O4 f g
more	diskspd -B1M:8M -c64M f
more	diskspd -Z -w100 a:b.dat
EOL
tab=$(printf '\t')
n=0
while IFS="$tab" read -r id line; do
	n=$((n + 1))
	run diskspd --map '#4=disk4' --map '#1=disk1' --map 'C:\ClusterStorage\vol1=v1' --map 'C:\ClusterStorage\vol3=v3' \
		--map 'C:\ClusterStorage\vol4=v4' --map 'a:=.' --fio --line "$line"
	check "$id: $line is translated" test "$rc" = 0
	cp out job
	check "$id: the job has no option of fiord's own" sh -c '! grep -q "fiord only" job'
	if ! fio --parse-only job >fio.out 2>&1 </dev/null; then
		check "$id: fio accepts the job: $(head -n 3 fio.out)" false
	fi
done <lines
check "more than 90 lines were tried" test "$n" -gt 90
finish
