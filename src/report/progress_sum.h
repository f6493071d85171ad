/* progress_sum.h: adds the progress of several ranks for one progress line. */
#ifndef PROGRESS_SUM_H
#define PROGRESS_SUM_H

#include <stdint.h>
#include "report.h"

struct strbuf;

/* The letters of workers in the line, in its order. */
#define PROGRESS_LETTERS     "RWMDrwmd/VFfLpCIPE_XK"
#define PROGRESS_LETTER_KIND (sizeof(PROGRESS_LETTERS) - 1)

/* The state of a rank. */
enum rank_state { RANK_STARTS, RANK_LAYOUT, RANK_WAITS, RANK_RUNS, RANK_DONE, RANK_STATES };

/* The progress of a rank, as a message to rank 0. */
struct progress_record {
	uint64_t bw[DIR_DATA], iops[DIR_DATA];
	uint64_t rate_lo, rate_hi, rate_iops_lo, rate_iops_hi;
	uint64_t layout_done, layout_total;
	uint64_t eta_s; /* UINT64_MAX: unknown */
	uint32_t running, files;
	uint32_t workers[PROGRESS_LETTER_KIND]; /* by letter */
	uint32_t state;                         /* enum rank_state */
};
void progress_record_set(struct progress_record *record, const struct progress *p);

struct progress_sum {
	struct progress_record all;
	unsigned ranks[RANK_STATES];
};
void progress_sum_add(struct progress_sum *s, const struct progress_record *record);
/* Replaces the figures of *p by those of all ranks. ran_s: since the run began. states holds the letters. */
void progress_sum_put(const struct progress_sum *s, double ran_s, struct strbuf *states, struct progress *p);
/* Adds the number of ranks in each state: "3 running, 1 done". */
void progress_sum_ranks(const struct progress_sum *s, struct strbuf *b);

#endif
