#include "step_counts.h"

const double step_percentile[STEP_PERCENTILES] = { 50, 99 };

size_t step_counts_bytes(const struct step_counts_cfg *c)
{
	return (size_t)c->steps * (unsigned)__builtin_popcount(c->dirs) * sizeof(struct step_counts);
}

/* Begins a latency whose memory is zeroed. */
static void begin_lat(struct step_counts *s, enum step_lat kind)
{
	if (s->lat[kind].n)
		return;
	s->lat[kind].min = UINT64_MAX;
	hist_reset(&s->hist[kind]);
}

void step_counts_add_lat(struct step_counts *s, enum step_lat kind, uint64_t ns)
{
	begin_lat(s, kind);
	moments_add(&s->lat[kind], ns);
	hist_add(&s->hist[kind], ns);
}

void step_counts_add_unfinished(struct step_counts *s, uint64_t age_ns, uint64_t n)
{
	s->unfinished += n;
	begin_lat(s, STEP_RESP);
	moments_add_n(&s->lat[STEP_RESP], age_ns, n);
	hist_add_bucket(&s->hist[STEP_RESP], hist_index(age_ns), n);
}

void step_counts_merge(struct step_counts *to, const struct step_counts *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->late_ios += from->late_ios;
	to->unfinished += from->unfinished;
	to->done_ios += from->done_ios;
	to->done_bytes += from->done_bytes;
	for (unsigned kind = 0; kind < STEP_LATS; kind++) {
		if (!from->lat[kind].n)
			continue;
		begin_lat(to, kind);
		moments_merge(&to->lat[kind], &from->lat[kind]);
		hist_merge(&to->hist[kind], &from->hist[kind]);
	}
}

void step_counts_figures(const struct step_counts *s, enum step_lat kind, struct step_lat_figures *out)
{
	const struct moments *m = &s->lat[kind];

	*out = (struct step_lat_figures){ 0 };
	if (!m->n)
		return;
	out->n = m->n;
	out->min = m->min;
	out->max = m->max;
	out->sum = m->sum;
	out->mean = moments_mean(m);
	for (unsigned i = 0; i < STEP_PERCENTILES && hist_total(&s->hist[kind]); i++)
		out->percentile[i] =
			hist_percentile(&s->hist[kind], m->n, step_percentile[i], m->min, m->max);
}
