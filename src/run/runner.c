/* runner.c: the parent. Forks every worker of every wave before anything else, waits for events (a worker is
 * ready or done, a child is gone, a signal, a tick), and never does I/O. What starts and ends when: waves.c.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "child.h"
#include "clock.h"
#include "thread_host.h"
#include "live_copies.h"
#include "lost_workers.h"
#include "fifo_events.h"
#include "write_pool.h"
#include "run.h"
#include "ticker.h"
#include "trigger.h"
#include "waves.h"
#include "worker_main.h"

/* How long the dead take to be gone after a second signal. */
#define KILL_GRACE_NS  400000000u
#define SAME_SIGNAL_NS 20000000u
#define PATIENCE_NS    400000000u

extern void __gcov_dump(void) __attribute__((weak));
extern void __lsan_do_leak_check(void) __attribute__((weak));

/* The one way out of a child: what exit() would do for coverage and leak checks, without its handlers. */
static void __attribute__((noreturn)) child_exit(void)
{
	if (__gcov_dump)
		__gcov_dump();
	if (__lsan_do_leak_check)
		__lsan_do_leak_check();
	_exit(0);
}

static void child_signals(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGTSTP };
	sigset_t none;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGTSTP, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int fork_child(struct run *r, int64_t job)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid < 0 ? -errno : pid;
	child_tie(parent);
	child_signals();
	if (job < 0)
		thread_host_main(r);
	else
		worker_main(&r->region, r->plan, (uint32_t)job, false);
	child_exit();
}

int run_helper(void (*body)(void *arg), void *arg)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid < 0 ? -errno : pid;
	child_tie(parent);
	child_signals();
	body(arg);
	child_exit();
}

static bool is_thread(const struct run *r, uint32_t i)
{
	return r->plan->jobs[i].job->opts.group.thread;
}

static int by_pid(const void *a, const void *b)
{
	const struct run_child *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* To find the job of one that has ended. */
static void list_children(struct run *r)
{
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		r->nborn += r->pids[i] > 0;
		if (!is_thread(r, i) && r->pids[i] > 0)
			r->child[r->nchildren++] = (struct run_child){ r->pids[i], i };
	}
	qsort(r->child, r->nchildren, sizeof(*r->child), by_pid);
}

static void fork_all(struct run *r)
{
	bool host = false;

	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		if (is_thread(r, i)) {
			host = true;
			continue;
		}
		r->pids[i] = fork_child(r, i);
		if (r->pids[i] < 0)
			lost_worker_unstarted(r, i, "fork", -r->pids[i]);
	}
	if (!host)
		return;
	r->host_pid = fork_child(r, -1);
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		if (!is_thread(r, i))
			continue;
		r->pids[i] = r->host_pid;
		if (r->host_pid < 0)
			lost_worker_unstarted(r, i, "fork", -r->host_pid);
	}
}

/* What a worker that is gone was running. */
static void kill_command(struct run *r, uint32_t i)
{
	pid_t group = atomic_load_explicit(&run_slot(r, i)->command, memory_order_acquire);

	if (group > 0)
		kill(-group, SIGKILL);
}

static void kill_all(struct run *r)
{
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		if (r->pids[i] > 0 && !r->job[i].reaped)
			kill(r->pids[i], SIGKILL);
	}
}

static void job_gone(struct run *r, uint32_t i, int status, const struct rusage *u)
{
	struct run_job *j = &r->job[i];

	j->reaped = true;
	r->nreaped++;
	j->term_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	j->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	j->end_ns = clock_ns();
	if (run_phase(r, i) == PHASE_DONE) {
		if (j->term_signal)
			region_news(&r->region, NEWS_URGENT); /* it may have had no time to */
		j->term_signal = 0;
		return;
	}
	kill_command(r, i);
	lost_worker_ended(r, i, u);
}

static void child_gone(struct run *r, pid_t pid, int status, const struct rusage *u)
{
	const struct run_child key = { .pid = pid };
	const struct run_child *c = bsearch(&key, r->child, r->nchildren, sizeof(key), by_pid);

	if (c)
		job_gone(r, c->job, status, u);
	for (uint32_t i = 0; pid == r->host_pid && i < r->plan->njobs; i++)
		if (is_thread(r, i))
			job_gone(r, i, status, u);
}

