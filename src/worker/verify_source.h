/* verify_source.h: which blocks a job has written, in the order in which it reads them back. With
   VERIFY_REPLAY they are drawn again; with VERIFY_MAP a map has the last write of each unit; with VERIFY_SCAN
   they are all blocks of the files. */
#ifndef VERIFY_SOURCE_H
#define VERIFY_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include "io_source.h"
#include "quota.h"
#include "verify_map.h"

/* verify_replay.c: draws the writes of a job again, in their order, from the seeds of its generators. */

struct verify_replay {
	const struct clone *clone;
	struct io_source source;
	struct quota quota;
	uint8_t *done;       /* files that are finished in this pass */
	enum io_dir pending; /* direction that was drawn at the end of a pass, for the next pass; DIR_COUNT:
				none */
};

/* A write that was drawn again. */
struct replayed_write {
	uint32_t file, bytes;
	uint64_t offset;
};

/* Begins at the first pass. Returns false if memory is short; call verify_replay_fini in any case. */
bool verify_replay_init(struct verify_replay *r, const struct clone *c);
void verify_replay_fini(struct verify_replay *r);
/* Draws the next write of the pass. Returns false at the end of the pass or of the job. */
bool verify_replay_next(struct verify_replay *r, struct replayed_write *write);
/* Begins the next pass. fresh: in a new order (time_based). */
void verify_replay_next_pass(struct verify_replay *r, bool fresh);
/* Draws the next write of a whole job without time_based: at the end of a pass it goes on with the next one.
   Returns false when the job has issued all its I/Os. */
bool verify_replay_next_of_job(struct verify_replay *r, struct replayed_write *write);

/* verify_source.c: */

/* A block, or the piece of it that later writes have left. */
struct verify_block_ref {
	uint64_t offset; /* of the whole block, in the file */
	uint32_t whole;  /* bytes of the whole block */
	uint32_t from;   /* where the piece that is left begins in the block */
	uint32_t bytes;  /* of this piece, or of the whole block */
	uint64_t number; /* of the write, from 0 */
	bool uncertain;  /* the write failed, or overlapped with another in flight: it may hold other data */
	uint64_t oldest_write; /* of an uncertain block: 1 + the oldest write of which it may hold data; 0:
				  not known */
	bool number_unknown;   /* the number of the last write is not known; the header has it */
	bool maybe_unwritten;  /* perhaps no block was ever written here */
	bool piece; /* the block's place and size are not known: offset and whole are the piece's */
};

/* VERIFY_REPLAY: consecutive writes that failed, or overlapped with one of an earlier pass in flight. */
struct uncertain_writes {
	uint64_t first, count;
};

struct verify_source {
	const struct clone *clone;
	const struct io_source *job_source; /* the job's own generators */
	enum verify_memory memory;
	uint64_t next_number;             /* of a write; also how many there were */
	uint64_t pass_first;              /* the first write of this pass, */
	uint64_t prev_first;              /* and of the pass before; UINT64_MAX: there was none */
	uint64_t passes;                  /* complete passes */
	uint64_t oldest;                  /* no write before this one is in flight */
	bool backlog;                     /* verify_backlog.c reads blocks while the job goes on writing */
	const struct verify_state *saved; /* of an earlier run, whose blocks are read; NULL: none */
	/* VERIFY_REPLAY: */
	struct verify_replay replay;
	bool replaying;
	struct verify_replay
		last_pass; /* saved: where the last pass ended; job_source points to its generators */
	bool has_last_pass;
	bool in_previous_pass; /* the walk draws the pass before the last one */
	uint64_t walk_writes;  /* writes of that pass that the walk has drawn */
	struct uncertain_writes *uncertain;
	size_t nuncertain, uncertain_cap;
	size_t sorted;      /* this many of the first are sorted; trims that failed since the walk began come
			       behind */
	bool all_uncertain; /* memory was short: any write may have failed */
	/* VERIFY_MAP: a map for each file, in one mapping. VERIFY_SCAN uses only the place of the walk. */
	struct verify_map *map;
	void *entries;
	size_t bytes;
	bool own_entries;        /* entries is this module's mapping */
	struct verify_undo undo; /* the entries that writes replaced, if the state is saved or was loaded */
	uint32_t walk_file;      /* place of the walk: the file, and the offset in it */
	uint64_t walk_offset;
	uint64_t backlog_number; /* the backlog has read all writes before this one */
};

/* entries: memory of `bytes` bytes for the maps and the undo log, which must outlive s; NULL: s allocates the
   maps, and there is no log. Returns false if memory is short; call verify_source_fini in any case. */
bool verify_source_init(struct verify_source *s, const struct clone *c, const struct io_source *job_source,
			void *entries, uint64_t bytes);
void verify_source_fini(struct verify_source *s);
/* Adds the next write, which gets the number s->next_number. uncertain: it overlaps with others in flight. */
void verify_source_add(struct verify_source *s, uint32_t file, const struct verify_block_ref *b,
		       bool uncertain);
