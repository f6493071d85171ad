/* read_series.c: reads the run over time. The document has mean latencies in tenths of a ns, so the series
   gets the smallest sums that have these means. */
#include <errno.h>
#include <stdlib.h>
#include "counts.h"
#include "read_parts.h"
#include "series_columns.h"

#define SERIES_MAX_BYTES ((size_t)64 << 20)
#define TIME_MAX_NS      ((uint64_t)1 << 60)
/* Limits. They are above those of a run, whose series holds half a million intervals at most. */
#define GROUP_MAX ((uint64_t)1 << 20) /* intervals of a group */
#define GRID_MAX  ((uint64_t)1 << 22) /* from the first one of all groups to the last */

/* The columns of one direction. */
struct table {
	bool here;
	bool steps[SERIES_COLUMNS]; /* the column has steps in place of bins */
	struct json_iter column[SERIES_COLUMNS];
};

struct group {
	struct json v;
	uint64_t start_ms, begin_ms, runtime_ms, intervals;
	enum lat_kind kind;
	bool placed; /* it has a start_ms */
};

struct series_reader {
	struct reader *rd;
	uint64_t len_ns;
	unsigned char *scratch;
	struct hist *hist;
};

#define SCRATCH_BYTES IVAL_BYTES(2 * DIR_COUNT, 2 * DIR_COUNT)

/* Returns the next value of a column; 0 if it is null or if the column is missing. */
static uint64_t next_u64(struct reader *rd, struct table *t, unsigned column)
{
	struct json_iter *it = &t->column[column];
	uint64_t v = 0;

	if (json_next(it) && json_kind(it->value) != JSON_NULL)
		read_check(rd, series_column_name[column], it->value, json_u64(it->value, &v));
	return v;
}

static double next_double(struct reader *rd, struct table *t, unsigned column)
{
	struct json_iter *it = &t->column[column];
	double v = 0;

	if (json_next(it) && json_kind(it->value) != JSON_NULL)
		read_check(rd, series_column_name[column], it->value, read_figure(it->value, &v));
	return v;
}

/* Reads an interval's bins into the histogram, and returns their sum. */
static uint64_t next_bins(struct series_reader *s, struct table *t, unsigned column)
{
	struct read_hist to = { .hist = s->hist,
				.most = TIME_MAX_NS,
				.bins_key = series_column_name[column],
				.steps_key = series_steps_name[column] };

	hist_reset(s->hist);
	if (json_next(&t->column[column]))
		read_hist(s->rd, json_iter(t->column[column].value), t->steps[column], &to);
	return to.total;
}

/* Returns the smallest sum of n values whose mean is `mean` in tenths, cut off. */
static uint64_t sum_of(double mean, uint64_t n)
{
	__extension__ typedef unsigned __int128 u128;
	u128 tenths = mean > 0 && mean < 1e18 ? (u128)(mean * 10 + 0.5) : 0, sum = (tenths * n + 9) / 10;

	return sum > TIME_MAX_NS ? TIME_MAX_NS : (uint64_t)sum;
}

/* Reads the four columns of a latency from `first` on. ios: the number of its I/Os, which is used if there
   are no bins. */
static void next_lat(struct series_reader *s, struct table *t, unsigned first, uint64_t ios, unsigned kind,
		     struct ival_out *o)
{
	struct ival_lat l = { .min = next_u64(s->rd, t, first + COLUMN_LAT_MIN) };
	double mean = next_double(s->rd, t, first + COLUMN_LAT_MEAN);

	l.max = next_u64(s->rd, t, first + COLUMN_LAT_MAX);
	l.n = next_bins(s, t, first + COLUMN_LAT_BINS);
	if (!l.n && (mean > 0 || l.max))
		l.n = ios;
	if (l.min > l.max || mean < 0)
		read_fail(s->rd, -EINVAL, series_column_name[first + COLUMN_LAT_MIN],
			  "min, mean and max contradict each other");
	if (!l.n || s->rd->err)
		return;
	l.sum = sum_of(mean, l.n);
	ival_put_lat(o, kind, &l);
	for (unsigned i = s->hist->lo; i <= s->hist->hi && i < HIST_BUCKETS; i++) {
		if (s->hist->n[i])
			ival_put_bin(o, i, s->hist->n[i]);
	}
}

static void next_series_dir(struct series_reader *s, struct table *t, enum lat_kind kind, unsigned dir,
			    struct ival_out *o)
{
	struct ival_dir d = { .ios = next_u64(s->rd, t, COLUMN_IOS) };

