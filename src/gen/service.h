/* service.h: which of a worker's files the next I/O goes to. Pure and seeded. */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdbool.h>
#include <stdint.h>
#include "rng.h"

enum service_kind { SERVICE_ROUNDROBIN, SERVICE_SEQUENTIAL, SERVICE_RANDOM };

struct service_cfg {
	enum service_kind kind;
	uint32_t ios; /* to one file before another's turn comes; 0: 1 */
};

struct service {
	enum service_kind kind;
	uint32_t files, ios;
	uint32_t next; /* the file to try first */
	uint32_t left; /* I/Os until its turn is over */
	/* SERVICE_RANDOM: the files that are not done, in no order, and where each stands among them. */
	uint32_t *alive, *place, nalive;
	/* How often each file is drawn, and the sums of that over alive; NULL: all alike. */
	uint32_t *weight;
	uint64_t *sum;
	struct rng rng;
};

/* False when memory is short; service_fini in any case. */
bool service_init(struct service *s, const struct service_cfg *cfg, uint32_t files, uint64_t seed);
void service_fini(struct service *s);
/* SERVICE_RANDOM: from now on files are drawn by weight, each 1 or more. weight has one for each file and is
   the caller's. False when memory is short. */
bool service_weigh(struct service *s, const uint32_t *weight);
/* Another pass: no file is done. */
void service_restart(struct service *s);
/* For service_took alone. */
void service_turn(struct service *s, uint32_t file);
/* There is nothing left to do in this file: its turn is over. The file to try instead. */
uint32_t service_done(struct service *s, uint32_t file);

/* What the file has just got has a second half, which goes there, too. */
void service_stay(struct service *s, uint32_t file);

/* The file to try when this one is busy. */
static inline uint32_t service_after(const struct service *s, uint32_t file)
{
	return file + 1 == s->files ? 0 : file + 1;
}

/* This file got an I/O. */
static inline void service_took(struct service *s, uint32_t file)
{
	if (s->ios == 1 && s->kind == SERVICE_ROUNDROBIN)
		s->next = service_after(s, file);
	else
		service_turn(s, file);
}

#endif
