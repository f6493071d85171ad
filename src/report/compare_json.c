/* compare_json.c: a comparison as JSON. Changes are in percent, latencies in ns, bandwidth in bytes per s. */
#include "compare_report.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "jsonw.h"
#include "strbuf.h"

static void put_finite(struct jsonw *w, const char *key, double v)
{
	if (isfinite(v))
		jsonw_double(w, key, v);
	else
		jsonw_raw(w, key, "null");
}

static void put_source_names(struct jsonw *w, const char *key, const struct compare_runs *runs)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < runs->n; i++)
		jsonw_str(w, NULL, runs->source[i]);
	jsonw_end_array(w);
}

static void put_name_array(struct jsonw *w, const char *key, const char *const *name, size_t n)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < n; i++)
		jsonw_str(w, NULL, name[i]);
	jsonw_end_array(w);
}

static void put_differences(struct jsonw *w, const struct compare *c)
{
	jsonw_array(w, "differences");
	for (size_t i = 0; i < c->difference.n; i++) {
		const struct compare_difference *d = &c->difference.v[i];

		jsonw_object(w, NULL);
		if (d->job)
			jsonw_str(w, "job", d->job);
		jsonw_str(w, "name", d->name);
		jsonw_str(w, "a", d->a);
		jsonw_str(w, "b", d->b);
		if (d->setting < COMPARE_SETTINGS)
			jsonw_str(w, "allow", compare_setting_name[d->setting]);
		jsonw_str(w, "run_a", d->run_a);
		jsonw_str(w, "run_b", d->run_b);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_change(struct jsonw *w, const struct compare_figure *f)
{
	const struct compare_change *c = &f->change;

	if (c->known)
		put_finite(w, "change_percent", c->change * 100);
	if (c->interval) {
		put_finite(w, "low_percent", c->lo * 100);
		put_finite(w, "high_percent", c->hi * 100);
		put_finite(w, "detectable_percent", c->detectable * 100);
		put_finite(w, "degrees_of_freedom", c->df);
		jsonw_bool(w, "shown", c->shown);
		if (c->shown)
			jsonw_bool(w, "better", (c->change > 0) == compare_more_is_better(f));
	}
	if (f->runs_needed)
		jsonw_u64(w, "runs_for_5_percent", f->runs_needed);
	jsonw_str(w, "basis", compare_basis_name(f->basis));
	if (f->why)
		jsonw_str(w, "why", f->why);
}

const char *compare_json_unit(enum compare_what what)
{
	static const char *const unit[COMPARE_WHATS] = { "1/s", "bytes/s", "ns", "ns", "ns", "ns" };

	return unit[what];
}

static void put_compared_job(struct jsonw *w, const struct compare_job *job)
{
	char name[COMPARE_NAME];

	jsonw_object(w, NULL);
	jsonw_str(w, "name", job->name);
	jsonw_array(w, "figures");
	for (size_t i = 0; i < job->nfigures; i++) {
		const struct compare_figure *f = &job->figures[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "figure", compare_figure_name(f, name));
		jsonw_str(w, "unit", compare_json_unit(f->what));
		put_finite(w, "a", f->a.value);
		put_finite(w, "b", f->b.value);
		put_change(w, f);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

void compare_put_verdicts_json(struct jsonw *w, const struct compare *c)
{
	char name[COMPARE_NAME];

	jsonw_array(w, "conditions");
	for (size_t i = 0; i < c->verdict.n; i++) {
		const struct compare_verdict *v = &c->verdict.v[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "condition", v->condition->text);
		jsonw_str(w, "job", v->job->name);
		if (v->figure)
			jsonw_str(w, "figure", compare_figure_name(v->figure, name));
		jsonw_str(w, "state", compare_state_name(v->state));
		if (v->why)
			jsonw_str(w, "why", v->why);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_bool(w, "failed", compare_fails(c));
}

static void put_lines(struct jsonw *w, const char *key, char *text)
{
	jsonw_array(w, key);
	for (char *save = NULL, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		jsonw_str(w, NULL, line);
	jsonw_end_array(w);
}

int report_compare_json(const struct compare *c, struct strbuf *b)
{
	struct strbuf methods = { 0 };
	struct jsonw w;

	jsonw_init(&w, b);
	jsonw_object(&w, NULL);
	jsonw_object(&w, "compare");
	put_source_names(&w, "a", &c->a);
	put_source_names(&w, "b", &c->b);
	put_finite(&w, "confidence_percent", c->cfg.confidence * 100);
	put_differences(&w, c);
	put_name_array(&w, "only_in_a", c->only_a.v, c->only_a.n);
	put_name_array(&w, "only_in_b", c->only_b.v, c->only_b.n);
	jsonw_array(&w, "jobs");
	for (size_t i = 0; i < c->njobs; i++)
		put_compared_job(&w, &c->jobs[i]);
	jsonw_end_array(&w);
	compare_put_verdicts_json(&w, c);
	compare_put_methods(&methods, c);
	if (methods.text)
		put_lines(&w, "methods", methods.text);
	put_name_array(&w, "notes", (const char *const *)c->notes.line, c->notes.count);
	jsonw_end_object(&w);
	jsonw_end_object(&w);
	strbuf_putc(b, '\n');
	strbuf_end(&methods, b);
	return b->failed ? -ENOMEM : 0;
}
