#include "trim_choice.h"

#include "permute.h"
#include "rng.h"

#define GROUP 100

bool trim_choice(uint64_t number, unsigned percent)
{
	struct permute p;

	if (percent == 0 || percent >= GROUP)
		return percent != 0;
	permute_init(&p, GROUP, rng_mix64(number / GROUP));
	return permute_point(&p, number % GROUP) < percent; /* the grid is 10 x 10: no gaps */
}