/* Makes the block uncertain of a write that failed or was never submitted, or of a trim that failed. */
void verify_source_set_uncertain(struct verify_source *s, uint32_t file, const struct verify_block_ref *b);
/* Makes bytes uncertain that were trimmed, or whose trim failed. Only with VERIFY_MAP. */
void verify_source_trimmed(struct verify_source *s, uint32_t file, uint64_t offset, uint64_t bytes);
/* Forgets the writes of these bytes, which a reset of their zone removes. Only with VERIFY_MAP. */
void verify_source_forget(struct verify_source *s, uint32_t file, uint64_t offset, uint64_t bytes);
/* Begins another pass, with the next write. */
void verify_source_next_pass(struct verify_source *s);
/* Returns whether an earlier write of these bytes may still be in flight; false if certainly none is. */
bool verify_source_maybe_recent(const struct verify_source *s, uint32_t file, uint64_t offset,
				uint32_t bytes);

/* Makes the blocks those of an earlier run. Its maps are the entries of verify_source_init. */
void verify_source_load(struct verify_source *s, const struct verify_state *saved);
/* Finds the map entries of a block: where they begin in the memory of all entries, and their length, in
   bytes. Returns false if there are no maps. */
bool verify_source_entries(const struct verify_source *s, uint32_t file, const struct verify_block_ref *b,
			   uint64_t *at, uint64_t *bytes);

/* The writes of a place that may have left their data there, from the newest one back to the newest durable
 * one. */
struct verify_history {
	const struct verify_source *source;
	uint32_t file, entry;
	uint64_t index;       /* of the map entry */
	uint64_t last_number; /* the last write that was returned */
	uint64_t pending;     /* VERIFY_REPLAY: 1 + the durable write, which comes next */
	bool complete, ended; /* the durable write was reached; an older write is not known */
};

/* Begins with the last write of the bytes at `offset`, which belong to block b of an earlier run. */
void verify_source_history(const struct verify_source *s, struct verify_history *h, uint32_t file,
			   const struct verify_block_ref *b, uint64_t offset);
/* Returns the next write. Returns false at the end. */
bool verify_history_next(struct verify_history *h, uint64_t *number);

/* With a backlog: begins another loop, after all blocks have been read. */
void verify_source_next_loop(struct verify_source *s);
/* Makes verify_source_rewind begin at the first block, even if the backlog has taken it already. */
void verify_source_forget_backlog(struct verify_source *s);
/* Begins a walk over the blocks; with a backlog, over those that were not returned yet. Returns false if
   memory is short. */
bool verify_source_rewind(struct verify_source *s);
/* Returns the next block to read. Returns false at the end. */
bool verify_source_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b);

/* verify_unread.c: the number of blocks that a job has still to read back, for the report of a worker that is
   lost meanwhile. */

#define VERIFY_UNREAD_UNKNOWN UINT64_MAX

/* Returns the number while the job writes; VERIFY_UNREAD_UNKNOWN with a map, which would have to be searched.
   Takes constant time. */
uint64_t verify_unread_so_far(const struct verify_source *s);
/* Returns the number after verify_source_rewind: that of the blocks which verify_source_next will return. */
uint64_t verify_unread(const struct verify_source *s);

/* verify_backlog.c: the blocks that a job has written and not read back yet, oldest first (verify_backlog).

   With VERIFY_REPLAY the writes of the pass are drawn again. With VERIFY_MAP a ring has the last writes, and
   the map says which bytes of each later writes have left. If the ring is too small, which small batches
   (verify_backlog_batch) can cause, the oldest writes leave it unread. Then the verification at the end reads
   them and all later ones. */

struct backlog_write {
	uint64_t offset;
	uint32_t file, bytes;
};

struct verify_backlog {
	struct verify_source *source;
	uint64_t tail;         /* VERIFY_MAP: the oldest write that has not been read back */
	uint64_t piece_offset; /* where its bytes begin that have not been read back, in the file; 0: at its
				  offset */
	struct backlog_write *write;
	uint64_t capacity; /* writes in the ring; 0: no ring (VERIFY_REPLAY) */
	bool overflowed;   /* writes have left the ring unread */
};

/* Returns false if memory is short; call verify_backlog_fini in any case. */
bool verify_backlog_init(struct verify_backlog *b, struct verify_source *s, const struct clone *c);
void verify_backlog_fini(struct verify_backlog *b);
/* Adds the next write. Call it before verify_source_add. */
void verify_backlog_add(struct verify_backlog *b, uint32_t file, const struct verify_block_ref *block);
/* Returns the next block to read. Returns false if all have been read. */
bool verify_backlog_next(struct verify_backlog *b, uint32_t *file, struct verify_block_ref *block);
/* Begins another loop, after all blocks have been read. */
void verify_backlog_next_loop(struct verify_backlog *b);

#endif
