/* html.c: the HTML report: the order of its sections. */
#include "html_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"

/* By the number of groups: one, two, up to HTML_GROUPS, and those beyond. */
static const struct html_detail details[] = {
	{ CHART_POINTS, 0, 60, CHART_HEAT_COLS, CHART_HEAT_ROWS, CHART_BARS, 1, false },
	{ 500, 250, 30, 80, 32, CHART_BARS, 1, false },
	{ 120, 60, 12, 40, 16, 30, 2, false },
	{ 40, 40, 8, 0, 0, 0, 4, true },
};
#define GROUPS_IN_FULL 4

static const struct html_detail *detail_of(size_t groups, size_t number)
{
	if (number >= GROUPS_IN_FULL)
		return &details[3];
	return &details[groups > 2 ? 2 : groups > 1 ? 1 : 0];
}

/* Adds up the series of the group's workers, and makes the view of the sum; a single one is used as it is.
   `to` has room for all groups of the series. */
static int view_series(struct html_group *g, const struct result_series *s, uint32_t *to)
{
	unsigned found = 0, index = 0;
	int ret;

	for (unsigned i = 0; i < s->data.ngroups; i++) {
		bool ours =
			s->label && s->label[i].in_report && (g->all_hosts || s->label[i].group == g->number);

		to[i] = ours ? 0 : SERIES_LEAVE_OUT;
		found += ours;
		index = ours ? i : index;
	}
	if (found < 2)
		return found ? series_view(&g->series, &s->data, index) : 0;
	ret = series_regroup(&g->sum, &s->data, to, 1, 0);
	return ret ? ret : series_view(&g->series, &g->sum, 0);
}

/* Copies a series of one group in at most `cells` intervals. */
static int join_cells(struct series *to, const struct series *from, size_t cells)
{
	uint32_t only = 0;
	unsigned doublings = 0;

	while (from->groups[0].cells.n >> doublings > cells)
		doublings++;
	return series_regroup(to, from, &only, 1, doublings);
}

/* Returns false when memory is short. */
static bool add_series(struct html_group *g, const struct result_series *s)
{
	uint32_t *to = calloc(s->data.ngroups + 1, sizeof(*to));
	int ret = to ? view_series(g, s, to) : -ENOMEM;

	g->intervals = !ret && g->series.ngroups ? chart_span(&g->series, 0, &g->start_ms, &g->end_ms) : 0;
	if (g->intervals) {
		if (g->detail->cells)
			ret = join_cells(&g->joined, &g->series, g->detail->cells);
		if (!ret)
			ret = join_cells(&g->coarse, g->detail->cells ? &g->joined : &g->series,
					 g->detail->rows);
		g->has_series = !ret;
	}
	free(to);
	return !ret;
}

/* Returns the number of groups in the report. */
static size_t count_groups(const struct result *r)
{
	size_t groups = 0;

	for (size_t i = 0; i < r->njobs; i++) {
		size_t k = 0;

		while (r->jobs[k]->group != r->jobs[i]->group)
			k++;
		groups += k == i;
	}
	return groups;
}

static bool add_html_group(struct html_run *h, unsigned number, size_t groups)
{
	struct html_group *g = &h->groups[h->ngroups];

	for (size_t i = 0; i < h->ngroups; i++) {
		if (h->groups[i].number == number)
			return true;
	}
	g->number = number;
	g->detail = detail_of(groups, h->ngroups);
	g->jobs = arena_array(&h->mem, h->r->njobs, sizeof(struct result_job *));
	if (!g->jobs)
		return false;
	g->njobs = total_jobs(h->r, number, g->jobs);
	g->total = total_sum(&h->mem, g->jobs, g->njobs);
	h->ngroups++;
	return g->total && add_series(g, &h->r->series);
}

/* The entry of all hosts is the sum of all groups: the page has one group with this entry. */
static bool add_hosts(struct html_run *h, const struct result_job *all)
{
	struct html_group *g = &h->groups[h->ngroups++];

	g->number = all->group;
	g->detail = detail_of(1, 0);
	g->all_hosts = true;
	g->jobs = arena_array(&h->mem, 1, sizeof(struct result_job *));
	if (!g->jobs)
		return false;
	g->jobs[0] = all;
	g->njobs = 1;
	g->total = all;
	return add_series(g, &h->r->series);
}

/* Returns true if there was a time at which all groups ran. Groups that follow each other may share an
 * interval. */
static bool ran_together(const struct html_run *h)
{
	double start = 0, end = INFINITY, interval = 0;

	for (size_t i = 0; i < h->ngroups; i++) {
		if (!h->groups[i].has_series)
			return false;
		start = fmax(start, h->groups[i].start_ms);
		end = fmin(end, h->groups[i].end_ms);
		interval = fmax(interval, (double)series_interval_ns(&h->groups[i].series) / 1e6);
	}
	return start + interval < end;
}

