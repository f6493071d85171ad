/* Series: does folding, spreading and moving keep all counts, and does their memory stay within its limit? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "rng.h"
#include "series.h"

#define LEN 100000000u

/* A record of reads with clat, a few buckets of it, and writes without. */
struct made {
	struct ival v;
	unsigned char bytes[IVAL_BYTES(4, 1)];
};

static void put_reads(struct ival_out *o, uint64_t ios, uint64_t each, struct rng *r)
{
	const struct ival_dir d = { .ios = ios, .bytes = ios * 4096, .errors = ios % 2 };
	const struct ival_lat l = { .n = ios, .sum = ios * each, .min = each - 1, .max = each + 1 };
	unsigned bucket = r ? (unsigned)rng_below(r, 100) : 7;
	uint64_t left = ios;

	ival_put_dir(o, DIR_READ, &d);
	ival_put_lat(o, LAT_CLAT, &l);
	for (; left && bucket < HIST_BUCKETS - 200; bucket += r ? 1 + (unsigned)rng_below(r, 150) : 11) {
		uint64_t n = left < 4 ? left : left / 2;

		ival_put_bin(o, bucket, n);
		left -= n;
	}
	if (left)
		ival_put_bin(o, HIST_BUCKETS - 1, left);
}

static const struct ival *make(struct made *m, uint64_t first, uint64_t span, uint64_t ios, struct rng *r)
{
	const struct ival head = { .first = first, .intervals = span, .part_ns = span ? 0 : LEN / 2 };
	const struct ival_dir writes = { .ios = 3 * ios, .bytes = ios };
	struct ival_out o;
	size_t n;

	ival_begin(&o, m->bytes, sizeof(m->bytes), &head);
	if (ios) {
		put_reads(&o, ios, 1000 + first, r);
		ival_put_dir(&o, DIR_WRITE, &writes);
	}
	n = ival_end(&o, m->bytes);
	assert_int_not_equal(n, 0);
	assert_true(ival_read(&m->v, m->bytes, n));
	return &m->v;
}

struct sums {
	uint64_t ios, bytes, errors, writes, n, sum, hist[HIST_BUCKETS];
};

static void add_ival(struct sums *s, const struct ival *v)
{
	const struct ival_dir *d = &v->dir[DIR_READ];
	struct ival_bins b = ival_bins(&d->lat[LAT_CLAT]);
	uint64_t count;
	unsigned bucket;

	s->ios += d->ios;
	s->bytes += d->bytes;
	s->errors += d->errors;
	s->writes += v->dir[DIR_WRITE].ios;
	s->n += d->lat[LAT_CLAT].n;
	s->sum += d->lat[LAT_CLAT].sum;
	while (ival_bin(&b, &bucket, &count))
		s->hist[bucket] += count;
}

static void add_all(struct sums *sums, const struct series *s, unsigned group)
{
	for (size_t i = 0; i < s->groups[group].cells.n; i++) {
		struct ival v;

		series_get(s, group, i, &v);
		add_ival(sums, &v);
	}
}

static uint64_t ios_at(const struct series *s, unsigned group, size_t i)
{
	struct ival v;

	assert_true(i < s->groups[group].cells.n);
	series_get(s, group, i, &v);
	return v.dir[DIR_READ].ios;
}

/* Workers that start later than the first, with silence between and a partial interval at the end. */
static void test_aligned(void **state)
{
	struct series s;
	struct made m;

	(void)state;
	assert_int_equal(series_init(&s, 1, LEN, 1 << 20), 0);
	series_add(&s, 0, 10, LAT_CLAT, make(&m, 0, 1, 100, NULL));
	series_add(&s, 0, 10, LAT_CLAT, make(&m, 1, 3, 0, NULL));
	series_add(&s, 0, 10, LAT_CLAT, make(&m, 4, 0, 7, NULL));
	series_add(&s, 0, 12, LAT_CLAT, make(&m, 0, 1, 5, NULL));
	series_add(&s, 0, 12, LAT_CLAT, make(&m, 1, 1, 6, NULL));
	assert_int_equal(s.groups[0].first, 10);
	assert_int_equal(s.groups[0].cells.n, 5);
	assert_int_equal(s.groups[0].end_ns, 14 * (uint64_t)LEN + LEN / 2);
	assert_int_equal(ios_at(&s, 0, 0), 100);
	assert_int_equal(ios_at(&s, 0, 1), 0);
	assert_int_equal(ios_at(&s, 0, 2), 5);
	assert_int_equal(ios_at(&s, 0, 3), 6);
	assert_int_equal(ios_at(&s, 0, 4), 7);
	/* A worker that began first although its records were read later. */
	series_add(&s, 0, 7, LAT_CLAT, make(&m, 0, 1, 9, NULL));
	assert_int_equal(s.groups[0].first, 7);
	assert_int_equal(ios_at(&s, 0, 0), 9);
	assert_int_equal(ios_at(&s, 0, 3), 100);
	assert_int_equal(ios_at(&s, 0, 7), 7);
	series_fini(&s);
}

