/* Which sizes of maps and log may a loaded verify state have? Version 1 comes from builds whose log was as
   large as the maps; the largest log of version 2 is a sixteenth of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "job.h"
#include "plan.h"

#define MIB (UINT64_C(1) << 20)

static void test_map_fits(void **state)
{
	static struct job job;
	struct plan_file file = { .len = MIB << 16 }; /* 64 GiB: maps of 64 MiB */
	struct plan_job pj = { .job = &job, .files = &file, .nfiles = 1 };
	static const struct {
		uint32_t version;
		uint64_t bytes;
		bool fits;
	} cases[] = {
		{ 1, 64 * MIB, true },      { 2, 64 * MIB, true },      { 1, 128 * MIB, true },
		{ 2, 128 * MIB, false },    { 2, 68 * MIB, true },      { 2, 68 * MIB + 4096, false },
		{ 1, 64 * MIB - 4, false }, { 2, 64 * MIB - 4, false },
	};

	(void)state;
	job.opts.verify.state_load = true;
	pj.verify.memory = VERIFY_MAP;
	pj.verify.unit = 4096;
	assert_int_equal(plan_verify_bytes(&pj), 64 * MIB);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(plan_verify_map_fits(&pj, cases[i].version, cases[i].bytes), cases[i].fits);
}

int unit_plan_verify(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_map_fits) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
