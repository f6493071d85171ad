/* Interval tracks: an artificial worker does I/Os, its tracks close, and a reader takes their records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "rng.h"
#include "track.h"

#define MS    ((uint64_t)1000000)
#define START (5000 * MS)

#define CLAT (1u << LAT_CLAT)
#define SLAT (1u << LAT_SLAT)

static struct wstat_layout layout;
static struct tracks_cfg cfg;
static struct tracks *ts;
static struct wstat *st;

/* Reads have slat and clat, and a histogram of clat. */
static int set_up(void **state)
{
	(void)state;
	memset(&layout, 0, sizeof(layout));
	memset(&cfg, 0, sizeof(cfg));
	layout.moments[DIR_READ][LAT_SLAT] = layout.moments[DIR_READ][LAT_CLAT] = 1;
	layout.hist[DIR_READ][LAT_CLAT] = 1;
	layout.nhist = 1;
	return 0;
}

static void begin(void)
{
	ts = calloc(1, tracks_bytes(&cfg, &layout));
	st = calloc(1, wstat_size(&layout));
	assert_non_null(ts);
	assert_non_null(st);
	wstat_init(st, &layout);
	tracks_start(ts, &cfg, &layout, START);
}

static int tear_down(void **state)
{
	(void)state;
	free(ts);
	free(st);
	ts = NULL;
	st = NULL;
	return 0;
}

/* One I/O completes at this time since the start. As in the worker, intervals close first, then the I/O is
 * counted. */
static void io_at_ns(uint64_t ns, uint64_t clat)
{
	struct wstat_dir *d = &st->dir[DIR_READ];

	if (START + ns >= ts->end_ns)
		tracks_close(ts, st, START + ns);
	d->ios++;
	d->bytes += 4096;
	moments_add(&d->lat[LAT_CLAT], clat);
	moments_add(&d->lat[LAT_SLAT], clat / 2);
	hist_add(&st->hist[0], clat);
	st->dir[DIR_WRITE].errors += ns / MS % 2;
}

static void io_at(uint64_t ms)
{
	io_at_ns(ms * MS, 1000);
}

static void assert_rec(unsigned track, uint64_t first, uint64_t span, uint64_t ios, uint64_t part_ms)
{
	struct ival v;

	assert_true(tracks_peek(ts, track, &v));
	assert_int_equal(v.first, first);
	assert_int_equal(v.intervals, span);
	assert_int_equal(v.dir[DIR_READ].ios, ios);
	assert_int_equal(v.dir[DIR_READ].bytes, ios * 4096);
	assert_int_equal(v.dir[DIR_WRITE].ios, 0);
	assert_int_equal(v.part_ns, part_ms * MS);
	tracks_drop(ts, track);
}

static void assert_no_rec(unsigned track)
{
	struct ival v;

	assert_false(tracks_peek(ts, track, &v));
	tracks_drop(ts, track);
}

static void test_one_by_one(void **state)
{
	(void)state;
	tracks_want(&cfg, 100 * MS, 0, 0);
	begin();
	assert_int_equal(ts->end_ns, START + 100 * MS);
	io_at(0);
	io_at(99);
	assert_no_rec(0);
	io_at(100);
	assert_rec(0, 0, 1, 2, 0);
	io_at(250);
	assert_rec(0, 1, 1, 1, 0);
	assert_no_rec(0);
	tracks_finish(ts, st, START + 270 * MS);
	assert_true(tracks_finished(ts));
	assert_int_equal(ts->end_ns, UINT64_MAX);
	assert_rec(0, 2, 0, 1, 70);
	assert_no_rec(0);
}

/* A silence of any length is one record of zeroes. */
static void test_silence(void **state)
{
	(void)state;
	tracks_want(&cfg, 100 * MS, 0, 0);
	begin();
	io_at(10);
	io_at(100000000);
	assert_rec(0, 0, 1, 1, 0);
	assert_rec(0, 1, 999999, 0, 0);
	assert_no_rec(0);
	tracks_finish(ts, st, START + 100000530 * MS);
	assert_rec(0, 1000000, 1, 1, 0);
	assert_rec(0, 1000001, 4, 0, 0);
	assert_rec(0, 1000005, 0, 0, 30);
	assert_no_rec(0);
}

