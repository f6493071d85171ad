/* Does a verify state say what each write left on the disk, and does it know the job that saved it? The
   answers are compared with a list of what was written, synced and lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "rng.h"
#include "verify_states.h"

static void check_answers(const struct verify_state *s, enum verify_policy policy, uint32_t file,
			  const enum verify_state_answer *expected, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (verify_state_of(s, policy, file, i) != expected[i])
			fail_msg("write %u of file %u: answer %d, not %d", (unsigned)i, file,
				 verify_state_of(s, policy, file, i), expected[i]);
}

/* ---- answers ---- */

static void test_answers(void **state)
{
	static const enum verify_state_answer completed[] = { MUST, MAY, MUST, MAY, MAY, MUST, MAY, NEVER },
					      file0[] = { MUST, MAY, MAY, MAY, MAY, MAY, MAY, NEVER },
					      file1[] = { MUST, MAY, MUST, MAY, MAY, MUST, MAY, NEVER },
					      file2[] = { MAY, MAY, MAY, MAY, MAY, MAY, MAY, NEVER };
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint32_t i = 0; i < 3; i++)
		issue(&f, i, 0, i);
	verify_state_done(&f.w, 0, true);
	verify_state_done(&f.w, 2, true);
	sync_file(&f, 5, 0); /* write 1 is in flight */
	verify_state_done(&f.w, 1, false);
	issue(&f, 0, 1, 4); /* the loop dropped number 3 */
	issue(&f, 1, 1, 5);
	verify_state_done(&f.w, 0, false);
	verify_state_done(&f.w, 1, true);
	sync_file(&f, 5, 1);
	issue(&f, 1, 1, 6);
	parse(&s, &f);
	check_answers(&s, COMPLETED, 0, completed, 8);
	check_answers(&s, FSYNCED, 0, file0, 8);
	check_answers(&s, FSYNCED, 1, file1, 8);
	check_answers(&s, FSYNCED, 2, file2, 8);
	end(&f);
}

/* A write that overlaps with another one in flight completes and is synced: its block may hold the other. */
static void test_overlap(void **state)
{
	static const enum verify_state_answer answers[] = { MUST, MAY, MUST, NEVER };
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint32_t i = 0; i < 3; i++)
		issue(&f, i, 0, i);
	verify_state_set_uncertain(&f.w, 1);
	for (uint32_t i = 0; i < 3; i++)
		verify_state_done(&f.w, i, true);
	sync_file(&f, 5, 0);
	parse(&s, &f);
	check_answers(&s, COMPLETED, 0, answers, 4);
	check_answers(&s, FSYNCED, 0, answers, 4);
	end(&f);
}

static void test_durable_writes(void **state)
{
	struct verify_state_shape shape = shape_of(false, 0);
	struct state_file f;
	struct verify_state s;

	(void)state;
	shape.durable = true;
	begin(&f, shape);
	issue(&f, 0, 0, 0);
	issue(&f, 1, 0, 1);
	verify_state_done(&f.w, 0, true);
	parse(&s, &f);
	assert_int_equal(verify_state_of(&s, FSYNCED, 0, 0), MUST);
	assert_int_equal(verify_state_of(&s, FSYNCED, 0, 1), MAY);
	end(&f);
}

/* The kernel reports an error of writing back once: an fsync that succeeds later does not have those data. */
static void test_failed_fsync(void **state)
{
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint64_t n = 0; n < 4; n++) {
		issue(&f, 0, 0, n);
		verify_state_done(&f.w, 0, true);
		if (n == 0 || n == 3)
			sync_file(&f, 1, 0);
		if (n == 2) {
			verify_state_sync_issue(&f.w, 1, 0);
			verify_state_sync_done(&f.w, 1, false);
		}
	}
	parse(&s, &f);
	check_answers(&s, FSYNCED, 0, (enum verify_state_answer[]){ MUST, MAY, MAY, MUST }, 4);
	check_answers(&s, COMPLETED, 0, (enum verify_state_answer[]){ MUST, MAY, MAY, MUST }, 4);
	end(&f);
}

