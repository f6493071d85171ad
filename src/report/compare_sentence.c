/* compare_sentence.c: the answer of a comparison in sentences. */
#include "compare_report.h"
#include "strbuf.h"
#include "units.h"

#include <math.h>

#define SENTENCES_MAX 6

static const char *const verb[] = { "reads", "writes", "trims", "syncs" };

/* Returns the figure of a direction; NULL: there is none. */
static const struct compare_figure *find_figure(const struct compare_job *job, unsigned dir,
						enum compare_what what)
{
	const struct compare_figure *best = NULL;

	for (size_t i = 0; i < job->nfigures; i++) {
		const struct compare_figure *f = &job->figures[i];

		if (f->dir != dir || f->what != what || f->of_part)
			continue;
		/* Of percentiles p99 counts, or the one that is nearest to it; of response times and
		 * latencies the former. */
		if (!best || fabs(f->percentile - 99) < fabs(best->percentile - 99) ||
		    (f->percentile <= best->percentile && f->percentile >= best->percentile &&
		     f->kind == LAT_RESP))
			best = f;
	}
	return best;
}

/* Adds "31%". */
static void put_change_percent(struct strbuf *b, const struct compare_figure *f)
{
	double size = fabs(f->change.change) * 100;

	strbuf_printf(b, "%.*f%%", size < 0.995 ? 2 : size < 9.95 ? 1 : 0, size);
}

static void put_values(struct strbuf *b, const struct compare_figure *f)
{
	strbuf_printf(b, " (%s -> %s%s", compare_value(f->what, f->a.value).text,
		      compare_value(f->what, f->b.value).text, f->what == COMPARE_IOPS ? " IOPS)" : ")");
}

static void put_data(struct strbuf *b, const struct compare *c)
{
	if (c->a.n == c->b.n && c->a.n > 1)
		strbuf_printf(b, "%zu runs of each side", c->a.n);
	else
		strbuf_puts(b, c->a.n == 1 && c->b.n == 1 ? "two single runs" : "these runs");
}

static bool is_shown(const struct compare_figure *f)
{
	return f->change.interval && f->change.shown;
}

/* Adds what is known of a change that is not shown. */
static void put_unshown(struct strbuf *b, const struct compare *c, const struct compare_figure *f)
{
	if (!f->change.interval) {
		strbuf_printf(b, "%s, and these results do not tell whether that is chance",
			      compare_percent(f->change.change).text);
		return;
	}
	strbuf_puts(b, "no difference in ");
	put_data(b, c);
}

/* Says how many runs would show COMPARE_GOAL, if there are too few now. */
static void put_needed(struct strbuf *b, const struct compare *c, const struct compare_figure *f)
{
	size_t least = c->a.n < c->b.n ? c->a.n : c->b.n;

	if (f->change.interval && !f->change.shown && f->runs_needed > least)
		strbuf_printf(b, "; %u runs of each side would show %g%%", f->runs_needed,
			      COMPARE_GOAL * 100);
}

static void put_rate_change(struct strbuf *b, const struct compare_figure *f)
{
	strbuf_printf(b, "B %s ", f->mixed ? "is" : verb[f->dir]);
	put_change_percent(b, f);
	strbuf_puts(b, f->change.change > 0 ? " faster" : " slower");
	put_values(b, f);
}

static void put_latency_name(struct strbuf *b, const struct compare_figure *f)
{
	char percentile[UNITS_DECIMALS];

	if (f->what == COMPARE_LAT_PERCENTILE)
		strbuf_printf(b, "p%s", units_decimals(percentile, f->percentile, 0, 9));
	else
		strbuf_puts(b, "the mean latency");
}

static void put_latency_change(struct strbuf *b, const struct compare *c, const struct compare_figure *f)
{
	put_latency_name(b, f);
	if (!is_shown(f)) {
		strbuf_puts(b, f->change.interval ? " shows " : ": ");
		put_unshown(b, c, f);
		return;
	}
	strbuf_puts(b, " is ");
	put_change_percent(b, f);
	strbuf_puts(b, f->change.change > 0 ? " higher" : " lower");
	put_values(b, f);
}

static void put_unshown_rate(struct strbuf *b, const struct compare *c, const struct compare_figure *f)
{
	strbuf_printf(b, "the IOPS of %s%s", f->mixed ? "reads and writes" : verb[f->dir],
		      f->change.interval ? " show " : ": ");
	put_unshown(b, c, f);
}

/* Adds the sentence of one direction. */
static void put_direction(struct strbuf *b, const struct compare *c, const struct compare_figure *rate,
			  const struct compare_figure *lat)
{
	if (is_shown(rate))
		put_rate_change(b, rate);
	else
		put_unshown_rate(b, c, rate);
	if (lat) {
		strbuf_puts(b, "; ");
		put_latency_change(b, c, lat);
	}
	put_needed(b, c, lat && !is_shown(lat) ? lat : rate);
	strbuf_putc(b, '.');
}

/* Returns false if the job has no such I/O. */
static bool put_sentence(struct strbuf *b, const struct compare *c, const struct compare_job *job,
			 unsigned dir, const char *between)
{
	const struct compare_figure *rate = find_figure(job, dir, COMPARE_IOPS),
				    *lat = find_figure(job, dir, COMPARE_LAT_PERCENTILE);

	if (!rate || !rate->change.known)
		return false;
	lat = lat && lat->change.known ? lat : find_figure(job, dir, COMPARE_LAT_MEAN);
	strbuf_puts(b, between);
	strbuf_printf_plain(b, "%s: ", job->name);
	put_direction(b, c, rate, lat && lat->change.known ? lat : NULL);
	return true;
}

void compare_put_sentences(struct strbuf *b, const struct compare *c, const char *between)
{
	size_t sentences = 0, totals = 0;

	for (size_t i = 0; i < c->njobs; i++)
		totals += c->jobs[i].total;
	for (size_t i = 0; i < c->njobs && sentences < SENTENCES_MAX; i++)
		for (unsigned dir = 0; dir < DIR_DATA; dir++)
			if (c->jobs[i].total || !totals)
				sentences += put_sentence(b, c, &c->jobs[i], dir, sentences ? between : "");
}
