/* verify_save.h: saves the state of a job's verified writes while the job runs (gen/verify_state.h). */
#ifndef VERIFY_SAVE_H
#define VERIFY_SAVE_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_state_file.h"

struct clone;
struct io;
struct verify_block_ref;
struct verify_source;

struct verify_save {
	bool on;
	bool synced; /* verify_state_sync: the state is synced to its disk before each batch of writes */
	struct verify_state_file file;
	uint64_t pass;       /* the pass that goes on, from 0 */
	uint64_t undo_at;    /* where the undo log begins, behind the maps */
	uint64_t undo_saved; /* synced: records of the undo log that are in the file */
};

/* Creates the file if the job saves its state. Returns false after clone_fail. */
bool verify_save_init(struct verify_save *s, struct clone *c);
/* Returns the memory for the maps of the writes; NULL if the state has none. */
void *verify_save_map(const struct verify_save *s);
void verify_save_fini(struct verify_save *s, struct clone *c);

/* The following functions do nothing unless s->on. */

/* Saves a write that is about to be submitted. verify_source_add has added it to `source`. Returns false
   after clone_fail. */
bool verify_save_write(struct verify_save *s, struct clone *c, uint32_t slot, uint32_t file,
		       const struct verify_block_ref *b, const struct verify_source *source);
/* Notes an fsync or fdatasync that is about to be submitted, after all writes of its batch. Ignores other
   I/Os. */
void verify_save_fsync(struct verify_save *s, const struct io *io);
/* Completes the state of a batch, which may then be submitted. Returns false after clone_fail. */
bool verify_save_submit(struct verify_save *s, struct clone *c);
/* Saves the end of the write of this slot. whole: it completed; otherwise it failed. */
void verify_save_done(struct verify_save *s, uint32_t slot, bool whole);
/* Saves the result of an fsync or fdatasync; ignores other I/Os. */
void verify_save_fsync_done(struct verify_save *s, const struct io *io);
/* Saves that all files were synced while nothing was in flight. */
void verify_save_all_synced(struct verify_save *s);
/* Saves that another pass begins with the write `first`, the next one. */
void verify_save_next_pass(struct verify_save *s, uint64_t first);

#endif
