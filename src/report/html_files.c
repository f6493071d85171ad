/* html_files.c: the files of jobs (per_file_stats) as tables. */
#include <inttypes.h>
#include "files.h"
#include "html_page.h"
#include "strbuf.h"

static const char *const columns[] = { "File",      "Direction",  "#I/Os",   "#Bytes",
				       "#Errors",   "#clat mean", "#stddev", "#clat max",
				       "#lat mean", "#stddev",    "#lat max" };
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static void put_file_latency(struct strbuf *b, const struct summary_lat *l, double ns)
{
	html_number(b, l->n ? readable_latency(ns).text : "");
}

static void put_dir_cells(struct strbuf *b, const struct result_job *j, const struct result_file *file,
			  unsigned dir)
{
	const struct file_dir *c = &file->dir[dir]->counts;

	html_cell(b, dir == DIR_SYNC ? "Sync" : html_dir_name(j, dir));
	html_exact(b, c->ios);
	html_number(b, dir != DIR_SYNC ? readable_bytes((double)c->bytes, &j->units).text : "");
	html_exact(b, c->errors);
	for (unsigned k = 0; k < FILE_LATS; k++) {
		struct summary_lat l = result_file_lat(&j->files, file, dir, k, 0);

		put_file_latency(b, &l, l.mean);
		put_file_latency(b, &l, l.stddev);
		put_file_latency(b, &l, (double)l.max);
	}
	html_row_end(b);
}

/* Adds a row for each direction, as a row group whose head is the path. */
static void put_file_rows(struct strbuf *b, const struct result_job *j, const struct result_file *file)
{
	unsigned dirs = 0, row = 0;

	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		dirs += file->dir[dir] != NULL;
	strbuf_printf(b, "<tbody>\n<tr><th scope=\"rowgroup\" rowspan=\"%u\">", dirs ? dirs : 1);
	if (file->host)
		html_printf(b, "%s: ", file->host);
	html_printf(b, "%s</th>", file->path);
	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		if (!file->dir[dir])
			continue;
		strbuf_puts(b, row++ ? "<tr>" : "");
		put_dir_cells(b, j, file, dir);
	}
	if (!dirs) {
		strbuf_printf(b, "<td colspan=\"%zu\">no I/O</td>", COLUMNS - 1);
		html_row_end(b);
	}
	strbuf_puts(b, "</tbody>\n");
}

static void put_file_list(struct html_run *h, const struct result_job *j, const struct result_files_choice *c,
			  unsigned list)
{
	static const char *const title[FILES_LISTS] = { "the files with the most I/Os",
							"the slowest of the other files",
							"the other files with the most errors" };
	uint64_t files = j->files.n + j->files.left_out;

	if (!c->n[list])
		return;
	html_table_head(h->b,
			html_string(h, "%s%s%s, %s", html_name(j), j->hostname ? " on " : "",
				    j->hostname ? j->hostname : "",
				    files > c->n[0] ? title[list] : "all files"),
			columns, COLUMNS);
	for (unsigned i = 0; i < c->n[list]; i++)
		put_file_rows(h->b, j, &j->files.file[c->index[list][i]]);
	html_table_foot(h->b);
}

bool html_has_files(const struct result *r)
{
	for (size_t i = 0; i < r->njobs; i++)
		if (r->jobs[i]->files.on)
			return true;
	return false;
}

/* A page of many jobs stays small: only this many jobs have a table. */
#define JOBS_LISTED 8

void html_files(struct html_run *h)
{
	unsigned listed = 0;
	size_t left_out = 0;

	for (size_t i = 0; i < h->r->njobs; i++) {
		const struct result_job *j = h->r->jobs[i];
		struct result_files_choice c;

		if (!j->files.on)
			continue;
		if (++listed > JOBS_LISTED) {
			left_out++;
			continue;
		}
		result_files_choose(&j->files, &c);
		for (unsigned list = 0; list < FILES_LISTS; list++)
			put_file_list(h, j, &c, list);
		if (c.unlisted)
			strbuf_printf(h->b,
				      "<p>%" PRIu64 " more files are in the JSON document of the run.</p>\n",
				      c.unlisted);
	}
	if (left_out)
		strbuf_printf(h->b,
			      "<p>The files of %zu more jobs are in the JSON document of the run.</p>\n",
			      left_out);
}
