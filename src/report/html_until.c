/* html_until.c: the results of steadystate and latency_target: a tile says whether the job attained its
   criterion, and a section has the samples or the steps from which that follows. */
#include "html_page.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "answer.h"
#include "chart.h"
#include "strbuf.h"
#include "svg.h"
#include "units.h"

#define JOBS_MAX   16  /* with sections of their own */
#define ROWS_MAX   60  /* of a table of samples */
#define STEPS_MAX  200 /* of a table of steps */
#define CLONES_MAX 4   /* with lines in the chart of a search */

/* ---- steadystate ---- */

/* Adds the criterion's value: "mean deviation 0.125 % (limit iops:5.000000%)". */
static void put_criterion(struct strbuf *b, const struct result_steady *s)
{
	if (!strcmp(s->ss, "snia")) {
		strbuf_printf(
			b, "range %.1f %% and slope %+.1f %% of the mean IOPS (limits %.0f %% and %.0f %%)",
			s->range_percent, s->rise_percent, CHART_RANGE, CHART_SLOPE);
		return;
	}
	html_printf(b, "%s %.3f%s (steadystate=%s)",
		    strstr(s->ss, "_slope") ? "slope" : "largest deviation from the mean",
		    strtod(s->criterion, NULL), strchr(s->criterion, '%') ? " %" : "", s->ss);
}

static void put_steady_tile(struct strbuf *b, const struct result *r)
{
	const struct result_steady *first = NULL;
	size_t on = 0, attained = 0;

	for (size_t i = 0; i < r->njobs; i++) {
		const struct result_steady *s = &r->jobs[i]->steady;

		on += s->on;
		attained += s->on && s->attained;
		first = first ? first : s->on ? s : NULL;
	}
	if (!on)
		return;
	html_state(b, attained == on ? "wide good" : "wide warn", "Criterion of steadystate", "steadystate");
	if (on > 1) {
		strbuf_printf(b, "attained by %zu of %zu jobs</span></dd></div>\n", attained, on);
		return;
	}
	strbuf_puts(b, first->attained ? "attained" : "not attained");
	if (first->attained && first->attained_ns)
		strbuf_printf(b, " after %s", readable_duration((double)first->attained_ns / 1e6).text);
	strbuf_puts(b, "</span></dd><dd>");
	put_criterion(b, first);
	strbuf_puts(b, "</dd></div>\n");
}

/* The samples that the criterion judges, their unit, and the name of the chart. */
struct judged_samples {
	const uint64_t *v;
	enum svg_unit unit;
	const char *name;
};

static struct judged_samples samples_of(const struct result_steady *s, const struct result_units *u)
{
	if (!strncmp(s->ss, "bw", 2))
		return (struct judged_samples){ s->bw, html_rate_unit(u), "Bandwidth" };
	if (!strncmp(s->ss, "lat", 3))
		return (struct judged_samples){ s->lat, SVG_NS, "Mean latency" };
	return (struct judged_samples){ s->iops, SVG_IOPS, "IOPS" };
}

static void put_samples_table(struct strbuf *b, const struct judged_samples *from, struct chart_line *l,
			      const struct result_units *u)
{
	const char *column[] = { "Time in the window", from->name };

	chart_line_limit(l, ROWS_MAX);
	html_figures(b, "Samples of the window of steadystate", column, 2);
	for (size_t i = 0; i < l->n; i++) {
		html_row(b, readable_duration(l->t_ms[i]).text);
		html_number(b, html_in_unit(from->unit, l->v[i], u).text);
		html_row_end(b);
	}
	html_figures_end(b);
}

static void put_judged_samples(struct html_run *h, const struct result_job *j)
{
	const struct result_steady *s = &j->steady;
	struct judged_samples from = samples_of(s, &j->units);
	uint64_t step_ns = s->interval_ns ? s->interval_ns : s->samples ? s->duration_ns / s->samples : 0;
	struct svg_axes axes = { .title = "Samples of the window", .unit = from.unit };
	struct svg_line line = { .name = from.name, .look = SVG_OTHER };
	struct chart_line l;

	if (!from.v || s->samples < 2 || !step_ns)
		return;
	if (chart_samples(&l, from.v, s->samples, (double)step_ns / 1e6)) {
		h->b->failed = true;
		return;
	}
	axes.end_ms = (double)s->samples * (double)step_ns / 1e6;
	line.line = &l;
	strbuf_printf(h->b,
		      "<figure>\n<figcaption><strong>Samples of the window</strong> %s of all directions, "
		      "from the beginning of the window.</figcaption>\n",
		      from.name);
	svg_lines(h->b, &axes, &line, 1);
	put_samples_table(h->b, &from, &l, &j->units);
	chart_line_fini(&l);
}

