/* io_source.h: the source of the job's I/Os: the offset generators of each file, the order of files, the mix
   of directions, and the contents of writes. */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "content.h"
#include "file_order.h"
#include "mix.h"
#include "offset.h"

struct thread_group;
struct worker;

struct io_source {
	unsigned char *gens; /* struct offset_gen, gens_per_file for each file; see io_source_gen() */
	size_t gen_bytes;
	uint32_t gens_per_file; /* seq_per_slot: one for each I/O in flight; else 1 */
	uint32_t slot_mask;     /* seq_per_slot: all bits; else 0 */
	uint32_t own_depth;     /* iodepth_per_file: I/Os in flight of each file; thread_group: 1; else 0 */
	uint32_t turn;          /* the file that most likely gets the next I/O */
	struct file_order file_order;
	struct thread_group *thread_group; /* NULL: the job is one section */
	struct mixer mix;
	struct content *content; /* of the next write: the worker's content, or that of the file's section */
	bool runs; /* the direction depends on the file: runs of reads and writes, or thread_group */
	/* The fast path (next_io_fast.c): */
	bool fast_ok;
	bool row_ok;          /* consecutive I/Os differ in offset and direction only */
	uint64_t fast_left;   /* I/Os that the fast path may take before next_io_any is needed */
	enum io_dir held_dir; /* direction of an I/O that the fast path could not take; DIR_COUNT: none */
};

static inline struct offset_gen *io_source_gen(const struct io_source *s, uint32_t file, uint32_t slot)
{
	return (struct offset_gen *)(void *)(s->gens +
					     ((size_t)file * s->gens_per_file + slot) * s->gen_bytes);
}

/* Sets up the generators. Returns false if memory is short. */
bool io_source_init(struct worker *w);
void io_source_fini(struct worker *w);
/* Sets the end of the job: each loop moves loop_bytes, and all loops together at most number_ios I/Os. */
void quota_set(struct worker *w, uint64_t loop_bytes);
/* Sets the length of a file that is shorter than planned. A file shorter than one block gets no I/O. */
void io_source_fit(struct worker *w, uint32_t file, uint64_t len);

#endif
