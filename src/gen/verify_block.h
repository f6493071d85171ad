/* verify_block.h: makes verify blocks in the format of fio 3.42. A block is cut into parts; each part has a
   header, a digest of its data, and the data. Blocks of the kinds null and pattern are data alone. Pure: the
   caller brings the time. */
#ifndef VERIFY_BLOCK_H
#define VERIFY_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "content.h"

/* verify_data.c: the data of verify blocks, drawn from the seed in their header. Each fiord draws the same
   data from the same seed, so a checker finds the first wrong byte of a block without a copy of it.

   The data are sectors of 512 bytes. All sectors are the same random bytes, each combined with a mask that
   follows from the seed and from the sector's place in the block. From two words of a sector its seed can be
   computed, so that a message can name the write from which a wrong sector came. */

#define VERIFY_SECTOR 512u

struct verify_data {
	unsigned char base[VERIFY_SECTOR];
	uint32_t chunk, random; /* of each chunk the first `random` bytes are random, the rest is zero */
};

/* Initialises d. Of cfg only the compression matters, as in fio. unit: the size of the smallest write, in
   bytes. */
void verify_data_init(struct verify_data *d, const struct buffer_cfg *cfg, uint32_t unit);
/* Fills buf with bytes [pos, pos + bytes) of the block with this seed. */
void verify_data_draw(const struct verify_data *d, void *buf, size_t bytes, uint64_t seed, uint64_t pos);

/* The origin of bytes that were found in a block. */
struct verify_data_source {
	uint64_t seed;
	/* If this is the caller's seed: how many sectors further on in the block the bytes belong. Modulo
	 * 2^64, because they may belong further to the front. 0 with other seeds. */
	uint64_t sectors;
};

/* Finds out from which seed the bytes at `pos` of a block were drawn. Returns false if they are no drawn
   data, or too few. seed: that of the data that belong there; only data of this seed are recognized at a
   wrong place. */
bool verify_data_source(const struct verify_data *d, const void *buf, size_t bytes, uint64_t seed,
			uint64_t pos, struct verify_data_source *source);

/* verify_digest.c: the kinds of verify blocks and their digests, as fio 3.42 stores them. Pure. */

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

#define VERIFY_HEADER_BYTES 48u
#define VERIFY_MAGIC        0xaccau
#define VERIFY_VERSION      0x81u

/* The options that decide the format of a job's blocks. */
struct verify_cfg {
	enum verify_kind kind;
	uint32_t interval;             /* bytes of a part; 0 or longer than the block: the whole block */
	uint32_t offset;               /* of the header in its part */
	const struct pattern *pattern; /* the data; NULL: drawn from the seed */
	uint32_t pattern_interval;     /* bytes after which a pattern starts again; 0: the block */
};

/* One write. */
struct verify_write {
	uint64_t offset; /* in the file */
	uint32_t bytes;
	uint32_t seconds, nanoseconds; /* when it began */
	uint64_t seed;                 /* of the data; the header says 0 if a pattern fills the block */
	uint64_t number;               /* of the job, from 0 */
	uint16_t thread;               /* job number, from 1 */
};

/* Returns the time of a header in ns since 1970. */
static inline uint64_t verify_time_ns(uint32_t seconds, uint32_t nanoseconds)
{
	return seconds * UINT64_C(1000000000) + nanoseconds;
}

struct verify_header {
	uint16_t magic;
	uint8_t version, type;
	uint32_t length; /* of the part */
	uint64_t seed, offset;
	uint32_t seconds, nanoseconds;
	uint64_t number;
	uint16_t thread;
	uint32_t crc;
};

/* Makes and checks the blocks of one job; threads may share it. */
struct verify_format {
	const struct verify_cfg *cfg;
	struct verify_data data;
	uint32_t head; /* bytes of header and digest */
};

/* Initialises f. cfg and its pattern must outlive it. Of `buffer` only the compression matters. unit: the
   size of the smallest write, in bytes. */
void verify_format_init(struct verify_format *f, const struct verify_cfg *cfg,
			const struct buffer_cfg *buffer, uint32_t unit);

/* Returns whether blocks of this size can be made: the parts have one size, and header and digest fit at
   their offset. */
bool verify_block_fits(const struct verify_cfg *cfg, uint32_t bytes);
/* Makes the block of a write, whose size verify_block_fits() must accept. */
void verify_block_make(const struct verify_format *f, const struct verify_write *w, void *buf);

/* ---- the two steps of making, and what checking needs ---- */

/* Fills buf with bytes [pos, pos + bytes) of the data of a write, without headers and digests. */
void verify_block_fill(const struct verify_format *f, const struct verify_write *w, void *buf, size_t bytes,
		       uint64_t pos);
/* Puts headers and digests over the data in buf. */
void verify_block_seal(const struct verify_format *f, const struct verify_write *w, void *buf);
/* Returns the size of each part of a block of this size, in bytes. */
uint32_t verify_part_bytes(const struct verify_cfg *cfg, uint32_t bytes);
/* Moves header and digest of a part from its beginning to cfg->offset, and the data from there to the
   beginning. A second call undoes this. */
void verify_part_exchange(const struct verify_format *f, unsigned char *part);
/* Reads the header at `at`, and checks nothing. */
void verify_header_read(struct verify_header *h, const unsigned char *at);
/* Returns the CRC that the header at `at` should have. */
uint32_t verify_header_crc(const unsigned char *at);

/* sha3.c: SHA-3 (FIPS 202). libcrypto has it only behind EVP, which makes each start of a program twice as
   expensive. */

/* digest: 28, 32, 48 or 64 bytes, written to out. */
void sha3(const void *data, size_t bytes, size_t digest, unsigned char *out);

#endif