/* On a grid the first interval ends with that of the others, and may be the last one. */
static void test_grid(void **state)
{
	unsigned track;

	(void)state;
	track = tracks_want_on_grid(&cfg, 100 * MS, 0, 0);
	assert_int_not_equal(tracks_want(&cfg, 100 * MS, 0, 0), track);
	begin();
	ts->grid_ns = START - 1070 * MS; /* so the first interval takes 30 ms */
	tracks_start(ts, &cfg, &layout, START);
	io_at(10);
	io_at(40);
	io_at(90);
	io_at(131);
	assert_rec(track, 0, 1, 1, 0);
	assert_rec(track, 1, 1, 2, 0);
	tracks_finish(ts, st, START + 150 * MS);
	assert_rec(track, 2, 0, 1, 20);
	assert_no_rec(track);
	wstat_init(st, &layout);
	tracks_start(ts, &cfg, &layout, START);
	tracks_finish(ts, st, START + 20 * MS);
	assert_rec(track, 0, 0, 0, 20);
}

static void test_no_tracks(void **state)
{
	(void)state;
	begin();
	assert_int_equal(ts->end_ns, UINT64_MAX);
	tracks_close(ts, st, START + 1000 * MS);
	tracks_finish(ts, st, START + 1000 * MS);
	assert_true(tracks_finished(ts));
	assert_no_rec(0);
}

/* A run that ends on the edge of an interval leaves no partial one, and a second end does nothing. */
static void test_finish_on_edge(void **state)
{
	(void)state;
	tracks_want(&cfg, 100 * MS, 0, 0);
	begin();
	io_at(150);
	tracks_finish(ts, st, START + 200 * MS);
	assert_rec(0, 0, 1, 0, 0);
	assert_rec(0, 1, 1, 1, 0);
	assert_no_rec(0);
	tracks_finish(ts, st, START + 900 * MS);
	assert_no_rec(0);
}

/* Tracks of equal length share their intervals and hold the contents of both; each track closes by itself. */
static void test_several(void **state)
{
	struct ival v;
	unsigned fine, coarse;

	(void)state;
	coarse = tracks_want(&cfg, 500 * MS, 0, 0);
	fine = tracks_want(&cfg, 100 * MS, SLAT, 0);
	assert_int_equal(tracks_want(&cfg, 500 * MS, 0, CLAT), coarse);
	assert_int_equal(cfg.n, 2);
	begin();
	for (unsigned i = 0; i < 10; i++)
		io_at_ns(i * 100 * MS + 7, 100 + i);
	tracks_finish(ts, st, START + 1000 * MS);
	for (unsigned i = 0; i < 10; i++) {
		assert_true(tracks_peek(ts, fine, &v));
		assert_int_equal(v.first, i);
		assert_int_equal(v.dir[DIR_READ].lat[LAT_SLAT].n, 1);
		assert_int_equal(v.dir[DIR_READ].lat[LAT_SLAT].min, (100 + i) / 2);
		assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].n, 0);
		tracks_drop(ts, fine);
	}
	assert_true(tracks_peek(ts, coarse, &v));
	assert_int_equal(v.dir[DIR_READ].ios, 5);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].sum, 510);
	tracks_drop(ts, coarse);
	assert_true(tracks_peek(ts, coarse, &v));
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].min, 105);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].max, 109);
	tracks_drop(ts, coarse);
	assert_no_rec(fine);
	assert_no_rec(coarse);
}

/* Each interval has its own extremes, and the whole has those of all; a copy at any time has them. */
static void test_extremes(void **state)
{
	static const uint64_t clat[] = { 500, 90, 700, 300, 20, 400 };
	struct wstat_layout none = { 0 };
	struct wstat *copy;
	struct ival v;

	(void)state;
	tracks_want(&cfg, 100 * MS, CLAT, 0);
	begin();
	for (unsigned i = 0; i < 6; i++) {
		uint64_t min = UINT64_MAX, max = 0;

		io_at_ns(i * 50 * MS, clat[i]);
		copy = calloc(1, wstat_size(&none));
		wstat_init(copy, &none);
		wstat_merge(copy, st, &none);
		tracks_extremes(ts, copy->dir);
		for (unsigned k = 0; k <= i; k++) {
			min = clat[k] < min ? clat[k] : min;
			max = clat[k] > max ? clat[k] : max;
		}
		assert_int_equal(copy->dir[DIR_READ].lat[LAT_CLAT].min, min);
		assert_int_equal(copy->dir[DIR_READ].lat[LAT_CLAT].max, max);
		assert_int_equal(copy->dir[DIR_WRITE].lat[LAT_CLAT].min, UINT64_MAX);
		free(copy);
	}
	tracks_finish(ts, st, START + 290 * MS);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t a = clat[2 * i], b = clat[2 * i + 1];

		assert_true(tracks_peek(ts, 0, &v));
		assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].min, a < b ? a : b);
		assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].max, a < b ? b : a);
		tracks_drop(ts, 0);
	}
}

