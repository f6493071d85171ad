/* json_lat.c: latencies in JSON: their figures, percentiles and bins. */
#include <string.h>
#include "json_shared.h"
#include "strbuf.h"
#include "units.h"

static void put_percentiles(struct jsonw *w, const struct summary *s, const struct summary_lat *l)
{
	char key[UNITS_DECIMALS], last[UNITS_DECIMALS] = "";

	jsonw_object(w, "percentile");
	for (unsigned i = 0; i < s->npercentiles; i++) {
		units_decimals(key, s->percentiles[i], 6, 12); /* fio has 6 */
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
	strbuf_end(&b, w->out);
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
	json_figures(w, figures_lat, l);
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
