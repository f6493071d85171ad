/* fromjob_section.h: the parts of --from-job. Private to fromjob*.c. */
#ifndef FROMJOB_SECTION_H
#define FROMJOB_SECTION_H

#include "fromjob.h"

struct fromjob {
	struct ds_profile *p;
	const struct job_set *set;
	const struct cpuset *cpus;
	struct notes *lost;
	struct diag *d;
	/* Of the time span at hand. */
	const struct job *lead; /* the first one of a thread_group */
	const struct job *first;
	bool timed; /* some job said how long */
	bool pools; /* several sections, each with some of the threads of -F -O */
	bool no_memory;
	struct {
		struct ds_target *v;
		size_t n, cap;
	} targets;
};

/* One section in one time span. */
struct section {
	struct fromjob *f;
	const struct job *job;
	const struct job_opts *o;
	struct ds_span *span;
	unsigned dirs; /* RW_READ, RW_WRITE */
	/* Its files: those of one clone, and whether all clones have the same ones. */
	const char **path;
	uint32_t npaths;
	bool shared;
	bool pool;       /* its threads serve all of its files: -F, with -O unless iodepth_per_file */
	unsigned thread; /* pool: the first of its threads */
	size_t from;     /* its first target */
};

/* What it says of I/Os in flight and of rates is each file's, not that of all of them. */
static inline bool fromjob_each(const struct section *s)
{
	return s->o->queue.per_file || s->o->native.thread_group;
}

/* A line of the list; the section is named where there are several. */
void fromjob_lose(const struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A difference that most jobs have: told once, whichever section it is. */
void fromjob_differs(const struct section *s, const char *what);
/* Options that nothing here looks at. */
void fromjob_lose_others(const struct section *s);

/* fromjob_pool.c: threads that serve several files, each I/O any of them. */
/* Whether these sections of a time span are all such threads, of one -F. */
bool fromjob_pools(const struct job *jobs, size_t n);
void fromjob_pool(struct section *s);
/* Which threads use its targets, and how often. Those that earlier sections have are theirs, too. False when
   memory is short. */
bool fromjob_pool_targets(struct section *s);
/* fromjob_target.c: what one thread does to one file; all but the path and threads. */
void fromjob_target(const struct section *s, struct ds_target *t);
/* fromjob_span.c: what the time span has from a job. */
void fromjob_span(const struct section *s);

#endif
