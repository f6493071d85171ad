/* json.c: fio's JSON document, with fio's keys in fio's order. fiord's own keys are under "fiord" at the end.
 */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "environment.h"
#include "json_shared.h"
#include "text.h"

/* Adds the counts of a disk, or with `aggregate` the sums over its members. fio has no s at the end of
   "aggr_write_merge". */
static void put_disk_counts(struct jsonw *w, bool aggregate, const struct result_disk_counts *c)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{ "aggr_read_ios", c->ios[0] },
		{ "aggr_write_ios", c->ios[1] },
		{ "aggr_read_sectors", c->sectors[0] },
		{ "aggr_write_sectors", c->sectors[1] },
		{ "aggr_read_merges", c->merges[0] },
		{ aggregate ? "aggr_write_merge" : "aggr_write_merges", c->merges[1] },
		{ "aggr_read_ticks", c->ticks_ms[0] },
		{ "aggr_write_ticks", c->ticks_ms[1] },
		{ "aggr_in_queue", c->in_queue_ms },
	};
	const size_t prefix = aggregate ? 0 : strlen("aggr_");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		jsonw_u64(w, rows[i].key + prefix, rows[i].value);
	jsonw_double(w, aggregate ? "aggr_util" : "util", c->util);
}

static void put_disks(struct jsonw *w, const struct result *r)
{
	if (!r->disks)
		return;
	jsonw_array(w, "disk_util");
	for (size_t i = 0; i < r->disks; i++) {
		jsonw_object(w, NULL);
		jsonw_str(w, "name", r->disk[i].name);
		put_disk_counts(w, false, &r->disk[i].counts);
		if (r->disk[i].members)
			put_disk_counts(w, true, &r->disk[i].aggr);
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

static void put_self(struct jsonw *w, const struct result_self *s)
{
	jsonw_object(w, "self");
	jsonw_u64(w, "wall_ns", s->wall_ns);
	jsonw_u64(w, "user_us", s->user_us);
	jsonw_u64(w, "sys_us", s->sys_us);
	jsonw_u64(w, "children_user_us", s->children_user_us);
	jsonw_u64(w, "children_sys_us", s->children_sys_us);
	jsonw_u64(w, "region_bytes", s->region_bytes);
	jsonw_u64(w, "max_rss_bytes", s->max_rss_bytes);
	jsonw_end_object(w);
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
	put_self(w, &r->self);
	json_hosts(w, &r->hosts);
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
	for (unsigned i = 0; i < idle->cpus; i++) {
		snprintf(key, sizeof(key), "cpu-%u", idle->cpu[i].number);
		jsonw_double(w, key, idle->cpu[i].idle);
	}
	jsonw_double(w, "unit_mean", idle->unit_mean_us);
	jsonw_double(w, "unit_stddev", idle->unit_stddev_us);
	jsonw_end_object(w);
}

int report_json(const struct result *r, struct strbuf *b)
{
	struct strbuf version = { 0 };
	char when[TEXT_TIME];
	struct jsonw w;

	report_version(&version, r->program, r->version, r->fio_version, true);
	jsonw_init(&w, b);
	w.compact = r->compact;
	jsonw_object(&w, NULL);
	jsonw_str(&w, "fio version", strbuf_str(&version));
	jsonw_u64(&w, "timestamp", r->timestamp_ms / 1000);
	jsonw_u64(&w, "timestamp_ms", r->timestamp_ms);
	jsonw_str(&w, "time", text_time(when, sizeof(when), r->timestamp_ms));
	if (!r->several_files)
		json_options(&w, "global options", r->global, r->globals);
	jsonw_array(&w, r->client_stats ? "client_stats" : "jobs");
	for (size_t i = 0; i < r->jobs; i++)
		json_job(&w, r, r->job[i]);
	jsonw_end_array(&w);
	put_disks(&w, r);
	put_idle(&w, &r->idle);
	json_verdicts(&w, &r->verdicts);
	if (!r->as_fio)
		put_fiord(&w, r);
	jsonw_end_object(&w);
	strbuf_putc(b, '\n');
	strbuf_fini(&version);
	return r->failed || b->failed ? -ENOMEM : 0;
}
