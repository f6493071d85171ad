/* When does the report say that the processor limited the figures, and in which words? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "busy.h"
#include "message.h"
#include "strbuf.h"

#define S 1000000000ull

struct row {
	const char *name;
	struct busy_worker w;
	const char *says; /* NULL: no note */
};

/* Sets user and system time per I/O, for 10^6 I/Os. */
static const struct row rows[] = {
	{ "idle", { S, 1000000, S / 10, S / 10, 0, 1000000, true }, NULL },
	{ "just below", { S, 1000000, S / 2, S * 44 / 100, 0, 10, true }, NULL },
	{ "user",
	  { S, 1000000, S * 99 / 100, S / 1000, 0, 10, true },
	  "its worker used 99.1 % of a core (990 ns user, 1 ns system per I/O: most of it in fiord "
	  "itself)" },
	{ "system",
	  { S, 1000000, S / 10, S * 86 / 100, 0, 10, true },
	  "its worker used 96.0 % of a core (100 ns user, 860 ns system per I/O: most of it in the kernel" },
	{ "with a little waiting",
	  { S, 1000000, S * 92 / 100, 0, S * 4 / 100, 10, true },
	  "its worker used 92.0 % of a core (920 ns" },
	{ "half a core",
	  { S, 1000000, S / 2, 0, S * 49 / 100, 100, true },
	  "used 50.0 % of a core and waited for one 49.0 % of the time; more threads were ready to run "
	  "than" },
	{ "rounding of the kernel's",
	  { S, 1000000, S * 101 / 100, 0, 0, 10, true },
	  "used 100.0 % of a core (" },
	{ "polls, or has a rate that it met", { S, 1000000, S, 0, 0, 10, false }, NULL },
	{ "too short", { S / 100, 1000000, S / 100, 0, 0, 10, true }, NULL },
	{ "nothing done", { S, 0, S, 0, 0, 10, true }, NULL },
	{ "never ran", { 0, 0, 0, 0, 0, 0, true }, NULL },
	{ "waits for the device and for a core",
	  { S, 1000, S / 10, 0, S * 3 / 10, 1000, true },
	  "its worker waited for a core 30.0 % of the time, and the latencies include" },
	{ "a rate on a full machine",
	  { S, 1000, S / 10, 0, S * 3 / 10, 1000, false },
	  "its worker waited for a core 30.0 % of the time" },
	{ "wakes up often", { S, 100000, S / 10, 0, S * 3 / 10, 100000, true }, NULL },
};

static bool say(const struct busy *b, char *text, size_t size)
{
	struct strbuf message = { 0 }, words = { 0 };
	bool any = busy_message(b, &message);

	message_render(strbuf_str(&message), NULL, &words);
	snprintf(text, size, "%s", strbuf_str(&words));
	strbuf_fini(&message);
	strbuf_fini(&words);
	return any;
}

static void test_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct busy b = { 0 };
		char text[400];
		bool said;

		busy_add(&b, &rows[i].w);
		said = say(&b, text, sizeof(text));
		if (said != (rows[i].says != NULL) || (said && !strstr(text, rows[i].says)))
			fail_msg("%s: \"%s\"", rows[i].name, text);
	}
}

/* The note has the figures of the workers that it names. */
static void test_several(void **state)
{
	const struct busy_worker full = { S, 1000000, S * 98 / 100, 0, 0, 10, true };
	const struct busy_worker idle = { S, 10, S / 100, 0, 0, 10, true };
	struct busy b = { 0 };
	char text[400];

	(void)state;
	busy_add(&b, &full);
	busy_add(&b, &full);
	assert_true(say(&b, text, sizeof(text)));
	assert_string_equal(
		text,
		"the processor, not the device, limited the job: all 2 workers used 98.0 % of a core each "
		"(980 ns user, 0 ns system per I/O: most of it in fiord itself)");
	busy_add(&b, &idle);
	assert_true(say(&b, text, sizeof(text)));
	assert_non_null(strstr(text, ": 2 of 3 workers used 98.0 % of a core each (980 ns user, 0 ns"));
}

int unit_busy(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_one), cmocka_unit_test(test_several) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
