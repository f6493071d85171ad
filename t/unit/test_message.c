/* message: are marks replaced by the words of a job file or of another reader, and can arguments not forge
 * them? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "diag.h"
#include "message.h"
#include "strbuf.h"

/* This reader knows direct=1, size and clones. It spells sections only on demand and leaves places out. */
static bool spell(const struct speller *s, enum message_mark mark, const char *key, const char *text,
		  struct strbuf *out)
{
	(void)s;
	if (mark == MARK_PLACE)
		return true;
	if (mark == MARK_SECTION)
		strbuf_printf(out, "%s: ", text);
	else if (mark == MARK_WORD && !strcmp(key, "clone"))
		strbuf_puts(out, strcmp(text, "clones") ? "thread" : "threads");
	else if (!strncmp(text, "direct=1", 8))
		strbuf_puts(out, "-Su");
	else if (mark == MARK_OPTION && !strncmp(text, "size", 4))
		strbuf_puts(out, "-f");
	else
		return false;
	return true;
}

static const struct {
	const char *message, *job, *other;
} rows[] = {
	{ "plain", "plain", "plain" },
	{ "{size=4k}: too small", "size=4k: too small", "-f: too small" },
	{ "{rw=read}", "rw=read", "rw=read" },
	{ "{@a.fio:3: }{#x}{size}: no", "a.fio:3: [x]: size: no", "x: -f: no" },
	{ "3 {~clone|clones} of a {~clone|clone}, a {~worker|worker}", "3 clones of a clone, a worker",
	  "3 threads of a thread, a worker" },
	{ "slow{?; say {+direct=1}}{?, or {+openfiles=N}}.", "slow; say direct=1, or openfiles=N.",
	  "slow; say -Su." },
	{ "{?use {+rw=write} or {+direct=1}}", "use rw=write or direct=1", "" },
	{ "use {+rw=write}", "use rw=write", "use rw=write" },
	{ "cut {?off {size=}}", "cut off size=", "cut off -f" },
	{ "a } lone, ${{x}", "a } lone, ${x}", "a } lone, ${x}" },
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static void test_words(void **state)
{
	const struct speller s = { .spell = spell };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf b = { 0 }, m = { 0 };

		message_printf(&m, rows[i].message);
		message_render(strbuf_str(&m), NULL, &b);
		assert_string_equal(strbuf_str(&b), rows[i].job);
		strbuf_clear(&b);
		message_render(strbuf_str(&m), &s, &b);
		assert_string_equal(strbuf_str(&b), rows[i].other);
		strbuf_fini(&b);
		strbuf_fini(&m);
	}
}

#pragma GCC diagnostic pop

/* A mark that is cut off at the end of a slot. */
static void test_cut(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	message_render("cut \016off \001size=1", NULL, &b);
	assert_string_equal(strbuf_str(&b), "cut off size=1");
	strbuf_fini(&b);
}

/* A name with control characters is no mark, and its message loses all marks. */
static void test_arguments(void **state)
{
	const struct speller s = { .spell = spell };
	struct diag d = { 0 };

	(void)state;
	diag_err(&d, -1, "{size=%s}: %s{? of %s {~clone|clones}}", "4k", "\001direct=1\002", "a\nb");
	assert_string_equal(diag_text(&d), "size=4k: ?direct=1? of a?b clones");
	diag_spell(&d, &s);
	assert_string_equal(diag_text(&d), "size=4k: ?direct=1? of a?b clones");
	diag_fini(&d);
	diag_err(&d, -1, "{size=%s}: %s", "4k", "a\nb");
	diag_spell(&d, &s);
	assert_string_equal(diag_text(&d), "-f: a?b");
	diag_fini(&d);
}

static void test_wrap(void **state)
{
	const struct speller s = { .spell = spell };
	struct diag d = { 0 }, copy = { 0 };

	(void)state;
	diag_err(&d, -2, "{size=%u}: no", 4);
	diag_wrap(&d, "{direct=1}");
	diag_place(&d, "{@f:%u: }{#%s}", 3, "x");
	assert_string_equal(diag_text(&d), "f:3: [x]: direct=1: size=4: no");
	diag_spell(&d, &s);
	assert_string_equal(diag_text(&d), "x: -Su: -f: no");
	diag_message(&copy, d.kind, d.err, d.message);
	assert_string_equal(diag_text(&copy), "f:3: [x]: direct=1: size=4: no");
	diag_fini(&copy);
	diag_fini(&d);
}

static void test_notes(void **state)
{
	const struct speller s = { .spell = spell };
	struct notes n = { 0 }, copy = { 0 };

	(void)state;
	notes_add(&n, "{size=%d}: short", 1);
	notes_add(&n, "{size=%d}: short", 1);
	assert_int_equal(n.count, 1);
	notes_copy(&copy, &n);
	notes_spell(&copy, &s);
	assert_string_equal(n.line[0], "size=1: short");
	assert_string_equal(copy.line[0], "-f: short");
	notes_fini(&n);
	notes_fini(&copy);
}

int unit_message(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words), cmocka_unit_test(test_cut),   cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_wrap),  cmocka_unit_test(test_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
