/* json_rate_steps.c: the steps of rate_steps in the JSON document. */
#include <stdio.h>
#include "json_shared.h"

static void put_step_lat(struct jsonw *w, const char *key, const struct result_step_lat *l, bool bins)
{
	const struct step_lat_figures *f = &l->sum;
	char name[32];

	if (!f->n)
		return;
	jsonw_object(w, key);
	json_figures(w, figures_step_lat, f);
	if (f->percentile[0]) {
		jsonw_object(w, "percentile");
		for (unsigned i = 0; i < STEP_PERCENTILES; i++) {
			snprintf(name, sizeof(name), "%.0f.000000", step_percentile[i]);
			jsonw_u64(w, name, f->percentile[i]);
		}
		jsonw_end_object(w);
		json_bins(w, bins ? &l->bins : NULL);
	}
	jsonw_end_object(w);
}

static void put_step_dir(struct jsonw *w, const char *key, const struct result_step_dir *d, bool bins)
{
	jsonw_object(w, key);
	json_figures(w, figures_step_dir, d);
	put_step_lat(w, "clat_ns", &d->lat[STEP_CLAT], bins);
	put_step_lat(w, "resp_ns", &d->lat[STEP_RESP], bins);
	jsonw_end_object(w);
}

void json_rate_steps(struct jsonw *w, const struct result *r, const struct result_rate_steps *s)
{
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };

	if (!s->nsteps)
		return;
	jsonw_object(w, "rate_steps");
	jsonw_str(w, "unit", s->by_bytes ? "bytes" : "ios");
	jsonw_array(w, "steps");
	for (size_t i = 0; i < s->nsteps; i++) {
		const struct result_rate_step *step = &s->steps[i];

		jsonw_object(w, NULL);
		json_figures(w, figures_step, step);
		for (unsigned d = 0; d < DIR_DATA; d++)
			if (s->dirs & 1u << d)
				put_step_dir(w, name[d], &step->dir[d], !r->bins_off);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}
