#include "read_logs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "read_log_file.h"
#include "scale.h"

#define SERIES_MAX_BYTES ((size_t)64 << 20)
#define INTERVALS_MAX    2000
#define EPOCH_MS         100000000000ull /* larger times are since 1970, not since the start */
#define JOBS_MAX         65536
#define COUNT_MAX        ((uint64_t)1 << 60)
#define RUN_MAX_MS       (COUNT_MAX / 1000000)

/* The logs of one prefix while they are read. */
struct logs {
	struct diag *d;
	struct log_file *file;
	size_t n;
	uint64_t base_ms, last_ms, len_ms; /* len_ms: of an interval of the series */
	struct series series;
	unsigned char *scratch;
	struct arena names;
};

/* The logs of a job. ios, bytes and lat point to those from which these figures come; NULL: no log has them.
 */
struct job_logs {
	struct log_file *of[LOG_KINDS];
	struct log_file *ios, *bytes, *lat;
	enum lat_kind kind; /* of lat */
	unsigned group;
	struct snapshot snap;
	uint64_t block_bytes; /* the size of each I/O; 0: unknown or several */
	bool several_sizes;
};

static const enum lat_kind lat_of[LOG_KINDS] = {
	LAT_KINDS, LAT_KINDS, LAT_SLAT, LAT_CLAT, LAT_LAT, LAT_CLAT
};

/* ---- intervals ---- */

/* The part of the grid that an entry covers, and its I/Os. */
struct cell {
	uint64_t first, span;
	struct ival_dir dir[DIR_DATA];
	struct hist hist[DIR_DATA];
	bool used;
};

static void add_cell(struct logs *l, struct job_logs *j, struct cell *c)
{
	const struct ival head = { .first = c->first, .span = c->span };
	struct ival_out o;
	struct ival rec;

	if (!c->used)
		return;
	ival_begin(&o, l->scratch, IVAL_BYTES(2 * DIR_COUNT, 2 * DIR_COUNT), &head);
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
static void set_cell(struct logs *l, struct job_logs *j, struct cell *c, uint64_t first, uint64_t span)
{
	if (c->used && c->first == first && c->span == span)
		return;
	add_cell(l, j, c);
	c->first = first;
	c->span = span;
	c->used = true;
}

/* Adds up to a limit that no real log reaches, so that sums of sums do not overflow. */
static void add_count(uint64_t *to, uint64_t n)
{
	if (__builtin_add_overflow(*to, n, to) || *to > COUNT_MAX)
		*to = COUNT_MAX;
}

static void count_lat(struct ival_lat *l, uint64_t n, uint64_t ns, uint64_t max)
{
	if (!l->n || ns < l->min)
		l->min = ns;
	if (max > l->max)
		l->max = max;
	if (__builtin_mul_overflow(n, ns, &ns))
		ns = COUNT_MAX;
	add_count(&l->n, n);
	add_count(&l->sum, ns);
}

/* Returns the I/Os that the series has in this part of the grid: of an interval that has doubled, the part of
   its I/Os. */
static uint64_t ios_of(const struct logs *l, const struct job_logs *j, unsigned dir, uint64_t first,
		       uint64_t span)
{
	const struct series_group *g = &l->series.group[j->group];
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
	if (!n || n > COUNT_MAX || (u128)n * ns + m->sum > COUNT_MAX ||
	    __builtin_add_overflow(sq, (u128)ns * ns * n, &sq))
		return;
	m->sq_lo = (uint64_t)sq;
	m->sq_hi = (uint64_t)(sq >> 64);
	m->n += n;
	m->sum += n * ns;
	m->min = ns < m->min ? ns : m->min;
	m->max = max > m->max ? max : m->max;
}

static struct hist *hist_of(struct job_logs *j, unsigned dir, enum lat_kind kind)
{
	unsigned index = j->snap.layout.hist[dir][kind];

	return index ? &j->snap.st->hist[index - 1] : NULL;
}

static bool has_lines(const struct log_file *f)
{
	return f && f->lines;
}

/* Adds an entry of one I/O. */
static void add_io(struct job_logs *j, const struct log_file *f, const struct log_entry *e, struct cell *c)
{
	struct wstat_dir *w = &j->snap.st->dir[e->dir];
	struct ival_dir *v = &c->dir[e->dir];
	enum lat_kind kind = lat_of[f->name.kind];

	if (f == j->ios) {
		w->ios++;
		v->ios++;
		j->several_sizes |= j->block_bytes && j->block_bytes != e->bytes;
		j->block_bytes = e->bytes;
	}
	if (f == j->bytes) {
		add_count(&w->bytes, e->bytes);
		add_count(&v->bytes, e->bytes);
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
static void add_window(struct logs *l, struct job_logs *j, const struct log_file *f,
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
		n = amount < (double)COUNT_MAX ? (uint64_t)amount : COUNT_MAX;
		if (f == j->ios) {
			add_count(&w->ios, n);
			add_count(&v->ios, n);
		}
		if (f == j->bytes) {
			add_count(&w->bytes, n);
			add_count(&v->bytes, n);
		}
		return;
	}
	n = j->ios ? ios_of(l, j, e->dir, c->first, c->span) : 1;
	if (kind != LAT_CLAT || !has_lines(j->of[LOG_HIST]))
		add_moments(&w->lat[kind], n ? n : 1, e->value, e->max);
	if (f == j->lat)
		count_lat(&v->lat[kind], n ? n : 1, e->value, e->max);
}

/* Adds an entry of a histogram. The I/Os of a column get the latency in its middle. */
static void add_hist(struct job_logs *j, const struct log_file *f, struct log_entry *e, struct cell *c)
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
		if (f == j->ios) {
			add_count(&w->ios, n);
			add_count(&v->ios, n);
		}
		if (f == j->bytes) {
			add_count(&w->bytes, n * e->bytes);
			add_count(&v->bytes, n * e->bytes);
		}
	}
}

