#include "read_log_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "scale.h"

static const enum lat_kind lat_of[LOG_KINDS] = {
	LAT_KINDS, LAT_KINDS, LAT_SLAT, LAT_CLAT, LAT_LAT, LAT_CLAT
};

/* The most intervals that the windows of a log cover; more if its lines are many. */
#define SPANS_MAX    2000000
#define SPANS_A_LINE 16

/* ---- intervals ---- */

/* The part of the grid that an entry covers, and its I/Os. */
struct cell {
	uint64_t first, span;
	struct ival_dir dir[DIR_DATA];
	struct hist hist[DIR_DATA];
	bool used;
};

static void add_log_cell(struct logs *l, struct read_job_logs *j, struct cell *c)
{
	const struct ival head = { .first = c->first, .intervals = c->span };
	struct ival_out o;
	struct ival rec;

	if (!c->used)
		return;
	ival_begin(&o, l->scratch, LOG_SCRATCH_BYTES, &head);
	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct ival_lat *lat = &c->dir[d].lat[j->kind < LAT_KINDS ? j->kind : LAT_LAT];

		ival_put_dir(&o, d, &c->dir[d]);
		if (j->kind == LAT_KINDS || !lat->n)
			continue;
		ival_put_lat(&o, j->kind, lat);
		for (unsigned i = c->hist[d].lo; i <= c->hist[d].hi && i < HIST_BUCKETS; i++) {
			if (c->hist[d].n[i])
				ival_put_bin(&o, i, c->hist[d].n[i]);
		}
	}
	if (ival_read(&rec, l->scratch, ival_end(&o, l->scratch)))
		series_add(&l->series, j->group, 0, j->kind, &rec);
	for (unsigned d = 0; d < DIR_DATA; d++) {
		c->dir[d] = (struct ival_dir){ 0 };
		hist_reset(&c->hist[d]);
	}
	c->used = false;
}

/* Adds the present part of the grid to the series, and moves to another part. */
static void set_cell(struct logs *l, struct read_job_logs *j, struct cell *c, uint64_t first, uint64_t span)
{
	if (c->used && c->first == first && c->span == span)
		return;
	add_log_cell(l, j, c);
	c->first = first;
	c->span = span;
	c->used = true;
}

/* Adds up to a limit that no real log reaches, so that sums of sums do not overflow. */
static void add_count(uint64_t *to, uint64_t n)
{
	if (__builtin_add_overflow(*to, n, to) || *to > LOG_COUNT_MAX)
		*to = LOG_COUNT_MAX;
}

static void count_lat(struct ival_lat *l, uint64_t n, uint64_t ns, uint64_t max)
{
	if (!l->n || ns < l->min)
		l->min = ns;
	if (max > l->max)
		l->max = max;
	if (__builtin_mul_overflow(n, ns, &ns))
		ns = LOG_COUNT_MAX;
	add_count(&l->n, n);
	add_count(&l->sum, ns);
}

/* Returns the I/Os that the series has in this part of the grid. If the intervals have become longer than the
   grid's, it takes a proportional share of their I/Os. */
static uint64_t ios_of(const struct logs *l, const struct read_job_logs *j, unsigned dir, uint64_t first,
		       uint64_t span)
{
	const struct series_group *g = &l->series.groups[j->group];
	unsigned doublings = l->series.doublings;
	uint64_t ios = 0, last = first + span - 1;

	for (uint64_t cell = first >> doublings; cell <= last >> doublings; cell++) {
		uint64_t begin = cell << doublings, of = (uint64_t)1 << doublings;
		uint64_t from = first > begin ? first - begin : 0;
		struct ival v;

		if (cell < g->first || cell - g->first >= g->cells.n)
			continue;
		series_get(&l->series, j->group, cell - g->first, &v);
		ios += scale_part(v.dir[dir].ios, from, last - begin < of ? last - begin + 1 : of, of);
	}
	return ios;
}

/* ---- entries ---- */

/* Adds n I/Os with a latency of ns each. */
static void add_moments(struct moments *m, uint64_t n, uint64_t ns, uint64_t max)
{
	__extension__ typedef unsigned __int128 u128;
	u128 sq = (u128)m->sq_hi << 64 | m->sq_lo;

	/* No real log has so much. */
	if (!n || n > LOG_COUNT_MAX || (u128)n * ns + m->sum > LOG_COUNT_MAX ||
	    __builtin_add_overflow(sq, (u128)ns * ns * n, &sq))
		return;
	m->sq_lo = (uint64_t)sq;
	m->sq_hi = (uint64_t)(sq >> 64);
	m->n += n;
	m->sum += n * ns;
	m->min = ns < m->min ? ns : m->min;
	m->max = max > m->max ? max : m->max;
}

