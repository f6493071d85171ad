/* verify_damage.h: counts and describes damaged blocks. */
#ifndef VERIFY_DAMAGE_H
#define VERIFY_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include "region_verify.h"

struct verify_damage;
struct worker;

struct verify_damages {
	struct region_verify *to;
	uint64_t fatal; /* damaged blocks that fail the job, because continue_on_error does not cover them */
};

/* Adds a damaged block of a file. Fails the job if verify_fatal is set. */
void verify_damages_add(struct verify_damages *v, struct worker *w, uint32_t file,
			const struct verify_damage *d);
/* Adds further damaged blocks, without saying where they are. */
void verify_damages_add_more(struct verify_damages *v, struct worker *w, uint64_t blocks);
/* Adds this many damaged blocks of a file, which lie somewhere in the range of *d. */
void verify_damages_add_some(struct verify_damages *v, struct worker *w, uint32_t file,
			     const struct verify_damage *d, uint64_t blocks);
/* Fails the job if v->fatal is not 0. */
void verify_damages_end(struct verify_damages *v, struct worker *w);

#endif
