/* surroundings.h: what lies below the targets of a plan, looked at before the run. */
#ifndef SURROUNDINGS_H
#define SURROUNDINGS_H

#include "diskstat.h"
#include "plan.h"
#include "result.h"
#include "storage.h"

struct surroundings {
	struct around {
		const struct plan_target *first; /* of those that lie on it */
		uint64_t targets;
		struct storage storage;
	} * v;
	size_t n, cap;
};

/* Best effort: what memory is short for is missing. */
void surroundings_probe(struct surroundings *s, const struct plan *p);
void surroundings_fini(struct surroundings *s);
/* Targets and plan into the result. */
void surroundings_tell(const struct surroundings *s, const struct plan *p, struct result *r);

/* The first look at the disks below the targets of those jobs; NULL: there are none, or memory is short. */
struct diskstat *surroundings_disks(const struct plan *p,
				    bool (*wanted)(const struct plan_job *pj, const void *arg),
				    const void *arg);

/* What makes a write to the target durable ("fua", "flush", "neither"); NULL: not known. */
const char *surroundings_durable(const struct surroundings *s, const struct target_facts *f);

#endif