	d.bytes = next_u64(s->rd, t, COLUMN_BYTES);
	d.errors = next_u64(s->rd, t, COLUMN_ERRORS);
	d.unfinished = next_u64(s->rd, t, COLUMN_UNFINISHED);
	if (d.ios > TIME_MAX_NS || d.bytes > TIME_MAX_NS || d.errors > TIME_MAX_NS ||
	    d.unfinished > TIME_MAX_NS)
		read_fail(s->rd, -ERANGE, series_column_name[COLUMN_IOS], "a count is too large");
	ival_put_dir(o, dir, &d);
	if (kind < LAT_KINDS)
		next_lat(s, t, COLUMN_LATS, d.ios, kind, o);
	if (kind != LAT_RESP)
		next_lat(s, t, COLUMN_RESPS, d.ios + d.unfinished, LAT_RESP, o);
}

/* Opens the columns of each direction, which have one element for each interval. Returns false if there are
   none. */
static bool open_tables(struct reader *rd, const struct read_object *g, uint64_t intervals, struct table *t)
{
	bool any = false;

	for (unsigned d = 0; d < DIR_COUNT; d++) {
		struct json_iter it;
		struct read_object o;
		uint64_t n = 0;

		t[d].here = read_open_key(rd, &o, g, counts_dir_name[d]);
		if (!t[d].here)
			continue;
		for (unsigned c = 0; c < SERIES_COLUMNS; c++) {
			t[d].steps[c] = series_steps_name[c] && read_has(&o, series_steps_name[c]);
			t[d].column[c] = read_array(
				rd, &o, t[d].steps[c] ? series_steps_name[c] : series_column_name[c]);
		}
		for (it = t[d].column[COLUMN_IOS]; json_next(&it);)
			n++;
		if (n != intervals)
			read_fail(rd, -EINVAL, "ios", "the number of elements is not \"intervals\"");
		read_close(rd, &o);
		any = true;
	}
	return any;
}

static void read_cell(struct series_reader *s, struct series *to, unsigned group, const struct group *g,
		      uint64_t at, struct table *t)
{
	const struct ival head = { .first = at, .intervals = 1 };
	struct ival_out out;
	struct ival rec;

	ival_begin(&out, s->scratch, SCRATCH_BYTES, &head);
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		if (t[d].here)
			next_series_dir(s, &t[d], g->kind, d, &out);
	}
	if (!s->rd->err && ival_read(&rec, s->scratch, ival_end(&out, s->scratch)))
		series_add(to, group, 0, g->kind, &rec);
}

/* Adds the intervals of a group. The first one has the number `first` on the grid. Of a group without I/O it
   adds only the first and the last interval. */
static void read_cells(struct series_reader *s, struct series *to, unsigned group, const struct group *g,
		       uint64_t first, const struct read_object *o)
{
	struct table t[DIR_COUNT] = { 0 };
	bool any = open_tables(s->rd, o, g->intervals, t);
	uint64_t step = any || g->intervals < 2 ? 1 : g->intervals - 1;

	for (uint64_t i = 0; i < g->intervals && !s->rd->err; i += step)
		read_cell(s, to, group, g, first + i, t);
	if (!to->groups[group].cells.n)
		return;
	to->groups[group].end_ns = first * s->len_ns + g->runtime_ms * 1000000;
	if (g->begin_ms < s->len_ns / 1000000)
		to->groups[group].begin_ns = first * s->len_ns + g->begin_ms * 1000000;
}

static enum lat_kind read_kind(struct reader *rd, const struct read_object *o)
{
	struct json v = json_get(&o->ix, "lat_kind");

	for (unsigned k = 0; v.at && k < LAT_KINDS; k++) {
		if (json_is(v, counts_kind_name[k]))
			return (enum lat_kind)k;
	}
	if (v.at)
		read_fail(rd, -EINVAL, "lat_kind", "there is no such latency");
	return LAT_KINDS;
}

static void read_head(struct reader *rd, const struct read_object *o, struct group *g,
		      struct result_series_label *label)
{
	label->name = "";
	label->in_report = true;
	read_text(rd, o, "name", &label->name);
	read_unsigned(rd, o, "group", &label->group);
	read_unsigned(rd, o, "clone", &label->clone);
	g->placed = read_has(o, "start_ms");
	read_u64(rd, o, "start_ms", &g->start_ms);
	read_u64(rd, o, "begin_ms", &g->begin_ms);
	read_u64(rd, o, "runtime_ms", &g->runtime_ms);
	read_u64(rd, o, "intervals", &g->intervals);
	g->kind = read_kind(rd, o);
	if (g->start_ms > TIME_MAX_NS || g->runtime_ms > TIME_MAX_NS / 1000000)
		read_fail(rd, -ERANGE, NULL, "start_ms or runtime_ms is too large");
}

