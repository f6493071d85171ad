/* log_window.h: what the lines of windowed logs say, from a worker's intervals. Pure. */
#ifndef LOG_WINDOW_H
#define LOG_WINDOW_H

#include "interval.h"
#include "log_line.h"
#include "options.h"

/* Where the interval ends, in ns since the start of the phase. */
uint64_t log_window_end_ns(const struct ival *rec, uint64_t len_ns);
/* Whether the interval is the end of a run, and too short for lines of its own: their time could be that of
   the lines before, and their values those of a few I/Os. */
bool log_window_is_short(const struct ival *rec, uint64_t len_ns);
/* Adds an interval to the one before it, so that both have one line. Histograms are left out. */
void log_window_add(struct ival *to, const struct ival *from, uint64_t len_ns);
/* The line of one log for one direction, but for its time: false if there was no I/O. */
bool log_window_line(const struct ival *rec, uint64_t len_ns, enum log_kind kind, unsigned dir,
		     enum log_window window, struct log_line *line);
/* The buckets of a direction's completion latencies, as many as fio has; what lies beyond is in the last.
   False: there was no I/O. */
bool log_window_hist(const struct ival *rec, unsigned dir, uint64_t count[HIST_FIO_BUCKETS]);

#endif
