/* trace_merge.h: several traces -> one, in order of time. Each starts at time 0, its times are multiplied,
   and it runs once or several times. What a source with `merge` opens; private to this folder. */
#ifndef TRACE_MERGE_H
#define TRACE_MERGE_H

#include "trace.h"
#include "trace_devices.h"

struct trace_merge;

/* Returns 0, or -errno with one line in d; *m is then NULL. */
int trace_merge_open(struct trace_merge **m, const struct trace_source *source, struct diag *d);
void trace_merge_close(struct trace_merge *m);
/* As trace_next. Events of the same time come in the order of the paths. */
int trace_merge_next(struct trace_merge *m, struct trace_event *e, struct diag *d);

const struct trace_facts *trace_merge_facts(struct trace_merge *m);
const struct trace_devices *trace_merge_devices(const struct trace_merge *m);
void trace_merge_place(const struct trace_merge *m, const struct trace_event *e, struct strbuf *b);

#endif
