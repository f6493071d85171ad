/* sync_count.h: counts writes for fsync=N, fdatasync=N and sync_file_range=FLAGS:N. */
#ifndef SYNC_COUNT_H
#define SYNC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

struct file;
struct fsync_cfg;
struct io;

struct written_range;

struct sync_count {
	bool on;                                            /* the job has one of these options */
	uint32_t since_fsync, since_fdatasync, since_range; /* writes issued since the last one */
	struct file *file;                                  /* the file written last: it gets the next sync */
	struct written_range *ranges;                       /* for each file, the range written since its last
							       sync_file_range; NULL: the job does not call it */
};

/* Returns false if memory is short. sync_count_fini() frees what was allocated, also after a failure. */
bool sync_count_init(struct sync_count *s, const struct fsync_cfg *cfg, uint32_t nfiles);
void sync_count_fini(struct sync_count *s);
/* Notes the range of a write. Only if s->ranges. */
void sync_count_note(struct sync_count *s, const struct io *io);
/* Fills in a sync_file_range for the file written last. It covers all bytes written to the file since its
   last sync_file_range. Only if s->ranges. */
void sync_count_fill_range(struct sync_count *s, struct io *io, unsigned flags);

static inline void sync_count_writes(struct sync_count *s, uint32_t n, struct file *last)
{
	s->since_fsync += n;
	s->since_fdatasync += n;
	s->file = last;
}

#endif