/* The records of two workers in one interval are added. */
static void test_joined(void **state)
{
	struct series s;
	struct made a, b;
	struct ival v;
	struct ival_bins bins;
	uint64_t count;
	unsigned bucket;

	(void)state;
	assert_int_equal(series_init(&s, 1, LEN, 1 << 20), 0);
	series_add(&s, 0, 0, LAT_CLAT, make(&a, 0, 1, 1, NULL));
	series_add(&s, 0, 0, LAT_CLAT, make(&b, 0, 1, 3, NULL));
	series_get(&s, 0, 0, &v);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].n, 4);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].sum, 4000);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].min, 999);
	bins = ival_bins(&v.dir[DIR_READ].lat[LAT_CLAT]);
	assert_true(ival_bin(&bins, &bucket, &count));
	assert_int_equal(bucket, 7);
	assert_int_equal(count, 4);
	assert_false(ival_bin(&bins, &bucket, &count));
	series_fini(&s);
}

/* A full ring merged a record of several intervals: it is spread over them without a loss. */
static void test_spread(void **state)
{
	static struct sums sums, all;
	struct series s;
	struct made m;

	(void)state;
	memset(&sums, 0, sizeof(sums));
	memset(&all, 0, sizeof(all));
	assert_int_equal(series_init(&s, 1, LEN, 1 << 20), 0);
	series_add(&s, 0, 3, LAT_CLAT, make(&m, 1, 4, 10, NULL));
	add_all(&sums, &s, 0);
	add_ival(&all, &m.v);
	assert_memory_equal(&sums, &all, sizeof(all));
	assert_int_equal(s.groups[0].cells.n, 4);
	for (unsigned i = 0; i < 4; i++)
		assert_in_range(ios_at(&s, 0, i), 2, 3);
	series_fini(&s);
}

/* Many more records than the limit, from several groups that begin and end at any time. */
static void test_budget(void **state)
{
	static struct sums sums[3], all[3];
	const size_t max = 256 << 10;
	uint64_t at[3] = { 0, 5000, 77777 };
	struct series s;
	struct made m;
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	assert_int_equal(series_init(&s, 3, LEN, max), 0);
	for (unsigned i = 0; i < 30000; i++) {
		unsigned g = (unsigned)rng_below(&r, 3);
		uint64_t span = rng_below(&r, 50) ? 1 : 1 + rng_below(&r, 40);
		uint64_t ios = rng_below(&r, 5) ? 1 + rng_below(&r, 1000) : 0;

		make(&m, at[g], span, ios, &r);
		at[g] += span;
		add_ival(&all[g], &m.v);
		series_add(&s, g, g * 11, LAT_CLAT, &m.v);
		assert_true(s.used_bytes <= max);
	}
	assert_true(s.doublings > 3);
	assert_false(s.failed);
	for (unsigned g = 0; g < 3; g++) {
		uint64_t last = s.groups[g].first + s.groups[g].cells.n - 1;

		add_all(&sums[g], &s, g);
		assert_memory_equal(&sums[g], &all[g], sizeof(all[g]));
		assert_int_equal(last, (g * 11 + at[g] - 1) >> s.doublings);
	}
	series_fini(&s);
}

/* A silence of centuries takes few cells to search. */
static void test_silence(void **state)
{
	struct series s;
	struct made m;

	(void)state;
	assert_int_equal(series_init(&s, 2, LEN, 64 << 10), 0);
	series_add(&s, 1, 0, LAT_CLAT, make(&m, 0, 1, 1, NULL));
	series_add(&s, 0, 0, LAT_CLAT, make(&m, 0, 1, 4, NULL));
	series_add(&s, 0, 0, LAT_CLAT, make(&m, 1, (uint64_t)1 << 36, 0, NULL));
	series_add(&s, 0, 0, LAT_CLAT, make(&m, ((uint64_t)1 << 36) + 1, 1, 5, NULL));
	assert_true(s.used_bytes <= 64 << 10);
	assert_int_equal(ios_at(&s, 0, 0), 4);
	assert_int_equal(ios_at(&s, 0, s.groups[0].cells.n - 1), 5);
	assert_int_equal(ios_at(&s, 1, 0), 1);
	series_fini(&s);
}

