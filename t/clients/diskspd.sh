#!/bin/sh
# Can strict readers parse DISKSPD's XML? It has DISKSPD's elements in their order and no others, follows the schema of its profile,
# has numbers where PerfKitBenchmarker expects them, and comments behind all figures. The results come from several lines, a profile,
# a job and interrupted runs. The text is read by its columns, in each layout.
. "$SOURCE/t/lib.sh"
requires python3
cd "$dir" || exit 1
truncate -s 2m f g
ln -s "$FIORD" diskspd

# shellcheck disable=SC2120
valid() { # OPTION...: diskspd.py with these options accepts the file all
	python3 "$SOURCE/t/clients/diskspd.py" "$@" all >problems 2>&1 || {
		cat problems
		return 1
	}
}
refused() { # WORDS: diskspd.py refuses the file all with these words
	! valid >found && says found "$1"
}
# take LABEL ARGUMENT...: runs a line and writes its result to the file all.
take() {
	what=$1
	shift
	rm -f all
	run diskspd -Rxml --output=all -W0 -d1 -b4K "$@"
	check "$what exits 0" exits 0
}

take "a mix" -t2 -o4 -r -w30 f
check "... its XML is valid" valid
take "-L -D" -t2 -o4 -r -w30 -L -D200 f
check "... its XML is valid" valid
check "... a comment behind the figures says that samples are missing" says all "<!-- time span 1: Too few samples:"
cp all wrong
take "write-through" -w100 -Sw -L f
check "... its XML is valid" valid
check "... a comment explains write-through" says all "<!-- time span 1: write-through on f: "
take "-vs -e" -o4 -vs -eDISK_IO -eMEMORY_PAGE_FAULTS -ePROCESS -eNETWORK f
check "... its XML is valid" valid
take "pool and distribution" -F2 -O4 -r -rdpct90/10:0/10 -L -D300 -w50 -Z64K f g
check "... its XML is valid" valid
take "every kind of limit" -o2 -g1000i -B4K:1M -si -t2 -I1 -fr -Zr -z5 -a0 -P500 f
check "... its XML is valid" valid
take "layout 2.3" -o8 -u4 -oc2 -bsn -ac -L --layout 2.3 f
check "... its XML is valid" valid --layout 2.3
check "... and a reader of 2.2 refuses it" refused "EffectiveBufferSeparation"

span="<TimeSpan><Duration>1</Duration><Warmup>0</Warmup><MeasureLatency>true</MeasureLatency>
	<Targets><Target><Path>f</Path></Target></Targets></TimeSpan>"
echo "<Profile><ResultFormat>xml</ResultFormat><TimeSpans>$span$span</TimeSpans></Profile>" >two.xml
run diskspd -Xtwo.xml --output=all
check "a profile of two spans exits 0" exits 0
check "... its XML is valid" valid
run --name=x --filename=f --size=1m --rw=randrw --bs=4k --numjobs=2 --output-format=diskspd-xml --output=all
check "a job exits 0" exits 0
check "... its XML is valid" valid

# Under the name diskspd the XML has no comments.
FIORD_WAS=$FIORD
FIORD=$dir/diskspd
run -Rxml --output=all -d1 -W0 -b4K -L -D -w100 -Sw -c1M g
check "the name diskspd exits 0" exits 0
check "... its XML is valid" valid --named
# ended LABEL PHASE ARGUMENT...: $signal ends the run when the progress line shows this letter; cool-down: when the event is set.
signal=INT
mkfifo measured
ended() {
	what=$1
	phase=$2
	shift 2
	[ "$phase" != cool-down ] || set -- -yf./measured "$@"
	start "$@" --output=all --eta=always --eta-interval=250
	case $phase in
	cool-down) check "$what: the run has measured" timeout 60 sh -c "head -c 1 measured >event" ;;
	*) check "$what: the run reaches $phase" until_true 60 progress_shows "$phase" ;;
	esac
	kill -$signal "$pid"
	wait_for_exit
	code=130
	[ $signal = INT ] || code=143
	check "$what: exit code $code" exits $code
}
ended "Ctrl-C" R -Rxml -d600 -W0 -L -D -t2 f
check "... its XML is valid" valid --named
check "... and has figures" same "$(grep -c '^    <Thread>' all)" 2
ended "Ctrl-C in the warm-up" / -Rxml -d1 -W600 -L f
check "... its XML is valid" valid --named
sentence="The test was interrupted before the measurements began. No results are displayed."
check "... and has DISKSPD's sentence, and no figures" same "$(grep -c '^    <Thread>' all):$(grep -c "^    <Error>$sentence</Error>" all)" 0:1
ended "Ctrl-C in the cool-down" cool-down -Rxml -d1 -W0 -C600 -L f
check "... its XML is valid" valid --named
check "... and has the second that was measured" same "$(grep -cE '<TestTimeSeconds>[1-9][0-9]?[.]' all):$(grep -c '^    <Thread>' all)" 1:1
signal=TERM
ended "SIGTERM" R -d600 -W0 f
check "... the report has the elapsed time and the tables" grep -q "^actual test time:	[0-9.]*s" all
check "... and no sentence" same "$(grep -c '^The test was interrupted' all)" 0
ended "SIGTERM in the warm-up" / -d1 -W600 f
check "... the report has the sentence alone" grep -qx "$sentence" all
check "... and no tables" same "$(grep -c '^Total IO' all)" 0
ended "SIGTERM in the cool-down" cool-down -d1 -W0 -C600 f
check "... the report has the second that was measured" grep -qE "^actual test time:	[1-9][0-9]?[.]" all
signal=INT
long=$(echo "$span" | sed 's|<Duration>1|<Duration>600|; s|<Path>|<WriteRatio>100</WriteRatio>&|')
echo "<Profile><ResultFormat>xml</ResultFormat><TimeSpans>$span$long$span</TimeSpans></Profile>" >long.xml
ended "Ctrl-C in the second of three spans" W -Xlong.xml
check "... its XML is valid" valid --named
check "... and has figures of both" same "$(grep -c '^    <Thread>' all)" 2
FIORD=$FIORD_WAS
ended "Ctrl-C of fiord" R diskspd -Rxml -d600 -W0 -L -D -t2 f
check "... its XML is valid" valid
check "... and a comment has the reason" says all "<!-- time span 1: The test was interrupted before the measurements ended. (term"

