#include "read_log_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "vec.h"
#include "wstat.h"

#define COLUMNS_MAX 8 /* of a log that is no histogram */
#define TIME_MAX_MS ((uint64_t)1 << 48)
#define VALUE_MAX   ((uint64_t)1 << 50)
#define BYTES_MAX   ((uint64_t)1 << 40) /* of an I/O */

/* ---- names ---- */

static const struct {
	const char *name;
	enum log_kind kind;
} kinds[] = {
	{ "_clat_hist", LOG_HIST }, { "_hist", LOG_HIST }, { "_slat", LOG_SLAT }, { "_clat", LOG_CLAT },
	{ "_lat", LOG_LAT },        { "_iops", LOG_IOPS }, { "_bw", LOG_BW },
};

/* Returns the length without an ending ".N", and stores N. */
static size_t cut_number(const char *path, size_t len, unsigned *number)
{
	size_t digits = len;

	*number = 1;
	while (digits > 0 && path[digits - 1] >= '0' && path[digits - 1] <= '9')
		digits--;
	if (digits == len || len - digits > 6 || !digits || path[digits - 1] != '.')
		return len;
	*number = (unsigned)strtoul(path + digits, NULL, 10);
	return digits - 1;
}

/* Reads the part before ".log". */
static bool cut_kind(struct log_name *n, const char *path, size_t len)
{
	len = cut_number(path, len, &n->number);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t l = strlen(kinds[i].name);

		if (len < l || memcmp(path + len - l, kinds[i].name, l) != 0)
			continue;
		n->kind = kinds[i].kind;
		n->prefix_len = len - l;
		return true;
	}
	return false;
}

/* Returns whether this can follow ".log": nothing, or the dot and the name of a host. */
static bool is_host(const char *s)
{
	static const char *const others[] = { ".", ".fz", ".json" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(s, others[i]))
			return false;
	return (!*s || *s == '.') && strncmp(s, ".fz.", 4) != 0;
}

bool log_name(struct log_name *n, const char *path)
{
	const char *slash = strrchr(path, '/'), *s = slash ? slash : path;

	while ((s = strstr(s, ".log"))) {
		const char *end = s + strlen(".log");

		n->host = *end ? end + 1 : end;
		if (is_host(end) && cut_kind(n, path, (size_t)(s - path)))
			return true;
		s = end;
	}
	return false;
}

/* ---- lines ---- */

/* Reads a number in decimal or hexadecimal, and the comma after it. Returns NULL if there is none. */
static const char *take_number(const char *p, uint64_t *v)
{
	char *end;

	while (*p == ' ')
		p++;
	if (*p < '0' || *p > '9')
		return NULL;
	errno = 0;
	*v = strtoull(p, &end, p[0] == '0' && p[1] == 'x' ? 16 : 10);
	if (errno || (*end != ',' && *end != '\0'))
		return NULL;
	return *end ? end + 1 : end;
}

static int bad_line(const struct read_log_file *f, const char *why, struct diag *d)
{
	return diag_err(d, -EINVAL, "%s: line %llu: %s", f->path, (unsigned long long)f->number, why);
}

/* Reads a line without its newline. Returns 1, 0 at the end, or -errno. */
static int next_log_line(struct read_log_file *f, struct diag *d)
{
	size_t len;

	f->number++;
	if (!fgets(f->line, LOG_LINE_BYTES, f->file))
		return ferror(f->file) ? diag_err(d, -EIO, "%s: the file cannot be read", f->path) : 0;
	len = strlen(f->line);
	if (len && f->line[len - 1] == '\n')
		f->line[--len] = '\0';
	else if (!feof(f->file))
		return bad_line(f, "this is not a line of a log", d);
	if (len && f->line[len - 1] == '\r')
		f->line[len - 1] = '\0';
	return 1;
}

static int parse_hist(struct read_log_file *f, struct log_entry *e, struct diag *d)
{
	uint64_t dir, count, total = 0;
	const char *p = take_number(f->line, &e->time_ms);

	p = p ? take_number(p, &dir) : NULL;
	p = p ? take_number(p, &e->bytes) : NULL;
	if (!p || dir >= DIR_DATA || e->time_ms > TIME_MAX_MS || e->bytes > BYTES_MAX)
		return bad_line(f, "this is not a line of a histogram log", d);
	e->dir = (unsigned)dir;
	e->counts = p;
	while (*p) {
		p = take_number(p, &count);
		if (!p || count > VALUE_MAX || (total += count) > VALUE_MAX)
			return bad_line(f, "this is not a line of a histogram log", d);
	}
	return 1;
}

