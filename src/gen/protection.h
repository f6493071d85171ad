/* protection.h: protection information of T10 in the metadata of blocks, as NVMe has it with a guard of 16
   bits. A tuple has 8 bytes, big-endian: the guard, which is a CRC of the block, the application tag, and the
   reference tag, which is the lower part of the block's address. Pure. */
#ifndef PROTECTION_H
#define PROTECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROTECTION_BYTES 8u

enum protection_check { PROTECTION_GUARD = 1, PROTECTION_APP = 2, PROTECTION_REF = 4 };

/* What the blocks of a namespace have in common. */
struct protection {
	uint32_t block_bytes; /* data of a block */
	uint32_t before;      /* bytes of its metadata that precede the tuple; the guard covers them, too */
	uint8_t type;         /* 1 to 3; the reference tags of type 3 are 0, and are not checked */
	uint8_t checks;       /* enum protection_check */
	uint16_t app_tag, app_mask;
};

/* Some consecutive blocks. */
struct protected_blocks {
	const unsigned char *data; /* block after block */
	unsigned char *metadata;   /* that of the first block */
	size_t metadata_step;      /* bytes from the metadata of a block to that of the next */
	uint32_t n;
	uint32_t ref; /* reference tag of the first block */
};

/* What does not match: a part, in which block (counted from 0). */
struct protection_damage {
	const char *part; /* "guard", "application tag", "reference tag" */
	uint32_t block, expected, found;
};

/* Writes the tuple of each block. */
void protection_make(const struct protection *p, const struct protected_blocks *b);
/* Returns whether the checked parts of all tuples match; if not, *damage has the first that does not. A tuple
   whose application tag is 0xffff is not checked (with type 3 its reference tag must be 0xffffffff, too):
   devices return such tuples for blocks that were never written. */
bool protection_check(const struct protection *p, const struct protected_blocks *b,
		      struct protection_damage *damage);

#endif
