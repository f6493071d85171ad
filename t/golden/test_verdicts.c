/* Are the verdicts of assertions still the same in the text report, in JSON and in JUnit XML? Compared with
   committed copies. */
#include "report.h"
#include "sample_results.h"
#include "strbuf.h"

static void make(struct result *r)
{
	static const struct result_verdict verdict[] = {
		{ "read.clat.p99 < 1ms", "randmix", "read.clat.p99", "<", LIMIT_TIME, 1e6, 812345, true,
		  NULL },
		{ "bw >= 100MiB/s", "randmix", "read.bw", ">=", LIMIT_BW, 104857600, 99999999, false, NULL },
		{ "bw >= 100MiB/s", "randmix", "write.bw", ">=", LIMIT_BW, 104857600, 209715200, true, NULL },
		{ "read.iops_min > 20k", "a \"b\" & <c>", "read.iops_min", ">", LIMIT_RATE, 20000, 0, false,
		  "the IOPS were not sampled" },
		{ "errors == 0", "randmix (2)", "errors", "==", LIMIT_COUNT, 0, 12345678, false, NULL },
		{ "trim.io_bytes != 1GiB", "randmix", "trim.io_bytes", "!=", LIMIT_BYTES, 0x1p30, 4096, true,
		  NULL },
		{ "disk_util.vda.util <= 90%", "vda", "disk_util.util", "<=", LIMIT_PERCENT, 90, 33.333333,
		  true, NULL },
		{ "iops > 20T", "J\u00f6rg \u65e5\u672c", "read.iops", ">", LIMIT_RATE, 2e13,
		  1234567890123456, true, NULL },
		{ "fiord.self.wall_ns < 2s", NULL, "fiord.self.wall_ns", "<", LIMIT_TIME, 2e9, 1999999999,
		  true, NULL },
	};
	struct result_job a = new_job("randmix", 100), b = new_job("a \"b\" & <c>", 101),
			  c = new_job("randmix", 102);

	begin(r);
	simple_dir(&a.sum, DIR_READ, 10000, 1000);
	a.sum.job_runtime_ms = 1000;
	c.error = EIO;
	c.error_text = "/mnt/f, read at offset 0, Input/output error (EIO)";
	b.lost_reason = "worker 2 (pid 17) was killed by SIGKILL; its counts so far are included";
	result_add_job(r, &a);
	result_add_job(r, &b);
	result_add_job(r, &c);
	for (size_t i = 0; i < sizeof(verdict) / sizeof(*verdict); i++)
		assert_true(result_add_verdict(r, &verdict[i]));
	r->command = "fiord --assert 'read.clat.p99 < 1ms' \x01\xff";
	r->self.wall_ns = 1999999999;
	result_interrupted(r, 2, 1500000000);
	result_exit_code(r, 1);
	result_finish(r);
}

static void text_and_json_are_as_committed(void **state)
{
	struct strbuf text = { 0 }, json = { 0 };
	struct result r;

	(void)state;
	make(&r);
	r.command = "fiord";
	assert_int_equal(report_normal(&r, &text), 0);
	check_golden("verdicts.txt", &text);
	assert_int_equal(report_json(&r, &json), 0);
	check_golden("verdicts.json", &json);
	strbuf_fini(&text);
	strbuf_fini(&json);
	result_free(&r);
}

static void junit_is_as_committed(void **state)
{
	const struct result *both[2];
	const char *source[] = { "run 1", "run 2" };
	struct strbuf xml = { 0 };
	struct result r, empty;

	(void)state;
	make(&r);
	begin(&empty);
	result_exit_code(&empty, 6);
	both[0] = &r;
	both[1] = &empty;
	assert_int_equal(report_junit(both, source, 2, &xml), 0);
	check_golden("verdicts.xml", &xml);
	strbuf_fini(&xml);
	result_free(&r);
	result_free(&empty);
}

/* A result without verdicts has no key and no table. */
static void without_assertions_nothing_is_written(void **state)
{
	struct strbuf text = { 0 }, json = { 0 };
	struct result r;

	(void)state;
	begin(&r);
	assert_int_equal(report_normal(&r, &text), 0);
	assert_int_equal(report_json(&r, &json), 0);
	assert_null(strstr(strbuf_str(&text), "ssertion"));
	assert_null(strstr(strbuf_str(&json), "ssertion"));
	strbuf_fini(&text);
	strbuf_fini(&json);
	result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_json_are_as_committed),
		cmocka_unit_test(junit_is_as_committed),
		cmocka_unit_test(without_assertions_nothing_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
