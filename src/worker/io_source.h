/* io_source.h: the source of the job's I/Os: the offset generators of each file, the order of files, the mix
   of directions, and the contents of writes. */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "clone.h"
#include "content.h"
#include "dir.h"
#include "file_order.h"
#include "io.h"
#include "mix.h"
#include "offset.h"
#include "zones.h"

struct io_source;
struct iobuf;
struct thread_group;
struct worker;

/* thread_group.c: a worker of a thread_group. The section of an I/O's file sets its direction, offset and
   contents.

   Either each file has its own I/Os in flight, and an I/O stays with its file; or the I/Os are one pool, and
   each idle I/O draws a file, which it keeps while it waits for that file's rate. */

/* Called once the buffers are allocated. Sets *group to NULL if the job is one section. Returns false if
   memory is short. */
bool thread_group_init(struct thread_group **group, const struct clone *c, const struct iobuf *bufs);
/* group may be NULL. */
void thread_group_fini(struct thread_group *t);
/* Returns the file of this idle I/O. */
uint32_t thread_group_file(struct thread_group *t, struct file_order *order, const struct io *io);
/* The current file has no I/O that is due. If files take turns, picks another file for this I/O. Returns the
   same as schedule_next; w->sched.due_ns is the earliest due time of all files. */
enum io_dir thread_group_try_others(struct worker *w, const struct io *io, uint64_t now, uint64_t *due);
/* Returns the mixer of the file. */
struct mixer *thread_group_mix(const struct thread_group *t, uint32_t file);
/* Fills in the next I/O of the current file. Returns false if that file has no more I/Os. */
bool thread_group_take(struct io_source *s, struct io *io, enum io_dir dir);
/* Returns the contents of the file's writes, or NULL if the job does not write the file. */
struct content *thread_group_content(const struct thread_group *t, uint32_t file);

/* io_source.c: */

/* Offsets that were drawn for a plain job of depth 1 and not issued yet: offset[at] to offset[n - 1]. */
#define IO_ROW_MAX 32

struct io_row {
	unsigned at, n;
	uint64_t offset[IO_ROW_MAX];
};

struct io_source {
	unsigned char *gens; /* struct offset_gen, gens_per_file for each file; see io_source_gen() */
	void *gens_memory;   /* the allocation that holds gens */
	size_t gen_bytes;
	struct skew_table skews;
	struct file_zones *zones; /* zonemode=zbd: the zones of each file; else NULL */
	uint32_t nzones;
	bool zone_commands; /* they are zones of a device: completed writes must be passed on (zones_io_done)
			     */
	bool zone_wait;     /* the next write waits for another worker */
	bool zone_rows;     /* depth 1: writes are drawn in rows in one zone (next_io_zoned) */
	bool zone_single;   /* the last write is in no row, and must be passed on */
	uint32_t gens_per_file; /* seq_per_slot: one for each I/O in flight; else 1 */
	uint32_t slot_mask;     /* seq_per_slot: all bits; else 0 */
	uint32_t trim_ranges;   /* num_range, where a trim has several; else 0 */
	uint32_t file_depth;    /* iodepth_per_file: I/Os in flight of each file; thread_group: 1; else 0 */
	uint32_t current_file;  /* the file that most likely gets the next I/O */
	struct file_order file_order;
	bool files_begin_anew; /* a file that has no I/O left begins another pass by itself, so that it keeps
				  its share */
	struct thread_group *thread_group; /* NULL: the job is one section */
	struct mixer mix;
	struct content *content; /* of the next write: the worker's content, or that of the file's section */
	bool dir_by_file; /* the direction depends on the file: runs of reads and writes, or thread_group */
	/* The fast path (next_io_fast.c): */
	bool fast_ok;
	bool uniform;            /* consecutive I/Os differ in offset and direction only */
	uint64_t fast_left;      /* I/Os that the fast path may take before next_io_any is needed */
	enum io_dir pending_dir; /* drawn for an I/O that the fast path could not take; DIR_COUNT: none */
	struct io_row row;
};

/* Sets up the generators. on_open: only those of the first file; the caller calls io_source_begin_file when
   it opens another file. Returns false if memory is short. */
bool io_source_init(struct io_source *s, const struct clone *c, bool on_open);
/* Sets up the generators of one file, before its first I/O. Files without I/O cost no memory. Returns false
   if memory is short. */
bool io_source_begin_file(struct io_source *s, const struct clone *c, uint32_t file);
void io_source_fini(struct io_source *s);
/* Sets the length of a file that is shorter than planned. *len becomes the length that gets I/Os: 0 if the
   file is shorter than one block. Returns false if memory is short. */
bool io_source_limit(struct io_source *s, const struct clone *c, uint32_t file, uint64_t *len);

static inline struct offset_gen *io_source_gen(const struct io_source *s, uint32_t file, uint32_t slot)
{
	return (struct offset_gen *)(void *)(s->gens +
					     ((size_t)file * s->gens_per_file + slot) * s->gen_bytes);
}

/* Returns the mixer of the section that issues the next I/O. */
static inline struct mixer *io_source_mix(struct io_source *s)
{
	return __builtin_expect(s->thread_group != NULL, 0)
		       ? thread_group_mix(s->thread_group, s->current_file)
		       : &s->mix;
}

/* Draws the direction of the next I/O. */
static inline enum io_dir io_source_dir(struct io_source *s)
{
	if (__builtin_expect(s->dir_by_file, 0)) {
		struct offset_gen *g = io_source_gen(s, s->current_file, 0);
		struct mixer *m = io_source_mix(s);

		return offset_has_runs(g) ? offset_draw_run_dir(g, m) : mix_next(m);
	}
	return mix_next(&s->mix);
}

/* Returns the file of this idle I/O. For jobs with iodepth_per_file or thread_group. */
static inline uint32_t io_source_file(struct io_source *s, const struct io *io)
{
	return s->thread_group ? thread_group_file(s->thread_group, &s->file_order, io)
			       : io->index / s->file_depth;
}

#endif
