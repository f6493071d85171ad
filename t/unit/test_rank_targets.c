/* rank_targets: which uses of one file by two ranks are refused, what counts as one file, and are damaged
   records refused? The facts are invented; the expected verdicts follow from rank_targets.h. */
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
#include "rank_targets.h"
#include "rng.h"
#include "strbuf.h"

#define MIB (UINT64_C(1) << 20)

/* One rank: its machine, the facts about its only file, and its job. */
struct member {
	uint64_t machine;
	const struct target_facts *facts;
	const char *path, *options;
};

static const struct target_facts old_file = {
	.type = TARGET_FILE, .size = 4 * MIB, .marked = true, .dev = 1, .ino = 7, .fstype = "ext4"
};
static const struct target_facts old_other = {
	.type = TARGET_FILE, .size = 4 * MIB, .marked = true, .dev = 1, .ino = 8, .fstype = "ext4"
};
static const struct target_facts missing = { .type = TARGET_MISSING,
					     .dev = 1,
					     .dir_dev = 1,
					     .dir_ino = 3,
					     .missing_at = 2,
					     .fstype = "ext4",
					     .fs_size = MIB << 20,
					     .fs_free = MIB << 20 };
static const struct target_facts device = { .type = TARGET_BLOCK, .size = 64 * MIB, .rdev = 9, .dev = 5 };
static const struct target_facts null_device = { .type = TARGET_CHAR,
						 .rdev = 0x103,
						 .dev = 5 }; /* /dev/null */

