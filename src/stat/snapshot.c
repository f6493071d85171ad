#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include "snapshot.h"

static struct wstat *wstat_new(const struct wstat_layout *layout)
{
	struct wstat *st = calloc(1, wstat_size(layout));

	if (st)
		wstat_init(st, layout);
	return st;
}

int snap_init(struct snapshot *s, const struct wstat_layout *layout)
{
	struct wstat *st = wstat_new(layout);

	if (!st)
		return -ENOMEM;
	*s = (struct snapshot){ .layout = *layout, .st = st };
	return 0;
}

/* Joins both layouts in `to`. Returns true if `to` gained histograms. */
static bool layout_join(struct wstat_layout *to, const struct wstat_layout *from)
{
	unsigned had = to->nhist;

	for (unsigned d = 0; d < DIR_COUNT; d++) {
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			to->moments[d][k] |= from->moments[d][k];
			if (from->hist[d][k] && !to->hist[d][k])
				to->hist[d][k] = (uint8_t)++to->nhist;
		}
	}
	return to->nhist > had;
}

static struct wstat_prio *prios_of(const struct snapshot *s)
{
	return wstat_prios(s->st, &s->layout);
}

/* Returns the index of prio among the first n; n if it is not there. */
static unsigned find_prio(const struct wstat_prio *v, unsigned n, uint64_t prio)
{
	unsigned i = 0;

	while (i < n && v[i].prio != prio)
		i++;
	return i;
}

/* Returns the number of priorities in `from` that `to` does not have. */
static unsigned new_prios(const struct snapshot *to, const struct snapshot *from)
{
	const struct wstat_prio *f = prios_of(from);
	unsigned had = to->st ? to->layout.nprio : 0, fresh = 0;

	for (unsigned i = 0; i < from->layout.nprio; i++) {
		if (find_prio(f, i, f[i].prio) == i &&
		    (!had || find_prio(prios_of(to), had, f[i].prio) == had))
			fresh++;
	}
	return fresh;
}

/* Makes room for the histograms and priorities of the layout, whose first entries are those of s. */
static int grow(struct snapshot *s, const struct wstat_layout *layout)
{
	struct wstat_layout hists = s->layout;
	struct wstat *st = wstat_new(layout);

	if (!st)
		return -ENOMEM;
	hists.nprio = 0;
	if (s->st)
		wstat_merge(st, s->st, &hists);
	for (unsigned i = 0; s->st && i < s->layout.nprio; i++) {
		wstat_prios(st, layout)[i].prio = prios_of(s)[i].prio;
		wstat_prio_merge(&wstat_prios(st, layout)[i], &prios_of(s)[i]);
	}
	free(s->st);
	s->st = st;
	s->layout = *layout;
	return 0;
}

/* Adds the priorities of `from`. `used`: the number of priorities that `to` had before. */
static void add_prios(struct snapshot *to, unsigned used, const struct snapshot *from)
{
	struct wstat_prio *t = prios_of(to);
	const struct wstat_prio *f = prios_of(from);

	for (unsigned i = 0; i < from->layout.nprio; i++) {
		unsigned at = find_prio(t, used, f[i].prio);

		if (at == used)
			t[used++].prio = f[i].prio;
		wstat_prio_merge(&t[at], &f[i]);
	}
}

static void add_hists(struct snapshot *to, const struct snapshot *from)
{
	for (unsigned d = 0; d < DIR_COUNT; d++) {
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			unsigned t = to->layout.hist[d][k], f = from->layout.hist[d][k];

			if (f)
				hist_merge(&to->st->hist[t - 1], &from->st->hist[f - 1]);
		}
	}
}

int snap_add(struct snapshot *to, const struct snapshot *from)
{
	static const struct wstat_layout no_hists;
	struct wstat_layout joined = to->layout;
	unsigned prios = to->layout.nprio;
	bool more;

	if (!from->st)
		return 0;
	more = layout_join(&joined, &from->layout);
	joined.nprio += new_prios(to, from);
	if (!prios)
		joined.prio_kind = from->layout.prio_kind;
	if ((more || joined.nprio > prios || !to->st) && grow(to, &joined))
		return -ENOMEM;
	to->layout = joined;
	wstat_merge(to->st, from->st, &no_hists);
	add_hists(to, from);
	add_prios(to, prios, from);
	wcount_merge(&to->cnt, &from->cnt);
	to->members += from->members;
	return 0;
}

