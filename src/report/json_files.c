/* json_files.c: writes the files of a job (jobs[].fiord.files), one line for each. */
#include <inttypes.h>
#include <stdio.h>
#include "counts.h"
#include "files.h"
#include "json_shared.h"
#include "strbuf.h"
#include "utf8.h"

/* Adds bins. json_bins() cannot do it: it takes a compact writer for that of a page, but the line of a file
   is always compact. */
static void put_bins(struct jsonw *w, const struct result_bins *bins)
{
	jsonw_object(w, "bins");
	for (size_t i = 0; i < bins->n; i++)
		jsonw_count(w, bins->ns[i], bins->count[i]);
	jsonw_end_object(w);
}

/* Adds the figures of a latency, and the sums from which a reader can compute them anew. */
static void put_file_lat(struct jsonw *w, const struct result *r, const struct result_job *j, const char *key,
			 const struct result_file *file, unsigned dir, enum file_lat lat)
{
	const struct result_file_dir *d = file->dir[dir];
	const struct moments *m = &d->counts.lat[lat];
	struct summary_lat l = result_file_lat(&j->files, file, dir, lat, j->sum.npercentiles);
	struct strbuf squares = { 0 };
	char sum[24];

	if (!l.n)
		return;
	snprintf(sum, sizeof(sum), "%" PRIu64, m->sum);
	json_add_u128(&squares, m->sq_hi, m->sq_lo);
	jsonw_object(w, key);
	json_lat_figures(w, &j->sum, &l, r->compact ? &d->bins : NULL);
	if (l.percentiles && d->bins.n && !r->bins_off && !r->compact)
		put_bins(w, &d->bins);
	jsonw_str(w, "sum", sum);
	jsonw_str(w, "sum_sq", strbuf_str(&squares));
	jsonw_end_object(w);
	strbuf_end(&squares, w->out);
}

static void put_file_dir(struct jsonw *w, const struct result *r, const struct result_job *j,
			 const struct result_file *file, unsigned dir)
{
	const struct file_dir *c = &file->dir[dir]->counts;

	jsonw_object(w, j->mixed && dir == DIR_READ ? "mixed" : counts_dir_name[dir]);
	jsonw_u64(w, "total_ios", c->ios);
	if (dir != DIR_SYNC) {
		jsonw_u64(w, "io_bytes", c->bytes);
		jsonw_u64(w, "short_ios", c->short_ios);
	}
	jsonw_u64(w, "errors", c->errors);
	if (dir != DIR_SYNC)
		put_file_lat(w, r, j, "clat_ns", file, dir, FILE_CLAT);
	put_file_lat(w, r, j, "lat_ns", file, dir, dir == DIR_SYNC ? FILE_CLAT : FILE_LAT);
	jsonw_end_object(w);
}

static bool is_utf8(const char *s)
{
	for (size_t n; *s; s += n) {
		n = utf8_len((const unsigned char *)s);
		if (!n)
			return false;
	}
	return true;
}

/* Adds a path. The text of JSON cannot hold bytes that are not UTF-8, so such a path has its bytes, too: they
   tell it from other paths when the document is read. */
static void put_file_path(struct jsonw *w, const char *path)
{
	struct strbuf hex = { 0 };

	jsonw_str(w, "path", path);
	if (is_utf8(path))
		return;
	for (; *path; path++)
		strbuf_printf(&hex, "%02x", (unsigned char)*path);
	jsonw_str(w, "path_hex", strbuf_str(&hex));
	strbuf_end(&hex, w->out);
}

static void put_file(struct jsonw *w, const struct result *r, const struct result_job *j,
		     const struct result_file *file)
{
	struct strbuf line = { 0 };
	struct jsonw one;

	jsonw_init(&one, &line);
	one.compact = true;
	jsonw_object(&one, NULL);
	put_file_path(&one, file->path);
	if (file->host)
		jsonw_str(&one, "hostname", file->host);
	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		if (file->dir[dir])
			put_file_dir(&one, r, j, file, dir);
	jsonw_end_object(&one);
	jsonw_raw(w, NULL, strbuf_str(&line));
	strbuf_end(&line, w->out);
}

/* A page has only the files that it lists. */
static void put_choice(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	struct result_files_choice c;

	result_files_choose(&j->files, &c);
	jsonw_array(w, "files");
	for (unsigned list = 0; list < FILES_LISTS; list++)
		for (unsigned i = 0; i < c.n[list]; i++)
			put_file(w, r, j, &j->files.file[c.index[list][i]]);
	jsonw_end_array(w);
	if (c.unlisted)
		jsonw_u64(w, "files_left_out", c.unlisted);
}

void json_files(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	const struct result_files *f = &j->files;

	if (!f->on)
		return;
	if (r->compact) {
		put_choice(w, r, j);
		return;
	}
	jsonw_array(w, "files");
	for (size_t i = 0; i < f->n; i++)
		put_file(w, r, j, &f->file[i]);
	jsonw_end_array(w);
	if (f->left_out)
		jsonw_u64(w, "files_left_out", f->left_out);
}
