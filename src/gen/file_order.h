/* file_order.h: chooses the file of a worker's next I/O (file_service_type). Pure and seeded. */
#ifndef FILE_ORDER_H
#define FILE_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include "rng.h"
#include "skew.h"

enum file_order_kind {
	FILE_ORDER_ROUNDROBIN,
	FILE_ORDER_SEQUENTIAL,
	FILE_ORDER_RANDOM,
	FILE_ORDER_ZIPF,
	FILE_ORDER_PARETO,
	FILE_ORDER_NORMAL
};

struct file_order_cfg {
	enum file_order_kind kind;
	uint32_t ios;         /* I/Os to a file before the next one's turn; 0: 1 */
	struct skew_cfg skew; /* zipf, pareto and normal */
};

struct file_order {
	enum file_order_kind kind;
	uint32_t files, ios;
	uint32_t next; /* the file to try first */
	uint32_t left; /* I/Os left of its turn */
	/* FILE_ORDER_RANDOM: the files that are not done, unordered, and the position of each in that
	   list. */
	uint32_t *active, *position;
	uint32_t nactive; /* files that are not done, if files are drawn */
	/* The weight of each file, and the running sums of weights over active; NULL: all equal. */
	uint32_t *weight;
	uint64_t *sum;
	/* zipf, pareto and normal: draws files in the order of the list. If the drawn file is done, successor
	   leads to the next one that is not, perhaps by way of other files that are done. NULL: not
	   skewed. */
	struct skew *skew;
	struct skew_batch *batch;
	uint32_t *successor;
	struct rng rng;
};

static inline bool file_order_skewed(enum file_order_kind kind)
{
	return kind >= FILE_ORDER_ZIPF;
}

/* Returns whether files are drawn at random. */
static inline bool file_order_drawn(enum file_order_kind kind)
{
	return kind >= FILE_ORDER_RANDOM;
}

/* Returns false if memory is short; call file_order_fini in any case. */
bool file_order_init(struct file_order *s, const struct file_order_cfg *cfg, uint32_t files, uint64_t seed);
void file_order_fini(struct file_order *s);
/* FILE_ORDER_RANDOM: from now on files are drawn by weight. weight has a value of 1 or more for each file;
   the function copies it. Returns false if memory is short. */
bool file_order_set_weights(struct file_order *s, const uint32_t *weight);
/* Begins another pass, in which no file is done. */
void file_order_restart(struct file_order *s);
/* For file_order_advance only. */
void file_order_use_turn(struct file_order *s, uint32_t file);
/* Records that the file is done, which ends its turn. Returns the file to try instead. */
uint32_t file_order_done(struct file_order *s, uint32_t file);

/* Makes the next I/O go to this file, too, because it is the second half of a pair. */
void file_order_repeat(struct file_order *s, uint32_t file);

/* Returns the file to try if this one is busy. */
static inline uint32_t file_order_after(const struct file_order *s, uint32_t file)
{
	return file + 1 == s->files ? 0 : file + 1;
}

/* Records that this file got an I/O. */
static inline void file_order_advance(struct file_order *s, uint32_t file)
{
	if (s->ios == 1 && s->kind == FILE_ORDER_ROUNDROBIN)
		s->next = file_order_after(s, file);
	else
		file_order_use_turn(s, file);
}

#endif
