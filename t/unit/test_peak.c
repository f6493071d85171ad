/* Does the search of fiord peak find the peak of a device, and the resource that ended it? The device is a
   formula: it serves so many reads at a time, each in so much time; workers, the link and the engines have
   limits of their own. The peaks follow from these by hand. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "peak.h"
#include "strbuf.h"

struct model {
	double places, ms;      /* reads at a time, and the time of each */
	double worker_iops;     /* that one CPU can submit; 0: no limit */
	double link_bytes;      /* per second; 0: no limit */
	double polling, libaio; /* factors of worker_iops; 0: the engine fails */
	bool no_uring;
	double ripple;     /* a share by which every second point is higher */
	double factors[8]; /* of the first points; 0: 1 */
	unsigned cancel_at;
	unsigned points;
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

static int measure(void *ctx, struct peak_search *s, struct peak_point *p, struct diag *d)
{
	struct model *m = ctx;
	double cpus = s->cpus;

	(void)d;
	if (m->cancel_at && m->points >= m->cancel_at)
		return -ECANCELED;
	s->spent_ns += s->point_ns;
	m->points++;
	for (size_t i = 0; i < s->ntargets; i++) {
		const struct peak_setting *set = &p->set[i];
		double per_cpu = m->worker_iops * (set->polling ? m->polling : 1) *
				 (set->engine == PEAK_LIBAIO ? m->libaio : 1);
		double iops = least(set->numjobs * set->iodepth, m->places) / m->ms * 1000;
		double can = least(set->numjobs, cpus / (double)s->ntargets) * per_cpu;

		if (m->no_uring && set->engine == PEAK_URING)
			p->error = "io_uring is not permitted";
		iops = m->worker_iops > 0 ? least(iops, can) : iops;
		iops = m->link_bytes > 0 ? least(iops, m->link_bytes / (double)set->bs) : iops;
		iops *= m->points % 2 ? 1 : 1 + m->ripple;
		if (m->points <= 8 && m->factors[m->points - 1] > 0)
			iops *= m->factors[m->points - 1];
		p->target_iops[i] = iops;
		p->iops += iops;
		p->bw_bytes += iops * (double)set->bs;
		p->cpu = m->worker_iops > 0 ? 100 * iops / can : 10;
	}
	return 0;
}

static unsigned cpus[] = { 2, 3, 0, 1, 4, 5, 6, 7 };

/* Searches n equal targets with 8 CPUs. */
static void search(struct peak_search *s, struct peak_target *t, size_t n, struct model *m, struct arena *mem)
{
	static struct peak_setting start[4];
	const struct peak_target **list = arena_array(mem, n, sizeof(*list));
	struct diag d = { 0 };

	for (size_t i = 0; i < n; i++) {
		list[i] = t;
		start[i] = (struct peak_setting){ .numjobs = 1, .iodepth = 64, .random = true, .bs = 4096 };
	}
	s->targets = list;
	s->ntargets = n;
	s->start = n > 1 ? start : NULL;
	s->cpus = 8;
	s->point_ns = s->point_ns ? s->point_ns : 1;
	s->budget_ns = s->budget_ns ? s->budget_ns : 100;
	s->measure = measure;
	s->ctx = m;
	s->mem = mem;
	assert_int_equal(peak_search(s, &d), 0);
	for (size_t i = 0; s->best < s->npoints && i < s->npoints; i++)
		if (!s->points[i].is_repeat)
			assert_true(peak_value(s->goal, &s->points[i]) <=
				    peak_value(s->goal, &s->points[s->best]) * (1 + s->noise));
	assert_true(s->spent_ns <= s->budget_ns || s->npoints == 1);
}

static struct peak_target target(void)
{
	return (struct peak_target){ .path = "/dev/x:1",
				     .label = "x:1",
				     .disk = "x",
				     .size = 1 << 30,
				     .block = 4096,
				     .cpus = cpus,
				     .ncpus = 8 };
}

