#include <errno.h>
#include "chart_time.h"

static uint64_t quantity(const struct chart_sum *sum, enum chart_quantity what)
{
	return what == CHART_IOPS ? sum->ios : what == CHART_BYTES_PER_S ? sum->bytes : sum->errors;
}

int chart_rate(struct chart_line *l, const struct series *s, unsigned group, unsigned dir,
	       enum chart_quantity what)
{
	struct chart_time t;
	bool any = false;

	chart_time(&t, s, group);
	if (chart_line_alloc(l, t.n))
		return -ENOMEM;
	for (size_t i = 0; i < t.n; i++) {
		struct chart_sum sum = { 0 };
		double seconds = (double)(chart_time_until(&t, i) - chart_time_from(&t, i)) / 1e9;

		chart_sum_add(&sum, &t, i, dir, LAT_KINDS);
		any |= sum.ios || sum.errors || quantity(&sum, what);
		l->t_ms[i] = chart_time_middle_ms(&t, i);
		l->v[i] = (double)quantity(&sum, what) / seconds;
	}
	l->n = any ? t.n : 0;
	chart_line_finish(l);
	return 0;
}
