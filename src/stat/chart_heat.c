#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "chart_time.h"

/* Returns the first bucket of the row that begins at 2^(k / per_octave): the bound between buckets that is
   nearest to that value. */
static unsigned row_begin(unsigned k, unsigned per_octave)
{
	double v = exp2((double)k / per_octave);
	unsigned i = hist_index((uint64_t)v);

	if (k == 45 * per_octave)
		return HIST_BUCKETS;
	if (i + 1 < HIST_BUCKETS && (double)hist_low(i + 1) - v < v - (double)hist_low(i))
		i++;
	return i;
}

/* Divides the buckets lo..hi into rows, and returns their number. first may be NULL, to count only. */
static unsigned divide(unsigned lo, unsigned hi, unsigned per_octave, unsigned *first)
{
	unsigned rows = 0, begin = 0, end, k = 0;

	do {
		end = row_begin(++k, per_octave);
		if (end > lo && end > begin) {
			if (first)
				first[rows] = begin;
			rows++;
		}
		begin = end > begin ? end : begin;
	} while (end <= hi);
	if (first)
		first[rows] = end;
	return rows;
}

/* Divides the buckets lo..hi into at most `most` rows of about the same height on a logarithmic axis. Row i
   has the buckets from first[i] to first[i + 1] - 1. Returns the number of rows. */
static unsigned divide_rows(unsigned lo, unsigned hi, unsigned most, unsigned *first, double *bound_ns)
{
	static const unsigned densities[] = { 8, 6, 5, 4, 3, 2, 1 };
	const unsigned *d = densities;
	unsigned rows;

	while (*d > 1 && divide(lo, hi, *d, NULL) > most)
		d++;
	rows = divide(lo, hi, *d, first);
	/* A logarithmic axis has no 0. */
	for (unsigned i = 0; i <= rows; i++)
		bound_ns[i] = first[i] ? (double)hist_low(first[i]) : 0.5;
	return rows;
}

/* Sets the columns, and returns how many intervals each of them has. */
static size_t set_columns(struct chart_heat *h, const struct chart_time *t, unsigned cols)
{
	size_t per = (t->n + cols - 1) / cols;

	h->cols = (unsigned)((t->n + per - 1) / per);
	h->start_ms = (double)t->first_ns / 1e6;
	h->end_ms = (double)t->end_ns / 1e6;
	h->col_ms = (double)per * (double)t->len_ns / 1e6;
	return per;
}

static void count_column(struct chart_heat *h, unsigned col, const struct hist *hist, const unsigned *first)
{
	uint64_t *count = &h->count[(size_t)col * h->rows];

	for (unsigned row = 0; row < h->rows; row++) {
		for (unsigned i = first[row]; i < first[row + 1]; i++)
			count[row] += hist->n[i];
		if (count[row] > h->max)
			h->max = count[row];
	}
}

static int fill_heat(struct chart_heat *h, const struct chart_time *t, struct chart_sum *sum, unsigned dir,
		     enum lat_kind kind, unsigned cols, unsigned rows)
{
	unsigned first[CHART_HEAT_ROWS + 1];
	size_t per;

	chart_sum_reset(sum);
	for (size_t i = 0; i < t->n; i++)
		chart_sum_add(sum, t, i, dir, kind);
	if (sum->hist->lo > sum->hist->hi)
		return 0;
	h->rows = divide_rows(sum->hist->lo, sum->hist->hi, rows, first, h->bound_ns);
	per = set_columns(h, t, cols);
	h->count = calloc((size_t)h->cols * h->rows, sizeof(*h->count));
	if (!h->count)
		return -ENOMEM;
	for (unsigned col = 0; col < h->cols; col++) {
		chart_sum_reset(sum);
		for (size_t i = col * per; i < (col + 1) * per && i < t->n; i++)
			chart_sum_add(sum, t, i, dir, kind);
		count_column(h, col, sum->hist, first);
	}
	return 0;
}

int chart_heat(struct chart_heat *h, const struct series *s, unsigned group, unsigned dir, enum lat_kind kind,
	       unsigned cols, unsigned rows)
{
	struct chart_sum sum = { .hist = calloc(1, sizeof(*sum.hist)) };
	struct chart_time t;
	int rc = -ENOMEM;

	*h = (struct chart_heat){ 0 };
	cols = cols < CHART_HEAT_COLS ? cols : CHART_HEAT_COLS;
	rows = rows < CHART_HEAT_ROWS ? rows : CHART_HEAT_ROWS;
	chart_time(&t, s, group);
	if (sum.hist)
		rc = t.n && kind < LAT_KINDS ? fill_heat(h, &t, &sum, dir, kind, cols, rows) : 0;
	free(sum.hist);
	if (rc)
		chart_heat_fini(h);
	return rc;
}

void chart_heat_fini(struct chart_heat *h)
{
	free(h->count);
	*h = (struct chart_heat){ 0 };
}

/* Shade k begins at max^((k - 1) / CHART_LEVELS). */
uint64_t chart_heat_level_count(const struct chart_heat *h, unsigned level)
{
	return (uint64_t)ceil(pow((double)h->max, (level - 1.0) / CHART_LEVELS) - 1e-9);
}

/* least[i]: the lowest count of shade i. */
static void set_least(const struct chart_heat *h, uint64_t *least)
{
	for (unsigned level = 1; level <= CHART_LEVELS; level++)
		least[level] = chart_heat_level_count(h, level);
}

static unsigned level_of(uint64_t count, const uint64_t *least)
{
	unsigned level = CHART_LEVELS;

	if (!count)
		return 0;
	while (level > 1 && count < least[level])
		level--;
	return level;
}

void chart_heat_levels(const struct chart_heat *h, unsigned char *level)
{
	uint64_t least[CHART_LEVELS + 1];

	set_least(h, least);
	for (size_t i = 0; i < (size_t)h->cols * h->rows; i++)
		level[i] = (unsigned char)level_of(h->count[i], least);
}

void chart_histogram(struct chart_histogram *h, const struct chart_bins *bins, unsigned sets, unsigned bars)
{
	unsigned first[CHART_BARS + 1], lo = HIST_BUCKETS, hi = 0;

	*h = (struct chart_histogram){ .sets = sets < CHART_SETS ? sets : CHART_SETS };
	for (unsigned s = 0; s < h->sets; s++) {
		for (size_t i = 0; i < bins[s].n; i++) {
			unsigned bucket = hist_index(bins[s].ns[i]);

			lo = bucket < lo ? bucket : lo;
			hi = bucket > hi ? bucket : hi;
		}
	}
	if (lo > hi)
		return;
	h->n = divide_rows(lo, hi, bars < CHART_BARS ? bars : CHART_BARS, first, h->bound_ns);
	for (unsigned s = 0; s < h->sets; s++) {
		unsigned bar = 0;

		for (size_t i = 0; i < bins[s].n; i++) {
			while (hist_index(bins[s].ns[i]) >= first[bar + 1])
				bar++;
			h->count[s][bar] += bins[s].count[i];
			h->total[s] += bins[s].count[i];
		}
		for (bar = 0; h->total[s] && bar < h->n; bar++)
			h->max = fmax(h->max, (double)h->count[s][bar] / (double)h->total[s]);
	}
}
