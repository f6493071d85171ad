#include "job_snapshot.h"

#include <errno.h>
#include <string.h>

/* If a job has more priorities, its snapshot has none of them. */
#define PRIOS_MAX 256

/* ---- job -> snapshot ---- */

static uint64_t prio_of(const struct summary_prio *p)
{
	return (uint64_t)p->class << 13 | (uint64_t)p->hint << 3 | p->level;
}

/* Stores the priorities that reads or writes have; v has room for all of both. Returns their number. */
static unsigned list_prios(const struct result_job *job, uint64_t *v)
{
	unsigned n = 0;

	for (unsigned dir = 0; dir < WSTAT_PRIO_DIRS; dir++) {
		for (unsigned i = 0; i < job->nprios[dir]; i++) {
			uint64_t prio = prio_of(&job->prios[dir][i].sum);
			unsigned at = 0;

			while (at < n && v[at] != prio)
				at++;
			v[at] = prio;
			n += at == n;
		}
	}
	return n;
}

static struct wstat_layout layout_of(const struct result_job *job, unsigned nprio)
{
	struct wstat_layout l = { .nprio = nprio, .prio_kind = job->prio_kind };

	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
			l.moments[dir][kind] = job->counts.dir[dir].lat[kind].n > 0;
			if (job->bins[dir][kind].n)
				l.hist[dir][kind] = (uint8_t)++l.nhist;
		}
	}
	return l;
}

static void fill_dir(struct snapshot *s, const struct result_job *job, unsigned dir)
{
	s->st->dir[dir] = job->counts.dir[dir];
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		unsigned index = s->layout.hist[dir][kind];

		if (!s->st->dir[dir].lat[kind].n)
			s->st->dir[dir].lat[kind] = (struct moments){ .min = UINT64_MAX };
		if (index)
			result_add_bins(&s->st->hist[index - 1], &job->bins[dir][kind]);
	}
}

static void fill_prio(struct wstat_prio *to, const struct result_job *job, uint64_t prio)
{
	to->prio = prio;
	for (unsigned dir = 0; dir < WSTAT_PRIO_DIRS; dir++) {
		for (unsigned i = 0; i < job->nprios[dir]; i++) {
			const struct result_prio *p = &job->prios[dir][i];

			if (prio_of(&p->sum) != prio)
				continue;
			moments_merge(&to->lat[dir], &p->counts);
			result_add_bins(&to->hist[dir], &p->bins);
		}
	}
}

int result_snapshot(const struct result_job *job, struct snapshot *snap)
{
	uint64_t prio[PRIOS_MAX];
	unsigned nprio =
		job->nprios[DIR_READ] + job->nprios[DIR_WRITE] <= PRIOS_MAX ? list_prios(job, prio) : 0;
	struct wstat_layout layout = layout_of(job, nprio);

	if (snap_init(snap, &layout))
		return -ENOMEM;
	snap->members = job->members ? job->members : 1;
	if (!job->counts.known)
		return 0;
	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		fill_dir(snap, job, dir);
	for (unsigned i = 0; i < nprio; i++)
		fill_prio(&wstat_prios(snap->st, &layout)[i], job, prio[i]);
	snap->cnt = job->counts.cnt;
	memcpy(snap->bw, job->counts.bw, sizeof(snap->bw));
	memcpy(snap->iops, job->counts.iops, sizeof(snap->iops));
	return 0;
}

/* ---- snapshot -> job ---- */

void result_set_bins(struct result *r, struct result_bins *to, const struct hist *h)
{
	uint64_t ns[HIST_BUCKETS], count[HIST_BUCKETS];
	unsigned n = hist_bins(h, ns, count);
	uint64_t *v = n ? arena_array(&r->mem, 2 * (size_t)n, sizeof(*v)) : NULL;

	*to = (struct result_bins){ 0 };
	r->failed |= n && !v;
	if (!v)
		return;
	memcpy(v, ns, n * sizeof(*v));
	memcpy(v + n, count, n * sizeof(*v));
	*to = (struct result_bins){ .ns = v, .count = v + n, .n = n };
}

