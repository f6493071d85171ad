/* zipf_fit.h: which zipf distribution fits best how often addresses are accessed. Memory is bounded (260
   KiB): of ZIPF_FIT_MAX addresses or more only a sample is counted, chosen by hash. Pure.

   With theta and n addresses, the one of rank k is expected to get accesses in proportion to k^-theta; how
   many it gets has a Poisson distribution. The fit maximises the likelihood of the counts of the sample. For
   each theta, n is such that as many addresses are expected to be accessed as really were. Counts above 4 are
   taken together, two classes for each power of two, so that a few hot addresses do not decide alone. What a
   sample does not know of the number of accessed addresses widens the interval.
   Accesses that repeat addresses less often than by chance, as a pass over all of them does, have theta 0. */
#ifndef ZIPF_FIT_H
#define ZIPF_FIT_H

#include <stdbool.h>
#include <stdint.h>

#define ZIPF_FIT_MAX       8192u
#define ZIPF_FIT_SLOTS     (2 * ZIPF_FIT_MAX)
#define ZIPF_FIT_THETA_MAX 3.0
#define ZIPF_FIT_CLASSES   128u /* of counts */

struct zipf_fit {
	struct {
		uint64_t hash, count; /* count 0: the slot is free */
	} slot[ZIPF_FIT_SLOTS];
	unsigned halvings;  /* of the share of the addresses that are counted */
	uint32_t addresses; /* that are counted */
	uint64_t accesses;  /* to all addresses */
};

struct zipf_figures {
	bool known;              /* the accesses tell theta: the interval is not wider than 0.5 */
	double theta, low, high; /* low, high: the interval of 95 % by the ratio of likelihoods */
	double addresses;        /* n of the fit */
	double touched;          /* different addresses that were accessed; an estimate of the sample */
	/* The largest difference, from 0 to 1, between the share of the addresses with at most so many
	   accesses and that of the fit. */
	double misfit;
	/* Of the sample: the share of the accesses that are not the first to their address, and the share of
	   the addresses with the mean number of accesses, rounded up or down. */
	double repeats, even;
};

/* Adds an access to the address with this hash, which is evenly distributed. Zeroed memory is an empty fit.
 */
void zipf_fit_add(struct zipf_fit *z, uint64_t hash);
/* most: there are not more addresses than these. */
struct zipf_figures zipf_fit_figures(const struct zipf_fit *z, double most);

/* Shares, from 0 to 1, of the addresses that were accessed at most so often. */
struct zipf_share {
	double accesses, observed, fitted;
};
/* Writes those of the classes of counts up to the largest count, and returns their number. f: known. */
unsigned zipf_fit_shares(const struct zipf_fit *z, const struct zipf_figures *f,
			 struct zipf_share share[ZIPF_FIT_CLASSES]);
/* Returns how many of n addresses are expected to be accessed. */
double zipf_fit_touched(double theta, double n, double accesses);

#endif
