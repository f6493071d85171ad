/* sweep_search.h: which values of an option a search runs, to find where its runs begin or cease to meet a
   condition. Pure.

   It runs the first and the last value, and then bisects between a value that meets the condition and one
   that does not, until they are neighbours. The values from which the answer follows run twice, to tell
   whether the storage changes: the two neighbours, the last value if both ends meet the condition, and both
   ends if neither does. A value meets the condition if all its runs do, so that a contradiction moves the
   search on. */
#ifndef SWEEP_SEARCH_H
#define SWEEP_SEARCH_H

#include <stddef.h>

#define SWEEP_SEARCH_REPEATS 2 /* the most runs of one value */

/* The runs of one value so far. */
struct sweep_tried {
	unsigned runs, met; /* met: how many of them met the condition */
};

struct sweep_search {
	struct sweep_tried *values; /* in the order of the values; the caller's */
	size_t nvalues;
};

enum sweep_found {
	SWEEP_FOUND_EDGE, /* `best` meets the condition, and its neighbour `beyond` does not */
	SWEEP_FOUND_ALL,  /* the first and the last value meet it; `best` is the last one */
	SWEEP_FOUND_NONE, /* neither does */
};

struct sweep_edge {
	enum sweep_found found;
	size_t best, beyond;
};

/* Returns the value to run next; s->values when the search is over. */
size_t sweep_search_next(const struct sweep_search *s);
/* Returns what was found, or is known so far. The first and the last value have run. */
struct sweep_edge sweep_search_edge(const struct sweep_search *s);
/* Returns the most runs of a search of a target that does not change. */
size_t sweep_search_most(size_t values);

#endif