static uint64_t rounded(uint64_t ms, uint64_t len)
{
	return (ms + len / 2) / len;
}

static void add_entry(struct logs *l, struct job_logs *j, const struct log_file *f, struct log_entry *e,
		      uint64_t *before, struct cell *c)
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

static int add_file(struct logs *l, struct job_logs *j, struct log_file *f)
{
	struct cell *c = calloc(1, sizeof(*c));
	uint64_t before[DIR_DATA] = { 0 };
	struct log_entry e;
	int ret;

	if (!c)
		return diag_err(l->d, -ENOMEM, "%s: out of memory", f->path);
	for (unsigned d = 0; d < DIR_DATA; d++)
		hist_init(&c->hist[d]);
	ret = log_rewind(f, l->d);
	while (!ret && (ret = log_next(f, &e, l->d)) > 0) {
		add_entry(l, j, f, &e, &before[e.dir], c);
		ret = 0;
	}
	add_cell(l, j, c);
	free(c);
	return ret;
}

/* ---- a job ---- */

static struct log_file *first_with(struct job_logs *j, const enum log_kind *kind, size_t n, bool each_io)
{
	for (size_t i = 0; i < n; i++) {
		struct log_file *f = j->of[kind[i]];

		if (has_lines(f) && f->each_io == each_io)
			return f;
	}
	return NULL;
}

/* Chooses the files from which I/Os, bytes and latencies are counted, so that none is counted twice. */
static void choose_files(struct job_logs *j)
{
	static const enum log_kind ios[] = { LOG_IOPS }, bw[] = { LOG_BW }, hist[] = { LOG_HIST },
				   lat[] = { LOG_CLAT, LOG_LAT },
				   any[] = { LOG_CLAT, LOG_LAT, LOG_SLAT, LOG_IOPS, LOG_BW };
	struct log_file *each = first_with(j, any, 5, true), *counts = first_with(j, hist, 1, false);

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

static void set_layout(const struct job_logs *j, struct wstat_layout *layout)
{
	for (unsigned k = 0; k < LOG_KINDS; k++) {
		const struct log_file *f = j->of[k];
		enum lat_kind kind = lat_of[k];

		for (unsigned d = 0; has_lines(f) && kind < LAT_KINDS && d < DIR_DATA; d++) {
			layout->moments[d][kind] = 1;
			if ((f->each_io || k == LOG_HIST) && !layout->hist[d][kind])
				layout->hist[d][kind] = (uint8_t)++layout->nhist;
		}
	}
}

static void set_runtime(const struct logs *l, struct job_logs *j)
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
	if (l->series.group[j->group].cells.n)
		l->series.group[j->group].end_ns = last * 1000000;
}

static void set_bins(struct logs *l, struct job_logs *j, struct result_job *to)
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

