/* fromjob_section.h: the state of fromjob_profile. Private to fromjob*.c. */
#ifndef FROMJOB_SECTION_H
#define FROMJOB_SECTION_H

#include "fromjob.h"
#include "vec.h"

struct fromjob {
	struct ds_profile *profile;
	const struct job_set *set;
	const struct cpuset *cpus;
	struct notes *losses;
	struct diag *diag;
	/* The current time span: */
	const struct job *group_leader; /* the first section of a thread_group */
	const struct job *first_job;
	bool has_runtime; /* some job has a runtime */
	bool share_pool;  /* several sections share the threads of -F -O */
	bool no_memory;
	VEC(struct ds_target) targets;
};

/* One section in one time span. */
struct section {
	struct fromjob *f;
	const struct job *job;
	const struct job_opts *o;
	struct ds_span *span;
	unsigned dirs; /* RW_READ, RW_WRITE */
	/* Files of the first clone; shared: all clones have the same files. */
	const char **path;
	uint32_t npaths;
	bool shared;
	bool pool;             /* its threads use all of its files: -F, with -O unless iodepth_per_file */
	unsigned first_thread; /* pool: its first thread */
	size_t first_target;   /* its first target */
};

/* Returns true if its depth and rate hold for each file, not for all files together. */
static inline bool fromjob_per_file(const struct section *s)
{
	return s->o->queue.per_file || s->o->thread_group.name;
}

/* Adds a line to `lost`, with the section's name if there are several sections. */
void fromjob_drop(const struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a difference that most jobs have, without the section's name, so that it appears once. */
void fromjob_note(const struct section *s, const char *what);
/* Adds the options that no function here translates. */
void fromjob_drop_others(const struct section *s);

/* fromjob_pool.c translates threads whose I/Os go to any of several files. */
/* Returns true if all these sections of a time span can share one -F. */
bool fromjob_pools(const struct job *jobs, size_t n);
void fromjob_pool(struct section *s);
/* Sets the threads and weights of its targets. A target that an earlier section has, too, is shared. Returns
   false if memory is short. */
bool fromjob_pool_targets(struct section *s);
/* fromjob_target.c: translates the I/O of one thread to one file: all of a target but its path and threads.
 */
void fromjob_target(const struct section *s, struct ds_target *t);
/* fromjob_span.c: translates the options that a time span has once. */
void fromjob_span(const struct section *s);

#endif
