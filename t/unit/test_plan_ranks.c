/* Do the plans of several ranks differ as their options say? The expected offsets follow from the options;
   the seeds must be those of fiord alone on rank 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline.h"
#include "plan.h"

#define MIB (UINT64_C(1) << 20)

struct planned {
	struct job_set set;
	struct facts_target target;
	struct facts f;
	struct plan p;
	struct diag d;
	int err;
};

static uint32_t run_number;

/* Plans the arguments as this rank. file_bytes: length of the file "data"; 0: it is missing. */
static void plan_as(struct planned *x, struct rank_info rank, uint64_t file_bytes, const char *line)
{
	char *copy = strdup(line), *argv[32] = { (char *)"fiord" }, *save = NULL;
	struct cmdline c = { 0 };
	int argc = 1;

	*x = (struct planned){ 0 };
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	x->err = cmdline_parse(&c, &x->set, argc, argv, &x->d);
	x->set.run.rank = rank;
	x->target = (struct facts_target){ .path = "data",
					   .facts = { .type = file_bytes ? TARGET_FILE : TARGET_MISSING,
						      .size = file_bytes,
						      .marked = true,
						      .dev = 1,
						      .ino = file_bytes ? 7 : 0,
						      .fs_size = MIB << 20,
						      .fs_free = MIB << 20 } };
	x->f = (struct facts){
		.targets = &x->target, .ntargets = 1, .entropy = rank.entropy, .run = run_number
	};
	x->err = x->err ? x->err : plan_build(&x->p, &x->set, &x->f, &x->d);
	free(copy);
}

static void planned_fini(struct planned *x)
{
	plan_fini(&x->p);
	job_set_fini(&x->set);
	diag_fini(&x->d);
}

static void test_offsets(void **state)
{
	static const struct {
		const char *options;
		uint32_t rank;
		uint64_t start, second; /* of the first and second clone */
	} cases[] = {
		{ "--rank_offset_increment=8m", 0, 0, 0 },
		{ "--rank_offset_increment=8m", 3, 24 * MIB, 24 * MIB },
		{ "--rank_offset_increment=8m --offset=1m --offset_increment=2m", 2, 17 * MIB, 19 * MIB },
		{ "--rank_offset_increment=25%", 2, 32 * MIB, 32 * MIB },
		{ "--zonemode=strided --zonesize=1m --rank_offset_increment=4z", 2, 8 * MIB, 8 * MIB },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct planned x;
		char line[256];

		snprintf(line, sizeof(line), "--name=a --filename=data --rw=read --size=1m --numjobs=2 %s",
			 cases[i].options);
		plan_as(&x, (struct rank_info){ cases[i].rank, 4, 0 }, 64 * MIB, line);
		assert_string_equal(diag_text(&x.d), "no error");
		assert_int_equal(x.p.jobs[0].files[0].start, cases[i].start);
		assert_int_equal(x.p.jobs[1].files[0].start, cases[i].second);
		planned_fini(&x);
	}
}

static void test_too_large(void **state)
{
	struct planned x;

	(void)state;
	plan_as(&x, (struct rank_info){ 3, 4, 0 }, 0,
		"--name=a --filename=data --rw=write --size=1m --rank_offset_increment=8192p");
	assert_int_equal(x.err, -EINVAL);
	assert_non_null(strstr(diag_text(&x.d), "too large"));
	planned_fini(&x);
}

struct seeds {
	uint64_t job, hot, content, shared;
	uint32_t verify_run;
};

static struct seeds seeds_of(struct rank_info rank, const char *options)
{
	struct planned x;
	char line[256];
	struct seeds s;

	snprintf(line, sizeof(line),
		 "--filename=data --rw=randwrite --size=1m %s --name=a --name=b --dedupe_percentage=50 "
		 "--dedupe_mode=working_set --dedupe_global=1",
		 options);
	plan_as(&x, rank, 64 * MIB, line);
	assert_string_equal(diag_text(&x.d), "no error");
	memset(&s, 0, sizeof(s));
	s.job = x.p.jobs[0].seed;
	s.hot = x.p.jobs[0].hot_seed;
	s.content = x.p.jobs[0].content.seed;
	s.shared = x.p.jobs[1].content.seed;
	s.verify_run = x.p.jobs[0].verify.run;
	planned_fini(&x);
	return s;
}