struct sums {
	uint64_t next, ios, errors, sum, records, folded;
	bool partial;
	struct hist hist;
};

/* Takes up to `most` records, which follow one another without a gap. */
static void take(struct sums *s, unsigned track, uint64_t most)
{
	struct ival v;

	for (; most && tracks_peek(ts, track, &v); most--) {
		struct ival_bins bins = ival_bins(&v.dir[DIR_READ].lat[LAT_CLAT]);
		uint64_t count, n = 0;
		unsigned bucket;

		assert_int_equal(v.first, s->next);
		assert_false(s->partial);
		s->next += v.intervals;
		s->partial = v.part_ns != 0;
		s->records++;
		s->folded += v.intervals > 1 && v.dir[DIR_READ].ios;
		s->ios += v.dir[DIR_READ].ios;
		s->errors += v.dir[DIR_WRITE].errors;
		s->sum += v.dir[DIR_READ].lat[LAT_CLAT].sum;
		while (ival_bin(&bins, &bucket, &count)) {
			s->hist.n[bucket] += count;
			n += count;
		}
		assert_int_equal(n, v.dir[DIR_READ].lat[LAT_CLAT].n);
		tracks_drop(ts, track);
	}
}

static void assert_all(const struct sums *s)
{
	assert_int_equal(s->ios, st->dir[DIR_READ].ios);
	assert_int_equal(s->errors, st->dir[DIR_WRITE].errors);
	assert_int_equal(s->sum, st->dir[DIR_READ].lat[LAT_CLAT].sum);
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		assert_int_equal(s->hist.n[i], st->hist[0].n[i]);
}

/* Without a reader full rings fold their records: no I/O is lost, and the worker does not wait. The reader
 * takes the rest. */
static void test_full(void **state)
{
	static struct sums s;
	struct rng r;

	(void)state;
	tracks_want(&cfg, 100 * MS, 0, CLAT);
	begin();
	rng_init(&r, 1);
	for (unsigned i = 0; i < 50000; i++)
		io_at_ns(i * 100 * MS + i % 100 * MS, rng_below(&r, 1u << 30));
	tracks_finish(ts, st, START + 4999950 * MS);
	assert_false(tracks_finished(ts));
	take(&s, 0, UINT64_MAX);
	assert_int_equal(s.folded, 0);
	tracks_finish(ts, st, 0);
	assert_true(tracks_finished(ts));
	take(&s, 0, UINT64_MAX);
	assert_int_equal(s.folded, 1);
	assert_true(s.partial);
	assert_int_equal(s.next, 49999);
	assert_all(&s);
}

/* A reader that comes now and then, over several tracks and many turns of the rings. */
static void test_slow_reader(void **state)
{
	static struct sums s[3];
	uint64_t ns = 0;
	struct rng r;

	(void)state;
	tracks_want(&cfg, 10 * MS, 0, CLAT);
	tracks_want(&cfg, 100 * MS, 0, CLAT);
	tracks_want(&cfg, 33 * MS, CLAT, CLAT);
	begin();
	rng_init(&r, 1);
	for (unsigned i = 0; i < 300000; i++) {
		ns += rng_below(&r, i % 1000 ? 2 * MS : 5000 * MS);
		io_at_ns(ns, rng_below(&r, (uint64_t)1 << rng_below(&r, 46)));
		for (unsigned t = 0; t < 3; t++)
			if (rng_below(&r, 4000) == 0)
				take(&s[t], t, rng_below(&r, 200));
	}
	while (!tracks_finished(ts)) {
		tracks_finish(ts, st, START + ns + 1);
		for (unsigned t = 0; t < 3; t++)
			take(&s[t], t, UINT64_MAX);
	}
	for (unsigned t = 0; t < 3; t++) {
		assert_int_equal(s[t].next, ns / cfg.track[t].len_ns);
		assert_all(&s[t]);
	}
	assert_true(s[0].folded > 0);
}

