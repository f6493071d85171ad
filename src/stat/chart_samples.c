#include <errno.h>
#include "chart_time.h"

int chart_samples(struct chart_line *l, const uint64_t *v, size_t n, double step_ms)
{
	if (chart_line_alloc(l, n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		l->t_ms[i] = ((double)i + 0.5) * step_ms;
		l->v[i] = (double)v[i];
	}
	l->n = n;
	chart_line_finish(l);
	return 0;
}

int chart_steps(struct chart_line *l, const struct chart_step *step, size_t n)
{
	double at_ms = 0;

	if (chart_line_alloc(l, 2 * n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		for (unsigned end = 0; end < 2; end++) {
			at_ms += end ? (double)step[i].ns / 1e6 : 0;
			l->t_ms[l->n] = at_ms;
			l->v[l->n++] = step[i].v;
		}
	chart_line_finish(l);
	return 0;
}
