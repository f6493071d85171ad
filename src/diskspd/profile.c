#include "profile.h"

#include <string.h>

const char *const ds_event_names[DS_EVENTS] = {
	[DS_EV_PROCESS] = "PROCESS",
	[DS_EV_THREAD] = "THREAD",
	[DS_EV_IMAGE_LOAD] = "IMAGE_LOAD",
	[DS_EV_DISK_IO] = "DISK_IO",
	[DS_EV_SOFT_FAULTS] = "MEMORY_PAGE_FAULTS",
	[DS_EV_HARD_FAULTS] = "MEMORY_HARD_FAULTS",
	[DS_EV_NETWORK] = "NETWORK",
	[DS_EV_REGISTRY] = "REGISTRY",
	[DS_EV_PAGED] = "p",
	[DS_EV_PERF_TIMER] = "q",
	[DS_EV_SYSTEM_TIMER] = "s",
	[DS_EV_CYCLES] = "c",
};

void ds_span_init(struct ds_span *s)
{
	memset(s, 0, sizeof(*s));
	s->duration_s = 10;
	s->warmup_s = 5;
	s->bucket_ms = 1000;
	s->io_ring_percent = 25;
	s->completion_depth = 16;
}

void ds_target_init(struct ds_target *t)
{
	memset(t, 0, sizeof(*t));
	t->block = 64 * 1024;
	t->depth = 2;
	t->threads = 1;
	t->weight = 1;
	t->priority = 3;
}

struct ds_span *ds_profile_init(struct ds_profile *p)
{
	memset(p, 0, sizeof(*p));
	p->spans = arena_alloc(&p->mem, sizeof(*p->spans));
	if (!p->spans)
		return NULL;
	p->nspans = 1;
	ds_span_init(p->spans);
	return p->spans;
}

void ds_profile_fini(struct ds_profile *p)
{
	arena_fini(&p->mem);
	memset(p, 0, sizeof(*p));
}

/* ---- profile facts ---- */

unsigned ds_target_threads(const struct ds_span *s, const struct ds_target *t)
{
	if (!s->threads)
		return t->threads;
	return t->nthread_targets ? (unsigned)t->nthread_targets : s->threads;
}

unsigned ds_last_thread(const struct ds_span *s, const struct ds_target *t)
{
	unsigned n = s->threads ? s->threads : t->threads, last = 0;

	if (!s->threads || !t->nthread_targets)
		return n ? n - 1 : 0;
	for (size_t i = 0; i < t->nthread_targets; i++)
		last = t->thread_targets[i].thread > last ? t->thread_targets[i].thread : last;
	return last;
}

unsigned ds_target_weight(const struct ds_target *t)
{
	return t->weight ? t->weight : 1;
}

unsigned ds_thread_weight(const struct ds_target *t, unsigned thread)
{
	unsigned own = ds_target_weight(t);

	for (size_t i = 0; i < t->nthread_targets; i++)
		if (t->thread_targets[i].thread == thread)
			return t->thread_targets[i].weight ? t->thread_targets[i].weight : own;
	return t->nthread_targets ? 0 : own;
}

uint64_t ds_span_threads(const struct ds_span *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->ntargets; i++)
		n += s->targets[i].threads;
	return s->threads ? s->threads : n;
}

uint64_t ds_step(const struct ds_target *t)
{
	return t->stride ? t->stride : t->block;
}

bool ds_is_device(const struct ds_target *t)
{
	const char *given = t->given_path ? t->given_path : t->path;

	if (given[0] == '#' || (given[0] && given[1] == ':' && !given[2]))
		return true;
	return !strncmp(t->path, "/dev/", 5) && strncmp(t->path, "/dev/shm/", 9);
}