static void reap_children(struct run *r)
{
	struct rusage u;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &u)) > 0) {
		if (!trigger_gone(r, pid, status))
			child_gone(r, pid, status, &u);
	}
}

/* The first one ends the run, the second one the waiting for it. timeout(1) and some shells send the same
   signal twice at once: then the workers have a moment to end by themselves. */
static void another_signal(struct run *r, int sig)
{
	uint64_t now = clock_ns();

	if (!r->signals) {
		r->signals = 1;
		r->signal = sig;
		r->signal_ns = now;
		waves_stop(r);
	} else if (!r->impatient_ns) {
		r->impatient_ns = now - r->signal_ns < SAME_SIGNAL_NS ? r->signal_ns + PATIENCE_NS : now;
	}
}

/* True if the tick should not wait for its time. */
static bool take_signals(struct run *r, int fd)
{
	struct signalfd_siginfo si;
	bool look = false;

	while (read(fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		if (si.ssi_signo == SIGCHLD)
			reap_children(r);
		else if (si.ssi_signo == SIGUSR1)
			r->poked = look = true;
		else if (si.ssi_signo == SIGWINCH)
			look = true;
		else
			another_signal(r, (int)si.ssi_signo);
	}
	return look;
}

struct events {
	int signals, timer;
	sigset_t old;
	uint64_t drain_ns, next_drain_ns;
};

void run_ending_signals(sigset_t *set)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };
	struct sigaction sa;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (!sigaction(signals[i], NULL, &sa) && sa.sa_handler != SIG_IGN)
			sigaddset(set, signals[i]);
	}
}

static uint64_t tick_ns(const struct run_hooks *h, uint64_t trigger_ns, uint64_t drain_ns)
{
	uint64_t every = h->tick && h->tick_ns && h->tick_ns < drain_ns ? h->tick_ns : drain_ns;

	return trigger_ns && trigger_ns < every ? trigger_ns : every;
}

static int events_init(struct events *e, uint64_t every, struct diag *d)
{
	struct timespec ts = { (time_t)(every / 1000000000u), (long)(every % 1000000000u) };
	struct itimerspec its = { ts, ts };
	sigset_t set;

	run_ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, &e->old);
	e->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	e->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (e->signals < 0 || e->timer < 0 || timerfd_settime(e->timer, 0, &its, NULL))
		return diag_kind(d, DIAG_RUN, -errno, "cannot watch for signals: %s%s", diag_errno(errno),
				 diag_hint(errno));
	return 0;
}

static void events_fini(struct events *e)
{
	if (e->signals >= 0)
		close(e->signals);
	if (e->timer >= 0)
		close(e->timer);
	sigprocmask(SIG_SETMASK, &e->old, NULL);
}

/* What is to be done at every tick of the timer. */
static void on_timer(struct run *r, struct events *e)
{
	uint64_t now = clock_ns();

	if (now >= e->next_drain_ns) {
		ticker_drain(r->ticker, r);
		e->next_drain_ns = now + e->drain_ns / 2;
	}
	if (trigger_every_ns(r->plan) && !r->end_ns && !r->over && !r->signals && trigger_fires(r))
		run_stop(r);
}

/* Until when the parent may sleep. */
static int poll_ms(const struct run *r, int timeout_ms)
{
	uint64_t until = r->impatient_ns ? r->impatient_ns : r->hooks->due_ns, now = clock_ns(), ms;

	if (!until)
		return timeout_ms;
	ms = until > now ? (until - now) / 1000000 + 1 : 0;
	return timeout_ms >= 0 && ms > (uint64_t)timeout_ms ? timeout_ms : ms > INT_MAX ? INT_MAX : (int)ms;
}

#define OWN_FDS 3

