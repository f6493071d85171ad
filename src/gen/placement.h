/* placement.h: chooses where a device places the data of each write: by a placement id of NVMe, or by a write
   stream of Linux. Pure and seeded. A job has a list of ids or streams; each has a position in this list. */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include <stddef.h>
#include <stdint.h>
#include "rng.h"

struct arena;
struct diag;

enum placement_kind { PLACEMENT_NONE, PLACEMENT_FDP, PLACEMENT_STREAMS };
enum placement_select { PLACEMENT_ROUNDROBIN, PLACEMENT_RANDOM, PLACEMENT_SCHEME };

#define PLACEMENT_IDS  128 /* of a job, and of a device */
#define PLACEMENT_MOST 65535u

/* A line of dp_scheme: the position for writes that begin in these bytes of the target. */
struct placement_range {
	uint64_t start, end;
	uint32_t position;
	unsigned line; /* of the file */
};

struct placement_set {
	enum placement_select select;
	uint32_t n;                    /* 0: all that the device has */
	uint16_t plid[PLACEMENT_IDS];  /* FDP: numbers in the device's list of ids; else the streams */
	struct placement_range *range; /* of dp_scheme: in order, without overlaps */
	size_t nranges;
};

struct placement_gen {
	const struct placement_set *set;
	struct rng rng;
	uint32_t next;
};

/* Reads numbers and ranges, "0,2-4", each number once. Returns 0, or -EINVAL with d filled. */
int placement_list_parse(struct placement_set *s, const char *text, struct diag *d);
/* Reads the text of a dp_scheme: lines of START, END, PLID. The ranges are in the arena. Returns 0, or -errno
   with d filled: the message begins with "PATH:LINE". */
int placement_scheme_parse(struct placement_set *s, struct arena *a, const char *text, const char *path,
			   struct diag *d);
void placement_init(struct placement_gen *g, const struct placement_set *set, uint64_t seed);
/* Returns the position of the next write's id; set->n if the scheme has no line for this offset. */
uint32_t placement_next(struct placement_gen *g, uint64_t offset);

#endif
