#!/bin/sh
# What does an option mean, by its place on the command line, in a job file or after --set? The plan has the answer. Then help
# and errors.
. "$SOURCE/t/lib.sh"
threads=
cd "$dir" || exit 1
printf '[global]\nsize=1m\nruntime=2\n[a]\n[b]\nbs=8k\n' >job.ini

plan() { # LABEL TEXT ARG...: the plan has TEXT
	label=$1 text=$2
	shift 2
	run check "$@"
	check "$label" says "$dir/out" "$text"
}

plan "an option before the job file is only a default" "runtime=2" --runtime=1 job.ini
plan "... an option behind it, too" "runtime=2" job.ini --runtime=1
plan "... and a note names the line that overrides it" "job.ini:3 sets runtime=2" job.ini --runtime=1
plan "... and it applies if the file does not set it" "iodepth" --iodepth=4 --ioengine=null job.ini
plan "--set overrides the file" "runtime=1" --set runtime=1 job.ini
plan "an option may have one dash" "bs=16384" -name=x -bs=16k -size=1m
plan "a blank may replace =" "bs=16384" --name x --bs 16k --size 1m
plan "a unique abbreviation is accepted" "2 workers in 1 wave" --name=x --numj=2 --size=1m
plan "arithmetic needs no parentheses" "iodepth=256" --name=x --size=1m --ioengine=libaio --iodepth='128*2'
check "... and a note has fio's reading" says "$dir/out" "fio reads the first number only, 128"
plan "threads=1 is thread=1" "buffered, thread," --name=x --size=1m --threads=1
check "... and a note says so" says "$dir/out" "threads=1 is read as thread=1"
plan "--threads is thread=1" "buffered, thread," --name=x --size=1m --threads
plan "--set threads=1 is thread=1" "buffered, thread," --set threads=1 job.ini
run check --name=x --size=1m --threads=4
check "the error of threads=4 advises numjobs" says "$dir/err" "numjobs=4 starts that number of workers"
plan "options behind --name apply to that job" "y, clone 0: rw=read, bs=4096" --name=x --bs=8k --size=1m --name=y --size=1m
plan "several job files run in sequence" "4 workers in 2 waves" job.ini job.ini
plan "--section runs one section" "1 worker in 1 wave" --section=b job.ini

# A verb is the first word; a job file of its name is called by its path.
"$FIORD" --help | sed -n 's/^  fiord \([a-z]*\) .*/\1/p' | grep -vx 'check\|help' >verbs
check "--help lists the verb diskspd" grep -qx diskspd verbs
while read -r verb; do
	cp job.ini "$verb"
	run check "./$verb"
	check "./$verb is a job file" exits 0
	run check "$verb"
	check "... behind another verb, too" exits 0
	run "$verb" --help
	check "$verb is a verb: --help exits 0" exits 0
	check "... and names it" says out "fiord $verb "
	ln -sf "$FIORD" fio
	./fio --parse-only "$verb" >out 2>err
	check "under fio's name $verb is a job file" same "$?:$(cat err)" 0:
	run help "$verb"
	check "help $verb explains it" grep -q "^fiord $verb " out
	rm "$verb" fio
	typo=$(echo "$verb" | sed 's/\(.\)\(.\)$/\2\1/')
	run "$typo" a b
	check "$typo suggests $verb" same "$rc:$(cat err)" "2:fiord: '$typo' is neither a job file nor a verb; did you mean 'fiord $verb'?"
	run --name=x "$verb"
	check "$verb as a later word is a missing file, with a hint" says err "'$verb' must be the first word"
done <verbs
rm verbs

for word in jobs threads qd block diskspd check version json presets examples; do
	run help $word
	check "help $word exits 0" exits 0
done
while read -r words; do
	run help $words
	check "help $words exits 0" exits 0
	run help "$words"
	check "help '$words' exits 0" exits 0
done <<-WORDS
	queue depth
	Block Size
	end fsync
	page cache
	latency
	fsync
WORDS
run help queue depth
check "help queue depth describes iodepth" grep -q "^ *iodepth: " out
check "... with the manual's words" says out "has depth 1, and a note says"
check "... without the manual's markup" sh -c '! grep -q "[*]\|_io" out'
check "... and an excerpt of an example" grep -q '^Example, from [a-z]*/[a-z_-]*.ini:$' out
file=$(sed -n 's/^Example, from \(.*\):$/\1/p' out)
check "... that is in the named file" grep -qxF "$(sed -n 's/^  \(iodepth=.*\)/\1/p' out)" "$SOURCE/$file"
run help latency
check "help of a word lists the options that mention it" grep -q '^max_latency  *: ' out
check "... after the four latencies that reports have" same "$(sed -n '1,4s/ is .*//p' out | paste -sd" ")" "slat clat lat resp"
while IFS='|' read -r words text; do
	run help "$words"
	check "help '$words' explains it" sh -c '[ "$1" = 0 ] && tr "\n" " " <out | grep -qF -- "$2"' - "$rc" "$text"
