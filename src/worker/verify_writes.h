/* verify_writes.h: the writes that can be verified: their numbers, their blocks, and their state. */
#ifndef VERIFY_WRITES_H
#define VERIFY_WRITES_H

#include <stdbool.h>

struct io;
struct verify;
struct verify_slot;
struct worker;

/* From now on each write of the job becomes a block that can be verified. */
void verify_writes_begin(struct worker *w);
/* Makes the block of this slot uncertain, whose write or trim failed, and makes the slot idle. */
void verify_write_failed(struct verify *v, struct verify_slot *s);
/* Returns whether verify_before_submit must be called: the state of the writes is saved, or the job only
   reads, and its later passes reach more blocks than the first one. */
bool verify_watches_submits(const struct verify *v);
/* Saves the state with the n new I/Os, or notes reads of later passes. Returns false after clone_fail: they
   must not be submitted. */
bool verify_before_submit(struct worker *w, struct io *const *ios, unsigned n);
/* Notes that all files were synced while nothing was in flight. */
void verify_files_synced(struct verify *v);
/* Notes the end of a pass over the files. Later writes, or reads, belong to another pass. drawn_bytes is the
   sum of all I/Os so far. */
void verify_next_pass(struct verify *v, uint64_t drawn_bytes);

#endif
