/* log_window.h: makes lines of windowed logs (log_avg_msec) from a worker's intervals. Pure. */
#ifndef LOG_WINDOW_H
#define LOG_WINDOW_H

#include "interval.h"
#include "log_line.h"
#include "options.h"

/* Returns when the interval ends, in ns since the start of the phase. */
uint64_t log_window_end_ns(const struct ival *rec, uint64_t len_ns);
/* Returns whether the interval is the end of a run and too short for a line of its own, which could have the
   time of the line before and the value of a few I/Os. */
bool log_window_is_short(const struct ival *rec, uint64_t len_ns);
/* Adds an interval to the one before it, so that both share one line. It does not add histograms. */
void log_window_add(struct ival *to, const struct ival *from, uint64_t len_ns);
/* Fills in the line of one log for one direction, except for its time. False: there was no I/O. */
bool log_window_line(const struct ival *rec, uint64_t len_ns, enum log_kind kind, unsigned dir,
		     enum log_window window, struct log_line *line);
/* Counts the completion latencies of a direction in fio's buckets. Longer ones count in the last bucket.
   False: there was no I/O. */
bool log_window_hist(const struct ival *rec, unsigned dir, uint64_t count[HIST_FIO_BUCKETS]);

#endif
