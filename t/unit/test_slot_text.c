/* Does a slot hold each note of its worker once, and say when there was no room? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "region.h"

static struct slot slot;

static void test_each_note_once(void **state)
{
	(void)state;
	memset(&slot, 0, sizeof(slot));
	for (int round = 0; round < 3; round++)
		for (int n = 0; n < SLOT_NOTES; n++)
			slot_note(&slot, NULL, "file %d", n);
	assert_string_equal(slot.note[0], "file 0");
	assert_string_equal(slot.note[SLOT_NOTES - 1], "file 5");
	assert_false(slot.more_notes);
	slot_note(&slot, NULL, "another");
	assert_string_equal(slot.note[SLOT_NOTES - 1], "file 5");
	assert_true(slot.more_notes);
}

static void test_long_note(void **state)
{
	char text[1000];

	(void)state;
	memset(&slot, 0, sizeof(slot));
	memset(text, 'x', sizeof(text));
	text[3] = '\n';
	text[sizeof(text) - 1] = '\0';
	slot_note(&slot, NULL, "%s", text);
	slot_note(&slot, NULL, "%s", text);
	assert_int_equal(strlen(slot.note[0]), sizeof(slot.note[0]) - 1);
	assert_int_equal(slot.note[0][3], '?');
	assert_string_equal(slot.note[1], "");
}

int unit_slot_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_note_once),
		cmocka_unit_test(test_long_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