static void peaks(void **state)
{
	static const struct {
		const char *label;
		struct model m;
		bool polls, known_link;
		enum peak_goal goal;
		double iops; /* of reads of 4 KiB, or of 1 MiB */
		enum peak_end end;
	} cases[] = {
		{ "16 places of 1 ms", { .places = 16, .ms = 1 }, .iops = 16000, .end = PEAK_END_DEVICE },
		{ "an odd number of places", { .places = 5, .ms = 2 }, .iops = 2500, .end = PEAK_END_DEVICE },
		{ "more places than one worker has depth",
		  { .places = 3000, .ms = 1 },
		  .iops = 3000e3,
		  .end = PEAK_END_DEVICE },
		{ "CPUs of 100,000 reads/s",
		  { .places = 1e6, .ms = 0.05, .worker_iops = 1e5 },
		  .iops = 8e5,
		  .end = PEAK_END_CPU },
		{ "... of which polling needs half",
		  { .places = 1e6, .ms = 0.05, .worker_iops = 1e5, .polling = 2 },
		  .polls = true,
		  .iops = 16e5,
		  .end = PEAK_END_UNKNOWN },
		{ "... but no poll queues",
		  { .places = 1e6, .ms = 0.05, .worker_iops = 1e5, .polling = 2 },
		  .iops = 8e5,
		  .end = PEAK_END_CPU },
		{ "a device that three CPUs saturate",
		  { .places = 250, .ms = 1, .worker_iops = 1e5 },
		  .iops = 250e3,
		  .end = PEAK_END_DEVICE },
		{ "libaio is cheaper",
		  { .places = 1e6, .ms = 0.05, .worker_iops = 1e5, .libaio = 1.5 },
		  .iops = 12e5,
		  .end = PEAK_END_CPU },
		{ "io_uring is forbidden",
		  { .places = 16, .ms = 1, .no_uring = true },
		  .iops = 16000,
		  .end = PEAK_END_DEVICE },
		{ "a link of 1000 MiB/s",
		  { .places = 64, .ms = 10, .link_bytes = 1000 << 20 },
		  .known_link = true,
		  .goal = PEAK_BANDWIDTH,
		  .iops = 1000,
		  .end = PEAK_END_LINK },
		{ "... of which sysfs knows nothing",
		  { .places = 64, .ms = 10, .link_bytes = 1000 << 20 },
		  .goal = PEAK_BANDWIDTH,
		  .iops = 1000,
		  .end = PEAK_END_DEVICE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct peak_search s = { .goal = cases[i].goal };
		struct peak_target t = target();
		struct arena mem = { 0 };
		struct model m = cases[i].m;
		double expected = cases[i].iops * (s.goal == PEAK_IOPS ? 1 : 1 << 20);

		m.libaio = m.libaio > 0 ? m.libaio : 1;
		t.polls = cases[i].polls;
		t.link_bytes = cases[i].known_link ? 1050 << 20 : 0;
		t.link = "PCIe";
		search(&s, &t, 1, &m, &mem);
		if (s.best >= s.npoints || s.mean < expected * 0.999 || s.mean > expected * 1.001 ||
		    s.end != cases[i].end)
			fail_msg("%s: %f, ended by %s", cases[i].label, s.mean, peak_end_names[s.end]);
		assert_int_equal(s.repeats, 3);
		free(s.points);
		arena_fini(&mem);
	}
}

/* Every second point is 5 % higher by chance: the first depth that reaches the places stays the best. */
static void noise(void **state)
{
	struct model m = { .places = 1, .ms = 1, .libaio = 1, .ripple = 0.05 };
	struct peak_search s = { 0 };
	struct peak_target t = target();
	struct arena mem = { 0 };

	(void)state;
	search(&s, &t, 1, &m, &mem);
	assert_true(s.noise > 0.04 && s.noise < 0.06);
	assert_true(s.points[s.best].set[0].iodepth <= 4 && s.points[s.best].set[0].numjobs == 1);
	assert_true(s.low < s.mean && s.mean < s.high);
	free(s.points);
	arena_fini(&mem);
}

/* A stall when the best point is measured again makes the noise 50 %. The doubled point, which is the
   seventh, is 30 % better: the device may do more. */
static void stall(void **state)
{
	struct model m = { .places = 1, .ms = 1, .libaio = 1, .factors = { [3] = 0.5, [6] = 1.3 } };
	struct peak_search s = { 0 };
	struct peak_target t = target();
	struct arena mem = { 0 };

	(void)state;
	search(&s, &t, 1, &m, &mem);
	assert_int_equal(s.doubled, 6);
	assert_true(peak_value(s.goal, &s.points[6]) > 1.29 * peak_value(s.goal, &s.points[s.best]));
	assert_int_equal(s.end, PEAK_END_UNKNOWN);
	free(s.points);
	arena_fini(&mem);
}

/* Without time a search measures its first point. */
static void no_time(void **state)
{
	struct model m = { .places = 1, .ms = 1, .libaio = 1 };
	struct peak_search s = { .budget_ns = 1, .point_ns = 2 };
	struct peak_target t = target();
	struct arena mem = { 0 };

	(void)state;
	search(&s, &t, 1, &m, &mem);
	assert_int_equal(s.npoints, 1);
	assert_true(s.out_of_time && s.best == 0 && s.end == PEAK_END_UNKNOWN);
	free(s.points);
	arena_fini(&mem);
}

/* The best so far is kept if the time ends, or the user ends the search. */
static void ends_early(void **state)
{
	struct model m = { .places = 1e6, .ms = 1, .libaio = 1 };
	struct peak_search s = { .budget_ns = 8 }, c = { 0 }, none = { 0 };
	struct peak_target t = target();
	struct arena mem = { 0 };

	(void)state;
	search(&s, &t, 1, &m, &mem);
	assert_true(s.out_of_time && s.best < s.npoints);
	assert_int_equal(m.points, 8);
	m = (struct model){ .places = 16, .ms = 1, .libaio = 1, .cancel_at = 2 };
	search(&c, &t, 1, &m, &mem);
	assert_true(c.canceled && c.npoints == 2 && c.best == 1 && c.end == PEAK_END_UNKNOWN);
	m = (struct model){ .places = 16, .ms = 1, .libaio = 0, .no_uring = true };
	m.cancel_at = 1;
	search(&none, &t, 1, &m, &mem);
	assert_true(none.best >= none.npoints);
	free(s.points);
	free(c.points);
	free(none.points);
	arena_fini(&mem);
}

/* Four targets of 100 places share 8 CPUs of 100,000 reads/s. */
static void together(void **state)
{
	struct model m = { .places = 100, .ms = 1, .worker_iops = 1e5, .libaio = 1 };
	struct peak_search s = { 0 };
	struct peak_target t = target();
	struct arena mem = { 0 };
	struct strbuf job = { 0 };

	(void)state;
	search(&s, &t, 4, &m, &mem);
	assert_true(s.mean > 399e3 && s.mean < 401e3);
	peak_put_jobs(&job, &s, s.points[0].set, 1000000000, true);
	/* One section for each target, and one CPU for each worker: the nearest that no other has. */
	assert_non_null(strstr(strbuf_str(&job), "[iops-x_1]\nstonewall\nfilename=/dev/x\\:1\n"));
	assert_non_null(strstr(strbuf_str(&job), "cpus_allowed=2\n"));
	assert_non_null(strstr(strbuf_str(&job), "[iops-x_1-4]\nnew_group\n"));
	assert_non_null(strstr(strstr(strbuf_str(&job), "x_1-4]"), "cpus_allowed=1\n"));
	strbuf_fini(&job);
	free(s.points);
	arena_fini(&mem);
}

/* Wherever the user ends the search, the mean is that of the points there are. */
static void canceled(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 20; at++) {
		struct model m = { .places = 16, .ms = 1, .libaio = 1, .cancel_at = at };
		struct peak_search s = { 0 };
		struct peak_target t = target();
		struct arena mem = { 0 };

		search(&s, &t, 1, &m, &mem);
		assert_int_equal(s.npoints, m.points);
		assert_true(s.best < s.npoints);
		assert_true(s.mean > peak_value(s.goal, &s.points[s.best]) * 0.999);
		assert_true(s.low <= s.mean && s.mean <= s.high);
		free(s.points);
		arena_fini(&mem);
	}
}

int unit_peak(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(peaks),    cmocka_unit_test(noise),      cmocka_unit_test(stall),
		cmocka_unit_test(no_time),  cmocka_unit_test(ends_early), cmocka_unit_test(canceled),
		cmocka_unit_test(together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
