# terse.awk: prints the differences between fio's terse lines and fiord's (the file in `ours`), one per line: number of lines, number
# of fields, kind of each field, and the fields that do not depend on time. `how` is the row's column HOW.

# kind: the form of a field. For a percentile it includes the percentage.
function shape(text,    cut) {
	if (text == "-nan%" || text == "nan%")
		return "0.00%"
	cut = index(text, "%=")
	if (cut)
		return substr(text, 1, cut + 1) "N"
	if (text ~ /^[0-9]+$/)
		return "N"
	if (text ~ /^[0-9]+\.[0-9]+%?$/) {
		sub(/^[0-9]+/, "0", text)
		gsub(/[0-9]/, "0", text)
	}
	return text
}

function say(i, theirs, mine) {
	print "terse version " version ", field " i ": fio " theirs ", fiord " mine
}

# An idle direction is zeroes in both. In others the amount must agree if the row says so.
function direction(first, last,    i) {
	for (i = first; i <= last; i++) {
		if (f[first] == 0 && f[i] != o[i] && f[i] !~ /nan/)
			say(i, f[i], o[i])
	}
	if (how == "counts" && f[first] != o[first])
		say(first, f[first], o[first])
}

{
	if ((getline mine <ours) <= 0) {
		print "terse: fiord has fewer lines"
		exit
	}
	n = split($0, f, ";")
	if (split(mine, o, ";") != n) {
		print "terse: fio has " n " fields, fiord " split(mine, o, ";") ": " $0
		next
	}
	if ($0 ~ /^;/) { # the description of version 2
		if ($0 != mine)
			print "terse: fio " $0 ", fiord " mine
		next
	}
	version = f[1]
	for (i = 1; i <= n; i++) {
		if (version > 2 && i == 2)
			continue
		if (shape(f[i]) != shape(o[i]))
			say(i, f[i], o[i])
	}
	head = version > 2 ? 5 : 4
	for (i = head - 1; i <= head; i++) {
		if (f[i] != o[i])
			say(i, f[i], o[i])
	}
	size = version >= 5 ? 47 : 41
	for (i = 0; i < (version == 3 ? 2 : 3); i++)
		direction(head + 1 + i * size, head + (i + 1) * size)
}

END {
	if (!NR)
		print "terse: fio has no line"
	else if ((getline mine <ours) > 0)
		print "terse: fiord has more lines"
}
