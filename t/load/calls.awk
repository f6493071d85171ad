# calls.awk: evaluates strace -f -y. It looks at the workers: all processes but the first that read or write the target. It prints
# counts, and writes the I/Os in their order to the file `order`.

function is_data(call) {
	return call ~ /^p?(read|write)(64)?$/
}

{
	pid = $1
	line = substr($0, length(pid) + 2)
	sub(/^ +/, "", line)
	if (NR == 1)
		main_pid = pid
	if (pid == main_pid)
		next
	if (sub(/ <unfinished \.\.\.>$/, "", line)) {
		half[pid] = line
		next
	}
	if (sub(/^<\.\.\. [a-z0-9_]+ resumed>/, "", line))
		line = half[pid] line
	if (line !~ target || line ~ / = -1 /)
		next
	call = line
	sub(/\(.*/, "", call)
	gsub(/"([^"\\]|\\.)*"(\.\.\.)?/, "DATA", line)
	if (is_data(call))
		works[pid] = 1
	n++
	who[n] = pid
	what[n] = call
	text[n] = line
}

END {
	for (i = 1; i <= n; i++) {
		if (!works[who[i]])
			continue
		call = what[i]
		if (is_data(call)) {
			rest = text[i]
			sub(/^.*DATA, /, "", rest)
			sub(/\).*/, "", rest)
			split(rest, args, ", ")
			op = call ~ /read/ ? "read" : "write"
			begun[who[i]] = 1
			ios++
			if (++row > pass)
				pass = row
			place = op " " args[2] " " args[1]
			print place >order
			if (!(place in seen))
				distinct++
			seen[place] = 1
		} else if (call == "fsync" || call == "fdatasync" || call == "sync_file_range") {
			syncs++
		} else if (text[i] ~ /POSIX_FADV_DONTNEED|BLKFLSBUF/) {
			drops++
			row = 0
		} else if (call == "openat" && begun[who[i]] && text[i] !~ /O_NONBLOCK/) {
			reopens++
		} else if (call ~ /^unlink/) {
			unlinks++
		}
	}
	print "ios", ios + 0
	print "distinct", distinct + 0
	print "syncs", syncs + 0
	print "drops", drops + 0
	print "reopens", reopens + 0
	print "pass", pass + 0
	print "unlinks", unlinks + 0
}
