/* Blocks that fio wrote: verify-blocks/KIND by fio 3.42, two blocks of 1 KiB each;
   verify-blocks/fio-3.33/KIND by fio 3.33, one block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "verify_check.h"

#define FILE_BYTES 2048u

static const uint32_t at_two[] = { 2 };
static const struct pattern deadbeef = { .bytes = (const unsigned char *)"\xde\xad\xbe\xef", .len = 4 },
			    with_offset = { .bytes = (const unsigned char *)"\x55\xaa........",
					    .len = 10,
					    .noffsets = 1,
					    .offset_at = at_two };

/* clang-format off */
static const struct sample { const char *file; uint32_t bs; struct verify_cfg cfg; } samples[] = {
	{ "md5", 1024, { .kind = VERIFY_MD5 } },
	{ "crc64", 1024, { .kind = VERIFY_CRC64 } },
	{ "crc32", 1024, { .kind = VERIFY_CRC32 } },
	{ "crc32c", 1024, { .kind = VERIFY_CRC32C } },
	{ "crc32c-intel", 1024, { .kind = VERIFY_CRC32C_INTEL } },
	{ "crc16", 1024, { .kind = VERIFY_CRC16 } },
	{ "crc7", 1024, { .kind = VERIFY_CRC7 } },
	{ "sha1", 1024, { .kind = VERIFY_SHA1 } },
	{ "sha256", 1024, { .kind = VERIFY_SHA256 } },
	{ "sha512", 1024, { .kind = VERIFY_SHA512 } },
	{ "sha3-224", 1024, { .kind = VERIFY_SHA3_224 } },
	{ "sha3-256", 1024, { .kind = VERIFY_SHA3_256 } },
	{ "sha3-384", 1024, { .kind = VERIFY_SHA3_384 } },
	{ "sha3-512", 1024, { .kind = VERIFY_SHA3_512 } },
	{ "xxhash", 1024, { .kind = VERIFY_XXHASH } },
	{ "meta", 1024, { .kind = VERIFY_META } },
	{ "pattern", 1024, { .kind = VERIFY_PATTERN, .pattern = &deadbeef } },
	{ "pattern_hdr", 1024, { .kind = VERIFY_PATTERN_HDR, .pattern = &deadbeef } },
	{ "crc32c-pattern", 1024, { .kind = VERIFY_CRC32C, .pattern = &with_offset } },
	{ "crc32c-interval-512-offset-100", 2048, { .kind = VERIFY_CRC32C, .interval = 512, .offset = 100 } },
};
/* clang-format on */
#define SAMPLES (sizeof(samples) / sizeof(*samples))

static const struct buffer_cfg no_buffer = { 0 };

static size_t read_file(const char *dir, const char *name, unsigned char *buf, size_t max)
{
	char path[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/verify-blocks/%s%s", getenv("UNIT_DIR"), dir, name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s cannot be opened", path);
	n = fread(buf, 1, max, f);
	fclose(f);
	return n;
}

/* The write that a sample's block says it is. */
static struct verify_write write_of(const struct verify_format *f, const unsigned char *block,
				    uint64_t offset, uint32_t bytes)
{
	struct verify_write w = { .offset = offset, .bytes = bytes };
	struct verify_header h;

	if (!f->head)
		return w;
	verify_header_read(&h, block + f->cfg->offset);
	w.seconds = h.seconds;
	w.nanoseconds = h.nanoseconds;
	w.seed = h.seed;
	w.number = h.number;
	w.thread = h.thread;
	return w;
}

static void accept_block(struct verify_format *f, const struct verify_write *w, unsigned char *block)
{
	const struct verify_expect e = { .write = *w, .seed = true, .number = true };
	struct verify_damage d;

	assert_true(verify_check(f, &e, block, &d));
	assert_int_equal(d.kind, DAMAGE_NONE);
}

/* Overwrites all but the data and the padding, which only fio can make. */
static void wipe_heads(const struct verify_format *f, unsigned char *block, uint32_t bytes)
{
	uint32_t part = verify_part_bytes(f->cfg, bytes);

	for (uint32_t at = 0; f->head && at < bytes; at += part) {
		verify_part_exchange(f, block + at);
		memset(block + at, 0x77, 42);
		memset(block + at + 44, 0x77, f->head - 44);
	}
}