int snap_as_prio(struct snapshot *s, uint64_t prio, enum lat_kind kind)
{
	struct wstat_layout layout = s->layout;
	struct wstat_prio *p;

	if (!s->st || layout.nprio)
		return 0;
	layout.nprio = 1;
	layout.prio_kind = kind;
	if (grow(s, &layout))
		return -ENOMEM;
	p = prios_of(s);
	p->prio = prio;
	for (unsigned d = 0; d < WSTAT_PRIO_DIRS; d++) {
		unsigned index = s->layout.hist[d][kind];

		p->lat[d] = s->st->dir[d].lat[kind];
		if (index)
			hist_copy(&p->hist[d], &s->st->hist[index - 1]);
	}
	return 0;
}

/* Merges the histogram of this kind of direction `from` into that of DIR_READ. */
static void mix_hist(struct snapshot *s, unsigned from, unsigned kind)
{
	uint8_t *to = &s->layout.hist[DIR_READ][kind], *f = &s->layout.hist[from][kind];

	if (!*to)
		*to = *f;
	else if (*f)
		hist_merge(&s->st->hist[*to - 1], &s->st->hist[*f - 1]);
	*f = 0;
}

static void mix_counts(struct wcount *c, unsigned from)
{
	c->unissued[DIR_READ] += c->unissued[from];
	c->unissued_sum_ns[DIR_READ] += c->unissued_sum_ns[from];
	c->arrivals[DIR_READ] += c->arrivals[from];
	c->asked[DIR_READ] += c->asked[from];
	if (c->asked_ns[from] > c->asked_ns[DIR_READ])
		c->asked_ns[DIR_READ] = c->asked_ns[from];
	if (c->queue_max[from] > c->queue_max[DIR_READ])
		c->queue_max[DIR_READ] = c->queue_max[from];
	if (c->unissued_age_ns[from] > c->unissued_age_ns[DIR_READ])
		c->unissued_age_ns[DIR_READ] = c->unissued_age_ns[from];
	if (c->runtime_ns[from] > c->runtime_ns[DIR_READ])
		c->runtime_ns[DIR_READ] = c->runtime_ns[from];
	c->unissued[from] = c->unissued_sum_ns[from] = c->unissued_age_ns[from] = 0;
	c->asked[from] = c->asked_ns[from] = c->arrivals[from] = c->queue_max[from] = c->runtime_ns[from] = 0;
}

void snap_mix(struct snapshot *s)
{
	struct wstat_dir empty = { 0 };

	if (!s->st)
		return;
	for (unsigned k = 0; k < LAT_KINDS; k++)
		empty.lat[k].min = UINT64_MAX;
	for (unsigned d = DIR_READ + 1; d < DIR_DATA; d++) {
		wstat_dir_merge(&s->st->dir[DIR_READ], &s->st->dir[d]);
		s->st->dir[d] = empty;
		mix_counts(&s->cnt, d);
		for (unsigned k = 0; k < LAT_KINDS; k++) {
			s->layout.moments[DIR_READ][k] |= s->layout.moments[d][k];
			mix_hist(s, d, k);
		}
		s->bw[d] = s->iops[d] = (struct samples){ 0 };
	}
	for (unsigned i = 0; i < s->layout.nprio; i++) {
		struct wstat_prio *p = &prios_of(s)[i];

		moments_merge(&p->lat[0], &p->lat[1]);
		hist_merge(&p->hist[0], &p->hist[1]);
		p->lat[1] = empty.lat[0];
		hist_init(&p->hist[1]);
	}
	s->bw[DIR_READ] = s->bw[DIR_DATA];
	s->iops[DIR_READ] = s->iops[DIR_DATA];
}

void snap_fini(struct snapshot *s)
{
	free(s->st);
	*s = (struct snapshot){ 0 };
}
