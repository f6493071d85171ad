/* schedule_end.c: the schedule ends: I/Os that were due and are not complete, and the shared rate that the
 * worker leaves. */
#include "account.h"
#include "io_queue.h"
#include "schedule.h"
#include "worker.h"

/* Leaves the shared rate. Returns true for the last member, which counts the I/Os that no member issued; also
   true without a shared rate. */
static bool leave_shared(struct schedule *s, const struct clone *c)
{
	struct region_rate *r;

	if (!c->job->share || s->left_shared)
		return !c->job->share;
	s->left_shared = true;
	r = region_rate(c->region, c->job->share, false);
	return atomic_fetch_add(&r->nended, 1) + 1 == c->plan->shares[c->job->share - 1].members;
}

void schedule_leave(struct scheduler *s, const struct clone *c)
{
	leave_shared(s->current, c);
}

/* I/Os of one direction that were due and are not complete, when the measurement ends at `end_ns`. */
struct unfinished {
	struct worker *w;
	const struct schedule *s;
	unsigned dir;
	uint64_t end_ns;
	uint64_t count, oldest_ns; /* their number, and the age of the oldest */
	double sum_ns;             /* of their ages */
};

static void add_unfinished(struct unfinished *u, uint64_t due_ns, uint64_t n)
{
	uint64_t age = u->end_ns - due_ns;

	wstat_add_unfinished(u->w->stats.st, &u->w->clone.job->layout, u->dir, age, n);
	if (u->w->observers.steps)
		step_account_unfinished(u->w, u->dir, schedule_since_start(u->s, due_ns), age, n);
	if (age > u->oldest_ns)
		u->oldest_ns = age;
	u->count += n;
	u->sum_ns += (double)age * (double)n;
}

/* A pacer_visit. */
static void add_overdue(void *ctx, uint64_t due_ns, uint64_t n)
{
	struct unfinished *u = ctx;

	add_unfinished(u, u->s->start_ns + due_ns + u->s->think_lag_ns[u->dir], n);
}

static uint64_t capped(double ns)
{
	return ns < 0x1p64 ? (uint64_t)ns : UINT64_MAX;
}

static void count_unissued(const struct unfinished *u)
{
	struct wcount *cnt = u->w->stats.cnt;
	unsigned d = u->dir;

	cnt->unissued[d] += u->count;
	if (u->oldest_ns > cnt->unissued_age_ns[d])
		cnt->unissued_age_ns[d] = u->oldest_ns;
	cnt->unissued_sum_ns[d] = capped((double)cnt->unissued_sum_ns[d] + u->sum_ns);
}

static void count_asked(struct wcount *cnt, const struct schedule *s, unsigned d, uint64_t n)
{
	cnt->asked[d] += n;
	if (s->opts->pace.open)
		cnt->arrivals[d] += n;
}

/* The schedule ends at end_ns, or after the last I/O of a job that has issued all of them: the next one would
   have been due then. */
static void count_asked_time(struct wcount *cnt, struct schedule *s, unsigned d, uint64_t end_ns,
			     bool exhausted)
{
	const struct pacer *p = &s->pace[schedule_pacer_dir(s, d)];
	uint64_t ns = schedule_since_start(s, end_ns), lag = s->think_lag_ns[schedule_pacer_dir(s, d)];

	ns = ns > lag ? ns - lag : 0;
	if (exhausted && !p->shared && p->due_ns < ns)
		ns = p->due_ns;
	if (ns > cnt->asked_ns[d])
		cnt->asked_ns[d] = ns;
}

/* backlog: also counts the I/Os that no worker has taken from the schedule. */
static void add_backlog(struct schedule *s, struct unfinished *u, bool backlog)
{
	struct pacer *p = &s->pace[u->dir];
	uint64_t rel = schedule_since_start(s, u->end_ns), lag = s->think_lag_ns[u->dir];

	rel = rel > lag ? rel - lag : 0;
	pacer_release(p);
	if (p->reserved && p->due_ns < rel) /* a reserved place: other members took later ones */
		add_overdue(u, p->due_ns, 1);
	if (backlog)
		pacer_overdue(p, rel, schedule_unit_bytes(s, u->dir), add_overdue, u);
}

static void end_one(struct schedule *s, struct worker *w, uint64_t end, bool backlog)
{
	struct wcount *cnt = w->stats.cnt;

	if (s->pause == PAUSE_THINK)
		schedule_end_think(s, end);
	for (unsigned d = 0; d < DIR_DATA; d++) {
		struct unfinished u = { .w = w, .s = s, .dir = d, .end_ns = end };

		if (!schedule_has_rate(s, d))
			continue;
		count_asked_time(cnt, s, d, end, w->quota.exhausted);
		count_asked(cnt, s, d, s->issued[d]);
		if (schedule_pacer_dir(s, d) != d)
			continue;
		if (w->quota.exhausted)
			pacer_release(&s->pace[d]);
		else
			add_backlog(s, &u, backlog);
		count_unissued(&u);
		count_asked(cnt, s, d, u.count);
		if (s->opts->pace.open && cnt->unissued[d] > cnt->queue_max[d])
			cnt->queue_max[d] = cnt->unissued[d];
	}
}

/* Counts an I/O that has left the schedule and has not completed. It was in flight, or it was not submitted
   before the end. */
static void end_taken(struct worker *w, const struct io *io, uint64_t end, bool drains)
{
	struct schedule *s = w->sched.nfiles ? &w->sched.per_file[io->target] : &w->sched.single;
	unsigned d = schedule_pacer_dir(s, io->dir);
	struct unfinished u = { .w = w, .s = s, .dir = d, .end_ns = end };
	bool submitted = io->start_ns && io->start_ns < end;

	if (!schedule_has_rate(s, d) || (submitted && drains))
		return;
	if (!submitted)
		s->issued[io->dir]--;
	if (io->due_ns >= end)
		return;
	u.dir = submitted ? io->dir : d;
	add_unfinished(&u, io->due_ns, 1);
	if (submitted)
		return;
	count_unissued(&u);
	count_asked(w->stats.cnt, s, d, 1);
}

/* Counts the I/Os of the queue that are not idle. */
static void end_queue(struct worker *w, uint64_t end, bool drains)
{
	struct io_queue *q = &w->q;

	for (unsigned i = 0; i < q->nidle; i++)
		q->idle[i]->due_ns = UINT64_MAX;
	for (unsigned i = 0; i < w->clone.job->depth; i++)
		if (q->ios[i].due_ns != UINT64_MAX && q->ios[i].dir < DIR_DATA)
			end_taken(w, &q->ios[i], end, drains);
}

void schedule_end(struct worker *w, uint64_t end, bool drains)
{
	struct scheduler *s = &w->sched;
	uint64_t stop = atomic_load_explicit(&w->clone.slot->stop_ns, memory_order_relaxed);
	bool backlog;

	if (s->ended)
		return;
	s->ended = true;
	if (clone_stopped(&w->clone) && stop < end)
		end = stop;
	backlog = leave_shared(s->current, &w->clone);
	if (s->paced)
		end_queue(w, end, drains);
	if (s->nfiles)
		s->current = s->per_file;
	end_one(s->current, w, end, backlog);
	for (uint32_t i = 1; i < s->nfiles; i++)
		end_one(&s->per_file[i], w, end, backlog);
}
