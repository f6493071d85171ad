#!/bin/sh
# Is the documentation correct? The commands in it must parse, its options must be known, and its links must lead to files.
. "$SOURCE/t/lib.sh"
cd "$SOURCE" || exit 1
threads=

# on_results VERB ARG...: runs a verb that reads results, on documents of its names.
on_results() {
	for arg; do
		case $arg in *.json) "$FIORD" --name=n --ioengine=null --size=64k --output-format=json+ --output="$dir/$arg" ;; esac
	done
	(
		cd "$dir" || exit 1
		run "$@"
		exit "$rc"
	)
	rc=$?
}

# on_trace ARG...: runs fiord in a directory that has the trace "slow".
on_trace() {
	"$FIORD" --name=n --ioengine=null --rw=randread --size=64k --write_iolog="$dir/slow" >"$dir/out"
	(
		cd "$dir" || exit 1
		run "$@"
		exit "$rc"
	)
	rc=$?
	rm -f "$dir/like.ini"
}

# A newcomer should be able to read the README in one sitting.
check "README.md has at most 12288 bytes" test "$(wc -c <README.md)" -le 12288
check "the README has two commands" same "$(grep -c '^    \./bootstrap ' README.md)" 2
# The directories below /mnt stand for the reader's volumes.
mkdir -p "$dir/mnt/data" "$dir/mnt/readcache" "$dir/mnt/nocache"
for page in README.md HACKING.md ARCHITECTURE.md t/bench/README.md; do
	grep '^    fiord ' "$page" | sed "s/^ *fiord //; s/  *#.*//; s|/mnt/|$dir/mnt/|g" >"$dir/commands"
	while read -r line; do
		case $line in
		help* | --cmdhelp* | --version | --help | --enghelp*) eval "run $line" ;;
		check*) eval "run ${line#check} --parse-only" ;;
		preset\ list | dist*) eval "run $line" ;;
		sweep*) eval "run $line --dry-run" ;;
		trace*) on_trace $line ;;
		*--read_iolog=*) on_trace $line --parse-only ;;
		report* | compare* | merge*) on_results $line ;;
		*) eval "run $line --parse-only" ;;
		esac
		check "$page: fiord $line" exits 0
	done <"$dir/commands"

	for name in $(grep -oE '`(--)?[a-z][a-z0-9_-]+=[^`]*`' "$page" | sed 's/^`-*//; s/=.*//' | sort -u); do
		run help "$name"
		check "$page: the option $name exists" exits 0
	done

	for link in $(grep -oE '\]\([^)#:]+\)' "$page" | sed 's/^](//; s/)$//'); do
		check "$page: $link exists" test -e "$(dirname "$page")/$link"
	done
done

for manual in $(grep -oE 'fiord[a-z-]*\([157]\)' README.md | sort -u); do
	check "README.md: $manual exists" test -s "man/$(echo "$manual" | sed 's/(/./; s/)/.scd/')"
done
for code in 0 1 2 3 4 5 6; do
	check "README.md explains exit code $code" grep -q "^| $code |" README.md
done
finish
