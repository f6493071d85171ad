#include "live_copies.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "clock.h"
#include "pack.h"

#define NAP_NS 50000
/* A slot whose number has not moved for so long is at rest, */
#define REST_NS 1000000u
/* and one that is at rest within a batch is stopped there. */
#define STUCK_NS 20000000u
/* So long all copies of one status may take before those that are left are taken as they come. */
#define BUDGET_NS 300000000u
/* But each worker has this long. */
#define LEAST_NS 2000000u

#define NOBODY UINT32_MAX

/* What is known of a slot since its worker was asked. */
struct watch {
	uint32_t seq;
	uint64_t since_ns; /* it has had this number */
};

struct live_copies {
	uint32_t *order; /* jobs as they will be copied */
	uint32_t n, next, asked;
	uint32_t lent[SPARES]; /* to which job; NOBODY */
	struct watch watch[SPARES];
	uint64_t deadline_ns;
};

static bool told(const struct plan *p, uint32_t job)
{
	return p->jobs[job].job->opts.report.stats;
}

static void put_in_order(struct live_copies *l, const struct plan *p, uint32_t *first)
{
	for (uint32_t i = 0; i < p->njobs; i++)
		first[p->jobs[i].report + 1] += told(p, i);
	for (uint32_t i = 0; i < p->nreports; i++)
		first[i + 1] += first[i];
	l->n = first[p->nreports];
	for (uint32_t i = 0; i < p->njobs; i++)
		if (told(p, i))
			l->order[first[p->jobs[i].report]++] = i;
}

struct live_copies *live_copies_new(const struct plan *p)
{
	struct live_copies *l = calloc(1, sizeof(*l));
	uint32_t *first = calloc(p->nreports + 2, sizeof(*first));

	if (l)
		l->order = calloc(p->njobs + 1, sizeof(*l->order));
	if (!l || !l->order || !first) {
		free(first);
		live_copies_free(l);
		return NULL;
	}
	put_in_order(l, p, first);
	free(first);
	for (unsigned i = 0; i < SPARES; i++)
		l->lent[i] = NOBODY;
	return l;
}

void live_copies_free(struct live_copies *l)
{
	if (l)
		free(l->order);
	free(l);
}

/* ---- asking ---- */

static bool answers(const struct run *r, uint32_t job)
{
	enum worker_phase at = run_phase(r, job);

	return at == PHASE_RAMP || at == PHASE_RUN || at == PHASE_COOL;
}

static struct watch watch_now(const struct slot *s)
{
	return (struct watch){ atomic_load_explicit(&s->seq, memory_order_acquire), clock_ns() };
}

/* Of a worker that has been asked: since then. */
static struct watch watch_of(const struct live_copies *l, const struct slot *s, uint32_t job)
{
	for (unsigned i = 0; i < SPARES; i++)
		if (l->lent[i] == job)
			return l->watch[i];
	return watch_now(s);
}

static void ask(struct live_copies *l, const struct run *r, uint32_t job)
{
	struct slot *s = run_slot(r, job);

	if (!answers(r, job) || ask_state(atomic_load_explicit(&s->ask, memory_order_acquire)) != ASK_NONE)
		return;
	for (unsigned i = 0; i < r->region.nspares; i++) {
		if (l->lent[i] != NOBODY)
			continue;
		l->lent[i] = job;
		l->watch[i] = watch_now(s);
		atomic_store_explicit(&s->ask, ask_word(i, ASK_ASKED), memory_order_release);
		atomic_fetch_or_explicit(&s->stop, STOP_ASK, memory_order_release);
		futex_wake_all(&s->stop);
		return;
	}
}

/* Keeps as many asked as there are spares. */
static void ask_ahead(struct live_copies *l, const struct run *r)
{
	while (l->asked < l->n && l->asked < l->next + r->region.nspares)
		ask(l, r, l->order[l->asked++]);
}

/* The spare is free again, unless the worker is filling it right now. */
static void withdraw(struct live_copies *l, struct slot *s)
{
	uint32_t word = atomic_load_explicit(&s->ask, memory_order_acquire);

	if (ask_state(word) == ASK_ASKED && atomic_compare_exchange_strong(&s->ask, &word, 0)) {
		atomic_fetch_and_explicit(&s->stop, ~STOP_ASK, memory_order_relaxed);
		l->lent[ask_spare(word)] = NOBODY;
	} else if (ask_state(word) == ASK_DONE) {
		atomic_store_explicit(&s->ask, 0, memory_order_relaxed);
		l->lent[ask_spare(word)] = NOBODY;
	}
}

