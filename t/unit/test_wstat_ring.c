/* Latencies added in bulk: are the figures those of single adds, and complete wherever the worker stops? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "bulk_add.h"
#include "rng.h"
#include "wstat.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define MOST        300u

static const struct moments no_moments = { .min = UINT64_MAX };

/* Limits of values: small ones, those near the largest square that fits, and any. */
static const unsigned bits[] = { 1, 6, 7, 8, 20, 27, 28, 29, 32, 33, 41, 45, 46, 63, 64 };

static uint64_t value(struct rng *r, unsigned bit)
{
	uint64_t v = rng_u64(r);

	switch (rng_below(r, 8)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX >> (64 - bit);
	default:
		return v >> (64 - bit) >> rng_below(r, bit);
	}
}

static void test_many(void **state)
{
	struct hist one, many;
	uint64_t ns[MOST];
	struct rng r;

	(void)state;
	rng_init(&r, 5);
	for (unsigned round = 0; round < 3000; round++) {
		struct moments a = no_moments, b = no_moments;
		unsigned n = (unsigned)rng_below(&r, MOST + 1);

		hist_init(&one);
		hist_init(&many);
		for (unsigned i = 0; i < n; i++) {
			ns[i] = value(&r, bits[round % COUNT(bits)]);
			moments_add(&a, ns[i]);
			hist_add(&one, ns[i]);
		}
		bulk_add(&b, &many, ns, n / 3);
		bulk_add(&b, NULL, ns + n / 3, n - n / 3);
		bulk_add(NULL, &many, ns + n / 3, n - n / 3);
		assert_memory_equal(&a, &b, sizeof(a));
		assert_memory_equal(&one, &many, sizeof(one));
	}
}

/* The middle and the ends of each bucket, in vectors. */
static void test_every_bucket(void **state)
{
	struct hist h;

	(void)state;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		uint64_t last = i + 1 < HIST_BUCKETS ? hist_low(i + 1) - 1 : UINT64_MAX;
		const uint64_t ns[8] = { hist_low(i), hist_mid(i), last,        hist_low(i),
					 last,        last,        hist_low(i), hist_mid(i) };

		hist_init(&h);
		bulk_add(NULL, &h, ns, 8);
		assert_int_equal(h.n[i], 8);
		assert_int_equal(h.lo, i);
		assert_int_equal(h.hi, i);
	}
}

/* ---- the rings of a wstat ---- */

/* Reads: all kinds; writes: no histogram of slat; syncs: only clat; trims: nothing. */
static const struct wstat_layout layout = {
	.hist = { { 1, 2, 3, 4 }, { 0, 5, 6, 0 }, { 0 }, { 0, 7, 0, 0 } },
	.moments = { { 1, 1, 1, 1 }, { 1, 1, 1, 0 }, { 0 }, { 0, 1, 0, 0 } },
	.nhist = 7,
};

struct pair {
	struct wstat *ring, *want;
	struct rng r;
};

static struct wstat *new_wstat(void)
{
	struct wstat *s = calloc(1, wstat_size(&layout));

	assert_non_null(s);
	wstat_init(s, &layout);
	return s;
}

static void want_lat(struct pair *p, unsigned d, unsigned kind, uint64_t ns)
{
	unsigned h = layout.hist[d][kind];

	if (layout.moments[d][kind])
		moments_add(&p->want->dir[d].lat[kind], ns);
	if (h)
		hist_add(&p->want->hist[h - 1], ns);
}

static void one_io(struct pair *p, unsigned d, unsigned at)
{
	unsigned bit = rng_below(&p->r, 4) ? 20 : bits[rng_below(&p->r, COUNT(bits))];
	uint64_t bytes = rng_below(&p->r, 4096), slat = value(&p->r, bit) / 2, clat = value(&p->r, bit) / 2;
	struct wstat_ring *ring = &p->ring->ring[d];

	p->want->dir[d].ios++;
	p->want->dir[d].bytes += bytes;
	wstat_total_add(&p->ring->total[d], 1, bytes);
	ring->pair[at].lat = slat + clat;
	ring->pair[at].clat = clat;
	ring->resp[at] = value(&p->r, bit);
	want_lat(p, d, LAT_SLAT, slat);
	want_lat(p, d, LAT_CLAT, clat);
	want_lat(p, d, LAT_LAT, slat + clat);
	want_lat(p, d, LAT_RESP, ring->resp[at]);
}

/* Adds up to n I/Os of some direction, as the loop does. */
static void some_ios(struct pair *p, unsigned n)
{
	unsigned d = (unsigned)rng_below(&p->r, DIR_COUNT), at = wstat_ring_at(p->ring, d);

	n = n < WSTAT_RING - at ? n : WSTAT_RING - at;
	for (unsigned i = 0; i < n; i++)
		one_io(p, d, at + i);
	if (wstat_ring_at(p->ring, d) == 0)
		wstat_fold_dir(p->ring, &layout, d);
}

/* A reader's copy of s equals p->want. */
static void assert_read(const struct pair *p, const struct wstat *s)
{
	struct wstat *copy = new_wstat();

	wstat_merge(copy, s, &layout);
	assert_memory_equal(copy->dir, p->want->dir, sizeof(copy->dir));
	assert_memory_equal(copy->hist, p->want->hist, layout.nhist * sizeof(struct hist));
	free(copy);
}

