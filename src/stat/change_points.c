#include "change_points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "vec.h"

/* The greatest number of standard deviations that 999 of 1,000 series without a change stay below or at, by
   the logarithm of their length: simulated, 400,000 series of each length up to 100, 200,000 to 10,000 of the
   longer ones. t/unit/test_change_points.c counts the false alarms. */
static const struct {
	double n, limit;
} limits[] = {
	{ 14, 3.100 }, { 15, 3.183 }, { 16, 3.255 }, { 18, 3.306 },  { 20, 3.395 },  { 24, 3.489 },
	{ 30, 3.594 }, { 40, 3.709 }, { 60, 3.818 }, { 100, 3.951 }, { 200, 4.082 }, { 500, 4.190 },
	{ 1e3, 4.28 }, { 3e3, 4.32 }, { 1e4, 4.38 }, { 1e5, 4.5 },
};
#define NEAR   10
#define LIMITS (sizeof(limits) / sizeof(*limits))

static double limit_of(double n)
{
	size_t i = 1;

	while (i + 1 < LIMITS && limits[i].n < n)
		i++;
	return limits[i - 1].limit + (limits[i].limit - limits[i - 1].limit) * log(n / limits[i - 1].n) /
					     log(limits[i].n / limits[i - 1].n);
}

struct place {
	double v;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->v > y->v) - (x->v < y->v);
}

/* A series, and room for its ranks. */
struct series_ranks {
	const double *v;
	const bool *may;
	struct place *sorted;
	double *rank; /* of the part that is looked at, less their mean */
	double squares;
};

/* Equal figures share the mean of their ranks. */
static void set_ranks(struct series_ranks *s, size_t from, size_t n)
{
	s->squares = 0;
	for (size_t i = 0; i < n; i++)
		s->sorted[i] = (struct place){ s->v[from + i], i };
	qsort(s->sorted, n, sizeof(*s->sorted), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		double rank;

		for (end = i + 1; end < n && !(s->sorted[end].v > s->sorted[i].v);)
			end++;
		rank = (double)(i + end - 1) / 2 - (double)(n - 1) / 2;
		s->squares += (double)(end - i) * rank * rank;
		for (size_t k = i; k < end; k++)
			s->rank[s->sorted[k].at] = rank;
	}
}

/* Returns the sum of the distances from the median. */
static double distances(struct series_ranks *s, size_t from, size_t to)
{
	double median, sum = 0;

	memcpy(s->rank, s->v + from, (to - from) * sizeof(*s->rank));
	median = change_points_median(s->rank, to - from);
	for (size_t i = from; i < to; i++)
		sum += fabs(s->v[i] - median);
	return sum;
}

/* Returns the place near `at` at which the figures are nearest to the medians of both sides: ranks do not
   say whether the last figure before a change is the highest of many like it, or the first of the higher
   ones. */
static size_t move_change(struct series_ranks *s, size_t from, size_t at, size_t to)
{
	size_t best = at;
	double least = INFINITY;

	for (size_t k = at > from + NEAR ? at - NEAR : from; k <= at + NEAR; k++) {
		double sum;

		if (k < from + CHANGE_POINTS_LEAST || k + CHANGE_POINTS_LEAST > to || (s->may && !s->may[k]))
			continue;
		sum = distances(s, from, k) + distances(s, k, to);
		if (sum < least) {
			least = sum;
			best = k;
		}
	}
	return best;
}

/* Returns the place of the change between from and to, or `to` if there is none. */
static size_t find_change(struct series_ranks *s, size_t from, size_t to)
{
	size_t n = to - from, best = to;
	double sum = 0, most;

	if (n < CHANGE_POINTS_SERIES)
		return to;
	most = limit_of((double)n);
	set_ranks(s, from, n);
	for (size_t k = 1; k + CHANGE_POINTS_LEAST <= n; k++) {
		double before = (double)k, after = (double)(n - k), score;

		sum += s->rank[k - 1];
		if (k < CHANGE_POINTS_LEAST || (s->may && !s->may[from + k]) || !(s->squares > 0))
			continue;
		score = fabs(sum) / sqrt(before * after / ((double)n * (double)(n - 1)) * s->squares);
		if (score > most) {
			most = score;
			best = from + k;
		}
	}
	return best == to ? to : move_change(s, from, best, to);
}

static bool cut(struct change_points *c, struct series_ranks *s, size_t from, size_t to)
{
	size_t at = find_change(s, from, to);

	return at == to || (cut(c, s, from, at) && VEC_PUSH(c, at) && cut(c, s, at, to));
}

/* Looks for each change again between its neighbours, which were not known when it was found. */
static void look_again(struct change_points *c, struct series_ranks *s, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		size_t to = i + 1 < c->n ? c->v[i + 1] : n;
		size_t at = find_change(s, kept ? c->v[kept - 1] : 0, to);

		if (at < to)
			c->v[kept++] = at;
	}
	c->n = kept;
}

int change_points_find(struct change_points *c, const double *v, size_t n, const bool *may)
{
	struct series_ranks s = { .v = v, .may = may };
	bool done;

	*c = (struct change_points){ 0 };
	s.sorted = calloc(n + 1, sizeof(*s.sorted));
	s.rank = calloc(n + 1, sizeof(*s.rank));
	done = s.sorted && s.rank && cut(c, &s, 0, n);
	if (done)
		look_again(c, &s, n);
	free(s.sorted);
	free(s.rank);
	return done ? 0 : -ENOMEM;
}

void change_points_fini(struct change_points *c)
{
	free(c->v);
	*c = (struct change_points){ 0 };
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double change_points_median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), ascending);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}
