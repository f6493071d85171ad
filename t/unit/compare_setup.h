/* compare_setup.h: results written by hand, and their comparison. */
#ifndef COMPARE_SETUP_H
#define COMPARE_SETUP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"

/* A job of 10 s: reads with these IOPS, and a latency that all percentiles share. */
struct sample {
	const char *name;
	double iops;
	uint64_t lat_ns;
	const char *bs, *direct;
	unsigned group;
};

static inline void add_sample(struct result *r, const struct sample *s)
{
	static const double list[] = { 50, 99, 99.9 };
	const struct result_opt opt[] = { { "bs", s->bs ? s->bs : "4k" },
					  { "direct", s->direct ? s->direct : "1" },
					  { "runtime", "10" } };
	struct result_job j = { .name = s->name,
				.rw = "randread",
				.engine = "libaio",
				.iodepth = 4,
				.group = s->group,
				.options = opt,
				.noptions = 3 };
	struct summary_dir *d = &j.sum.dir[DIR_READ];

	d->ios = (uint64_t)(s->iops * 10);
	d->bytes = d->ios * 4096;
	d->runtime_ms = 10000;
	d->runtime_ns = 10000000000;
	d->iops = s->iops;
	d->bw_bytes = d->bytes / 10;
	d->bw_row = (struct summary_rate){ 20, 1, 2, s->iops * 4, s->iops * 0.04 };
	d->iops_row = (struct summary_rate){ 20, 1, 2, s->iops, s->iops * 0.01 };
	d->lat[LAT_CLAT] = (struct summary_lat){ d->ios,
						 s->lat_ns / 2,
						 s->lat_ns * 2,
						 (double)s->lat_ns,
						 5,
						 true,
						 { s->lat_ns, s->lat_ns, s->lat_ns } };
	j.sum.npercentiles = 3;
	memcpy(j.sum.percentiles, list, sizeof(list));
	assert_non_null(result_add_job(r, &j));
}

static inline void make(struct result *r, uint64_t timestamp_ms, const struct sample *s, size_t n)
{
	result_init(r, "fiord", "1.0.0", "3.42");
	r->timestamp_ms = timestamp_ms;
	for (size_t i = 0; i < n; i++)
		add_sample(r, &s[i]);
}

/* ---- a comparison of up to three runs on each side ---- */

struct setup {
	struct result res[6];
	const struct result *a[3], *b[3];
	const char *source_a[3], *source_b[3];
	size_t na, nb;
	struct compare_cfg cfg;
	struct compare c;
	struct diag d;
	int err;
};

static inline void add_run(struct setup *s, bool b, const struct sample *jobs, size_t n)
{
	static const char *const names[] = { "1.json", "2.json", "3.json", "4.json", "5.json", "6.json" };
	size_t at = s->na + s->nb;

	make(&s->res[at], 1000 + at, jobs, n);
	if (b) {
		s->source_b[s->nb] = names[at];
		s->b[s->nb++] = &s->res[at];
	} else {
		s->source_a[s->na] = names[at];
		s->a[s->na++] = &s->res[at];
	}
}

static inline void compare_setup(struct setup *s)
{
	const struct compare_runs a = { s->a, s->source_a, s->na }, b = { s->b, s->source_b, s->nb };
	static const double list[] = { 50, 99, 99.9 };

	s->cfg.confidence = 0.95;
	s->cfg.npercentiles = 3;
	memcpy(s->cfg.percentiles, list, sizeof(list));
	s->err = compare_results(&s->c, &a, &b, &s->cfg, &s->d);
}

static inline void fini(struct setup *s)
{
	compare_fini(&s->c);
	for (size_t i = 0; i < s->na + s->nb; i++)
		result_free(&s->res[i]);
	diag_fini(&s->d);
	memset(s, 0, sizeof(*s));
}

static inline const struct compare_figure *find(const struct setup *s, size_t job, const char *name)
{
	char buf[COMPARE_NAME];

	for (size_t i = 0; i < s->c.jobs[job].nfigures; i++)
		if (!strcmp(compare_figure_name(&s->c.jobs[job].figures[i], buf), name))
			return &s->c.jobs[job].figures[i];
	fail_msg("no figure %s", name);
	return NULL;
}

static inline void assert_error(const struct setup *s, const char *part)
{
	assert_int_equal(s->err, -EINVAL);
	if (!strstr(diag_text(&s->d), part))
		fail_msg("'%s' does not contain '%s'", diag_text(&s->d), part);
}

#endif
