#include "mix.h"

#include <math.h>
#include "permute.h"
#include "rng.h"

void mix_init(struct mixer *m, const struct mix_cfg *cfg, unsigned rw, uint64_t seed)
{
	__extension__ typedef unsigned __int128 u128;

	rng_init(&m->rng, seed);
	m->read_below = (uint64_t)(((u128)cfg->read_percent << 63) / 100);
	m->dirs = rw & RW_TRIMWRITE ? RW_TRIM : rw & RW_DIRS;
}

/* ---- trim choice ---- */

#define GROUP 100
/* -log(1e-9) */
#define SURPRISE_MAX 20.7

bool trim_choice(uint64_t number, unsigned percent)
{
	struct permute p;

	if (percent == 0 || percent >= GROUP)
		return percent != 0;
	permute_init(&p, GROUP, rng_mix64(number / GROUP));
	return permute_point(&p, number % GROUP) < percent; /* the grid is 10 x 10: no gaps */
}

static double term(double part, double expected)
{
	return part > 0 ? part * log(part / expected) : 0;
}

/* Returns -log of Chernoff's bound for the chance that `chosen` or more of n blocks are trimmed. The bound
   also holds where each group has a fixed number of trims, as for draws without replacement (Hoeffding 1963).
 */
static double surprise(uint64_t chosen, uint64_t n, double share)
{
	double found = (double)chosen / (double)n;

	return found <= share ? 0 : (double)n * (term(found, share) + term(1 - found, 1 - share));
}

uint64_t trim_choice_most(uint64_t n, unsigned percent, unsigned per_write)
{
	uint64_t lo = 0, hi = n;

	if (!percent || percent >= GROUP)
		return percent ? n : 0;
	while (lo < hi) { /* lo is explained, and hi + 1 is not, or is more than n */
		uint64_t mid = hi - (hi - lo) / 2;

		if (surprise(mid, n, percent / (double)GROUP) <= SURPRISE_MAX * per_write)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}
