/* json_hosts.c: fiord.hosts, the ranks of a run on several hosts. */
#include "json_shared.h"

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

void json_hosts(struct jsonw *w, const struct result_hosts *hosts)
{
	if (!hosts->n)
		return;
	jsonw_array(w, "hosts");
	for (size_t i = 0; i < hosts->n; i++)
		put_host(w, &hosts->v[i]);
	jsonw_end_array(w);
}
