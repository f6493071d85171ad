#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "chart_time.h"

/* I/Os that completed while they were submitted take ns. A few of them, below a gap of a decade without I/Os,
   share one row, so that the axis is not mostly empty. */
#define FEW_PERCENT 1
#define GAP         10

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

/* ---- the lowest I/Os ---- */

/* The buckets that a chart shows. */
struct shown {
	bool used[HIST_BUCKETS];
	unsigned lo, hi; /* of the used buckets; lo > hi: none */
	unsigned few;    /* fewer than FEW_PERCENT of each set's I/Os lie below this bucket */
};

static void shown_init(struct shown *s)
{
	*s = (struct shown){ .lo = HIST_BUCKETS, .few = HIST_BUCKETS };
}

static void shown_use(struct shown *s, unsigned bucket)
{
	s->used[bucket] = true;
	s->lo = bucket < s->lo ? bucket : s->lo;
	s->hi = bucket > s->hi ? bucket : s->hi;
}

static bool is_few(uint64_t n, uint64_t total)
{
	return (double)n * 100 < (double)total * FEW_PERCENT;
}

static void shown_few(struct shown *s, unsigned bucket)
{
	s->few = bucket < s->few ? bucket : s->few;
}

/* Returns the bucket at which the axis begins: the lowest one in use, or the one above a wide gap if only few
   I/Os lie below the gap. */
static unsigned shown_begin(const struct shown *s)
{
	unsigned begin = s->lo, last = s->lo;

	for (unsigned i = s->lo; i <= s->few && i <= s->hi; i++) {
		if (!s->used[i])
			continue;
		if ((double)hist_low(i) >= GAP * (double)hist_low(last + 1))
			begin = i;
		last = i;
	}
	return begin;
}

/* ---- rows ---- */

/* A logarithmic axis has no 0. */
static double bound(unsigned bucket)
{
	return bucket ? (double)hist_low(bucket) : 0.5;
}

/* Puts the buckets from lo on into a row below the others, which is drawn as high as the one above it. */
static void add_lowest_row(unsigned lo, unsigned rows, unsigned *first, double *bound_ns)
{
	memmove(first + 1, first, (rows + 1) * sizeof(*first));
	memmove(bound_ns + 1, bound_ns, (rows + 1) * sizeof(*bound_ns));
	first[0] = lo;
	bound_ns[0] = bound_ns[1] * bound_ns[1] / bound_ns[2];
}

/* Divides the buckets into at most `most` rows, 2 or more, of about the same height on a logarithmic axis.
   Row i has the buckets from first[i] to first[i + 1] - 1. Returns the number of rows; *low_ns is where the
   lowest really begins. */
static unsigned divide_rows(const struct shown *s, unsigned most, unsigned *first, double *bound_ns,
			    double *low_ns)
{
	static const unsigned densities[] = { 8, 6, 5, 4, 3, 2, 1 };
	const unsigned *d = densities;
	unsigned rows, lo = shown_begin(s), extra = lo > s->lo;

	while (*d > 1 && divide(lo, s->hi, *d, NULL) + extra > most)
		d++;
	rows = divide(lo, s->hi, *d, first);
	for (unsigned i = 0; i <= rows; i++)
		bound_ns[i] = bound(first[i]);
	if (extra)
		add_lowest_row(s->lo, rows, first, bound_ns);
	*low_ns = bound(first[0]);
	return rows + extra;
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

static void shown_hist(struct shown *s, const struct hist *h)
{
	uint64_t below = 0, total = hist_total(h);

	shown_init(s);
	for (unsigned i = h->lo; i <= h->hi; i++) {
		if (!h->n[i])
			continue;
		shown_use(s, i);
		below += h->n[i];
		if (!is_few(below, total))
			shown_few(s, i);
	}
}

static int fill_heat(struct chart_heat *h, const struct chart_time *t, struct chart_sum *sum, unsigned dir,
		     enum lat_kind kind, unsigned cols, unsigned rows)
{
	unsigned first[CHART_HEAT_ROWS + 1];
	struct shown shown;
	size_t per;

	chart_sum_reset(sum);
	for (size_t i = 0; i < t->n; i++)
		chart_sum_add(sum, t, i, dir, kind);
	if (sum->hist->lo > sum->hist->hi)
		return 0;
	shown_hist(&shown, sum->hist);
	h->rows = divide_rows(&shown, rows, first, h->bound_ns, &h->low_ns);
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

static void shown_bins(struct shown *s, const struct chart_bins *bins, uint64_t total)
{
	uint64_t below = 0;

	for (size_t i = 0; i < bins->n; i++) {
		unsigned bucket = hist_index(bins->ns[i]);

		if (!bins->count[i])
			continue;
		shown_use(s, bucket);
		below += bins->count[i];
		if (!is_few(below, total))
			shown_few(s, bucket);
	}
}

static void count_bars(struct chart_histogram *h, unsigned set, const struct chart_bins *bins,
		       const unsigned *first)
{
	unsigned bar = 0;

	for (size_t i = 0; i < bins->n; i++) {
		while (hist_index(bins->ns[i]) >= first[bar + 1])
			bar++;
		h->count[set][bar] += bins->count[i];
	}
	for (bar = 0; h->total[set] && bar < h->n; bar++)
		h->max = fmax(h->max, (double)h->count[set][bar] / (double)h->total[set]);
}

void chart_histogram(struct chart_histogram *h, const struct chart_bins *bins, unsigned sets, unsigned bars)
{
	unsigned first[CHART_BARS + 1];
	struct shown shown;

	*h = (struct chart_histogram){ .sets = sets < CHART_SETS ? sets : CHART_SETS };
	shown_init(&shown);
	for (unsigned s = 0; s < h->sets; s++) {
		for (size_t i = 0; i < bins[s].n; i++)
			h->total[s] += bins[s].count[i];
		shown_bins(&shown, &bins[s], h->total[s]);
	}
	if (shown.lo > shown.hi)
		return;
	h->n = divide_rows(&shown, bars < CHART_BARS ? bars : CHART_BARS, first, h->bound_ns, &h->low_ns);
	for (unsigned s = 0; s < h->sets; s++)
		count_bars(h, s, &bins[s], first);
}
