#include "clock.h"

#include <string.h>
#include "sysfs.h"

struct clock_tsc clock_tsc;
bool clock_virtual;
uint64_t clock_virtual_ns;

bool clock_tsc_trusted(void)
{
	char name[32];

	return CLOCK_HAVE_TSC &&
	       !sysfs_line(name, sizeof(name),
			   "/sys/devices/system/clocksource/clocksource0/current_clocksource") &&
	       !strncmp(name, "tsc", 3);
}

#if CLOCK_HAVE_TSC
/* Reads both clocks several times and stores the pair of readings that are closest together. */
static void read_pair(uint64_t *tsc, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 16; i++) {
		uint64_t before = __builtin_ia32_rdtsc(), t = clock_raw_ns(), after = __builtin_ia32_rdtsc();

		if (after - before < best) {
			best = after - before;
			*tsc = before + (after - before) / 2;
			*ns = t;
		}
	}
}

void clock_init(void)
{
	__extension__ typedef unsigned __int128 u128;
	uint64_t tsc0 = 0, ns0 = 0, tsc1 = 0, ns1 = 0;

	if (clock_virtual || clock_tsc.on || !clock_tsc_trusted())
		return;
	read_pair(&tsc0, &ns0);
	do {
		read_pair(&tsc1, &ns1);
	} while (ns1 - ns0 < 2000000);
	if (tsc1 <= tsc0)
		return;
	clock_tsc.mult = (uint64_t)(((u128)(ns1 - ns0) << 32) / (tsc1 - tsc0));
	clock_tsc.base_tsc = tsc0;
	clock_tsc.base_ns = ns0;
	clock_tsc.on = true;
}

double clock_drift_ppm(void)
{
	uint64_t tsc = 0, ns = 0;
	double age, off;
	__extension__ typedef unsigned __int128 u128;

	if (!clock_tsc.on)
		return 0;
	read_pair(&tsc, &ns);
	age = (double)(ns - clock_tsc.base_ns);
	off = (double)(uint64_t)(((u128)(tsc - clock_tsc.base_tsc) * clock_tsc.mult) >> 32) - age;
	return age > 0 ? off / age * 1e6 : 0;
}
#else
void clock_init(void)
{
}

double clock_drift_ppm(void)
{
	return 0;
}
#endif

const char *clock_source(void)
{
	return clock_tsc.on ? "tsc" : "clock_gettime";
}

void clock_sleep_until(uint64_t ns)
{
	uint64_t now = clock_ns(), at;
	struct timespec ts;

	if (now >= ns || clock_skip(ns))
		return;
	at = clock_raw_ns() + (ns - now);
	ts.tv_sec = (time_t)(at / 1000000000u);
	ts.tv_nsec = (long)(at % 1000000000u);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}
