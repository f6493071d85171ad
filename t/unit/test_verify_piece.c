/* What is left of a block after later writes have replaced its beginning or end: is its place found, is it
   intact, and is one wrong byte in it noticed? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "verify_pieces.h"

#define WHOLE  16384u
#define UNIT   1024u
#define OFFSET (40u * WHOLE)

static const uint32_t at_two[] = { 2 };
static const struct pattern with_offset = {
	.bytes = (const unsigned char *)"\x55\xaa........\x11", .len = 11, .noffsets = 1, .offset_at = at_two
};
static const struct buffer_cfg plain = { 0 }, half = { .compress = 50, .compress_chunk = 512 };

static const struct shape {
	enum verify_kind kind;
	uint32_t interval, offset;
	const struct buffer_cfg *buffer;
	const struct pattern *pattern;
} shapes[] = {
	{ VERIFY_CRC32C, 0, 0, &plain, NULL },
	{ VERIFY_CRC32C, 512, 0, &plain, NULL },
	{ VERIFY_CRC32C, 0, 100, &plain, NULL },
	{ VERIFY_SHA256, 1024, 200, &half, NULL },
	{ VERIFY_META, 0, 0, &plain, NULL },
	{ VERIFY_MD5, 0, 0, &plain, &with_offset },
	{ VERIFY_PATTERN, 0, 0, &plain, &with_offset },
	{ VERIFY_XXHASH, 0, 0, &half, NULL },
	{ VERIFY_CRC32C, 4096, 0, &plain, NULL }, /* pieces are shorter than a part */
	{ VERIFY_CRC32C, 4096, 0, &plain, &with_offset },
};

struct fixture {
	struct verify_cfg cfg;
	struct verify_format f;
	struct verify_expect e;
	unsigned char block[WHOLE], piece[WHOLE];
};

static void begin(struct fixture *x, const struct shape *s)
{
	x->cfg = (struct verify_cfg){
		.kind = s->kind, .interval = s->interval, .offset = s->offset, .pattern = s->pattern
	};
	assert_true(verify_block_fits(&x->cfg, WHOLE));
	verify_format_init(&x->f, &x->cfg, s->buffer, UNIT);
	x->e = (struct verify_expect){ .write = { .offset = OFFSET, .bytes = WHOLE, .seed = 77, .number = 5 },
				       .seed = true,
				       .number = true,
				       .seed_data = true };
	verify_block_make(&x->f, &x->e.write, x->block);
}

/* Checks bytes [from, from + bytes) of the block, with the byte at `wrong` flipped unless it is negative. */
static bool check_piece(struct fixture *x, uint32_t from, uint32_t bytes, int64_t wrong, uint64_t *unchecked)
{
	struct verify_expect e = x->e;
	struct verify_damage d;
	uint32_t place;

	e.write.offset = e.write.bytes = 0;
	memcpy(x->piece, x->block + from, bytes);
	if (wrong >= 0)
		x->piece[wrong] ^= 4;
	place = verify_piece_place(&x->f, &e, x->piece, OFFSET + from, bytes, UNIT, WHOLE);
	*unchecked = 0;
	return verify_check_range(&x->f, &e, x->piece, place, bytes, &d, unchecked);
}

static void test_pieces(void **state)
{
	struct fixture x;

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		begin(&x, &shapes[i]);
		for (uint32_t from = 0; from < WHOLE; from += UNIT) {
			for (uint32_t bytes = UNIT; from + bytes <= WHOLE; bytes += 3 * UNIT) {
				uint64_t unchecked;

				if (!check_piece(&x, from, bytes, -1, &unchecked))
					fail_msg("shape %zu: bytes %u to %u: damaged", i, from, from + bytes);
				for (int64_t wrong = 300; wrong < bytes; wrong += 511)
					if (check_piece(&x, from, bytes, wrong, &unchecked) && !unchecked)
						fail_msg("shape %zu: bytes %u to %u: %d is not noticed", i,
							 from, from + bytes, (int)wrong);
			}
		}
	}
}

static void test_stale_piece(void **state)
{
	struct fixture x;
	uint64_t unchecked;

	(void)state;
	begin(&x, &shapes[0]);
	x.e.write.seed = 78;
	x.e.write.number = 6;
	assert_false(check_piece(&x, 0, WHOLE, -1, &unchecked));
	assert_false(check_piece(&x, 4 * UNIT, UNIT, -1, &unchecked));
}

/* Zeroes in front of a block that begins too late: its data belong before the place where they were found. */
static void test_shifted_piece(void **state)
{
	struct fixture x;
	struct verify_expect e;
	struct verify_damage d;
	uint64_t unchecked = 0;
	uint32_t from;

	(void)state;
	begin(&x, &shapes[0]);
	memset(x.piece, 0, UNIT);
	memcpy(x.piece + UNIT, x.block, WHOLE - UNIT);
	for (uint32_t bytes = 2 * UNIT; bytes <= WHOLE; bytes += UNIT) {
		e = x.e;
		from = verify_piece_place(&x.f, &e, x.piece, OFFSET, bytes, UNIT, WHOLE);
		assert_true(from + (uint64_t)bytes <= WHOLE);
		assert_false(verify_check_range(&x.f, &e, x.piece, from, bytes, &d, &unchecked));
	}
}

int unit_verify_piece(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pieces), cmocka_unit_test(test_stale_piece),
					    cmocka_unit_test(test_shifted_piece) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
