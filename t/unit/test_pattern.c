#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "pattern.h"

#define BLOCK  4096u
#define WRITES 4000u
#define SECTOR 512u

static const struct buffer_cfg normal = { .scramble = true }, refill = { .refill = true, .scramble = true },
			       same = { .refill = false },
			       zero = { .zero = true, .refill = true, .scramble = true };

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t hash_sector(const unsigned char *sector)
{
	uint64_t h = 0, word;

	for (size_t i = 0; i < SECTOR; i += 8) {
		memcpy(&word, sector + i, 8);
		h = rng_mix64(h ^ word);
	}
	return h;
}

/* Sectors that equal another one among many writes of a few buffers, to offsets written again and again. */
static size_t duplicates(const struct buffer_cfg *c)
{
	const size_t per = BLOCK / SECTOR, n = WRITES * per;
	unsigned char buf[4][BLOCK];
	uint64_t *hash = calloc(n, sizeof(*hash));
	size_t twice = 0;
	struct rng r;

	assert_non_null(hash);
	rng_init(&r, 3);
	for (unsigned i = 0; i < 4; i++)
		pattern_fill(c, &r, buf[i], BLOCK);
	for (unsigned w = 0; w < WRITES; w++) {
		unsigned char *b = buf[w % 4];

		pattern_before_write(c, &r, b, BLOCK);
		for (size_t s = 0; s < per; s++)
			hash[w * per + s] = hash_sector(b + s * SECTOR);
	}
	qsort(hash, n, sizeof(*hash), by_value);
	for (size_t i = 1; i < n; i++)
		twice += hash[i] == hash[i - 1];
	free(hash);
	return twice;
}

static void test_unique(void **state)
{
	(void)state;
	assert_int_equal(duplicates(&normal), 0);
	assert_int_equal(duplicates(&refill), 0);
	assert_int_equal(duplicates(&same), WRITES * (BLOCK / SECTOR) - 4 * (BLOCK / SECTOR));
}

/* The largest and smallest count of a byte, and of a pair of bytes by their low halves, among many. */
static void assert_random(const unsigned char *buf, size_t bytes)
{
	unsigned byte[256] = { 0 }, pair[256] = { 0 };

	for (size_t i = 0; i < bytes; i++) {
		byte[buf[i]]++;
		if (i + 1 < bytes)
			pair[(buf[i] & 15) << 4 | (buf[i + 1] & 15)]++;
	}
	for (unsigned i = 0; i < 256; i++) {
		assert_in_range(byte[i], bytes / 256 * 7 / 10, bytes / 256 * 13 / 10);
		assert_in_range(pair[i], bytes / 256 * 7 / 10, bytes / 256 * 13 / 10);
	}
}

static void test_random(void **state)
{
	const size_t bytes = 128 * 1024;
	unsigned char *buf = malloc(bytes), *stamps = malloc(bytes);
	struct rng r;

	(void)state;
	assert_non_null(buf);
	assert_non_null(stamps);
	rng_init(&r, 8);
	pattern_fill(&normal, &r, buf, bytes);
	assert_random(buf, bytes);
	for (size_t i = 0; i < bytes / 16; i++) {
		pattern_before_write(&normal, &r, buf, SECTOR);
		memcpy(stamps + i * 16, buf, 16);
	}
	assert_random(stamps, bytes);
	pattern_before_write(&refill, &r, buf, bytes);
	assert_random(buf, bytes);
	free(buf);
	free(stamps);
}

/* Whatever a buffer held before, no four bytes of it are where they were: nothing for a compressor to find.
 */
static void test_no_runs_left(void **state)
{
	unsigned char seen[16][BLOCK], buf[BLOCK];
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	pattern_fill(&normal, &r, buf, BLOCK);
	for (unsigned w = 0; w < 16; w++) {
		for (unsigned old = 0; old < w; old++) {
			for (unsigned i = 0; i + 4 <= BLOCK; i++)
				assert_memory_not_equal(seen[old] + i, buf + i, 4);
		}
		memcpy(seen[w], buf, BLOCK);
		pattern_before_write(&normal, &r, buf, BLOCK);
	}
	memcpy(seen[0], buf, BLOCK);
	pattern_before_write(&same, &r, buf, BLOCK);
	assert_memory_equal(seen[0], buf, BLOCK);
}

static void test_zero(void **state)
{
	unsigned char buf[BLOCK], zeros[BLOCK] = { 0 };
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	memset(buf, 1, BLOCK);
	pattern_fill(&zero, &r, buf, BLOCK);
	pattern_before_write(&zero, &r, buf, BLOCK);
	assert_memory_equal(buf, zeros, BLOCK);
}

/* Sizes that are no multiple of anything stay inside, at any alignment. */
static void test_odd_sizes(void **state)
{
	static const size_t sizes[] = { 0, 1, 7, 8, 9, 15, 16, 17, 511, 512, 513, 519, 520, 527, 528, 3000 };
	struct rng r;

	(void)state;
	rng_init(&r, 1);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned char *buf = malloc(sizes[i] + 2);

		assert_non_null(buf);
		buf[0] = buf[sizes[i] + 1] = 0x5a;
		pattern_fill(&normal, &r, buf + 1, sizes[i]);
		pattern_before_write(&normal, &r, buf + 1, sizes[i]);
		pattern_before_write(&refill, &r, buf + 1, sizes[i]);
		assert_int_equal(buf[0], 0x5a);
		assert_int_equal(buf[sizes[i] + 1], 0x5a);
		free(buf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unique),       cmocka_unit_test(test_random),
		cmocka_unit_test(test_no_runs_left), cmocka_unit_test(test_zero),
		cmocka_unit_test(test_odd_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