/* Waits for news, at most until the next tick. */
static void wait_events(struct run *r, struct events *e, int timeout_ms)
{
	struct pollfd few[OWN_FDS], *p = few;
	nfds_t n = OWN_FDS;
	bool tick = false;
	uint64_t count;

	if (r->region.events)
		p = fifo_events_polls(r->region.events, OWN_FDS, &n);
	p[0] = (struct pollfd){ e->signals, POLLIN, 0 };
	p[1] = (struct pollfd){ r->region.event_fd, POLLIN, 0 };
	p[2] = (struct pollfd){ e->timer, POLLIN, 0 };
	if (poll(p, n, poll_ms(r, timeout_ms)) < 0)
		return;
	if (n > OWN_FDS && fifo_events_look(r->region.events, OWN_FDS) && !r->end_ns && !r->over &&
	    !r->signals)
		run_stop(r);
	if (r->impatient_ns && clock_ns() >= r->impatient_ns)
		r->signals = 2;
	if (p[0].revents)
		tick = take_signals(r, e->signals);
	if (p[1].revents && read(r->region.event_fd, &count, sizeof(count)) < 0)
		return;
	if (p[2].revents && read(e->timer, &count, sizeof(count)) > 0) {
		on_timer(r, e);
		tick = true;
	}
	tick |= r->hooks->due_ns && clock_ns() >= r->hooks->due_ns;
	if (tick && r->hooks->tick)
		r->hooks->tick(r->hooks->ctx, r);
}

static bool gone(const struct run *r)
{
	return r->nreaped == r->nborn;
}

/* All waves are over, or no longer waited for: the children end now. */
static void collect(struct run *r, struct events *e)
{
	uint64_t limit = clock_ns() + KILL_GRACE_NS;
	bool killed = r->signals > 1;

	if (killed)
		kill_all(r);
	reap_children(r);
	while (!gone(r)) {
		if (clock_ns() >= limit) {
			if (killed)
				break;
			kill_all(r); /* done, but hanging on its way out; no signal has come for it */
			killed = true;
			limit = clock_ns() + KILL_GRACE_NS;
		}
		wait_events(r, e, 20);
	}
	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		if (run_phase(r, i) != PHASE_DONE)
			lost_worker_hangs(r, i);
	}
}

static void run_waves(struct run *r, struct events *e)
{
	for (r->wave = 0; r->wave < r->plan->nwaves && !r->signals && !r->over; r->wave++) {
		if (r->wave > 0)
			waves_begin(r);
		while (!waves_step(r) && !r->signals && !r->over)
			wait_events(r, e, -1);
	}
	/* Interrupted, or ended by a job: the workers of this and later waves end by themselves. */
	for (uint32_t w = 0; w < r->plan->nwaves; w++) {
		while (!waves_ended(r, w) && r->signals < 2)
			wait_events(r, e, -1);
	}
}

static void raise_limits(void)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl) == 0 && rl.rlim_cur < rl.rlim_max) {
		rl.rlim_cur = rl.rlim_max;
		setrlimit(RLIMIT_NOFILE, &rl);
	}
}

int run_plan(struct run *r, const struct plan *p, const struct run_hooks *hooks, struct diag *d)
{
	struct events e = { .signals = -1, .timer = -1, .drain_ns = ticker_every_ns(p) };
	struct oom_score offer;
	int ret;

	r->plan = p;
	r->hooks = hooks;
	r->job = calloc(p->njobs + 1, sizeof(*r->job));
	r->pids = calloc(p->njobs + 1, sizeof(*r->pids));
	r->child = calloc(p->njobs + 1, sizeof(*r->child));
	r->ticker = ticker_new(p);
	r->live = live_copies_new(p);
	if (!r->job || !r->pids || !r->child || !r->ticker || !r->live || !waves_init(r))
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for %u jobs", p->njobs);
	ret = region_init(&r->region, p, d);
	if (ret)
		return ret;
	raise_limits();
	ret = write_pools_make(&r->region.pools, p, d);
	if (ret)
		return ret;
	ret = fifo_events_open(&r->region.events, p, d);
	ret = ret ? ret : cgroups_make(&r->cgroups, p, d);
	ret = ret ? ret : events_init(&e, tick_ns(hooks, trigger_every_ns(p), e.drain_ns), d);
	if (ret == 0) {
		r->oom_kills = lost_oom_kills();
		r->start_ns = clock_ns();
		waves_begin(r); /* so that its workers need not sleep twice */
		oom_score_raise(&offer);
		fork_all(r);
		oom_score_restore(&offer);
		list_children(r);
		if (hooks->forked)
			hooks->forked(hooks->ctx, r);
		run_waves(r, &e);
		r->end_ns = clock_ns();
		collect(r, &e);
		while (r->trigger.pid && !r->signals)
			wait_events(r, &e, -1);
		trigger_kill(r);
		ticker_finish(r->ticker, r);
	}
	cgroups_remove(&r->cgroups, &r->region);
	events_fini(&e);
	return ret;
}

