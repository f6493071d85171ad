/* Does the log return the entry that a write replaced, and never another one? The expected values are those
 * that were added. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "verify_map.h"

#define RECORDS 256u

static struct verify_undo_record record[RECORDS];

static struct verify_undo empty_log(void)
{
	struct verify_undo u;

	memset(record, 0, sizeof(record));
	verify_undo_init(&u, record, sizeof(record) + 7);
	assert_int_equal(u.nrecords, RECORDS);
	return u;
}

static void test_sizes(void **state)
{
	(void)state;
	assert_int_equal(verify_undo_bytes(0, 1, 0), 65536);
	assert_int_equal(verify_undo_bytes(4096, 1, 0), 65536);
	assert_int_equal(verify_undo_bytes(4097, 1, 0), 65536 + 4096);
	assert_int_equal(verify_undo_bytes(1024, 8, 0), 2 * 65536);
	assert_int_equal(verify_undo_bytes(UINT64_MAX, 2, 0), 65536 * 16);
	assert_int_equal(verify_undo_bytes(1 << 20, 1, 1 << 22), 65536 * 16);
	assert_int_equal(verify_undo_bytes(1 << 20, 1, 1 << 28), (1 << 20) * 16);
	assert_int_equal(verify_undo_bytes(UINT64_MAX, 2, 64 * 100000), 100096 * 16);
	assert_int_equal(verify_undo_bytes_max(64 * 100000), 100096 * 16);
}

static void test_found(void **state)
{
	struct verify_undo u = empty_log();
	uint32_t entry;

	(void)state;
	for (uint32_t n = 1; n <= 200; n++)
		verify_undo_add(&u, n % 7, n, 1000 + n);
	verify_undo_sort(&u);
	for (uint32_t n = 1; n <= 200; n++)
		for (uint64_t i = 0; i < 8; i++) {
			assert_int_equal(verify_undo_entry(&u, i, n, &entry), i == n % 7);
			assert_true(i != n % 7 || entry == 1000 + n);
		}
	assert_false(verify_undo_entry(&u, 0, 201, &entry));
	assert_false(verify_undo_entry(&u, 0, 0, &entry)); /* a record that was not used */
}

/* Records in all orders: the sort must not lose one. */
static void test_sort(void **state)
{
	uint32_t entry;

	(void)state;
	for (uint32_t step = 1; step < RECORDS; step += 2) {
		struct verify_undo u = empty_log();

		for (uint32_t n = 0; n < RECORDS; n++)
			verify_undo_add(&u, n * step % RECORDS / 3, 1 + n * step % RECORDS, n);
		verify_undo_sort(&u);
		for (uint32_t n = 0; n < RECORDS; n++) {
			assert_true(verify_undo_entry(&u, n * step % RECORDS / 3, 1 + n * step % RECORDS,
						      &entry));
			assert_int_equal(entry, n);
		}
	}
}

static void test_oldest_go_first(void **state)
{
	struct verify_undo u = empty_log();
	uint32_t entry;

	(void)state;
	for (uint32_t n = 1; n <= RECORDS + 10; n++)
		verify_undo_add(&u, 3, n, n);
	verify_undo_sort(&u);
	for (uint32_t n = 1; n <= RECORDS + 10; n++)
		assert_int_equal(verify_undo_entry(&u, 3, n, &entry), n > 10);
}

static void test_no_log(void **state)
{
	struct verify_undo u;
	uint32_t entry;

	(void)state;
	verify_undo_init(&u, record, 15);
	verify_undo_sort(&u);
	assert_false(verify_undo_entry(&u, 0, 1, &entry));
}

int unit_verify_undo(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),  cmocka_unit_test(test_found),
		cmocka_unit_test(test_sort),   cmocka_unit_test(test_oldest_go_first),
		cmocka_unit_test(test_no_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
