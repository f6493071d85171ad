/* Is the memory of the machine known for each option that the plan compares with it? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>
#include "diag.h"
#include "job.h"
#include "plan.h"

static uint64_t available_for(const struct job_opts *opts)
{
	static const struct engine no_files = { .caps = ENG_NOFILE };
	static struct job job;
	struct job_set set = { .jobs = &job, .njobs = 1 };
	struct facts f = { 0 };
	struct diag d = { 0 };
	uint64_t bytes;

	job = (struct job){ .engine = &no_files, .opts = *opts };
	assert_int_equal(plan_probe(&f, &set, &d), 0);
	bytes = f.machine.available_bytes;
	facts_fini(&f);
	return bytes;
}

static void test_memory(void **state)
{
	static const struct job_opts with[] = {
		{ .lockmem = 4096 },
		{ .write_pool.bytes = 4096 },
		{ .report.file_stats = FILE_STATS_COUNTS },
		{ .verify.format.kind = VERIFY_NULL },
	};
	static const struct job_opts none;

	(void)state;
	if (access("/proc/meminfo", R_OK))
		skip();
	assert_int_equal(available_for(&none), 0);
	for (size_t i = 0; i < sizeof(with) / sizeof(*with); i++)
		assert_true(available_for(&with[i]));
}

int unit_probe(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_memory) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
