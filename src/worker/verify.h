/* verify.h: verification in a worker. It numbers the writes and makes their blocks, reads them back once the
   job has written, and checks them. A job that does not verify has a NULL pointer here.

   Damage is counted and described in the slot (region_verify.h); the job goes on to the last block unless
   verify_fatal is set, and then fails with EILSEQ. An I/O that failed, was not submitted or overlapped with
   another one in flight leaves its block open: an open block is never called damaged. */
#ifndef WORKER_VERIFY_H
#define WORKER_VERIFY_H

#include <stdbool.h>
#include "next_io.h"

struct verify;
struct worker;

/* Sets w->verify up if the job verifies, or writes blocks that can be verified. Call it once source and queue
   are set up. Returns false after clone_fail. */
bool verify_init(struct worker *w);
void verify_fini(struct worker *w);
/* Returns whether the state of the writes is saved, so that verify_before_submit must be called. */
bool verify_saves_state(const struct verify *v);
/* Saves the state with the n new I/Os. Returns false after clone_fail: they must not be submitted. */
bool verify_before_submit(struct worker *w, struct io *const *ios, unsigned n);
/* Notes that all files were synced while nothing was in flight. */
void verify_files_synced(struct verify *v);
/* Notes the end of a pass over the files. Later writes belong to another pass. */
void verify_next_pass(struct verify *v);

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
bool verify_begin_part(struct worker *w);
void verify_end_part(struct worker *w);
/* Fills in the next read, or trim. Only if verify_reading(). */
enum next_io_result verify_next(struct worker *w, struct io *io);
/* Returns whether the loop verifies now, and does not run the job's own I/Os. */
bool verify_reading(const struct verify *v);
/* Handles the n I/Os of w->q.reaped after they were accounted for: notes writes and trims that completed, and
   checks blocks that were read. */
void verify_after_batch(struct worker *w, unsigned n);

#endif
