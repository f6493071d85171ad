/* Do blocks hold the pattern and their offset? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "content.h"

/* The reference: the same, byte by byte. */
static void slowly(const struct pattern *p, unsigned char *out, size_t bytes, uint64_t phase, uint64_t offset)
{
	for (size_t i = 0; i < bytes; i++) {
		uint32_t at = (uint32_t)((phase + i) % p->len);

		out[i] = p->bytes[at];
		for (uint32_t k = 0; k < p->noffsets; k++) {
			if (at >= p->offset_at[k] && at - p->offset_at[k] < PATTERN_OFFSET_BYTES)
				out[i] = (unsigned char)(offset >> 8 * (at - p->offset_at[k]));
		}
	}
}

static const uint32_t at[] = { 1, 12 };
static const struct pattern patterns[] = {
	{ .bytes = (const unsigned char *)"x", .len = 1 },
	{ .bytes = (const unsigned char *)"abc", .len = 3 },
	{ .bytes = (const unsigned char *)"a01234567bcd01234567efg",
	  .len = 23,
	  .noffsets = 2,
	  .offset_at = at },
	{ .bytes = (const unsigned char *)"a01234567", .len = 9, .noffsets = 1, .offset_at = at },
};

static void test_put(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		for (size_t bytes = 0; bytes < 70; bytes++) {
			for (uint64_t phase = 0; phase < 50; phase++) {
				unsigned char got[72], want[72];

				memset(got, '#', sizeof(got));
				memset(want, '#', sizeof(want));
				pattern_put(&patterns[i], got + 1, bytes, phase, 0x1122334455667788);
				slowly(&patterns[i], want + 1, bytes, phase, 0x1122334455667788);
				assert_memory_equal(got, want, sizeof(got));
			}
		}
	}
}

/* In writes and in layouts each block begins with the pattern and holds its own offset. */
static void test_blocks(void **state)
{
	const struct content_geometry place = { .unit = 512, .block = 512 };

	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		const struct buffer_cfg cfg = { .pattern = &patterns[i], .scramble = true, .refill = true };
		unsigned char file[8 * 512], laid[sizeof(file)], buf[512];
		struct content c;

		content_init(&c, &cfg, &place);
		content_init_buffer(&c, buf, sizeof(buf));
		for (uint64_t offset = 0; offset < sizeof(file); offset += 512) {
			content_before_write(&c, buf, 512, offset);
			memcpy(file + offset, buf, 512);
			slowly(&patterns[i], buf, 512, 0, offset);
			assert_memory_equal(file + offset, buf, 512);
		}
		for (size_t from = 0; from < sizeof(laid); from += 100) {
			size_t n = sizeof(laid) - from < 100 ? sizeof(laid) - from : 100;

			assert_true(content_at(&c, laid + from, n, from));
		}
		assert_memory_equal(file, laid, sizeof(file));
	}
}

/* Data that reads left in the buffer is overwritten. */
static void test_after_reads(void **state)
{
	const struct content_geometry place = { .unit = 64, .block = 64, .reads = true };
	const struct buffer_cfg cfg = { .pattern = &patterns[1] };
	unsigned char buf[64], want[64];
	struct content c;

	(void)state;
	content_init(&c, &cfg, &place);
	memset(buf, 7, sizeof(buf));
	content_before_write(&c, buf, sizeof(buf), 0);
	slowly(&patterns[1], want, sizeof(want), 0, 0);
	assert_memory_equal(buf, want, sizeof(buf));
}

int unit_pattern(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_after_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