void run_fini(struct run *r)
{
	ticker_free(r->ticker);
	live_copies_free(r->live);
	fifo_events_close(r->region.events);
	write_pools_free(r->region.pools, r->plan);
	region_fini(&r->region);
	free(r->job);
	free(r->pids);
	free(r->child);
	waves_fini(r);
}

void run_live_begin(struct run *r)
{
	ticker_drain(r->ticker, r);
	live_copies_begin(r->live, r);
	r->live_on = true;
}

void run_live_end(struct run *r)
{
	live_copies_end(r->live, r);
	r->live_on = false;
}

/* A worker that is still at work, or was killed, has not said how long it ran. */
static void unfinished_runtime(const struct plan_job *pj, const struct live_times *t, uint64_t end,
			       struct snapshot *snap)
{
	uint64_t ran = end > t->start_ns ? end - t->start_ns : 0;

	snap->cnt.job_runtime_ns = ran;
	for (int d = 0; d < DIR_COUNT; d++)
		snap->cnt.runtime_ns[d] = pj->rw & 1u << d ? ran : 0;
}

/* At the end nobody writes the slot any more. */
static void copy_slot(const struct run *r, uint32_t job, struct snapshot *snap, struct live_times *t)
{
	struct slot *s = run_slot(r, job);

	*t = (struct live_times){ s->run_start_ns, s->run_end_ns, r->end_ns };
	if (!s->run_start_ns)
		return; /* what a ramp did is not told */
	wstat_merge(snap->st, slot_stat(s), &r->plan->jobs[job].layout);
	tracks_extremes(slot_tracks(s, &r->plan->jobs[job]), snap->st->dir);
	wcount_merge(&snap->cnt, &s->cnt);
}

static uint64_t data_ios(const struct snapshot *snap)
{
	uint64_t n = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		n += snap->st->dir[d].ios;
	return n;
}

int run_snapshot(const struct run *r, uint32_t job, struct snapshot *snap)
{
	const struct plan_job *pj = &r->plan->jobs[job];
	struct live_times t;
	int ret = snap_init(snap, &pj->layout);

	if (ret)
		return ret;
	if (r->live_on)
		live_copies_take(r->live, r, job, snap, &t);
	else
		copy_slot(r, job, snap, &t);
	if (t.start_ns && !t.end_ns)
		unfinished_runtime(pj, &t, r->job[job].end_ns ? r->job[job].end_ns : t.stamp_ns, snap);
	if (t.end_ns || snap->cnt.user_us + snap->cnt.sys_us)
		snap->cnt.cpu_ios = data_ios(snap);
	snap->members = 1;
	memcpy(snap->bw, ticker_job(r->ticker, TRACK_BW, job), sizeof(snap->bw));
	memcpy(snap->iops, ticker_job(r->ticker, TRACK_IOPS, job), sizeof(snap->iops));
	return 0;
}

void run_report_samples(const struct run *r, uint32_t report, struct samples bw[SAMPLE_ROWS],
			struct samples iops[SAMPLE_ROWS])
{
	memcpy(bw, ticker_report(r->ticker, TRACK_BW, report), SAMPLE_ROWS * sizeof(*bw));
	memcpy(iops, ticker_report(r->ticker, TRACK_IOPS, report), SAMPLE_ROWS * sizeof(*iops));
}

struct series *run_series(const struct run *r)
{
	return ticker_series(r->ticker);
}

const char *run_stopped_by(const struct run *r)
{
	return fifo_events_stopped_by(r->region.events);
}
