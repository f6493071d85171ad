/* log_window.h: what the lines of windowed logs say, from a worker's intervals. Pure. */
#ifndef LOG_WINDOW_H
#define LOG_WINDOW_H

#include "interval.h"
#include "log_line.h"
#include "options.h"

/* Where the interval ends, in ns since the start of the phase. */
uint64_t log_window_end_ns(const struct ival *rec, uint64_t len_ns);
/* The line of one log for one direction, but for its time: false if there is none. The shortest ends of a run
   have no line: their time would be that of the line before, and their value that of a few I/Os. */
bool log_window_line(const struct ival *rec, uint64_t len_ns, enum log_kind kind, unsigned dir,
		     enum log_window window, struct log_line *line);
/* The buckets of a direction's completion latencies, as many as fio has; what lies beyond is in the last.
   False: there was no I/O. */
bool log_window_hist(const struct ival *rec, unsigned dir, uint64_t count[HIST_FIO_BUCKETS]);

#endif
