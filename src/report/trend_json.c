/* trend_json.c: a trend as JSON. Latencies are in ns, bandwidth in bytes per s, shares in percent. */
#include "trend_report.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "compare_report.h"
#include "jsonw.h"

static void put_points(struct jsonw *w, const struct trend_set *s)
{
	jsonw_array(w, "documents");
	for (size_t i = 0; i < s->point.n; i++) {
		const struct trend_point *p = &s->point.v[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "source", p->source);
		jsonw_u64(w, "timestamp_ms", p->time_ms);
		if (p->key)
			jsonw_str(w, "key", p->key);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_figure_value(struct jsonw *w, const char *key, double v)
{
	if (isfinite(v))
		jsonw_double(w, key, v);
	else
		jsonw_raw(w, key, "null");
}

static void put_changes(struct jsonw *w, const struct trend_line *l)
{
	jsonw_array(w, "changes");
	for (size_t i = 0; i < l->nchanges; i++) {
		const struct trend_change *c = &l->change[i];

		jsonw_object(w, NULL);
		jsonw_u64(w, "document", c->at + 1);
		put_figure_value(w, "before", c->before);
		put_figure_value(w, "after", c->after);
		put_figure_value(w, "change_percent", 100 * (c->after / c->before - 1));
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_line(struct jsonw *w, const struct trend_set *s, size_t line)
{
	const struct trend_line *l = &s->line.v[line];
	char name[COMPARE_NAME];

	jsonw_object(w, NULL);
	jsonw_str(w, "job", l->job);
	jsonw_str(w, "figure", compare_figure_name(&l->figure, name));
	jsonw_str(w, "unit", compare_json_unit(l->figure.what));
	put_figure_value(w, "first", l->first);
	put_figure_value(w, "now", l->now);
	put_figure_value(w, "last", l->last);
	put_figure_value(w, "noise_percent", 100 * l->noise);
	put_changes(w, l);
	jsonw_array(w, "values");
	for (size_t i = 0; i < s->point.n; i++)
		put_figure_value(w, NULL, trend_value(s, i, line));
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static void put_steps(struct jsonw *w, const struct trend_set *s)
{
	jsonw_array(w, "settings");
	for (size_t i = 0; i < s->step.n; i++) {
		const struct trend_step *step = &s->step.v[i];

		jsonw_object(w, NULL);
		jsonw_u64(w, "document", step->at + 1);
		if (step->setting.job)
			jsonw_str(w, "job", step->setting.job);
		jsonw_str(w, "name", step->setting.name);
		jsonw_str(w, "before", step->setting.usual);
		jsonw_str(w, "after", step->setting.value);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_left_out(struct jsonw *w, const struct trend *t)
{
	jsonw_array(w, "left_out");
	for (size_t i = 0; i < t->left_out.n; i++) {
		jsonw_object(w, NULL);
		jsonw_str(w, "source", t->left_out.v[i].source);
		jsonw_str(w, "why", trend_reason(&t->left_out.v[i]));
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

int report_trend_json(const struct trend *t, struct strbuf *b)
{
	struct jsonw w;

	jsonw_init(&w, b);
	jsonw_object(&w, NULL);
	jsonw_object(&w, "trend");
	jsonw_str(&w, "by", t->by ? t->by : "time");
	jsonw_u64(&w, "documents", t->documents);
	jsonw_array(&w, "sets");
	for (size_t i = 0; i < t->set.n; i++) {
		const struct trend_set *s = &t->set.v[i];

		jsonw_object(&w, NULL);
		put_points(&w, s);
		jsonw_array(&w, "figures");
		for (size_t k = 0; k < s->line.n; k++)
			put_line(&w, s, k);
		jsonw_end_array(&w);
		put_steps(&w, s);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	put_left_out(&w, t);
	compare_put_verdicts_json(&w, &t->judged);
	jsonw_array(&w, "notes");
	for (size_t i = 0; i < t->notes.count; i++)
		jsonw_str(&w, NULL, t->notes.line[i]);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	jsonw_end_object(&w);
	strbuf_putc(b, '\n');
	return b->failed ? -ENOMEM : 0;
}
