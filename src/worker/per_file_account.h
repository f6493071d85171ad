/* per_file_account.h: counts I/Os by file and by interval (plan_job.per_file). */
#ifndef PER_FILE_ACCOUNT_H
#define PER_FILE_ACCOUNT_H

struct worker;

/* Sets up the counts. Called before the ramp. */
void per_file_account_init(struct worker *w);
/* Counts the first n I/Os of w->q.reaped, completed at w->clock.now_ns, by file. Called in the measured phase
   only, before short I/Os are continued, and only for jobs with w->observers.per_file. */
void per_file_account(struct worker *w, unsigned n);

#endif