static void set_counts(struct job_logs *j, struct result_counts *c)
{
	c->known = true;
	c->layout = j->snap.layout;
	c->cnt = j->snap.cnt;
	memcpy(c->dir, j->snap.st->dir, sizeof(c->dir));
	memcpy(c->bw, j->snap.bw, sizeof(c->bw));
	memcpy(c->iops, j->snap.iops, sizeof(c->iops));
	for (unsigned k = 0; k < LAT_KINDS; k++)
		c->cfg.percentiles_of[k] = true;
}

/* Adds notes that name the figures which are unknown or those of means. */
static void add_notes(const struct job_logs *j, struct result_job *to)
{
	if (!j->ios)
		result_job_note(to, "There is no log of IOPS (_iops), so the number of I/Os is unknown.");
	if (!j->bytes)
		result_job_note(to, "There is no log of the bandwidth (_bw), so it is unknown.");
	if (!j->lat)
		result_job_note(to, "There is no log of latencies (_lat, _clat), so they are unknown.");
	else if (!j->lat->each_io && j->lat->name.kind != LOG_HIST)
		result_job_note(to,
				"The latency log has means over %llu ms: minimum%s and deviation are those "
				"of the means, and there are no percentiles.",
				(unsigned long long)j->lat->window_ms, j->lat->max ? "" : ", maximum");
	else if (j->lat->name.kind == LOG_HIST)
		result_job_note(to,
				"The latencies are those of a histogram log: each counts as the midpoint of "
				"its bucket.");
}

static void add_job(struct logs *l, struct job_logs *j, struct result *r, const char *name)
{
	struct result_job to = { .name = name, .members = 1 };
	char bs[48];

	set_runtime(l, j);
	j->snap.members = 1;
	set_counts(j, &to.counts);
	summary_from(&to.sum, &j->snap, &to.counts.cfg);
	set_bins(l, j, &to);
	if (j->block_bytes && !j->several_sizes) {
		snprintf(bs, sizeof(bs), "%llu-%llu", (unsigned long long)j->block_bytes,
			 (unsigned long long)j->block_bytes);
		to.bs = bs;
	}
	add_notes(j, &to);
	result_add_job(r, &to);
	notes_fini(&to.notes);
}

/* Reads the files of a job. The file with the I/Os comes first, because mean latencies are weighted by I/Os.
 */
static int read_job_logs(struct logs *l, struct job_logs *j, struct result *r, const char *name)
{
	struct wstat_layout layout = { 0 };
	int ret;

	choose_files(j);
	set_layout(j, &layout);
	if (snap_init(&j->snap, &layout))
		return diag_err(l->d, -ENOMEM, "%s: out of memory", name);
	ret = j->ios ? add_file(l, j, j->ios) : 0;
	for (unsigned k = 0; k < LOG_KINDS && !ret; k++) {
		if (j->of[k] && j->of[k] != j->ios)
			ret = add_file(l, j, j->of[k]);
	}
	if (!ret)
		add_job(l, j, r, name);
	snap_fini(&j->snap);
	return ret;
}

/* ---- the logs of a prefix ---- */

/* Rounds a length to 1, 2, 2.5 or 5 times a power of ten if that changes it by at most a twentieth. */
static uint64_t nice_ms(uint64_t ms)
{
	static const unsigned step[] = { 10, 20, 25, 50, 100 };

	for (uint64_t scale = 1; scale <= ms; scale *= 10) {
		for (unsigned i = 0; i < 5; i++) {
			uint64_t nice = step[i] * scale, off = nice > ms ? nice - ms : ms - nice;

			if (off * 20 <= nice)
				return nice;
		}
	}
	return ms ? ms : 1;
}

/* Returns the length of an interval in ms: 1, 2 or 5 times a power of ten, so that there are at most 600
   intervals with at least ten lines of the log in each on average, because fewer would show little but
   chance. There are at least about ten intervals in any case. */
static uint64_t interval_for(uint64_t ran_ms, uint64_t lines)
{
	static const unsigned step[] = { 1, 2, 5 };
	uint64_t most = lines / 10 > 600 ? 600 : lines / 10 < 10 ? 10 : lines / 10, scale = 1;

	for (unsigned i = 0;; i++) {
		if (ran_ms / (step[i % 3] * scale) < most)
			return step[i % 3] * scale;
		if (i % 3 == 2)
			scale *= 10;
	}
}

/* Sets the grid. Its intervals are as long as the windows of the logs; for logs with a line for each I/O they
   depend on the number of lines. */
