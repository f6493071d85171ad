#!/bin/sh
# What happens at limits on files, file sizes, CPU time, memory, address space and processes, and when files disappear or shrink? The
# error must name the limit, other jobs run on, and the document is complete.
. "$SOURCE/t/lib.sh"
requires jq prlimit timeout
[ -n "${PRELOAD:-}" ] || skip_all "a sanitizer reserves memory of its own"
cd "$dir" || exit 1
threads=
group=

cleanup() {
	[ -z "$group" ] || rmdir "$group" 2>/dev/null
}

# under LIMIT... PROGRAM OPTION...: runs the program with these limits.
under() {
	set -- "$@" --eta=never --output-format=json
	timeout 60 prlimit "$@" >out 2>err </dev/null
	rc=$?
}

# failed CODE TEXT: checks exit code, error line and document.
failed() {
	check "$what: exit code $1" exits "$1"
	check "$what: stderr has '$2'" says err "$2"
	check "$what: stderr has only lines of fiord" same "$(grep -vc '^fiord: ' err)" 0
	[ ! -s out ] || check "$what: the document is complete" json out ".fiord.exit.code == $1"
	rm -f f x.*
}

small="--name=x --filename=f --size=1m --bs=4k"
for engine in $("$FIORD" --enghelp | sed -n 's/^[[:space:]]\([a-z0-9_]*\) .*/\1/p'); do
	case $engine in psync | libaio | io_uring | mmap | posixaio | sync | splice) ;; *) continue ;; esac
	what="ioengine=$engine in 64 MiB of address space"
	# shellcheck disable=SC2086
	under --as=67108864 "$FIORD" $small --ioengine=$engine --rw=read --iodepth=4
	check "$what: the job runs, or its error is ENOMEM" \
		json out '(.fiord.exit.code == 0 and .jobs[0].read.io_bytes == 1048576) or .jobs[0].error == 12'
	rm -f f
done
# shellcheck disable=SC2086
{
	what="1300 jobs in 64 MiB of address space"
	under --as=67108864 "$FIORD" $small --rw=read --numjobs=1300
	failed 1 "ulimit -v"
	what="buffers of 256 MiB in 64 MiB of address space"
	under --as=67108864 "$FIORD" $small --ioengine=psync --bs=256m --size=256m --rw=write --fallocate=none
	failed 1 "ulimit -v"
	what="20 files, 10 descriptors"
	under --nofile=10 "$FIORD" --name=x --size=1m --nrfiles=20 --rw=write
	failed 1 "raise the limit (ulimit -n), or use openfiles=N"
	what="4 descriptors"
	under --nofile=4 "$FIORD" $small --rw=read
	check "$what: the program ends by itself, with a line" test "$rc" -lt 7 -a -s err
	for engine in psync mmap; do
		what="files of 100 KiB, $engine"
		under --fsize=102400 "$FIORD" $small --ioengine=$engine --rw=write --fallocate=none
		failed 1 "ulimit -f"
	done
	what="files of 100 KiB, layout"
	under --fsize=102400 "$FIORD" $small --rw=read
	failed 1 "ulimit -f"
	what="files of 100 KiB, fallocate"
	under --fsize=102400 "$FIORD" $small --rw=write
	failed 1 "ulimit -f"
	echo before >result
	what="files of 1 KiB, the result"
	under --fsize=1024 "$FIORD" $small --ioengine=null --rw=read --output=result
	failed 6 "result: the result could not be written"
	check "$what: the older result is unchanged" same "$(cat result)" before
	check "$what: no temporary file is left" same "$(echo result*)" result
	for thread in 0 1; do
		what="a second of CPU time, thread=$thread"
		under --cpu=1 "$FIORD" $small --ioengine=null --rw=read --time_based --runtime=600 --thread=$thread
		failed 1 "ulimit -t"
		check "$what: the document has the counts so far" json out '.jobs[0].read.total_ios > 0'
	done
}

# ---- control groups ----

# in_group CONTROLLER FILE VALUE: creates a control group of version 1 or 2 in $group; false if the machine lacks the controller.
in_group() {
	group=
	for base in /sys/fs/cgroup /sys/fs/cgroup/"$1"; do
		mkdir "$base/fiord-test-$$" 2>/dev/null || continue
		if [ -f "$base/fiord-test-$$/$2" ] && echo "$3" >"$base/fiord-test-$$/$2" 2>/dev/null; then
			group=$base/fiord-test-$$
			return 0
		fi
		rmdir "$base/fiord-test-$$"
	done
	return 1
}

