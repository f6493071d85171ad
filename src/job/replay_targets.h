/* replay_targets.h: which target each device of a replayed trace has: that of replay_map, else that of
   replay_redirect, else the file that the device names. Private to job/. */
#ifndef REPLAY_TARGETS_H
#define REPLAY_TARGETS_H

#include "replay.h"
#include "rules.h"
#include "vec.h"

struct replay_target {
	const char *path;
	bool named; /* by an option */
};

/* DEVICE=FILE of replay_map. */
struct replay_map_entry {
	const char *device;
	const char *path; /* "": its I/Os are left out */
	uint32_t target;  /* 1 + its number; 0: no I/O of it has come yet */
};

struct replay_targets {
	uint32_t *of_device; /* as replay_facts.target */
	VEC(struct replay_target) list;
	VEC(struct replay_map_entry) map;
	uint32_t redirect;    /* as replay_map_entry.target */
	const char *unmapped; /* the first device with I/Os for which there is no target */
};

/* Reads replay_map. Returns 0 or -errno with r->d; replay_targets_fini is right in either case. */
int replay_targets_init(struct replay_targets *x, struct rule_ctx *r);
void replay_targets_fini(struct replay_targets *x);
/* Sets the target of a device that has I/Os. Returns 0 or -ENOMEM with r->d. */
int replay_targets_add(struct replay_targets *x, struct rule_ctx *r, const struct trace *t, uint32_t device);
/* At the end of the pass: refuses devices without a target and names that the trace does not have, and sets
   the targets of the job. */
int replay_targets_set(const struct replay_targets *x, struct rule_ctx *r, const struct trace *t,
		       struct replay_facts *f);

#endif