/* More runs of failures than the file has room for: still no failed write must be there. */
static void test_many_failures(void **state)
{
	struct state_file f;
	struct verify_state s;
	struct rng r;

	(void)state;
	rng_init(&r, 3);
	begin(&f, shape_of(false, 0));
	for (uint64_t n = 0; n < 1000; n++) {
		issue(&f, 0, 0, n);
		verify_state_done(&f.w, 0, n % 3 != 0);
	}
	parse(&s, &f);
	assert_int_equal(s.failed, VERIFY_STATE_FAILED_MAX);
	for (uint64_t n = 0; n < 1000; n += 3)
		assert_int_equal(verify_state_of(&s, COMPLETED, 0, n), MAY);
	assert_int_equal(verify_state_of(&s, COMPLETED, 0, 1), MUST);
	end(&f);
}

static void test_passes(void **state)
{
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	for (uint64_t pass = 0; pass < 9; pass++) {
		verify_state_pass(&f.w, pass, pass * 10);
		parse(&s, &f);
		assert_int_equal(s.pass, pass);
		for (unsigned back = 0; back <= 2 && back <= pass; back++)
			assert_int_equal(verify_state_first(&s, back), (pass - back) * 10);
	}
	end(&f);
}

static void test_map(void **state)
{
	struct state_file f;
	struct verify_state s;
	uint32_t *map;

	(void)state;
	begin(&f, shape_of(false, 8000));
	map = (uint32_t *)(void *)(f.mem + f.layout.map_at);
	for (uint32_t i = 0; i < 2000; i++)
		map[i] = i + 7;
	parse(&s, &f);
	assert_int_equal(s.layout.map_bytes, 8000);
	assert_memory_equal(s.map, map, 8000);
	end(&f);
}

/* ---- settings ---- */

static void expect_match(const struct verify_state *s, const char *name, const char *value, const char *words)
{
	struct verify_state_setting set[SETTINGS + 1];
	struct diag d = { 0 };
	int err;

	memcpy(set, settings, sizeof(settings));
	set[SETTINGS] = (struct verify_state_setting){ name, value };
	err = verify_state_match(s, set, SETTINGS + 1, &d);
	assert_int_equal(err, words ? -EINVAL : 0);
	if (words)
		assert_non_null(strstr(diag_text(&d), words));
	diag_fini(&d);
}

static void test_settings(void **state)
{
	struct state_file f;
	struct verify_state s;

	(void)state;
	begin(&f, shape_of(false, 0));
	parse(&s, &f);
	expect_match(&s, "bs", "4k", NULL);
	expect_match(&s, "clone", "0", NULL);
	expect_match(&s, "bs", "8k", "had bs=4k, this job has bs=8k");
	expect_match(&s, "rw", "", "had rw=randwrite, this job has rw=");
	expect_match(&s, "loops", "2", "had no loops");
	expect_match(&s, "filename", "/mnt/b", NULL);
	end(&f);
}

/* Two long values that differ at their end only. */
static void test_long_setting(void **state)
{
	char one[1000], two[1000];
	struct verify_state_setting saved = { "verify_pattern", one }, other = { "verify_pattern", two };
	struct verify_state_shape shape = shape_of(false, 0);
	struct state_file f = { .shape = shape };
	struct verify_state s;
	struct diag d = { 0 };

	(void)state;
	memset(one, 'a', sizeof(one) - 1);
	one[sizeof(one) - 1] = '\0';
	memcpy(two, one, sizeof(one));
	f.shape.settings = 1;
	f.shape.setting_bytes = (uint32_t)verify_state_settings(&saved, 1, NULL);
	assert_int_equal(verify_state_layout(&f.shape, &f.layout), 0);
	f.mem = calloc(1, f.layout.bytes);
	assert_non_null(f.mem);
	verify_state_format(&f.shape, &saved, f.mem);
	parse(&s, &f);
	assert_int_equal(verify_state_match(&s, &other, 1, &d), 0);
	two[998] = 'b';
	assert_int_equal(verify_state_match(&s, &other, 1, &d), -EINVAL);
	diag_fini(&d);
	free(f.mem);
}

int unit_verify_state(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_durable_writes),
		cmocka_unit_test(test_failed_fsync),
		cmocka_unit_test(test_many_failures),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_long_setting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