# grouped OPTION...: runs the program in that group and removes the group.
grouped() {
	timeout 60 sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$FIORD" --eta=never --output-format=json "$@" \
		>out 2>err </dev/null
	rc=$?
	until_true 5 rmdir "$group" 2>/dev/null
	group=
}

if in_group pids pids.max 4; then
	what="four processes"
	grouped --name=x --filename=f --size=64k --rw=read --numjobs=8 --output-format=json
	failed 1 "cannot fork: Resource temporarily unavailable (EAGAIN)"
	check "$what: other jobs do all their I/O" json out \
		'[.jobs[] | select(.error == 0) | .read.io_bytes] | length >= 2 and all(. == 65536)'
	in_group pids pids.max 4
	what="four threads"
	grouped --name=x --filename=f --size=64k --rw=read --numjobs=8 --thread=1
	failed 1 "cannot start a thread"
else
	skip "limits of processes" "no pids control group can be created"
fi
for file in memory.max memory.limit_in_bytes; do
	in_group memory $file 33554432 || continue
	[ ! -f "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
	what="32 MiB of memory"
	grouped --name=x --filename=f --size=256m --rw=write --bs=1m --iodepth=64 --ioengine=libaio --direct=1
	failed 1 "by the kernel for lack of memory"
	break
done
[ "$what" = "32 MiB of memory" ] || skip "a limit of memory" "no memory control group can be created"

# ---- files that change under a job ----

for engine in psync mmap; do
	what="$engine, a file that becomes shorter"
	start --name=x --filename=f --size=1m --rw=read --ioengine=$engine --time_based --runtime=600 --eta=always \
		--eta-interval=250 --output-format=json
	check "$what: the job runs" until_true 30 progress_shows R
	: >f
	wait_for_exit
	check "$what: exit code 1" exits 1
	check "$what: the error says end of file" grep -q 'f: read at offset [0-9]*, length 4096: end of file' err
	check "$what: the document has the counts so far" json out '.jobs[0] | .error == 5 and .read.total_ios > 0'
	rm -f f
done

# ---- names ----

for name in "$(printf 'tab\tline\nend')" "$(printf 'ctl\001\033[1m')" "$(printf 'bad\377\300utf8')" 'quote"back\\slash' "$(printf 'a%.0s' $(seq 120))"; do
	what="name $(printf %s "$name" | tr -c 'a-z0-9' .)"
	run --output-format=json --name="$name" --filename="$name" --description="$name" --size=64k --rw=write
	check "$what: the job exits 0" exits 0
	check "$what: the JSON is valid" json out '.jobs[0].write.io_bytes == 65536'
	run --output-format=json --name="$name" --filename="$name/x" --size=64k --rw=write
	check "$what: the error is one line" lines err 1
	run --name="$name" --filename="$name" --size=64k --rw=write
	check "$what: the error has no control characters" same "$(tr -d '[:print:]\n' <err | wc -c)" 0
	rm -f ./tab* ./ctl* ./bad* ./quote* ./aaa*
done
# With too little address space for the loader, the C library or the plan, the program prints one line and exits with a documented
# code. With less than the program image needs the kernel kills it in execve, so the test begins above that.
image_kib=$(size "$FIORD" | awk 'NR == 2 { print int($4 / 1024) + 600 }')
for kib in $(seq "${image_kib:-2000}" 200 9000); do
	(ulimit -v "$kib" && exec "$FIORD" --name=x --ioengine=null --size=64k --eta=never) >out 2>err </dev/null
	rc=$?
	case $rc in
	0) expected=0 ;;
	1 | 127) expected=1 ;;
	*) expected=none ;;
	esac
	check "$kib KiB of address space end in one line or none" lines err "$expected"
done
# If the heap cannot grow the C library maps memory. If that fails, too, the program prints a line.
if command -v strace >/dev/null && strace -o trace -e inject=brk:retval=0:when=2+ true 2>/dev/null; then
	for n in $(seq 2 60); do # the loader needs the first map to start a program
		strace -o trace -e trace=brk,mmap -e inject=brk:retval=0:when=2+ -e inject=mmap:error=ENOMEM:when=$n+ \
			"$FIORD" --name=x --ioengine=null --size=64k --eta=never >out 2>err </dev/null
		rc=$?
		check "mmap fails from call $n on: exit code $rc and one line" grep -qE "^(0 0|1 1|127 1)\$" <<-END
			$rc $(wc -l <err)
		END
	done
else
	skip "heap and maps that fail" "strace(1) cannot inject"
fi
finish
