/* advance.c: whether the workers of a run get on with their work. */
#include "run.h"

#include <time.h>
#include "engine.h"

/* Returns the CPU time of a process; 0 if it is gone. */
static uint64_t cpu_ns(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (pid <= 0 || clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static bool works_without_ios(const struct run *r, uint32_t job, enum worker_phase phase)
{
	if (phase >= PHASE_RAMP && phase <= PHASE_VERIFY)
		return r->plan->jobs[job].job->engine->caps & ENG_NOIO;
	return phase == PHASE_SETUP || phase == PHASE_PRE_READ || phase == PHASE_SYNC;
}

/* Counts may fall, when a ramp ends, so a plain sum could return to an earlier value. */
static uint64_t mix(uint64_t number, uint64_t value)
{
	return (number ^ value) * 0x9e3779b97f4a7c15u;
}

uint64_t run_advance(const struct run *r)
{
	uint64_t number = 0;

	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		const struct slot *s = run_slot(r, i);
		enum worker_phase phase = run_phase(r, i);

		number = mix(number, phase);
		number = mix(number, slot_live_ios(s));
		if (works_without_ios(r, i, phase))
			number = mix(number, cpu_ns(r->processes.pid[i]));
	}
	return number;
}
