/* collect_split_course.c: the times on the device over the run (latency_split). The BPF programs keep one
   histogram for the whole run; at the end of each interval the parent reads it, and what it has more than
   before belongs to that interval. */
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "clock.h"
#include "collect_parts.h"
#include "collect_split.h"
#include "hist.h"
#include "job_snapshot.h"
#include "plan.h"
#include "series.h"
#include "split.h"
#include "vec.h"

/* Limits of all rows together, and of each. A heat map has at most 120 columns. */
#define COURSE_BYTES  ((size_t)256 << 10)
#define INTERVALS_MAX 240

/* A row of the BPF programs: a job on a disk in one direction. */
struct course_row {
	struct split_key key;
	uint64_t seen[SPLIT_BUCKETS]; /* of earlier intervals */
};

struct split_course {
	struct series series; /* a group for each row, with latencies of DIR_READ and LAT_CLAT */
	struct course_row *rows;
	size_t nrows, cap;
	uint64_t last_ns;          /* the end of the last interval */
	uint64_t first, intervals; /* on the grid: those that are read now */
	struct hist *more;         /* than in earlier intervals */
};

struct split_course *split_course_new(const struct plan *p)
{
	struct split_course *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->more = calloc(1, sizeof(*c->more));
	if (c->more && !series_init(&c->series, 0, p->series_ns, COURSE_BYTES))
		return c;
	split_course_free(c);
	return NULL;
}

void split_course_free(struct split_course *c)
{
	if (!c)
		return;
	series_fini(&c->series);
	free(c->rows);
	free(c->more);
	free(c);
}

void split_course_begin(struct split_course *c, uint64_t now)
{
	if (c->series.start_ns)
		return;
	c->series.start_ns = c->last_ns = now;
}

uint64_t split_course_due_ns(const struct split_course *c)
{
	uint64_t len = series_interval_ns(&c->series), start = c->series.start_ns;

	return start ? start + ((c->last_ns - start) / len + 1) * len : 0;
}

/* Makes the rows up to this number. */
static bool add_rows(struct split_course *c, uint32_t row)
{
	while (c->nrows <= row) {
		if (!VEC_ADD(c->rows, c->nrows, c->cap, (struct course_row){ 0 }))
			return false;
		if (series_add_group(&c->series) < 0) {
			c->nrows--;
			return false;
		}
	}
	return true;
}

static void add_times(void *arg, uint32_t number, const struct split_key *key,
		      const struct split_times *times)
{
	struct split_course *c = arg;
	struct course_row *row;

	if (!add_rows(c, number)) {
		c->series.failed = true;
		return;
	}
	row = &c->rows[number];
	row->key = *key;
	hist_reset(c->more);
	for (unsigned i = 0; i < SPLIT_BUCKETS; i++) {
		uint64_t now = times->buckets[i];

		if (now > row->seen[i])
			hist_add_bucket(c->more, i, now - row->seen[i]);
		row->seen[i] = now;
	}
	series_add_hist(&c->series, number, c->first, c->intervals, c->more);
}

static void read_intervals(struct split_course *c, const struct split *split, uint64_t intervals)
{
	uint64_t len = c->series.len_ns;

	c->first = (c->last_ns - c->series.start_ns) / len;
	c->intervals = intervals;
	c->last_ns += intervals * len;
	split_read_device(split, c, add_times);
	for (unsigned i = 0; i < c->series.ngroups; i++)
		while (c->series.groups[i].cells.n > INTERVALS_MAX)
			series_coarsen(&c->series, 2 * series_interval_ns(&c->series));
}

void split_course_tick(struct split_course *c, const struct split *split, uint64_t now)
{
	uint64_t due = split_course_due_ns(c);

	if (due && now >= due)
		read_intervals(c, split, (now - c->last_ns) / c->series.len_ns);
}

void split_course_end(struct split_course *c, const struct split *split)
{
	if (c->series.start_ns)
		read_intervals(c, split, 1);
}

static const struct series_group *group_of(const struct split_course *c, const struct split_key *key)
{
	for (size_t i = 0; i < c->nrows; i++)
		if (!memcmp(&c->rows[i].key, key, sizeof(*key)))
			return &c->series.groups[i];
	return NULL;
}

/* Fills v with the cells of the group. */
static void copy_cells(const struct split_course *c, const struct series_group *g, struct result *r,
		       struct result_split_interval *v, struct hist *h)
{
	for (size_t i = 0; i < g->cells.n; i++) {
		struct ival cell;

		series_get(&c->series, (unsigned)(g - c->series.groups), i, &cell);
		hist_reset(h);
		if (cell.dir[DIR_READ].lat[LAT_CLAT].bins)
			ival_add_bins(&cell.dir[DIR_READ].lat[LAT_CLAT], h);
		result_set_bins(r, &v[i].bins, h);
	}
}

void split_course_result(const struct split_course *c, const struct split_key *key, struct result *r,
			 struct result_split *row)
{
	const struct series_group *g = group_of(c, key);
	uint64_t len = series_interval_ns(&c->series);
	struct result_split_interval *v;

	if (!g || !g->cells.n || c->series.failed)
		return;
	v = arena_array(&r->mem, g->cells.n, sizeof(*v));
	r->failed |= !v;
	if (!v)
		return;
	copy_cells(c, g, r, v, c->more);
	row->device_start_ms = collect_epoch_ms(c->series.start_ns + g->first * len);
	row->device_interval_ms = len / 1000000;
	row->device_intervals = v;
	row->ndevice_intervals = g->cells.n;
}
