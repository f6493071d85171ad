/* Bytes that hold pieces of blocks of several sizes: are they intact, is each wrong byte noticed, and does
   the damage have the right name and place? The test writes the blocks one over the other, so it knows which
   bytes are of which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "verify_pieces.h"

#define UNIT   2048u
#define BYTES  (9 * UNIT) /* that blocks fill */
#define READ   (8 * UNIT)
#define OFFSET (30u * UNIT)

static const uint32_t at_two[] = { 2 };
static const struct pattern with_offset = {
	.bytes = (const unsigned char *)"\x55\xaa........\x11", .len = 11, .noffsets = 1, .offset_at = at_two
};
static const struct buffer_cfg plain = { 0 }, half = { .compress = 50, .compress_chunk = 512 };

/* Each write replaces pieces of those before. The third one alone stays whole; the read ends in the last one.
 */
static const struct {
	uint32_t at, bytes;
} writes[] = { { 0, 8 * UNIT }, { 2 * UNIT, 4 * UNIT }, { UNIT, 2 * UNIT }, { 7 * UNIT, 2 * UNIT } };

struct fixture {
	struct verify_cfg cfg;
	struct verify_format f;
	unsigned char good[BYTES], buf[READ];
};

static void begin(struct fixture *x, enum verify_kind kind, uint32_t interval, uint32_t offset,
		  const struct buffer_cfg *buffer, const struct pattern *pattern)
{
	x->cfg = (struct verify_cfg){
		.kind = kind, .interval = interval, .offset = offset, .pattern = pattern
	};
	verify_format_init(&x->f, &x->cfg, buffer, UNIT);
	for (uint32_t i = 0; i < sizeof(writes) / sizeof(*writes); i++) {
		const struct verify_write w = { .offset = OFFSET + writes[i].at,
						.bytes = writes[i].bytes,
						.seed = 1000 + i,
						.number = i };

		assert_true(verify_block_fits(&x->cfg, w.bytes));
		verify_block_make(&x->f, &w, x->good + writes[i].at);
	}
	memcpy(x->buf, x->good, READ);
}

static bool check(struct fixture *x, struct verify_damage *d, uint64_t *unchecked)
{
	const struct verify_pieces p = { OFFSET, READ, UNIT, 8 * UNIT };

	return verify_pieces_check(&x->f, &p, x->buf, d, unchecked);
}

/* Returns whether the byte belongs to the digest of a block of which a piece is missing. */
static bool in_digest_of_piece(const struct fixture *x, uint32_t at)
{
	const uint32_t block = at < UNIT ? 0 : 7 * UNIT;

	return at >= block + VERIFY_HEADER_BYTES && at < block + x->f.head;
}

static void check_each_byte(struct fixture *x)
{
	struct verify_damage d;
	uint64_t unchecked;

	assert_true(check(x, &d, &unchecked));
	assert_int_equal(unchecked, 0);
	for (uint32_t at = 0; at < READ; at += at < UNIT || at % UNIT < 100 ? 1 : 37) {
		bool found;

		x->buf[at] ^= 4;
		found = !check(x, &d, &unchecked);
		if (found == in_digest_of_piece(x, at))
			fail_msg("kind %d: byte %u", x->cfg.kind, at);
		if (found)
			assert_true(d.offset <= OFFSET + at && OFFSET + at < d.offset + d.bytes);
		x->buf[at] ^= 4;
	}
}

static void test_each_byte(void **state)
{
	static const enum verify_kind kinds[] = { VERIFY_CRC32C, VERIFY_META, VERIFY_SHA512 };
	struct fixture x;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		begin(&x, kinds[i], 0, 0, &plain, NULL);
		check_each_byte(&x);
	}
}

static void test_patterns(void **state)
{
	static const struct {
		enum verify_kind kind;
		uint32_t interval, offset;
	} shapes[] = { { VERIFY_PATTERN, 0, 0 }, { VERIFY_MD5, 0, 0 }, { VERIFY_CRC32C, 4 * UNIT, 100 } };
	struct fixture x;
	struct verify_damage d;
	uint64_t unchecked;

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		begin(&x, shapes[i].kind, shapes[i].interval, shapes[i].offset, &plain, &with_offset);
		assert_true(check(&x, &d, &unchecked));
		for (uint32_t at = 400; at < READ; at += 511) {
			x.buf[at] ^= 4;
			assert_false(check(&x, &d, &unchecked));
			x.buf[at] ^= 4;
		}
	}
}

/* Compressed data and headers inside a sector do not tell where the blocks begin. */
static void test_unchecked(void **state)
{
	struct fixture x;
	struct verify_damage d;
	uint64_t unchecked;

	(void)state;
	begin(&x, VERIFY_CRC32C, 0, 0, &half, NULL);
	assert_true(check(&x, &d, &unchecked));
	assert_int_equal(unchecked, READ);
	begin(&x, VERIFY_CRC32C, 0, 100, &plain, NULL);
	assert_true(check(&x, &d, &unchecked));
	assert_int_equal(unchecked, READ);
}

static void test_names(void **state)
{
	static const struct {
		uint32_t to, from,
			bytes; /* of the good bytes that are copied; BYTES: zeroes, beyond: other bytes */
		enum verify_damage_kind kind;
		uint32_t at; /* of the damage */
	} cases[] = {
		{ 3 * UNIT + 512, BYTES, 512, DAMAGE_ZEROED, 3 * UNIT + 512 },
		{ 3 * UNIT + 520, BYTES, 100, DAMAGE_ZEROED, 3 * UNIT + 520 },
		{ UNIT, 7 * UNIT, 512, DAMAGE_MISPLACED, UNIT },
		{ 0, 16, 40, DAMAGE_DATA, 0 },
		{ UNIT + 512, BYTES + 1, 512, DAMAGE_NO_HEADER, UNIT + 512 },
		{ 2, 16, 40, DAMAGE_HEADER_CRC, 0 },
		{ UNIT + 512, UNIT + 1024, 1024, DAMAGE_SHIFTED, UNIT + 512 },
	};
	struct fixture x;
	struct verify_damage d;
	uint64_t unchecked;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin(&x, VERIFY_CRC32C, 0, 0, &plain, NULL);
		if (cases[i].from < BYTES)
			memcpy(x.buf + cases[i].to, x.good + cases[i].from, cases[i].bytes);
		else
			for (uint32_t at = 0; at < cases[i].bytes; at++)
				x.buf[cases[i].to + at] =
					(unsigned char)((cases[i].from - BYTES) * (at + at / 7));
		assert_false(check(&x, &d, &unchecked));
		if (d.kind != cases[i].kind || d.offset != OFFSET + cases[i].at)
			fail_msg("case %zu: %s at %d", i, verify_damages[d.kind].name,
				 (int)(d.offset - OFFSET));
	}
}

int unit_verify_pieces(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_each_byte), cmocka_unit_test(test_patterns),
					    cmocka_unit_test(test_unchecked), cmocka_unit_test(test_names) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
