# needs.sh: the requirements of rows of the option tables. Each function sets up what it can, or prints what is missing and fails.
# shellcheck shell=sh

need_root() {
	[ "$(id -u)" = 0 ] || { echo "not root"; return 1; }
}

# Reserves eight huge pages of the default size while the tests run.
need_hugepages() {
	[ -n "${HUGEPAGES:-}" ] || {
		HUGEPAGES=$(cat /proc/sys/vm/nr_hugepages 2>/dev/null) && [ "$HUGEPAGES" -ge 8 ] ||
			echo $((HUGEPAGES + 8)) 2>/dev/null >/proc/sys/vm/nr_hugepages
	}
	[ "$(sed -n 's/^HugePages_Free: *//p' /proc/meminfo)" -ge 8 ] 2>/dev/null || { echo "no huge pages"; return 1; }
}

# Transparent huge pages, and a kernel that shows in smaps which mapping requested them.
need_thp() {
	[ -e /sys/kernel/mm/transparent_hugepage/enabled ] && grep -q ^VmFlags: /proc/self/smaps 2>/dev/null ||
		{ echo "no transparent huge pages"; return 1; }
}

need_hugepages1g() {
	[ -d /sys/kernel/mm/hugepages/hugepages-1048576kB ] || { echo "no huge pages of 1 GiB"; return 1; }
}

# A writable hierarchy of control groups of version 2, in $CGROUP2.
need_cgroup2() {
	CGROUP2=$(findmnt -fno TARGET -t cgroup2 2>/dev/null)
	[ -n "$CGROUP2" ] && mkdir "$CGROUP2/fiord-try-$$" 2>/dev/null && rmdir "$CGROUP2/fiord-try-$$" ||
		{ echo "no cgroup v2 (or no right to it)"; return 1; }
}

need_cgroup2io() {
	need_cgroup2 || return
	grep -qw io "$CGROUP2/cgroup.subtree_control" || { echo "cgroup v2 has no io controller here"; return 1; }
}

# Memory policies must show in numa_maps.
need_numa() {
	[ -r /proc/self/numa_maps ] || { echo "no numa_maps"; return 1; }
}

need_multicpu() {
	[ "$(nproc)" -gt 1 ] || { echo "one CPU only"; return 1; }
}

need_io_uring() {
	(cd "$dir" && "$FIORD" --name=try --filename=uring-try --size=4k --ioengine=io_uring --unlink=1 >/dev/null 2>&1) ||
		{ echo "no io_uring"; return 1; }
}

# /sys must have the counters of the disk below the tests.
need_disk() {
	[ -r "/sys/dev/block/$(findmnt -fnvo MAJ:MIN -T "$dir" | tail -n 1 | tr -d ' ')/stat" ] ||
		{ echo "no counters of a disk in /sys"; return 1; }
}

# The file system of the tests must have extended attributes.
need_xattr() {
	touch "$dir/xattr-try" && setfattr -n user.try -v 1 "$dir/xattr-try" 2>/dev/null ||
		{ echo "no extended attributes (or no setfattr)"; return 1; }
}

# The file system of the tests must support O_DIRECT.
need_direct() {
	dd if=/dev/zero of="$dir/direct-try" bs=4k count=1 oflag=direct 2>/dev/null ||
		{ echo "no direct I/O here"; return 1; }
}

# A loop device with a file system's signature, in $DEV.
need_loop() {
	if [ -z "${DEV:-}" ]; then
		truncate -s 16m "$dir/loop-image"
		DEV=$(losetup -f --show "$dir/loop-image" 2>/dev/null) || { unset DEV; echo "no loop devices"; return 1; }
	fi
	mkfs.ext4 -q -F "$DEV" 2>/dev/null ||
		{ echo "no mkfs.ext4"; return 1; }
}

needs_cleanup() {
	[ -z "${HUGEPAGES:-}" ] || echo "$HUGEPAGES" 2>/dev/null >/proc/sys/vm/nr_hugepages
	[ -z "${DEV:-}" ] || losetup -d "$DEV"
	[ -z "${DISCARD:-}" ] || losetup -d "$DISCARD"
}

# A device with polled queues, in $POLLED. It is only read.
need_polled() {
	for queue in /sys/block/*/queue/io_poll; do
		[ "$(cat "$queue" 2>/dev/null)" = 1 ] || continue
		POLLED=/dev/$(basename "${queue%/queue/io_poll}")
		return 0
	done
	echo "no device that can be polled"
	return 1
}

# RWF_DONTCACHE exists since Linux 6.14.
need_dontcache() {
	printf '6.14\n%s\n' "$(uname -r)" | sort -VC || { echo "no RWF_DONTCACHE before Linux 6.14"; return 1; }
}

# The file system of the tests must punch holes.
need_holes() {
	head -c 65536 /dev/urandom >"$dir/holes-try" && fallocate -p -o 0 -l 65536 "$dir/holes-try" 2>/dev/null ||
		{ echo "no holes can be punched here"; return 1; }
}

# A loop device that discards, without a signature, in $DISCARD.
need_discard() {
	if [ -z "${DISCARD:-}" ]; then
		head -c 1M /dev/urandom >"$dir/discard-image"
		DISCARD=$(losetup -f --show "$dir/discard-image" 2>/dev/null) ||
			{ unset DISCARD; echo "no loop devices"; return 1; }
	fi
	[ "$(cat "/sys/block/${DISCARD#/dev/}/queue/discard_max_bytes" 2>/dev/null || echo 0)" != 0 ] ||
		{ echo "loop devices do not discard"; return 1; }
}

# I/O priority hints exist since Linux 6.5.
need_priohint() {
	printf '6.5\n%s\n' "$(uname -r)" | sort -VC || { echo "no priority hints before Linux 6.5"; return 1; }
}

need_fincore() {
	command -v fincore >/dev/null || { echo "no fincore"; return 1; }
}

# A device with atomic writes that may be overwritten, which the caller of the tests names in $ATOMIC.
need_atomic() {
	[ -n "${ATOMIC:-}" ] || { echo "no ATOMIC=/dev/... with atomic writes was named"; return 1; }
}

# The file system of the tests must lack atomic writes.
need_noatomic() {
	head -c 65536 /dev/zero >"$dir/atomic-try"
	! "$FIORD" check --name=try --filename="$dir/atomic-try" --size=64k --rw=write --direct=1 --ioengine=pvsync2 \
		--atomic=1 >/dev/null 2>&1 || { echo "atomic writes work here"; return 1; }
}

# The kernel's clock must be the CPU's time stamp counter.
need_tsc() {
	[ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource 2>/dev/null)" = tsc ] &&
		[ "$(uname -m)" = x86_64 ] || { echo "the kernel does not trust the TSC"; return 1; }
}

# BPF programs must be permitted, and built.
need_bpf() {
	need_root || return
	(cd "$dir" && "$FIORD" --name=try --filename=bpf-try --size=4k --rw=write --direct=1 --latency_split=1 --unlink=1 2>&1 | grep -q "where on") ||
		{ echo "no BPF, or no block device"; return 1; }
}
