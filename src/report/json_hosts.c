/* json_hosts.c: fiord.hosts, the ranks of a run on several hosts. */
#include "json_shared.h"

static void put_wave(struct jsonw *w, const struct result_host_wave *wave)
{
	jsonw_object(w, NULL);
	jsonw_u64(w, "wave", wave->wave);
	jsonw_u64(w, "start_ns", wave->start_ns);
	if (wave->late_known)
		jsonw_u64(w, "start_late_ns", wave->start_late_ns);
	jsonw_u64(w, "took_ns", wave->took_ns);
	jsonw_end_object(w);
}

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
	jsonw_str(w, "hostname", h->hostname);
	jsonw_u64(w, "rank", h->rank);
	jsonw_u64(w, "program", h->program);
	if (h->late_known)
		jsonw_u64(w, "start_late_ns", h->start_late_ns);
	if (h->waves) {
		jsonw_u64(w, "done_ns", h->done_ns);
		jsonw_u64(w, "total_ios", h->ios);
		jsonw_u64(w, "io_bytes", h->bytes);
	}
	jsonw_i64(w, "exit", h->code);
	if (h->error)
		jsonw_str(w, "error", h->error);
	put_straggler(w, h);
	jsonw_array(w, "waves");
	for (size_t i = 0; i < h->waves; i++)
		put_wave(w, &h->wave[i]);
	jsonw_end_array(w);
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
