#!/bin/sh
# Do zonemode=strided and zbd go where they should? The test takes offsets from strace's output and compares them with those of the
# installed fio, and with the rules in fiord-job(5).
. "$SOURCE/t/lib.sh"
real=$FIORD
requires strace awk
cd "$dir" || exit 1
strace -o /dev/null true 2>/dev/null || skip_all "strace may not trace"

# offsets OPTION...: prints direction and offset of each I/O, in units of 4 KiB. The file has 1 MiB.
offsets() {
	truncate -s 1m file
	# shellcheck disable=SC2086
	straced -f -o trace -e trace=pread64,pwrite64 "$FIORD" --name=x --filename=file --bs=4k --size=256k --zonemode=strided \
		--invalidate=0 --ioengine=psync --allow_write=file "$@" $threads >out 2>err </dev/null
	rc=$?
	awk '/p(read|write)64.* = [0-9]+$/ { n = split($0, a, ", ")
		if (a[n - 1] % 4096 == 0) print /pread64/ ? "r" : "w", a[n] / 4096 }' trace
}

# under_fios_name OPTION...: the same when fiord is started through a link named fio.
ln -s "$FIORD" fio
under_fios_name() (
	FIORD=./fio
	offsets "$@"
)

# by_fio OPTION...: the same by fio.
by_fio() {
	truncate -s 1m file
	rm -f log
	fio --name=x --filename=file --bs=4k --size=256k --zonemode=strided --invalidate=0 --ioengine=psync --allow_mounted_write=1 \
		--thread --write_iolog=log "$@" >/dev/null 2>fio.err
	awk '$(NF - 2) == "read" || $(NF - 2) == "write" { print substr($(NF - 2), 1, 1), $(NF - 1) / 4096 }' log
}

# Jobs with the same offsets in fio and fiord. The zones reach beyond size, to the end of the file.
if command -v fio >/dev/null && fio --version | grep -q '^fio-3\.[3-9][0-9]'; then
	while read -r options; do
		# shellcheck disable=SC2086
		offsets $options >list
		# shellcheck disable=SC2086
		by_fio $options >list.fio
		check "fio has the offsets of $options" cmp -s list list.fio
		check "... and there are some" test -s list.fio
		# shellcheck disable=SC2086
		under_fios_name $options >list
		check "... and under fio's name, too" cmp -s list list.fio
	done <<-END
		--rw=read --zonesize=16k --zoneskip=16k
		--rw=write --zonesize=16k --zoneskip=16k
		--rw=read --zonesize=16k --zonerange=32k --zoneskip=32k
		--rw=read --zonesize=32k --zonerange=16k --zoneskip=16k
		--rw=write --zonesize=20k --zonerange=16k --zoneskip=16k
		--rw=read --zonesize=16k --zonerange=128k
		--rw=read --zonesize=16k --zoneskip=1z --size=9z
		--rw=read --zonesize=16k --zoneskip=3z --size=4z --offset=2z
		--rw=read --zonesize=16k --zoneskip=16k --io_size=7z
		--rw=write --zonesize=16k --zoneskip=2z --io_limit=0z --fileoffset=1z
		--rw=read --zonesize=64k --zoneskip=64k --size=1m --io_size=3m
		--rw=read:8k --zonesize=16k --zonerange=64k
		--rw=write --zonesize=16k --zoneskip=16k --number_ios=10
		--rw=read --zonesize=16k --zoneskip=16k --loops=2 --size=512k
	END
else
	skip "fio has the same offsets" "fio 3.30 or later is not installed"
fi

# takes_turns SIZE RANGE PERIOD: each turn lies in its zone, in units of 4 KiB, and uses no block twice.
takes_turns() {
	awk -v size="$1" -v range="$2" -v period="$3" '{
		turn = int((NR - 1) / size) % (256 / period)
		if ((NR - 1) % size == 0) split("", used)
		if ($2 < turn * period || $2 >= turn * period + range || used[$2]++) exit bad = 1
	} END { exit bad || NR != 64 }' list
}
for rw in read randread write randwrite randrw; do
	offsets --rw=$rw --zonesize=16k --zonerange=32k --zoneskip=32k >list
	check "$rw: zones take turns" takes_turns 4 8 16
	check "... and the job exits 0" exits 0
