#include "processes.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include "run.h"
#include "region.h"

void lost_workers_not_started(const struct run *r, uint32_t i, const char *action, int err)
{
	const char *hint = "";

	if (err == EAGAIN)
		hint = " (limits on processes: ulimit -u, and pids.max of the control group)";
	else if (err == ENOMEM)
		hint = " (limits on memory: ulimit -v, and those of the control group)";
	slot_lost_worker(&r->region, i, err, "cannot %s: %s%s", action, diag_errno(err), hint);
}

static bool waits_for_log(const struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];

	struct slot *s = run_slot(r, i);

	return pj->logs && ((pj->logs->entries &&
			     atomic_load_explicit(&slot_log(s, pj)->waiting, memory_order_relaxed)) ||
			    (pj->logs->iolog_entries &&
			     atomic_load_explicit(&slot_iolog(s, pj)->waiting, memory_order_relaxed)));
}

/* Returns the activity of the worker, unless it was doing I/O. */
static const char *activity(const struct run *r, uint32_t i)
{
	uint32_t command = atomic_load_explicit(&run_slot(r, i)->user_command, memory_order_relaxed);

	if (waits_for_log(r, i))
		return "; it was waiting for its log to be written";
	if (command != COMMAND_NONE)
		return command == COMMAND_PRERUN ? "; its exec_prerun was running"
						 : "; its exec_postrun was running";
	switch (run_phase(r, i)) {
	case PHASE_SETUP:
		return "; it was opening or laying out files";
	case PHASE_PRE_READ:
		return "; it was reading its files beforehand";
	case PHASE_VERIFY:
		return "; it was verifying what it had written";
	case PHASE_SYNC:
		return "; it was at its last fsync or close";
	case PHASE_CREATED:
	case PHASE_WAIT:
	case PHASE_READY:
	case PHASE_DELAY:
	case PHASE_RAMP:
	case PHASE_RUN:
	case PHASE_COOL:
	case PHASE_DONE:
		break;
	}
	return "";
}

static bool out_of_cpu_time(const struct rusage *u)
{
	struct rlimit rl;

	return getrlimit(RLIMIT_CPU, &rl) == 0 && rl.rlim_cur != RLIM_INFINITY &&
	       (rlim_t)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + 1 >= rl.rlim_cur;
}

static const char *cause(const struct run *r, int sig, const struct rusage *u)
{
	switch (sig) {
	case SIGKILL:
		if (out_of_cpu_time(u))
			return " for its CPU time (ulimit -t)";
		if (oom_kills() > r->oom_kills)
			return " by the kernel for lack of memory (a control group's limit, or the "
			       "machine's)";
		return "";
	case SIGXCPU:
		return " for its CPU time (ulimit -t)";
	case SIGSEGV:
	case SIGABRT:
	case SIGILL:
	case SIGFPE:
	case SIGSYS:
		return ", which is a bug: please report it";
	case SIGBUS:
		return " (a file or memory that it had mapped went away)";
	default:
		return "";
	}
}

/* wait4() reports the resources of the whole process, so threads of a host get none. */
static void take_usage(const struct run *r, uint32_t i, const struct rusage *u)
{
	struct slot *s = run_slot(r, i);

	if (s->run_start_ns && !s->run_end_ns && !r->plan->jobs[i].job->opts.group.thread)
		usage_since(&s->cnt, &s->usage, u);
}

void lost_workers_ended(const struct run *r, uint32_t i, const struct rusage *u)
{
	const struct run_job *j = &r->job[i];
	const char *doing = activity(r, i), *name = sigabbrev_np(j->term_signal);

	take_usage(r, i, u);
	if (j->term_signal == SIGKILL && r->signals.count > 1)
		slot_lost_worker(&r->region, i, 0,
				 "did not end when asked to, and was killed%s; the report includes its I/Os "
				 "up to then",
				 doing);
	else if (j->term_signal)
		slot_lost_worker(&r->region, i, ECHILD,
				 "killed by signal %d (SIG%s)%s%s; the report includes its I/Os up to then",
				 j->term_signal, name ? name : "?", cause(r, j->term_signal, u), doing);
	else
		slot_lost_worker(&r->region, i, EIO, "ended unexpectedly with code %d%s", j->exit_code,
				 doing);
}

void lost_workers_hang(const struct run *r, uint32_t i)
{
	slot_lost_worker(&r->region, i, r->signals.first ? 0 : EIO,
			 "did not end (process %d hangs in the kernel)%s", r->processes.pid[i],
			 activity(r, i));
}
