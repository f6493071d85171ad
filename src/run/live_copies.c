#include "live_copies.h"

#include <stdlib.h>
#include <time.h>
#include "clock.h"
#include "live_request.h"
#include "run.h"
#include "snapshot.h"

#define NAP_NS 50000
/* A slot is at rest if its sequence number has not changed for this long between two batches. */
#define REST_NS 1000000u
/* A slot is also at rest after this long within a batch: the worker was stopped there. */
#define STUCK_NS 20000000u
/* All copies of one status may take this long. After this time the parent copies slots itself. */
#define BUDGET_NS 300000000u
/* The parent waits for each worker at least this long. */
#define WORKER_MIN_NS 2000000u
/* If the worker wrote its slot during a copy, the parent repeats the copy up to this many times. */
#define TORN_MAX 8

#define NO_JOB UINT32_MAX

/* A slot's sequence number, and since when it has not changed. */
struct watch {
	uint32_t seq;
	uint64_t since_ns;
};

struct live_copies {
	uint32_t *order;                   /* jobs in the order of the copies */
	uint32_t n;                        /* of `order` */
	uint32_t next;                     /* index of the next copy */
	uint32_t next_request;             /* index of the next job to request a copy from */
	uint32_t buffer_job[COPY_BUFFERS]; /* the job whose worker fills the buffer, or NO_JOB */
	struct watch watch[COPY_BUFFERS];
	uint64_t deadline_ns;
};

static bool in_report(const struct plan *p, uint32_t job)
{
	return p->jobs[job].job->opts.report.stats;
}

static void put_in_order(struct live_copies *l, const struct plan *p, uint32_t *first)
{
	for (uint32_t i = 0; i < p->njobs; i++)
		first[p->jobs[i].report + 1] += in_report(p, i);
	for (uint32_t i = 0; i < p->nreports; i++)
		first[i + 1] += first[i];
	l->n = first[p->nreports];
	for (uint32_t i = 0; i < p->njobs; i++)
		if (in_report(p, i))
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
	for (unsigned i = 0; i < COPY_BUFFERS; i++)
		l->buffer_job[i] = NO_JOB;
	return l;
}

void live_copies_free(struct live_copies *l)
{
	if (l)
		free(l->order);
	free(l);
}

/* ---- requests ---- */

static bool can_reply(const struct run *r, uint32_t job)
{
	enum worker_phase phase = run_phase(r, job);

	return phase == PHASE_RAMP || phase == PHASE_RUN || phase == PHASE_COOL || phase == PHASE_VERIFY;
}

static struct watch watch_now(const struct slot *s)
{
	return (struct watch){ atomic_load_explicit(&s->seq, memory_order_acquire), clock_ns() };
}

/* Returns the watch of a slot, which begins when its worker gets a request. */
static struct watch watch_of(const struct live_copies *l, const struct slot *s, uint32_t job)
{
	for (unsigned i = 0; i < COPY_BUFFERS; i++)
		if (l->buffer_job[i] == job)
			return l->watch[i];
	return watch_now(s);
}

static void request_copy(struct live_copies *l, const struct run *r, uint32_t job)
{
	struct slot *s = run_slot(r, job);

	if (!can_reply(r, job) || live_request_state(atomic_load_explicit(
					  &s->copy_request, memory_order_acquire)) != LIVE_REQUEST_NONE)
		return;
	for (unsigned i = 0; i < r->region.ncopy_buffers; i++) {
		if (l->buffer_job[i] != NO_JOB)
			continue;
		l->buffer_job[i] = job;
		l->watch[i] = watch_now(s);
		atomic_store_explicit(&s->copy_request, live_request_word(i, LIVE_REQUEST_SENT),
				      memory_order_release);
		atomic_fetch_or_explicit(&s->stop, STOP_FOR_COPY, memory_order_release);
		futex_wake_all(&s->stop);
		return;
	}
}

/* Requests copies from as many workers as there are buffers. */
static void request_ahead(struct live_copies *l, const struct run *r)
{
	while (l->next_request < l->n && l->next_request < l->next + r->region.ncopy_buffers)
		request_copy(l, r, l->order[l->next_request++]);
}

/* Frees the buffer, unless the worker is filling it right now. */
static void withdraw_request(struct live_copies *l, struct slot *s)
{
	uint32_t word = atomic_load_explicit(&s->copy_request, memory_order_acquire);

	if (live_request_state(word) == LIVE_REQUEST_SENT &&
	    atomic_compare_exchange_strong(&s->copy_request, &word, 0)) {
		atomic_fetch_and_explicit(&s->stop, ~STOP_FOR_COPY, memory_order_relaxed);
		l->buffer_job[live_request_buffer(word)] = NO_JOB;
	} else if (live_request_state(word) == LIVE_REQUEST_DONE) {
		atomic_store_explicit(&s->copy_request, 0, memory_order_relaxed);
		l->buffer_job[live_request_buffer(word)] = NO_JOB;
	}
}

/* Frees the buffers that workers were still filling at the end of the last status. A worker may have died
   meanwhile. */