void result_set_split_part(struct result *r, struct result_split_part *part, const struct hist *h)
{
	uint64_t *const to[] = { &part->p50, &part->p90, &part->p99, &part->p999 };
	static const double percent[] = { 50, 90, 99, 99.9 };
	uint64_t n = hist_total(h);

	for (unsigned i = 0; i < 4; i++)
		*to[i] = hist_percentile(h, n, percent[i], 0, part->max);
	result_set_bins(r, &part->bins, h);
}

static void set_dir_bins(struct result *r, struct result_bins bins[LAT_KINDS], const struct snapshot *snap,
			 unsigned dir)
{
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		unsigned index = snap->layout.hist[dir][kind];

		bins[kind] = (struct result_bins){ 0 };
		if (index)
			result_set_bins(r, &bins[kind], &snap->st->hist[index - 1]);
	}
}

static void set_prios(struct result *r, struct result_job *job, unsigned dir, const struct snapshot *snap,
		      bool bins)
{
	unsigned room = snap->layout.nprio, n;
	struct summary_prio *sums = arena_array(&r->mem, room, sizeof(*sums));
	struct result_prio *v = arena_array(&r->mem, room, sizeof(*v));

	r->failed |= !sums || !v;
	if (!sums || !v)
		return;
	n = summary_prios(&job->sum, snap, dir, &job->counts.cfg, sums);
	for (unsigned i = 0; i < n; i++) {
		const struct wstat_prio *p = &wstat_prios(snap->st, &snap->layout)[sums[i].index];

		v[i].sum = sums[i];
		v[i].counts = p->lat[dir];
		if (bins)
			result_set_bins(r, &v[i].bins, &p->hist[dir]);
	}
	job->prios[dir] = v;
	job->nprios[dir] = n;
}

static void set_counts(struct result_counts *to, const struct snapshot *snap, const struct summary_cfg *cfg)
{
	to->known = to->exact = true;
	to->cnt = snap->cnt;
	to->cfg = *cfg;
	memcpy(to->dir, snap->st->dir, sizeof(to->dir));
	memcpy(to->bw, snap->bw, sizeof(to->bw));
	memcpy(to->iops, snap->iops, sizeof(to->iops));
}

/* Computes the figures of all directions together. */
static int set_both(struct result *r, struct result_job *job, const struct snapshot *snap,
		    const struct summary_cfg *cfg, bool bins)
{
	struct snapshot all = { 0 };
	struct summary sum;
	int ret = snap_add(&all, snap);

	if (!ret) {
		memcpy(all.bw, snap->bw, sizeof(all.bw));
		memcpy(all.iops, snap->iops, sizeof(all.iops));
		snap_mix(&all);
		summary_from(&sum, &all, cfg);
		job->sum_both = sum.dir[DIR_READ];
		if (bins)
			set_dir_bins(r, job->bins_both, &all, DIR_READ);
	}
	snap_fini(&all);
	return ret;
}

int result_set_snapshot(struct result *r, struct result_job *job, const struct snapshot *snap,
			const struct summary_cfg *cfg, bool bins)
{
	int ret = 0;

	summary_from(&job->sum, snap, cfg);
	if (!snap->st)
		return 0;
	set_counts(&job->counts, snap, cfg);
	for (unsigned dir = 0; bins && dir < DIR_COUNT; dir++)
		set_dir_bins(r, job->bins[dir], snap, dir);
	job->prio_kind = snap->layout.prio_kind;
	for (unsigned dir = 0; dir < WSTAT_PRIO_DIRS && snap->layout.nprio; dir++)
		set_prios(r, job, dir, snap, bins);
	if (job->both)
		ret = set_both(r, job, snap, cfg, bins);
	return ret ? ret : r->failed ? -ENOMEM : 0;
}
