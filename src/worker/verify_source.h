/* verify_source.h: which blocks a job has written, in the order in which it reads them back. With
   VERIFY_REPLAY they are drawn again; with VERIFY_MAP a map has the last write of each unit; with VERIFY_SCAN
   they are all blocks of the files. */
#ifndef VERIFY_SOURCE_H
#define VERIFY_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_map.h"
#include "verify_replay.h"
#include "verify_undo.h"

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
	bool backlog;                     /* verify_backlog.h reads blocks while the job goes on writing */
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

#endif
