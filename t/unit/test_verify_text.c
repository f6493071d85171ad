/* Do errors and reports name each damage, with the unit of its values? The texts are the ones a person should
   read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include "verify_check.h"

/* clang-format off */
static const struct { enum verify_damage_kind kind; uint64_t expected, found; const char *text; } rows[] = {
	{ DAMAGE_OLD_FIO, 5, 2, "written by fio 3.33 or older" },
	{ DAMAGE_VERSION, 0x81, 0x82, "header of another version: 0x81 expected, 0x82 found" },
	{ DAMAGE_OTHER_KIND, 5, 2, "another kind of verify: crc32c expected, md5 found" },
	{ DAMAGE_OTHER_KIND, 5, 6, "another kind of verify: crc32c expected, type 6 found" },
	{ DAMAGE_OTHER_KIND, 5, 0, "another kind of verify: crc32c expected, type 0 found" },
	{ DAMAGE_NO_HEADER, 0xacca, 0, "no header: 0xacca expected, 0x0 found" },
	{ DAMAGE_MISPLACED, 0, 4096, "another block: offset 0 expected, offset 4096 found" },
	{ DAMAGE_OTHER_JOB, 1, 2, "another job's block: job 1 expected, job 2 found" },
	{ DAMAGE_EARLIER_RUN, 7, 7, "of an earlier run: write 7 expected, write 7 found" },
	{ DAMAGE_STALE, 7, 3, "stale: write 7 expected, write 3 found" },
	{ DAMAGE_SEED, 0x1f, UINT64_MAX, "another write: seed 0x1f expected, seed 0xffffffffffffffff found" },
	{ DAMAGE_LENGTH, 4096, 512, "a block of another size: 4096 bytes expected, 512 bytes found" },
	{ DAMAGE_ZEROED, 0, 0, "zeroed" },
	{ DAMAGE_NOT_TRIMMED, 0, 0xca, "not zero after a trim: 0x00 expected, 0xca found" },
	{ DAMAGE_BEYOND_END, 0, 0, "beyond the end of the file" },
	{ DAMAGE_DATA, 0x3e, 1, "corrupt: 0x3e expected, 0x01 found" },
};
/* clang-format on */

static void damages_are_named(void **state)
{
	char text[VERIFY_DAMAGE_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		verify_damage_text(rows[i].kind, rows[i].expected, rows[i].found, text);
		assert_string_equal(text, rows[i].text);
	}
}

/* The longest texts fit, and each kind has a name. */
static void all_kinds_fit(void **state)
{
	char text[VERIFY_DAMAGE_TEXT], value[VERIFY_VALUE_TEXT];

	(void)state;
	for (unsigned kind = DAMAGE_NONE; kind < DAMAGE_KINDS; kind++) {
		verify_value_text(kind, UINT64_MAX, value);
		verify_damage_text(kind, UINT64_MAX, UINT64_MAX, text);
		assert_true(strlen(value) < sizeof(value) - 1 && strlen(text) < sizeof(text) - 1);
		assert_ptr_equal(strstr(text, verify_damages[kind].name), text);
		assert_int_equal(value[0] == '\0', verify_damages[kind].value == VERIFY_VALUE_NONE);
		if (value[0])
			assert_string_equal(text + strlen(text) - strlen(" found"), " found");
	}
}

int unit_verify_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damages_are_named),
		cmocka_unit_test(all_kinds_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
