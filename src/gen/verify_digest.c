/* verify_digest.c uses the low-level functions of libcrypto. fio's SHA-256 needs the state inside the digest,
   the other digests are set up faster than through EVP, and these functions do not slow down the program's
   start. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "verify_block.h"

#include <endian.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <string.h>
/* Compiles the functions in, so that the program loads no library for them at its start. */
#define XXH_INLINE_ALL
#include <xxhash.h>
#include "crc.h"

#define XXHASH_SEED 1

/* clang-format off */
const struct verify_kind_info verify_kinds[VERIFY_KINDS] = {
	[VERIFY_NONE]         = { "0", 0, 0 },
	[VERIFY_NULL]         = { "null", 0, 0 },
	[VERIFY_MD5]          = { "md5", 2, 16 },
	[VERIFY_CRC64]        = { "crc64", 3, 8 },
	[VERIFY_CRC32]        = { "crc32", 4, 4 },
	[VERIFY_CRC32C]       = { "crc32c", 5, 4 },
	[VERIFY_CRC32C_INTEL] = { "crc32c-intel", 5, 4 },
	[VERIFY_CRC16]        = { "crc16", 7, 2 },
	[VERIFY_CRC7]         = { "crc7", 8, 1 },
	[VERIFY_SHA1]         = { "sha1", 16, 20 },
	[VERIFY_SHA256]       = { "sha256", 9, 64 },
	[VERIFY_SHA512]       = { "sha512", 10, 128 },
	[VERIFY_SHA3_224]     = { "sha3-224", 11, 28 },
	[VERIFY_SHA3_256]     = { "sha3-256", 12, 32 },
	[VERIFY_SHA3_384]     = { "sha3-384", 13, 48 },
	[VERIFY_SHA3_512]     = { "sha3-512", 14, 64 },
	[VERIFY_XXHASH]       = { "xxhash", 15, 4 },
	[VERIFY_PATTERN]      = { "pattern", 0, 0 },
	[VERIFY_PATTERN_HDR]  = { "pattern_hdr", 17, 0 },
	[VERIFY_META]         = { "meta", 1, 0 },
};
/* clang-format on */

static void md5(const unsigned char *data, size_t bytes, unsigned char *out)
{
	MD5_CTX c;

	MD5_Init(&c);
	MD5_Update(&c, data, bytes);
	MD5_Final(out, &c);
}

/* fio stores each word of the state little endian. */
static void sha1(const unsigned char *data, size_t bytes, unsigned char *out)
{
	unsigned char digest[SHA_DIGEST_LENGTH];
	SHA_CTX c;

	SHA1_Init(&c);
	SHA1_Update(&c, data, bytes);
	SHA1_Final(digest, &c);
	for (unsigned i = 0; i < SHA_DIGEST_LENGTH; i++)
		out[i] = digest[i ^ 3];
}

/* The end of a message and its padding: one block of the hash function, or two if the length does not fit
   behind the end. */
struct tail {
	unsigned char bytes[2 * SHA512_CBLOCK]; /* SHA-512 has the longest blocks */
	unsigned block, blocks;
};

/* Pads the end of a message, up to the message's length, which takes `length` bytes at the end of the last
   block. Returns the place of the last eight of these bytes, which the caller fills in. */
static unsigned char *tail_make(struct tail *t, const unsigned char *data, size_t bytes, unsigned block,
				unsigned length)
{
	unsigned rest = (unsigned)(bytes % block);

	memset(t->bytes, 0, sizeof(t->bytes));
	memcpy(t->bytes, data + bytes - rest, rest);
	t->bytes[rest] = 0x80;
	t->block = block;
	t->blocks = rest + 1 + length > block ? 2 : 1;
	return t->bytes + (size_t)block * t->blocks - 8;
}

static const unsigned char *tail_last_block(const struct tail *t)
{
	return t->bytes + (size_t)t->block * (t->blocks - 1);
}

/* As in fio: the length in the padding is little endian; only the lowest byte of each state word is stored,
   and the last padded block follows from its ninth byte on. */
static void sha256(const unsigned char *data, size_t bytes, unsigned char *out)
{
	const uint64_t bits = htole64((uint64_t)bytes * 8);
	struct tail t;
	SHA256_CTX c;

	memcpy(tail_make(&t, data, bytes, SHA256_CBLOCK, 8), &bits, sizeof(bits));
	SHA256_Init(&c);
	SHA256_Update(&c, data, bytes - bytes % SHA256_CBLOCK);
	SHA256_Update(&c, t.bytes, (size_t)t.block * t.blocks);
	for (unsigned i = 0; i < 8; i++)
		out[i] = (unsigned char)c.h[i];
	memcpy(out + 8, tail_last_block(&t) + 8, SHA256_CBLOCK - 8);
}

/* As in fio: the standard digest, then the second half of the last padded block. */
static void sha512(const unsigned char *data, size_t bytes, unsigned char *out)
{
	const uint64_t bits = htobe64((uint64_t)bytes * 8);
	struct tail t;
	SHA512_CTX c;

	memcpy(tail_make(&t, data, bytes, SHA512_CBLOCK, 16), &bits, sizeof(bits));
	SHA512_Init(&c);
	SHA512_Update(&c, data, bytes);
	SHA512_Final(out, &c);
	memcpy(out + SHA512_DIGEST_LENGTH, tail_last_block(&t) + SHA512_DIGEST_LENGTH,
	       SHA512_CBLOCK - SHA512_DIGEST_LENGTH);
}

/* The digests that are one number. */
static uint64_t checksum_of(enum verify_kind kind, const void *data, size_t bytes)
{
	switch (kind) {
	case VERIFY_CRC64:
		return crc64(data, bytes);
	case VERIFY_CRC32:
		return crc32_msb(data, bytes);
	case VERIFY_CRC16:
		return crc16(data, bytes);
	case VERIFY_CRC7:
		return crc7(data, bytes);
	case VERIFY_XXHASH:
		return XXH32(data, bytes, XXHASH_SEED);
	default:
		return crc_castagnoli(data, bytes);
	}
}

void verify_digest_of(enum verify_kind kind, const void *data, size_t bytes, unsigned char *out)
{
	uint64_t number;

	switch (kind) {
	case VERIFY_CRC64:
	case VERIFY_CRC32:
	case VERIFY_CRC32C:
	case VERIFY_CRC32C_INTEL:
	case VERIFY_CRC16:
	case VERIFY_CRC7:
	case VERIFY_XXHASH:
		number = htole64(checksum_of(kind, data, bytes));
		memcpy(out, &number, verify_kinds[kind].digest);
		break;
	case VERIFY_MD5:
		md5(data, bytes, out);
		break;
	case VERIFY_SHA1:
		sha1(data, bytes, out);
		break;
	case VERIFY_SHA256:
		sha256(data, bytes, out);
		break;
	case VERIFY_SHA512:
		sha512(data, bytes, out);
		break;
	case VERIFY_SHA3_224:
	case VERIFY_SHA3_256:
	case VERIFY_SHA3_384:
	case VERIFY_SHA3_512:
		sha3(data, bytes, verify_kinds[kind].digest, out);
		break;
	case VERIFY_NONE:
	case VERIFY_NULL:
	case VERIFY_PATTERN:
	case VERIFY_PATTERN_HDR:
	case VERIFY_META:
	case VERIFY_KINDS:
		break;
	}
}
