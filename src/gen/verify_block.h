/* verify_block.h: makes verify blocks in the format of fio 3.42. A block is cut into parts; each part has a
   header, a digest of its data, and the data. Blocks of the kinds null and pattern are data alone. Pure: the
   caller brings the time. */
#ifndef VERIFY_BLOCK_H
#define VERIFY_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "verify_data.h"
#include "verify_digest.h"

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

#endif
