/* target_storage.h: file systems, devices and disks below the targets of a plan, read before the run. */
#ifndef TARGET_STORAGE_H
#define TARGET_STORAGE_H

#include "diskstat.h"
#include "plan.h"
#include "result.h"
#include "storage.h"

struct target_storage {
	struct target_storage_entry {
		const struct plan_target *first; /* the first target on this storage */
		uint64_t targets;                /* how many are on it */
		struct storage storage;
	} * v;
	size_t n, cap;
};

/* Best effort: without memory, entries are missing. *s is zeroed. */
void target_storage_probe(struct target_storage *s, const struct plan *p);
/* Adds the health of NVMe disks before or after the run: see nvme.h. */
void target_storage_health(struct target_storage *s, bool after);
void target_storage_fini(struct target_storage *s);
/* Adds the entries to the result. */
void target_storage_result(const struct target_storage *s, struct result *r);

/* Returns 1 + the index of the target's storage among the entries; 0 if it has none. */
unsigned target_storage_number(const struct target_storage *s, const struct target_facts *f);

/* Begins to count the I/Os of the disks below the targets of the wanted jobs (wanted NULL: of all). Returns
   NULL if there are no disks or memory is short; the caller calls diskstat_free. */
struct diskstat *target_storage_disks(const struct plan *p,
				      bool (*wanted)(const struct plan_job *pj, const void *arg),
				      const void *arg);

/* Returns the method that makes a write to the target durable ("fua", "flush", "neither"); NULL if it is not
   known. */
const char *target_storage_durable(const struct target_storage *s, const struct target_facts *f);

#endif