static void set_grid(struct logs *l)
{
	uint64_t first = UINT64_MAX, window = 0, lines = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct log_file *f = &l->file[i];

		if (!f->lines)
			continue;
		first = f->first_ms < first ? f->first_ms : first;
		l->last_ms = f->last_ms > l->last_ms ? f->last_ms : l->last_ms;
		if (f->each_io && f->lines > lines)
			lines = f->lines;
		if (!f->each_io && f->window_ms > window)
			window = f->window_ms;
	}
	window = window ? nice_ms(window) : 0;
	l->base_ms = first != UINT64_MAX && first > EPOCH_MS ? first - window : 0;
	l->len_ms = window ? window : interval_for(l->last_ms - l->base_ms, lines);
	while ((l->last_ms - l->base_ms) / l->len_ms >= INTERVALS_MAX)
		l->len_ms *= 2;
}

static int open_log(struct log_file *f, const struct result_log *log, struct diag *d)
{
	*f = (struct log_file){ .path = log->path, .file = log->file };
	if (!log_name(&f->name, log->path))
		return diag_err(d, -EINVAL, "%s: this is not the name of a log", log->path);
	f->line = malloc(LOG_LINE_BYTES);
	if (!f->line)
		return diag_err(d, -ENOMEM, "%s: out of memory", log->path);
	return log_scan(f, d);
}

static int by_number(const void *a, const void *b)
{
	const struct log_file *x = a, *y = b;

	return x->name.number < y->name.number ? -1 : x->name.number > y->name.number;
}

static const char *base_name(struct logs *l)
{
	const struct log_file *f = &l->file[0];
	size_t from = f->name.prefix_len;

	while (from > 0 && f->path[from - 1] != '/')
		from--;
	return arena_strndup(&l->names, f->path + from, f->name.prefix_len - from);
}

/* Reads the jobs one by one. The files are sorted by their numbers. */
static int read_jobs(struct logs *l, struct result *r, struct result_series_label *label)
{
	const char *prefix = base_name(l);
	unsigned jobs = 0;
	int ret = 0;

	for (size_t i = 0; i < l->n && !ret; jobs++) {
		struct job_logs *j = calloc(1, sizeof(*j));
		unsigned number = l->file[i].name.number;
		bool one = number == l->file[l->n - 1].name.number && !jobs;
		const char *name = one ? prefix : arena_printf(&l->names, "%s.%u", prefix, number);

		if (!j || !name) {
			free(j);
			return diag_err(l->d, -ENOMEM, "%s: out of memory", l->file[0].path);
		}
		j->group = jobs;
		label[jobs] = (struct result_series_label){ .name = name, .clone = jobs, .in_report = true };
		for (; i < l->n && l->file[i].name.number == number && !ret; i++) {
			if (j->of[l->file[i].name.kind])
				ret = diag_err(l->d, -EINVAL, "%s: this log is given twice", l->file[i].path);
			j->of[l->file[i].name.kind] = &l->file[i];
		}
		if (!ret)
			ret = read_job_logs(l, j, r, name);
		free(j);
	}
	return ret;
}

static unsigned count_jobs(const struct logs *l)
{
	unsigned n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += !i || l->file[i].name.number != l->file[i - 1].name.number;
	return n;
}

/* Sets the time of the result from the times of the files, because logs often have no date. */
static void set_times(const struct logs *l, struct result *r)
{
	for (size_t i = 0; i < l->n; i++) {
		struct stat st;
		uint64_t ms;

		if (fileno(l->file[i].file) < 0 || fstat(fileno(l->file[i].file), &st) || st.st_mtime < 0)
			continue;
		ms = (uint64_t)st.st_mtime * 1000;
		r->timestamp_ms = ms > r->timestamp_ms ? ms : r->timestamp_ms;
	}
	if (l->base_ms)
		r->timestamp_ms = l->last_ms;
}

static int fill_result(struct logs *l, struct result *r)
{
	unsigned jobs = count_jobs(l);
	struct result_series_label *label = arena_array(&l->names, jobs + 1, sizeof(*label));
	uint64_t ran_ms;
	int ret;

	set_grid(l);
	set_times(l, r);
	ran_ms = l->last_ms - l->base_ms;
	if (ran_ms > RUN_MAX_MS)
		return diag_err(l->d, -ERANGE, "%s: the times in the logs are too far apart",
				l->file[0].path);
	l->scratch = malloc(IVAL_BYTES(2 * DIR_COUNT, 2 * DIR_COUNT));
	if (!label || !l->scratch || jobs > JOBS_MAX ||
	    series_init(&l->series, jobs, l->len_ms * 1000000, SERIES_MAX_BYTES))
		return diag_err(l->d, -ENOMEM, "%s: out of memory", l->file[0].path);
	ret = read_jobs(l, r, label);
	if (ret)
		return ret;
	result_move_series(r, &l->series, label, r->timestamp_ms > ran_ms ? r->timestamp_ms - ran_ms : 0);
	r->series.on = r->series.per_job = true;
	result_note(r, "The figures are computed from log files.");
	result_finish(r);
	return r->failed ? diag_err(l->d, -ENOMEM, "%s: out of memory", l->file[0].path) : 0;
}

