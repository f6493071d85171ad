/* live_json.c: the lines of --live. */
#include "jsonw.h"
#include "live_report.h"
#include "strbuf.h"

const double live_percentiles[LIVE_PERCENTILES] = { 50, 90, 95, 99, 99.9, 99.99 };
static const char *const percentile_keys[LIVE_PERCENTILES] = {
	"p50", "p90", "p95", "p99", "p99.9", "p99.99"
};
static const char *const dir_keys[DIR_COUNT] = { "read", "write", "trim", "sync" };

static void begin_record(struct jsonw *w, struct strbuf *b, const struct live_report *r, const char *type)
{
	jsonw_init(w, b);
	w->compact = true;
	jsonw_object(w, NULL);
	jsonw_str(w, "type", type);
	jsonw_u64(w, "version", LIVE_VERSION);
	jsonw_u64(w, "time_ms", r->time_ms);
	jsonw_u64(w, "elapsed_ms", r->elapsed_ns / 1000000);
}

static void end_line(struct jsonw *w)
{
	jsonw_end_object(w);
	strbuf_putc(w->out, '\n');
}

static void put_job_head(struct jsonw *w, const struct live_job *j)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "jobname", j->name);
	jsonw_u64(w, "groupid", j->group);
}

/* ---- the first line ---- */

static void put_percentile_names(struct jsonw *w)
{
	jsonw_array(w, "percentiles");
	for (unsigned i = 0; i < LIVE_PERCENTILES; i++)
		jsonw_str(w, NULL, percentile_keys[i]);
	jsonw_end_array(w);
}

static void put_units(struct jsonw *w)
{
	jsonw_object(w, "units");
	jsonw_str(w, "time_ms", "milliseconds since 1970");
	jsonw_str(w, "elapsed_ms", "milliseconds");
	jsonw_str(w, "bytes", "bytes");
	jsonw_str(w, "iops", "I/Os per second");
	jsonw_str(w, "bw_bytes", "bytes per second");
	jsonw_str(w, "clat_ns", "nanoseconds");
	jsonw_end_object(w);
}

