/* trace_job.h: fiord trace --to-job: makes a job file from a trace, and shows how far it is from the trace.
 */
#ifndef TRACE_JOB_H
#define TRACE_JOB_H

#include "job.h"
#include "strbuf.h"
#include "trace_summary.h"

#define TRACE_JOB_DEVICES 32 /* each needs 1 MiB of memory */

/* Refuses a file that exists and was not made by this option. Returns 0 or -errno with d. */
int trace_job_check(const char *path, const char *const *trace, size_t traces, struct diag *d);
/* Reads the trace to its end, writes the job to the path, and adds the comparison to b. Returns 0 or -errno
   with d. */
int trace_job_make(struct trace *t, const struct trace_source *source, const char *path, bool json,
		   struct strbuf *b, struct diag *d);

/* trace_model.c: the I/Os that a job would do, as events of a trace: from its own generators of offsets,
   sizes, directions and due times (src/gen), as if each I/O took no time. For jobs of one file without
   options other than those that --to-job writes. Pure. */

/* Adds the I/Os of the job to the figures, or the first `most` of them. Returns 0 or -ENOMEM. */
int trace_model_run(const struct job *job, uint64_t most, struct trace_summary *s);

#endif