static void begin(struct pair *p)
{
	*p = (struct pair){ .ring = new_wstat(), .want = new_wstat() };
	rng_init(&p->r, 9);
}

static void end(struct pair *p)
{
	free(p->ring);
	free(p->want);
}

static void test_rings(void **state)
{
	struct pair p;

	(void)state;
	begin(&p);
	for (unsigned i = 0; i < 3000; i++) {
		some_ios(&p, 1 + (unsigned)rng_below(&p.r, 40));
		if (i % 50 == 0)
			assert_read(&p, p.ring);
		if (i % 7 == 0)
			wstat_fold(p.ring, &layout);
	}
	wstat_fold(p.ring, &layout);
	assert_memory_equal(p.ring->dir, p.want->dir, sizeof(p.ring->dir));
	assert_read(&p, p.ring);
	wstat_init(p.ring, &layout);
	wstat_init(p.want, &layout);
	assert_read(&p, p.ring);
	end(&p);
}

static uint64_t ring_lat(const struct wstat_ring *r, unsigned at, unsigned kind)
{
	return kind == LAT_RESP ? r->resp[at] : wstat_pair_lat(&r->pair[at], kind);
}

/* The state of a worker that was killed while it folded: the histograms have `told` I/Os in turn, and nothing
   is known of the moments. */
static void tear(struct wstat *s, unsigned d, unsigned told)
{
	struct wstat_dir *to = &s->dir[d];
	unsigned n = (unsigned)(s->total[d].ios - to->ios), at = to->ios % WSTAT_RING;

	memcpy(s->total[d].saved, to->lat, sizeof(to->lat));
	s->total[d].folding = 1;
	for (unsigned k = 0; k < LAT_KINDS; k++) {
		unsigned here = told < n ? told : n;

		for (unsigned i = 0; i < here && layout.hist[d][k]; i++)
			hist_add(&s->hist[layout.hist[d][k] - 1], ring_lat(&s->ring[d], at + i, k));
		told -= here;
		if (!n || !layout.moments[d][k])
			continue;
		to->lat[k].sum += told * 3;
		to->lat[k].min = 0;
		to->lat[k].sq_hi ^= told;
	}
	if (told & 1)
		to->bytes = wstat_total_bytes(&s->total[d]);
}

/* I/Os that did not complete, which only the response times count. */
static void some_unfinished(struct pair *p, unsigned n)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		wstat_add_unfinished(p->ring, &layout, d, 1000000 * (d + 1), n);
		wstat_add_unfinished(p->want, &layout, d, 1000000 * (d + 1), n);
	}
}

static void test_killed_while_folding(void **state)
{
	(void)state;
	for (unsigned told = 0; told < 5 * WSTAT_RING; told += 3) {
		struct pair p;

		begin(&p);
		for (unsigned i = 0; i < 40; i++)
			some_ios(&p, 25);
		some_unfinished(&p, told % 4);
		for (unsigned d = 0; d < DIR_COUNT; d++)
			tear(p.ring, d, told);
		assert_read(&p, p.ring);
		wstat_fold(p.ring, &layout); /* by the ticker */
		assert_read(&p, p.ring);
		assert_memory_equal(p.ring->dir, p.want->dir, sizeof(p.ring->dir));
		end(&p);
	}
}

/* The last store of a fold is missing. */
static void test_killed_after_folding(void **state)
{
	struct pair p;

	(void)state;
	begin(&p);
	for (unsigned i = 0; i < 40; i++)
		some_ios(&p, 25);
	wstat_fold(p.ring, &layout);
	for (unsigned d = 0; d < DIR_COUNT; d++)
		p.ring->total[d].folding = 1;
	assert_read(&p, p.ring);
	for (unsigned i = 0; i < 40; i++)
		wstat_fold(p.ring, &layout);
	assert_read(&p, p.ring);
	end(&p);
}

/* Only the first `stores` stores of wstat_total_add were made. */
static void stop_adding(struct wstat_total *total, unsigned stores)
{
	struct wstat_total after = *total;

	wstat_total_add(&after, 2, 8192);
	total->old_bytes = stores > 0 ? after.old_bytes : total->old_bytes;
	total->old_ios = stores > 1 ? after.old_ios : total->old_ios;
	total->bytes = stores > 2 ? after.bytes : total->bytes;
}

/* The bytes are those of the counted I/Os. */
static void test_killed_while_counting(void **state)
{
	(void)state;
	for (unsigned stores = 0; stores < 4; stores++) {
		struct pair p;

		begin(&p);
		for (unsigned i = 0; i < 40; i++)
			some_ios(&p, 25);
		for (unsigned d = 0; d < DIR_COUNT; d++)
			stop_adding(&p.ring->total[d], stores);
		assert_read(&p, p.ring);
		wstat_fold(p.ring, &layout); /* by the ticker */
		assert_read(&p, p.ring);
		end(&p);
	}
}

int unit_wstat_ring(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_every_bucket),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_killed_while_folding),
		cmocka_unit_test(test_killed_after_folding),
		cmocka_unit_test(test_killed_while_counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
