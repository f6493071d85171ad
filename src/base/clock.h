/* clock.h: a cheap monotonic clock in nanoseconds. It reads the TSC if the kernel trusts it
   (current_clocksource is tsc), and scales it by a multiply and a shift that are calibrated against
   CLOCK_MONOTONIC. Otherwise it calls clock_gettime. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#define CLOCK_HAVE_TSC 1
#else
#define CLOCK_HAVE_TSC 0
#endif

struct clock_tsc {
	bool on;
	uint64_t base_tsc, base_ns;
	uint64_t mult; /* ns = (ticks * mult) >> 32 */
};

/* clock_init sets this before the first fork; it is read-only afterwards. */
extern struct clock_tsc clock_tsc;

/* Returns true if the kernel itself uses the TSC as its clock source. */
bool clock_tsc_trusted(void);
/* Calibrates the clock, which takes about 2 ms. The program calls this once, before the first fork or thread.
   Without this call the clock is clock_gettime. */
void clock_init(void);
/* Returns the drift of the TSC from CLOCK_MONOTONIC since clock_init, in parts per million; 0 without TSC. */
double clock_drift_ppm(void);
/* Returns the name of the clock source for the report: "tsc" or "clock_gettime". */
const char *clock_source(void);

/* For tests only, set before the first fork: only clock_skip advances the time. */
extern bool clock_virtual;
extern uint64_t clock_virtual_ns;
/* Advances a virtual clock to `ns`, unless it is later already. Returns true if the clock is virtual. */
static inline bool clock_skip(uint64_t ns)
{
	if (__builtin_expect(!clock_virtual, 1))
		return false;
	if (clock_virtual_ns < ns)
		clock_virtual_ns = ns;
	return true;
}

static inline uint64_t clock_raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Nanoseconds of CLOCK_MONOTONIC, the same in every process of the run. */
static inline uint64_t clock_ns(void)
{
#if CLOCK_HAVE_TSC
	if (__builtin_expect(clock_tsc.on, 1)) {
		__extension__ typedef unsigned __int128 u128;
		uint64_t t = __builtin_ia32_rdtsc() - clock_tsc.base_tsc;

		return clock_tsc.base_ns + (uint64_t)(((u128)t * clock_tsc.mult) >> 32);
	}
#endif
	return clock_virtual ? clock_virtual_ns : clock_raw_ns();
}

/* Returns the time from then to now; 0 if now is earlier. */
static inline uint64_t clock_since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* Sleeps until clock_ns() reaches `ns` or a signal arrives. */
void clock_sleep_until(uint64_t ns);

#endif
