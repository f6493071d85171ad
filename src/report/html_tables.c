/* html_tables.c: the figures of groups, jobs, CPUs and disks as tables, and the problems of a run. */
#include "html_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "svg.h"
#include "units.h"
#include "verdict.h"

static void put_latency_cell(struct strbuf *b, bool known, double ns)
{
	html_number(b, known ? readable_latency(ns).text : "?");
}

static void put_percentile_cell(struct strbuf *b, const struct result_job *j, unsigned dir,
				enum lat_kind kind, double percent)
{
	uint64_t ns = 0;
	bool known = total_percentile(j, dir, kind, percent, &ns);

	put_latency_cell(b, known, (double)ns);
}

void html_dir_head(struct strbuf *b, const struct result_job *j, unsigned dir)
{
	strbuf_printf(b, "<th scope=\"row\" class=\"dir-name\">%s</th>", html_dir_name(j, dir));
}

void html_rate_cells(struct strbuf *b, const struct result_job *j, unsigned dir)
{
	const struct summary_dir *d = &j->sum.dir[dir];
	bool known = total_ios_known(j, dir);

	html_number(b, known ? readable_count(d->iops).text : "?");
	html_number(b, known || d->bytes ? readable_bytes_rate((double)d->bw_bytes, &j->units).text : "?");
}

static const char *const figure_columns[] = {
	"Direction", "#IOPS",  "#Bandwidth", "#Mean latency", "#p50",
	"#p99",      "#p99.9", "#Maximum",   "#I/Os",         "#Errors"
};
#define FIGURES (sizeof(figure_columns) / sizeof(*figure_columns))

/* The cells of one direction, in the order of figure_columns. */
static void put_figures(struct strbuf *b, const struct result_job *j, unsigned dir)
{
	const struct summary_dir *d = &j->sum.dir[dir];
	enum lat_kind kind = total_lat_kind(j, dir);
	const struct summary_lat *l = &d->lat[kind < LAT_KINDS ? kind : LAT_CLAT];

	html_dir_head(b, j, dir);
	html_rate_cells(b, j, dir);
	put_latency_cell(b, l->n, l->mean);
	put_percentile_cell(b, j, dir, kind, 50);
	put_percentile_cell(b, j, dir, kind, 99);
	put_percentile_cell(b, j, dir, kind, 99.9);
	put_latency_cell(b, l->n, (double)l->max);
	html_number(b, total_ios_known(j, dir) ? readable_exact(d->ios).text : "?");
	html_exact(b, d->errors);
}

static unsigned count_dirs(const struct result_job *j)
{
	unsigned n = 0;

	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		n += html_has_dir(j, dir);
	return n;
}

/* A row for each direction with I/O, as a row group of its own. The name stands once, over all of them.
   `extra` has more cells beside it. Both are HTML. */
static void put_rows(struct strbuf *b, const char *name, const struct strbuf *extra, unsigned extras,
		     const struct result_job *j)
{
	unsigned dirs = count_dirs(j), row = 0;

	strbuf_printf(b, "<tbody>\n<tr><th scope=\"rowgroup\" rowspan=\"%u\">%s</th>", dirs ? dirs : 1,
		      *name ? name : "(no name)");
	for (unsigned i = 0; i < extras; i++)
		strbuf_printf(b, "<td rowspan=\"%u\">%s</td>", dirs ? dirs : 1, strbuf_str(&extra[i]));
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		if (!html_has_dir(j, dir))
			continue;
		strbuf_puts(b, row++ ? "<tr>" : "");
		put_figures(b, j, dir);
		html_row_end(b);
	}
	if (!dirs) {
		strbuf_printf(b, "<td colspan=\"%zu\">no I/O</td>", FIGURES);
		html_row_end(b);
	}
	strbuf_puts(b, "</tbody>\n");
}

