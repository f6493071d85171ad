#include "read_logs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "read_log_parts.h"

#define SERIES_MAX_BYTES ((size_t)64 << 20)
#define INTERVALS_MAX    2000
#define EPOCH_MS         100000000000ull /* larger times are since 1970, not since the start */
#define JOBS_MAX         65536
#define RUN_MAX_MS       (LOG_COUNT_MAX / 1000000)

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
		const struct read_log_file *f = &l->file[i];

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

static int open_log(struct read_log_file *f, const struct result_log *log, struct diag *d)
{
	*f = (struct read_log_file){ .path = log->path, .file = log->file };
	if (!log_name(&f->name, log->path))
		return diag_err(d, -EINVAL, "%s: this is not the name of a log", log->path);
	f->line = malloc(LOG_LINE_BYTES);
	if (!f->line)
		return diag_err(d, -ENOMEM, "%s: out of memory", log->path);
	return log_scan(f, d);
}

static int by_job(const void *a, const void *b)
{
	const struct read_log_file *x = a, *y = b;
	int host = strcmp(x->name.host, y->name.host);

	if (host)
		return host;
	return x->name.number < y->name.number ? -1 : x->name.number > y->name.number;
}

static const char *base_name(struct logs *l)
{
	const struct read_log_file *f = &l->file[0];
	size_t from = f->name.prefix_len;

	while (from > 0 && f->path[from - 1] != '/')
		from--;
	return arena_strndup(&l->names, f->path + from, f->name.prefix_len - from);
}

/* Names a job by the part of the logs' names that its logs alone have. */
static const char *job_name(struct logs *l, const struct log_name *n, const char *prefix, bool only)
{
	const char *dot = *n->host ? "." : "";

	if (only)
		return arena_printf(&l->names, "%s%s%s", prefix, dot, n->host);
	return arena_printf(&l->names, "%s.%u%s%s", prefix, n->number, dot, n->host);
}

/* Reads the jobs one by one. The files are sorted by them. */
static int read_jobs(struct logs *l, struct result *r, struct result_series_label *label)
{
	const char *prefix = base_name(l);
	unsigned jobs = 0;
	int ret = 0;

	for (size_t i = 0; i < l->n && !ret; jobs++) {
		struct read_job_logs *j = calloc(1, sizeof(*j));
		const struct read_log_file *first = &l->file[i];
		bool only = !jobs && !by_job(first, &l->file[l->n - 1]);
		const char *name = job_name(l, &first->name, prefix, only);

		if (!j || !name) {
			free(j);
			return diag_err(l->d, -ENOMEM, "%s: out of memory", l->file[0].path);
		}
		j->group = jobs;
		label[jobs] = (struct result_series_label){ .name = name, .clone = jobs, .in_report = true };
		for (; i < l->n && !by_job(first, &l->file[i]) && !ret; i++) {
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
		n += !i || by_job(&l->file[i - 1], &l->file[i]);
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
	l->scratch = malloc(LOG_SCRATCH_BYTES);
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

static int add_to_set(struct result_set *set, struct result *r, const struct read_log_file *f)
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
	qsort(l.file, l.n, sizeof(*l.file), by_job);
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
