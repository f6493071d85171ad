/* file_order.h: which of a worker's files the next I/O goes to. Pure and seeded. */
#ifndef FILE_ORDER_H
#define FILE_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include "rng.h"

enum file_order_kind { FILE_ORDER_ROUNDROBIN, FILE_ORDER_SEQUENTIAL, FILE_ORDER_RANDOM };

struct file_order_cfg {
	enum file_order_kind kind;
	uint32_t ios; /* to one file before another's turn comes; 0: 1 */
};

struct file_order {
	enum file_order_kind kind;
	uint32_t files, ios;
	uint32_t next; /* the file to try first */
	uint32_t left; /* I/Os until its turn is over */
	/* FILE_ORDER_RANDOM: the files that are not done, in no order, and where each stands among them. */
	uint32_t *alive, *place, nalive;
	/* How often each file is drawn, and the sums of that over alive; NULL: all alike. */
	uint32_t *weight;
	uint64_t *sum;
	struct rng rng;
};

/* False when memory is short; file_order_fini in any case. */
bool file_order_init(struct file_order *s, const struct file_order_cfg *cfg, uint32_t files, uint64_t seed);
void file_order_fini(struct file_order *s);
/* FILE_ORDER_RANDOM: from now on files are drawn by weight, each 1 or more. weight has one for each file and
   is the caller's. False when memory is short. */
bool file_order_set_weights(struct file_order *s, const uint32_t *weight);
/* Another pass: no file is done. */
void file_order_restart(struct file_order *s);
/* For file_order_advance alone. */
void file_order_turn(struct file_order *s, uint32_t file);
/* There is nothing left to do in this file: its turn is over. The file to try instead. */
uint32_t file_order_done(struct file_order *s, uint32_t file);

/* What the file has just got has a second half, which goes there, too. */
void file_order_repeat(struct file_order *s, uint32_t file);

/* The file to try when this one is busy. */
static inline uint32_t file_order_after(const struct file_order *s, uint32_t file)
{
	return file + 1 == s->files ? 0 : file + 1;
}

/* This file got an I/O. */
static inline void file_order_advance(struct file_order *s, uint32_t file)
{
	if (s->ios == 1 && s->kind == FILE_ORDER_ROUNDROBIN)
		s->next = file_order_after(s, file);
	else
		file_order_turn(s, file);
}

#endif
