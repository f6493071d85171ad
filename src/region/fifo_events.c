#include "fifo_events.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "event.h"

enum role { ROLE_START, ROLE_FINISH, ROLE_WAIT, ROLE_STOP, ROLES };

#define CALLERS_MAX 4

struct fifo_event {
	struct event event;
	const char *name;
	unsigned roles; /* bits */
	bool set;       /* the parent has seen it set */
};

struct fifo_events {
	struct fifo_event *v;
	uint32_t n;
	uint32_t (*job)[ROLES];    /* by plan_job.index: 1 + the event; 0: none */
	_Atomic uint32_t *to_come; /* shared memory, by event: jobs that are still to be measured */
	struct pollfd *poll;
	uint32_t room; /* events in v and to_come */
	const char *stopped;
};

static const char *name_of(const struct event_cfg *c, enum role role)
{
	const char *const names[ROLES] = { c->start, c->finish, c->wait, c->stop };

	return names[role];
}

static uint32_t count_names(const struct plan *p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->set->njobs; i++)
		for (enum role role = 0; role < ROLES; role++)
			n += name_of(&p->set->jobs[i].opts.events, role) != NULL;
	return n;
}

/* Opens an event, unless it is open already. Returns 1 + its number, or -errno with d. */
static int64_t open_one(struct fifo_events *n, const char *name, struct diag *d)
{
	int err;

	for (uint32_t i = 0; i < n->n; i++)
		if (!strcmp(n->v[i].name, name))
			return i + 1;
	n->v[n->n].name = name;
	err = event_open(&n->v[n->n].event, name, d);
	n->n++;
	return err ? err : (int64_t)n->n;
}

static int open_of_job(struct fifo_events *n, const struct plan_job *pj, struct diag *d)
{
	static const char *const options[ROLES] = { "event_start", "event_finish", "event_wait",
						    "event_stop" };

	for (enum role role = 0; role < ROLES; role++) {
		const char *name = name_of(&pj->job->opts.events, role);
		int64_t at = name ? open_one(n, name, d) : 0;

		if (at < 0) {
			diag_wrap(d, "%s: {%s=%s}", pj->job->name, options[role], name);
			return (int)at;
		}
		n->job[pj->index][role] = (uint32_t)at;
		if (!at)
			continue;
		n->v[at - 1].roles |= 1u << role;
		if (role == ROLE_FINISH)
			n->to_come[at - 1]++;
	}
	return 0;
}

int fifo_events_open(struct fifo_events **out, const struct plan *p, struct diag *d)
{
	uint32_t names = count_names(p);
	struct fifo_events *n;
	int err = 0;

	if (!names)
		return 0;
	*out = n = calloc(1, sizeof(*n));
	if (!n)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for events");
	n->room = names;
	n->v = calloc(names, sizeof(*n->v));
	n->job = calloc(p->njobs, sizeof(*n->job));
	n->poll = calloc(names + CALLERS_MAX, sizeof(*n->poll));
	n->to_come = mmap(NULL, names * sizeof(*n->to_come), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (n->to_come == MAP_FAILED)
		n->to_come = NULL;
	if (!n->v || !n->job || !n->poll || !n->to_come)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for events");
	for (uint32_t i = 0; i < p->njobs && !err; i++)
		err = open_of_job(n, &p->jobs[i], d);
	return err;
}

void fifo_events_close(struct fifo_events *n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < n->n; i++) {
		if (n->v[i].roles & 1u << ROLE_FINISH)
			event_set(&n->v[i].event);
		event_close(&n->v[i].event);
	}
	if (n->to_come)
		munmap(n->to_come, n->room * sizeof(*n->to_come));
	free(n->v);
	free(n->job);
	free(n->poll);
	free(n);
}

/* ---- workers ---- */

void fifo_events_measure_begin(const struct fifo_events *n, uint32_t job)
{
	uint32_t at = n ? n->job[job][ROLE_START] : 0;

	if (at)
		event_set(&n->v[at - 1].event);
}

/* The last job that ends its measurement sets the event. */
void fifo_events_measure_end(const struct fifo_events *n, uint32_t job)
{
	uint32_t at = n ? n->job[job][ROLE_FINISH] : 0;

	if (at && atomic_fetch_sub(&n->to_come[at - 1], 1) == 1)
		event_set(&n->v[at - 1].event);
}

/* ---- the parent ---- */

static bool is_awaited(const struct fifo_event *e)
{
	return e->roles & (1u << ROLE_WAIT | 1u << ROLE_STOP) && !e->set;
}

struct pollfd *fifo_events_polls(struct fifo_events *n, unsigned before, nfds_t *count)
{
	for (uint32_t i = 0; i < n->n; i++)
		n->poll[before + i] =
			(struct pollfd){ is_awaited(&n->v[i]) ? n->v[i].event.fd : -1, POLLIN, 0 };
	*count = before + n->n;
	return n->poll;
}

bool fifo_events_check(struct fifo_events *n, unsigned before)
{
	bool stop = false;

	for (uint32_t i = 0; i < n->n; i++) {
		if (!n->poll[before + i].revents)
			continue;
		n->v[i].set = true;
		if (!(n->v[i].roles & 1u << ROLE_STOP))
			continue;
		stop = true;
		n->stopped = n->v[i].name;
	}
	return stop;
}

bool fifo_events_stage_ready(const struct fifo_events *n, const struct plan *p, uint32_t stage)
{
	for (uint32_t i = 0; i < p->njobs; i++) {
		uint32_t at = n->job[i][ROLE_WAIT];

		if (at && p->jobs[i].stage == stage && !n->v[at - 1].set)
			return false;
	}
	return true;
}

const char *fifo_events_stopped_by(const struct fifo_events *n)
{
	return n ? n->stopped : NULL;
}