done
offsets --rw=randread --zonesize=32k --zonerange=32k >list
check "randread without gaps covers each zone in its turn" takes_turns 8 8 8
check "... in a random order" test "$(awk 'NR > 1 && $2 != last + 1 { n++ } { last = $2 } END { print (n > 20) }' list)" = 1
sort -u list >set
check "... and reads no block twice" lines set 64

# Verification ends with size, so that a later run finds the same zones.
verified() { # OPTION...
	run --name=x --filename=file --bs=4k --size=256k --rw=randwrite --zonemode=strided --zonesize=16k --zoneskip=48k \
		--verify=crc32c "$@"
}
rm -f file
verified
check "a verified job exits 0" exits 0
truncate -s 1m file
verified --verify_only=1 --verify_state_save=0 --output-format=json
check "the longer file verifies" exits 0
check "... all its 16 blocks" grep -q '"checked" *: *16' out
dd if=/dev/zero of=file bs=4k seek=16 count=1 conv=notrunc 2>/dev/null
verified --verify_only=1 --verify_state_save=0
check "a damaged block in the second zone is found" exits 4

# In a job file, blanks before a number of zones change nothing.
printf '[x]\nfilename=file\nioengine=null\nsize=1m\nio_size= 5z\nrw=write\nbs=4k\nzonemode=strided\nzonesize=16k\nzoneskip= 2z\n' >blanks.fio
for FIORD in "$real" ./fio; do
	run --output-format=json blanks.fio
	check "$FIORD: io_size= 5z is 5 zones" json out '.jobs[0].write.total_ios == 20'
done
FIORD=./fio
run --name=x --filename=grown --rw=write --bs=4k --zonemode=strided --zonesize=16k --numjobs=2 --offset_increment=3z --size=2z
check "fio's name: with offset_increment=3z a second worker ends 5 zones after the start" test "$(stat -c %s grown)" = 81920
for option in bs=1z bs=4k,1z runtime=2z iodepth=2z filesize=1m-2z size=2kz size=z; do
	run --name=x --filename=new --rw=write --size=64k --zonemode=strided --zonesize=16k --$option
	check "fio's name: $option is refused, as by fio" exits 1
	check "... and named ($(cat err))" says err "$option: "
	check "... and no file is created" test ! -e new
done
FIORD=$real

# Contradictions are refused as a pair, before a file is created.
refused() { # TEXT OPTION...
	text=$1
	shift
	run --name=x --filename=new --bs=4k --size=256k "$@"
	check "$*: refused" exits 2
	check "... and the pair is named ($(head -c 200 err))" says err "$text"
	check "... and no file is created" test ! -e new
}
S="--zonemode=strided --rw=randwrite"
refused "zonesize=16k: contradicts zonemode=none" --zonesize=16k
refused "zonemode=strided: needs zonesize" --zonemode=strided
refused "size=4z: a number of zones needs zonemode=zbd, or zonemode=strided with zonesize" --size=4z
refused "zoneskip=1z: a number of zones needs" --zoneskip=1z
# shellcheck disable=SC2086
{
	refused "bs=4k: blocks of 4096 bytes do not fit into a zone with zonesize=2048" $S --zonesize=2k
	refused "bs=4k: blocks of 4096 bytes do not fit into a zone with zonerange=2048" $S --zonesize=8k --zonerange=2k
	refused "zonesize=1m: a zone is larger than the area of new (256 KiB)" $S --zonesize=1m
	refused "zonerange=1m: a zone is larger than the area of new" $S --zonesize=16k --zonerange=1m
	refused "zoneskip=10%: not a size or number of zones" $S --zonesize=16k --zoneskip=10%
	refused "zoneskip=1.5z: not a size or number of zones" $S --zonesize=16k --zoneskip=1.5z
	refused "zonerange=2z: not a size" $S --zonesize=16k --zonerange=2z
	refused "zoneskip=100: 16484 bytes: direct=1 needs multiples" $S --zonesize=16k --zoneskip=100 --direct=1
	refused "fill_device=1: does not go with zonemode=strided" $S --zonesize=16k --fill_device=1
	refused "zonemode=strided: does not go with an rw that goes backwards" --zonemode=strided --zonesize=16k --rw=write:-8k
	refused "random_distribution=zoned_abs:50/8k:50/8k: does not go with zonemode=strided" $S --zonesize=16k \
		--random_distribution=zoned_abs:50/8k:50/8k
	refused "offset_shared=1: does not go with zonemode" --zonemode=strided --zonesize=16k --rw=write --offset_shared=1
	refused "file_weights=1: does not go with zonemode" $S --zonesize=16k --norandommap=1 --file_weights=1 --file_service_type=random
}
# zonemode=zbd.
while read -r options; do
	command -v fio >/dev/null || break
	# shellcheck disable=SC2086
	offsets --zonemode=zbd --zonesize=64k $options >list
	# shellcheck disable=SC2086
	by_fio --zonemode=zbd --zonesize=64k $options >list.fio
	check "fio has the offsets of zbd $options" cmp -s list list.fio
	check "... and there are some" test -s list.fio
	# shellcheck disable=SC2086
	under_fios_name --zonemode=zbd --zonesize=64k $options >list
	check "... and under fio's name, too" cmp -s list list.fio
