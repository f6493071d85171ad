/* emit_section.h: the lines of one section. Private to emit. */
#ifndef DISKSPD_EMIT_SECTION_H
#define DISKSPD_EMIT_SECTION_H

#include "emit.h"

struct job_line {
	const char *text;
	bool stays;  /* in its section, even if all sections have it */
	bool common; /* of the first section: all have it */
};

/* One target of one span, or, of a pool whose targets are alike, all of them. */
struct section {
	const struct ds_job_cfg *cfg;
	const struct ds_profile *profile;
	const struct ds_span *span;
	const struct ds_target *t;
	struct ds_job *out;
	size_t number;            /* of the span */
	bool pool;                /* the targets that its threads use in one section */
	unsigned thread, threads; /* pool: the first of its threads, and how many */
	char name[128];
	struct {
		struct job_line *v;
		size_t n, cap;
	} line;
	bool failed; /* memory is short */
	bool broken; /* a line has characters that would end it */
};

/* How often the section's threads take this target of the pool; 0: they do not use it. */
static inline unsigned section_weight(const struct section *s, const struct ds_target *t)
{
	return ds_weight(t, s->thread);
}

/* Whether the threads of its span serve several targets (-F). */
static inline bool section_shares_threads(const struct section *s)
{
	return s->span->threads && s->span->targets > 1;
}

/* emit_line.c. How many files it has, 1 or more. size= is what they have together. */
unsigned section_files(const struct section *s);
/* One of several sections that have the same threads (thread_group). */
bool section_grouped(const struct section *s);
/* emit_section.c: fills s->line. 0 or -errno with d. */
int section_lines(struct section *s, struct diag *d);

/* How large the target will be when the span begins; 0: not known. */
uint64_t section_size(const struct section *s);

/* emit_check.c: whether a job can say it. 0 or -EINVAL with d. */
int section_path(const char *path, struct diag *d);
/* Its number here: DISKSPD counts them in groups of 64. Of a whole group the last one. */
unsigned section_cpu(const struct ds_cpu *c);
int section_total(const struct ds_profile *p, struct diag *d);
int section_limits(const struct section *s, struct diag *d);

/* A line for [global] if all sections have it; for this section; one of fiord's own, which stands for `from`,
   and of which a plain file says `lost`. */
void line_any(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void line_here(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void line_own(struct section *s, const char *from, const char *lost, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Something that plain fio does a little differently, if the file is for fio. */
void line_near(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void line_note(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "64k": a size as options have it; in the job's memory. */
const char *line_size(struct section *s, uint64_t bytes);
/* The same as DISKSPD writes it: "64K". */
const char *line_dsize(struct section *s, uint64_t bytes);

/* emit_load.c: what each I/O is like, and when it comes. */
void load_lines(struct section *s);
/* emit_place.c: where threads run, what they write, what is told. */
void place_lines(struct section *s);

#endif
