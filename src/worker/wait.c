/* wait.c: a worker sleeps for most of a wait, and spins for the rest. */
#include "clock.h"
#include "clone.h"
#include "wait.h"
#include "worker.h"

/* A wait below SPIN_NS is too short for the system call of a sleep. */
#define SPIN_NS     5000
#define LATE_MAX_NS 200000
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

uint64_t wait_limit(const struct worker *w, uint64_t until)
{
	uint64_t event = w->clock.event_ns ? w->clock.event_ns
					   : UINT64_MAX; /* 0: every batch checks, at no set time */

	return earlier(until, earlier(w->clock.deadline_ns, event));
}

static uint64_t timeout_of(const struct worker *w, uint64_t until)
{
	uint64_t now = clock_ns();

	return until > now + w->clock.wake_late_ns + SPIN_NS ? until - now - w->clock.wake_late_ns - SPIN_NS
							     : 0;
}

void wait_spin(struct worker *w, uint64_t until)
{
	uint64_t now;

	clock_skip(until);
	while ((now = clock_ns()) < until && !clone_interrupted(&w->clone))
		cpu_relax();
	w->clock.now_ns = now;
}

/* Updates the moving estimate of the wake-up latency after a sleep. */
static void woken(struct worker *w, uint64_t target)
{
	uint64_t woke = clock_ns();

	if (!clone_interrupted(&w->clone) && woke > target)
		w->clock.wake_late_ns += ((int64_t)(woke - target) - (int64_t)w->clock.wake_late_ns) / 8;
	if (w->clock.wake_late_ns > LATE_MAX_NS)
		w->clock.wake_late_ns = LATE_MAX_NS;
}

void wait_until(struct worker *w, uint64_t until)
{
	uint64_t target;

	if (timeout_of(w, until) && !clock_skip(until)) {
		target = until - w->clock.wake_late_ns - SPIN_NS;
		futex_wait_until(&w->clone.slot->stop, 0, target);
		woken(w, target);
	}
	wait_spin(w, until);
}

/* Returns the shortest sleep of a wait for a rate; 0: the worker waits until the exact time. */
static uint64_t nap_ns(const struct worker *w)
{
	switch ((enum pace_wait)w->clone.opts->pace.wait) {
	case PACE_COARSE:
		return NAP_COARSE_NS;
	case PACE_AUTO:
		return w->sched.gap_ns < 2 * (w->clock.wake_late_ns + SPIN_NS) ? NAP_NS : 0;
	case PACE_EXACT:
		break;
	}
	return 0;
}

static uint64_t nap_until(const struct worker *w, uint64_t nap)
{
	uint64_t least = clock_ns() + nap;

	return wait_limit(w, w->sched.due_ns > least ? w->sched.due_ns : least);
}

void wait_due(struct worker *w)
{
	uint64_t nap = w->sched.gap_ns ? nap_ns(w) : 0, until;

	if (!nap) {
		wait_until(w, wait_limit(w, w->sched.due_ns));
		return;
	}
	until = nap_until(w, nap);
	w->stats.cnt->rate_sleeps++;
	if (!clock_skip(until)) {
		futex_wait_until(&w->clone.slot->stop, 0, until);
		woken(w, until);
	}
	w->clock.now_ns = clock_ns();
}

/* The worker polls during a short wait: a timer is less precise. */
uint64_t wait_due_timeout(struct worker *w)
{
	uint64_t nap = w->sched.gap_ns ? nap_ns(w) : 0, until, now;

	if (!nap)
		return timeout_of(w, wait_limit(w, w->sched.due_ns));
	until = nap_until(w, nap);
	now = clock_ns();
	w->stats.cnt->rate_sleeps++;
	return until > now ? until - now : 0;
}
