/* json_series.c: writes the run over time as columns: each line is an array with one element per interval. */
#include "json_shared.h"
#include "series_columns.h"
#include "strbuf.h"

struct table {
	struct strbuf column[SERIES_COLUMNS];
	bool steps;      /* histograms as steps */
	bool unfinished; /* I/Os did not complete */
	bool any; /* the direction has I/Os or errors, or a log file knew its bytes or latencies alone */
	struct {
		bool lats; /* it has latencies */
		bool bins; /* it has histograms of them */
	} has, has_resp;
};

/* Adds the bins as an object, {"20096":3,"20352":1}. Returns false if the latency has none. */
static bool put_bins_text(struct strbuf *b, const struct ival_lat *l)
{
	struct ival_bins bins = ival_bins(l);
	const char *comma = "\"";
	unsigned bucket;
	uint64_t count;

	strbuf_putc(b, '{');
	while (ival_bin(&bins, &bucket, &count)) {
		strbuf_puts(b, comma);
		strbuf_u64(b, hist_mid(bucket));
		strbuf_puts(b, "\":");
		strbuf_u64(b, count);
		comma = ",\"";
	}
	strbuf_putc(b, '}');
	return *comma == ',';
}

/* Adds the bins as an array in pairs, of which the first is the distance from the bucket before, the second
   the count: [521,3,1,1]. It compresses to about a quarter of the object. */
static bool put_steps(struct strbuf *b, const struct ival_lat *l)
{
	struct ival_bins bins = ival_bins(l);
	const char *comma = "";
	unsigned bucket, before = 0;
	uint64_t count;

	strbuf_putc(b, '[');
	while (ival_bin(&bins, &bucket, &count)) {
		strbuf_puts(b, comma);
		strbuf_u64(b, bucket - before);
		strbuf_putc(b, ',');
		strbuf_u64(b, count);
		before = bucket;
		comma = ",";
	}
	strbuf_putc(b, ']');
	return *comma;
}

/* Adds the mean latency in tenths of a ns; null without I/Os. It does not use printf's %f, which depends on
   the locale. */
static void put_mean(struct strbuf *b, const struct ival_lat *l)
{
	uint64_t whole = l->n ? l->sum / l->n : 0, rest = l->n ? l->sum % l->n : 0;

	if (!l->n) {
		strbuf_puts(b, "null");
	} else {
		strbuf_u64(b, whole);
		strbuf_putc(b, '.');
		strbuf_u64(b, (uint64_t)((double)rest * 10 / (double)l->n));
	}
}

static void put_number(struct strbuf *b, bool known, uint64_t v)
{
	if (known)
		strbuf_u64(b, v);
	else
		strbuf_puts(b, "null");
}

/* Adds a row to the four columns of a latency. */
static void add_lat_columns(struct strbuf *column, const struct ival_lat *l, bool steps, bool *lats,
			    bool *bins)
{
	put_number(&column[COLUMN_LAT_MIN], l->n, l->min);
	put_mean(&column[COLUMN_LAT_MEAN], l);
	put_number(&column[COLUMN_LAT_MAX], l->n, l->max);
	*bins |= steps ? put_steps(&column[COLUMN_LAT_BINS], l) : put_bins_text(&column[COLUMN_LAT_BINS], l);
	*lats |= l->n > 0;
}

static void add_series_row(struct table *t, const struct ival_dir *d, enum lat_kind kind, const char *comma)
{
	static const struct ival_lat none;

	for (unsigned c = 0; c < SERIES_COLUMNS; c++)
		strbuf_puts(&t->column[c], comma);
	strbuf_u64(&t->column[COLUMN_IOS], d->ios);
	strbuf_u64(&t->column[COLUMN_BYTES], d->bytes);
	strbuf_u64(&t->column[COLUMN_ERRORS], d->errors);
	strbuf_u64(&t->column[COLUMN_UNFINISHED], d->unfinished);
	t->unfinished |= d->unfinished > 0;
	add_lat_columns(&t->column[COLUMN_LATS], kind < LAT_KINDS ? &d->lat[kind] : &none, t->steps,
			&t->has.lats, &t->has.bins);
	add_lat_columns(&t->column[COLUMN_RESPS], &d->lat[LAT_RESP], t->steps, &t->has_resp.lats,
			&t->has_resp.bins);
	t->any |= d->ios || d->errors || d->bytes || t->has.lats || t->has_resp.lats;
}

