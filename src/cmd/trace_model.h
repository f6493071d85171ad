/* trace_model.h: the I/Os that a job would do, as events of a trace: from its own generators of offsets,
   sizes, directions and due times (src/gen), as if each I/O took no time. For jobs of one file without
   options other than those that fiord trace --to-job writes. Pure. */
#ifndef TRACE_MODEL_H
#define TRACE_MODEL_H

#include "job.h"
#include "trace_summary.h"

/* Adds the I/Os of the job to the figures, or the first `most` of them. Returns 0 or -ENOMEM. */
int trace_model_run(const struct job *job, uint64_t most, struct trace_summary *s);

#endif