static void assert_differ(const struct seeds *a, const struct seeds *b)
{
	assert_int_not_equal(a->job, b->job);
	assert_int_not_equal(a->content, b->content);
	assert_int_not_equal(a->shared, b->shared);
	assert_int_equal(a->hot, b->hot); /* ranks that share a file share its hot blocks */
}

static void test_seeds(void **state)
{
	static const struct rank_info alone = { 0 }, first = { 0, 3, 5 }, second = { 1, 3, 5 },
				      third = { 2, 3, 5 };
	struct seeds a, b, c;

	(void)state;
	a = seeds_of(alone, "");
	b = seeds_of(first, "");
	assert_memory_equal(&a, &b, sizeof(a));
	b = seeds_of(second, "");
	c = seeds_of(third, "");
	assert_differ(&a, &b);
	assert_differ(&b, &c);
	b = seeds_of(second, "--randrepeat=ranks");
	assert_memory_equal(&a, &b, sizeof(a));
	b = seeds_of(second, "--randrepeat=ranks --allrandrepeat=1");
	assert_memory_equal(&a, &b, sizeof(a));
	b = seeds_of(first, "--randrepeat=0");
	c = seeds_of(second, "--randrepeat=0");
	assert_differ(&b, &c);
	assert_int_not_equal(a.job, b.job);
}

/* Another run has other contents and the same order of I/Os. */
static void test_runs(void **state)
{
	static const struct rank_info alone = { 0 };
	static const struct {
		const char *options;
		bool same_content;
		uint32_t verify_run;
	} cases[] = {
		{ "", false, 0 },
		{ "--randseed=5", true, 0 },
		{ "--allrandrepeat=1", true, 0 },
		{ "--allrandrepeat=1 --randrepeat=0", true, 0 },
		{ "--verify=meta", false, 77 },
		{ "--verify=meta --randseed=5", true, 77 },
		{ "--verify=meta --allrandrepeat=1", true, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct seeds a, b;

		run_number = 0;
		a = seeds_of(alone, cases[i].options);
		run_number = 77;
		b = seeds_of(alone, cases[i].options);
		run_number = 0;
		assert_int_equal(a.job, b.job);
		assert_int_equal(a.hot, b.hot);
		assert_int_equal(a.content == b.content, cases[i].same_content);
		assert_int_equal(a.shared == b.shared, cases[i].same_content);
		assert_int_equal(b.verify_run, cases[i].verify_run);
	}
}

/* rank_shared: a file that needs a layout is refused if there are others who would lay it out, too. */
static void test_layout(void **state)
{
	static const struct {
		uint32_t ranks;
		uint64_t file_bytes;
		const char *options, *error;
	} cases[] = {
		{ 1, 0, "--rw=read --rank_shared=1", NULL },
		{ 2, 0, "--rw=read", NULL },
		{ 2, 4 * MIB, "--rw=read --rank_shared=1", NULL },
		{ 2, 4 * MIB, "--rw=write --rank_shared=1", NULL },
		{ 2, 0, "--rw=read --rank_shared=1", "does not exist" },
		{ 2, 0, "--rw=write --rank_shared=1", "does not exist" },
		{ 2, 3 * MIB, "--rw=write --rank_shared=1", "is shorter" },
		{ 2, 3 * MIB, "--rw=read --rank_shared=1", "is shorter" },
		{ 2, 4 * MIB, "--rw=write --overwrite=1 --rank_shared=1", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct planned x;
		char line[256];

		snprintf(line, sizeof(line), "--name=a --filename=data --size=4m %s", cases[i].options);
		plan_as(&x, (struct rank_info){ 0, cases[i].ranks, 0 }, cases[i].file_bytes, line);
		assert_int_equal(!!x.err, !!cases[i].error);
		assert_true(!cases[i].error || strstr(diag_text(&x.d), cases[i].error));
		assert_true(!cases[i].error || strstr(diag_text(&x.d), "--filesize=4194304"));
		planned_fini(&x);
	}
}

int unit_plan_ranks(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_offsets), cmocka_unit_test(test_too_large),
					    cmocka_unit_test(test_seeds), cmocka_unit_test(test_runs),
					    cmocka_unit_test(test_layout) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
