/* planned.h: options that parse, plan and print, and that a run does not know yet (opt_row.planned). */
#ifndef PLANNED_H
#define PLANNED_H

#include <stdbool.h>
#include "job.h"
#include "strbuf.h"

/* Whether the job has this option at another value than its default. */
bool planned_in_force(const struct job *job, const struct opt_row *row);
/* ", offset_shared=1, cooldown=5s" */
void planned_print(const struct job *job, struct strbuf *out);
/* 0, or -ENOTSUP with d: the first such option of the set, by its place. */
int planned_refuse(const struct job_set *set, struct diag *d);

/* Whether an option of this name is one that run does not know yet. */
bool planned_name(const char *name);

#endif