/* Latencies of another kind than the group's are left out; the rest of the record counts. */
static void test_kinds(void **state)
{
	struct series s;
	struct made m;
	struct ival v;

	(void)state;
	assert_int_equal(series_init(&s, 1, LEN, 1 << 20), 0);
	series_add(&s, 0, 0, LAT_CLAT, make(&m, 0, 1, 1, NULL));
	series_add(&s, 0, 0, LAT_KINDS, make(&m, 0, 1, 1, NULL));
	series_get(&s, 0, 0, &v);
	assert_int_equal(v.dir[DIR_READ].ios, 2);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].n, 1);
	series_fini(&s);
	assert_int_equal(series_init(&s, 1, LEN, 1 << 20), 0);
	series_add(&s, 0, 0, LAT_KINDS, make(&m, 0, 1, 1, NULL));
	series_get(&s, 0, 0, &v);
	assert_int_equal(v.dir[DIR_READ].ios, 1);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_CLAT].n, 0);
	series_fini(&s);
}

static void put_late(struct ival_out *o, unsigned kind, uint64_t n, uint64_t each, unsigned bucket)
{
	const struct ival_lat l = { .n = n, .sum = n * each, .min = each, .max = each };

	ival_put_lat(o, kind, &l);
	ival_put_bin(o, bucket, n);
}

/* A record of reads with a rate over `span` intervals; with clat beside resp if `clat` is set. */
static const struct ival *make_rated(struct made *m, uint64_t span, uint64_t ios, bool clat)
{
	const struct ival head = { .intervals = span };
	const struct ival_dir d = { .ios = ios };
	struct ival_out o;

	ival_begin(&o, m->bytes, sizeof(m->bytes), &head);
	ival_put_dir(&o, DIR_READ, &d);
	if (clat)
		put_late(&o, LAT_CLAT, ios, 100, 100);
	put_late(&o, LAT_RESP, ios, 5000, hist_index(5000));
	assert_true(ival_read(&m->v, m->bytes, ival_end(&o, m->bytes)));
	return &m->v;
}

/* Response times stand beside the main kind, also where that is missing, and survive folding and spreading.
 */
static void test_response(void **state)
{
	struct series s;
	struct made m;
	struct ival v;
	uint64_t n = 0, sum = 0, in_bins = 0, clats = 0;

	(void)state;
	assert_int_equal(series_init(&s, 2, LEN, 1 << 20), 0);
	series_add(&s, 0, 0, LAT_CLAT, make(&m, 0, 1, 10, NULL));
	assert_false(s.groups[0].resp);
	series_add(&s, 0, 0, LAT_CLAT, make_rated(&m, 3, 100, true));
	assert_true(s.groups[0].resp);
	series_add(&s, 1, 0, LAT_KINDS, make_rated(&m, 1, 9, false));
	series_get(&s, 1, 0, &v);
	assert_int_equal(v.dir[DIR_READ].lat[LAT_RESP].n, 9);
	assert_int_equal(s.groups[0].cells.n, 3);
	series_limit(&s, 1);
	assert_int_equal(s.groups[0].cells.n, 1);
	series_get(&s, 0, 0, &v);
	n = v.dir[DIR_READ].lat[LAT_RESP].n;
	sum = v.dir[DIR_READ].lat[LAT_RESP].sum;
	clats = v.dir[DIR_READ].lat[LAT_CLAT].n;
	for (struct ival_bins b = ival_bins(&v.dir[DIR_READ].lat[LAT_RESP]);;) {
		unsigned bucket;
		uint64_t count;

		if (!ival_bin(&b, &bucket, &count))
			break;
		assert_int_equal(bucket, hist_index(5000));
		in_bins += count;
	}
	assert_int_equal(n, 100);
	assert_int_equal(sum, 500000);
	assert_int_equal(in_bins, 100);
	assert_int_equal(clats, 110);
	series_fini(&s);
}

int unit_series(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aligned),  cmocka_unit_test(test_joined),
		cmocka_unit_test(test_spread),   cmocka_unit_test(test_budget),
		cmocka_unit_test(test_silence),  cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_response),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
