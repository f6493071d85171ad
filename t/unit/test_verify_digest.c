#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cpu_features.h"
#include "crc.h"
#include "rng.h"
#include "sha3_rounds.h"
#include "verify_block.h"

#define LONGEST 8192u

/* clang-format off */
static const struct { enum verify_kind kind; const char *digest; } checks[] = {
	{ VERIFY_CRC7, "75" },
	{ VERIFY_CRC16, "3dbb" },
	{ VERIFY_CRC32, "7f89a189" },
	{ VERIFY_CRC32C, "7c6df91c" },
	{ VERIFY_CRC32C_INTEL, "7c6df91c" },
	{ VERIFY_CRC64, "cad9b8c414d9c6e9" },
	{ VERIFY_XXHASH, "8c9161f2" },
	{ VERIFY_MD5, "25f9e794323b453885f5181f1b624d0b" },
	/* f7c3bc1d808e04732adf679965ccc34ca7ae3441 */
	{ VERIFY_SHA1, "1dbcc3f773048e809967df2a4cc3cc654134aea7" },
	{ VERIFY_SHA512, "d9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274a"
			 "d27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85"
			 "0000000000000000000000000000000000000000000000000000000000000000"
			 "0000000000000000000000000000000000000000000000000000000000000048" },
	{ VERIFY_SHA3_224, "5795c3d628fd638c9835a4c79a55809f265068c88729a1a3fcdf8522" },
	{ VERIFY_SHA3_256, "87cd084d190e436f147322b90e7384f6a8e0676c99d21ef519ea718e51d45f9c" },
};
/* clang-format on */

static void hex_of(const unsigned char *bytes, size_t n, char *out)
{
	for (size_t i = 0; i < n; i++)
		sprintf(out + 2 * i, "%02x", bytes[i]);
	out[2 * n] = 0;
}

static void test_check_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		unsigned char digest[VERIFY_DIGEST_MAX];
		char hex[2 * VERIFY_DIGEST_MAX + 1];

		verify_digest_of(checks[i].kind, "123456789", 9, digest);
		hex_of(digest, verify_kinds[checks[i].kind].digest, hex);
		assert_string_equal(hex, checks[i].digest);
	}
}

/* ---- CRCs bit by bit ---- */

static uint64_t reflected_slowly(uint64_t r, uint64_t poly, const unsigned char *p, size_t n)
{
	for (; n; n--) {
		r ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			r = r & 1 ? r >> 1 ^ poly : r >> 1;
	}
	return r;
}

static uint32_t forward_slowly(uint32_t poly, unsigned width, const unsigned char *p, size_t n)
{
	uint32_t r = 0, top = 1u << (width - 1);

	for (; n; n--, p++) {
		for (int bit = 7; bit >= 0; bit--) {
			uint32_t out = (r & top ? 1u : 0u) ^ (*p >> bit & 1u);

			r = (r << 1) ^ (out ? poly : 0);
		}
	}
	return width == 32 ? r : r & ((1u << width) - 1);
}

static void fill(unsigned char *buf, size_t n, uint64_t seed)
{
	struct rng r;

	rng_init(&r, seed);
	for (size_t i = 0; i < n; i++)
		buf[i] = (unsigned char)rng_u64(&r);
}

/* In one piece and in two, by either way. */
static void compare_t10dif(const unsigned char *p, size_t n)
{
	uint32_t c = forward_slowly(0x8bb7, 16, p, n);
	size_t half = n / 3;

	assert_int_equal(crc16_t10dif(0, p, n), c);
	assert_int_equal(crc16_t10dif(crc16_t10dif(0, p, half), p + half, n - half), c);
	assert_int_equal(crc16_t10dif_table(0, p, n), c);
	if (cpu_has_sse42())
		assert_int_equal(crc16_t10dif_pclmul(0, p, n), c);
}

static void compare_crcs(const unsigned char *p, size_t n)
{
	uint32_t c = (uint32_t)reflected_slowly(0xffffffff, 0x82f63b78, p, n);

	assert_int_equal(crc7(p, n), forward_slowly(0x09, 7, p, n));
	assert_int_equal(crc16(p, n), reflected_slowly(0, 0xa001, p, n));
	compare_t10dif(p, n);
	assert_int_equal(crc32_msb(p, n), forward_slowly(0x04c11db7, 32, p, n));
	assert_true(crc64(p, n) == reflected_slowly(0, 0x95ac9329ac4bc9b5, p, n));
	assert_int_equal(crc_castagnoli(p, n), c);
	assert_int_equal(crc32c_table(p, n), c);
	if (cpu_has_sse42())
		assert_int_equal(crc32c_sse42(p, n), c);
}

