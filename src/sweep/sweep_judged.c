#include "sweep_judged.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_about(const struct sweep_judged *j, const struct result_verdict *v)
{
	return same(j->condition, v->assertion) && same(j->of, v->of) && same(j->figure, v->figure);
}

/* Returns a figure without values; NULL without memory. */
static struct sweep_judged *new_figure(struct sweep *s, const struct result_verdict *v)
{
	size_t values = s->matrix.dims[s->load].value.n;
	struct sweep_judged *j = arena_alloc(&s->mem, sizeof(*j));

	if (!j)
		return NULL;
	*j = (struct sweep_judged){ .condition = arena_strdup(&s->mem, v->assertion),
				    .of = v->of ? arena_strdup(&s->mem, v->of) : NULL,
				    .figure = arena_strdup(&s->mem, v->figure),
				    .op = arena_strdup(&s->mem, v->op),
				    .unit = v->unit,
				    .limit = v->limit };
	for (unsigned r = 0; r < SWEEP_SEARCH_REPEATS; r++) {
		j->run[r] = arena_array(&s->mem, values, sizeof(double));
		for (size_t i = 0; j->run[r] && i < values; i++)
			j->run[r][i] = NAN;
	}
	return j->condition && j->figure && j->op && j->run[0] && j->run[1] && (j->of || !v->of) ? j : NULL;
}

int sweep_judged_add(struct sweep *s, struct sweep_searched *search, size_t value, unsigned run,
		     const struct result_verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->n; i++) {
		const struct result_verdict *v = &verdicts->v[i];
		struct sweep_judged **at = &search->judged;

		while (*at && !is_about(*at, v))
			at = &(*at)->next;
		if (!*at && !(*at = new_figure(s, v)))
			return -ENOMEM;
		if (!v->why)
			(*at)->run[run][value] = v->measured;
	}
	return 0;
}

bool sweep_judged_has(const struct sweep_judged *j, size_t value)
{
	return !isnan(j->run[0][value]);
}