static struct hist *hist_of(struct read_job_logs *j, unsigned dir, enum lat_kind kind)
{
	unsigned index = j->snap.layout.hist[dir][kind];

	return index ? &j->snap.st->hist[index - 1] : NULL;
}

static bool has_lines(const struct read_log_file *f)
{
	return f && f->lines;
}

/* Adds to the I/Os or the bytes of a direction, if they are from this file. */
static void add_amount(struct read_job_logs *j, const struct read_log_file *f, unsigned dir, struct cell *c,
		       uint64_t ios, uint64_t bytes)
{
	if (f == j->ios) {
		add_count(&j->snap.st->dir[dir].ios, ios);
		add_count(&c->dir[dir].ios, ios);
	}
	if (f == j->bytes) {
		add_count(&j->snap.st->dir[dir].bytes, bytes);
		add_count(&c->dir[dir].bytes, bytes);
	}
}

/* Adds an entry of one I/O. */
static void add_io(struct read_job_logs *j, const struct read_log_file *f, const struct log_entry *e,
		   struct cell *c)
{
	struct wstat_dir *w = &j->snap.st->dir[e->dir];
	struct ival_dir *v = &c->dir[e->dir];
	enum lat_kind kind = lat_of[f->name.kind];

	add_amount(j, f, e->dir, c, 1, e->bytes);
	if (f == j->ios) {
		j->several_sizes |= j->block_bytes && j->block_bytes != e->bytes;
		j->block_bytes = e->bytes;
	}
	if (kind == LAT_KINDS)
		return;
	add_moments(&w->lat[kind], 1, e->value, e->value);
	hist_add(hist_of(j, e->dir, kind), e->value);
	if (f == j->lat) {
		count_lat(&v->lat[kind], 1, e->value, e->value);
		hist_add(&c->hist[e->dir], e->value);
	}
}

/* Adds an entry of a window: a rate, or a mean latency. */
static void add_window(struct logs *l, struct read_job_logs *j, const struct read_log_file *f,
		       const struct log_entry *e, uint64_t ms, struct cell *c)
{
	struct wstat_dir *w = &j->snap.st->dir[e->dir];
	struct ival_dir *v = &c->dir[e->dir];
	enum lat_kind kind = lat_of[f->name.kind];
	double unit = f->name.kind == LOG_BW ? 1024 : 1,
	       amount = (double)e->value * unit * (double)ms / 1000 + 0.5;
	uint64_t n;

	if (kind == LAT_KINDS) {
		struct samples *s = f->name.kind == LOG_BW ? j->snap.bw : j->snap.iops;

		samples_add(&s[e->dir], (double)e->value);
		n = amount < (double)LOG_COUNT_MAX ? (uint64_t)amount : LOG_COUNT_MAX;
		add_amount(j, f, e->dir, c, n, n);
		return;
	}
	n = j->ios ? ios_of(l, j, e->dir, c->first, c->span) : 1;
	if (kind != LAT_CLAT || !has_lines(j->of[LOG_HIST]))
		add_moments(&w->lat[kind], n ? n : 1, e->value, e->max);
	if (f == j->lat)
		count_lat(&v->lat[kind], n ? n : 1, e->value, e->max);
}

/* Adds an entry of a histogram. The I/Os of a column get the latency in its middle. */
static void add_hist(struct read_job_logs *j, const struct read_log_file *f, struct log_entry *e,
		     struct cell *c)
{
	struct wstat_dir *w = &j->snap.st->dir[e->dir];
	struct ival_dir *v = &c->dir[e->dir];
	struct hist *h = hist_of(j, e->dir, LAT_CLAT);
	uint64_t n;

	for (unsigned i = 0; log_next_count(e, &n); i++) {
		unsigned bucket = (i << f->shift) + (1u << f->shift) / 2;
		uint64_t mid;

		if (!n || bucket >= HIST_BUCKETS)
			continue;
		mid = hist_mid(bucket);
		if (!has_lines(j->of[LOG_CLAT]) || !j->of[LOG_CLAT]->each_io) {
			add_moments(&w->lat[LAT_CLAT], n, mid, mid);
			hist_add(h, mid);
			h->n[bucket] += n - 1;
		}
		if (f == j->lat) {
			count_lat(&v->lat[LAT_CLAT], n, mid, mid);
			hist_add(&c->hist[e->dir], mid);
			c->hist[e->dir].n[bucket] += n - 1;
		}
		add_amount(j, f, e->dir, c, n, n * e->bytes);
	}
}

