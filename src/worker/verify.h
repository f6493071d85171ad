/* verify.h: verification in a worker. It numbers the writes and makes their blocks (verify_writes.c), reads
   them back once the job has written (verify_phase.c, verify_reads.c), and checks them (verify_checks.c). A
   job that does not verify has a NULL pointer here.

   Damage is counted and described in the slot (region.h); the job goes on to the last block unless
   verify_fatal is set, and then fails with EILSEQ. An I/O that failed, was not submitted or overlapped with
   another one in flight leaves its block uncertain: such a block is never called damaged. */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdbool.h>
#include <stdint.h>
#include "next_io.h"

struct io;
struct verify;
struct verify_slot;
struct worker;

/* Sets w->verify up if the job verifies, or writes blocks that can be verified. Call it once source and queue
   are set up. Returns false after clone_fail. */
bool verify_init(struct worker *w);
void verify_fini(struct worker *w);
/* Handles the n I/Os of w->q.reaped after they were accounted for: notes writes and trims that completed, and
   checks blocks that were read. */
void verify_after_batch(struct worker *w, unsigned n);

/* verify_phase.c: the phase that reads back what the job has written, at its end or when its writes pause. */

/* Call this when the job has written all its blocks: syncs the files, drops their cached pages, and makes the
   next run of the loop read. Returns false if the loop must not run: there is nothing to read, the job was
   stopped, or it has failed. */
bool verify_begin(struct worker *w);
/* Call this when the loop has read all blocks or was stopped. Fails the job if there was damage. */
void verify_end(struct worker *w);
/* Sets after how many I/Os the writes pause next (verify_backlog, trim_backlog). */
void verify_set_pause(struct worker *w);
/* Call these when the writes have paused: they do the same for a loop that has ended, or for a batch of the
   backlog. Afterwards the writes go on, unless the job has failed. */
bool verify_begin_pause(struct worker *w);
void verify_end_pause(struct worker *w);

/* verify_writes.c: the writes that can be verified: their numbers, their blocks, and their state. */

/* From now on each write of the job becomes a block that can be verified. */
void verify_writes_begin(struct worker *w);
/* Makes the block of this slot uncertain, whose write or trim failed, and makes the slot idle. */
void verify_write_failed(struct verify *v, struct verify_slot *s);
/* Forgets the blocks of a zone, or those behind its write pointer, also the ones of writes that failed. Call
   it before the zone is reset: a state that is saved must not have blocks that are gone. */
void verify_forget_zone(struct verify *v, uint32_t file, uint64_t offset, uint64_t bytes);
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

/* verify_reads.c: the I/Os of the loop while it verifies: reads of blocks, or trims before them
   (trim_percentage). */

/* Returns whether the loop verifies now, and does not run the job's own I/Os. */
bool verify_reading(const struct verify *v);
/* Fills in the next read, or trim. Only if verify_reading(). */
enum next_io_result verify_next(struct worker *w, struct io *io);

#endif
