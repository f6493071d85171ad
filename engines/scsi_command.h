/* scsi_command.h: encodes the commands that the engine sg sends. Pure. Only these commands exist here, so no
   job can send another one. Numbers in commands are big-endian. */
#ifndef SCSI_COMMAND_H
#define SCSI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "scsi.h"

/* Operation codes of commands with 10 bytes and with 16. */
struct scsi_opcode {
	uint8_t short_form; /* 0: there is none */
	uint8_t long_form;
};
/* clang-format off */
#define SCSI_READ             { 0x28, 0x88 }
#define SCSI_WRITE            { 0x2a, 0x8a }
#define SCSI_WRITE_AND_VERIFY { 0x2e, 0x8e }
#define SCSI_VERIFY           { 0x2f, 0x8f }
#define SCSI_WRITE_SAME       { 0x41, 0x93 }
#define SCSI_WRITE_SAME_16    { 0, 0x93 }
/* clang-format on */

#define SCSI_UNMAP 0x42

/* Bits of byte 1. */
#define SCSI_FUA        0x08 /* reads and writes */
#define SCSI_BYTCHK_ALL 0x02 /* VERIFY: compares with as many blocks of data */
#define SCSI_BYTCHK_ONE 0x06 /* VERIFY: compares each block with one block of data */
#define SCSI_NDOB       0x01 /* WRITE SAME(16): writes zeros, without data */

#define SCSI_COMMAND_BYTES 16 /* the longest command */
#define SCSI_UNMAP_BYTES   24 /* the parameter list of UNMAP with one range */

/* How much data a command carries for its blocks. */
enum scsi_data { SCSI_DATA_ALL, SCSI_DATA_ONE_BLOCK, SCSI_DATA_NONE };

/* What the reads, or the writes, of a job have in common. */
struct scsi_command {
	struct scsi_opcode opcode;
	uint8_t flags; /* byte 1 */
	enum scsi_data data;
};

static inline void scsi_put(uint8_t *at, uint64_t value, unsigned bytes)
{
	while (bytes--) {
		at[bytes] = (uint8_t)value;
		value >>= 8;
	}
}

/* Fills in a command for blocks from `first` on, of which there is at least one. Returns its length: 10 bytes
   where address and number of blocks fit, else 16. is_long: 16 in any case. */
static inline uint8_t scsi_command_blocks(uint8_t *c, const struct scsi_command *kind, uint64_t first,
					  uint32_t blocks, bool is_long)
{
	bool is_short = !is_long && kind->opcode.short_form && first + blocks - 1 <= UINT32_MAX &&
			blocks <= UINT16_MAX;

	memset(c, 0, SCSI_COMMAND_BYTES);
	c[0] = is_short ? kind->opcode.short_form : kind->opcode.long_form;
	c[1] = kind->flags;
	scsi_put(c + 2, first, is_short ? 4 : 8);
	if (is_short)
		scsi_put(c + 7, blocks, 2);
	else
		scsi_put(c + 10, blocks, 4);
	return is_short ? 10 : 16;
}

/* Fills in a command that flushes the cache of the whole disk. Returns its length. */
static inline uint8_t scsi_command_flush(uint8_t *c, bool is_long)
{
	memset(c, 0, SCSI_COMMAND_BYTES);
	c[0] = is_long ? SCSI_SYNCHRONIZE_CACHE_16 : SCSI_SYNCHRONIZE_CACHE;
	return is_long ? 16 : 10;
}

/* Fills in UNMAP and its parameter list, which must live until the command is complete. Returns its length.
 */
static inline uint8_t scsi_command_unmap(uint8_t *c, uint8_t *list, uint64_t first, uint32_t blocks)
{
	memset(c, 0, SCSI_COMMAND_BYTES);
	c[0] = SCSI_UNMAP;
	scsi_put(c + 7, SCSI_UNMAP_BYTES, 2);
	memset(list, 0, SCSI_UNMAP_BYTES);
	scsi_put(list, SCSI_UNMAP_BYTES - 2, 2);     /* bytes that follow */
	scsi_put(list + 2, SCSI_UNMAP_BYTES - 8, 2); /* of the list of ranges */
	scsi_put(list + 8, first, 8);
	scsi_put(list + 16, blocks, 4);
	return 10;
}

#endif
