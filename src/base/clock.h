/* clock.h: monotonic nanoseconds, cheap. The TSC where the kernel trusts it (current_clocksource is tsc),
   scaled by a multiply and a shift calibrated against CLOCK_MONOTONIC, else clock_gettime. */
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

/* Set by clock_init before the first fork, read-only afterwards. */
extern struct clock_tsc clock_tsc;

/* Whether the kernel itself takes its time from the TSC. */
bool clock_tsc_trusted(void);
/* Calibrates (about 2 ms). Call once, before the first fork or thread; without it the clock is
   clock_gettime. */
void clock_init(void);
/* Parts per million by which the TSC has drifted from CLOCK_MONOTONIC since clock_init; 0 without TSC. */
double clock_drift_ppm(void);
/* Name of the source, for the report: "tsc" or "clock_gettime". */
const char *clock_source(void);

/* Tests only, before the first fork: time stands still but for clock_skip. */
extern bool clock_virtual;
extern uint64_t clock_virtual_ns;
/* With a virtual clock it is `ns` from now on, unless it is later already. True if the clock is virtual. */
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

/* Sleeps until clock_ns() reaches `ns`, or a signal schedules. */
void clock_sleep_until(uint64_t ns);

#endif
