/* rate_steps.h: computes the figures of the steps of rate_steps from counts, and adds up the counts of
   entries that are merged. */
#ifndef RATE_STEPS_H
#define RATE_STEPS_H

#include "result.h"

/* A document has no more steps than this. */
#define RATE_STEPS_MAX 64

/* Sets the figures and, with `bins`, the bins of one direction of a step, which lasted length_ns. to->rate
   stays. The bins are memory of r. */
void result_step_set(struct result *r, struct result_step_dir *to, const struct step_counts *from,
		     uint64_t length_ns, bool bins);

/* The rate of a direction of a step over several workers or entries. Zeroed: empty. */
struct step_rate {
	uint64_t sum; /* at most UINT64_MAX */
	double ios;   /* that all ask for while they run; bytes if the rates are in bytes */
	uint64_t shortest_ns, longest_ns;
	size_t n;
};

/* Adds the rate of a worker or an entry that ran ran_ns of the step. */
void step_rate_add(struct step_rate *to, uint64_t rate, uint64_t ran_ns);
/* Returns the rate over the longest time that one of them ran: the sum of the rates, each weighed by the part
   of this time. Ends that differ by less than 1 % do not count. */
uint64_t step_rate_mean(const struct step_rate *s);

/* The sum of the steps of several entries. Zeroed: empty. */
struct rate_steps_sum {
	struct result_rate_steps steps; /* without figures; NULL: there is no sum */
	struct step_counts *counts;     /* DIR_DATA for each step */
	struct step_rate *rate;         /* the same */
	size_t entries, with_steps;
	bool differ;  /* the entries do not have the same steps */
	bool no_bins; /* an entry has no bins, so the sum has no percentiles */
};

/* Adds the steps of an entry. Returns 0, -ENOMEM, or -EOVERFLOW if the counts are too large. */
int rate_steps_add(struct rate_steps_sum *sum, const struct result_job *job);
/* Sets the steps of the entry of all, or notes why it has none. Frees the sum. */
void rate_steps_finish(struct rate_steps_sum *sum, struct result *r, struct result_job *all,
		       const char *name);
void rate_steps_fini(struct rate_steps_sum *sum);

#endif
