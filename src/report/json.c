/* json.c: fio's JSON document, with fio's keys in fio's order. fiord's own keys are under "fiord" at the end.
 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "environment.h"
#include "json_shared.h"
#include "text.h"

static void put_options(struct jsonw *w, const char *key, const struct result_opt *opt, size_t n)
{
	if (!n)
		return;
	jsonw_object(w, key);
	for (size_t i = 0; i < n; i++) {
		bool repeated = false;

		/* An object has each key once: only the last value of an option counts. */
		for (size_t k = i + 1; k < n && !repeated; k++)
			repeated = !strcmp(opt[k].name, opt[i].name);
		if (!repeated)
			jsonw_str(w, opt[i].name, opt[i].value);
	}
	jsonw_end_object(w);
}

/* Writes 99.9 as "99.900000", as fio does, with more than six decimals only if they are needed. It does not
   use printf's %f, which depends on the locale. */
static void percentile_key(char *key, size_t size, double percentile)
{
	uint64_t v = (uint64_t)(percentile * 1e12 + 0.5), one = 1000000000000;
	int n = snprintf(key, size, "%" PRIu64 ".%012" PRIu64, v / one, v % one);

	for (int least = n - 6; n > least && key[n - 1] == '0'; n--)
		key[n - 1] = '\0';
}

static void put_percentiles(struct jsonw *w, const struct summary *s, const struct summary_lat *l)
{
	char key[32], last[32] = "";

	jsonw_object(w, "percentile");
	for (unsigned i = 0; i < s->percentiles; i++) {
		percentile_key(key, sizeof(key), s->percentile[i]);
		if (strcmp(key, last))
			jsonw_u64(w, key, l->value[i]);
		memcpy(last, key, sizeof(last));
	}
	jsonw_end_object(w);
}

/* Adds the bins of a page: pairs of the distance from the bucket before and the count, as in its series. */
static void put_steps(struct jsonw *w, const struct result_bins *bins)
{
	struct strbuf b = { 0 };
	unsigned before = 0;

	for (size_t i = 0; i < bins->n; i++) {
		unsigned bucket = hist_index(bins->ns[i]);

		strbuf_putc(&b, i ? ',' : '[');
		strbuf_u64(&b, bucket - before);
		strbuf_putc(&b, ',');
		strbuf_u64(&b, bins->count[i]);
		before = bucket;
	}
	strbuf_putc(&b, ']');
	jsonw_raw(w, "steps", strbuf_str(&b));
	w->out->failed |= b.failed;
	strbuf_fini(&b);
}

void json_bins(struct jsonw *w, const struct result_bins *bins)
{
	if (!bins || !bins->n)
		return;
	if (w->compact) {
		put_steps(w, bins);
		return;
	}
	jsonw_object(w, "bins");
	for (size_t i = 0; i < bins->n; i++)
		jsonw_count(w, bins->ns[i], bins->count[i]);
	jsonw_end_object(w);
}

void json_lat_figures(struct jsonw *w, const struct summary *s, const struct summary_lat *l,
		      const struct result_bins *bins)
{
	jsonw_u64(w, "min", l->min);
	jsonw_u64(w, "max", l->max);
	jsonw_double(w, "mean", l->mean);
	jsonw_double(w, "stddev", l->stddev);
	jsonw_u64(w, "N", l->n);
	if (l->percentiles) {
		put_percentiles(w, s, l);
		json_bins(w, bins);
	}
}

void json_lat(struct jsonw *w, const char *key, const struct summary *s, const struct summary_lat *l,
	      const struct result_bins *bins)
{
	jsonw_object(w, key);
	json_lat_figures(w, s, l, bins);
	jsonw_end_object(w);
}

