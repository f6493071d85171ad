/* resolve_replay.h: the parts of the first pass over a trace (resolve_replay.c). Private to job/. */
#ifndef RESOLVE_REPLAY_H
#define RESOLVE_REPLAY_H

#include "extents.h"
#include "replay.h"
#include "rules.h"
#include "vec.h"

/* replay_targets.c: which target each device of a replayed trace has: that of replay_map, else that of
   replay_redirect, else the file that the device names. */

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

/* replay_addresses.c: the parts of each target that the I/Os of a trace touch, for replay_address=compact. */

struct replay_addresses {
	VEC(struct extents) target; /* by number */
	size_t entries;             /* of all */
};

/* Adds an I/O, whose device is the number of its target. Returns 0 or -errno with r->d. */
int replay_addresses_add(struct replay_addresses *x, struct rule_ctx *r, const struct trace_event *e);
/* At the end of the pass: sets where the I/Os go, and in end[] where they then end. */
int replay_addresses_set(struct replay_addresses *x, struct rule_ctx *r, struct replay_facts *f,
			 uint64_t *end);
void replay_addresses_fini(struct replay_addresses *x);

/* replay_merge.c: merge_blktrace_file, merge_blktrace_scalars and merge_blktrace_iters: each file of
   read_iolog is a trace of its own. */

/* Sets s->merge if one of the options is given. Returns 0 or -errno with r->d. */
int replay_merge_set(struct rule_ctx *r, struct trace_source *s);

#endif