static int parse_line(struct read_log_file *f, struct log_entry *e, struct diag *d)
{
	uint64_t v[COLUMNS_MAX] = { 0 };
	const char *p = f->line;
	unsigned n = 0, dir = f->max ? 3 : 2;

	while (p && *p && n < COLUMNS_MAX)
		p = take_number(p, &v[n++]);
	if (!p || *p || n < dir + 2 || v[dir] >= DIR_DATA || v[0] > TIME_MAX_MS || v[1] > VALUE_MAX ||
	    v[2] > VALUE_MAX || v[dir + 1] > BYTES_MAX)
		return bad_line(f, "this is not a line of a log", d);
	*e = (struct log_entry){
		.time_ms = v[0], .value = v[1], .dir = (unsigned)v[dir], .bytes = v[dir + 1]
	};
	e->max = f->max && v[2] > e->value ? v[2] : e->value;
	return 1;
}

int log_next(struct read_log_file *f, struct log_entry *e, struct diag *d)
{
	int ret = next_log_line(f, d);

	if (ret <= 0)
		return ret;
	*e = (struct log_entry){ 0 };
	return f->name.kind == LOG_HIST ? parse_hist(f, e, d) : parse_line(f, e, d);
}

bool log_next_count(struct log_entry *e, uint64_t *count)
{
	if (!e->counts || !*e->counts)
		return false;
	e->counts = take_number(e->counts, count);
	return e->counts;
}

int log_rewind(struct read_log_file *f, struct diag *d)
{
	f->number = 0;
	if (fseek(f->file, 0, SEEK_SET))
		return diag_err(d, -errno, "%s: %s", f->path, diag_errno(errno));
	return 0;
}

/* ---- the kind of lines ---- */

/* The third column is either the direction or the maximum of a window. A value that is larger than any
   direction proves that it is the maximum, so this reads the file until it finds one. */
static int find_max(struct read_log_file *f, struct diag *d)
{
	int ret = log_rewind(f, d);

	if (ret || f->name.kind == LOG_HIST)
		return ret;
	while ((ret = next_log_line(f, d)) > 0 && !f->max) {
		uint64_t v = 0;
		const char *p = f->line;

		for (unsigned i = 0; i < 3 && p; i++)
			p = take_number(p, &v);
		f->max = p && v >= DIR_DATA;
	}
	return ret < 0 ? ret : 0;
}

static int find_shift(struct read_log_file *f, struct log_entry *e, struct diag *d)
{
	uint64_t count;
	unsigned n = 0, shift = 0;

	while (log_next_count(e, &count))
		n++;
	while (shift < 6 && (HIST_FIO_BUCKETS + (1u << shift) - 1) >> shift != n)
		shift++;
	if (shift == 6)
		return bad_line(f, "the line has another number of columns than a histogram of fio", d);
	f->shift = shift;
	return 0;
}

/* The times between the lines of a direction. Windows are ended by the clock, the last one by the end of the
   job, so that single gaps are shorter or longer than the interval of the log. */
struct gaps {
	uint64_t last[DIR_DATA];
	bool seen[DIR_DATA], failed;
	uint64_t *v;
	size_t n, cap;
};

static void add_log_gap(struct read_log_file *f, struct gaps *g, const struct log_entry *e)
{
	uint64_t gap = e->time_ms - g->last[e->dir];

	if (g->seen[e->dir] && e->time_ms > g->last[e->dir]) {
		f->window_ms = !f->window_ms || gap < f->window_ms ? gap : f->window_ms;
		if (!f->each_io)
			g->failed |= !VEC_PUSH(g, gap);
	}
	g->last[e->dir] = e->time_ms;
	g->seen[e->dir] = true;
}

static int by_length(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the median of the gaps, the longer one of two; 0: there is none. */
static uint64_t median_gap(struct gaps *g)
{
	if (!g->n)
		return 0;
	qsort(g->v, g->n, sizeof(*g->v), by_length);
	return g->v[g->n / 2];
}

static void scan_entry(struct read_log_file *f, const struct log_entry *e, struct gaps *g)
{

	if (!f->lines || e->time_ms < f->first_ms)
		f->first_ms = e->time_ms;
	if (e->time_ms > f->last_ms)
		f->last_ms = e->time_ms;
	f->each_io |= f->name.kind != LOG_HIST && e->bytes > 0;
	add_log_gap(f, g, e);
	f->lines++;
}

static int scan_lines(struct read_log_file *f, struct gaps *g, struct diag *d)
{
	struct log_entry e;
	int ret;

	while ((ret = log_next(f, &e, d)) > 0) {
		scan_entry(f, &e, g);
		if (f->name.kind == LOG_HIST && f->lines == 1 && find_shift(f, &e, d))
			return -EINVAL;
		if (g->failed)
			return diag_no_memory(d);
	}
	return ret;
}

int log_scan(struct read_log_file *f, struct diag *d)
{
	struct gaps g = { 0 };
	int ret = find_max(f, d);

	if (!ret)
		ret = log_rewind(f, d);
	if (!ret)
		ret = scan_lines(f, &g, d);
	f->interval_ms = median_gap(&g);
	free(g.v);
	return ret;
}
