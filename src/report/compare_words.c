/* compare_words.c: words and numbers of a comparison. */
#include "compare_report.h"
#include "strbuf.h"

#include <math.h>
#include <string.h>

/* Adds about three significant digits. */
static void put_digits(struct strbuf *b, double v)
{
	strbuf_printf(b, "%.*f", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v);
}

static void put_scaled(struct strbuf *b, double v, double step, const char *const *unit)
{
	while (v >= step * 0.9995 && unit[1]) {
		v /= step;
		unit++;
	}
	put_digits(b, v);
	strbuf_puts(b, *unit);
}

void compare_put_value(struct strbuf *b, enum compare_what what, double value)
{
	static const char *const count[] = { "", "k", "M", "G", NULL };
	static const char *const rate[] = { " B/s", " KiB/s", " MiB/s", " GiB/s", NULL };
	static const char *const time[] = { " ns", " \xc2\xb5s", " ms", " s", NULL };

	if (!(value > 0))
		strbuf_puts(b, "-");
	else if (what == COMPARE_IOPS)
		put_scaled(b, value, 1000, count);
	else if (what == COMPARE_BW)
		put_scaled(b, value, 1024, rate);
	else
		put_scaled(b, value, 1000, time);
}

void compare_put_percent(struct strbuf *b, double share)
{
	double v = share * 100, size = fabs(v);

	if (size < 0.005)
		strbuf_puts(b, "0.00%");
	else
		strbuf_printf(b, "%+.*f%%", size < 0.995 ? 2 : size < 99.95 ? 1 : 0, v);
}

void compare_put_interval(struct strbuf *b, const struct compare_figure *f)
{
	const struct compare_change *c = &f->change;

	if (!c->interval) {
		strbuf_putc(b, '-');
	} else if (c->hi > 99.99 && c->lo <= -1) {
		strbuf_puts(b, "no limits");
	} else if (c->hi > 99.99) {
		strbuf_puts(b, "above ");
		compare_put_percent(b, c->lo);
	} else if (c->lo <= -1) {
		strbuf_puts(b, "below ");
		compare_put_percent(b, c->hi);
	} else {
		compare_put_percent(b, c->lo);
		strbuf_puts(b, " to ");
		compare_put_percent(b, c->hi);
	}
}

static int answer_of(const struct compare_figure *f)
{
	if (!f->change.interval || !f->change.shown)
		return 0;
	return (f->change.change > 0) == compare_more_is_better(f) ? 1 : -1;
}

void compare_put_answer(struct strbuf *b, const struct compare_figure *f)
{
	int answer = answer_of(f);

	if (!f->change.interval)
		strbuf_puts(b, "no interval");
	else if (!answer)
		strbuf_puts(b, "no difference that this data can show");
	else
		strbuf_puts(b, answer > 0 ? "B is better" : "B is worse");
}

size_t compare_first_with(const struct compare_job *job, const char *why)
{
	size_t i = 0;

	while (i < job->nfigures && job->figures[i].why != why)
		i++;
	return i;
}

void compare_put_detectable(struct strbuf *b, const struct compare_figure *f)
{
	if (!f->change.interval)
		return;
	if (isinf(f->change.detectable) || f->change.detectable > 99.99)
		strbuf_puts(b, "none");
	else
		strbuf_printf(b, "%.*f%%", f->change.detectable < 0.00995 ? 2 : f->change.detectable < 0.0995,
			      f->change.detectable * 100);
}

void compare_put_measured(struct strbuf *b, const struct compare_verdict *v)
{
	double delta = v->figure->b.value - v->figure->a.value;

	if (v->condition->kind == COMPARE_FIGURE) {
		compare_put_value(b, v->figure->what, v->figure->b.value);
	} else if (!v->figure->change.known) {
		strbuf_puts(b, "-");
	} else if (v->condition->kind == COMPARE_RELATIVE) {
		compare_put_percent(b, v->figure->change.change);
	} else {
		strbuf_putc(b, delta < 0 ? '-' : '+');
		compare_put_value(b, v->figure->what, fabs(delta));
	}
}

const char *compare_state_name(enum compare_state s)
{
	static const char *const name[] = { "passes", "fails", "not shown", "cannot be judged" };

	return name[s];
}

const char *compare_basis_name(enum compare_basis basis)
{
	static const char *const name[COMPARE_BASES] = { "none", "series", "samples", "runs", "pooled-runs" };

	return name[basis];
}

static bool has_basis(const struct compare *c, enum compare_basis basis)
{
	for (size_t i = 0; i < c->njobs; i++)
		for (size_t k = 0; k < c->jobs[i].nfigures; k++)
			if (c->jobs[i].figures[k].basis == basis)
				return true;
	return false;
}

static bool has_percentiles(const struct compare *c)
{
	for (size_t i = 0; i < c->njobs; i++)
		for (size_t k = 0; k < c->jobs[i].nfigures; k++)
			if (c->jobs[i].figures[k].what == COMPARE_LAT_PERCENTILE)
				return true;
	return false;
}

void compare_put_methods(struct strbuf *b, const struct compare *c)
{
	bool series = has_basis(c, COMPARE_BY_SERIES), samples = has_basis(c, COMPARE_BY_SAMPLES);

	if (series)
		strbuf_puts(b,
			    "Intervals from the series allow for its autocorrelation (equal weighted cosine "
			    "estimate, Lazarus and others 2018; percentiles: Woodruff 1952).\n");
	if (samples)
		strbuf_puts(b,
			    "Without a series of the job, intervals of rates come from the sampled rows "
			    "(bw_mean, bw_dev, bw_samples), which are taken as independent: they may be too "
			    "narrow.\n");
	if (series || samples)
		strbuf_puts(b, "Each side is a single run, so an interval covers only the variation within "
			       "these two runs. Runs of one setup may differ by more: repeat them (--repeat, "
			       "then --a and "
			       "--b).\n");
	if (has_basis(c, COMPARE_BY_RUNS))
		strbuf_puts(b, "Intervals are Welch's, from the variation between the runs of each side.\n");
	if (has_basis(c, COMPARE_BY_POOLED_RUNS))
		strbuf_puts(b, "One side has a single run: its deviation is taken from the runs of the other "
			       "side.\n");
	if (has_percentiles(c))
		strbuf_puts(b,
			    "Percentiles are midpoints of histogram buckets of up to 1.6%, and the intervals "
			    "include this rounding.\n");
}

size_t compare_count(const struct compare *c, int answer)
{
	size_t n = 0;

	for (size_t i = 0; i < c->njobs; i++)
		for (size_t k = 0; k < c->jobs[i].nfigures; k++)
			n += c->jobs[i].figures[k].change.interval &&
			     answer_of(&c->jobs[i].figures[k]) == answer;
	return n;
}
