#!/bin/sh
# Do the reports have the shape of those that the programs themselves print? t/diskspd/reports has reports of DISKSPD 2.0.17a, 2.0.21,
# 2.1 and 2.2.0 (built from Microsoft's sources) and of diskspd-for-linux. fiord runs the same lines in each layout. Labels, columns,
# widths, decimals and empty lines must be equal; figures are masked.
. "$SOURCE/t/lib.sh"
cd "$dir" || exit 1
reports=$SOURCE/t/diskspd/reports

# shape FILE: the text report with masked figures, without the lines that fiord adds and without names that depend on the machine.
shape() { # FILE
	awk '
	function masked(line, s, len, dot, out) {
		out = ""
		while (match(line, / *[0-9]+(\.[0-9]+)?/)) {
			s = substr(line, RSTART, RLENGTH)
			len = length(s)
			dot = index(s, ".")
			s = sprintf("%" len "s", "")
			gsub(/ /, "#", s)
			if (dot)
				s = substr(s, 1, dot - 1) "." substr(s, dot + 1)
			out = out substr(line, 1, RSTART - 1) s
			line = substr(line, RSTART + RLENGTH)
		}
		return out line
	}
	function put(line) {
		if (line == "") {
			blanks++
			return
		}
		while (blanks) {
			print ""
			blanks--
		}
		print line
	}
	/^fiord .* in the form of / { exit }
	/^Too few samples: / { blanks--; next }
	/^Command Line: / { $0 = "Command Line:" }
	/computer name:|start time:|active power scheme:|block device:|device scheduler:/ { sub(/:[ \t].*/, ":") }
	/^ *[0-9]+ *\| +[0-9.]+% *\|/ && cpu++ { next } # one row of a processor is enough
	{
		line = masked($0)
		if (line !~ /\|/)
			gsub(/#+(\.#+)?/, "#", line)
		put(line)
	}' "$1"
}
# elements FILE: the same for XML. Of each list that depends on the run one element is left.
elements() { # FILE
	sed -E '/<!--.*-->/d; s/>[0-9][0-9.\/: UTC]*</>#</; s/="(0x)?[0-9a-f]+"/="#"/g; s/(<ComputerName>).*</\1</; s/Name="[^"]*"/Name=""/' "$1" |
		awk '/<CPU>|<Bucket>/ { skip = seen[$1]++ } !skip && $0 != last; { last = $0 } /<\/CPU>|<\/Bucket>/ { skip = 0 }' |
		sed '/<Target>/,/<\/Target>/{/<AverageLatencyMilliseconds>/d;/<LatencyStdev>/d}' # fiord prints them, 2.2 forgot them
}

# reported NAME LAYOUT ARGUMENT...: runs the line of a report in the background.
reported() { # NAME LAYOUT ARGUMENT...
	mkdir -p "$1"
	echo "$2" >"$1/layout"
	(
		cd "$1" || exit
		layout=$2
		shift 2
		"$FIORD" diskspd --layout "$layout" "$@" >out 2>err
		echo $? >code
	) &
}
has_shape() { # NAME
	wait
	rc=$(cat "$1/code")
	cp "$1/out" "$1/err" "$dir"
	check "$1: the line runs" exits 0
	if grep -qE '^(Socket|Node|Group|Core|Class) \|' out; then
		skip "$1: the shape of the report" "the table of this machine's processors has more columns"
		return
	fi
	${2:-shape} "$reports/$1.${3:-txt}" >"$1/expected"
	${2:-shape} "$1/out" >"$1/shape"
	check "$1: --layout $(cat "$1/layout") prints a report of this shape" diff "$1/expected" "$1/shape"
}

for version in 2.0.17a:2.0.17 2.0.21:2.0.21 2.1:2.1 2.2.0:2.2; do
	name=${version%:*}
	layout=${version#*:}
	reported "$name-mixed" "$layout" -c8M -b4K -r -o4 -t2 -w30 -d1 -W1 -L test.dat
	reported "$name-iops-stddev" "$layout" -c8M -b64K -o2 -t1 -w0 -d1 -W0 -L -D500 test.dat
	reported "$name-two-files" "$layout" -c8M -b8K -w100 -d1 -W0 a.dat b.dat
	for line in mixed iops-stddev two-files; do
		has_shape "$name-$line"
	done
done
reported linux-F4 linux-port --dialect linux-port -c8M -b4K -r -o4 -F4 -w0 -d1 -W0 -D test.dat
reported linux-mixed linux-port --dialect linux-port -c8M -b4K -r -o4 -t2 -w30 -d1 -W1 -L test.dat
has_shape linux-F4
has_shape linux-mixed
# The port's own text for -Zs (result_formatter.cc of diskspd-for-linux). A file on another file system stands between two of one
# disk, whose name sysfs has.
disk=$(lsblk -ndo pkname "$(findmnt -no SOURCE -T .)" 2>/dev/null)
[ -n "$disk" ] || disk=$(lsblk -ndo name "$(findmnt -no SOURCE -T .)" 2>/dev/null)
if [ -z "$disk" ] || ! between=$(mktemp -d /dev/shm/fiord.XXXXXX); then
	skip "linux-port: names of disks" "the working directory is on no disk, or there is no /dev/shm"
else
	run diskspd --dialect linux-port -c1M -b4K -d1 -W0 -Zs a.dat "$between/b.dat" c.dat
	rm -rf "$between"
	check "linux-port: the report has a line for -Zs" same "$(grep -c '^		separating read and write buffers$' out)" 3
	check "linux-port: each target has the name of its disk" same "$(sed -n 's/^		block device: //p' out | tr '\n' ' ')" \
		"$disk unknown $disk "
fi
reported 2.2.0-xml 2.2 -c8M -b4K -r -w0 -d1 -W0 -L -Rxml test.dat
has_shape 2.2.0-xml elements xml
finish