/* A ring that is read in time uses only its first half. */
static void test_few_pages(void **state)
{
	static struct sums s;
	const unsigned char *last;

	(void)state;
	tracks_want(&cfg, 100 * MS, 0, CLAT);
	begin();
	for (unsigned i = 0; i < 10000; i++) {
		io_at(i * 40);
		if (i % 10 == 0)
			take(&s, 0, UINT64_MAX);
	}
	assert_int_equal(s.folded, 0);
	last = (const unsigned char *)ts + ts->track[0].ring_at;
	for (uint64_t i = ts->track[0].ring_bytes / 2; i < ts->track[0].ring_bytes; i++)
		assert_int_equal(last[i], 0);
}

/* With rare intervals and similar latencies, ring and copies take one page each, besides their heads. */
static void test_few_pages_seldom(void **state)
{
	enum { PAGE = 4096 };
	static const unsigned char none[PAGE];
	static struct sums s;
	size_t pages = 0, bytes;

	(void)state;
	tracks_want(&cfg, 500 * MS, 0, CLAT);
	begin();
	for (unsigned i = 0; i < 10000; i++) {
		io_at_ns(i * 200 * MS, 20000 + i % 50 * 500);
		if (i % 5 == 0)
			take(&s, 0, UINT64_MAX);
	}
	assert_int_equal(s.folded, 0);
	bytes = tracks_bytes(&cfg, &layout);
	for (size_t at = 0; at < bytes; at += PAGE)
		pages += memcmp((const unsigned char *)ts + at, none,
				bytes - at < PAGE ? bytes - at : PAGE) != 0;
	assert_in_range(pages, 2, 4);
}

static void assert_bin(struct ival_bins *b, uint64_t ns, uint64_t count)
{
	unsigned bucket;
	uint64_t n;

	assert_true(ival_bin(b, &bucket, &n));
	assert_int_equal(bucket, hist_index(ns));
	assert_int_equal(n, count);
}

/* Later I/Os are faster than any before, and slower than any. */
static void test_wider_later(void **state)
{
	const uint64_t ns[] = { 0, 50000, (uint64_t)1 << 44 };
	struct ival v;
	struct ival_bins b;

	(void)state;
	tracks_want(&cfg, 100 * MS, 0, CLAT);
	begin();
	io_at_ns(0, 50000);
	for (unsigned i = 0; i < 3; i++)
		io_at_ns(110 * MS, ns[i]);
	io_at_ns(210 * MS, 0);
	io_at_ns(210 * MS, 50000);
	tracks_finish(ts, st, START + 300 * MS);
	assert_true(tracks_peek(ts, 0, &v));
	tracks_drop(ts, 0);
	assert_true(tracks_peek(ts, 0, &v));
	b = ival_bins(&v.dir[DIR_READ].lat[LAT_CLAT]);
	for (unsigned i = 0; i < 3; i++)
		assert_bin(&b, ns[i], 1);
	tracks_drop(ts, 0);
	assert_true(tracks_peek(ts, 0, &v));
	b = ival_bins(&v.dir[DIR_READ].lat[LAT_CLAT]);
	assert_bin(&b, 0, 1);
	assert_bin(&b, 50000, 1);
	tracks_drop(ts, 0);
}

/* A worker was killed while it made its copies: the reader completes them, and no I/O counts twice. */
static void test_killed_in_close(void **state)
{
	static struct sums s;
	struct track *t;
	uint64_t head;

	(void)state;
	tracks_want(&cfg, 100 * MS, 0, CLAT);
	begin();
	io_at(10);
	io_at(110);
	io_at(210);
	t = &ts->track[0];
	head = atomic_load(&t->head);
	tracks_close(ts, st, START + 300 * MS);
	/* As if the worker had come no further than this: */
	atomic_store(&t->commit, atomic_load(&t->head));
	atomic_store(&t->head, head);
	t->last[DIR_READ].ios = 2;
	t->last[DIR_READ].sum[LAT_CLAT] = 2000;
	t->end_ns = START + 300 * MS;
	t->index = 2;
	tracks_finish(ts, st, START + 350 * MS);
	take(&s, 0, UINT64_MAX);
	assert_all(&s);
}

int unit_track(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_by_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_silence, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_tracks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_grid, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_finish_on_edge, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_several, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_extremes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slow_reader, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_few_pages, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_few_pages_seldom, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wider_later, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_killed_in_close, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
