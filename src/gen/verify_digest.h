/* verify_digest.h: the kinds of verify blocks and their digests, as fio 3.42 stores them. Pure. */
#ifndef VERIFY_DIGEST_H
#define VERIFY_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum verify_kind {
	VERIFY_NONE,
	VERIFY_NULL, /* data alone, never checked */
	VERIFY_MD5,
	VERIFY_CRC64,
	VERIFY_CRC32,
	VERIFY_CRC32C,
	VERIFY_CRC32C_INTEL, /* the same blocks as VERIFY_CRC32C */
	VERIFY_CRC16,
	VERIFY_CRC7,
	VERIFY_SHA1,
	VERIFY_SHA256,
	VERIFY_SHA512,
	VERIFY_SHA3_224,
	VERIFY_SHA3_256,
	VERIFY_SHA3_384,
	VERIFY_SHA3_512,
	VERIFY_XXHASH,
	VERIFY_PATTERN, /* neither header nor digest */
	VERIFY_PATTERN_HDR,
	VERIFY_META,
	VERIFY_KINDS
};

#define VERIFY_DIGEST_MAX 128u

struct verify_kind_info {
	const char *name; /* value of verify= */
	uint8_t type;     /* in the header; 0: no header */
	uint8_t digest;   /* bytes */
};

extern const struct verify_kind_info verify_kinds[VERIFY_KINDS];

/* Writes the digest of the data to `out`: verify_kinds[kind].digest bytes. */
void verify_digest_of(enum verify_kind kind, const void *data, size_t bytes, unsigned char *out);

#endif
