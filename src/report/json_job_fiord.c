/* json_job_fiord.c: fiord's own keys in the entry of a job. */
#include "json_shared.h"

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
static void put_dirs(struct jsonw *w, const struct result *r, const struct result_job *j)
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

void json_job_fiord(struct jsonw *w, const struct result *r, const struct result_job *j)
{
	jsonw_object(w, "fiord");
	json_figures(w, figures_job_fiord, j);
	json_figures(w, figures_job_lost, j);
	json_figures(w, figures_job_lost_io, j);
	if (j->verify.on)
		put_verify(w, j);
	put_dirs(w, r, j);
	json_figures(w, figures_job_steady_exact, j);
	json_figures(w, figures_job_target, j);
	json_rate_steps(w, r, &j->rate_steps);
	json_figures(w, figures_job_self, j);
	json_counts(w, r, j);
	json_notes(w, &j->notes);
	json_files(w, r, j);
	jsonw_end_object(w);
}
