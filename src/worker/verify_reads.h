/* verify_reads.h: the I/Os of the loop while it verifies: reads of blocks, or trims before them
   (trim_percentage). */
#ifndef VERIFY_READS_H
#define VERIFY_READS_H

#include <stdbool.h>
#include <stdint.h>
#include "clone.h"
#include "file_set.h"
#include "next_io.h"

struct verify;
struct verify_slot;
struct worker;

/* Returns whether the loop verifies now, and does not run the job's own I/Os. */
bool verify_reading(const struct verify *v);
/* Fills in the next read, or trim. Only if verify_reading(). */
enum next_io_result verify_next(struct worker *w, struct io *io);

/* For the files verify*.c: */

/* Begins to walk over the blocks that were written. Blocks of writes and trims that never completed stay
   uncertain. Returns false after clone_fail. */
bool verify_reads_prepare(struct worker *w);
/* Does the same for the reads after the trims, which take the blocks of the backlog, too. */
bool verify_reads_prepare_all(struct worker *w);
/* Syncs all open files and drops their cached pages. Returns false after clone_fail. */
bool verify_reads_reread_files(struct file_set *s, struct clone *c);
/* Sets how many blocks the phase checks in all: those so far, and the unread ones. */
void verify_reads_set_expected(struct verify *v, uint64_t unread);
/* Counts the time of the reads in the measured phase. */
void verify_reads_count_time(struct worker *w, uint64_t now);
/* Counts the last I/O of this slot if it has failed, which shows in a slot that is not idle. */
void verify_reads_slot_failed(struct verify *v, struct verify_slot *s);

#endif