static void pack(const struct member *m, struct strbuf *out)
{
	char line[256], *argv[32] = { (char *)"fiord" }, *save = NULL;
	struct facts_target target = { .path = m->path, .facts = *m->facts };
	struct facts f = { .targets = &target, .ntargets = 1 };
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct plan p = { 0 };
	struct diag d = { 0 };
	int argc = 1;

	snprintf(line, sizeof(line), "--name=a --filename=%s --size=1m %s", m->path, m->options);
	for (char *w = strtok_r(line, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	cmdline_parse(&c, &set, argc, argv, &d);
	if (!d.err)
		plan_build(&p, &set, &f, &d);
	assert_string_equal(diag_text(&d), "no error");
	rank_targets_pack(&p, m->machine, out);
	assert_false(out->failed);
	plan_fini(&p);
	job_set_fini(&set);
	diag_fini(&d);
}

static const char *host(const void *ctx, int rank)
{
	(void)ctx;
	return rank ? "h2" : "h1";
}

/* Returns the verdict on two ranks. */
static int verdict(const struct member *a, const struct member *b, char *text, size_t size)
{
	struct rank_targets t = { 0 };
	struct strbuf x = { 0 }, y = { 0 };
	struct diag d = { 0 };
	int err;

	pack(a, &x);
	pack(b, &y);
	assert_int_equal(rank_targets_add(&t, 0, strbuf_str(&x), x.len), 0);
	assert_int_equal(rank_targets_add(&t, 1, strbuf_str(&y), y.len), 0);
	err = rank_targets_check(&t, host, NULL, &d);
	snprintf(text, size, "%s", err ? diag_text(&d) : "");
	rank_targets_fini(&t);
	strbuf_fini(&x);
	strbuf_fini(&y);
	diag_fini(&d);
	return err;
}

static void test_conflicts(void **state)
{
	static const struct {
		struct member a, b;
		const char *words; /* NULL: permitted */
	} cases[] = {
		{ { 1, &old_file, "f", "--rw=read" }, { 1, &old_file, "f", "--rw=read" }, NULL },
		{ { 1, &old_file, "f", "--rw=write" }, { 1, &old_file, "f", "--rw=read" }, NULL },
		{ { 1, &old_file, "f", "--rw=write" }, { 1, &old_other, "f", "--rw=write" }, NULL },
		{ { 1, &old_file, "f", "--rw=write" },
		  { 1, &old_file, "g", "--rw=write" },
		  "f: h1 (rank 0) and h2 (rank 1, as g) would both write this file" },
		{ { 1, &old_file, "f", "--rw=write" }, { 2, &old_file, "f", "--rw=write" }, NULL },
		{ { 1, &old_file, "f", "--rw=write --rank_shared=1" },
		  { 1, &old_file, "f", "--rw=write --rank_shared=1" },
		  NULL },
		{ { 1, &old_file, "f", "--rw=write --rank_shared=1" },
		  { 1, &old_file, "f", "--rw=randrw" },
		  "permit it with rank_shared=1" },
		{ { 1, &missing, "d/f", "--rw=write" }, { 1, &missing, "d//f", "--rw=write" }, "both write" },
		{ { 1, &missing, "d/f", "--rw=write" }, { 1, &missing, "d/g", "--rw=write" }, NULL },
		{ { 1, &missing, "d/f", "--rw=read" }, { 1, &missing, "d/f", "--rw=read" }, "both lay out" },
		{ { 1, &device, "x", "--rw=trim" }, { 1, &device, "y", "--rw=write" }, "both write" },
		{ { 1, &device, "x", "--rw=write" }, { 2, &device, "x", "--rw=write" }, NULL },
		{ { 1, &null_device, "n", "--rw=write" }, { 1, &null_device, "n", "--rw=write" }, NULL },
		{ { 1, &old_file, "f", "--rw=write --rank_shared=1 --verify=crc32c" },
		  { 1, &old_file, "f", "--rw=write --rank_shared=1" },
		  "verifies bytes" },
		{ { 1, &old_file, "f", "--rw=write --rank_shared=1 --verify=crc32c" },
		  { 1, &old_file, "f", "--rw=write --rank_shared=1 --offset=1m" },
		  NULL },
		{ { 1, &old_file, "f", "--rw=read --verify=crc32c" },
		  { 1, &old_file, "f", "--rw=write" },
		  "verifies" },
		{ { 1, &old_file, "f", "--rw=read --verify=crc32c" },
		  { 1, &old_file, "f", "--rw=read --verify=crc32c" },
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[512];

		verdict(&cases[i].a, &cases[i].b, text, sizeof(text));
		if (!cases[i].words != !*text || (cases[i].words && !strstr(text, cases[i].words)))
			fail_msg("case %zu: %s", i, text);
		verdict(&cases[i].b, &cases[i].a, text,
			sizeof(text)); /* the order of the ranks does not matter */
		assert_int_equal(!cases[i].words, !*text);
	}
}

/* Hosts that mount one source have the same files, whatever their device numbers are. */
static void test_file_systems(void **state)
{
	uint64_t one = rank_fs_id(1, 40, "nfs4", "server:/export"),
		 other = rank_fs_id(2, 51, "nfs4", "server:/export");

	(void)state;
	assert_int_equal(one, other);
	assert_int_not_equal(one, rank_fs_id(2, 40, "nfs4", "server:/home"));
	assert_int_not_equal(one, rank_fs_id(2, 40, "lustre", "server:/export"));
	assert_int_not_equal(rank_fs_id(1, 40, "ext4", "/dev/sda1"), rank_fs_id(2, 40, "ext4", "/dev/sda1"));
	assert_int_not_equal(rank_fs_id(1, 40, "beegfs", "none"), rank_fs_id(2, 40, "beegfs", "none"));
	assert_int_equal(rank_machine_id(), rank_machine_id());
}

static void test_damaged(void **state)
{
	const struct member m = { 1, &old_file, "f", "--rw=write" };
	struct strbuf x = { 0 };
	struct rng rng;

	(void)state;
	pack(&m, &x);
	for (size_t n = 1; n < x.len; n++) {
		struct rank_targets t = { 0 };
		char *copy = malloc(n);

		memcpy(copy, x.text, n);
		assert_int_equal(rank_targets_add(&t, 0, copy, n), -EPROTO);
		rank_targets_fini(&t);
		free(copy);
	}
	rng_init(&rng, 1);
	for (unsigned i = 0; i < 1000; i++) {
		struct rank_targets t = { 0 };
		struct diag d = { 0 };
		char *copy = malloc(x.len);

		memcpy(copy, x.text, x.len);
		copy[rng_below(&rng, x.len)] = (char)rng_below(&rng, 256);
		if (!rank_targets_add(&t, 0, copy, x.len) && !rank_targets_add(&t, 1, x.text, x.len))
			rank_targets_check(&t, host, NULL, &d);
		diag_fini(&d);
		rank_targets_fini(&t);
		free(copy);
	}
	strbuf_fini(&x);
}

int unit_rank_targets(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_conflicts),
					    cmocka_unit_test(test_file_systems),
					    cmocka_unit_test(test_damaged) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
