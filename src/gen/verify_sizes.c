#include "verify_sizes.h"

/* How far from the given interval verify_sizes_interval() looks. */
#define INTERVAL_REACH (1u << 20)

/* Sizes that can occur: those of a list, and all multiples of `step` from `from` to `to`. */
struct sizes {
	struct bsize_share list[BSSPLIT_MAX];
	unsigned n;
	uint64_t from, step, to; /* to 0: none */
	uint64_t last;           /* one more; 0: none */
};

/* A random pass gives the rest of an extent to any direction; a trimwrite writes what it has trimmed. */
unsigned verify_sizes_dirs(const struct offset_cfg *o)
{
	if (o->rw & RW_TRIMWRITE)
		return RW_TRIM;
	if (o->rw & RW_RANDOM)
		return o->rw & RW_DIRS;
	return o->rw & RW_WRITE ? RW_WRITE : RW_READ;
}

uint32_t verify_sizes_max(const struct offset_cfg *o)
{
	return bsize_max(&o->bsize, verify_sizes_dirs(o));
}

static void set_range(struct sizes *s, const struct offset_cfg *o, unsigned dirs)
{
	uint32_t divisor = bsize_divisor(&o->bsize, dirs);

	s->from = o->rw & RW_RANDOM ? divisor : bsize_min(&o->bsize, dirs);
	s->step = o->rw & RW_RANDOM || o->bsize.unaligned ? divisor : s->from;
	s->to = s->last = bsize_max(&o->bsize, dirs);
}

static void set_sizes(struct sizes *s, const struct offset_cfg *o)
{
	unsigned dirs = verify_sizes_dirs(o);

	s->from = s->step = s->to = s->last = 0;
	s->n = bsize_list(&o->bsize, dirs, s->list, BSSPLIT_MAX);
	if (!s->n) {
		set_range(s, o, dirs);
		return;
	}
	/* Sizes that the smallest does not divide leave rests smaller than it. */
	s->step = s->from = bsize_divisor(&o->bsize, dirs);
	if (o->rw & RW_RANDOM && s->step < s->list[0].bytes)
		s->to = s->list[0].bytes - s->step;
}

static uint32_t misfit_of_range(const struct verify_cfg *v, const struct sizes *s)
{
	uint64_t below = v->interval < s->from ? 0 : (v->interval - s->from) / s->step + 1;
	uint64_t above = s->from + below * s->step; /* the smallest size that is cut into intervals */
	/* If the interval divides two successive sizes, it divides all. Of shorter blocks the smallest
	 * decides. */
	const uint64_t tries[] = { s->from, above, above + s->step, s->last };

	for (unsigned i = 0; i < sizeof(tries) / sizeof(*tries); i++)
		if (tries[i] && tries[i] <= s->to && !verify_block_fits(v, (uint32_t)tries[i]))
			return (uint32_t)tries[i];
	return 0;
}

static uint32_t misfit(const struct verify_cfg *v, const struct sizes *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (!verify_block_fits(v, s->list[i].bytes))
			return s->list[i].bytes;
	return s->to ? misfit_of_range(v, s) : 0;
}

uint32_t verify_sizes_misfit(const struct verify_cfg *v, const struct offset_cfg *o)
{
	struct sizes s;

	set_sizes(&s, o);
	return misfit(v, &s);
}

uint32_t verify_sizes_interval(const struct verify_cfg *v, const struct offset_cfg *o)
{
	struct verify_cfg try = *v;
	struct sizes s;

	set_sizes(&s, o);
	for (uint32_t away = 1; away <= INTERVAL_REACH; away++) {
		try.interval = v->interval - away;
		if (away < v->interval && !misfit(&try, &s))
			return try.interval;
		try.interval = v->interval + away;
		if (try.interval > away && !misfit(&try, &s))
			return try.interval;
	}
	return 0;
}
