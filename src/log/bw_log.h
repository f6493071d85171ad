/* bw_log.h: --bandwidth-log: what the whole run moves in each direction, twice a second. */
#ifndef BW_LOG_H
#define BW_LOG_H

#include "log_file.h"
#include "run.h"

struct bw_log;

struct bw_log *bw_log_new(const struct plan *p); /* NULL when memory is short */
void bw_log_open(struct bw_log *b);              /* accepts NULL, as do the next and the last */
void bw_log_close(struct bw_log *b);
/* Takes a sample if one is due; last: of what is left. When to look again, `until` at the latest. */
uint64_t bw_log_sample(struct bw_log *b, const struct run *r, bool last, uint64_t until);
const struct log_file *bw_log_file(const struct bw_log *b, unsigned dir);
void bw_log_free(struct bw_log *b);

#endif
