/* tojob_section.h: one section of the job text and its lines. Private to tojob*.c. */
#ifndef DISKSPD_TOJOB_SECTION_H
#define DISKSPD_TOJOB_SECTION_H

#include "tojob.h"
#include "vec.h"

struct job_line {
	const char *text;
	bool section_only; /* stays in its section even if all sections have it */
	bool in_global;    /* in the first section: all sections have this line */
};

/* One target of one time span, or all targets of a pool. */
struct section {
	const struct ds_job_cfg *cfg;
	const struct ds_profile *profile;
	const struct ds_span *span;
	const struct ds_target *target;
	struct ds_job *out;
	size_t span_number;             /* number of the time span, from 1 */
	bool pool;                      /* the section has all targets that its threads use */
	unsigned first_thread, threads; /* pool: index of its first thread, and their number */
	char name[128];
	VEC(struct job_line) line;
	bool no_memory;     /* memory ran out */
	bool bad_character; /* a line has a line break or another control character */
};

/* Returns the weight of a target for the section's threads; 0: they do not use it. */
static inline unsigned section_weight(const struct section *s, const struct ds_target *t)
{
	return ds_thread_weight(t, s->first_thread);
}

/* Returns true if the threads of the span work on several targets (-F). */
static inline bool section_shares_threads(const struct section *s)
{
	return s->span->threads && s->span->ntargets > 1;
}

/* tojob_line.c: returns the number of the section's files, 1 or more; size= is for all of them together. */
unsigned section_files(const struct section *s);
/* Returns true if several sections share their threads, and so their engine (thread_group). */
bool section_grouped(const struct section *s);
/* tojob_section.c: fills s->line. Returns 0 or -errno with d. */
int section_lines(struct section *s, struct diag *d);

/* Returns the size of the target when the span begins; 0: unknown. */
uint64_t section_size(const struct section *s);

/* tojob_check.c. Returns the number of a CPU on Linux: DISKSPD counts in groups of 64. For a whole group this
   is its last CPU. */
unsigned section_cpu(const struct ds_cpu *c);
/* Check that a job file can express the sum of all threads, and the section. Return 0 or -EINVAL with d. */
int section_total(const struct ds_profile *p, struct diag *d);
int section_limits(const struct section *s, struct diag *d);

/* Each adds one job line. section_line: the line goes to [global] if all sections have it.
   section_line_local: it stays in this section. section_line_native: only fiord has the option; `from`
   is DISKSPD's flag, and a file for fio gets the comment `lost` instead. */
void section_line(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void section_line_local(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void section_line_native(struct section *s, const char *from, const char *lost, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds a comment about a small difference of fio, if the file is for fio. */
void section_fio_loss(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void section_note(struct section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* tojob_load.c: adds the lines about each I/O: pattern, sizes, rates. */
void load_lines(struct section *s);
/* tojob_place.c: adds the lines about processors, contents, seeds and reports. */
void place_lines(struct section *s);

#endif
