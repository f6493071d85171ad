#include <errno.h>
#include <stdlib.h>
#include <string.h>
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

/* What either of the two keeps. True if that is more than `to` kept. */
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

/* Makes room for the histograms of layout, which begins with those that s has. */
static int grow(struct snapshot *s, const struct wstat_layout *layout)
{
	struct wstat *st = wstat_new(layout);

	if (!st)
		return -ENOMEM;
	if (s->st) {
		wstat_merge(st, s->st, &s->layout);
		free(s->st);
	}
	s->st = st;
	return 0;
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

	if (!from->st)
		return 0;
	if ((layout_join(&joined, &from->layout) || !to->st) && grow(to, &joined))
		return -ENOMEM;
	to->layout = joined;
	wstat_merge(to->st, from->st, &no_hists);
	add_hists(to, from);
	wcount_merge(&to->cnt, &from->cnt);
	to->members += from->members;
	return 0;
}

void snap_fini(struct snapshot *s)
{
	free(s->st);
	*s = (struct snapshot){ 0 };
}
