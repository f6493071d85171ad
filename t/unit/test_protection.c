/* Are tuples of protection information made as T10 and NVMe have them, and is each wrong part found? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "protection.h"

#define BLOCKS 3u
#define MD     16u

static const unsigned char *blocks(void)
{
	static unsigned char data[BLOCKS * 512];

	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 7 + i / 512);
	return data;
}

static struct protected_blocks described(unsigned char *metadata)
{
	return (struct protected_blocks){ blocks(), metadata, MD, BLOCKS, 0xfffffffe };
}

/* The check value of CRC-16/T10-DIF is that of the catalogue of CRCs: "123456789" has d0db. */
static void test_bytes(void **state)
{
	static const unsigned char tuple[2][PROTECTION_BYTES] = {
		{ 0xd0, 0xdb, 0x12, 0x34, 0x89, 0xab, 0xcd, 0xef },
		{ 0xd0, 0xdb, 0x12, 0x34, 0, 0, 0, 0 },
	};
	unsigned char metadata[PROTECTION_BYTES];

	(void)state;
	for (unsigned type = 1; type <= 3; type++) {
		struct protection p = { .block_bytes = 9, .type = (uint8_t)type, .app_tag = 0x1234 };
		struct protected_blocks b = { (const unsigned char *)"123456789", metadata, 8, 1,
					      0x89abcdef };

		protection_make(&p, &b);
		assert_memory_equal(metadata, tuple[type == 3], sizeof(metadata));
	}
}

/* The guard covers the metadata before the tuple, and not those after it. */
static void test_place(void **state)
{
	unsigned char metadata[12] = "89....";
	struct protection p = { .block_bytes = 7, .before = 2, .type = 1 };
	struct protected_blocks b = { (const unsigned char *)"1234567", metadata, 12, 1, 1 };

	(void)state;
	protection_make(&p, &b);
	assert_memory_equal(metadata, "89\xd0\xdb\0\0\0\0\0\1", 10);
	p = (struct protection){ .block_bytes = 9, .type = 1 };
	b.data = (const unsigned char *)"123456789";
	protection_make(&p, &b);
	assert_memory_equal(metadata, "\xd0\xdb\0\0\0\0\0\1\0\1", 10);
}

struct change {
	uint8_t type, checks;
	unsigned at; /* in the tuple of the second block; 8: a byte of the data's metadata before it */
	unsigned char flips;
	const char *part; /* NULL: nothing is found */
	uint32_t expected, found;
};

static void test_change(const struct change *c)
{
	unsigned char metadata[BLOCKS * MD] = { 0 };
	struct protection p = { 512, 8, c->type, c->checks, 0x1234, 0xff0f };
	struct protected_blocks b = described(metadata);
	struct protection_damage d = { 0 };

	protection_make(&p, &b);
	assert_true(protection_check(&p, &b, &d));
	metadata[MD + (c->at + 8) % 16] ^= c->flips;
	assert_int_equal(protection_check(&p, &b, &d), !c->part);
	if (!c->part)
		return;
	assert_string_equal(d.part, c->part);
	assert_int_equal(d.block, 1);
	if (c->expected | c->found) {
		assert_int_equal(d.expected, c->expected);
		assert_int_equal(d.found, c->found);
	}
	assert_int_not_equal(d.expected, d.found);
}

static void test_changes(void **state)
{
	enum { GUARD = PROTECTION_GUARD, APP = PROTECTION_APP, REF = PROTECTION_REF, ALL = 7 };
	static const struct change cases[] = {
		{ 1, ALL, 0, 0x80, "guard", 0, 0 },
		{ 2, GUARD, 1, 0x01, "guard", 0, 0 },
		{ 3, GUARD, 8, 0x01, "guard", 0, 0 },
		{ 1, APP | REF, 0, 0x80, NULL, 0, 0 },
		{ 1, ALL, 2, 0x10, "application tag", 0x1204, 0x0204 },
		{ 3, APP, 3, 0x01, "application tag", 0x1204, 0x1205 },
		{ 1, ALL, 3, 0x10, NULL, 0, 0 }, /* outside the mask */
		{ 1, GUARD | REF, 2, 0x10, NULL, 0, 0 },
		/* The second block has the reference tag 0xffffffff. */
		{ 1, ALL, 7, 0x01, "reference tag", 0xffffffff, 0xfffffffe },
		{ 2, REF, 4, 0x80, "reference tag", 0xffffffff, 0x7fffffff },
		{ 1, GUARD | APP, 7, 0x01, NULL, 0, 0 },
		{ 3, ALL, 7, 0x01, NULL, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_change(&cases[i]);
}

/* Tuples that say that they are not checked. */
static void test_unchecked(void **state)
{
	static const struct {
		uint8_t type;
		unsigned char ref;
		bool passes;
	} cases[] = { { 1, 0, true }, { 2, 0, true }, { 3, 0, false }, { 3, 0xff, true } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsigned char metadata[BLOCKS * MD];
		struct protection p = { 512, 0, cases[i].type, PROTECTION_GUARD, 0, 0xffff };
		struct protected_blocks b = described(metadata);
		struct protection_damage d;

		protection_make(&p, &b);
		metadata[0] ^= 1;
		memset(metadata + 2, 0xff, 2);
		memset(metadata + 4, cases[i].ref, 4);
		assert_int_equal(protection_check(&p, &b, &d), cases[i].passes);
	}
}

int unit_protection(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_unchecked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
