#!/bin/sh
# cpu: qemu64
# clock: hpet
# seconds: 200
# Does fiord run on a CPU without AVX2 and SSE4.2 whose counter the kernel does not trust, and does it say so? Witnesses: /proc/cpuinfo and sysfs;
# Python's clock for the time that a run took, and Python's data and sums for what it writes.
. "$SOURCE/t/guest/lib.sh"
requires jq python3
cd "$dir" || exit 1
clock=$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)
check "this CPU has no AVX2, BMI2 and SSE4.2" sh -c '! grep -qwE "avx2|bmi2|sse4_2" /proc/cpuinfo'
check "the kernel's clock is not the CPU's counter: $clock" sh -c '[ "$1" ] && [ "$1" != tsc ]' - "$clock"

# ---- what the reports say ----
begin=$(python3 -c 'import time; print(time.monotonic_ns())')
run --name=x --ioengine=null --size=1g --rw=randread --time_based --runtime=2 --output-format=normal,json --output=result
end=$(python3 -c 'import time; print(time.monotonic_ns())')
sed '/^{/,/^}/d' result >text
sed -n '/^{/,/^}/p' result >document
check "a null job runs" exits 0
check "... without a message" empty err
check "... the text names the clock" says text ", times by clock_gettime of $clock"
check "... and what the CPU lacks" says text ", CPU without AVX2 BMI2 SSE4.2"
check "... as does JSON" json document ".fiord | .clock.source == \"clock_gettime\" and
	.environment.kernel_clock == \"$clock\" and .environment.cpu_lacks == \"AVX2 BMI2 SSE4.2\""
check "... its time is Python's" json document ".jobs[0].read.runtime | . >= 2000 and . * 1000000 <= $((end - begin))"
check "... and IOPS are I/Os by that time" json document '.jobs[0].read | (.iops * .runtime / 1000 / .total_ios - 1) | fabs < 0.01'
run --name=x --ioengine=null --size=1m --clocksource=cpu --output-format=json --output=document
check "clocksource=cpu: the job runs" exits 0
check "... and a note says why times come from elsewhere" json document 'any(.. | strings; contains("the kernel does not trust this CPU"))'

# ---- the code that is chosen at start ----
for verify in crc16 crc32 crc32c crc64 md5 sha1 sha256 sha512 sha3-256 xxhash pattern; do
	rm -f v
	run --name=v --filename=v --rw=randwrite --bs=4k --size=256k --verify=$verify --verify_pattern=0x1234 --output-format=json
	check "verify=$verify: each block is checked" json out ".jobs[0] | .error == 0 and .read.total_ios == 64 and .write.total_ios == 64"
done
rm -f v
run --name=v --filename=v --rw=write --bs=4k --size=256k --verify=crc32c
check "blocks are written with crc32c" exits 0
flip v $((20 * 4096 + 2000))
run --name=v --filename=v --rw=read --bs=4k --size=256k --verify=crc32c --output-format=json
check "... and one flipped bit is found" exits 4
for mix in --random_distribution=zipf:1.1 --random_generator=tausworthe64 --buffer_compress_percentage=50 --dedupe_percentage=30 "--rate_process=poisson --rate_iops=2000"; do
	# shellcheck disable=SC2086
	rm -f x
	run --name=x --ioengine=psync --filename=x --rw=randrw --bs=4k --size=1m $mix --output-format=json
	check "$mix: each I/O once" json out '.jobs[0] | .error == 0 and .read.total_ios + .write.total_ios == 256'
done
finish