static bool same_name(const struct result_job *a, const struct result_job *b)
{
	return !strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

/* Returns the index of the group's next job whose name no earlier job has; the number of jobs if there is
 * none. */
static size_t next_name(const struct html_group *g, size_t i)
{
	for (; i < g->njobs; i++) {
		size_t k = 0;

		while (!same_name(g->jobs[k], g->jobs[i]))
			k++;
		if (k == i)
			break;
	}
	return i;
}

void html_group_names(struct strbuf *b, const struct html_group *g)
{
	size_t shown = 0, names = 0;

	for (size_t i = next_name(g, 0); i < g->njobs && names < 4; i = next_name(g, i + 1)) {
		size_t jobs = 0;

		for (size_t k = i; k < g->njobs; k++)
			jobs += same_name(g->jobs[k], g->jobs[i]);
		strbuf_puts(b, names++ ? ", " : "");
		html_text(b, html_name(g->jobs[i]));
		if (jobs > 1)
			strbuf_printf(b, " (%zu jobs)", jobs);
		shown += jobs;
	}
	if (shown < g->njobs)
		strbuf_printf(b, " and %zu more", g->njobs - shown);
}

void html_group_table(struct html_run *h)
{
	const char *column[FIGURES + 1] = { "Group" };

	memcpy(&column[1], figure_columns, sizeof(figure_columns));
	html_table_head(h->b,
			"Groups of jobs that ran together; rates are over the longest run time of each, and "
			"latencies under a rate are response times",
			column, FIGURES + 1);
	if (h->all)
		put_rows(h->b, "All groups", NULL, 0, h->all);
	for (size_t i = 0; i < h->ngroups; i++) {
		struct strbuf name = { 0 };

		strbuf_printf(&name, "Group %u: ", h->groups[i].number);
		html_group_names(&name, &h->groups[i]);
		put_rows(h->b, strbuf_str(&name), NULL, 0, h->groups[i].total);
		strbuf_end(&name, h->b);
	}
	html_table_foot(h->b);
}

/* Adds the block size: "4 KiB". */
static void put_block_size(struct strbuf *b, const struct result *r, const struct result_job *j)
{
	const char *bs = j->bs;
	size_t half = bs ? strlen(bs) / 2 : 0;

	/* "4096-4096" is one size. */
	if (bs && bs[half] == '-' && !strncmp(bs, bs + half + 1, half) && strspn(bs, "0123456789") == half)
		strbuf_puts(b, units_exact(strtoull(bs, NULL, 10)).text);
	else if (bs)
		html_text(b, bs);
	else
		html_text(b, total_option(r, j, "bs"));
}

enum job_column { JOB_HOST, JOB_WORKERS, JOB_LOAD, JOB_COLUMNS };

static void put_load(struct strbuf *b, const struct result *r, const struct result_job *j)
{
	const char *rw = j->rw ? j->rw : total_option(r, j, "rw");
	const char *engine = j->engine ? j->engine : total_option(r, j, "ioengine");

	html_printf(b, "%s%s", rw, rw ? ", " : "");
	put_block_size(b, r, j);
	if (engine)
		html_printf(b, ", %s", engine);
	if (j->iodepth)
		strbuf_printf(b, ", depth %u", j->iodepth);
	if (j->sum.replayed)
		strbuf_printf(b, "; of %" PRIu64 " I/Os of the trace %.2f %% were issued more than 1 ms late",
			      j->sum.replayed, j->sum.replayed_late_percent);
	if (j->sum.late.max_ns)
		strbuf_printf(b, ", lateness p99 %s", readable_latency((double)j->sum.late.p99_ns).text);
}

static void put_job_rows(struct html_run *h, const struct result_job *j)
{
	struct strbuf extra[JOB_COLUMNS] = { 0 }, name = { 0 };
	bool hosts = h->r->client_stats;

	html_text(&extra[JOB_HOST], j->hostname ? j->hostname : "all");
	strbuf_printf(&extra[JOB_WORKERS], "%u", j->members);
	put_load(&extra[JOB_LOAD], h->r, j);
	html_text(&name, j->name);
	put_rows(h->b, strbuf_str(&name), hosts ? extra : extra + 1, hosts ? JOB_COLUMNS : JOB_COLUMNS - 1,
		 j);
	strbuf_end(&name, h->b);
	for (unsigned i = 0; i < JOB_COLUMNS; i++) {
		strbuf_end(&extra[i], h->b);
	}
}

void html_jobs(struct html_run *h)
{
	const char *column[FIGURES + 4] = { "Job", "Host", "Workers", "Load" };
	size_t first = h->r->client_stats ? 4 : 3;

	if (!h->r->client_stats) {
		column[1] = "Workers";
		column[2] = "Load";
	}
	memcpy(&column[first], figure_columns, sizeof(figure_columns));
	html_table_head(h->b,
			h->r->client_stats ? "The jobs of each host, and of all hosts together"
					   : "Jobs; the members of a group with group_reporting are one row",
			column, first + FIGURES);
	for (size_t i = 0; i < h->r->njobs; i++)
		put_job_rows(h, h->r->jobs[i]);
	html_table_foot(h->b);
}

static void put_cpu_row(struct html_run *h, const struct result_job *j)
{
	const struct summary *s = &j->sum;

	html_row(h->b, html_name(j));
	if (h->r->client_stats)
		html_cell(h->b, j->hostname ? j->hostname : "all");
	strbuf_printf(h->b, "<td class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td>", s->usr_cpu,
		      s->sys_cpu);
	html_number(h->b, s->self.known ? readable_latency(s->self.user_ns + s->self.sys_ns).text : "");
	html_number(h->b, s->per_submit > 0 ? readable_count(s->per_submit).text : "");
	html_number(h->b, s->per_reap > 0 ? readable_count(s->per_reap).text : "");
	html_number(h->b, s->self.known ? readable_percent(s->self.core_wait).text : "");
	html_exact(h->b, s->ctx);
	html_row_end(h->b);
}

#define BARS_MAX 16

static void put_cpu_bars(struct html_run *h)
{
	static const char *const part[] = { "user", "system" };
	struct svg_axes axes = { .title = "CPU use of each job", .unit = SVG_PERCENT };
	struct svg_bar bar[BARS_MAX] = { 0 };

	if (!h->r->njobs || h->r->njobs > BARS_MAX)
		return;
	for (size_t i = 0; i < h->r->njobs; i++) {
		const struct result_job *j = h->r->jobs[i];

		bar[i] = (struct svg_bar){ .name = html_name(j), .part = { j->sum.usr_cpu, j->sum.sys_cpu } };
	}
	strbuf_puts(h->b, "<figure>\n<figcaption><strong>CPU use of each job</strong> In percent of one "
			  "core, the mean of "
			  "its workers.</figcaption>\n");
	svg_bars(h->b, &axes, bar, h->r->njobs, part, 2);
	strbuf_puts(h->b, "</figure>\n");
}

void html_cpu(struct html_run *h)
{
	static const char *const columns[] = { "Job",
					       "Host",
					       "#User",
					       "#System",
					       "#CPU time per I/O",
					       "#I/Os per submit call",
					       "#I/Os per reap call",
					       "#Waited for a core",
					       "#Context switches" };
	const char *column[sizeof(columns) / sizeof(*columns)];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		if (i != 1 || h->r->client_stats)
			column[n++] = columns[i];
	}
	put_cpu_bars(h);
	html_table(h->b,
		   "CPU use of each job, in percent of one core for each of its workers. A system call that "
		   "submits or reaps more I/Os costs less CPU time for each, and adds to their latency",
		   column, n);
	for (size_t i = 0; i < h->r->njobs; i++)
		put_cpu_row(h, h->r->jobs[i]);
	html_table_end(h->b);
}

