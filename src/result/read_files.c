/* read_files.c: reads the files of a job (jobs[].fiord.files). */
#include <errno.h>
#include <string.h>
#include "counts.h"
#include "files.h"
#include "read_parts.h"

/* Keeps sums over documents below 2^64. */
#define COUNT_MAX ((uint64_t)1 << 61)

/* One direction of one file, as the document has it. */
struct dir_text {
	struct file_dir counts;
	struct summary_lat lat; /* only its percentiles */
	struct result_bins bins;
	enum file_lat bins_lat;
};

static bool moments_fit(const struct moments *m, uint64_t ios)
{
	return !m->n || (m->n <= ios && read_sum_fits(m->n, m->min, m->max, m->sum));
}

static void read_file_lat(struct reader *rd, const struct read_object *in, const char *key, enum file_lat lat,
			  struct dir_text *to)
{
	struct moments *m = &to->counts.lat[lat];
	struct read_object o;

	if (!read_open_key(rd, &o, in, key))
		return;
	read_u64(rd, &o, "N", &m->n);
	read_u64(rd, &o, "min", &m->min);
	read_u64(rd, &o, "max", &m->max);
	read_count(rd, &o, "sum", &m->sum);
	if (read_has(&o, "sum_sq"))
		read_u128(rd, &o, "sum_sq", &m->sq_hi, &m->sq_lo);
	if (read_has(&o, "percentile")) {
		read_percentiles(rd, &o, &to->lat);
		to->bins_lat = lat;
		read_bins(rd, &o, &to->bins);
	}
	if (!m->n)
		*m = (struct moments){ 0 };
	read_close(rd, &o);
}

/* Returns false if the direction contradicts itself. */
static bool read_dir(struct reader *rd, const struct read_object *file, const char *key, unsigned dir,
		     struct dir_text *to)
{
	struct file_dir *c = &to->counts;
	struct read_object o;
	bool good;

	*to = (struct dir_text){ 0 };
	if (!read_open_key(rd, &o, file, key) || !read_charge(rd, sizeof(struct result_file_dir)))
		return true;
	read_u64(rd, &o, "total_ios", &c->ios);
	read_u64(rd, &o, "io_bytes", &c->bytes);
	read_u64(rd, &o, "short_ios", &c->short_ios);
	read_u64(rd, &o, "errors", &c->errors);
	if (c->ios > COUNT_MAX || c->bytes > COUNT_MAX || c->short_ios > COUNT_MAX || c->errors > COUNT_MAX)
		read_fail(rd, -ERANGE, NULL, "a count is too large");
	if (dir != DIR_SYNC)
		read_file_lat(rd, &o, "clat_ns", FILE_CLAT, to);
	read_file_lat(rd, &o, "lat_ns", dir == DIR_SYNC ? FILE_CLAT : FILE_LAT, to);
	good = moments_fit(&c->lat[FILE_CLAT], c->ios) && moments_fit(&c->lat[FILE_LAT], c->ios);
	if (bins_total(&to->bins) != c->lat[to->bins_lat].n)
		to->bins.n = 0;
	read_close(rd, &o);
	return good;
}

/* Stores percentiles that the document has without bins. */
static void add_values(struct reader *rd, struct result_files *f, struct result_file_dir *d,
		       const struct dir_text *t, unsigned percentiles, unsigned dir)
{
	uint64_t *v;

	if (!d || !t->lat.percentiles)
		return;
	f->percentiles = true;
	if (dir != DIR_SYNC)
		f->lat = t->bins_lat;
	v = read_alloc(rd, percentiles + 1, sizeof(*v));
	if (v)
		memcpy(v, t->lat.value, percentiles * sizeof(*v));
	d->percentile = v;
}

/* Returns the value of a hexadecimal digit; -1: it is none. */
static int digit_of(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Reads the bytes of a path that is not UTF-8. */
static void read_path_bytes(struct reader *rd, const struct read_object *o, const char **path)
{
	const char *hex = NULL;
	size_t len, n = 0;
	char *bytes;

	read_text(rd, o, "path_hex", &hex);
	if (!hex || rd->err)
		return;
	len = strlen(hex) / 2;
	bytes = read_alloc(rd, len + 1, 1);
	for (; bytes && n < len; n++) {
		int high = digit_of(hex[2 * n]), low = digit_of(hex[2 * n + 1]);

		if (high < 0 || low < 0 || high + low == 0)
			break;
		bytes[n] = (char)(high << 4 | low);
	}
	if (bytes && hex[2 * n])
		read_fail(rd, -EINVAL, "path_hex", "these are not the bytes of a path");
	*path = bytes;
}

/* Reads one file. Returns false if its figures contradict each other. */
static bool read_file(struct reader *rd, const struct read_object *o, struct result_job *j)
{
	struct result_files *f = &j->files;
	const char *path = "", *host = NULL;
	struct result_file *file;
	bool good = true;

	read_text(rd, o, "path", &path);
	read_path_bytes(rd, o, &path);
	read_text(rd, o, "hostname", &host);
	file = rd->err ? NULL : result_files_find(rd->r, f, host, path);
	for (unsigned dir = 0; dir < DIR_COUNT && file && good; dir++) {
		struct dir_text t;

		good = read_dir(rd, o, j->mixed && dir == DIR_READ ? "mixed" : counts_dir_name[dir], dir, &t);
		if (rd->err || !good)
			return good;
		result_file_add(rd->r, file, dir, &t.counts, &t.bins);
		add_values(rd, f, file->dir[dir], &t, j->sum.npercentiles, dir);
	}
	return good;
}

void read_files(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	struct json_iter it = read_array(rd, fiord, "files");
	struct read_object o;
	bool good = true;
	size_t n = 0;

	j->files.on = read_has(fiord, "files");
	read_u64(rd, fiord, "files_left_out", &j->files.left_out);
	/* The list and its index grow by doubling. */
	while (!rd->err && good && json_next(&it) &&
	       read_charge(rd, 4 * sizeof(struct result_file) + 16 * sizeof(uint32_t))) {
		if (!read_open_at(rd, &o, it.value, "files", n++))
			break;
		good = read_file(rd, &o, j);
		read_close(rd, &o);
	}
	if (good && !rd->err)
		result_files_finish(rd->r, &j->files, &j->sum);
	if (good)
		return;
	j->files = (struct result_files){ 0 };
	result_job_note(j, "The counts of files in the document contradict each other, and are left out.");
}