static void put_prios(struct jsonw *w, const struct result *r, const struct result_job *j, unsigned dir)
{
	if (!j->prios[dir])
		return;
	jsonw_array(w, "prios");
	for (unsigned i = 0; i < j->prios[dir]; i++) {
		const struct result_prio *p = &j->prio[dir][i];

		jsonw_object(w, NULL);
		jsonw_u64(w, "prioclass", p->sum.class);
		jsonw_u64(w, "prio", p->sum.level);
		jsonw_u64(w, "priohint", p->sum.hint);
		json_lat(w, j->prio_kind == LAT_LAT ? "lat_ns" : "clat_ns", &j->sum, &p->sum.lat,
			 r->bins_off ? NULL : &p->bins);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_dir(struct jsonw *w, const struct result *r, const char *key, const struct result_job *j,
		    unsigned dir)
{
	const struct summary *s = &j->sum;
	const struct summary_dir *d = &s->dir[dir];
	static const struct result_bins no_bins[LAT_KINDS];
	const struct result_bins *bins = r->bins_off ? no_bins : j->bins[dir];

	jsonw_object(w, key);
	jsonw_u64(w, "io_bytes", d->bytes);
	jsonw_u64(w, "io_kbytes", d->bytes >> 10);
	jsonw_u64(w, "bw_bytes", d->bw_bytes);
	jsonw_u64(w, "bw", d->bw_bytes >> 10);
	jsonw_double(w, "iops", d->iops);
	jsonw_u64(w, "runtime", d->runtime_ms);
	jsonw_u64(w, "total_ios", d->ios);
	jsonw_u64(w, "short_ios", d->short_ios);
	jsonw_u64(w, "drop_ios", d->drop_ios);
	json_lat(w, "slat_ns", s, &d->lat[LAT_SLAT], &bins[LAT_SLAT]);
	json_lat(w, "clat_ns", s, &d->lat[LAT_CLAT], &bins[LAT_CLAT]);
	json_lat(w, "lat_ns", s, &d->lat[LAT_LAT], &bins[LAT_LAT]);
	put_prios(w, r, j, dir);
	jsonw_u64(w, "bw_min", text_whole(d->bw_row.min));
	jsonw_u64(w, "bw_max", text_whole(d->bw_row.max));
	jsonw_double(w, "bw_agg", d->bw_share);
	jsonw_double(w, "bw_mean", d->bw_row.mean);
	jsonw_double(w, "bw_dev", d->bw_row.stddev);
	jsonw_u64(w, "bw_samples", d->bw_row.n);
	jsonw_u64(w, "iops_min", text_whole(d->iops_row.min));
	jsonw_u64(w, "iops_max", text_whole(d->iops_row.max));
	jsonw_double(w, "iops_mean", d->iops_row.mean);
	jsonw_double(w, "iops_stddev", d->iops_row.stddev);
	jsonw_u64(w, "iops_samples", d->iops_row.n);
	jsonw_end_object(w);
}

static void put_sync(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	const struct summary *s = &j->sum;

	jsonw_object(w, "sync");
	jsonw_u64(w, "total_ios", s->sync_ios);
	json_lat(w, "lat_ns", s, &s->sync, r->bins_off ? NULL : &j->bins[DIR_SYNC][LAT_CLAT]);
	jsonw_end_object(w);
}

static void put_shares(struct jsonw *w, const char *name, const char *const *key, const double *v, unsigned n)
{
	jsonw_object(w, name);
	for (unsigned i = 0; i < n; i++)
		jsonw_double(w, key[i], v[i]);
	jsonw_end_object(w);
}

static void put_distributions(struct jsonw *w, const struct summary *s)
{
	static const char *const depth[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	static const char *const batch[] = { "0", "4", "8", "16", "32", "64", ">=64" };
	static const char *const bound[] = { "2",   "4",   "10",  "20",   "50",   "100",
					     "250", "500", "750", "1000", "2000", ">=2000" };

	put_shares(w, "iodepth_level", depth, s->depth, WSTAT_DEPTHS);
	put_shares(w, "iodepth_submit", batch, s->submit, WSTAT_DEPTHS);
	put_shares(w, "iodepth_complete", batch, s->complete, WSTAT_DEPTHS);
	put_shares(w, "latency_ns", bound, s->lat_ns, SUMMARY_LAT_CELLS);
	put_shares(w, "latency_us", bound, s->lat_us, SUMMARY_LAT_CELLS);
	put_shares(w, "latency_ms", bound, s->lat_ms, SUMMARY_LAT_MS_CELLS);
}

static void put_notes(struct jsonw *w, const struct notes *n)
{
	jsonw_array(w, "notes");
	for (size_t i = 0; i < n->count; i++)
		jsonw_str(w, NULL, n->line[i]);
	jsonw_end_array(w);
}

/* Adds fiord's keys about rate_open: the arrivals and the queue. */
static void put_queue(struct jsonw *w, const struct summary_dir *d)
{
	jsonw_u64(w, "arrivals", d->arrivals);
	jsonw_object(w, "queue");
	jsonw_u64(w, "max", d->queue_max);
	jsonw_double(w, "mean", d->queue_mean);
	jsonw_end_object(w);
}

/* Adds fiord's keys about the directions with a rate. A response time begins when the I/O is due. */
static void put_response(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	const struct summary *s = &j->sum;
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *dir = &s->dir[d];

		if (!dir->lat[LAT_RESP].n && !dir->unissued)
			continue;
		jsonw_object(w, j->mixed ? "mixed" : name[d]);
		json_lat(w, "resp_ns", s, &dir->lat[LAT_RESP], r->bins_off ? NULL : &j->bins[d][LAT_RESP]);
		jsonw_u64(w, "unissued", dir->unissued);
		jsonw_u64(w, "unissued_age_ns", dir->unissued_age_ns);
		if (dir->arrivals)
			put_queue(w, dir);
		jsonw_end_object(w);
	}
}

/* Adds the I/Os that never completed. The number includes those that are not listed. */
static void put_lost(struct jsonw *w, const struct result_job *j)
{
	if (!j->lost_ios_total)
		return;
	jsonw_u64(w, "lost_ios", j->lost_ios_total);
	jsonw_array(w, "lost_io");
	for (unsigned i = 0; i < j->lost_ios; i++) {
		const struct result_lost_io *io = &j->lost_io[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "op", io->op);
		jsonw_str(w, "file", io->file);
		jsonw_u64(w, "offset", io->offset);
		jsonw_u64(w, "length", io->length);
		jsonw_u64(w, "age_ns", io->age_ns);
		jsonw_i64(w, "pid", io->pid);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void put_damage(struct jsonw *w, const struct result_damage *d)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "file", d->file);
	jsonw_u64(w, "offset", d->offset);
	jsonw_u64(w, "length", d->length);
	jsonw_u64(w, "blocks", d->blocks);
	jsonw_str(w, "kind", d->kind);
	if (d->expected) {
		jsonw_str(w, "expected", d->expected);
		jsonw_str(w, "found", d->found);
	}
	jsonw_end_object(w);
}

void json_verify_counts(struct jsonw *w, const struct result_verify *v)
{
	jsonw_u64(w, "checked", v->checked);
	jsonw_u64(w, "in_part", v->in_part);
	jsonw_u64(w, "not_checked", v->not_checked);
	jsonw_u64(w, "damaged", v->damaged);
}

/* Adds fiord's keys about verification. */
static void put_verify(struct jsonw *w, const struct result_verify *v)
{
	if (!v->on)
		return;
	jsonw_object(w, "verify");
	json_verify_counts(w, v);
	jsonw_str(w, "known_by", v->known_by);
	jsonw_u64(w, "memory_bytes", v->memory_bytes);
	jsonw_u64(w, "unlisted", v->unlisted);
	jsonw_array(w, "damage");
	for (unsigned i = 0; i < v->damages; i++)
		put_damage(w, &v->damage[i]);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

/* Adds fiord's keys about the CPU use of the job's workers. */
static void put_job_self(struct jsonw *w, const struct summary_self *s)
{
	if (!s->known)
		return;
	jsonw_object(w, "self");
	jsonw_double(w, "user_ns_per_io", s->user_ns);
	jsonw_double(w, "sys_ns_per_io", s->sys_ns);
	jsonw_double(w, "core_percent", s->core);
	jsonw_double(w, "waited_percent", s->core_wait);
	jsonw_u64(w, "preempted", s->preempted);
	jsonw_end_object(w);
}

static void put_samples(struct jsonw *w, const char *key, const uint64_t *v, size_t n)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < n; i++)
		jsonw_u64(w, NULL, v[i]);
	jsonw_end_array(w);
}

static void put_steady(struct jsonw *w, const struct result_steady *s)
{
	if (!s->on)
		return;
	jsonw_object(w, "steadystate");
	jsonw_str(w, "ss", s->ss);
	jsonw_u64(w, "duration", s->duration_ns / 1000000000u);
	jsonw_u64(w, "attained", s->attained);
	jsonw_str(w, "criterion", s->criterion);
	jsonw_double(w, "max_deviation", s->max_deviation);
	jsonw_double(w, "slope", s->slope);
	jsonw_object(w, "data");
	jsonw_u64(w, "bw_mean", s->bw_mean);
	jsonw_u64(w, "iops_mean", s->iops_mean);
	if (s->lat)
		jsonw_u64(w, "lat_mean", s->lat_mean);
	put_samples(w, "iops", s->iops, s->iops ? s->samples : 0);
	put_samples(w, "bw", s->bw, s->bw ? s->samples : 0);
	if (s->lat)
		put_samples(w, "lat_ns", s->lat, s->samples);
	jsonw_end_object(w);
	jsonw_end_object(w);
}

/* Adds fiord's keys about the steady state. */
static void put_steady_window(struct jsonw *w, const struct result_steady *s)
{
	if (!s->on)
		return;
	jsonw_object(w, "steadystate");
	jsonw_u64(w, "duration_ns", s->duration_ns);
	jsonw_u64(w, "interval_ns", s->interval_ns);
	jsonw_u64(w, "attained_ns", s->attained_ns);
	jsonw_double(w, "range_percent", s->range_percent);
	jsonw_double(w, "rise_percent", s->rise_percent);
	jsonw_end_object(w);
}

/* Adds fiord's keys about the search for a depth. */
static void put_depth_search(struct jsonw *w, const struct result_latency_target *t)
{
	if (!t->on)
		return;
	jsonw_object(w, "latency_target");
	jsonw_bool(w, "found", t->found);
	jsonw_u64(w, "iodepth", t->iodepth);
	jsonw_u64(w, "left_out", t->left_out);
	jsonw_array(w, "steps");
	for (size_t i = 0; i < t->steps; i++) {
		const struct result_depth_step *s = &t->step[i];

		jsonw_object(w, NULL);
		jsonw_u64(w, "clone", s->clone);
		jsonw_u64(w, "depth", s->depth);
		jsonw_bool(w, "met", s->met);
		jsonw_u64(w, "ios", s->ios);
		jsonw_u64(w, "within", s->within);
		jsonw_u64(w, "ns", s->ns);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

/* Adds fiord's keys about one job. */
static void put_job_fiord(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	jsonw_object(w, "fiord");
	jsonw_u64(w, "members", j->members ? j->members : 1);
	jsonw_i64(w, "pid", j->pid);
	if (j->rw)
		jsonw_str(w, "rw", j->rw);
	if (j->bs)
		jsonw_str(w, "bs", j->bs);
	if (j->engine)
		jsonw_str(w, "ioengine", j->engine);
	jsonw_u64(w, "errors", j->sum.errors);
	if (j->log.on) {
		jsonw_u64(w, "log_waits", j->log.waits);
		jsonw_u64(w, "log_waited_ns", j->log.waited_ns);
	}
	if (j->rate_sleeps)
		jsonw_u64(w, "rate_sleeps", j->rate_sleeps);
	if (j->error)
		jsonw_str(w, "error_text", j->error_text ? j->error_text : diag_errno(j->error));
	if (j->lost)
		jsonw_str(w, "lost", j->lost);
	put_lost(w, j);
	put_verify(w, &j->verify);
	put_response(w, r, j);
	put_steady_window(w, &j->steady);
	put_depth_search(w, &j->latency_target);
	json_rate_steps(w, r, &j->rate_steps);
	put_job_self(w, &j->sum.self);
	json_counts(w, r, j);
	put_notes(w, &j->notes);
	json_files(w, r, j);
	jsonw_end_object(w);
}

/* Without latency_target these are fio's values, too. */
static void put_latency_target(struct jsonw *w, const struct result_job *j)
{
	const struct result_latency_target *t = &j->latency_target;

	jsonw_u64(w, "latency_depth", t->on ? t->depth : j->iodepth);
	jsonw_u64(w, "latency_target", t->target_ns);
	jsonw_u64(w, "latency_target_ns", t->target_ns);
	jsonw_double(w, "latency_percentile", t->on ? t->percentile : 100);
	jsonw_u64(w, "latency_window", t->window_ns / 1000);
	jsonw_u64(w, "latency_window_us", t->window_ns / 1000);
}

/* As in fio, "mixed" replaces the directions. */
static void put_dirs(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	if (j->mixed) {
		put_dir(w, r, "mixed", j, DIR_READ);
		return;
	}
	put_dir(w, r, "read", j, DIR_READ);
	put_dir(w, r, "write", j, DIR_WRITE);
	put_dir(w, r, "trim", j, DIR_TRIM);
	put_sync(w, r, j);
	if (j->both) {
		struct result_job all = result_job_mixed(j);

		put_dir(w, r, "mixed", &all, DIR_READ);
	}
}

static void put_job(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	const struct summary *s = &j->sum;

	jsonw_object(w, NULL);
	jsonw_str(w, "jobname", j->name);
	jsonw_u64(w, "groupid", j->group);
	if (!r->client_stats)
		jsonw_u64(w, "job_start", j->start_ms);
	jsonw_i64(w, "error", j->error);
	if (!r->client_stats) {
		jsonw_u64(w, "eta", j->eta_known ? j->eta_s : INT_MAX);
		jsonw_u64(w, "elapsed", j->elapsed_s);
	}
	put_options(w, "job options", j->option, j->options);
	put_dirs(w, r, j);
	jsonw_u64(w, "job_runtime", s->job_runtime_ms);
	jsonw_double(w, "usr_cpu", s->usr_cpu);
	jsonw_double(w, "sys_cpu", s->sys_cpu);
	jsonw_u64(w, "ctx", s->ctx);
	jsonw_u64(w, "majf", s->majf);
	jsonw_u64(w, "minf", s->minf);
	put_distributions(w, s);
	if (j->continue_on_error) {
		jsonw_u64(w, "total_err", s->errors);
		jsonw_i64(w, "first_error", s->first_error);
	}
	if (!r->client_stats || j->hostname)
		put_latency_target(w, j);
	if (j->description)
		jsonw_str(w, "desc", j->description);
	put_steady(w, &j->steady);
	if (j->zoned)
		jsonw_u64(w, "zone_resets", j->zone_resets);
	if (r->client_stats) {
		jsonw_str(w, "hostname", j->hostname ? j->hostname : j->name);
		jsonw_u64(w, "port", j->port);
	}
	if (!r->as_fio)
		put_job_fiord(w, r, j);
	jsonw_end_object(w);
}

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
	if (r->runs) {
		jsonw_u64(w, "run", r->run);
		jsonw_u64(w, "runs", r->runs);
	}
	put_exit(w, &r->exit);
	put_notes(w, &r->notes);
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
		put_options(&w, "global options", r->global, r->globals);
	jsonw_array(&w, r->client_stats ? "client_stats" : "jobs");
	for (size_t i = 0; i < r->jobs; i++)
		put_job(&w, r, r->job[i]);
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
