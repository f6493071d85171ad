/* json_status.c: an entry of "status": names and meanings as in the document, but fewer of them. */
#include "report.h"

#include <errno.h>
#include <limits.h>
#include "json_shared.h"
#include "strbuf.h"

/* An entry stands this deep in the document, inside { "fiord" : { "status" : [ */
#define DEPTH 3

static void put_status_dir(struct jsonw *w, const char *key, const struct result_job *j, unsigned dir)
{
	const struct summary_dir *d = &j->sum.dir[dir];

	jsonw_object(w, key);
	jsonw_u64(w, "io_bytes", d->bytes);
	jsonw_u64(w, "bw_bytes", d->bw_bytes);
	jsonw_double(w, "iops", d->iops);
	jsonw_u64(w, "runtime", d->runtime_ms);
	jsonw_u64(w, "total_ios", d->ios);
	if (d->lat[LAT_CLAT].n)
		json_lat(w, "clat_ns", &j->sum, &d->lat[LAT_CLAT], NULL);
	if (d->lat[LAT_LAT].n)
		json_lat(w, "lat_ns", &j->sum, &d->lat[LAT_LAT], NULL);
	jsonw_end_object(w);
}

static void put_sync_object(struct jsonw *w, const struct summary *s)
{
	if (!s->sync_ios)
		return;
	jsonw_object(w, "sync");
	jsonw_u64(w, "total_ios", s->sync_ios);
	json_lat(w, "lat_ns", s, &s->sync, NULL);
	jsonw_end_object(w);
}

static void put_job(struct jsonw *w, const struct result_job *j)
{
	jsonw_object(w, NULL);
	jsonw_str(w, "jobname", j->name);
	jsonw_u64(w, "groupid", j->group);
	if (j->hostname)
		jsonw_str(w, "hostname", j->hostname);
	jsonw_i64(w, "error", j->error);
	if (j->mixed) {
		put_status_dir(w, "mixed", j, DIR_READ);
	} else {
		put_status_dir(w, "read", j, DIR_READ);
		put_status_dir(w, "write", j, DIR_WRITE);
		put_status_dir(w, "trim", j, DIR_TRIM);
	}
	put_sync_object(w, &j->sum);
	json_figures(w, figures_job_blocks, j);
	jsonw_double(w, "usr_cpu", j->sum.usr_cpu);
	jsonw_double(w, "sys_cpu", j->sum.sys_cpu);
	jsonw_end_object(w);
}

int report_json_status(const struct result *r, const char *by, struct strbuf *b)
{
	bool known = r->njobs && r->jobs[0]->eta_known;
	struct jsonw w;

	jsonw_init_at(&w, b, DEPTH);
	jsonw_object(&w, NULL);
	jsonw_u64(&w, "timestamp_ms", r->timestamp_ms);
	jsonw_u64(&w, "elapsed_ms", r->self.wall_ns / 1000000);
	jsonw_u64(&w, "eta", known ? r->jobs[0]->eta_s : INT_MAX);
	jsonw_str(&w, "by", by);
	jsonw_array(&w, "jobs");
	for (size_t i = 0; i < r->njobs; i++)
		put_job(&w, r->jobs[i]);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	return r->failed || b->failed ? -ENOMEM : 0;
}