static uint64_t rounded(uint64_t ms, uint64_t len)
{
	return (ms + len / 2) / len;
}

/* Counts the intervals that windows cover. A log of several clones goes back in time once for each of them;
   a file whose times jump back and forth all the time is no log, and reading it would take very long. */
static int count_span(const struct logs *l, const struct read_log_file *f, uint64_t span, uint64_t *spans)
{
	*spans += span;
	if (*spans <= SPANS_MAX || *spans / SPANS_A_LINE <= f->number)
		return 0;
	return diag_err(l->d, -EINVAL, "%s: line %llu: the times in this log jump back and forth", f->path,
			(unsigned long long)f->number);
}

static void add_log_entry(struct logs *l, struct read_job_logs *j, const struct read_log_file *f,
			  struct log_entry *e, uint64_t *before, struct cell *c)
{
	uint64_t at = e->time_ms > l->base_ms ? e->time_ms - l->base_ms : 0, first, until;

	if (f->each_io) {
		set_cell(l, j, c, at / l->len_ms, 1);
		add_io(j, f, e, c);
		return;
	}
	/* A window ends at its time, and begins at the time of the entry before it. */
	first = rounded(*before, l->len_ms);
	until = rounded(at, l->len_ms);
	set_cell(l, j, c, first, until > first ? until - first : 1);
	if (f->name.kind == LOG_HIST)
		add_hist(j, f, e, c);
	else
		add_window(l, j, f, e, at > *before ? at - *before : 0, c);
	*before = at;
}

static int add_log_file(struct logs *l, struct read_job_logs *j, struct read_log_file *f)
{
	struct cell *c = calloc(1, sizeof(*c));
	uint64_t before[DIR_DATA] = { 0 }, spans = 0;
	struct log_entry e;
	int ret;

	if (!c)
		return diag_err(l->d, -ENOMEM, "%s: out of memory", f->path);
	for (unsigned d = 0; d < DIR_DATA; d++)
		hist_init(&c->hist[d]);
	ret = log_rewind(f, l->d);
	while (!ret && (ret = log_next(f, &e, l->d)) > 0) {
		add_log_entry(l, j, f, &e, &before[e.dir], c);
		ret = count_span(l, f, c->span, &spans);
	}
	add_log_cell(l, j, c);
	free(c);
	return ret;
}

/* ---- a job ---- */

static struct read_log_file *first_with(struct read_job_logs *j, const enum log_kind *kind, size_t n,
					bool each_io)
{
	for (size_t i = 0; i < n; i++) {
		struct read_log_file *f = j->of[kind[i]];

		if (has_lines(f) && f->each_io == each_io)
			return f;
	}
	return NULL;
}

/* Chooses the files from which I/Os, bytes and latencies are counted, so that none is counted twice. */
static void choose_files(struct read_job_logs *j)
{
	static const enum log_kind ios[] = { LOG_IOPS }, bw[] = { LOG_BW }, hist[] = { LOG_HIST },
				   lat[] = { LOG_CLAT, LOG_LAT },
				   any[] = { LOG_CLAT, LOG_LAT, LOG_SLAT, LOG_IOPS, LOG_BW };
	struct read_log_file *each = first_with(j, any, 5, true), *counts = first_with(j, hist, 1, false);

	j->ios = first_with(j, ios, 1, false);
	j->bytes = first_with(j, bw, 1, false);
	j->lat = first_with(j, lat, 2, true);
	if (!j->ios)
		j->ios = each ? each : counts;
	if (!j->bytes)
		j->bytes = each ? each : counts;
	if (!j->lat)
		j->lat = counts ? counts : first_with(j, lat, 2, false);
	j->kind = j->lat ? lat_of[j->lat->name.kind] : LAT_KINDS;
}

static void set_layout(const struct read_job_logs *j, struct wstat_layout *layout)
{
	for (unsigned k = 0; k < LOG_KINDS; k++) {
		const struct read_log_file *f = j->of[k];
		enum lat_kind kind = lat_of[k];

		for (unsigned d = 0; has_lines(f) && kind < LAT_KINDS && d < DIR_DATA; d++) {
			layout->moments[d][kind] = 1;
			if ((f->each_io || k == LOG_HIST) && !layout->hist[d][kind])
				layout->hist[d][kind] = (uint8_t)++layout->nhist;
		}
	}
}