static void put_pair(struct strbuf *b, const uint64_t v[2])
{
	strbuf_printf(b, "<td class=\"n\">%s / %s</td>", readable_exact(v[0]).text,
		      readable_exact(v[1]).text);
}

static void put_disk(struct strbuf *b, const struct result_disk *d)
{
	strbuf_puts(b, "<tr><th scope=\"row\">");
	for (unsigned i = 0; i < d->level; i++)
		strbuf_puts(b, "\xe2\x80\x93 ");
	html_printf(b, "%s</th>", d->name);
	put_pair(b, d->counts.ios);
	put_pair(b, d->counts.sectors);
	put_pair(b, d->counts.merges);
	html_number(b, readable_percent(d->counts.util).text);
	html_row_end(b);
}

void html_disks(struct html_run *h)
{
	static const char *const column[] = { "Disk", "#I/Os (read / write)", "#Sectors of 512 bytes",
					      "#Merges", "#Busy" };

	html_table(h->b, "Counts of the kernel for each disk, of all its users during the run", column, 5);
	for (size_t i = 0; i < h->r->ndisks; i++)
		put_disk(h->b, &h->r->disks[i]);
	html_table_end(h->b);
}

static void put_lost(struct strbuf *b, const struct result_job *j)
{
	if (!j->lost_ios_total)
		return;
	strbuf_printf(b, "<p>I/Os that never completed: %s.</p>\n<ul>\n",
		      readable_exact(j->lost_ios_total).text);
	for (unsigned i = 0; i < j->nlost_ios; i++) {
		const struct result_lost_io *io = &j->lost_ios[i];

		html_printf(
			b, "<li>%s of %s at offset %" PRIu64 ", length %" PRIu64 ", after %s (pid %d)</li>\n",
			io->op, io->file, io->offset, io->length,
			readable_duration((double)io->age_ns / 1e6).text, io->pid);
	}
	strbuf_puts(b, "</ul>\n");
}

