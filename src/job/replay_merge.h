/* replay_merge.h: merge_blktrace_file, merge_blktrace_scalars and merge_blktrace_iters: each file of
   read_iolog is a trace of its own. Private to job/. */
#ifndef REPLAY_MERGE_H
#define REPLAY_MERGE_H

#include "rules.h"
#include "trace.h"

/* Sets s->merge if one of the options is given. Returns 0 or -errno with r->d. */
int replay_merge_set(struct rule_ctx *r, struct trace_source *s);

#endif