done <<-WORDS
	lat|lat is both together: from the beginning of the submission to the completion
	CLAT|clat is the completion latency
	zipf|random_distribution=zipf:1.2
	knee|fiord sweep --sweep iodepth=1..64
	grafana|--prometheus=
	coordinated omission|rate_open=1
	Coordinated-Omission|rate_open=1
WORDS
while IFS='|' read -r words meant; do
	run help "$words"
	check "help '$words' suggests $meant" same "$rc:$(cat err)" "2:fiord: no help on '$words'; did you mean '$meant'?"
done <<-WORDS
	coordinated omision|coordinated omission
	zpif|zipf
	comapre|compare
	repotr|report
	disksdp|diskspd
WORDS
run help nonsense words
check "help of an unknown word exits 2" exits 2
# Each option with a page in man/options has that text in its help.
for scd in "$SOURCE"/man/options/*.scd; do
	name=$(basename "$scd" .scd)
	run help "$name"
	check "help $name has the manual's text" sh -c 'sed "1,/^      status:/d" out | grep -v "^Example" | grep -q "^[A-Za-z0-9]"'
done
run help random_distribution
check "help keeps lines of code" grep -qx '    random_distribution=zoned:60/10:30/20:8/30:2/40' out

# Each choice of a fio option is available or refused.
while read -r option fate choice; do
	run "--cmdhelp=$option"
	check "--cmdhelp=$option: $choice is $fate" test "$(awk -v want="$choice" \
		'{ label = $0; sub(/:.*/, "", label); gsub(/^ +| +$/, "", label); if (label != "") last = label
		   sub(/^[^:]*: */, ""); if ($1 == want) { sub(" ", "-", last); print last } }' out)" = "$fate"
done <<-CHOICES
	ioengine	values	pvsync
	ioengine	refused	rbd
	ioengine	refused	mtd
	rw	values	randtrimwrite
	verify	values	sha3-512
	zonemode	values	zbd
	random_distribution	values	zoned
	random_distribution	values	zipf
	file_service_type	values	gauss
	mem	refused	cudamalloc
	lockfile	refused	exclusive
	write_mode	values	zone_append
	protocol	refused	tcp
CHOICES
# fio's own list of choices, where it is installed. It leaves out what it was built without.
case $(fio --version 2>&1) in
fio-3*)
	fio --cmdhelp=all | sed -n 's/^ *\([a-z0-9_]*\)  *: .*/\1/p' >names
	missing=
	while read -r name; do
		"$FIORD" --cmdhelp="$name" >ours 2>err
		# shellcheck disable=SC2013
		for choice in $(fio --cmdhelp="$name" | sed -n '/valid values:/,$s/^[ a-z]*: \([^ ]*\).*/\1/p'); do
			grep -qwF -- "$choice" ours || missing="$missing $name=$choice"
		done
	done <names
	check "fio has options" test "$(wc -l <names)" -gt 150
	check "--cmdhelp=NAME has each choice of the installed fio" same "$missing" ""
	rm names ours
	;;
*) skip "--cmdhelp=NAME has each choice of fio" "no fio" ;;
esac
run help io_uring
check "help of an engine explains it" grep -q "^io_uring: " out
run help rbd
check "help of an engine that fiord lacks has the reason" says err "engine rbd: needs librbd"
run version
check "fiord version prints the version" grep -q "^fiord [0-9]" "$dir/out"

run --section=nosuch job.ini
check "an unknown section is refused" exits 2
"$FIORD" check - <job.ini >out 2>err
rc=$?
check "- reads a job file from stdin" says out "2 workers in 1 wave"