/* Adds up all groups. IOPS of groups that ran one after the other have no sum. */
static bool add_total_group(struct html_run *h)
{
	const struct result_job **total = arena_array(&h->mem, h->ngroups + 1, sizeof(struct result_job *));
	const struct result_job *sum;

	if (h->ngroups < 2 || !ran_together(h))
		return true;
	for (size_t i = 0; total && i < h->ngroups; i++)
		total[i] = h->groups[i].total;
	sum = total ? total_sum(&h->mem, total, h->ngroups) : NULL;
	h->all = sum ? total_mixed(&h->mem, sum) : NULL;
	return h->all;
}

static int begin_run(struct html_run *h)
{
	size_t groups = count_groups(h->r);

	h->groups = arena_array(&h->mem, h->r->njobs + 1, sizeof(*h->groups));
	if (!h->groups)
		return -ENOMEM;
	if (total_of_hosts(h->r))
		return add_hosts(h, total_of_hosts(h->r)) ? 0 : -ENOMEM;
	for (size_t i = 0; i < h->r->njobs; i++) {
		if (!add_html_group(h, h->r->jobs[i]->group, groups))
			return -ENOMEM;
	}
	return add_total_group(h) ? 0 : -ENOMEM;
}

/* "host, Linux 6.1.0, 2026-11-20 21:30:45 UTC, run.json" */
static void put_origin(struct html_run *h)
{
	const struct result *r = h->r;
	struct strbuf *b = h->b;

	if (r->env.host)
		html_printf(b, "%s, Linux %s, ", r->env.host, r->env.kernel);
	strbuf_printf(b, "%s, ", readable_time(r->timestamp_ms).text);
	if (r->version && *r->version) { /* log files do not name it */
		html_printf(b, "%s %s%s", r->program, r->version, h->source ? ", " : "");
	}
	if (h->source)
		html_printf(b, "from %s", h->source);
}

/* Adds "xfs on nvme0n1 (Samsung SSD 980 PRO), scheduler none"; nothing if no fact is known. */
static void put_target(struct strbuf *b, const struct result_target *t)
{
	const struct props *d = t->ndevs ? &t->devs[t->ndevs - 1].props : NULL;
	const char *model = d ? props_str(d, "model") : "", *kind = d ? props_str(d, "driver") : "";

	html_text(b, props_str(&t->fs, "type"));
	if (!d)
		return;
	html_printf(b, "%s%s", *props_str(&t->fs, "type") ? " on " : "", props_str(d, "name"));
	if (*model || *kind)
		html_printf(b, " (%s)", *model ? model : kind);
	if (*props_str(d, "scheduler"))
		html_printf(b, ", scheduler %s", props_str(d, "scheduler"));
}

static void put_storage(struct html_run *h)
{
	struct strbuf *b = h->b;
	unsigned listed = 0;

	for (size_t i = 0; i < h->r->ntargets && listed < 3; i++) {
		size_t start = b->len, end;

		strbuf_puts(b, listed ? "; " : "<p class=\"sub\">");
		end = b->len;
		put_target(b, &h->r->targets[i]);
		if (b->len == end)
			b->len = start;
		else
			listed++;
	}
	if (listed)
		strbuf_puts(b, "</p>\n");
}

static bool has_hosts(const struct result *r)
{
	return r->hosts.n;
}

static bool has_disks(const struct result *r)
{
	return r->ndisks;
}

static bool has_plan(const struct result *r)
{
	return r->plan.workers;
}

/* The sections behind the charts, in their order. */
static const struct section {
	const char *id, *link, *title;       /* title: NULL if it is the text of the link */
	bool (*has)(const struct result *r); /* NULL: always */
	void (*put)(struct html_run *h);
} sections[] = {
	{ "until", "Steadystate and latency target", NULL, html_has_until, html_until },
	{ "jobs", "Jobs", NULL, NULL, html_jobs },
	{ "steps", "Rate steps", NULL, html_has_rate_steps, html_rate_steps },
	{ "where", "Where the time goes", NULL, html_has_where, html_where },
	{ "files", "Files", NULL, html_has_files, html_files },
	{ "hosts", "Hosts", NULL, has_hosts, html_hosts },
	{ "cpu", "CPU", NULL, NULL, html_cpu },
	{ "disks", "Disks", NULL, has_disks, html_disks },
	{ "plan", "Plan", NULL, has_plan, html_plan },
	{ "environment", "Environment", NULL, NULL, html_environment },
	{ "options", "Options", "Options and command line", NULL, html_options },
};
#define SECTIONS (sizeof(sections) / sizeof(*sections))

static bool has_section(const struct html_run *h, const struct section *s)
{
	return !s->has || s->has(h->r);
}

static void put_link(struct html_run *h, const char *id, const char *text)
{
	strbuf_printf(h->b, "<li><a href=\"#r%u-%s\">%s</a></li>\n", h->number, id, text);
}

