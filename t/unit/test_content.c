/* Is the data of writes random or compressible as requested? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "content.h"

#define BLOCK  4096u
#define WRITES 4000u
#define SECTOR 512u

static const struct buffer_cfg normal = { .scramble = true }, refill = { .refill = true, .scramble = true },
			       same = { .refill = false },
			       zero = { .zero = true, .refill = true, .scramble = true },
			       half = { .compress = 50, .compress_chunk = 512 };

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

static void begin(struct content *c, const struct buffer_cfg *cfg, uint64_t seed)
{
	const struct content_geometry place = {
		.seed = seed, .unit = BLOCK, .block = BLOCK, .units = WRITES
	};

	content_init(c, cfg, &place);
}

/* Writes a few buffers many times, to offsets that repeat, and counts the sectors that equal another one. */
static size_t duplicates(const struct buffer_cfg *cfg)
{
	const size_t per = BLOCK / SECTOR, n = WRITES * per;
	unsigned char buf[4][BLOCK];
	uint64_t *hash = calloc(n, sizeof(*hash));
	size_t twice = 0;
	struct content c;

	assert_non_null(hash);
	begin(&c, cfg, 3);
	for (unsigned i = 0; i < 4; i++)
		content_init_buffer(&c, buf[i], BLOCK);
	for (unsigned w = 0; w < WRITES; w++) {
		unsigned char *b = buf[w % 4];

		content_before_write(&c, b, BLOCK, 0);
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

/* Finds the largest and smallest count of a byte, and of a pair of bytes by their low halves. */
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
	struct content c;

	(void)state;
	assert_non_null(buf);
	assert_non_null(stamps);
	begin(&c, &normal, 8);
	content_init_buffer(&c, buf, bytes);
	assert_random(buf, bytes);
	for (size_t i = 0; i < bytes / 16; i++) {
		content_before_write(&c, buf, SECTOR, 0);
		memcpy(stamps + i * 16, buf, 16);
	}
	assert_random(stamps, bytes);
	begin(&c, &refill, 8);
	content_before_write(&c, buf, bytes, 0);
	assert_random(buf, bytes);
	free(buf);
	free(stamps);
}

/* Refilling a buffer leaves no four bytes in place, so a compressor finds no repetition. */
static void test_no_runs_left(void **state)
{
	unsigned char seen[16][BLOCK], buf[BLOCK];
	struct content c;

	(void)state;
	begin(&c, &normal, 1);
	content_init_buffer(&c, buf, BLOCK);
	for (unsigned w = 0; w < 16; w++) {
		for (unsigned old = 0; old < w; old++) {
			for (unsigned i = 0; i + 4 <= BLOCK; i++)
				assert_memory_not_equal(seen[old] + i, buf + i, 4);
		}
		memcpy(seen[w], buf, BLOCK);
		content_before_write(&c, buf, BLOCK, 0);
	}
	memcpy(seen[0], buf, BLOCK);
	begin(&c, &same, 1);
	content_before_write(&c, buf, BLOCK, 0);
	assert_memory_equal(seen[0], buf, BLOCK);
}

static void test_zero(void **state)
{
	unsigned char buf[BLOCK], zeros[BLOCK] = { 0 };
	struct content c;

	(void)state;
	begin(&c, &zero, 1);
	memset(buf, 1, BLOCK);
	content_init_buffer(&c, buf, BLOCK);
	content_before_write(&c, buf, BLOCK, 0);
	assert_memory_equal(buf, zeros, BLOCK);
}

/* A job that also reads into its buffers writes no data that it has read. */
static void test_after_reads(void **state)
{
	static unsigned char seen[2][32 * BLOCK];
	const struct content_geometry place = { .seed = 1, .unit = BLOCK, .block = BLOCK, .reads = true };
	struct content c;

	(void)state;
	content_init(&c, &normal, &place);
	for (unsigned w = 0; w < 2; w++) {
		memset(seen[w], 0, sizeof(seen[w]));
		content_before_write(&c, seen[w], sizeof(seen[w]), 0);
		assert_random(seen[w], sizeof(seen[w]));
	}
	for (unsigned i = 0; i + 4 <= sizeof(seen[0]); i++)
		assert_memory_not_equal(seen[0] + i, seen[1] + i, 4);
	content_init(&c, &zero, &place);
	content_before_write(&c, seen[0], BLOCK, 0);
	memset(seen[1], 0, BLOCK);
	assert_memory_equal(seen[0], seen[1], BLOCK);
}

/* Odd sizes stay inside the buffer, at any alignment. */
static void test_odd_sizes(void **state)
{
	static const size_t sizes[] = { 0, 1, 7, 8, 9, 15, 16, 17, 511, 512, 513, 519, 520, 527, 528, 3000 };
	struct content c, over, units;

	(void)state;
	begin(&c, &normal, 1);
	content_init(&over, &normal, &(struct content_geometry){ .unit = BLOCK, .reads = true });
	begin(&units, &half, 1);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned char *buf = malloc(sizes[i] + 2);

		assert_non_null(buf);
		buf[0] = buf[sizes[i] + 1] = 0x5a;
		content_init_buffer(&c, buf + 1, sizes[i]);
		content_before_write(&c, buf + 1, sizes[i], 0);
		content_before_write(&over, buf + 1, sizes[i], 0);
		content_before_write(&units, buf + 1, sizes[i], 0);
		assert_int_equal(buf[0], 0x5a);
		assert_int_equal(buf[sizes[i] + 1], 0x5a);
		free(buf);
	}
}

int unit_content(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unique),       cmocka_unit_test(test_random),
		cmocka_unit_test(test_no_runs_left), cmocka_unit_test(test_after_reads),
		cmocka_unit_test(test_zero),         cmocka_unit_test(test_odd_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