static void reclaim_buffers(struct live_copies *l, const struct run *r)
{
	for (unsigned i = 0; i < r->region.ncopy_buffers; i++) {
		uint32_t job = l->buffer_job[i];

		if (job == NO_JOB)
			continue;
		if (r->job[job].reaped)
			atomic_store_explicit(&run_slot(r, job)->copy_request,
					      live_request_word(i, LIVE_REQUEST_DONE), memory_order_relaxed);
		withdraw_request(l, run_slot(r, job));
	}
}

void live_copies_begin(struct live_copies *l, const struct run *r)
{
	reclaim_buffers(l, r);
	l->next = l->next_request = 0;
	l->deadline_ns = clock_ns() + BUDGET_NS;
	request_ahead(l, r);
}

void live_copies_end(struct live_copies *l, const struct run *r)
{
	for (unsigned i = 0; i < COPY_BUFFERS; i++) {
		if (l->buffer_job[i] != NO_JOB)
			withdraw_request(l, run_slot(r, l->buffer_job[i]));
	}
}

/* ---- copies ---- */

static void take_reply(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
		       struct live_times *t)
{
	struct slot *s = run_slot(r, job);
	unsigned i = live_request_buffer(atomic_load_explicit(&s->copy_request, memory_order_acquire));
	const struct copy_buffer *from = region_copy_buffer(&r->region, i);

	snap->cnt = from->cnt;
	wstat_pack_add(snap->st, from + 1, &r->plan->jobs[job].layout);
	*t = (struct live_times){ .start_ns = from->run_start_ns,
				  .end_ns = from->run_end_ns,
				  .stamp_ns = from->stamp_ns };
	withdraw_request(l, s);
}

/* Copies the slot itself. Returns whether the worker left the slot alone meanwhile. If the worker stopped
   within a batch, this removes the I/O that only some counts include. */
static bool take_slot(const struct run *r, uint32_t job, struct snapshot *snap, struct live_times *t)
{
	struct slot *s = run_slot(r, job);
	const struct wstat_layout *l = &r->plan->jobs[job].layout;
	uint32_t seq = atomic_load_explicit(&s->seq, memory_order_acquire);
	bool torn;

	wstat_init(snap->st, l);
	*t = (struct live_times){ .start_ns = s->run_start_ns,
				  .end_ns = s->run_end_ns,
				  .stamp_ns = clock_ns() };
	wstat_merge(snap->st, slot_stat(s), l);
	tracks_extremes(slot_tracks(s, &r->plan->jobs[job]), snap->st->dir);
	snap->cnt = s->cnt;
	atomic_thread_fence(memory_order_acquire);
	torn = atomic_load_explicit(&s->seq, memory_order_relaxed) != seq;
	if (torn || seq & 1)
		wstat_drop_partial(snap->st, l);
	return !torn;
}

/* Returns whether the parent may copy the slot itself: the worker does not write it. */
static bool at_rest(const struct run *r, uint32_t job, struct watch *w)
{
	uint32_t seq = atomic_load_explicit(&run_slot(r, job)->seq, memory_order_acquire);
	uint64_t now = clock_ns();

	if (seq != w->seq) {
		w->seq = seq;
		w->since_ns = now;
	}
	return !can_reply(r, job) || now - w->since_ns >= (seq & 1 ? STUCK_NS : REST_NS);
}

static void copy_job(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
		     struct live_times *t)
{
	static const struct timespec nap = { .tv_nsec = NAP_NS };
	struct slot *s = run_slot(r, job);
	uint64_t earliest = clock_ns() + WORKER_MIN_NS;
	uint64_t give_up = earliest > l->deadline_ns ? earliest : l->deadline_ns;
	struct watch w = watch_of(l, s, job);

	for (unsigned torn = 0;;) { /* until a copy is good or the time is up */
		if (live_request_state(atomic_load_explicit(&s->copy_request, memory_order_acquire)) ==
		    LIVE_REQUEST_DONE) {
			wstat_init(snap->st, &r->plan->jobs[job].layout);
			take_reply(l, r, job, snap, t);
			return;
		}
		if (clock_ns() >= give_up || at_rest(r, job, &w)) {
			if (take_slot(r, job, snap, t) || ++torn == TORN_MAX)
				break;
			give_up = clock_ns() + WORKER_MIN_NS; /* the worker runs, so it can reply */
		}
		request_copy(l, r, job);
		nanosleep(&nap, NULL);
	}
	withdraw_request(l, s);
}

void live_copies_take(struct live_copies *l, const struct run *r, uint32_t job, struct snapshot *snap,
		      struct live_times *t)
{
	if (l->next < l->n && l->order[l->next] == job)
		l->next++;
	copy_job(l, r, job, snap, t);
	request_ahead(l, r);
	if (t->start_ns)
		return;
	wstat_init(snap->st, &r->plan->jobs[job].layout); /* I/Os of the ramp do not count */
	snap->cnt = (struct wcount){ 0 };
}
