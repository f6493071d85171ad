/* target_storage.h: what lies below the targets of a plan, looked at before the run. */
#ifndef TARGET_STORAGE_H
#define TARGET_STORAGE_H

#include "diskstat.h"
#include "plan.h"
#include "result.h"
#include "storage.h"

struct target_storage {
	struct target_storage_entry {
		const struct plan_target *first; /* of those that lie on it */
		uint64_t targets;
		struct storage storage;
	} * v;
	size_t n, cap;
};

/* Best effort: what memory is short for is missing. */
void target_storage_probe(struct target_storage *s, const struct plan *p);
void target_storage_fini(struct target_storage *s);
/* Targets and plan into the result. */
void target_storage_tell(const struct target_storage *s, const struct plan *p, struct result *r);

/* The first look at the disks below the targets of those jobs; NULL: there are none, or memory is short. */
struct diskstat *target_storage_disks(const struct plan *p,
				      bool (*wanted)(const struct plan_job *pj, const void *arg),
				      const void *arg);

/* What makes a write to the target durable ("fua", "flush", "neither"); NULL: not known. */
const char *target_storage_durable(const struct target_storage *s, const struct target_facts *f);

#endif
