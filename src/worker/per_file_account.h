/* per_file_account.h: counts I/Os by file and by interval (plan_job.per_file). */
#ifndef PER_FILE_ACCOUNT_H
#define PER_FILE_ACCOUNT_H

struct clone;
struct io_queue;
struct observers;
struct per_file_cfg;
struct phase_clock;

/* Sets up the counts. Called before the ramp. */
void per_file_account_init(struct observers *o, const struct clone *c);
/* Counts the first n I/Os of q->reaped, completed at clock->now_ns, by file. Called in the measured phase
   only, before short I/Os are continued, and only if o->per_file. */
void per_file_account(struct observers *o, const struct per_file_cfg *cfg, const struct io_queue *q,
		      const struct phase_clock *clock, unsigned n);

#endif