/* What is left of the last time: a worker that was about to fill its spare may have done so, or be dead. */
static void take_back(struct live_copies *l, const struct run *r)
{
	for (unsigned i = 0; i < r->region.nspares; i++) {
		uint32_t job = l->lent[i];

		if (job == NOBODY)
			continue;
		if (r->job[job].reaped)
			atomic_store_explicit(&run_slot(r, job)->ask, ask_word(i, ASK_DONE),
					      memory_order_relaxed);
		withdraw(l, run_slot(r, job));
	}
}

void live_copies_begin(struct live_copies *l, const struct run *r)
{
	take_back(l, r);
	l->next = l->asked = 0;
	l->deadline_ns = clock_ns() + BUDGET_NS;
	ask_ahead(l, r);
}

void live_copies_end(struct live_copies *l, const struct run *r)
{
	for (unsigned i = 0; i < SPARES; i++) {
		if (l->lent[i] != NOBODY)
			withdraw(l, run_slot(r, l->lent[i]));
	}
}

/* ---- copying ---- */

static void take_answer(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
			struct live_times *t)
{
	struct slot *s = run_slot(r, job);
	unsigned i = ask_spare(atomic_load_explicit(&s->ask, memory_order_acquire));
	const struct spare *from = region_spare(&r->region, i);

	snap->cnt = from->cnt;
	wstat_unpack(snap->st, from + 1, &r->plan->jobs[job].layout);
	*t = (struct live_times){ .start_ns = from->run_start_ns,
				  .end_ns = from->run_end_ns,
				  .stamp_ns = from->stamp_ns };
	withdraw(l, s);
}

/* True if the slot was at rest meanwhile. */
static bool take_slot(const struct run *r, uint32_t job, struct snapshot *snap, struct live_times *t)
{
	struct slot *s = run_slot(r, job);
	const struct wstat_layout *l = &r->plan->jobs[job].layout;
	uint32_t seq = atomic_load_explicit(&s->seq, memory_order_acquire);

	wstat_init(snap->st, l);
	*t = (struct live_times){ .start_ns = s->run_start_ns,
				  .end_ns = s->run_end_ns,
				  .stamp_ns = clock_ns() };
	wstat_merge(snap->st, slot_stat(s), l);
	tracks_extremes(slot_tracks(s, &r->plan->jobs[job]), snap->st->dir);
	snap->cnt = s->cnt;
	atomic_thread_fence(memory_order_acquire);
	return !(seq & 1) && atomic_load_explicit(&s->seq, memory_order_relaxed) == seq;
}

/* Whether its numbers may be taken without the worker: they rest, or there is no time left. */
static bool at_rest(const struct run *r, uint32_t job, struct watch *w)
{
	uint32_t seq = atomic_load_explicit(&run_slot(r, job)->seq, memory_order_acquire);
	uint64_t now = clock_ns();

	if (seq != w->seq) {
		w->seq = seq;
		w->since_ns = now;
	}
	return !answers(r, job) || now - w->since_ns >= (seq & 1 ? STUCK_NS : REST_NS);
}

static void copy_job(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
		     struct live_times *t)
{
	static const struct timespec nap = { .tv_nsec = NAP_NS };
	struct slot *s = run_slot(r, job);
	uint64_t least = clock_ns() + LEAST_NS;
	uint64_t give_up = least > l->deadline_ns ? least : l->deadline_ns;
	struct watch w = watch_of(l, s, job);

	for (;;) { /* ends: the numbers rest, or the budget does */
		if (ask_state(atomic_load_explicit(&s->ask, memory_order_acquire)) == ASK_DONE) {
			wstat_init(snap->st, &r->plan->jobs[job].layout);
			take_answer(l, r, job, snap, t);
			return;
		}
		if (clock_ns() >= give_up || at_rest(r, job, &w)) {
			if (take_slot(r, job, snap, t))
				break;
			if (w.seq & 1 || clock_ns() >= give_up) {
				wstat_level(snap->st, &r->plan->jobs[job].layout);
				break;
			}
		} else {
			ask(l, r, job);
			nanosleep(&nap, NULL);
		}
	}
	withdraw(l, s);
}

void live_copies_take(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
		      struct live_times *t)
{
	if (l->next < l->n && l->order[l->next] == job)
		l->next++;
	copy_job(l, r, job, snap, t);
	ask_ahead(l, r);
	if (t->start_ns)
		return;
	wstat_init(snap->st, &r->plan->jobs[job].layout); /* what a ramp does is not told */
	snap->cnt = (struct wcount){ 0 };
}
