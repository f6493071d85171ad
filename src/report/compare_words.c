/* compare_words.c: words and numbers of a comparison. */
#include "compare_report.h"
#include "strbuf.h"

#include <math.h>
#include <stdio.h>

/* Returns about three significant digits and the unit. */
static struct short_text scaled(double v, double step, const char *const *unit)
{
	struct short_text t;

	for (; v >= step * 0.9995 && unit[1]; unit++)
		v /= step;
	snprintf(t.text, sizeof(t.text), "%.*f%s", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, *unit);
	return t;
}

struct short_text compare_value(enum compare_what what, double value)
{
	static const char *const count[] = { "", "k", "M", "G", NULL };
	static const char *const rate[] = { " B/s", " KiB/s", " MiB/s", " GiB/s", NULL };
	static const char *const time[] = { " ns", " \xc2\xb5s", " ms", " s", NULL };

	if (!(value > 0))
		return (struct short_text){ "-" };
	return scaled(value, what == COMPARE_BW ? 1024 : 1000,
		      what == COMPARE_IOPS ? count
		      : what == COMPARE_BW ? rate
					   : time);
}

struct short_text compare_percent(double share)
{
	struct short_text t = { "0.00%" };
	double v = share * 100, size = fabs(v);

	if (size >= 0.005)
		snprintf(t.text, sizeof(t.text), "%+.*f%%", size < 0.995 ? 2 : size < 99.95 ? 1 : 0, v);
	return t;
}

struct short_text compare_interval(const struct compare_figure *f)
{
	const struct compare_change *c = &f->change;
	bool below = c->lo > -1, above = c->hi <= 99.99;
	struct short_text t;
	struct strbuf b = strbuf_in(&t);

	if (!c->interval)
		strbuf_putc(&b, '-');
	else if (below && above)
		strbuf_printf(&b, "%s to %s", compare_percent(c->lo).text, compare_percent(c->hi).text);
	else if (below)
		strbuf_printf(&b, "above %s", compare_percent(c->lo).text);
	else
		strbuf_printf(&b, above ? "below %s" : "no limits", compare_percent(c->hi).text);
	return t;
}

static int answer_of(const struct compare_figure *f)
{
	if (!f->change.interval || !f->change.shown)
		return 0;
	return (f->change.change > 0) == compare_more_is_better(f) ? 1 : -1;
}

const char *compare_answer(const struct compare_figure *f)
{
	int answer = answer_of(f);

	if (!f->change.interval)
		return "no interval";
	return !answer ? "no difference that this data can show" : answer > 0 ? "B is better" : "B is worse";
}

/* Returns the number of the first figure that has no interval for this reason, which is a literal. */
static size_t first_with(const struct compare_job *job, const char *why)
{
	size_t i = 0;

	while (i < job->nfigures && job->figures[i].why != why)
		i++;
	return i;
}

void compare_put_reasons(struct strbuf *b, const struct compare_job *job,
			 void (*put)(struct strbuf *b, const char *text), const char *before,
			 const char *after)
{
	char name[COMPARE_NAME];

	for (size_t i = 0; i < job->nfigures; i++) {
		const char *why = job->figures[i].why;

		if (!why || first_with(job, why) != i)
			continue;
		strbuf_puts(b, before);
		put(b, why);
		for (size_t k = i; k < job->nfigures; k++)
			if (job->figures[k].why == why)
				strbuf_printf(b, "%s%s", k > i ? ", " : " (",
					      compare_figure_name(&job->figures[k], name));
		strbuf_printf(b, ")%s", after);
	}
}

struct short_text compare_detectable(const struct compare_figure *f)
{
	double share = f->change.detectable;
	struct short_text t = { "" };

	if (f->change.interval && (isinf(share) || share > 99.99))
		return (struct short_text){ "none" };
	if (f->change.interval)
		snprintf(t.text, sizeof(t.text), "%.*f%%", share < 0.00995 ? 2 : share < 0.0995, share * 100);
	return t;
}

struct short_text compare_measured(const struct compare_verdict *v)
{
	const struct compare_figure *f = v->figure;
	double delta = f->b.value - f->a.value;
	struct short_text t;

	if (v->condition->kind == COMPARE_FIGURE)
		return compare_value(f->what, f->b.value);
	if (!f->change.known)
		return (struct short_text){ "-" };
	if (v->condition->kind == COMPARE_RELATIVE)
		return compare_percent(f->change.change);
	snprintf(t.text, sizeof(t.text), "%c%.120s", delta < 0 ? '-' : '+',
		 compare_value(f->what, fabs(delta)).text);
	return t;
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
