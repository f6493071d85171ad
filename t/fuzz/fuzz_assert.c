/* fuzz_assert: assertions, one a line, on a small result. A refused one has an error and adds nothing; an
   accepted one is judged without harm, each verdict has a figure whose name is a figure again, and a measured
   value compares as the operator says. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assertion.h"
#include "files.h"
#include "hosts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_lists(struct result *r, struct result_job *job)
{
	static const struct file_dir counts = { .ios = 3,
						.lat = { { .n = 3, .min = 1, .max = 9, .sum = 12 } } };
	struct result_rate_step step[] = { { .dir = { { .rate = 5, .iops = 5 } } }, { .length_ns = 5 } };
	const uint64_t sample[] = { 5, 6 };
	const char *const path[] = { "d/b", "x]\"y", "a.files[\"b\"].c" };
	const struct result_rate_steps steps = { .dirs = 1, .steps = step, .nsteps = 2 };
	const struct result_steady steady = { .on = true, .samples = 2, .iops = sample, .bw = sample };
	struct result_cpu cpu[] = { { 0, 5 }, { 3, 6 } };

	step[0].dir[0].lat[STEP_CLAT].sum = (struct step_lat_figures){ 5, 1, 9, 20, 4, { 2, 8 } };
	if (!job)
		return;
	result_job_rate_steps(r, job, &steps);
	result_job_steady(r, job, &steady);
	job->files.on = true;
	for (unsigned i = 0; i < sizeof(path) / sizeof(*path); i++) {
		struct result_file *file = result_files_find(r, &job->files, NULL, path[i]);

		if (file && i)
			result_file_add(r, file, DIR_READ, &counts, &(struct result_bins){ 0 });
	}
	result_files_finish(r, &job->files, &job->sum);
	result_set_idle(r, &(struct result_idle){ .on = true, .ncpus = 2, .cpus = cpu });
}

static void make_result(struct result *r)
{
	static const struct result_host_wave wave = { .took_ns = 5 };
	static const struct result_prio prio[] = { { .sum.lat = { .n = 1, .min = 5, .max = 5 } },
						   { .sum.lat = { .n = 0 } } };
	struct result_job a = { .name = "a", .rw = "randrw" },
			  b = { .name = "b.c", .rw = "write", .both = true };
	struct summary_dir *d = &a.sum.dir[DIR_READ];

	result_init(r, "fiord", "1", "3");
	d->ios = 10;
	d->iops = 1234.5;
	d->runtime_ms = 10;
	d->lat[LAT_CLAT] =
		(struct summary_lat){ .n = 10, .min = 1, .max = 9, .mean = 5, .percentiles = true };
	a.sum.npercentiles = 1;
	a.sum.percentiles[0] = 99.9;
	a.verify.on = true;
	b.sum.sync_ios = 3;
	a.prios[DIR_READ] = prio;
	a.nprios[DIR_READ] = 2;
	a.prio_kind = LAT_CLAT;
	add_lists(r, result_add_job(r, &a));
	result_add_job(r, &b);
	result_add_job(r, &a);
	result_add_host(r, &(struct result_host){ .hostname = "n1", .waves = &wave, .nwaves = 1 });
	result_add_disk(r, &(struct result_disk){ .name = "sda", .counts = { .util = 50 } });
}

/* The name of a verdict's figure must be one that an assertion can have. */
static void check_name(const struct result_verdict *v)
{
	struct assertions list = { 0 };
	struct diag d = { 0 };
	char text[512];

	snprintf(text, sizeof(text), "%s == 0%s", v->figure, v->unit == LIMIT_TIME ? "s" : "");
	if (assertion_parse(&list, text, &d)) {
		fprintf(stderr, "%s: %s\n", text, diag_text(&d));
		abort();
	}
	assertions_fini(&list);
	diag_fini(&d);
}

static void check_verdicts(const struct result *r)
{
	for (size_t i = 0; i < r->verdicts.n; i++) {
		const struct result_verdict *v = &r->verdicts.v[i];
		bool less = v->measured<v->limit, more = v->measured> v->limit;
		bool met = strchr(v->op, '<')   ? less || (v->op[1] && !more)
			   : strchr(v->op, '>') ? more || (v->op[1] && !less)
			   : *v->op == '='      ? !less && !more
						: less || more;

		if (v->passed != (!v->why && met))
			abort();
		check_name(v);
	}
}

static void judge(struct assertions *list)
{
	struct assertion_facts facts;
	struct result r = { 0 };
	struct diag d = { 0 };

	make_result(&r);
	if (!assertion_facts_of(&facts, &r)) {
		assertion_check(list, &facts, &d);
		if (!assertion_judge(list, &facts, &r))
			check_verdicts(&r);
		/* Each assertion that the jobs can meet has a verdict, and the others have one, too. */
		if (r.verdicts.n < list->n && !r.failed)
			abort();
	}
	assertion_facts_fini(&facts);
	result_free(&r);
	diag_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *save = NULL;
	struct assertions list = { 0 };

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *line = strtok_r(text, "\n", &save); line && list.n < 64;
	     line = strtok_r(NULL, "\n", &save)) {
		struct diag d = { 0 };
		size_t had = list.n;
		int err = assertion_parse(&list, line, &d);

		if ((err != 0) != (d.err != 0) || list.n != had + !err ||
		    (err && strchr(diag_text(&d), '\n')))
			abort();
		diag_fini(&d);
	}
	judge(&list);
	assertions_fini(&list);
	free(text);
	return 0;
}