static void rebuild(struct verify_format *f, const struct verify_write *w, const unsigned char *block)
{
	unsigned char copy[FILE_BYTES];

	memcpy(copy, block, w->bytes);
	wipe_heads(f, copy, w->bytes);
	if (f->cfg->pattern)
		verify_block_fill(f, w, copy, w->bytes, 0);
	verify_block_seal(f, w, copy);
	assert_memory_equal(copy, block, w->bytes);
}

static void test_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		const struct sample *s = &samples[i];
		unsigned char file[FILE_BYTES];
		struct verify_format f;

		assert_int_equal(read_file("", s->file, file, sizeof(file)), FILE_BYTES);
		verify_format_init(&f, &s->cfg, &no_buffer, s->bs);
		assert_true(verify_block_fits(&s->cfg, s->bs));
		for (uint32_t at = 0; at < FILE_BYTES; at += s->bs) {
			struct verify_write w = write_of(&f, file + at, at, s->bs);

			assert_int_equal(w.number, f.head ? at / s->bs : 0);
			accept_block(&f, &w, file + at);
			rebuild(&f, &w, file + at);
		}
	}
}

/* Any flipped bit of fio's blocks is found, although fiord cannot draw fio's data again. With meta that holds
 * for the header alone. */
static void test_flipped_bits(void **state)
{
	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		const struct sample *s = &samples[i];
		uint32_t end = s->cfg.kind == VERIFY_META ? VERIFY_HEADER_BYTES : s->bs;
		unsigned char file[FILE_BYTES];
		struct verify_format f;
		struct verify_expect e = { .seed = false };

		read_file("", s->file, file, sizeof(file));
		verify_format_init(&f, &s->cfg, &no_buffer, s->bs);
		e.write = write_of(&f, file, 0, s->bs);
		for (uint32_t bit = 0; bit < end * 8; bit++) {
			struct verify_damage d;

			file[bit / 8] ^= (unsigned char)(1 << bit % 8);
			assert_false(verify_check(&f, &e, file, &d));
			assert_true(d.offset <= bit / 8 && bit / 8 < d.offset + d.bytes);
			file[bit / 8] ^= (unsigned char)(1 << bit % 8);
		}
	}
}

/* ---- fio 3.33 ---- */

/* Blocks of fio 3.33 are recognised, with their kind. Their digests cover odd lengths and must be the same as
 * fiord's. */
static void check_old(enum verify_kind kind)
{
	const struct verify_kind_info *info = &verify_kinds[kind];
	unsigned char block[1024], digest[VERIFY_DIGEST_MAX];
	const struct verify_cfg cfg = { .kind = kind };
	uint32_t bytes = (uint32_t)read_file("fio-3.33/", info->name, block, sizeof(block));
	const struct verify_expect e = { .write = { .bytes = bytes }, .number = true };
	struct verify_damage d;
	struct verify_format f;

	verify_format_init(&f, &cfg, &no_buffer, bytes);
	assert_false(verify_check(&f, &e, block, &d));
	assert_int_equal(d.kind, DAMAGE_OLD_FIO);
	assert_int_equal(d.found, info->type);
	assert_int_equal(d.offset, 0);
	assert_int_equal(d.bytes, bytes);
	if (kind != VERIFY_SHA512) { /* fio 3.33 leaves data in its place */
		verify_digest_of(kind, block + 40 + info->digest, bytes - 40 - info->digest, digest);
		assert_memory_equal(block + 40, digest, info->digest);
	}
	block[16] ^= 1;
	assert_false(verify_check(&f, &e, block, &d));
	assert_int_equal(d.kind, DAMAGE_HEADER_CRC);
}

static void test_fio_3_33(void **state)
{
	(void)state;
	for (unsigned kind = VERIFY_MD5; kind < VERIFY_PATTERN; kind++) {
		if (kind != VERIFY_CRC32C_INTEL)
			check_old(kind);
	}
}

int unit_verify_blocks(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_flipped_bits),
		cmocka_unit_test(test_fio_3_33),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
