/* json.c: fio's JSON document, with fio's keys in fio's order. fiord's own keys are under "fiord" at the end.
 */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include "json_shared.h"
#include "strbuf.h"
#include "text.h"

static void put_disk_util(struct jsonw *w, const struct result *r)
{
	if (!r->ndisks)
		return;
	jsonw_array(w, "disk_util");
	for (size_t i = 0; i < r->ndisks; i++) {
		jsonw_object(w, NULL);
		json_figures(w, figures_disk, &r->disks[i]);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_exit(struct jsonw *w, const struct result_exit *e)
{
	jsonw_object(w, "exit");
	jsonw_i64(w, "code", e->code);
	jsonw_array(w, "all");
	for (unsigned i = 0; i < e->count; i++)
		jsonw_i64(w, NULL, e->all[i]);
	jsonw_end_array(w);
	jsonw_end_object(w);
	jsonw_bool(w, "interrupted", e->signal != 0);
	if (e->signal) {
		jsonw_i64(w, "interrupted_by", e->signal);
		jsonw_double(w, "interrupted_after_s", (double)e->ran_ns / 1e9);
	}
}

/* Adds the status entries that were collected during the run. */
static void put_statuses(struct jsonw *w, const struct result_statuses *s)
{
	if (!s->n)
		return;
	jsonw_array(w, "status");
	for (size_t i = 0; i < s->n; i++)
		jsonw_value(w, s->text[i]);
	jsonw_end_array(w);
}

/* ---- fiord.hosts: the ranks of a run on several hosts ---- */

static void put_straggler(struct jsonw *w, const struct result_host *h)
{
	bool late = h->straggler == STRAGGLER_LATE;

	if (!h->straggler)
		return;
	jsonw_object(w, "straggler");
	jsonw_str(w, "by", late ? "time" : "rate");
	if (late)
		jsonw_u64(w, "wave", h->straggler_wave);
	jsonw_u64(w, late ? "took_ns" : "bw_bytes", h->straggler_value);
	jsonw_u64(w, late ? "median_took_ns" : "median_bw_bytes", h->straggler_median);
	jsonw_end_object(w);
}

static void put_host(struct jsonw *w, const struct result_host *h)
{
	jsonw_object(w, NULL);
	json_figures(w, figures_host, h);
	put_straggler(w, h);
	json_figures(w, figures_host_waves, h);
	jsonw_end_object(w);
}

static void put_hosts(struct jsonw *w, const struct result_hosts *hosts)
{
	if (!hosts->n)
		return;
	jsonw_array(w, "hosts");
	for (size_t i = 0; i < hosts->n; i++)
		put_host(w, &hosts->v[i]);
	jsonw_end_array(w);
}

/* ---- the document ---- */

/* Adds fiord's keys about the run. */
static void put_fiord(struct jsonw *w, const struct result *r)
{
	jsonw_object(w, "fiord");
	jsonw_str(w, "version", r->version);
	jsonw_str(w, "command", r->command);
	if (r->answer)
		jsonw_str(w, "answer", r->answer);
	if (r->runs) {
		jsonw_u64(w, "run", r->run);
		jsonw_u64(w, "runs", r->runs);
	}
	put_exit(w, &r->exit);
	json_notes(w, &r->notes);
	report_json_environment(w, r);
	json_figures_in(w, "fiord.", figures_self, r);
	put_hosts(w, &r->hosts);
	report_json_series(w, &r->series);
	put_statuses(w, &r->statuses);
	jsonw_end_object(w);
}

static void put_idle(struct jsonw *w, const struct result_idle *idle)
{
	char key[24];

	if (!idle->on)
		return;
	jsonw_object(w, "cpu_idleness");
	jsonw_double(w, "system", idle->system);
	for (unsigned i = 0; i < idle->ncpus; i++) {
		snprintf(key, sizeof(key), "cpu-%u", idle->cpus[i].number);
		jsonw_double(w, key, idle->cpus[i].idle);
	}
	jsonw_double(w, "unit_mean", idle->unit_mean_us);
	jsonw_double(w, "unit_stddev", idle->unit_stddev_us);
	jsonw_end_object(w);
}

static void put_assertions(struct jsonw *w, const struct result_verdicts *list)
{
	if (!list->n)
		return;
	jsonw_array(w, "assertions");
	for (size_t i = 0; i < list->n; i++) {
		const struct result_verdict *v = &list->v[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "assertion", v->assertion);
		if (v->of)
			jsonw_str(w, "of", v->of);
		jsonw_str(w, "figure", v->figure);
		if (v->why)
			jsonw_str(w, "not_measured", v->why);
		else
			jsonw_double(w, "measured", v->measured);
		jsonw_str(w, "operator", v->op);
		jsonw_double(w, "limit", v->limit);
		jsonw_str(w, "unit", limit_unit_name[v->unit]);
		jsonw_bool(w, "passed", v->passed);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

int report_json(const struct result *r, struct strbuf *b)
{
	struct strbuf version = { 0 };
	char when[TEXT_TIME];
	struct jsonw w;

	report_version(&version, r->program, r->version, r->fio_version, true);
	jsonw_init(&w, b);
	w.compact = r->compact;
	w.bins_off = r->bins_off;
	jsonw_object(&w, NULL);
	jsonw_str(&w, "fio version", strbuf_str(&version));
	jsonw_u64(&w, "timestamp", r->timestamp_ms / 1000);
	jsonw_u64(&w, "timestamp_ms", r->timestamp_ms);
	jsonw_str(&w, "time", text_time(when, sizeof(when), r->timestamp_ms));
	if (!r->several_files)
		json_options(&w, "global options", r->globals, r->nglobals);
	jsonw_array(&w, r->client_stats ? "client_stats" : "jobs");
	for (size_t i = 0; i < r->njobs; i++)
		json_job(&w, r, r->jobs[i]);
	jsonw_end_array(&w);
	put_disk_util(&w, r);
	put_idle(&w, &r->idle);
	put_assertions(&w, &r->verdicts);
	if (!r->as_fio)
		put_fiord(&w, r);
	jsonw_end_object(&w);
	strbuf_putc(b, '\n');
	strbuf_fini(&version);
	return r->failed || b->failed ? -ENOMEM : 0;
}
