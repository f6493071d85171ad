/* serialize_overlap, trimwrite: which of the next I/Os wait for others? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "file.h"
#include "io.h"

static struct file files[2];

#define IO(o, f, at, n)                                                     \
	{                                                                   \
		.op = IO_##o, .file = &files[f], .offset = (at), .len = (n) \
	}

static const struct overlap_case {
	struct io in_flight, ready[3];
	unsigned n, run;
} cases[] = {
	{ IO(WRITE, 0, 0, 4096),
	  { IO(WRITE, 0, 4096, 4096), IO(READ, 0, 8192, 4096), IO(WRITE, 0, 12288, 1) },
	  3,
	  3 },
	{ IO(WRITE, 0, 0, 4096), { IO(WRITE, 0, 4095, 4096), IO(READ, 0, 8192, 4096) }, 2, 0 },
	{ IO(WRITE, 0, 0, 4096), { IO(WRITE, 1, 0, 4096) }, 1, 1 },
	{ IO(READ, 0, 0, 4096), { IO(READ, 0, 0, 4096), IO(WRITE, 0, 0, 512) }, 2, 1 },
	{ IO(WRITE, 0, 0, 512),
	  { IO(WRITE, 0, 4096, 4096), IO(READ, 0, 8191, 1), IO(WRITE, 0, 9000, 1) },
	  3,
	  1 },
	{ IO(TRIM, 0, 0, 4096), { IO(READ, 0, 0, 4096) }, 1, 0 },
	{ IO(WRITE, 0, 0, 4096), { IO(FSYNC, 0, 0, 0) }, 1, 1 },
};

static void test_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct io all[4] = { cases[i].in_flight, cases[i].ready[0], cases[i].ready[1],
				     cases[i].ready[2] };
		struct io *ready[3] = { &all[1], &all[2], &all[3] };
		unsigned run;

		all[0].res = IO_IN_ENGINE;
		run = overlap_run(ready, cases[i].n, all, 4);
		if (run != cases[i].run)
			fail_msg("case %zu: %u", i, run);
		all[0].res = 4096; /* it has completed */
		assert_true(overlap_run(ready, 1, all, 4) == 1);
	}
}

/* order: positions in ready after the call. The first `go` of them may be submitted. */
static const struct hold_case {
	struct io in_flight, ready[3];
	unsigned max, go;
	unsigned order[3];
} hold_cases[] = {
	{ IO(TRIM, 0, 0, 4096),
	  { IO(WRITE, 0, 0, 4096), IO(TRIM, 0, 4096, 4096), IO(WRITE, 0, 4096, 4096) },
	  3,
	  1,
	  { 1, 0, 2 } },
	{ IO(TRIM, 0, 0, 4096),
	  { IO(WRITE, 0, 4095, 4096), IO(WRITE, 0, 4096, 4096), IO(WRITE, 1, 0, 4096) },
	  3,
	  2,
	  { 1, 2, 0 } },
	{ IO(TRIM, 0, 0, 4096),
	  { IO(WRITE, 0, 0, 4096), IO(TRIM, 0, 4096, 4096), IO(TRIM, 0, 8192, 4096) },
	  1,
	  1,
	  { 1, 0, 2 } },
	/* only trims make writes wait */
	{ IO(WRITE, 0, 0, 4096),
	  { IO(WRITE, 0, 0, 4096), IO(TRIM, 0, 0, 4096), IO(FSYNC, 0, 0, 0) },
	  3,
	  3,
	  { 0, 1, 2 } },
};

static void test_hold_writes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hold_cases) / sizeof(*hold_cases); i++) {
		const struct hold_case *c = &hold_cases[i];
		struct io all[4] = { c->in_flight, c->ready[0], c->ready[1], c->ready[2] };
		struct io *ready[3] = { &all[1], &all[2], &all[3] };

		all[0].res = IO_IN_ENGINE;
		assert_int_equal(overlap_hold_writes(ready, 3, c->max, all, 4), c->go);
		for (unsigned k = 0; k < 3; k++)
			if (ready[k] != &all[1 + c->order[k]])
				fail_msg("case %zu: position %u", i, k);
	}
}

int unit_overlap(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_run), cmocka_unit_test(test_hold_writes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
