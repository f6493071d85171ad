/* logbw.h: --bandwidth-log: what the whole run moves in each direction, twice a second. */
#ifndef LOGBW_H
#define LOGBW_H

#include "logfile.h"
#include "run.h"

struct logbw;

struct logbw *logbw_new(const struct plan *p); /* NULL when memory is short */
void logbw_open(struct logbw *b);              /* accepts NULL, as do the next and the last */
void logbw_close(struct logbw *b);
/* Takes a sample if one is due; last: of what is left. When to look again, `until` at the latest. */
uint64_t logbw_sample(struct logbw *b, const struct run *r, bool last, uint64_t until);
const struct logfile *logbw_file(const struct logbw *b, unsigned dir);
void logbw_free(struct logbw *b);

#endif
