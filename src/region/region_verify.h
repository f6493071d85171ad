/* region_verify.h: what a worker has verified, in its slot. */
#ifndef REGION_VERIFY_H
#define REGION_VERIFY_H

#include <stdint.h>

#define VERIFY_DAMAGES 256 /* damaged ranges that are described; further ones are counted */

/* Adjacent blocks with damage of one kind. */
struct verify_range {
	uint32_t file; /* of the job */
	uint32_t kind; /* enum verify_damage_kind */
	uint64_t offset, bytes;
	uint64_t blocks;
	uint64_t expected, found; /* of the first block; verify_damages[kind].value says in which unit */
};

struct region_verify {
	uint64_t checked;     /* blocks that were read back and are as written, or damaged */
	uint64_t in_part;     /* blocks of which not all bytes could be checked: writes overlapped, failed or
				 replaced parts */
	uint64_t part_right;  /* of these: blocks of which something was compared, and was right */
	uint64_t not_checked; /* blocks not read back, or that show no trace of a write */
	uint64_t damaged;     /* blocks; one that is read again counts again */
	uint64_t expected;    /* the first three will add up to this when the blocks written so far have been
				 read back; 0: not known */
	uint64_t unlisted;    /* damaged blocks that are in no range */
	char first[400];      /* the first damaged block, in one line */
	uint32_t nranges;     /* in use of range[] */
	struct verify_range range[VERIFY_DAMAGES];
};

#endif
