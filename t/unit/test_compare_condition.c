/* Are the conditions of fiord compare --fail-if parsed and judged as fiord-compare(1) says? The results are
   written by hand. */
#include "compare_setup.h"

static void conditions_are_parsed(void **state)
{
	static const struct {
		const char *text, *job;
		unsigned dir;
		bool resp;
		enum compare_what what;
		double percentile;
		bool above;
		enum compare_limit kind;
		double limit;
	} row[] = {
		{ "p99 > +10%", NULL, DIR_COUNT, false, COMPARE_LAT_PERCENTILE, 99, true, COMPARE_RELATIVE,
		  0.1 },
		{ "p99>10%", NULL, DIR_COUNT, false, COMPARE_LAT_PERCENTILE, 99, true, COMPARE_RELATIVE,
		  0.1 },
		{ "read.p99.9 >= 2ms", NULL, DIR_READ, false, COMPARE_LAT_PERCENTILE, 99.9, true,
		  COMPARE_FIGURE, 2e6 },
		{ "my.job.write.iops < -5%", "my.job", DIR_WRITE, false, COMPARE_IOPS, 0, false,
		  COMPARE_RELATIVE, -0.05 },
		{ "a>b.iops < -500", "a>b", DIR_COUNT, false, COMPARE_IOPS, 0, false, COMPARE_DELTA, -500 },
		{ "trim.resp.mean > +50us", NULL, DIR_TRIM, true, COMPARE_LAT_MEAN, 0, true, COMPARE_DELTA,
		  5e4 },
		{ "  bw < 200M ", NULL, DIR_COUNT, false, COMPARE_BW, 0, false, COMPARE_FIGURE,
		  200 * 1048576. },
		{ "bw < 1MiB/s", NULL, DIR_COUNT, false, COMPARE_BW, 0, false, COMPARE_FIGURE, 1048576. },
		{ "iops < 20k", NULL, DIR_COUNT, false, COMPARE_IOPS, 0, false, COMPARE_FIGURE, 20000 },
		{ "cpu > +2.5%", NULL, DIR_COUNT, false, COMPARE_CPU, 0, true, COMPARE_RELATIVE, 0.025 },
		{ "sync.max > 1s", NULL, DIR_SYNC, false, COMPARE_LAT_MAX, 0, true, COMPARE_FIGURE, 1e9 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct compare_condition c;
		struct diag d = { 0 };

		if (compare_condition_parse(&c, row[i].text, &d))
			fail_msg("%s: %s", row[i].text, diag_text(&d));
		if (row[i].job)
			assert_string_equal(c.job, row[i].job);
		else
			assert_null(c.job);
		assert_int_equal(c.dir, row[i].dir);
		assert_int_equal(c.resp, row[i].resp);
		assert_int_equal(c.what, row[i].what);
		assert_true(fabs(c.percentile - row[i].percentile) < 1e-9);
		assert_int_equal(c.above, row[i].above);
		assert_int_equal(c.kind, row[i].kind);
		assert_true(fabs(c.limit - row[i].limit) <= 1e-9 * fabs(row[i].limit));
		compare_condition_fini(&c);
	}
}

static void bad_conditions_are_refused(void **state)
{
	static const struct {
		const char *text, *part;
	} row[] = {
		{ "", "has the form" },
		{ "p99", "has the form" },
		{ "p99 = 5", "has the form" },
		{ "> 5%", "has the form" },
		{ "iop < -5%", "did you mean iops?" },
		{ "read.mena > 5%", "did you mean mean?" },
		{ "p > 5%", "is not a figure" },
		{ "p99 > 5% and iops < 3%", "a condition is one comparison" },
		{ "p100 > 5%", "is not a figure" },
		{ "p0 > 5%", "is not a figure" },
		{ "latency > 5%", "figures are iops, bw" },
		{ "p99 >", "try +10%, +50us or 2ms" },
		{ "p99 > +", "is not a limit" },
		{ "p99 > abc", "is not a limit" },
		{ "p99 > .", "is not a limit" },
		{ "p99 > 5", "is not a limit" },
		{ "p99 > 5k", "is not a limit" },
		{ "p99 > nan%", "is not a limit" },
		{ "p99 > .%", "is not a limit" },
		{ "p99 > 5%%", "is not a limit" },
		{ "iops < 5ms", "is not a limit" },
		{ "iops < -100%", "fall by 100% or more" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct compare_condition c;
		struct diag d = { 0 };

		assert_int_equal(compare_condition_parse(&c, row[i].text, &d), -EINVAL);
		if (!strstr(diag_text(&d), row[i].part))
			fail_msg("%s: '%s' does not contain '%s'", row[i].text, diag_text(&d), row[i].part);
		assert_null(c.job);
		diag_fini(&d);
	}
}

struct judged {
	const char *text;
	enum compare_state state;
};

static void check_judged(const struct judged *row, size_t rows, const struct sample *a, size_t na,
			 const struct sample *b, size_t nb)
{
	for (size_t i = 0; i < rows; i++) {
		struct compare_condition cond;
		struct setup s = { 0 };

		assert_int_equal(compare_condition_parse(&cond, row[i].text, &s.d), 0);
		for (size_t k = 0; k < na; k++)
			add_run(&s, false, &a[k], 1);
		for (size_t k = 0; k < nb; k++)
			add_run(&s, true, &b[k], 1);
		s.cfg.conditions = &cond;
		s.cfg.nconditions = 1;
		compare_setup(&s);
		assert_int_equal(s.err, 0);
		assert_int_equal(s.c.verdict.n, 1);
		if (s.c.verdict.v[0].state != row[i].state)
			fail_msg("%s: state %d", row[i].text, s.c.verdict.v[0].state);
		compare_condition_fini(&cond);
		fini(&s);
	}
}

/* B has 10 % fewer IOPS, and intervals of about 2 %; its latency has no interval. */
static void conditions_are_judged(void **state)
{
	static const struct judged row[] = {
		{ "iops < -5%", COMPARE_FAILS },       { "iops < -20%", COMPARE_PASSES },
		{ "iops > +5%", COMPARE_PASSES },      { "iops < -50", COMPARE_FAILS },
		{ "iops < -200", COMPARE_PASSES },     { "iops < 950", COMPARE_FAILS },
		{ "iops < 899", COMPARE_PASSES },      { "iops < 901", COMPARE_UNSURE },
		{ "iops < +5%", COMPARE_FAILS },       { "iops > -5%", COMPARE_PASSES },
		{ "iops > -15%", COMPARE_FAILS },      { "iops > -10.1%", COMPARE_UNSURE },
		{ "p99 > +10%", COMPARE_UNJUDGED },    { "p99 > +30%", COMPARE_PASSES },
		{ "p99 > 1100ns", COMPARE_FAILS },     { "p99 > 1300ns", COMPARE_PASSES },
		{ "j.read.p99 > 1us", COMPARE_FAILS }, { "max > +10%", COMPARE_UNJUDGED },
		{ "max < +50us", COMPARE_UNJUDGED },   { "max < -10%", COMPARE_PASSES },
	};
	static const struct sample a = { "j", 1000, 1000 }, b = { "j", 900, 1200 };

	(void)state;
	check_judged(row, sizeof(row) / sizeof(*row), &a, 1, &b, 1);
}

/* B, or one of its runs, did no I/O at all. */
static void a_total_loss_is_judged(void **state)
{
	static const struct judged row[] = {
		{ "iops < -5%", COMPARE_FAILS },  { "bw < -99%", COMPARE_FAILS },
		{ "iops < -500", COMPARE_FAILS }, { "iops < -1500", COMPARE_PASSES },
		{ "iops > +5%", COMPARE_PASSES }, { "iops > -50%", COMPARE_PASSES },
		{ "iops < 1", COMPARE_FAILS },    { "iops < +5%", COMPARE_FAILS },
	};
	static const struct sample a[] = { { "j", 1000, 1000 }, { "j", 1010, 1000 } },
				   b[] = { { "j", 0, 0 }, { "j", 1000, 1000 } };

	(void)state;
	for (size_t n = 1; n <= 2; n++)
		check_judged(row, sizeof(row) / sizeof(*row), a, n, b, n);
}

/* A has the jobs j and k. B lacks k, or k ended there with an error. */
static void lost_jobs_fail_conditions(void **state)
{
	static const struct {
		const char *text;
		size_t verdicts[2]; /* of a missing job, of one with an error; 0: it is an error */
		bool fails;
	} row[] = {
		{ "iops < -5%", { 2, 4 }, true },       { "k.iops < -5%", { 1, 2 }, true },
		{ "k.read.p99 > 2ms", { 1, 2 }, true }, { "all jobs.iops < -5%", { 1, 2 }, true },
		{ "j.iops < -5%", { 1, 1 }, false },    { "k.write.iops < -5%", { 0, 0 } },
		{ "k.mixed.iops < -5%", { 0, 0 } },
	};
	static const struct sample job[] = { { "j", 1000, 1000 }, { "k", 1000, 1000 } };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(row) / sizeof(*row); i++) {
		bool ended = i % 2;
		size_t want = row[i / 2].verdicts[ended];
		struct compare_condition cond;
		struct setup s = { 0 };

		assert_int_equal(compare_condition_parse(&cond, row[i / 2].text, &s.d), 0);
		add_run(&s, false, job, 2);
		add_run(&s, true, job, ended ? 2 : 1);
		if (ended)
			s.res[1].jobs[1]->error = EIO;
		s.cfg.conditions = &cond;
		s.cfg.nconditions = 1;
		compare_setup(&s);
		assert_int_equal(s.err, want ? 0 : -EINVAL);
		assert_int_equal(s.c.verdict.n, want);
		assert_int_equal(compare_fails(&s.c), row[i / 2].fails);
		if (want && row[i / 2].fails)
			assert_string_equal(s.c.verdict.v[want - 1].why,
					    ended ? "it ended with Input/output error (EIO) in 2.json"
						  : "2.json has no such job");
		compare_condition_fini(&cond);
		fini(&s);
	}
}

static void conditions_without_a_figure_are_errors(void **state)
{
	static const struct {
		const char *text, *part;
		bool mixed;
	} row[] = {
		{ "write.iops < -5%", "no job has such a figure" },
		{ "randrad.iops < -5%", "did you mean 'randread'?" },
		{ "other.iops < -5%", "no job is called 'other'" },
		{ "device.p99 > 5%", "a part of the latency stands behind its direction" },
		{ "read.latency.p99 > 5%", "a latency has no kind but resp: write read.p99" },
		{ "p99 > 5% and read.iops < -5%", "a condition is one comparison" },
		{ "randread.write.iops < -5%", "job 'randread' has no such figure" },
		{ "resp.p99 > 5%", "no job has such a figure" },
		{ "mixed.iops < -5%", "no job has such a figure" },
		{ "read.iops < -5%", "no job has such a figure", true },
		{ "write.iops < -5%", "no job has such a figure", true },
		{ "mixed.iops < -5%", NULL, true },
		{ "read.iops < -5%", NULL },
	};
	static const struct sample a = { "randread", 1000, 1000 };

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct compare_condition cond;
		struct setup s = { 0 };

		assert_int_equal(compare_condition_parse(&cond, row[i].text, &s.d), 0);
		add_run(&s, false, &a, 1);
		add_run(&s, true, &a, 1);
		s.res[0].jobs[0]->mixed = s.res[1].jobs[0]->mixed = row[i].mixed;
		s.cfg.conditions = &cond;
		s.cfg.nconditions = 1;
		compare_setup(&s);
		if (row[i].part)
			assert_error(&s, row[i].part);
		else
			assert_int_equal(s.err, 0);
		compare_condition_fini(&cond);
		fini(&s);
	}
}

int unit_compare_condition(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_parsed),
		cmocka_unit_test(bad_conditions_are_refused),
		cmocka_unit_test(conditions_are_judged),
		cmocka_unit_test(a_total_loss_is_judged),
		cmocka_unit_test(lost_jobs_fail_conditions),
		cmocka_unit_test(conditions_without_a_figure_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