differ() {
	test "$1" != "$2"
}
refused() { # LABEL TEXT ARG...: the run exits 2 with TEXT in its error, and creates nothing
	label=$1 text=$2
	shift 2
	run "$@"
	check "$label is refused" exits 2
	check "... in one line" lines err 1
	check "... with: $text" says err "$text"
	check "... before a file is created" same "$(ls)" "$(printf 'err\njob.ini\nout')"
}
# A line break in a name stays out of the texts, and in the JSON.
run check --name="two
lines" --ioengine=null --size=64k
check "a name with a line break stays on one line of the plan" says out "  two?lines, clone 0: rw=read"
run --debug=process,random --output-format=normal,json --output=name.txt --name="two
lines" --ioengine=null --size=64k
check "... and of the report" says name.txt "two?lines: (groupid=0"
check "... and is a line break in JSON" grep -qF '"jobname" : "two\nlines"' name.txt
check "... and stays on one line of the messages" same "$(grep -c '^lines' err)" 0
rm name.txt
printf '[a]\nsize=1m\nbs=4q\n' >bad.ini && mv bad.ini job.ini
refused "a bad size" "job.ini:3: bs=4q" job.ini
refused "a misspelt option" "did you mean '--iodepth'" --name=x --size=1m --iodepht=3
refused "a misspelt value" "randread" --name=x --size=1m --rw=randraed
refused "an option of an engine that fiord lacks" "not supported" --name=x --size=1m --clustername=x
refused "an ambiguous abbreviation" "iodepth" --name=x --size=1m --iodepth_b=3
refused "a file that is not there" "nosuch.ini" nosuch.ini
refused "--readonly with a writer" "readonly" --readonly --name=x --size=1m --rw=write
refused "--client" "ssh" --client=host job.ini
# Errors print sizes in binary units, and name a size of the command line that the file overrides.
lost="--size=1g had no effect, because job.ini:2 sets size=2k: use --set size=1g"
printf '[a]\nsize=2k\n' >job.ini
refused "a size below a block" "size=2k of a.0.0 is smaller than one block (bs=4k); $lost" --size=1g job.ini
run check --set size=1g job.ini
check "... and --set works" exits 0
head -c 3145728 /dev/zero >err.have
printf '[a]\nsize=8g\nfilename=err.have\n' >job.ini
run check --size=1m job.ini
check "a file that is too short is refused" exits 3
check "... with readable sizes" says err "err.have: has 3 MiB, the job reads 8 GiB"
check "... and advice to override the file" says err "job.ini:2 sets size=8g: use --set size=1m"
run check --offset=4m --name=a --filename=err.have
check "an offset beyond the end is refused" says err "offset=4m lies beyond the end of err.have (3 MiB)"
rm err.have

# --debug=random prints one line for each clone with its seed, like fio's debug lines.
seeds() { # ARG...: the seeds that --debug=random prints
	run --debug=random --name=a --ioengine=null --size=64k --rw=randread --numjobs=2 "$@"
	sed -n 's/^random   [0-9][0-9]*  *a, clone [01]: randseed=[0-9]*, seed \(0x[0-9a-f]\{16\}\)$/\1/p' err
}
first=$(seeds)
check "--debug=random prints a seed for each clone" test "$(echo "$first" | sort -u | wc -l)" = 2
check "... the same in the next run" same "$first" "$(seeds)"
check "... others with randrepeat=0" differ "$first" "$(seeds --randrepeat=0)"
check "... others with another randseed" differ "$first" "$(seeds --randseed=5)"

# --debug=io prints a line when an I/O is handed to the kernel, and one when it comes back: the I/Os that strace sees.
numbers() { # EVENT: fio's number of the operation, bytes and offset of each I/O with a line of --debug=io
	sed -n "s/^io  *[0-9][0-9]*  *$1: io_u 0x[0-9a-f]*: off=\\(0x[0-9a-f]*\\),len=\\(0x[0-9a-f]*\\),ddir=\\([0-9]\\),file=io.dat\$/\\3 \\2 \\1/p" err |
		while read -r op len at; do echo "$op $((len)) $((at))"; done
}
calls() { # the same from strace's lines
	sed -n -e 's/.*pread64(.*, \([0-9]*\), \([0-9]*\)) = .*/0 \1 \2/p' -e 's/.*pwrite64(.*, \([0-9]*\), \([0-9]*\)) = .*/1 \1 \2/p' \
		-e 's/.*fsync(.*) *= 0$/3 0 0/p' -e 's/.*fdatasync(.*) *= 0$/4 0 0/p' trace
}
if command -v strace >/dev/null && straced -o /dev/null true 2>/dev/null && [ "$SANITIZE" = none ]; then
	run --name=a --filename=io.dat --size=256k --rw=write
	straced -f -P "$dir/io.dat" -P io.dat -e trace=pread64,pwrite64,fsync,fdatasync -o trace "$FIORD" --name=a --filename=io.dat \
		--size=256k --bsrange=4k-16k --rw=randrw --fsync=3 --debug=io >out 2>err
	check "strace sees reads, writes and syncs" same "$(calls | cut -c1 | sort -u | tr -d "\n")" 013
	check "--debug=io prints a line for each call" same "$(numbers queue)" "$(calls)"
	check "... and one for its end" same "$(numbers complete)" "$(calls)"
	straced -f -e trace=io_submit -o trace "$FIORD" --name=a --filename=io.dat --size=256k --rw=randread --ioengine=libaio --iodepth=8 \
		--iodepth_batch=4 --debug=io >out 2>err
	check "... also for several I/Os in a call" same "$(numbers queue)" "$(grep -o 'aio_offset=[0-9]*' trace | sed 's/.*=/0 4096 /')"
	check "... each of which comes back" same "$(numbers complete | sort)" "$(numbers queue | sort)"
	check "... 64 of them" same "$(numbers queue | wc -l)" 64
else
	skip "--debug=io" "no strace"
fi
run --name=a --filename=/dev/full --size=8k --rw=write --debug=io
check "... the number of an error follows the line" says err "ret=-28"
finish
