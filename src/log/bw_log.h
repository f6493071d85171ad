/* bw_log.h: --bandwidth-log: the bandwidth of the whole run in each direction, twice a second. */
#ifndef BW_LOG_H
#define BW_LOG_H

#include "log_file.h"
#include "run.h"

struct bw_log;

struct bw_log *bw_log_new(const struct plan *p); /* Returns NULL if memory is short */
void bw_log_open(struct bw_log *b);              /* accepts NULL, as do bw_log_close and bw_log_free */
void bw_log_close(struct bw_log *b);
/* Takes a sample if one is due; last: also of an unfinished interval. Returns when to call again, `until` at
   the latest. */
uint64_t bw_log_sample(struct bw_log *b, const struct run *r, bool last, uint64_t until);
const struct log_file *bw_log_file(const struct bw_log *b, unsigned dir);
void bw_log_free(struct bw_log *b);

#endif