static void set_runtime(const struct logs *l, struct read_job_logs *j)
{
	uint64_t last = 0;

	for (unsigned k = 0; k < LOG_KINDS; k++) {
		if (j->of[k] && j->of[k]->last_ms > last)
			last = j->of[k]->last_ms;
	}
	last = last > l->base_ms ? last - l->base_ms : 0;
	j->snap.cnt.job_runtime_ns = last * 1000000;
	for (unsigned d = 0; d < DIR_DATA; d++)
		j->snap.cnt.runtime_ns[d] = last * 1000000;
	if (l->series.groups[j->group].cells.n)
		l->series.groups[j->group].end_ns = last * 1000000;
}

static void set_bins(struct logs *l, struct read_job_logs *j, struct result_job *to)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			struct hist *h = hist_of(j, d, k);
			uint64_t *ns, *count;

			if (!h || h->lo > h->hi)
				continue;
			ns = arena_array(&l->names, h->hi - h->lo + 1, sizeof(*ns));
			count = arena_array(&l->names, h->hi - h->lo + 1, sizeof(*count));
			if (ns && count)
				to->bins[d][k] = (struct result_bins){ ns, count, hist_bins(h, ns, count) };
		}
	}
}

static void set_log_counts(struct read_job_logs *j, struct result_counts *c)
{
	c->known = true;
	c->cnt = j->snap.cnt;
	memcpy(c->dir, j->snap.st->dir, sizeof(c->dir));
	memcpy(c->bw, j->snap.bw, sizeof(c->bw));
	memcpy(c->iops, j->snap.iops, sizeof(c->iops));
	for (unsigned k = 0; k < LAT_KINDS; k++)
		c->cfg.percentiles_of[k] = true;
}

/* Names the interval of the log, which no line of it states. */
static void note_means(const struct read_log_file *lat, struct result_job *to)
{
	char interval[64] = "an unknown interval, because it has one line";

	if (lat->interval_ms)
		snprintf(interval, sizeof(interval), "%llu ms", (unsigned long long)lat->interval_ms);
	result_job_note(to,
			"The latency log has means over %s: minimum%s and deviation are those of the means, "
			"and there are no percentiles.",
			interval, lat->max ? "" : ", maximum");
}

/* Adds notes that name the figures which are unknown or those of means. */
static void note_missing_logs(const struct read_job_logs *j, struct result_job *to)
{
	if (!j->ios)
		result_job_note(to, "There is no log of IOPS (_iops), so the number of I/Os is unknown.");
	if (!j->bytes)
		result_job_note(to, "There is no log of the bandwidth (_bw), so it is unknown.");
	if (!j->lat)
		result_job_note(to, "There is no log of latencies (_lat, _clat), so they are unknown.");
	else if (!j->lat->each_io && j->lat->name.kind != LOG_HIST)
		note_means(j->lat, to);
	else if (j->lat->name.kind == LOG_HIST)
		result_job_note(to,
				"The latencies are those of a histogram log: each counts as the midpoint of "
				"its bucket.");
}

static void add_log_job(struct logs *l, struct read_job_logs *j, struct result *r, const char *name)
{
	struct result_job to = { .name = name, .members = 1 };
	char bs[48];

	set_runtime(l, j);
	j->snap.members = 1;
	set_log_counts(j, &to.counts);
	summary_from(&to.sum, &j->snap, &to.counts.cfg);
	set_bins(l, j, &to);
	if (j->block_bytes && !j->several_sizes) {
		snprintf(bs, sizeof(bs), "%llu-%llu", (unsigned long long)j->block_bytes,
			 (unsigned long long)j->block_bytes);
		to.bs = bs;
	}
	note_missing_logs(j, &to);
	result_add_job(r, &to);
	notes_fini(&to.notes);
}

/* Reads the files of a job. The file with the I/Os comes first, because mean latencies are weighted by I/Os.
 */
int read_job_logs(struct logs *l, struct read_job_logs *j, struct result *r, const char *name)
{
	struct wstat_layout layout = { 0 };
	int ret;

	choose_files(j);
	set_layout(j, &layout);
	if (snap_init(&j->snap, &layout))
		return diag_err(l->d, -ENOMEM, "%s: out of memory", name);
	ret = j->ios ? add_log_file(l, j, j->ios) : 0;
	for (unsigned k = 0; k < LOG_KINDS && !ret; k++) {
		if (j->of[k] && j->of[k] != j->ios)
			ret = add_log_file(l, j, j->of[k]);
	}
	if (!ret)
		add_log_job(l, j, r, name);
	snap_fini(&j->snap);
	return ret;
}
