#include <inttypes.h>
#include <stdio.h>
#include "counts.h"
#include "files.h"
#include "strbuf.h"
#include "text.h"

/* Adds a time in nine columns, with the unit that leaves the fewest digits: "  12.34us". */
static void put_time(struct strbuf *b, double ns)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	char text[32];
	unsigned i = 0;

	for (; ns >= 999.995 && i < 3; i++)
		ns /= 1000;
	snprintf(text, sizeof(text), "%.*f%s", i ? 2 : 0, ns, unit[i]);
	strbuf_printf(b, " %9s", text);
}

static void put_lat(struct strbuf *b, const struct summary_lat *l)
{
	if (!l->n) {
		strbuf_printf(b, " %9s %9s %9s %9s ", "-", "-", "-", "-");
		return;
	}
	put_time(b, (double)l->min);
	put_time(b, l->mean);
	put_time(b, l->stddev);
	put_time(b, (double)l->max);
	strbuf_putc(b, ' ');
}

static void put_path(struct strbuf *b, const struct result_file *file)
{
	strbuf_putc(b, ' ');
	if (file->host)
		strbuf_printf_plain(b, "<%s> ", file->host);
	strbuf_printf_plain(b, "%s\n", file->path);
}

static void put_dir_line(struct strbuf *b, const struct result_job *j, const struct result_file *file,
			 unsigned dir)
{
	const struct file_dir *c = &file->dir[dir]->counts;
	struct summary_lat lat[FILE_LATS];
	struct strbuf bytes = { 0 };

	if (dir != DIR_SYNC)
		strbuf_puts(&bytes, text_num(c->bytes, &j->units, UNITS_BYTES).text);
	strbuf_printf(b, "    %-5s %10" PRIu64 " %9s %7" PRIu64,
		      j->mixed && !dir ? "mixed" : counts_dir_name[dir], c->ios,
		      dir == DIR_SYNC ? "-" : strbuf_str(&bytes), c->errors);
	strbuf_end(&bytes, b);
	for (unsigned k = 0; k < FILE_LATS; k++) {
		lat[k] = result_file_lat(&j->files, file, dir, k, j->sum.npercentiles);
		put_lat(b, &lat[k]);
	}
	put_path(b, file);
	for (unsigned k = 0; k < FILE_LATS; k++)
		latency_percentiles(b, &j->sum, &lat[k],
				    dir == DIR_SYNC ? "sync"
						    : latency_label[k == FILE_LAT ? LAT_LAT : LAT_CLAT]);
}

static void put_file(struct strbuf *b, const struct result_job *j, const struct result_file *file)
{
	bool any = false;

	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		if (file->dir[dir])
			put_dir_line(b, j, file, dir);
		any |= file->dir[dir] != NULL;
	}
	if (!any) {
		strbuf_printf(b, "    %-5s %10u %9s %7u %39s  %39s  ", "none", 0, "-", 0, "", "");
		put_path(b, file);
	}
}

static void put_column_names(struct strbuf *b)
{
	static const char *const figure[] = { "min", "avg", "stdev", "max" };

	strbuf_printf(b, "    %-5s %10s %9s %7s", "", "I/Os", "bytes", "errors");
	for (unsigned k = 0; k < FILE_LATS; k++) {
		for (unsigned i = 0; i < 4; i++) {
			char text[16];

			snprintf(text, sizeof(text), "%s%s",
				 i               ? ""
				 : k == FILE_LAT ? "lat "
						 : "clat ",
				 figure[i]);
			strbuf_printf(b, " %9s", text);
		}
		strbuf_putc(b, ' ');
	}
	strbuf_puts(b, " file\n");
}

void text_files(struct strbuf *b, const struct result_job *j)
{
	static const char *const title[FILES_LISTS] = { "the busiest", "the slowest others",
							"others with errors" };
	const struct result_files *f = &j->files;
	struct result_files_choice c;

	if (!f->on)
		return;
	result_files_choose(f, &c);
	strbuf_printf(b, "  files        : %" PRIu64, f->n + f->left_out);
	for (unsigned list = 0; list < FILES_LISTS; list++) {
		if (!c.n[list] && list)
			continue;
		if (f->n + f->left_out > c.n[0])
			strbuf_printf(b, list ? "  files        : %s\n" : "; %s\n", title[list]);
		else
			strbuf_putc(b, '\n');
		if (!list)
			put_column_names(b);
		for (unsigned i = 0; i < c.n[list]; i++)
			put_file(b, j, &f->file[c.index[list][i]]);
	}
	if (c.unlisted)
		strbuf_printf(b, "  files        : and %" PRIu64 " more\n", c.unlisted);
}
