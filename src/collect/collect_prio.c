#include "collect_prio.h"

#include <errno.h>
#include <stdlib.h>

const struct wstat_layout *collect_prio_layout(const struct plan *p, uint32_t report)
{
	const uint32_t *member;
	uint32_t n = plan_members(p, report, &member);

	for (uint32_t i = 0; i < n; i++) {
		if (p->jobs[member[i]].layout.nprio)
			return &p->jobs[member[i]].layout;
	}
	return NULL;
}

int collect_bins(struct result_bins *to, const struct hist *h)
{
	uint64_t *v = calloc(2 * HIST_BUCKETS, sizeof(*v));

	if (!v)
		return -ENOMEM;
	to->ns = v;
	to->count = v + HIST_BUCKETS;
	to->n = hist_bins(h, v, v + HIST_BUCKETS);
	return 0;
}

static int take_dir(struct result_job *rj, const struct snapshot *total, unsigned dir,
		    const struct summary_cfg *cfg, bool bins)
{
	unsigned room = total->layout.nprio, n;
	struct summary_prio *sums = calloc(room, sizeof(*sums));
	struct result_prio *v = calloc(room, sizeof(*v));
	int ret = sums && v ? 0 : -ENOMEM;

	rj->prio[dir] = v;
	n = ret ? 0 : summary_prios(&rj->sum, total, dir, cfg, sums);
	for (unsigned i = 0; i < n && !ret; i++) {
		v[i].sum = sums[i];
		v[i].counts = wstat_prios(total->st, &total->layout)[sums[i].index].lat[dir];
		rj->prios[dir] = i + 1;
		if (bins)
			ret = collect_bins(&v[i].bins,
					   &wstat_prios(total->st, &total->layout)[sums[i].index].hist[dir]);
	}
	free(sums);
	return ret;
}

int collect_prios(struct result_job *rj, const struct snapshot *total, const struct summary_cfg *cfg,
		  bool bins)
{
	int ret = 0;

	rj->prio_kind = total->layout.prio_kind;
	for (unsigned dir = 0; dir < WSTAT_PRIO_DIRS && total->st && total->layout.nprio && !ret; dir++)
		ret = take_dir(rj, total, dir, cfg, bins);
	return ret;
}

void collect_prios_free(struct result_job *rj)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		for (unsigned i = 0; i < rj->prios[dir]; i++)
			free((void *)(uintptr_t)rj->prio[dir][i].bins.ns);
		free((void *)(uintptr_t)rj->prio[dir]);
	}
}