static void put_nav(struct html_run *h)
{
	strbuf_printf(h->b, "<nav aria-label=\"Sections of run %u\">\n<ul>\n", h->number);
	put_link(h, "answer", "Result");
	for (size_t i = 0; i < h->ngroups && h->ngroups > 1; i++)
		put_link(h, html_string(h, "g%u", h->groups[i].number),
			 html_string(h, "Group %u", h->groups[i].number));
	if (h->ngroups == 1 && html_any_io(h->groups[0].total)) {
		put_link(h, "time", "Over time");
		put_link(h, "latency", "Latency");
	}
	for (size_t i = 0; i < SECTIONS; i++)
		if (has_section(h, &sections[i]))
			put_link(h, sections[i].id, sections[i].link);
	strbuf_puts(h->b, "</ul>\n</nav>\n");
	if (h->ngroups > GROUPS_IN_FULL)
		strbuf_printf(
			h->b,
			"<p class=\"note\">The groups after the first %u have only the charts of IOPS, of "
			"latencies over time and of percentiles, so that the page stays small.</p>\n",
			GROUPS_IN_FULL);
}

static void put_result_section(struct html_run *h)
{
	html_section(h, 0, "answer", "Result");
	html_until_answers(h);
	if (h->ngroups > 1)
		html_group_table(h);
	else if (h->ngroups)
		html_tiles(h, &h->groups[0]);
	else
		strbuf_puts(h->b, "<p class=\"problem\">The result has no jobs.</p>\n");
	html_status(h);
	html_problems(h);
	html_verdicts(h);
	html_notes(h);
	html_section_end(h);
}

static void put_run(struct html_run *h)
{
	put_result_section(h);
	for (size_t i = 0; i < h->ngroups; i++)
		html_charts(h, &h->groups[i]);
	for (const struct section *s = sections; s < sections + SECTIONS; s++) {
		if (!has_section(h, s))
			continue;
		html_section(h, 0, s->id, s->title ? s->title : s->link);
		s->put(h);
		html_section_end(h);
	}
}

static void put_heading(struct html_run *h)
{
	strbuf_printf(h->b, "<section class=\"run\" aria-labelledby=\"r%u\">\n<h2 id=\"r%u\">Run %u",
		      h->number, h->number, h->number);
	if (h->source)
		html_printf(h->b, ": %s", h->source);
	strbuf_puts(h->b, "</h2>\n");
}

static void add_run(struct html_run *h, bool several)
{
	if (several)
		put_heading(h);
	strbuf_puts(h->b, "<p class=\"sub\">");
	put_origin(h);
	strbuf_puts(h->b, "</p>\n");
	put_storage(h);
	put_nav(h);
	put_run(h);
	strbuf_puts(h->b, several ? "</section>\n" : "");
}

/* Adds the names of the jobs, each once: "mixed, seq". */
static void put_names(struct strbuf *b, const struct result *r)
{
	size_t listed = 0;

	for (size_t i = 0; i < r->njobs && listed < 4; i++) {
		const char *name = r->jobs[i]->name ? r->jobs[i]->name : "";
		bool before = false;

		for (size_t k = 0; k < i && !before; k++)
			before = r->jobs[k]->name && !strcmp(r->jobs[k]->name, name);
		if (before || !*name)
			continue;
		strbuf_puts(b, listed++ ? ", " : "");
		strbuf_puts(b, name);
	}
}

static void put_title(struct strbuf *b, const struct result *const *res, size_t n)
{
	strbuf_puts(b, "fiord report: ");
	if (n > 1)
		strbuf_printf(b, "%zu runs", n);
	else if (n)
		put_names(b, res[0]);
}

/* Prepares all runs. Returns NULL when memory is short. */
static struct html_run *begin_runs(const struct result *const *res, const char *const *source, size_t n,
				   struct strbuf *b)
{
	struct html_run *run = calloc(n + 1, sizeof(*run));
	int ret = 0;

	for (size_t i = 0; run && i < n; i++) {
		run[i] = (struct html_run){
			.r = res[i], .source = source ? source[i] : NULL, .number = (unsigned)i + 1, .b = b
		};
		run[i].level = n > 1 ? 3 : 2;
		ret = ret ? ret : begin_run(&run[i]);
	}
	b->failed |= ret || !run;
	return run;
}

static void free_runs(struct html_run *run, size_t n)
{
	for (size_t i = 0; run && i < n; i++) {
		for (size_t k = 0; k < run[i].ngroups; k++) {
			series_view_fini(&run[i].groups[k].series);
			series_fini(&run[i].groups[k].sum);
			series_fini(&run[i].groups[k].joined);
			series_fini(&run[i].groups[k].coarse);
		}
		arena_fini(&run[i].mem);
	}
	free(run);
}

int report_html(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b)
{
	struct html_run *run = begin_runs(res, source, n, b);
	struct strbuf title = { 0 };
	size_t start = b->len;

	if (!b->failed && n) {
		put_title(&title, res, n);
		report_html_page_begin(b, strbuf_str(&title), NULL);
		if (n > 1)
			html_overview(run, n, b);
		for (size_t i = 0; i < n; i++)
			add_run(&run[i], n > 1);
		html_embed(res, n, b->len - start, b);
		strbuf_puts(b, "</main>\n");
		report_html_page_end(b, REPORT_HTML_DATA);
	}
	strbuf_end(&title, b);
	free_runs(run, n);
	return b->failed ? -ENOMEM : 0;
}