static void put_damage(struct strbuf *b, const struct result_verify *v)
{
	static const char *const column[] = { "File", "#Offset", "#Length", "#Blocks", "Kind", "Finding" };

	if (!v->ndamages)
		return;
	html_table(b, "Damaged ranges that verification found", column, 6);
	for (unsigned i = 0; i < v->ndamages; i++) {
		const struct result_damage *d = &v->damages[i];

		html_row(b, d->file);
		html_exact(b, d->offset);
		html_exact(b, d->length);
		html_exact(b, d->blocks);
		html_cell(b, d->kind);
		html_cell(b, d->text);
		html_row_end(b);
	}
	html_table_end(b);
	if (v->unlisted)
		strbuf_printf(b, "<p>Damaged blocks that are not listed: %s.</p>\n",
			      readable_exact(v->unlisted).text);
}

static bool has_problem(const struct result_job *j)
{
	return j->error || j->lost_reason || j->lost_ios_total || j->sum.errors || j->verify.ndamages;
}

static void put_job_problems(struct strbuf *b, const struct result_job *j)
{
	strbuf_puts(b, "<div class=\"problem\">\n<p><strong>");
	html_job_name(b, j);
	strbuf_puts(b, ":</strong> ");
	if (j->error)
		html_text(b, j->error_text ? j->error_text : diag_errno(j->error));
	else if (j->lost_reason)
		html_text(b, j->lost_reason);
	else if (j->sum.errors)
		strbuf_puts(b, j->sum.first_error ? diag_errno(j->sum.first_error) : "");
	strbuf_puts(b, "</p>\n");
	if (j->error && j->lost_reason)
		html_printf(b, "<p>%s</p>\n", j->lost_reason);
	if (j->sum.errors > j->verify.damaged) { /* a damaged block counts as an error */
		strbuf_printf(b, "<p>I/Os that failed: %s%s",
			      readable_exact(j->sum.errors - j->verify.damaged).text,
			      j->continue_on_error ? "; the job continued (continue_on_error).</p>\n"
						   : ".</p>\n");
	}
	put_lost(b, j);
	put_damage(b, &j->verify);
	strbuf_puts(b, "</div>\n");
}

void html_problems(struct html_run *h)
{
	bool any = false;

	for (size_t i = 0; i < h->r->njobs; i++) {
		if (!has_problem(h->r->jobs[i]))
			continue;
		if (h->r->client_stats && !h->r->jobs[i]->hostname)
			continue; /* the sum of entries that are listed */
		if (!any)
			html_section(h, 1, "problems", "Problems");
		any = true;
		put_job_problems(h->b, h->r->jobs[i]);
	}
	if (any)
		html_section_end(h);
}

static void put_verdict_row(struct strbuf *b, const struct result_verdict *v)
{
	html_row(b, v->assertion);
	html_cell(b, v->of ? v->of : "");
	html_cell(b, v->figure);
	html_number(b, v->why ? v->why : verdict_measured(v).text);
	html_printf(b, "<td class=\"n\">%s %s</td>", v->op, verdict_value(v->unit, v->limit).text);
	strbuf_puts(b, v->passed ? "<td>passed</td>" : "<td><strong>FAILED</strong></td>");
	html_row_end(b);
}

void html_verdicts(struct html_run *h)
{
	static const char *const column[] = {
		"Assertion", "Job", "Figure", "#Measured", "#Limit", "Verdict"
	};
	const struct result *r = h->r;
	size_t failed = verdicts_failed(r);

	if (!r->verdicts.n)
		return;
	html_section(h, 1, "assertions", "Assertions");
	strbuf_printf(h->b, "<p>%zu passed, %zu failed.</p>\n", r->verdicts.n - failed, failed);
	html_table(h->b, "The verdicts of the assertions (--assert)", column,
		   sizeof(column) / sizeof(*column));
	for (size_t i = 0; i < r->verdicts.n; i++)
		put_verdict_row(h->b, &r->verdicts.v[i]);
	html_table_end(h->b);
	html_section_end(h);
}
