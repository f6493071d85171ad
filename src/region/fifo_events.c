#include "fifo_events.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "event.h"

enum role { ROLE_START, ROLE_FINISH, ROLE_WAIT, ROLE_STOP, ROLES };

#define RESERVED_MAX 4

struct fifo_event {
	struct event event;
	const char *name;
	unsigned roles; /* bits */
	bool set;       /* the parent has seen it set */
};

struct fifo_events {
	struct fifo_event *v;
	uint32_t n;
	uint32_t (*job)[ROLES];       /* by plan_job.index: 1 + the event; 0: none */
	_Atomic uint32_t *unfinished; /* shared memory, by event: jobs whose measurement has not ended */
	struct pollfd *poll;
	uint32_t capacity;      /* of v and unfinished */
	const char *stop_event; /* the event_stop that ended the run; NULL: none */
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
static int64_t open_event(struct fifo_events *e, const char *name, struct diag *d)
{
	int err;

	for (uint32_t i = 0; i < e->n; i++)
		if (!strcmp(e->v[i].name, name))
			return i + 1;
	e->v[e->n].name = name;
	err = event_open(&e->v[e->n].event, name, d);
	e->n++;
	return err ? err : (int64_t)e->n;
}

static int open_of_job(struct fifo_events *e, const struct plan_job *pj, struct diag *d)
{
	static const char *const options[ROLES] = { "event_start", "event_finish", "event_wait",
						    "event_stop" };

	for (enum role role = 0; role < ROLES; role++) {
		const char *name = name_of(&pj->job->opts.events, role);
		int64_t number = name ? open_event(e, name, d) : 0;

		if (number < 0) {
			diag_wrap(d, "%s: {%s=%s}", pj->job->name, options[role], name);
			return (int)number;
		}
		e->job[pj->index][role] = (uint32_t)number;
		if (!number)
			continue;
		e->v[number - 1].roles |= 1u << role;
		if (role == ROLE_FINISH)
			e->unfinished[number - 1]++;
	}
	return 0;
}

int fifo_events_open(struct fifo_events **out, const struct plan *p, struct diag *d)
{
	uint32_t names = count_names(p);
	struct fifo_events *e;
	int err = 0;

	if (!names)
		return 0;
	*out = e = calloc(1, sizeof(*e));
	if (!e)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for events");
	e->capacity = names;
	e->v = calloc(names, sizeof(*e->v));
	e->job = calloc(p->njobs, sizeof(*e->job));
	e->poll = calloc(names + RESERVED_MAX, sizeof(*e->poll));
	e->unfinished = mmap(NULL, names * sizeof(*e->unfinished), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (e->unfinished == MAP_FAILED)
		e->unfinished = NULL;
	if (!e->v || !e->job || !e->poll || !e->unfinished)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for events");
	for (uint32_t i = 0; i < p->njobs && !err; i++)
		err = open_of_job(e, &p->jobs[i], d);
	return err;
}

void fifo_events_close(struct fifo_events *e)
{
	if (!e)
		return;
	for (uint32_t i = 0; i < e->n; i++) {
		if (e->v[i].roles & 1u << ROLE_FINISH)
			event_set(&e->v[i].event);
		event_close(&e->v[i].event);
	}
	if (e->unfinished)
		munmap(e->unfinished, e->capacity * sizeof(*e->unfinished));
	free(e->v);
	free(e->job);
	free(e->poll);
	free(e);
}

/* ---- workers ---- */

void fifo_events_measure_begin(const struct fifo_events *e, uint32_t job)
{
	uint32_t number = e ? e->job[job][ROLE_START] : 0;

	if (number)
		event_set(&e->v[number - 1].event);
}

/* The last job that ends its measurement sets the event. */
void fifo_events_measure_end(const struct fifo_events *e, uint32_t job)
{
	uint32_t number = e ? e->job[job][ROLE_FINISH] : 0;

	if (number && atomic_fetch_sub(&e->unfinished[number - 1], 1) == 1)
		event_set(&e->v[number - 1].event);
}

/* ---- the parent ---- */

static bool is_awaited(const struct fifo_event *e)
{
	return e->roles & (1u << ROLE_WAIT | 1u << ROLE_STOP) && !e->set;
}

struct pollfd *fifo_events_polls(struct fifo_events *e, unsigned reserved, nfds_t *count)
{
	for (uint32_t i = 0; i < e->n; i++)
		e->poll[reserved + i] =
			(struct pollfd){ is_awaited(&e->v[i]) ? e->v[i].event.fd : -1, POLLIN, 0 };
	*count = reserved + e->n;
	return e->poll;
}

bool fifo_events_check(struct fifo_events *e, unsigned reserved)
{
	bool stop = false;

	for (uint32_t i = 0; i < e->n; i++) {
		if (!e->poll[reserved + i].revents)
			continue;
		e->v[i].set = true;
		if (!(e->v[i].roles & 1u << ROLE_STOP))
			continue;
		stop = true;
		e->stop_event = e->v[i].name;
	}
	return stop;
}

bool fifo_events_stage_ready(const struct fifo_events *e, const struct plan *p, uint32_t stage)
{
	for (uint32_t i = 0; i < p->njobs; i++) {
		uint32_t number = e->job[i][ROLE_WAIT];

		if (number && p->jobs[i].stage == stage && !e->v[number - 1].set)
			return false;
	}
	return true;
}

const char *fifo_events_stopped_by(const struct fifo_events *e)
{
	return e ? e->stop_event : NULL;
}
