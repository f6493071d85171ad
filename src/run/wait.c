/* wait.c: how a worker waits: it sleeps, and spins for the rest. */
#include "clock.h"
#include "worker.h"

/* Below this a sleep is not worth its system call. */
#define SPIN_NS     5000
#define LATE_MAX_NS 200000

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

uint64_t wait_look(const struct worker *w, uint64_t until)
{
	uint64_t event = w->event_ns ? w->event_ns : UINT64_MAX; /* 0: with every batch, not at a time */

	return earlier(until, earlier(w->deadline_ns, event));
}

uint64_t wait_timeout(const struct worker *w, uint64_t until)
{
	uint64_t now = clock_ns();

	return until > now + w->late_ns + SPIN_NS ? until - now - w->late_ns - SPIN_NS : 0;
}

void wait_spin(struct worker *w, uint64_t until)
{
	uint64_t now;

	clock_skip(until);
	while ((now = clock_ns()) < until && !worker_called(w))
		cpu_relax();
	w->now_ns = now;
}

void wait_until(struct worker *w, uint64_t until)
{
	uint64_t sleep = wait_timeout(w, until), target, woke;

	if (sleep && !clock_skip(until)) {
		target = until - w->late_ns - SPIN_NS;
		futex_wait_until(&w->slot->stop, 0, target);
		woke = clock_ns();
		if (!worker_called(w) && woke > target)
			w->late_ns += ((int64_t)(woke - target) - (int64_t)w->late_ns) / 8;
		if (w->late_ns > LATE_MAX_NS)
			w->late_ns = LATE_MAX_NS;
	}
	wait_spin(w, until);
}
