/* tojob_section.h: the lines of one section. Private to emit. */
#ifndef DISKSPD_TOJOB_SECTION_H
#define DISKSPD_TOJOB_SECTION_H

#include "tojob.h"

struct job_line {
	const char *text;
	bool section_only; /* in its section, even if all sections have it */
	bool in_global;    /* of the first section: all have it */
};

/* One target of one span, or, of a pool whose targets are alike, all of them. */
struct section {
	const struct ds_job_cfg *cfg;
	const struct ds_profile *profile;
	const struct ds_span *span;
	const struct ds_target *target;
	struct ds_job *out;
	size_t span_number;             /* of the span */
	bool pool;                      /* the targets that its threads use in one section */
	unsigned first_thread, threads; /* pool: the first of its threads, and how many */
	char name[128];
	struct {
		struct job_line *v;
		size_t n, cap;
	} line;
	bool no_memory;     /* memory is short */
	bool bad_character; /* a line has characters that would end it */
};

/* How often the section's threads take this target of the pool; 0: they do not use it. */
static inline unsigned section_weight(const struct section *s, const struct ds_target *t)
{
	return ds_thread_weight(t, s->first_thread);
}

/* Whether the threads of its span serve several targets (-F). */
static inline bool section_shares_threads(const struct section *s)
{
	return s->span->threads && s->span->targets > 1;
}

/* tojob_line.c. How many files it has, 1 or more. size= is what they have together. */
unsigned section_files(const struct section *s);
/* One of several sections that have the same threads (thread_group). */
bool section_grouped(const struct section *s);
/* tojob_section.c: fills s->line. 0 or -errno with d. */
int section_lines(struct section *s, struct diag *d);

/* How large the target will be when the span begins; 0: not known. */
uint64_t section_size(const struct section *s);

/* tojob_check.c: whether a job can say it. 0 or -EINVAL with d. */
int section_path(const char *path, struct diag *d);
/* Its number here: DISKSPD counts them in groups of 64. Of a whole group the last one. */
unsigned section_cpu(const struct ds_cpu *c);
int section_total(const struct ds_profile *p, struct diag *d);
int section_limits(const struct section *s, struct diag *d);

/* A line for [global] if all sections have it; for this section; one of fiord's own, which stands for `from`,
   and of which a plain file says `lost`. */
void section_line(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void section_line_local(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void section_line_native(struct section *s, const char *from, const char *lost, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Something that plain fio does a little differently, if the file is for fio. */
void section_fio_loss(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void section_note(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "64k": a size as options have it; in the job's memory. */
const char *section_size_text(struct section *s, uint64_t bytes);
/* The same as DISKSPD writes it: "64K". */
const char *section_diskspd_size(struct section *s, uint64_t bytes);

/* tojob_load.c: what each I/O is like, and when it comes. */
void load_lines(struct section *s);
/* tojob_place.c: where threads run, what they write, what is told. */
void place_lines(struct section *s);

#endif