void report_live_run(const struct live_report *r, struct strbuf *b)
{
	struct jsonw w;

	begin_record(&w, b, r, "run");
	jsonw_str(&w, "fiord", r->program_version);
	jsonw_u64(&w, "interval_ms", r->interval_ns / 1000000);
	if (r->runs) {
		jsonw_u64(&w, "run", r->run);
		jsonw_u64(&w, "runs", r->runs);
	}
	put_units(&w);
	put_percentile_names(&w);
	jsonw_array(&w, "jobs");
	for (size_t i = 0; i < r->njobs; i++) {
		const struct live_job *j = &r->jobs[i];

		put_job_head(&w, j);
		jsonw_u64(&w, "workers", j->workers);
		jsonw_str(&w, "rw", j->rw);
		jsonw_str(&w, "ioengine", j->engine);
		jsonw_u64(&w, "iodepth", j->depth);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	end_line(&w);
}

/* ---- an interval ---- */

static void put_live_lat(struct jsonw *w, const char *key, const struct live_lat *l)
{
	if (!l->n) {
		jsonw_raw(w, key, "null");
		return;
	}
	jsonw_object(w, key);
	jsonw_u64(w, "N", l->n);
	jsonw_u64(w, "min", l->min);
	jsonw_double(w, "mean", l->mean);
	jsonw_u64(w, "max", l->max);
	for (unsigned i = 0; i < LIVE_PERCENTILES && l->has_percentiles; i++)
		jsonw_u64(w, percentile_keys[i], l->percentile[i]);
	jsonw_end_object(w);
}

static void put_live_dir(struct jsonw *w, const struct live_figures *f, unsigned dir)
{
	const struct live_dir *d = &f->dir[dir];

	jsonw_object(w, dir_keys[dir]);
	jsonw_u64(w, "ios", d->ios);
	if (dir != DIR_SYNC)
		jsonw_u64(w, "bytes", d->bytes);
	jsonw_u64(w, "errors", d->errors);
	jsonw_double(w, "iops", d->iops);
	if (dir != DIR_SYNC)
		jsonw_double(w, "bw_bytes", d->bw);
	if (f->kind < LAT_KINDS)
		put_live_lat(w, f->kind == LAT_LAT ? "lat_ns" : "clat_ns", &d->lat[LIVE_LAT]);
	if (f->total[dir].lat_n[LIVE_RESP]) {
		put_live_lat(w, "resp_ns", &d->lat[LIVE_RESP]);
		jsonw_u64(w, "unfinished", d->unfinished);
	}
	jsonw_end_object(w);
}

static void put_live_figures(struct jsonw *w, const struct live_figures *f)
{
	if (f->in_flight_known)
		jsonw_u64(w, "in_flight", f->in_flight);
	else
		jsonw_raw(w, "in_flight", "null");
	jsonw_u64(w, "late", f->late);
	for (unsigned d = 0; d < DIR_COUNT; d++)
		put_live_dir(w, f, d);
}

static void put_hung(struct jsonw *w, const struct live_report *r)
{
	jsonw_array(w, "hung");
	for (size_t i = 0; i < r->nhung; i++) {
		const struct live_hung *h = &r->hung[i];

		jsonw_object(w, NULL);
		jsonw_str(w, "jobname", h->name);
		jsonw_u64(w, "job", h->number);
		jsonw_u64(w, "clone", h->clone);
		jsonw_i64(w, "pid", h->pid);
		jsonw_u64(w, "silent_ms", h->silent_ns / 1000000);
		jsonw_u64(w, "oldest_io_ms", h->oldest_io_ns / 1000000);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

void report_live_interval(const struct live_report *r, struct strbuf *b)
{
	struct jsonw w;

	begin_record(&w, b, r, "interval");
	jsonw_u64(&w, "length_ns", r->length_ns);
	jsonw_u64(&w, "lost_lines", r->lost_lines);
	put_hung(&w, r);
	jsonw_object(&w, "all");
	put_live_figures(&w, &r->all);
	jsonw_end_object(&w);
	jsonw_array(&w, "jobs");
	for (size_t i = 0; i < r->njobs; i++) {
		const struct live_job *j = &r->jobs[i];

		put_job_head(&w, j);
		jsonw_str(&w, "state", j->state);
		jsonw_u64(&w, "running", j->running);
		put_live_figures(&w, &j->now);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	end_line(&w);
}

/* ---- the last line ---- */

static void put_totals(struct jsonw *w, const struct live_figures *f)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		jsonw_object(w, dir_keys[d]);
		jsonw_u64(w, "ios", f->total[d].ios);
		if (d != DIR_SYNC)
			jsonw_u64(w, "bytes", f->total[d].bytes);
		jsonw_u64(w, "errors", f->total[d].errors);
		if (f->total[d].lat_n[LIVE_RESP])
			jsonw_u64(w, "unfinished", f->total[d].unfinished);
		jsonw_end_object(w);
	}
}

void report_live_end(const struct live_report *r, struct strbuf *b)
{
	struct jsonw w;

	begin_record(&w, b, r, "end");
	jsonw_u64(&w, "lines", r->lines);
	jsonw_u64(&w, "lost_lines", r->lost_lines);
	jsonw_i64(&w, "exit", r->exit_code);
	jsonw_i64(&w, "signal", r->signal);
	jsonw_object(&w, "all");
	put_totals(&w, &r->all);
	jsonw_end_object(&w);
	jsonw_array(&w, "jobs");
	for (size_t i = 0; i < r->njobs; i++) {
		put_job_head(&w, &r->jobs[i]);
		jsonw_str(&w, "state", r->jobs[i].state);
		jsonw_i64(&w, "error", r->jobs[i].error);
		put_totals(&w, &r->jobs[i].now);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	end_line(&w);
}
