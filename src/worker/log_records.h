/* log_records.h: writes a record of each I/O for the log. For jobs with observers.log. */
#ifndef LOG_RECORDS_H
#define LOG_RECORDS_H

#include <stdint.h>

struct clone;
struct io;
struct observers;
struct worker;

/* Log n I/Os, or one I/O that was cut short, completed at done_ns. Called in the measured phase only. */
void log_records_batch(struct observers *o, const struct clone *c, struct io *const *ios, unsigned n,
		       uint64_t done_ns);
void log_records_one(struct observers *o, const struct clone *c, const struct io *io, uint64_t done_ns);
/* Waits until the ring has room for the next batch. Sets w->clock.now_ns if it had to wait. */
void log_records_wait(struct worker *w);

#endif
