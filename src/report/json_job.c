/* json_job.c: the entry of a job, with fio's keys in fio's order. */
#include <limits.h>
#include "json_shared.h"

static void put_prios(struct jsonw *w, const struct result *r, const struct result_job *j, unsigned dir)
{
	if (!j->nprios[dir])
		return;
	jsonw_array(w, "prios");
	for (unsigned i = 0; i < j->nprios[dir]; i++) {
		const struct result_prio *p = &j->prios[dir][i];

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
	json_figures(w, figures_dir, d);
	json_lat(w, "slat_ns", s, &d->lat[LAT_SLAT], &bins[LAT_SLAT]);
	json_lat(w, "clat_ns", s, &d->lat[LAT_CLAT], &bins[LAT_CLAT]);
	json_lat(w, "lat_ns", s, &d->lat[LAT_LAT], &bins[LAT_LAT]);
	put_prios(w, r, j, dir);
	json_figures(w, figures_dir_rows, d);
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

/* ---- fiord's own keys ---- */

/* Adds fiord's keys about a direction with a rate. A response time begins when the I/O is due. */
static void put_response(struct jsonw *w, const struct result *r, const struct result_job *j, unsigned dir)
{
	const struct summary_dir *d = &j->sum.dir[dir];

	if (!d->lat[LAT_RESP].n && !d->unissued && !d->in_flight_at_end)
		return;
	json_lat(w, "resp_ns", &j->sum, &d->lat[LAT_RESP], r->bins_off ? NULL : &j->bins[dir][LAT_RESP]);
	json_figures(w, figures_dir_rate, d);
}

/* Adds fiord's keys about the directions. */
static void put_dirs_of_fiord(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };

	for (unsigned d = 0; d < DIR_DATA; d++) {
		const struct summary_dir *dir = &j->sum.dir[d];

		if (!dir->ios && !dir->unissued && !dir->in_flight_at_end)
			continue;
		jsonw_object(w, j->mixed ? "mixed" : name[d]);
		json_figures(w, figures_dir_exact, dir);
		put_response(w, r, j, d);
		jsonw_end_object(w);
	}
}

static void put_verify(struct jsonw *w, const struct result_job *j)
{
	jsonw_object(w, "verify");
	json_figures_in(w, "verify.", figures_job_blocks, j);
	json_figures_in(w, "verify.", figures_job_verify, j);
	json_figures_in(w, "verify.", figures_job_damage, j);
	jsonw_end_object(w);
}

static void put_placement(struct jsonw *w, const struct result_job *j)
{
	jsonw_object(w, "placement");
	json_figures_in(w, "placement.", figures_job_placement, j);
	json_figures_in(w, "placement.", figures_job_placed, j);
	jsonw_end_object(w);
}

static void put_job_fiord(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	jsonw_object(w, "fiord");
	json_figures(w, figures_job_fiord, j);
	json_figures(w, figures_job_lost, j);
	json_figures(w, figures_job_lost_io, j);
	if (j->verify.on)
		put_verify(w, j);
	put_dirs_of_fiord(w, r, j);
	json_figures(w, figures_job_steady_exact, j);
	json_figures(w, figures_job_target, j);
	json_figures(w, figures_job_split, j);
	json_figures(w, figures_job_others, j);
	json_rate_steps(w, r, &j->rate_steps);
	if (j->placement.kind)
		put_placement(w, j);
	json_figures(w, figures_job_self, j);
	json_counts(w, r, j);
	json_notes(w, &j->notes);
	json_files(w, r, j);
	jsonw_end_object(w);
}

/* ---- the entry ---- */

void json_job(struct jsonw *w, const struct result *r, const struct result_job *j)
{
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
	json_options(w, "job options", j->options, j->noptions);
	put_dirs(w, r, j);
	json_figures(w, figures_job, j);
	if (!r->client_stats || j->hostname)
		put_latency_target(w, j);
	json_figures(w, figures_job_description, j);
	json_figures(w, figures_job_steady, j);
	json_figures(w, figures_job_zones, j);
	if (r->client_stats) {
		jsonw_str(w, "hostname", j->hostname ? j->hostname : j->name);
		jsonw_u64(w, "port", j->port);
	}
	if (!r->as_fio)
		put_job_fiord(w, r, j);
	jsonw_end_object(w);
}
