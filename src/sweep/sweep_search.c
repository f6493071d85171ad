#include "sweep_search.h"

#include <stdbool.h>

static bool meets(const struct sweep_search *s, size_t i)
{
	return s->values[i].runs && s->values[i].met == s->values[i].runs;
}

/* Goes from the end that meets the condition towards the other one, up to the first run that does not. */
static struct sweep_edge find_edge(const struct sweep_search *s, bool rising)
{
	struct sweep_edge e = { .found = SWEEP_FOUND_EDGE, .best = rising ? s->nvalues - 1 : 0 };

	for (size_t k = 1; k < s->nvalues; k++) {
		size_t i = rising ? s->nvalues - 1 - k : k;

		if (!s->values[i].runs)
			continue;
		e.beyond = i;
		if (!meets(s, i))
			break;
		e.best = i;
	}
	return e;
}

struct sweep_edge sweep_search_edge(const struct sweep_search *s)
{
	bool first = meets(s, 0), last = meets(s, s->nvalues - 1);

	if (first != last)
		return find_edge(s, last);
	return (struct sweep_edge){ .found = first ? SWEEP_FOUND_ALL : SWEEP_FOUND_NONE,
				    .best = s->nvalues - 1 };
}

size_t sweep_search_next(const struct sweep_search *s)
{
	struct sweep_edge e;

	if (!s->values[0].runs)
		return 0;
	if (!s->values[s->nvalues - 1].runs)
		return s->nvalues - 1;
	e = sweep_search_edge(s);
	if (e.found == SWEEP_FOUND_NONE && s->values[0].runs < SWEEP_SEARCH_REPEATS)
		return 0;
	if (e.found != SWEEP_FOUND_EDGE)
		return s->values[s->nvalues - 1].runs < SWEEP_SEARCH_REPEATS ? s->nvalues - 1 : s->nvalues;
	if (e.best + 1 < e.beyond || e.beyond + 1 < e.best)
		return (e.best + e.beyond) / 2;
	if (s->values[e.best].runs < SWEEP_SEARCH_REPEATS)
		return e.best;
	return s->values[e.beyond].runs < SWEEP_SEARCH_REPEATS ? e.beyond : s->nvalues;
}

size_t sweep_search_most(size_t values)
{
	size_t n = values < 2 ? 1 : 4; /* the ends, and both sides of the edge again */

	for (size_t between = values; between > 2; between = (between + 2) / 2)
		n++;
	return n;
}