# ---- the text and its columns ----
read_text() { # LAYOUT
	python3 "$SOURCE/t/clients/diskspd_text.py" "$1" out >problems 2>&1 || {
		cat problems
		return 1
	}
}
# The lines run at the same time, each with its output in a file. Each line that writes has its own target.
for layout in 2.2 2.3 2.0 2.0.17 2.1; do
	truncate -s 2m $layout.data
	"$FIORD" diskspd --layout $layout -b4K -t2 -o4 -r -w30 -L -D200 -d1 -W0 $layout.data >$layout.latencies 2>&1 </dev/null &
	"$FIORD" diskspd --layout $layout -b4K -o4 -d1 -W0 f >$layout.plain 2>&1 </dev/null &
done
wait
for layout in 2.2 2.3 2.0 2.0.17 2.1; do
	cp $layout.latencies out
	check "the text of $layout has its columns" read_text $layout
	cp $layout.plain out
	check "... also without -L and -D" read_text $layout
done
run diskspd --dialect 2.0 -b4K -t2 -Sh -L -D -d1 -W0 f
check "--dialect 2.0 prints the columns of 2.0.17" read_text 2.0.17
check "... and a reader of 2.2 refuses them" eval '! read_text 2.2 >found'

# ---- a table of results ----
# The power scheme of an emulated Windows breaks the XML of the second result.
take "-L -D and writes" -t2 -o4 -r -w30 -L -D200 f
cp all own.xml
sed 's/"<unknown>"/"unknown"/' "$SOURCE/t/diskspd/reports/2.2.0-xml.xml" >2.2.0.xml
table() { # FORMAT: --summary has the rows that Microsoft's script makes of the same results
	run diskspd --summary="$1" own.xml 2.2.0.xml wrong.xml
	[ "$rc" = 0 ] && python3 "$SOURCE/t/clients/process_diskspd.py" out own.xml 2.2.0.xml wrong.xml
}
cp wrong wrong.xml
check "--summary is the table of Process-DiskSpd.ps1" table tsv
check "... and with commas" table csv
sed 's/>f</>=A1+"f"</' own.xml >formula.xml
run diskspd --summary=csv formula.xml
check "... a name is no formula" says out ",\"'=A1+\"\"f\"\"\","
run diskspd --summary two.xml
check "... a profile is no result" says err "two.xml:1: no result of DISKSPD"
run diskspd --summary 2.2.0.xml "$SOURCE/t/diskspd/reports/2.2.0-xml.xml"
check "... broken XML is refused with its line" says err "2.2.0-xml.xml:9: "
check "... and nothing is printed" empty out

# ---- wrong XML is found ----
spoiled() { # LABEL EXPRESSION WORDS: diskspd.py finds the error that sed makes
	sed "$2" wrong >all
	check "$1 is found" refused "$3"
}
spoiled "text that is no number in <Latency>" 's|^    </Latency>|<FewSamples>none</FewSamples>&|' \
	'PerfKitBenchmarker wants a number, not "none"'
spoiled "an element that DISKSPD does not have" 's|^  </TimeSpan>|<Notes/>&|' "Thread Notes , not"
spoiled "another order" 's|^    <ThreadCount>.*||;s|^    <ProcCount>.*|&<ThreadCount>2</ThreadCount>|' "ProcCount ThreadCount"
spoiled "a profile that is none" '1,/<.Profile>/s|<Weight>1|<Wait>2</Wait>&|' "has an element <Wait>"
spoiled "a comment among the figures" 's|^    <Latency|<!-- x -->&|' "<Latency> stands behind a comment"
spoiled "an attribute" 's|SampleMillisecond=|Sample=|' "attributes"
finish
