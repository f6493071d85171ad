#!/bin/sh
# Does t/guest/run say what a script did, and what became of a guest that panics or hangs? It must leave no process and no file.
. "$SOURCE/t/lib.sh"
export TMPDIR="$dir/tmp"
mkdir "$TMPDIR"

guest() {
	"$SOURCE/t/guest/run" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}

# script NAME LINE...: writes a script for the guest.
script() {
	name=$1
	shift
	printf '%s\n' "$@" >"$dir/$name.sh"
}

# left: prints the files and processes that guests have left.
left() {
	ls -A "$TMPDIR"
	pgrep -f "$TMPDIR/fiord-guest"
}

script two 'echo "code from $(uname -s)"' 'echo text >"$OUT/file"' 'echo changed >>"$(dirname "$0")/two.sh" || exit 3' 'exit 2'
cp "$dir/two.sh" "$dir/copy"
mkdir "$dir/files"
guest --out="$dir/files" "$dir/two.sh"
! exits 77 || skip_all "$(sed 's/^skipped: //' "$dir/out")"
check "the exit code is the script's" exits 2
check "... and the output" same "$(cat "$dir/out")" "code from Linux"
check "... and its files come out" same "$(cat "$dir/files/file")" text
check "... but the guest changes nothing else" cmp "$dir/two.sh" "$dir/copy"

script panic 'echo before' 'echo c >/proc/sysrq-trigger' 'sleep 100'
guest "$dir/panic.sh"
check "a guest that panics fails" exits 1
check "... with what the script printed" says "$dir/out" before
check "... and the end of the console" says "$dir/out" "Kernel panic - not syncing"

script hang '# seconds: 45' 'echo before' 'exec sleep 1000'
guest "$dir/hang.sh"
check "a guest that hangs fails" exits 1
check "... because of its time limit" says "$dir/out" "did not end in time"

"$SOURCE/t/guest/run" "$dir/hang.sh" >"$dir/out" 2>&1 </dev/null &
pid=$!
check "a guest starts" until_true 60 pgrep -f "$TMPDIR/fiord-guest.*initramfs"
kill -TERM "$pid"
wait_for_exit
check "SIGTERM ends it" exits 1

# The loop of two instructions is machine code: mov ecx, 100000000; dec ecx; jnz; ret.
cat >"$dir/count.py" <<'PYTHON'
import ctypes, mmap, time
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("b900e1f505ffc975fcc3"))
loop = ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
before = time.monotonic_ns()
loop()
print((time.monotonic_ns() - before) // 1000000)
PYTHON
script count '# clock: instructions' "python3 '$dir/count.py'"
guest "$dir/count.sh"
check "with clock: instructions, 200 million take 200 ms of the guest's time: $(cat "$dir/out")" grep -qxE "199|20[01]" "$dir/out"

script absent '# devices: floppy' 'true'
guest "$dir/absent.sh"
check "an unknown device fails" exits 1
check "... by name" says "$dir/out" "t/guest/devices.tsv has no device floppy"

echo 'Acquire::http::Proxy "http://127.0.0.1:1"; Acquire::Retries "0";' >"$dir/apt"
FIORD_GUEST_CACHE=$dir/cache APT_CONFIG=$dir/apt guest "$dir/two.sh"
check "without a kernel and a network, scripts are skipped" exits 77
check "... and the reason is said" says "$dir/out" "cannot be downloaded"
printf '#!/bin/sh\necho boot >>"%s/boots"\n' "$dir" >"$dir/dies"
chmod +x "$dir/dies"
FIORD_GUEST_ACCEL=tcg guest --qemu="$dir/dies" "$dir/two.sh"
check "a guest that ends before its script begins is booted again" lines "$dir/boots" 3
check "... and fails at last" exits 1
guest --qemu=no-such-qemu "$dir/two.sh"
check "without QEMU, too" exits 77
check "no process and no file is left: $(left)" same "$(left)" ""
finish
