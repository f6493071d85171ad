#!/bin/sh
# DISKSPD's XML result as strict readers take it: DISKSPD's elements in their order and no others, the schema of its
# profile, numbers where PerfKitBenchmarker makes numbers of them, comments behind all figures. Real results of several
# lines, a profile and a job, also of runs that a signal ended. And the text in each layout, read by its columns.
. "$SOURCE/t/lib.sh"
requires python3
cd "$dir" || exit 1
truncate -s 2m f g
ln -s "$FIORD" diskspd

valid() { # OPTION...: of diskspd.py, for all
	python3 "$SOURCE/t/clients/diskspd.py" "$@" all >problems 2>&1 || {
		cat problems
		return 1
	}
}
refused() { # WORDS: diskspd.py finds this
	! valid >found && says found "$1"
}
# take LABEL ARGUMENT...: a line's result.
take() {
	what=$1
	shift
	rm -f all
	run diskspd -Rxml --output=all -W0 -d1 -b4K "$@"
	check "$what: runs" exits 0
}

take "a mix" -t2 -o4 -r -w30 f
check "... is read" valid
take "-L -D" -t2 -o4 -r -w30 -L -D200 f
check "... is read" valid
check "... has few samples, and says so behind the figures" says all "<!-- time span 1: Fewer samples than needed:"
cp all wrong
take "write-through" -w100 -Sw -L f
check "... is read" valid
check "... says what it meant" says all "<!-- time span 1: write-through on f: "
take "-vs -e" -o4 -vs -eDISK_IO -eMEMORY_PAGE_FAULTS -ePROCESS -eNETWORK f
check "... is read" valid
take "pool and distribution" -F2 -O4 -r -rdpct90/10:0/10 -L -D300 -w50 -Z64K f g
check "... is read" valid
take "every kind of limit" -o2 -g1000i -B4K:1M -si -t2 -I1 -fr -Zr -z5 -a0 -P500 f
check "... is read" valid
take "layout 2.3" -o8 -u4 -oc2 -bsn -ac -L --layout 2.3 f
check "... is read" valid --layout 2.3
check "... by no reader of 2.2" refused "EffectiveBufferSeparation"

span="<TimeSpan><Duration>1</Duration><Warmup>0</Warmup><MeasureLatency>true</MeasureLatency>
	<Targets><Target><Path>f</Path></Target></Targets></TimeSpan>"
echo "<Profile><ResultFormat>xml</ResultFormat><TimeSpans>$span$span</TimeSpans></Profile>" >two.xml
run diskspd -Xtwo.xml --output=all
check "two spans: run" exits 0
check "... are read" valid
run --name=x --filename=f --size=1m --rw=randrw --bs=4k --numjobs=2 --output-format=diskspd-xml --output=all
check "a job: runs" exits 0
check "... is read" valid

# In DISKSPD's name there is nothing else.
FIORD_WAS=$FIORD
FIORD=$dir/diskspd
run -Rxml --output=all -d1 -W0 -b4K -L -D -w100 -Sw -c1M g
check "in DISKSPD's name: runs" exits 0
check "... is read" valid --named
# ended LABEL SHOWS ARGUMENT...: a signal ends it once the status line shows this.
ended() {
	what=$1
	shows=$2
	shift 2
	start "$@" --output=all --eta=always --eta-interval=250
	check "$what: it runs" until_true 60 progress_shows "$shows"
	kill -INT "$pid"
	wait_for_exit
	check "$what: 130" exits 130
}
ended "Ctrl-C" R -Rxml -d600 -W0 -L -D -t2 f
check "... is read" valid --named
check "... with figures" same "$(grep -c '^    <Thread>' all)" 2
ended "Ctrl-C in the warm-up" / -Rxml -d1 -W600 -L f
check "... is read" valid --named
check "... without figures" same "$(grep -c '^    <Thread>\|<Error>The test .* No results are displayed.</Error>' all)" 1
FIORD=$FIORD_WAS
ended "Ctrl-C of fiord" R diskspd -Rxml -d600 -W0 -L -D -t2 f
check "... is read" valid
check "... and says what ended it" says all "<!-- time span 1: The test was interrupted before the measurements ended. (term"

# ---- the text, by its columns ----
read_text() { # LAYOUT
	python3 "$SOURCE/t/clients/diskspd_text.py" "$1" out >problems 2>&1 || {
		cat problems
		return 1
	}
}
for layout in 2.2 2.3 2.0 linux-port; do
	run diskspd --layout $layout -b4K -t2 -o4 -r -w30 -L -D200 -d1 -W0 f
	check "the text of $layout is read" read_text $layout
	run diskspd --layout $layout -b4K -o4 -d1 -W0 f
	check "... without -L and -D" read_text $layout
done
run diskspd --dialect linux-port -b4K -t2 -Sd -xk -L -D -d1 -W0 f
check "a line of diskspd-for-linux prints its columns" read_text linux-port
check "... which are not DISKSPD's" eval '! read_text 2.2 >found'

# ---- the reader of XML finds what is wrong ----
spoiled() { # LABEL EXPRESSION WORDS
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
