#!/bin/sh
# How does a DISKSPD line end when its I/O fails? It must print one ERROR: line, exit 1 and report the figures up to then, or under
# the name diskspd only DISKSPD's sentence. Short transfers are continued and noted.
. "$SOURCE/t/lib.sh"
[ -n "${PRELOAD:-}" ] || skip_all "a sanitizer must be the first library to load"
cd "$dir" || exit 1
ln -s "$FIORD" diskspd
truncate -s 1m f

# failing FAULT PROGRAM ARGUMENT...: runs the program on file f; I/O fails as FAULT says (preload.c).
failing() {
	fault=$1
	shift
	env LD_PRELOAD="$PRELOAD" FAULT="$fault" FAULT_PATH=/f "$@" f >out 2>err </dev/null
	rc=$?
}
# ended LABEL WORDS: the run ended with this error.
ended() {
	check "$1: exit code 1" exits 1
	check "$1: stderr has one line" lines err 1
	check "$1: the error is $2" same "$(grep -c "^ERROR: f: $2" err)" 1
}
for case in "pread:300:5 -w0 read" "pwrite:300:28 -w100 write"; do
	# shellcheck disable=SC2086
	set -- $case
	what="a failed $3"
	failing "$1" "$FIORD" diskspd -o1 -d600 -W0 -b4K "$2"
	ended "$what" "$3 at offset"
	check "$what: the report says that the test was interrupted" says out "The test was interrupted before the measurements ended. (f: $3 at offset"
	check "$what: ... and has the tables" same "$(grep -cE '^(Total|Read|Write) IO' out)" 3
	failing "$1" "$FIORD" diskspd -o1 -d600 -W0 -b4K -Rxml "$2"
	ended "$what, XML" "$3 at offset"
	check "$what, XML: the reason is in a comment" says out "  <!-- time span 1: The test was interrupted before the measurements ended. (f: $3"
	check "$what, XML: there is no <Error>" same "$(grep -c '<Error>' out)" 0
	check "$what, XML: the figures up to then are there" says out "<Thread>"
	failing "$1" ./diskspd -o1 -d600 -W0 -b4K "$2"
	ended "$what, as diskspd" "$3 at offset"
	check "$what, as diskspd: the report has DISKSPD's sentence" says out \
		"The test was interrupted before the measurements ended. No results are displayed."
	check "$what, as diskspd: the report has no tables" same "$(grep -c 'Total IO\|^CPU' out)" 0
	failing "$1" ./diskspd -o1 -d600 -W0 -b4K -Rxml "$2"
	ended "$what, as diskspd, XML" "$3 at offset"
	check "$what, as diskspd, XML: the time span has only <Error>" same \
		"$(sed '1,/<\/Profile>/d' out | sed -n '/<TimeSpan>/,/<\/TimeSpan>/p' | grep -c '<')" 3
done

# An error in one thread ends the others and is the one that is reported.
failing pread:500:5 "$FIORD" diskspd -o1 -t2 -d600 -W0 -b4K -r
ended "one of two threads" "read at offset"

failing "pread:100:short:50" "$FIORD" diskspd -o1 -d1 -W0 -b4K -Rxml
check "short transfers exit 0" exits 0
check "... a note says that they were continued" says out "I/Os were short and were continued"
check "... and all their bytes are counted" same "$(awk -F'[<>]' '/<BytesCount>/ { b += $3 } /<IOCount>/ { n += $3 }
	END { print b - 4096 * n }' out)" 0
finish