/* All lengths around the steps of the streams, at all alignments of a word. */
static void test_crcs_of_all_lengths(void **state)
{
	unsigned char *buf = malloc(LONGEST + 8);

	(void)state;
	assert_non_null(buf);
	fill(buf, LONGEST + 8, 1);
	for (size_t n = 0; n < 1000; n++)
		compare_crcs(buf + n % 8, n);
	for (size_t n = 1000; n < LONGEST; n += 61)
		compare_crcs(buf + n % 8, n);
	free(buf);
}

/* ---- digests of libcrypto, for all lengths of the last block ---- */

static void evp(const EVP_MD *md, const void *data, size_t n, unsigned char *out)
{
	assert_int_equal(EVP_Digest(data, n, out, NULL, md, NULL), 1);
}

/* clang-format off */
static const struct { enum verify_kind kind; const EVP_MD *(*md)(void); unsigned swap; } standard[] = {
	{ VERIFY_MD5, EVP_md5, 0 },
	{ VERIFY_SHA1, EVP_sha1, 3 },
	{ VERIFY_SHA512, EVP_sha512, 0 },
	{ VERIFY_SHA3_224, EVP_sha3_224, 0 },
	{ VERIFY_SHA3_256, EVP_sha3_256, 0 },
	{ VERIFY_SHA3_384, EVP_sha3_384, 0 },
	{ VERIFY_SHA3_512, EVP_sha3_512, 0 },
};
/* clang-format on */

static void test_standard_digests(void **state)
{
	unsigned char buf[600], got[VERIFY_DIGEST_MAX], want[EVP_MAX_MD_SIZE];

	(void)state;
	fill(buf, sizeof(buf), 2);
	for (size_t i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		const EVP_MD *md = standard[i].md();

		for (size_t n = 0; n < sizeof(buf); n++) {
			evp(md, buf, n, want);
			verify_digest_of(standard[i].kind, buf, n, got);
			for (unsigned at = 0; at < (unsigned)EVP_MD_get_size(md); at++)
				assert_int_equal(got[at], want[at ^ standard[i].swap]);
		}
	}
}

/* ---- the padded block in the digests of SHA-256 and SHA-512 ---- */

/* Appends the padding, byte by byte, and returns the length with it. */
static size_t pad(unsigned char *message, size_t n, size_t block, size_t length, bool big_endian)
{
	uint64_t bits = n * 8;

	message[n++] = 0x80;
	while (n % block != block - length)
		message[n++] = 0;
	for (; length > 8; length--)
		message[n++] = 0;
	for (unsigned i = 0; i < 8; i++)
		message[n++] = (unsigned char)(bits >> (big_endian ? 56 - 8 * i : 8 * i));
	return n;
}

static void check_padding(enum verify_kind kind, size_t block, size_t length, size_t stored)
{
	for (size_t n = 0; n < 4 * block; n++) {
		unsigned char message[1024], got[VERIFY_DIGEST_MAX];
		unsigned bytes = verify_kinds[kind].digest;
		size_t end;

		fill(message, n, 4);
		verify_digest_of(kind, message, n, got);
		end = pad(message, n, block, length, kind == VERIFY_SHA512);
		assert_memory_equal(got + bytes - (block - stored), message + end - (block - stored),
				    block - stored);
	}
}

static void test_padding(void **state)
{
	(void)state;
	check_padding(VERIFY_SHA256, 64, 8, 8);
	check_padding(VERIFY_SHA512, 128, 16, 64);
}

/* This CPU uses one of the two. */
static void test_sha3_rounds(void **state)
{
	uint64_t a[SHA3_LANES], b[SHA3_LANES];

	(void)state;
	if (!cpu_has_bmi2())
		skip();
	fill((unsigned char *)a, sizeof(a), 3);
	memcpy(b, a, sizeof(b));
	for (unsigned n = 0; n < 100; n++) {
		sha3_rounds(a);
		sha3_rounds_bmi2(b);
		assert_memory_equal(a, b, sizeof(a));
	}
}

/* Every kind writes exactly the bytes of its digest. */
static void test_digest_bytes(void **state)
{
	(void)state;
	for (unsigned kind = VERIFY_NULL; kind < VERIFY_KINDS; kind++) {
		unsigned char digest[VERIFY_DIGEST_MAX + 1];
		unsigned bytes = verify_kinds[kind].digest;

		memset(digest, 0xa5, sizeof(digest));
		verify_digest_of(kind, "fiord", 5, digest);
		for (unsigned at = bytes; at < sizeof(digest); at++)
			assert_int_equal(digest[at], 0xa5);
	}
}

int unit_verify_digest(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check_values),     cmocka_unit_test(test_crcs_of_all_lengths),
		cmocka_unit_test(test_standard_digests), cmocka_unit_test(test_padding),
		cmocka_unit_test(test_sha3_rounds),      cmocka_unit_test(test_digest_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
