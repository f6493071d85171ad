/* verify_source.h: which blocks a job has written, in the order in which it reads them back. With
   VERIFY_REPLAY they are drawn again; with VERIFY_MAP a map has the last write of each unit; with VERIFY_SCAN
   they are all blocks of the files. */
#ifndef VERIFY_SOURCE_H
#define VERIFY_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_map.h"
#include "verify_replay.h"

/* A block, or what later writes have left of it. */
struct verify_block_ref {
	uint64_t offset; /* of the whole block, in the file */
	uint32_t whole;  /* bytes of the whole block */
	uint32_t from;   /* where the part that is left begins in it */
	uint32_t bytes;  /* of this part */
	uint64_t number; /* of the write, from 0 */
	bool open;       /* the write failed, or overlapped with another in flight: it may hold other data */
	uint64_t since;  /* open: it holds nothing of writes before this one; 0: not known */
	bool any_number; /* of several writes any may have been the last one: the header says which */
	bool may_lack;   /* perhaps nothing was ever written here */
	bool piece; /* beginning and size of its block are not known: offset and whole are those of the piece
		     */
};

/* VERIFY_REPLAY: consecutive writes that failed, or overlapped with one of an earlier pass in flight. */
struct lost_writes {
	uint64_t first, count;
};

struct verify_source {
	const struct clone *clone;
	const struct io_source *live; /* the job's own generators */
	enum verify_memory memory;
	uint64_t made;                    /* writes so far: the number of the next one */
	uint64_t pass_first;              /* the first write of this pass, */
	uint64_t prev_first;              /* and of the pass before; UINT64_MAX: there was none */
	uint64_t passes;                  /* complete ones */
	uint64_t oldest;                  /* no older write is in flight */
	bool backlog;                     /* verify_backlog.h reads blocks while the job goes on writing */
	const struct verify_state *saved; /* of an earlier run, whose blocks are read; NULL: none */
	/* VERIFY_REPLAY: */
	struct verify_replay replay;
	bool replaying;
	struct verify_replay last; /* saved: where the last pass ended; live points to its generators */
	bool has_last;
	bool before;    /* it draws the pass before the last one */
	uint64_t drawn; /* writes of this pass that were drawn again */
	struct lost_writes *lost;
	size_t nlost, room;
	size_t sorted; /* the first of them; trims that failed since the walk began come behind */
	bool all_open; /* memory was short: any write may have failed */
	/* VERIFY_MAP: one for each file, in one mapping. With VERIFY_SCAN only the walk. */
	struct verify_map *map;
	void *entries;
	size_t bytes;
	bool own_entries; /* entries is this module's mapping */
	uint32_t file;    /* of the walk, and its offset */
	uint64_t at;
	uint64_t read_back; /* verify_backlog has read all older writes */
};

/* entries: memory for the maps, which outlives s, or NULL. Returns false if memory is short; call
   verify_source_fini in any case. */
bool verify_source_init(struct verify_source *s, const struct clone *c, const struct io_source *live,
			void *entries);
void verify_source_fini(struct verify_source *s);
/* Adds the next write. open: it overlaps with others in flight. */
void verify_source_add(struct verify_source *s, uint32_t file, const struct verify_block_ref *b, bool open);
/* This write failed, or was never submitted. */
void verify_source_lost(struct verify_source *s, uint32_t file, const struct verify_block_ref *b);
/* These bytes were trimmed, or a trim of them failed. Only with VERIFY_MAP. */
void verify_source_trimmed(struct verify_source *s, uint32_t file, uint64_t offset, uint64_t bytes);
/* The next write is the first one of another pass. */
void verify_source_next_pass(struct verify_source *s);
/* Returns whether a write of these bytes may still be in flight. */
bool verify_source_maybe_recent(const struct verify_source *s, uint32_t file, uint64_t offset,
				uint32_t bytes);

/* From now on the blocks are those of an earlier run. Its maps are the entries of verify_source_init. */
void verify_source_load(struct verify_source *s, const struct verify_state *saved);
/* Finds the map entries of a block: where they begin in the memory of all entries, and their length, in
   bytes. Returns false if there are no maps. */
bool verify_source_entries(const struct verify_source *s, uint32_t file, const struct verify_block_ref *b,
			   uint64_t *at, uint64_t *bytes);

/* With verify_backlog: all blocks have been read, and another loop begins. */
void verify_source_next_loop(struct verify_source *s);
/* From now on rewinding begins at the first block again, whatever the backlog has taken. */
void verify_source_forget_backlog(struct verify_source *s);
/* Begins to return the blocks; with verify_backlog those that were not returned yet. Returns false if memory
 * is short. */
bool verify_source_rewind(struct verify_source *s);
/* Returns the next block to read. Returns false at the end. */
bool verify_source_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b);

#endif