done <<-END
	--rw=write
	--rw=write --zonecapacity=32k --size=1m
	--rw=write --zoneskip=1z --size=1m
	--rw=write --size=4z --offset=2z
	--rw=write --size=100k --offset=30k
	--rw=write --size=1m --io_size=3m
	--rw=write --size=1m --io_size=3m --max_open_zones=1
	--rw=read --read_beyond_wp=1
	--rw=read --read_beyond_wp=1 --zoneskip=2z --size=1m
END

# counted: the text of the last run counts as many resets as its writes in `list` show.
counted() {
	n=$(awk '{ zone = int($2 / 16); if ($2 % 16 == 0 && used[zone]) n++; used[zone] = 1 } END { print n + 0 }' list)
	says out "msec); $n zone resets"
}
if command -v fio >/dev/null; then
	truncate -s 1m file
	fio --name=x --filename=file --bs=4k --size=1m --rw=write --zonemode=zbd --zonesize=64k --io_size=3m >fio.out 2>&1
	offsets --zonemode=zbd --zonesize=64k --rw=write --size=1m --io_size=3m >list
	check "fio counts the same zone resets" same "$(grep -o '; [0-9]* zone resets' fio.out)" "$(grep -o '; [0-9]* zone resets' out)"
	check "... and not none" counted
fi

not() {
	! "$@"
}

# follows_pointers OPEN LIMIT: each write follows the one before it in its zone of 16 blocks, or begins the zone again; at most
# OPEN zones are neither empty nor full; a zone begins again below LIMIT blocks only if LIMIT is less than 16.
follows_pointers() {
	awk -v most="$1" -v limit="$2" '{
		zone = int($2 / 16); at = $2 % 16
		if (at == 0 && wp[zone] && wp[zone] < limit) exit bad = 1
		if (at != 0 && at != wp[zone]) exit bad = 1
		if (wp[zone] % 16 == 0 && at == 0) open++
		if (at == 15) open--
		if (most && open > most) exit bad = 1
		wp[zone] = at + 1
	} END { exit bad || NR < 256 }' list
}
Z="--zonemode=zbd --zonesize=64k --size=1m --rw=randwrite"
# shellcheck disable=SC2086
{
	offsets $Z >list
	check "random writes follow the write pointers" follows_pointers 0 16
	sort -u list >set
	check "... and a pass fills all zones" lines set 256
	offsets $Z --io_size=3m >list
	check "later passes reset full zones" follows_pointers 0 16
	check "... and the report counts them" counted
	offsets $Z --io_size=3m --max_open_zones=3 >list
	check "max_open_zones=3: at most 3 zones are open" follows_pointers 3 16
	check "... and sometimes 3 are" not follows_pointers 2 16
	offsets $Z --zone_reset_threshold=0.125 --zone_reset_frequency=0.5 >list
	check "zone_reset_frequency resets zones that are not full" follows_pointers 0 0
	check "... and without it none is" not follows_pointers 0 16
	check "... and the report counts them" counted
	check "... not before an eighth of all is written" test "$(head -32 list | sort -u | wc -l)" = 32
	check "... and at most every second write then" test "$(tail -n +33 list | awk '$2 % 16 == 0 { n++ } END { print (n > 60 && n < 124) }')" = 1
}
Z="--zonemode=zbd --rw=randwrite"
# shellcheck disable=SC2086
{
	refused "zonemode=zbd: needs zonesize" --zonemode=zbd
	refused "the area of new holds no whole zone" $Z --zonesize=1m
	refused "zonecapacity=32k: is larger than zonesize=16384" $Z --zonesize=16k --zonecapacity=32k
	refused "bs=4k: blocks of 4096 bytes do not fit into a zone with zonecapacity=2048" $Z --zonesize=16k --zonecapacity=2k
	refused "zoneskip=4k: is no multiple of zonesize=16384" $Z --zonesize=16k --zoneskip=4k
	refused "rw=randread: with zonemode=zbd needs read_beyond_wp=1" --zonemode=zbd --zonesize=16k --rw=randread
	refused "rw=randtrim: does not go with zonemode=zbd" --zonemode=zbd --zonesize=16k --rw=randtrim
	refused "2 zones of new may be open (max_open_zones), and [x] writes another area of it" $Z --zonesize=16k --numjobs=2 \
		--offset_increment=256k --max_open_zones=2
	refused "zone_reset_threshold=2: not a fraction" $Z --zonesize=16k --zone_reset_threshold=2
}
# Workers share the write pointers: 4 MiB of writes to 1 MiB of zones fill zones of 64 KiB 64 times, 16 of them the first time. With pointers
# of its own, no worker would reset any.
for clones in --thread=1 --thread=0; do
	for rw in randwrite write; do
		run --name=x --filename=file --allow_write=file --bs=4k --size=1m --rw=$rw --zonemode=zbd --zonesize=64k --numjobs=4 \
			--group_reporting --max_open_zones=3 --output-format=json $clones
		check "$clones, rw=$rw: 4 workers share zones" exits 0
		command -v jq >/dev/null || continue
		check "... and their resets show it" json out '.jobs[0].zone_resets | . >= 48 and . <= 67'
		check "... and their limit" json out ".jobs[0].fiord.zones.open_max | . == 3 or (\"$rw\" == \"write\" and . >= 1 and . < 3)"
	done
