/* plug_run: how many I/Os does one submission have, so that the block layer does not merge them? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "io.h"

#define MOST 64

/* Block numbers in the order of submission, ended by -1, and the expected lengths of the calls. */
struct row {
	int block[MOST];
	unsigned call[MOST];
	uint32_t len;
};

static const struct row rows[] = {
	{ { 5, -1 }, { 1 }, 4096 },
	/* in order: two at a time, which the kernel does not plug */
	{ { 0, 1, 2, 3, 4, 5, 6, -1 }, { 2, 2, 2, 1 }, 4096 },
	{ { 6, 5, 4, 3, -1 }, { 2, 2 }, 4096 },
	/* gaps */
	{ { 0, 2, 4, 6, 8, -1 }, { 5 }, 4096 },
	/* a neighbour far away in the call, before or after */
	{ { 9, 3, 7, 1, 10, 20, 30, -1 }, { 4, 3 }, 4096 },
	{ { 9, 3, 7, 1, 8, 20, 30, -1 }, { 4, 3 }, 4096 },
	/* the same block twice is no neighbour */
	{ { 4, 4, 4, 4, -1 }, { 4 }, 4096 },
	/* runs of four with gaps between */
	{ { 0, 1, 2, 3, 50, 51, 52, 53, -1 }, { 2, 2, 2, 2 }, 4096 },
	/* less than a sector */
	{ { 0, 1, 2, 3, -1 }, { 2, 2 }, 100 },
	/* beyond 2 TiB */
	{ { 700000000, 5, 700000001, 8, -1 }, { 2, 2 }, 4096 },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		const struct row *r = &rows[k];
		struct io io[MOST] = { 0 }, *ios[MOST];
		unsigned n = 0, at = 0;

		for (; r->block[n] >= 0; n++) {
			io[n].offset = (uint64_t)r->block[n] * r->len;
			io[n].len = r->len;
			ios[n] = &io[n];
		}
		for (unsigned c = 0; at < n; c++) {
			unsigned run = plug_run(ios + at, n - at);

			assert_int_equal(run, r->call[c]);
			at += run;
		}
	}
}

static void test_most(void **state)
{
	struct io io[MOST] = { 0 }, *ios[MOST];

	(void)state;
	for (unsigned i = 0; i < MOST; i++) {
		io[i].offset = i * 8192ull;
		io[i].len = 4096;
		ios[i] = &io[i];
	}
	assert_int_equal(plug_run(ios, MOST), PLUG_MAX);
	assert_int_equal(plug_run(ios, PLUG_FREE), PLUG_FREE);
}

int unit_plug(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_most) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
