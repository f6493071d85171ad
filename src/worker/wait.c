/* wait.c: sleeps and spins until a time. */
#include "clock.h"
#include "clone.h"
#include "schedule.h"
#include "worker.h"

/* A wait below SPIN_NS is too short for the system call of a sleep. */
#define SPIN_NS             5000
#define WAKE_LATENCY_MAX_NS 200000
/* The shortest sleeps of rate_wait=auto and rate_wait=coarse. */
#define NAP_NS        25000
#define NAP_COARSE_NS 200000

static inline void cpu_relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t wait_limit(const struct phase_clock *k, uint64_t until)
{
	uint64_t event = k->event_ns ? k->event_ns : UINT64_MAX; /* 0: every batch checks, at no set time */

	return earlier(until, earlier(k->deadline_ns, event));
}

/* Returns how long to sleep before a wait until `until` spins; 0: it only spins. */
static uint64_t sleep_ns(const struct phase_clock *k, uint64_t until)
{
	uint64_t now = clock_ns(), spin = k->wake_latency_ns + SPIN_NS;

	return until > now + spin ? until - now - spin : 0;
}

void wait_spin(struct phase_clock *k, const struct clone *c, uint64_t until)
{
	uint64_t now;

	clock_skip(until);
	while ((now = clock_ns()) < until && !clone_interrupted(c))
		cpu_relax();
	k->now_ns = now;
}

/* Sleeps until `until`, and updates the moving estimate of the wake-up latency. */
static void sleep_until(struct phase_clock *k, const struct clone *c, uint64_t until)
{
	uint64_t now;

	futex_wait_until(&c->slot->stop, 0, until);
	now = clock_ns();
	if (!clone_interrupted(c) && now > until)
		k->wake_latency_ns += ((int64_t)(now - until) - (int64_t)k->wake_latency_ns) / 8;
	if (k->wake_latency_ns > WAKE_LATENCY_MAX_NS)
		k->wake_latency_ns = WAKE_LATENCY_MAX_NS;
}

void wait_until(struct phase_clock *k, const struct clone *c, uint64_t until)
{
	if (sleep_ns(k, until) && !clock_skip(until))
		sleep_until(k, c, until - k->wake_latency_ns - SPIN_NS);
	wait_spin(k, c, until);
}

/* Returns the shortest sleep of a wait for a rate; 0: the worker waits until the exact time. */
static uint64_t nap_ns(const struct worker *w)
{
	uint64_t gap = w->sched.gap_ns;

	if (!gap)
		return 0;
	switch ((enum pace_wait)w->clone.opts->pace.wait) {
	case PACE_COARSE:
		return NAP_COARSE_NS;
	case PACE_AUTO:
		return gap < 2 * (w->clock.wake_latency_ns + SPIN_NS) ? NAP_NS : 0;
	case PACE_EXACT:
		break;
	}
	return 0;
}

/* Returns the end of a nap: when the next I/O is due, but not before the nap has its shortest length. */
static uint64_t nap_end(const struct phase_clock *k, uint64_t due, uint64_t nap)
{
	uint64_t shortest = clock_ns() + nap;

	return wait_limit(k, due > shortest ? due : shortest);
}

void wait_due(struct worker *w)
{
	struct phase_clock *k = &w->clock;
	uint64_t nap = nap_ns(w), until;

	if (!nap) {
		wait_until(k, &w->clone, wait_limit(k, w->sched.due_ns));
		return;
	}
	until = nap_end(k, w->sched.due_ns, nap);
	w->stats.cnt->rate_sleeps++;
	if (!clock_skip(until))
		sleep_until(k, &w->clone, until);
	k->now_ns = clock_ns();
}

/* The worker polls during a short wait: a timer is less precise. */
uint64_t wait_due_timeout(struct worker *w)
{
	struct phase_clock *k = &w->clock;
	uint64_t nap = nap_ns(w), until, now;

	if (!nap)
		return sleep_ns(k, wait_limit(k, w->sched.due_ns));
	until = nap_end(k, w->sched.due_ns, nap);
	now = clock_ns();
	w->stats.cnt->rate_sleeps++;
	return until > now ? until - now : 0;
}