bool ds_creates_file(const struct ds_target *t)
{
	return t->create_size && !ds_is_device(t);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_ranges(const struct ds_target *a, const struct ds_target *b)
{
	bool same = a->dist == b->dist && a->nranges == b->nranges;

	for (size_t i = 0; same && i < a->nranges; i++)
		same = a->ranges[i].io_percent == b->ranges[i].io_percent &&
		       a->ranges[i].length == b->ranges[i].length;
	return same;
}

static bool same_offsets(const struct ds_target *a, const struct ds_target *b)
{
	return a->block == b->block && a->base == b->base && a->max_size == b->max_size &&
	       a->thread_stride == b->thread_stride && ds_step(a) == ds_step(b) &&
	       a->random_percent == b->random_percent && a->interlocked == b->interlocked &&
	       a->parallel == b->parallel && same_ranges(a, b);
}

static bool same_hints(const struct ds_target *a, const struct ds_target *b)
{
	return a->cache == b->cache && a->write_through == b->write_through && a->mapped == b->mapped &&
	       a->flush == b->flush && a->bypass == b->bypass && a->hint_random == b->hint_random &&
	       a->hint_sequential == b->hint_sequential && a->priority == b->priority &&
	       a->large_pages == b->large_pages;
}

bool ds_same_load(const struct ds_target *a, const struct ds_target *b)
{
	return same_offsets(a, b) && same_hints(a, b) && a->create_size == b->create_size &&
	       ds_is_device(a) == ds_is_device(b) && a->depth == b->depth && a->threads == b->threads &&
	       a->write_percent == b->write_percent && a->rate == b->rate && a->burst_ios == b->burst_ios &&
	       a->think_ms == b->think_ms && a->pattern == b->pattern && a->pool_size == b->pool_size &&
	       same_text(a->pool_file, b->pool_file);
}

uint64_t ds_created_size_before(const struct ds_profile *p, const struct ds_span *until, const char *path)
{
	uint64_t size = 0;

	for (const struct ds_span *s = p->spans; s < until; s++)
		for (size_t i = 0; i < s->ntargets; i++)
			if (ds_creates_file(&s->targets[i]) && !strcmp(s->targets[i].path, path))
				size = s->targets[i].create_size;
	return size;
}

/* ---- distribution ---- */

/* Returns how many bytes after the base I/O can reach. Of an existing file that is longer than -c, only the
   length of -c counts. */
static uint64_t usable_bytes(const struct ds_target *t, uint64_t size)
{
	uint64_t end = t->max_size && t->max_size < size ? t->max_size : size;

	if (t->create_size && t->create_size < end)
		end = t->create_size;

	return end > t->base ? end - t->base : 0;
}

static uint64_t percent_of(uint64_t len, uint64_t percent)
{
	return percent >= 100 ? len : len / 100 * percent + len % 100 * percent / 100;
}

/* Returns the end of the next range, neither aligned nor cut. *at is the end of the ranges before, in percent
   or bytes; it moves on. */
static uint64_t next_bound(const struct ds_target *t, const struct ds_range *range, uint64_t *at,
			   uint64_t len)
{
	if (t->dist == DS_ABSOLUTE && !range->length)
		return *at = len;
	*at = *at + range->length < *at ? UINT64_MAX : *at + range->length;
	return t->dist == DS_ABSOLUTE ? *at : percent_of(len, *at);
}

/* Adds the share of trailing ranges that are too small to the last range with I/O. */
static void add_to_last(struct ds_effective_range *v, size_t n, double share)
{
	while (n--) {
		if (v[n].io_percent <= 0)
			continue;
		v[n].io_percent += share;
		return;
	}
}

static void scale(struct ds_effective_range *v, size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += v[i].io_percent;
	for (size_t i = 0; i < n && all > 0; i++)
		v[i].io_percent *= 100 / all;
}

size_t ds_effective_ranges(const struct ds_target *t, uint64_t size, struct ds_effective_range *out,
			   bool *cut)
{
	uint64_t len = usable_bytes(t, size), align = t->stride ? t->stride : t->block, at = 0, begin = 0;
	double pending_share = 0; /* share of ranges that are too small for a block */
	size_t n = 0;

	*cut = false;
	if (t->dist == DS_UNIFORM || len < t->block || !align)
		return 0;
	for (size_t i = 0; i < t->nranges; i++) {
		uint64_t end = next_bound(t, &t->ranges[i], &at, len);

		if (begin >= len) {
			*cut |= t->ranges[i].io_percent > 0;
			continue;
		}
		end = end >= len ? len : end - end % align;
		if (end <= begin) {
			pending_share += t->ranges[i].io_percent;
			continue;
		}
		out[n++] = (struct ds_effective_range){ t->ranges[i].io_percent, begin, end };
		if (t->ranges[i].io_percent) {
			out[n - 1].io_percent += pending_share;
			pending_share = 0;
		}
		begin = end;
	}
	add_to_last(out, n, pending_share);
	scale(out, n);
	return n;
}