static int add_to_set(struct result_set *set, struct result *r, const struct log_file *f)
{
	struct result **res = realloc(set->res, (set->n + 1) * sizeof(*res));
	const char **source;

	if (res)
		set->res = res;
	source = res ? realloc(set->source, (set->n + 1) * sizeof(*source)) : NULL;
	if (!source)
		return -ENOMEM;
	set->source = source;
	source[set->n] = strndup(f->path, f->name.prefix_len);
	if (!source[set->n])
		return -ENOMEM;
	res[set->n++] = r;
	return 0;
}

static void close_logs(struct logs *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->file[i].line);
	free(l->file);
	free(l->scratch);
	series_fini(&l->series);
	arena_fini(&l->names);
}

int result_read_logs(struct result_set *set, const struct result_log *log, size_t n, struct diag *d)
{
	struct logs l = { .d = d, .file = calloc(n + 1, sizeof(*l.file)) };
	struct result *r = calloc(1, sizeof(*r));
	uint64_t lines = 0;
	int ret = 0;

	if (!n || !l.file || !r) {
		free(r);
		free(l.file);
		return diag_err(d, n ? -ENOMEM : -EINVAL, n ? "out of memory" : "there are no logs");
	}
	for (; l.n < n && !ret; l.n++) {
		ret = open_log(&l.file[l.n], &log[l.n], d);
		lines += l.file[l.n].lines;
	}
	if (!ret && !lines)
		ret = diag_err(d, -EINVAL, "%s: the log is empty", log[0].path);
	result_init(r, "fio", "", "");
	qsort(l.file, l.n, sizeof(*l.file), by_number);
	if (!ret)
		ret = fill_result(&l, r);
	if (!ret && add_to_set(set, r, &l.file[0]))
		ret = diag_err(d, -ENOMEM, "%s: out of memory", log[0].path);
	if (ret) {
		result_free(r);
		free(r);
	}
	close_logs(&l);
	return ret;
}

/* ---- files ---- */

bool result_is_log(const char *path)
{
	struct log_name n;

	return log_name(&n, path);
}

static bool same_prefix(const char *a, const char *b)
{
	struct log_name x, y;

	return log_name(&x, a) && log_name(&y, b) && x.prefix_len == y.prefix_len &&
	       !memcmp(a, b, x.prefix_len);
}

/* Reads the logs among path[0..n) that have the prefix of the first one. */
static int read_prefix(struct result_set *set, const char *const *path, size_t n, struct diag *d)
{
	struct result_log *log = calloc(n, sizeof(*log));
	size_t logs = 0;
	int ret = log ? 0 : diag_err(d, -ENOMEM, "%s: out of memory", path[0]);

	for (size_t i = 0; i < n && !ret; i++) {
		if (!same_prefix(path[0], path[i]))
			continue;
		log[logs] = (struct result_log){ path[i], fopen(path[i], "re") };
		if (!log[logs].file)
			ret = diag_err(d, -errno, "%s: %s", path[i], diag_errno(errno));
		else
			logs++;
	}
	if (!ret)
		ret = result_read_logs(set, log, logs, d);
	while (logs > 0)
		fclose(log[--logs].file);
	free(log);
	return ret;
}

static bool prefix_seen(const char *const *path, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (same_prefix(path[k], path[i]))
			return true;
	}
	return false;
}

static int read_one(struct result_set *set, const char *const *path, size_t i, size_t n, struct diag *d)
{
	if (!result_is_log(path[i]))
		return result_read_file(set, path[i], d);
	return prefix_seen(path, i) ? 0 : read_prefix(set, path + i, n - i, d);
}

int result_read_files(struct result_set *set, const char *const *path, size_t n, struct diag *d)
{
	size_t had = set->n;
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++)
		ret = read_one(set, path, i, n, d);
	while (ret && set->n > had) {
		set->n--;
		result_free(set->res[set->n]);
		free(set->res[set->n]);
		free((char *)(uintptr_t)set->source[set->n]);
	}
	return ret;
}
