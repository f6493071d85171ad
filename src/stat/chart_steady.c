#include <math.h>
#include "chart_time.h"

/* Sums round r. The numbers of intervals of the rounds differ by at most one. */
static void sum_round(struct chart_sum *sum, double *ms, const struct chart_time *t, unsigned r,
		      enum lat_kind kind)
{
	size_t from = t->n * r / CHART_ROUNDS, until = t->n * (r + 1) / CHART_ROUNDS;

	chart_sum_reset(sum);
	for (size_t i = from; i < until; i++)
		chart_sum_add(sum, t, i, CHART_ALL, kind);
	*ms = (double)(chart_time_until(t, until - 1) - chart_time_from(t, from)) / 1e6;
}

/* Fills the rounds, and returns how many I/Os they have. */
static uint64_t fill_rounds(struct chart_steady *c, const struct chart_time *t, enum chart_steady_of what)
{
	enum lat_kind kind = what == CHART_STEADY_LAT ? t->series->groups[t->group].kind : LAT_KINDS;
	struct chart_sum sum = { 0 };
	uint64_t ios = 0;

	for (unsigned r = 0; r < CHART_ROUNDS; r++) {
		double ms;

		sum_round(&sum, &ms, t, r, kind);
		if (what == CHART_STEADY_IOPS)
			c->round[r] = (double)sum.ios * 1000 / ms;
		else
			c->round[r] = sum.n ? (double)sum.sum / (double)sum.n : 0;
		ios += what == CHART_STEADY_IOPS ? sum.ios : sum.n;
		c->mean += c->round[r] / CHART_ROUNDS;
	}
	return ios;
}

static void set_range_and_slope(struct chart_steady *c)
{
	struct steady_figures f;

	steady_figures(&f, c->round, CHART_ROUNDS);
	c->range = steady_range_percent(&f);
	c->slope = steady_rise_percent(&f, CHART_ROUNDS);
}

void chart_steady(struct chart_steady *c, const struct series *s, unsigned group, enum chart_steady_of what)
{
	struct chart_time t;

	*c = (struct chart_steady){ .verdict = CHART_TOO_SHORT };
	chart_time(&t, s, group);
	if (t.n < 2 * CHART_ROUNDS || (double)(t.end_ns - t.start_ns) < CHART_STEADY_MS * 1e6)
		return;
	c->round_ms = (double)(t.end_ns - t.start_ns) / 1e6 / CHART_ROUNDS;
	c->verdict = CHART_TOO_FEW;
	if (fill_rounds(c, &t, what) < CHART_ROUNDS * CHART_STEADY_IOS || !(c->mean > 0))
		return;
	set_range_and_slope(c);
	c->verdict =
		c->range <= CHART_RANGE && fabs(c->slope) <= CHART_SLOPE ? CHART_STEADY : CHART_NOT_STEADY;
}

/* Counts a time without completions that is long enough. */
static void add_stall(struct chart_stall *c, const struct chart_time *t, size_t from, size_t until,
		      double least_ms)
{
	double start = (double)chart_time_from(t, from) / 1e6;
	double ms = (double)chart_time_until(t, until - 1) / 1e6 - start;

	if (ms <= least_ms)
		return;
	c->stalls++;
	c->stalled_ms += ms;
	if (ms <= c->ms)
		return;
	c->start_ms = start;
	c->ms = ms;
}

static uint64_t ios_in(const struct chart_time *t, size_t from, size_t until)
{
	struct chart_sum sum = { 0 };

	for (; from < until; from++)
		chart_sum_add(&sum, t, from, CHART_ALL, LAT_KINDS);
	return sum.ios;
}

void chart_stall(struct chart_stall *c, const struct series *s, unsigned group)
{
	struct chart_time t;
	uint64_t ios;
	double least_ms;
	size_t from = 0;

	*c = (struct chart_stall){ 0 };
	chart_time(&t, s, group);
	ios = ios_in(&t, 0, t.n);
	if (!ios)
		return;
	least_ms = CHART_STALL_GAPS * (double)(t.end_ns - t.start_ns) / 1e6 / (double)ios;
	for (size_t i = 0; i < t.n; i++) {
		if (!ios_in(&t, i, i + 1))
			continue;
		if (i > from)
			add_stall(c, &t, from, i, least_ms);
		from = i + 1;
	}
	if (t.n > from)
		add_stall(c, &t, from, t.n, least_ms);
}