/* Adds the answer in words: "The job was steady after 12.0 s. ...". */
static void put_steady_answer(struct strbuf *b, const struct result_job *j)
{
	const struct result_steady *s = &j->steady;

	strbuf_puts(b, "<p>");
	if (!s->attained)
		strbuf_puts(b, "The job did not become steady before it ended. In the last window: ");
	else if (s->attained_ns)
		strbuf_printf(b, "The job was steady after %s. In the window that decided it: ",
			      readable_duration((double)s->attained_ns / 1e6).text);
	else
		strbuf_puts(b, "The job became steady. In the window that decided it: ");
	put_criterion(b, s);
	strbuf_printf(b, ", mean IOPS %s, mean bandwidth %s", readable_count((double)s->iops_mean).text,
		      readable_bytes_rate((double)s->bw_mean, &j->units).text);
	if (s->lat)
		strbuf_printf(b, ", mean latency %s", readable_latency((double)s->lat_mean).text);
	strbuf_printf(b, ", %zu", s->samples);
	if (s->interval_ns)
		strbuf_printf(b, " of %" PRIu64 " samples of %s", s->duration_ns / s->interval_ns,
			      readable_duration((double)s->interval_ns / 1e6).text);
	else
		strbuf_puts(b, s->samples == 1 ? " sample" : " samples");
	strbuf_puts(b, ".</p>\n");
}

/* ---- latency_target ---- */

static void put_search_target(struct strbuf *b, const struct result_latency_target *t)
{
	char percentile[UNITS_DECIMALS];

	strbuf_printf(b, "%s %% of the I/Os within %s", units_decimals(percentile, t->percentile, 0, 9),
		      readable_latency((double)t->target_ns).text);
}

/* Returns false for a document of fio, which has the depth but does not say whether the search had ended. */
static bool search_known(const struct result_latency_target *t)
{
	return t->iodepth != 0;
}

/* The window measured after the search misses the target that the depth met in the search. */
static bool search_missed_after(const struct result_latency_target *t)
{
	return t->found && t->answer.ios && !t->answer.met;
}

static void put_depth_tile(struct strbuf *b, const struct result *r)
{
	const struct result_latency_target *first = NULL;
	size_t on = 0, found = 0;

	for (size_t i = 0; i < r->njobs; i++) {
		const struct result_latency_target *t = &r->jobs[i]->latency_target;

		on += t->on;
		found += t->on && (t->found || !search_known(t)) && !search_missed_after(t);
		first = first ? first : t->on ? t : NULL;
	}
	if (!on)
		return;
	html_state(b, found == on ? "wide good" : "wide warn", "Latency target", "latency_target");
	if (on > 1)
		strbuf_printf(b, "met by %zu of %zu jobs</span></dd><dd>", found, on);
	else if (found)
		strbuf_printf(b, "depth %u</span></dd><dd>the greatest with ", first->depth);
	else if (search_missed_after(first))
		strbuf_printf(b,
			      "depth %u</span></dd><dd>met in the search, and missed in the window measured "
			      "after it: ",
			      first->depth);
	else
		strbuf_printf(b, "not met</span></dd><dd>measured at depth %u; no depth was found with ",
			      first->depth);
	if (on == 1)
		put_search_target(b, first);
	strbuf_puts(b, "</dd></div>\n");
}

static void put_step(struct strbuf *b, const struct result_depth_step *s)
{
	strbuf_printf(b, "<tr><th scope=\"row\">%u</th><td class=\"n\">%u</td>", s->clone, s->depth);
	html_cell(b, s->met ? "met" : "too deep");
	html_exact(b, s->within);
	html_exact(b, s->ios);
	html_number(b, s->ios ? readable_percent((double)s->within / (double)s->ios * 100).text : "");
	html_number(b, readable_duration((double)s->ns / 1e6).text);
	html_row_end(b);
}

static void put_steps_table(struct strbuf *b, const struct result_latency_target *t)
{
	static const char *const column[] = { "Clone",
					      "#Depth",
					      "Target",
					      "#I/Os within it",
					      "#I/Os judged",
					      "#Share",
					      "#Length of the step" };
	size_t from = t->nsteps > STEPS_MAX ? t->nsteps - STEPS_MAX : 0;

	html_table(b, "Steps of the search", column, 7);
	for (size_t i = from; i < t->nsteps; i++)
		put_step(b, &t->steps[i]);
	html_table_end(b);
	if (from || t->left_out)
		strbuf_printf(b, "<p class=\"note\">Earlier steps that are not listed: %s.</p>\n",
			      readable_exact(from + t->left_out).text);
}

/* Fills the line of one clone with the depth in each of its steps. Returns 0 or -ENOMEM. */
static int steps_of(struct html_run *h, const struct result_latency_target *t, unsigned clone,
		    struct chart_line *l)
{
	struct chart_step *step = arena_array(&h->mem, t->nsteps, sizeof(*step));
	size_t n = 0;

