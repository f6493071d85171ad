#include <stdint.h>
#include <string.h>
#include "live_request.h"

struct bucket_range {
	uint32_t lo, hi; /* lo > hi: empty */
};

static void *pack_bytes(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return (unsigned char *)to + bytes;
}

static const void *unpack_bytes(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return (const unsigned char *)from + bytes;
}

static void *put_hist(void *to, const struct hist *h)
{
	struct bucket_range s = { h->lo, h->hi };

	to = pack_bytes(to, &s, sizeof(s));
	return s.lo > s.hi ? to : pack_bytes(to, &h->n[s.lo], (s.hi - s.lo + 1) * sizeof(h->n[0]));
}

static const void *add_hist(struct hist *h, const void *from)
{
	struct bucket_range s;
	uint64_t n;

	from = unpack_bytes(&s, from, sizeof(s));
	s.hi = s.hi < HIST_BUCKETS ? s.hi : HIST_BUCKETS - 1;
	for (uint64_t i = s.lo; i <= s.hi; i++) {
		from = unpack_bytes(&n, from, sizeof(n));
		h->n[i] += n;
	}
	h->lo = s.lo < h->lo ? s.lo : h->lo;
	h->hi = s.hi > h->hi ? s.hi : h->hi;
	return from;
}

size_t wstat_pack_size(const struct wstat_layout *l)
{
	return wstat_size(l);
}

size_t wstat_pack(void *to, const struct wstat *s, const struct wstat_layout *l)
{
	const struct wstat_prio *prios = wstat_prios((struct wstat *)(uintptr_t)s, l);
	void *at = pack_bytes(to, s->dir, sizeof(s->dir));

	for (unsigned i = 0; i < l->nhist; i++)
		at = put_hist(at, &s->hist[i]);
	for (unsigned i = 0; i < l->nprio; i++) {
		at = pack_bytes(at, &prios[i].prio, sizeof(prios[i].prio));
		at = pack_bytes(at, prios[i].lat, sizeof(prios[i].lat));
		for (unsigned d = 0; d < WSTAT_PRIO_DIRS; d++)
			at = put_hist(at, &prios[i].hist[d]);
	}
	return (size_t)((unsigned char *)at - (unsigned char *)to);
}

void wstat_pack_add(struct wstat *to, const void *from, const struct wstat_layout *l)
{
	struct wstat_dir dir[DIR_COUNT];
	struct wstat_prio *prios = wstat_prios(to, l);

	from = unpack_bytes(dir, from, sizeof(dir));
	for (unsigned d = 0; d < DIR_COUNT; d++)
		wstat_dir_merge(&to->dir[d], &dir[d]);
	for (unsigned i = 0; i < l->nhist; i++)
		from = add_hist(&to->hist[i], from);
	for (unsigned i = 0; i < l->nprio; i++) {
		struct moments lat[WSTAT_PRIO_DIRS];

		from = unpack_bytes(&prios[i].prio, from, sizeof(prios[i].prio));
		from = unpack_bytes(lat, from, sizeof(lat));
		for (unsigned d = 0; d < WSTAT_PRIO_DIRS; d++) {
			moments_merge(&prios[i].lat[d], &lat[d]);
			from = add_hist(&prios[i].hist[d], from);
		}
	}
}
