/* Which intervals do the jobs of a plan close, and what do their records hold? */
#include "test_jobs.h"
#include "plan.h"

#define MS   ((uint64_t)1000000)
#define CLAT (1u << LAT_CLAT)

struct planned {
	struct parsed p;
	struct plan plan;
	struct facts facts;
};

/* log: b, i, l, h for each log that is on, with these windows. */
static void make(struct planned *x, const char *args, const char *logs, uint32_t avg_ms, uint32_t hist_ms)
{
	struct diag d = { 0 };

	memset(x, 0, sizeof(*x));
	parse_args(&x->p, args);
	assert_int_equal(x->p.err, 0);
	for (size_t i = 0; i < x->p.set.njobs; i++) {
		struct log_cfg *l = &x->p.set.jobs[i].opts.log;

		l->bw = strchr(logs, 'b') ? strdup("") : NULL;
		l->iops = strchr(logs, 'i') ? strdup("") : NULL;
		l->lat = strchr(logs, 'l') ? strdup("") : NULL;
		l->hist = strchr(logs, 'h') ? strdup("") : NULL;
		l->avg_ms = avg_ms;
		l->hist_ms = hist_ms;
	}
	assert_int_equal(plan_build(&x->plan, &x->p.set, &x->facts, &d), 0);
}

static void unmake(struct planned *x)
{
	plan_fini(&x->plan);
	facts_fini(&x->facts);
	free_parsed(&x->p);
}

/* ms; 0: no such track */
static uint64_t length(const struct planned *x, uint32_t job, enum track_use use)
{
	unsigned track;

	return plan_track(&x->plan.jobs[job], use, &track) ? x->plan.jobs[job].tracks.track[track].len_ns / MS
							   : 0;
}

#define JOB "--ioengine=null --size=1m --name=x "

static const struct {
	const char *args, *logs;
	uint32_t avg_ms, hist_ms;
	uint64_t len[TRACK_USES]; /* bw, iops, series, log, hist, steady */
	unsigned tracks;
} cases[] = {
	{ JOB, "", 0, 0, { 500, 500, 100 }, 2 },
	{ JOB "--bwavgtime=100", "", 0, 0, { 100, 500, 100 }, 2 },
	{ JOB "--bwavgtime=70 --iopsavgtime=80", "", 0, 0, { 70, 80, 100 }, 3 },
	/* a log's windows are its samples, unless the option requests shorter ones */
	{ JOB, "b", 1000, 0, { 1000, 500, 100, 1000 }, 3 },
	{ JOB, "i", 1000, 0, { 500, 1000, 100, 1000 }, 3 },
	{ JOB "--bwavgtime=500", "b", 1000, 0, { 500, 500, 100, 1000 }, 3 },
	{ JOB "--bwavgtime=2000", "b", 1000, 0, { 1000, 500, 100, 1000 }, 3 },
	{ JOB, "l", 1000, 0, { 500, 500, 100, 1000 }, 3 },
	{ JOB, "bil", 0, 0, { 500, 500, 100, 0 }, 2 },
	{ JOB, "", 1000, 0, { 500, 500, 100, 0 }, 2 },
	{ JOB "--bwavgtime=1 --iopsavgtime=2", "blh", 10, 20, { 1, 2, 100, 10, 20 }, 5 },
	{ JOB, "h", 0, 100, { 500, 500, 100, 0, 100 }, 2 },
	{ JOB "--disable_bw=1", "", 0, 0, { 0, 0, 100 }, 1 },
	{ JOB "--runtime=9 --ss=snia --ss_interval=250ms", "", 0, 0, { 500, 500, 100, 0, 0, 250 }, 3 },
	{ JOB "--bwavgtime=1 --iopsavgtime=2 --runtime=9 --ss_dur=2",
	  "blh",
	  10,
	  20,
	  { 1, 2, 100, 10, 20, 1000 },
	  6 },
	{ JOB "--numjobs=65", "", 0, 0, { 500, 500, 500 }, 1 },
};

static void test_lengths(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct planned x;

		make(&x, cases[i].args, cases[i].logs, cases[i].avg_ms, cases[i].hist_ms);
		for (unsigned use = 0; use < TRACK_USES; use++)
			assert_int_equal(length(&x, 0, use), cases[i].len[use]);
		assert_int_equal(x.plan.jobs[0].tracks.n, cases[i].tracks);
		unmake(&x);
	}
}

/* A shared track holds the data of all its readers. */
static void test_contents(void **state)
{
	struct planned x;
	const struct plan_job *pj;
	unsigned track;

	(void)state;
	make(&x, JOB "--bwavgtime=100", "lh", 100, 500);
	pj = &x.plan.jobs[0];
	assert_int_equal(pj->tracks.n, 2);
	assert_true(plan_track(pj, TRACK_LOG, &track));
	assert_int_equal(pj->tracks.track[track].moments, 1u << LAT_SLAT | CLAT | 1u << LAT_LAT);
	assert_int_equal(pj->tracks.track[track].hists, CLAT); /* for the series */
	assert_true(plan_track(pj, TRACK_IOPS, &track));
	assert_int_equal(pj->tracks.track[track].hists, CLAT);
	assert_int_equal(pj->tracks.track[track].moments, CLAT);
	unmake(&x);
}

/* The rows of a group add up the same moments: all members are sampled like the first. */
static void test_groups(void **state)
{
	struct planned x;

	(void)state;
	make(&x,
	     "--ioengine=null --size=1m --group_reporting --name=a --bwavgtime=100 --name=b --bwavgtime=200 "
	     "--name=c --new_group --bwavgtime=300",
	     "", 0, 0);
	assert_int_equal(length(&x, 0, TRACK_BW), 100);
	assert_int_equal(length(&x, 1, TRACK_BW), 100);
	assert_int_equal(length(&x, 2, TRACK_BW), 300);
	unmake(&x);
	make(&x, "--ioengine=null --size=1m --name=a --bwavgtime=100 --name=b --bwavgtime=200", "", 0, 0);
	assert_int_equal(length(&x, 1, TRACK_BW), 200);
	unmake(&x);
}

static void test_kinds(void **state)
{
	static const struct {
		const char *args;
		enum lat_kind kind;
	} kinds[] = {
		{ JOB, LAT_CLAT },
		{ JOB "--lat_percentiles=1", LAT_LAT },
		{ JOB "--disable_clat=1 --lat_percentiles=1", LAT_LAT },
		{ JOB "--disable_clat=1", LAT_LAT },
		{ JOB "--gtod_reduce=1", LAT_KINDS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct planned x;

		make(&x, kinds[i].args, "", 0, 0);
		assert_int_equal(x.plan.jobs[0].series_kind, kinds[i].kind);
		unmake(&x);
	}
}

int unit_tracks(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
