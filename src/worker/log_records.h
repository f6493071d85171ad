/* log_records.h: writes records of single I/Os for the log. For jobs with observers.log. */
#ifndef LOG_RECORDS_H
#define LOG_RECORDS_H

struct io;
struct worker;

/* Log the first n I/Os of w->q.reaped, or one I/O that was cut short, completed at w->clock.now_ns. Called in
   the measured phase only. */
void log_records_batch(struct worker *w, unsigned n);
void log_records_one(struct worker *w, const struct io *io);
/* Waits until the ring has room for the next batch. */
void log_records_wait(struct worker *w);

#endif