	if (!step)
		return -ENOMEM;
	for (size_t i = 0; i < t->nsteps; i++)
		if (t->steps[i].clone == clone)
			step[n++] = (struct chart_step){ t->steps[i].ns, t->steps[i].depth };
	return chart_steps(l, step, n);
}

static void put_search_chart(struct html_run *h, const struct result_latency_target *t)
{
	static const enum svg_look look[CLONES_MAX] = { SVG_P50, SVG_P99, SVG_P999, SVG_MAX };
	struct svg_axes axes = { .title = "Depth of the search",
				 .unit = SVG_NUMBER,
				 .y_name = "I/Os in flight" };
	struct svg_line line[CLONES_MAX] = { 0 };
	struct chart_line l[CLONES_MAX];

	for (unsigned i = 0; i < CLONES_MAX; i++) {
		h->b->failed |= steps_of(h, t, i, &l[i]) != 0;
		line[i] = (struct svg_line){ .name = html_string(h, "clone %u", i),
					     .look = look[i],
					     .line = &l[i] };
		if (l[i].n)
			axes.end_ms = fmax(axes.end_ms, l[i].t_ms[l[i].n - 1]);
	}
	if (axes.end_ms > 0) {
		strbuf_puts(h->b,
			    "<figure>\n<figcaption><strong>Depth of the search</strong> The limit of I/Os in "
			    "flight in each step; the table below has the figures.</figcaption>\n");
		svg_lines(h->b, &axes, line, CLONES_MAX);
		strbuf_puts(h->b, "</figure>\n");
	}
	for (unsigned i = 0; i < CLONES_MAX; i++)
		chart_line_fini(&l[i]);
}

static void put_depth_answer(struct strbuf *b, const struct result_latency_target *t)
{
	strbuf_puts(b, "<p>");
	if (!search_known(t))
		strbuf_printf(b, "The job ended at a depth of %u. The target: ", t->depth);
	else if (t->found)
		strbuf_printf(b, "The greatest depth up to %u that met the target was %u: ", t->iodepth,
			      t->depth);
	else
		strbuf_printf(b,
			      "No depth up to %u met the target; the figures were measured at %u. "
			      "The target: ",
			      t->iodepth, t->depth);
	put_search_target(b, t);
	strbuf_printf(b, ", judged over %s.</p>\n", readable_duration((double)t->window_ns / 1e6).text);
}

/* ---- the sections ---- */

bool html_has_until(const struct result *r)
{
	for (size_t i = 0; i < r->njobs; i++) {
		if (r->jobs[i]->steady.on || r->jobs[i]->latency_target.on)
			return true;
	}
	return false;
}

void html_until_answers(struct html_run *h)
{
	if (h->r->answer)
		html_printf(h->b, "<p class=\"answer\">%s</p>\n", h->r->answer);
	for (size_t i = 0; i < h->r->njobs; i++) {
		if (!answer_has_latency_target(h->r->jobs[i]))
			continue;
		strbuf_puts(h->b, "<p class=\"answer\">");
		if (h->r->njobs > 1) {
			html_job_name(h->b, h->r->jobs[i]);
			strbuf_puts(h->b, ": ");
		}
		answer_latency_target(h->b, h->r->jobs[i]);
		strbuf_puts(h->b, "</p>\n");
	}
}

void html_until_tiles(struct html_run *h)
{
	put_steady_tile(h->b, h->r);
	put_depth_tile(h->b, h->r);
}

static void put_search(struct html_run *h, const struct result_job *j, size_t i)
{
	html_section(h, 1, html_string(h, "until-%zu", i),
		     html_string(h, "%s%s%s", html_name(j), j->hostname ? " on " : "",
				 j->hostname ? j->hostname : ""));
	if (j->steady.on) {
		put_steady_answer(h->b, j);
		put_judged_samples(h, j);
	}
	if (j->latency_target.on) {
		put_depth_answer(h->b, &j->latency_target);
		if (j->latency_target.nsteps) {
			put_search_chart(h, &j->latency_target);
			put_steps_table(h->b, &j->latency_target);
		}
	}
	html_section_end(h);
}

void html_until(struct html_run *h)
{
	size_t jobs = 0;

	for (size_t i = 0; i < h->r->njobs; i++) {
		const struct result_job *j = h->r->jobs[i];

		if ((j->steady.on || j->latency_target.on) && jobs++ < JOBS_MAX)
			put_search(h, j, i);
	}
	if (jobs > JOBS_MAX)
		strbuf_printf(h->b,
			      "<p class=\"note\">%zu more jobs have such a criterion; the JSON of the result "
			      "has their figures.</p>\n",
			      jobs - JOBS_MAX);
}
