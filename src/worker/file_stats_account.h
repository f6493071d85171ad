/* file_stats_account.h: counts I/Os by file for reports (plan_job.file_stats). */
#ifndef FILE_STATS_ACCOUNT_H
#define FILE_STATS_ACCOUNT_H

#include <stdint.h>

struct clone;
struct io;
struct observers;
struct stats;
struct worker;

/* Finds the counts. Called before the ramp; they begin with the measurement. */
void file_stats_account_init(struct observers *o, const struct clone *c);
/* Begins to count: the measurement begins. */
void file_stats_account_begin(struct stats *s, const struct observers *o);

/* The functions below count only if w->stats.files is set. */
/* Counts those of the first n I/Os of w->q.reaped that are complete. Call it before short I/Os are continued.
 */
void file_stats_account(struct worker *w, unsigned n);
/* Counts an I/O that ends although it transferred only io->total bytes. */
void file_stats_account_one(struct worker *w, const struct io *io);
void file_stats_account_short(const struct worker *w, const struct io *io);
void file_stats_account_errors(const struct worker *w, uint32_t file, unsigned dir, uint64_t errors);

#endif
