#!/bin/sh
# DISKSPD lines whose I/O fails: one ERROR: line, exit code 1, what was measured until then, or in DISKSPD's name its
# sentence alone; short transfers are continued, and told.
. "$SOURCE/t/lib.sh"
[ -n "${PRELOAD:-}" ] || skip_all "a sanitizer, which wants to be first"
cd "$dir" || exit 1
ln -s "$FIORD" diskspd
truncate -s 1m f

# failing FAULT PROGRAM ARGUMENT...
failing() {
	fault=$1
	shift
	env LD_PRELOAD="$PRELOAD" FAULT="$fault" FAULT_PATH=/f "$@" f >out 2>err </dev/null
	rc=$?
}
# ended LABEL WORDS: by this error.
ended() {
	check "$1: 1" exits 1
	check "$1: one line on stderr" lines err 1
	check "$1: ERROR: $2" same "$(grep -c "^ERROR: f: $2" err)" 1
}
for case in "pread:300:5 -w0 read" "pwrite:300:28 -w100 write"; do
	# shellcheck disable=SC2086
	set -- $case
	what="a failed $3"
	failing "$1" "$FIORD" diskspd -o1 -d600 -W0 -b4K "$2"
	ended "$what" "$3 at offset"
	check "$what: the sentence" says out "The test was interrupted before the measurements ended. (f: $3 at offset"
	check "$what: then the tables" same "$(grep -cE '^(Total|Read|Write) IO' out)" 3
	failing "$1" "$FIORD" diskspd -o1 -d600 -W0 -b4K -Rxml "$2"
	ended "$what, XML" "$3 at offset"
	check "$what, XML: what ended it is a comment" says out "  <!-- time span 1: The test was interrupted before the measurements ended. (f: $3"
	check "$what, XML: and no element" same "$(grep -c '<Error>' out)" 0
	check "$what, XML: what was measured" says out "<Thread>"
	failing "$1" ./diskspd -o1 -d600 -W0 -b4K "$2"
	ended "$what, as diskspd" "$3 at offset"
	check "$what, as diskspd: the sentence alone" says out \
		"The test was interrupted before the measurements ended. No results are displayed."
	check "$what, as diskspd: no tables" same "$(grep -c 'Total IO\|^CPU' out)" 0
	failing "$1" ./diskspd -o1 -d600 -W0 -b4K -Rxml "$2"
	ended "$what, as diskspd, XML" "$3 at offset"
	check "$what, as diskspd, XML: Error alone" same \
		"$(sed '1,/<\/Profile>/d' out | sed -n '/<TimeSpan>/,/<\/TimeSpan>/p' | grep -c '<')" 3
done

# A failure of one thread ends the others, and is the one that is told.
failing pread:500:5 "$FIORD" diskspd -o1 -t2 -d600 -W0 -b4K -r
ended "one of two threads" "read at offset"

failing "pread:100:short:50" "$FIORD" diskspd -o1 -d1 -W0 -b4K -Rxml
check "short transfers: 0" exits 0
check "... are told" says out "I/Os were short and were continued"
check "... count with all their bytes" same "$(awk -F'[<>]' '/<BytesCount>/ { b += $3 } /<IOCount>/ { n += $3 }
	END { print b - 4096 * n }' out)" 0
finish
