/* Does each sector of a block say of which write it is? The blocks are those that fiord makes; each sector is
   offered the seeds and numbers of its own write and of others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "verify_pieces.h"

#define BYTES 4096u
#define AT    (UINT64_C(7) << 20)

static const struct buffer_cfg no_buffer = { 0 };

static void make(struct verify_format *f, const struct verify_cfg *cfg, unsigned char *buf, uint64_t number)
{
	const struct verify_write w = {
		.offset = AT, .bytes = BYTES, .seed = 100 + number, .number = number
	};

	verify_format_init(f, cfg, &no_buffer, BYTES);
	verify_block_make(f, &w, buf);
}

static void check_block(const struct verify_cfg *cfg)
{
	unsigned char buf[BYTES], *sector;
	struct verify_format f;

	make(&f, cfg, buf, 5);
	assert_true(verify_sectors_known(&f, BYTES));
	for (uint32_t at = 0; at < BYTES; at += VERIFY_SECTOR) {
		sector = buf + at;
		assert_true(verify_sector_is_of(&f, sector, AT + at, 105, 5));
		assert_false(verify_sector_is_of(&f, sector, AT + at, 104, 4));
		assert_false(verify_sector_is_of(&f, sector, AT + at, 104, 5));
		sector[511] ^= 1;
		assert_false(verify_sector_is_of(&f, sector, AT + at, 105, 5));
		memset(sector, 0, VERIFY_SECTOR);
		assert_false(verify_sector_is_of(&f, sector, AT + at, 105, 5));
	}
}

static void test_kinds(void **state)
{
	(void)state;
	for (int kind = VERIFY_NULL + 1; kind < VERIFY_KINDS; kind++) {
		const struct verify_cfg whole = { .kind = kind }, parts = { .kind = kind, .interval = 1024 };

		if (kind == VERIFY_PATTERN || kind == VERIFY_PATTERN_HDR)
			continue;
		check_block(&whole);
		check_block(&parts);
	}
}

static void test_headers(void **state)
{
	const struct verify_cfg cfg = { .kind = VERIFY_CRC32C };
	unsigned char buf[BYTES];
	struct verify_format f;

	(void)state;
	make(&f, &cfg, buf, 5);
	assert_false(verify_sector_is_of(&f, buf, AT + 4096, 105, 5)); /* another place */
	assert_false(verify_sector_is_of(&f, buf, AT, 105, 6));        /* another number */
	for (uint32_t bit = 0; bit < VERIFY_HEADER_BYTES * 8; bit++) {
		buf[bit / 8] ^= (unsigned char)(1 << bit % 8);
		assert_false(verify_sector_is_of(&f, buf, AT, 105, 5));
		buf[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
}

static void test_unknown(void **state)
{
	static const unsigned char text[] = { 0xde, 0xad };
	static const struct pattern pattern = { .bytes = (unsigned char *)text, .len = 2 };
	const struct verify_cfg cfgs[] = {
		{ .kind = VERIFY_PATTERN_HDR, .pattern = &pattern },
		{ .kind = VERIFY_CRC32C, .offset = 100 },
		{ .kind = VERIFY_CRC32C, .interval = 700 },
	};
	const struct verify_cfg plain = { .kind = VERIFY_CRC32C };
	struct verify_format f;

	(void)state;
	for (unsigned i = 0; i < sizeof(cfgs) / sizeof(*cfgs); i++) {
		verify_format_init(&f, &cfgs[i], &no_buffer, BYTES);
		assert_false(verify_sectors_known(&f, BYTES));
	}
	verify_format_init(&f, &plain, &no_buffer, BYTES);
	assert_false(verify_sectors_known(&f, 768));
}

/* Returns whether each byte of the sector at `at` is of write 4 or 5. */
static bool mixed(const struct verify_format *f, const unsigned char *sector, uint32_t at)
{
	struct verify_sector_bytes bytes = { 0 };

	verify_sector_explain(f, sector, at, 104, &bytes);
	verify_sector_explain(f, sector, at, 105, &bytes);
	return verify_sector_explained(&bytes);
}

/* A copy of write 5 over write 4 that ends at any byte. */
static void test_torn(void **state)
{
	const struct verify_cfg cfgs[] = { { .kind = VERIFY_CRC32C },
					   { .kind = VERIFY_SHA512, .interval = 1024 } };
	unsigned char old[BYTES], new[BYTES], sector[VERIFY_SECTOR];
	struct verify_format f;

	(void)state;
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t end = 0; end < BYTES; end += 37) {
			uint32_t at = end - end % VERIFY_SECTOR;

			make(&f, &cfgs[k], old, 4);
			make(&f, &cfgs[k], new, 5);
			memcpy(sector, new + at, end - at);
			memcpy(sector + (end - at), old + end, VERIFY_SECTOR - (end - at));
			assert_true(mixed(&f, sector, at));
			make(&f, &cfgs[k], old, 3);
			memcpy(sector + 300, old + at + 300, VERIFY_SECTOR - 300);
			assert_false(mixed(&f, sector, at));
			memset(sector + 300, 0, VERIFY_SECTOR - 300);
			assert_false(mixed(&f, sector, at));
		}
}

int unit_verify_sector(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_torn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
