#include "events.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include "clock.h"
#include "ending_signals.h"
#include "fifo_events.h"
#include "run.h"
#include "ticker.h"

#define SAME_SIGNAL_NS   20000000u  /* two signals within this time count as one request */
#define SECOND_SIGNAL_NS 400000000u /* time for workers to end after such a pair */

/* After the first signal the workers end; after the second one the parent no longer waits for them.
   timeout(1) and some shells send the same signal twice at once; then the workers get a moment to end by
   themselves. */
static void count_signal(struct run *r, int sig)
{
	struct run_signals *s = &r->signals;
	uint64_t now = clock_ns();

	if (!s->count) {
		s->count = 1;
		s->first = sig;
		s->first_ns = now;
		waves_stop_workers(r);
	} else if (!s->deadline_ns) {
		s->deadline_ns = now - s->first_ns < SAME_SIGNAL_NS ? s->first_ns + SECOND_SIGNAL_NS : now;
	}
}

/* Returns true if one of the signals makes a call of the hook `tick` necessary. */
static bool read_signals(struct run *r, int fd)
{
	struct signalfd_siginfo si;
	bool tick = false;

	while (read(fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		if (si.ssi_signo == SIGCHLD)
			processes_reap(r);
		else if (si.ssi_signo == SIGUSR1)
			r->status_requested = tick = true;
		else if (si.ssi_signo == SIGWINCH)
			tick = true;
		else
			count_signal(r, (int)si.ssi_signo);
	}
	return tick;
}

/* The timer serves the ticker, the hook `tick` and the trigger. */
static uint64_t timer_ns(const struct run *r, uint64_t drain_ns)
{
	const struct run_hooks *h = r->hooks;
	uint64_t every = h->tick && h->tick_ns && h->tick_ns < drain_ns ? h->tick_ns : drain_ns;
	uint64_t trigger_ns = trigger_every_ns(&r->plan->set->run.trigger);

	return trigger_ns && trigger_ns < every ? trigger_ns : every;
}

int events_init(struct events *e, const struct run *r, struct diag *d)
{
	uint64_t drain_ns = ticker_every_ns(r->plan), every = timer_ns(r, drain_ns);
	struct timespec ts = { (time_t)(every / 1000000000u), (long)(every % 1000000000u) };
	struct itimerspec its = { ts, ts };
	sigset_t set;

	*e = (struct events){ .drain_ns = drain_ns };
	ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, &e->old_mask);
	e->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	e->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (e->signal_fd < 0 || e->timer_fd < 0 || timerfd_settime(e->timer_fd, 0, &its, NULL))
		return diag_kind(d, DIAG_RUN, -errno, "cannot watch for signals: %s%s", diag_errno(errno),
				 diag_hint(errno));
	return 0;
}

void events_fini(struct events *e)
{
	if (e->signal_fd >= 0)
		close(e->signal_fd);
	if (e->timer_fd >= 0)
		close(e->timer_fd);
	sigprocmask(SIG_SETMASK, &e->old_mask, NULL);
}

static bool is_running(const struct run *r)
{
	return !r->end_ns && !r->ended_early && !r->signals.count;
}

/* Ends the runtime of the jobs that have become steady. */
static void end_steady_jobs(struct run *r)
{
	const uint32_t *member;
	uint32_t report, n;

	while (ticker_next_steady(r->ticker, &report)) {
		n = plan_members(r->plan, report, &member);
		for (uint32_t i = 0; i < n; i++)
			waves_end_runtime(r, member[i]);
	}
}

static void on_timer(struct run *r, struct events *e)
{
	const struct trigger_cfg *trigger = &r->plan->set->run.trigger;
	uint64_t now = clock_ns();

	if (now >= e->next_drain_ns) {
		ticker_drain(r->ticker, r);
		end_steady_jobs(r);
		e->next_drain_ns = now + e->drain_ns / 2;
	}
	if (trigger_every_ns(trigger) && is_running(r) && trigger_fires(&r->trigger, trigger, r->start_ns))
		waves_end_run(r);
}

static int earlier_ms(int timeout_ms, uint64_t ms)
{
	if (timeout_ms >= 0 && ms > (uint64_t)timeout_ms)
		return timeout_ms;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

static int poll_ms(const struct run *r, int timeout_ms)
{
	uint64_t until = r->signals.deadline_ns ? r->signals.deadline_ns : r->hooks->due_ns, now;

	if (r->waves.at_gate && is_running(r))
		timeout_ms = earlier_ms(timeout_ms, (r->hooks->gate_poll_ns + 999999) / 1000000);
	if (!until)
		return timeout_ms;
	now = clock_ns();
	return earlier_ms(timeout_ms, until > now ? (until - now) / 1000000 + 1 : 0);
}

#define PARENT_FDS 3

void events_wait(struct events *e, struct run *r, int timeout_ms)
{
	struct pollfd fds[PARENT_FDS], *p = fds;
	nfds_t n = PARENT_FDS;
	bool tick = false;
	uint64_t count;

	if (r->region.events)
		p = fifo_events_polls(r->region.events, PARENT_FDS, &n);
	p[0] = (struct pollfd){ e->signal_fd, POLLIN, 0 };
	p[1] = (struct pollfd){ r->region.event_fd, POLLIN, 0 };
	p[2] = (struct pollfd){ e->timer_fd, POLLIN, 0 };
	if (poll(p, n, poll_ms(r, timeout_ms)) < 0)
		return;
	if (n > PARENT_FDS && fifo_events_check(r->region.events, PARENT_FDS) && is_running(r))
		waves_end_run(r);
	if (r->signals.deadline_ns && clock_ns() >= r->signals.deadline_ns)
		r->signals.count = 2;
	if (p[0].revents)
		tick = read_signals(r, e->signal_fd);
	if (p[1].revents && read(r->region.event_fd, &count, sizeof(count)) < 0)
		return;
	if (p[2].revents && read(e->timer_fd, &count, sizeof(count)) > 0) {
		on_timer(r, e);
		tick = true;
	}
	tick |= r->hooks->due_ns && clock_ns() >= r->hooks->due_ns;
	if (tick && r->hooks->tick)
		r->hooks->tick(r->hooks->ctx, r);
}