done
# A worker that is killed takes neither the lock nor a zone along. On the null engine workers are inside the lock, or in a row of writes, most
# of the time.
[ -n "$threads" ] || for rw in randwrite randwrite randwrite write write write; do
	start --name=x --ioengine=null --size=1m --bs=4k --rw=$rw --zonemode=zbd --zonesize=64k --numjobs=4 --max_open_zones=3 --time_based \
		--runtime=600 --eta=always --eta-interval=250 --output-format=json
	until_true 30 progress_shows "[wW](4)"
	workers=$(children "$pid")
	kill -9 "${workers%%[!0-9]*}"
	until_true 30 progress_shows "K(1)"
	kill -INT "$pid"
	wait_for_exit
	check "kill -9 of a worker, rw=$rw: exit code 1" exits 1
	check "... the others end by SIGINT" test "$(grep -c SIGKILL err)" = 1
	check "... and no more zones were open than may be" json out 'all(.jobs[]; .fiord.zones.open_max | . >= 1 and . <= 3)'
done
# 16 zones, each reset twice.
if command -v jq >/dev/null; then
	thrice="--ioengine=null --size=1m --rw=write --bs=4k --zonemode=zbd --zonesize=64k --io_size=3m --output-format=json"
	# shellcheck disable=SC2086
	{
		run --name=x $thrice
		check "JSON counts the resets" json out '.jobs[0] | .zone_resets == 32 and .fiord.counts.zone_resets == "32"'
		cp out one.json
		run merge --output-format=normal one.json one.json
		check "... and the text of documents that were read" says out "msec); 32 zone resets"
		run merge one.json one.json
		check "... and merge adds them" json out '[.client_stats[].zone_resets] == [32, 32, 64]'
		run --name=x $thrice --numjobs=3 --group_reporting
		check "... and a group does" json out '[.jobs[].zone_resets] == [96]'
		run --name=x $thrice --ramp_size=2m
		check "resets in the ramp do not count" json out '.jobs[0].zone_resets | . >= 15 and . <= 17'
		run --name=x $thrice --zonemode=none
		check "a job without zones has no count" json out '.jobs[0] | has("zone_resets") | not'
	}
fi
run check --name=x --ioengine=null --size=4z --zonemode=strided --zonesize=16k --zoneskip=16k
check "check says how many zones there are" says out "16k in each of 2 zones of 16k, one every 32k"
finish