/* Returns the start of the grid: that of the first group. */
static uint64_t grid_start(const struct group *g, unsigned n)
{
	uint64_t start = UINT64_MAX;

	for (unsigned i = 0; i < n; i++) {
		if (g[i].placed && g[i].start_ms < start)
			start = g[i].start_ms;
	}
	return start == UINT64_MAX ? 0 : start;
}

static void read_group(struct series_reader *s, struct series *to, unsigned i, struct group *g,
		       uint64_t start_ms)
{
	uint64_t first = g->placed ? (g->start_ms - start_ms) / (s->len_ns / 1000000) : 0;
	struct read_object o;

	if (first > GRID_MAX || g->intervals > GROUP_MAX || first + g->intervals > GRID_MAX ||
	    first + g->intervals > TIME_MAX_NS / s->len_ns) {
		read_fail(s->rd, -ERANGE, NULL, "there are too many intervals");
		return;
	}
	if (!read_open_at(s->rd, &o, g->v, "series", i))
		return;
	read_cells(s, to, i, g, first, &o);
	read_close(s->rd, &o);
}

/* Reads the heads of all groups before their intervals, because the grid begins with the earliest group. */
static void read_groups(struct series_reader *s, const struct read_object *o, const char *key, unsigned n,
			struct series *to)
{
	struct json_iter it = read_array(s->rd, o, key);
	struct group *g = read_alloc(s->rd, n, sizeof(*g));
	struct result_series_label *label = read_alloc(s->rd, n, sizeof(*label));
	struct read_object head;
	uint64_t start_ms;

	for (unsigned i = 0; i < n && g && label && json_next(&it); i++) {
		g[i].v = it.value;
		if (!read_open_at(s->rd, &head, it.value, key, i))
			return;
		read_head(s->rd, &head, &g[i], &label[i]);
		read_close(s->rd, &head);
	}
	if (s->rd->err)
		return;
	start_ms = grid_start(g, n);
	for (unsigned i = 0; i < n && !s->rd->err; i++)
		read_group(s, to, i, &g[i], start_ms);
	if (!s->rd->err)
		result_move_series(s->rd->r, to, label, start_ms);
}

static uint64_t interval_ns(struct reader *rd, const struct read_object *o)
{
	uint64_t ms = 0;

	read_u64(rd, o, "interval_ms", &ms);
	if (!rd->err && (ms == 0 || ms > TIME_MAX_NS / 1000000))
		read_fail(rd, -ERANGE, "interval_ms", "this is not a possible length of an interval");
	return ms * 1000000;
}

static void read_series_object(struct series_reader *s, const struct read_object *o)
{
	bool per_job = read_has(o, "jobs"), incomplete = false;
	const char *key = per_job ? "jobs" : "groups";
	struct json_iter it = read_array(s->rd, o, key);
	struct series series = { 0 };
	unsigned n = 0;

	while (json_next(&it) && n < 1u << 20)
		n++;
	s->len_ns = interval_ns(s->rd, o);
	read_bool(s->rd, o, "incomplete", &incomplete);
	if (s->rd->err || !read_charge(s->rd, SERIES_MAX_BYTES + n * sizeof(struct series_group)))
		return;
	if (series_init(&series, n, s->len_ns, SERIES_MAX_BYTES))
		read_fail(s->rd, -ENOMEM, NULL, "out of memory");
	else
		read_groups(s, o, key, n, &series);
	if (!s->rd->err) {
		s->rd->r->series.on = true;
		s->rd->r->series.per_job = per_job;
		s->rd->r->series.data.failed |= incomplete;
	}
	series_fini(&series);
}

void read_series(struct reader *rd, const struct read_object *fiord)
{
	struct series_reader s = { .rd = rd };
	struct read_object o;

	if (!read_open_key(rd, &o, fiord, "series"))
		return;
	s.scratch = malloc(SCRATCH_BYTES);
	s.hist = calloc(1, sizeof(*s.hist));
	if (s.scratch && s.hist)
		read_series_object(&s, &o);
	else
		read_fail(rd, -ENOMEM, NULL, "out of memory");
	free(s.scratch);
	free(s.hist);
	read_close(rd, &o);
}
