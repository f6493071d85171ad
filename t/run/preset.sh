#!/bin/sh
# Does fiord preset run each workload of jobs/, say how to read its report, and leave alone the files of others? The expected
# texts are the files of jobs/.
. "$SOURCE/t/lib.sh"
requires jq
cd "$dir" || exit 1

names=$("$FIORD" preset list | sed 's/ .*//')
check "the list has all files of jobs/" same "$(echo "$names" | tr '\n' ' ')" "$(cd "$SOURCE/jobs" && echo *.ini | sed 's/\.ini//g') "
for name in $names; do
	"$FIORD" preset show "$name" >shown.ini
	check "show $name prints the job file exactly" cmp -s shown.ini "$SOURCE/jobs/$name.ini"
	check "the manual has $name" grep -qE "\*$name\*" "$SOURCE/man/fiord-preset.1.scd"
done

# scaled NAME: prints options that make the preset small.
scaled() {
	case $1 in
	mail) echo --nrfiles=4 ;;
	precondition) echo --size=1m --filename=drive ;;
	*) echo --size=1m ;;
	esac
	echo --directory=files --runtime=1 --time_based=0 --ramp_time=0
}

mkdir files
for name in $names; do
	# shellcheck disable=SC2046
	run preset "$name" $(scaled "$name")
	check "$name runs" exits 0
	check "... with an empty stderr" empty err
	check "... and its report says how to read it" says out "  note: preset $name: "
	for word in $(sed -n "s/.*note: preset $name: //p" out | grep -oE '\b[a-z]+-[a-z]+\b|SEQ1M-[A-Z0-9]*|RND4K-[A-Z0-9]*' | grep -E "^($(sed -n 's/^\[\([^]]*\)\]$/\1/p' "$SOURCE/jobs/$name.ini" | cut -d- -f1 | sort -u | paste -sd'|'))-"); do
		check "... by the job $word" grep -q "^\[$word" "$SOURCE/jobs/$name.ini"
	done
	# shellcheck disable=SC2046
	run preset "$name" $(scaled "$name") --output-format=json
	check "$name runs again on its files" exits 0
	check "... and stdout has one JSON document" json out ".fiord.notes[0] | startswith(\"preset $name: \")"
	rm -rf files/*
done

# Options override the job file in all of its jobs.
run preset latency --bs=8k --size=1m --runtime=1 --time_based=0 --ramp_time=0 --output-format=json
check "an option overrides all jobs" json out '[.jobs[]["job options"].bs] == ["8k", "8k"]'
check "... also those of the plan" sh -c '"$0" preset check latency --bs=8k --size=1m | grep -c "bs=8192" | grep -qx 2' "$FIORD"
run preset check latency --size=1m --directory=files
check "check prints a plan" says out "2 workers in 2 waves"
check "... and touches nothing" same "$(find files -type f)" ""
check "... and --section runs one of the jobs" sh -c '"$0" preset check latency --size=1m --section=read-latency | grep -q "^1 worker "' "$FIORD"

# Files of others.
echo mine >fiord-latency
before=$(sha256sum <fiord-latency)
for name in latency check\ latency; do
	# shellcheck disable=SC2086
	run preset $name --size=4 --bs=4 --runtime=1 --direct=0
	check "preset $name refuses to overwrite a file that fiord did not create" exits 3
	check "... in one line" lines err 1
	check "... that names a way out" says err "allow_write=fiord-latency"
	check "... and keeps it" same "$before" "$(sha256sum <fiord-latency)"
done
run preset latency --size=4 --bs=4 --runtime=1 --direct=0 --section=read-latency --time_based=0 --ramp_time=0
check "a preset may read it" exits 0
check "... and keeps it" same "$before" "$(sha256sum <fiord-latency)"
run preset latency --size=4 --bs=4 --runtime=1 --direct=0 --time_based=0 --ramp_time=0 --allow_write=fiord-latency
check "--allow_write permits it" exits 0
if command -v setfattr >/dev/null && setfattr -n user.test -v 1 fiord-latency 2>/dev/null; then
	for n in 1 2; do
		run preset etcd --size=64k
		check "run $n of a preset on its own file" exits 0
	done
fi

# The preset disk reads a file of others, and only reads: strace has the flags of each open.
head -c 4194304 /dev/urandom >theirs
before=$(sha256sum <theirs)
if command -v strace >/dev/null; then
	straced -f -e trace=openat -o opens "$FIORD" preset disk --filename=theirs --size=100% --runtime=1 --ramp_time=0 >out 2>err
	check "preset disk reads a file of others" says out "note: disk: large sequential reads: "
	check "... and answers at the top" sh -c 'grep -n "disk reads \|the class of this disk" out | head -n 1 | cut -d: -f1 | grep -qx "[1-9]"'
	check "... and opens it for reading alone" sh -c 'grep -q "\"theirs\".*O_RDONLY" opens && ! grep -qE "\"theirs\".*(O_RDWR|O_WRONLY|O_TRUNC)" opens'
fi
check "... and keeps it" same "$before" "$(sha256sum <theirs)"
if readlink "/sys/dev/block/$(stat -c %Hd:%Ld .)/device/driver" 2>/dev/null | grep -q virtio_blk; then
	check "... and takes a virtio disk for a virtual one" says out "for virtual disks ("
fi

run preset disk --filename=theirs --size=100% --runtime=1 --ramp_time=0 --output-format=json --output=disk.json
"$FIORD" report disk.json -o disk.html
check "... and in document and page" sh -c 'grep -qF "<p class=\"answer\">$(jq -r .fiord.answer disk.json)</p>" disk.html'

# Bad command lines.
while IFS='|' read -r args text; do
	# shellcheck disable=SC2086
	run preset $args
	check "preset $args is refused" exits 2
	check "... in one line" lines err 1
	check "... that says so" says err "$text"
done <<-END
	desktp|no preset 'desktp'; did you mean 'desktop'?
	nothing|no preset 'nothing'; the presets are database, desktop, disk, etcd, 
	show desktp|did you mean 'desktop'?
	show|needs the name of a preset
	show etcd x|takes only the name of a preset
	list x|takes no arguments
	check|needs the name of a preset
	etcd --name=x|a preset takes no other jobs
	etcd job.ini|a preset takes no job file
	disk /dev/null|write --filename=/dev/null for a device
	etcd --bs=4q|--bs=4q: not a size
	etcd --iodept=x|iodepth
	precondition|jobs/precondition.ini:8: [fill]: size=100%
END
printf '[x]\nioengine=null\nsize=4k\n' >preset
run ./preset
check "a job file of this name runs by its path" exits 0
ln -s "$FIORD" fio
./fio preset >out 2>err
check "under fio's name the word is a job file" says out "x: (g=0): rw=read"
"$FIORD" preset >out
check "preset alone prints its help" says out "fiord preset list"
run help preset
check "... like fiord help preset" says out "fiord preset list"
finish
