/* rules.h: what the rules of resolve share. Private to job/. */
#ifndef RULES_H
#define RULES_H

#include <stdbool.h>
#include "job.h"

/* What the rules work on. */
struct rules {
	struct job_set *set;
	struct job *job;
	struct job_opts *o;
	struct diag *d;
};

/* "FILE:LINE: option=value: " and what is said of it: -EINVAL, or a note of the report. */
int refuse(struct rules *r, const char *option, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void note(struct rules *r, const char *option, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* As the section itself says it; NULL if it does not. */
const struct opt_given *own(const struct rules *r, const char *name);

static inline bool moves(const struct rules *r, unsigned dir)
{
	return r->o->offset.rw & 1u << dir;
}

/* resolve_rates.c */
int rule_rates(struct rules *r);
int rule_think(struct rules *r);

#endif