/* Returns whether the table prints a column. Latencies without percentiles have no column of bins, and only
   directions with a rate have response times. */
static bool has_column(const struct table *t, enum lat_kind kind, unsigned column)
{
	if (column < COLUMN_COUNTS)
		return column != COLUMN_UNFINISHED || t->unfinished;
	if (column == (unsigned)COLUMN_LATS + COLUMN_LAT_BINS && t->has.lats && !t->has.bins)
		return false;
	if (column < COLUMN_RESPS)
		return kind < LAT_KINDS;
	return column == (unsigned)COLUMN_RESPS + COLUMN_LAT_BINS ? t->has_resp.bins : t->has_resp.lats;
}

static void put_table(struct jsonw *w, const char *name, struct table *t, enum lat_kind kind)
{
	if (t->any) {
		jsonw_object(w, name);
		for (unsigned c = 0; c < SERIES_COLUMNS; c++) {
			strbuf_putc(&t->column[c], ']');
			if (has_column(t, kind, c))
				jsonw_raw(w,
					  t->steps && series_steps_name[c] ? series_steps_name[c]
									   : series_column_name[c],
					  strbuf_str(&t->column[c]));
		}
		jsonw_end_object(w);
	}
	for (unsigned c = 0; c < SERIES_COLUMNS; c++) {
		w->out->failed |= t->column[c].failed;
		strbuf_fini(&t->column[c]);
	}
}

static void put_series_dir(struct jsonw *w, const struct series *s, unsigned group, unsigned dir)
{
	static const char *const name[DIR_COUNT] = { "read", "write", "trim", "sync" };
	const struct series_group *g = &s->groups[group];
	struct table t = { .steps = w->compact };

	for (unsigned c = 0; c < SERIES_COLUMNS; c++)
		strbuf_putc(&t.column[c], '[');
	for (size_t i = 0; i < g->cells.n; i++) {
		struct ival v;

		series_get(s, group, i, &v);
		add_series_row(&t, &v.dir[dir], g->kind, i ? "," : "");
	}
	put_table(w, name[dir], &t, g->kind);
}

static void put_series_group(struct jsonw *w, const struct result_series *r, unsigned group)
{
	static const char *const kind[LAT_KINDS] = { "slat", "clat", "lat", "resp" };
	const struct series_group *g = &r->data.groups[group];
	uint64_t len = series_interval_ns(&r->data), first = g->first * len;

	jsonw_object(w, NULL);
	jsonw_u64(w, "group", r->label[group].group);
	jsonw_str(w, "name", r->label[group].name);
	if (r->per_job)
		jsonw_u64(w, "clone", r->label[group].clone);
	if (g->cells.n)
		jsonw_u64(w, "start_ms", r->start_ms + first / 1000000);
	if (g->begin_ns > first && g->begin_ns < first + len)
		jsonw_u64(w, "begin_ms", (g->begin_ns - first) / 1000000);
	jsonw_u64(w, "runtime_ms", (g->end_ns - (g->end_ns < first ? g->end_ns : first)) / 1000000);
	jsonw_u64(w, "intervals", g->cells.n);
	if (g->kind < LAT_KINDS)
		jsonw_str(w, "lat_kind", kind[g->kind]);
	for (unsigned d = 0; d < DIR_COUNT; d++)
		put_series_dir(w, &r->data, group, d);
	jsonw_end_object(w);
}

void report_json_series(struct jsonw *w, const struct result_series *r)
{
	if (!r->on)
		return;
	jsonw_object(w, "series");
	jsonw_u64(w, "interval_ms", series_interval_ns(&r->data) / 1000000);
	jsonw_array(w, r->per_job ? "jobs" : "groups");
	for (unsigned g = 0; g < r->data.ngroups; g++)
		if (r->label && r->label[g].in_report)
			put_series_group(w, r, g);
	jsonw_end_array(w);
	if (r->data.failed)
		jsonw_bool(w, "incomplete", true);
	jsonw_end_object(w);
}
