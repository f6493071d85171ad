/* clone.h: the job clone that a worker runs, and the slot where it reports.

   Only `failed` and `prerun_ok` change during the life of the worker. Most functions outside the loop need
   nothing else. */
#ifndef CLONE_H
#define CLONE_H

#include <stdbool.h>
#include <stdint.h>
#include "plan.h"
#include "region.h"

struct worker;

/* The worker's side of the ring of write_iolog. */
struct recorder {
	struct worker *worker;
	struct log_ring *ring;
	uint64_t head;
	uint32_t entries;
};

struct clone {
	const struct region *region;
	struct slot *slot;
	const struct plan *plan;
	const struct plan_job *job;
	const struct job_opts *opts;
	struct recorder *recorder; /* write_iolog; NULL: the I/Os are not recorded */
	bool thread;               /* the worker is a thread of the thread host */
	bool failed;
	bool prerun_ok; /* exec_prerun succeeded, or the job has none */
};

/* Records the worker's first error in its slot; later errors only set `failed`. err is a positive errno. */
void clone_fail(struct clone *c, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Does the same with the text of a diag. */
void clone_fail_diag(struct clone *c, int err, const struct diag *d);
/* Adds a line to the notes of the report, unless it is there already. */
void clone_note(const struct clone *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* In a thread_group each file belongs to a section that has its own plan and options. */
static inline const struct plan_job *clone_file_job(const struct clone *c, uint32_t file)
{
	return c->job->files[file].user;
}
static inline const struct job_opts *clone_file_opts(const struct clone *c, uint32_t file)
{
	return &clone_file_job(c, file)->job->opts;
}
static inline const struct plan_target *clone_target(const struct clone *c, uint32_t file)
{
	return &c->plan->targets[c->job->files[file].target];
}

/* Returns the ENG_ bits of the job's engine. */
static inline unsigned clone_caps(const struct clone *c)
{
	return c->job->job->engine->caps;
}

static inline void clone_set_phase(const struct clone *c, enum worker_phase phase)
{
	region_set_phase(c->region, c->job->index, phase);
}

/* Returns true once the parent has asked the worker to end. */
static inline bool clone_stopped(const struct clone *c)
{
	return atomic_load_explicit(&c->slot->stop, memory_order_relaxed) & STOP_END;
}

/* Returns true if the parent wants the worker to end or to copy its numbers: the worker must not sleep. */
static inline bool clone_interrupted(const struct clone *c)
{
	return atomic_load_explicit(&c->slot->stop, memory_order_relaxed) != 0;
}

#endif
