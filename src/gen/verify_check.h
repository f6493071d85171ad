/* verify_check.h: checks verify blocks and names their damage. Pure. The check of an intact block computes
   its digest; it compares bytes only if the block is damaged, or if its kind has no digest. */
#ifndef VERIFY_CHECK_H
#define VERIFY_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_block.h"

/* The meaning of the values expected and found of a damage. */
enum verify_value {
	VERIFY_VALUE_NONE,
	VERIFY_VALUE_BITS,   /* a checksum, magic number or version */
	VERIFY_VALUE_KIND,   /* type of a header */
	VERIFY_VALUE_OFFSET, /* offset in the file */
	VERIFY_VALUE_BYTES,
	VERIFY_VALUE_THREAD,
	VERIFY_VALUE_NUMBER, /* number of a write */
	VERIFY_VALUE_SEED,
	VERIFY_VALUE_BYTE /* value of the first wrong byte */
};

enum verify_damage_kind {
	DAMAGE_NONE,
	DAMAGE_OLD_FIO,    /* no damage: fio 3.33 or older wrote this header of 40 bytes */
	DAMAGE_VERSION,    /* an intact header of another version */
	DAMAGE_OTHER_KIND, /* an intact header of another kind of verify */
	DAMAGE_NO_HEADER,
	DAMAGE_HEADER_CRC,
	DAMAGE_MISPLACED, /* an intact header of another block */
	DAMAGE_SHIFTED,   /* bytes of this block at a wrong place in it */
	DAMAGE_OTHER_JOB,
	DAMAGE_EARLIER_RUN, /* a write of an earlier run */
	DAMAGE_STALE,       /* an older write */
	DAMAGE_NEWER,       /* a write that should have come later */
	DAMAGE_SEED,
	DAMAGE_LENGTH,
	DAMAGE_ZEROED,
	DAMAGE_TORN,    /* some bytes are from another write of this block */
	DAMAGE_DIGEST,  /* wrong bytes somewhere, or a wrong digest */
	DAMAGE_DATA,    /* wrong bytes at a known place */
	DAMAGE_PATTERN, /* wrong bytes in a pattern */
	DAMAGE_NOT_TRIMMED,
	DAMAGE_BEYOND_END, /* the file ends before the end of the block */
	DAMAGE_KINDS
};

struct verify_damage_info {
	const char *name;
	enum verify_value value;
};

extern const struct verify_damage_info verify_damages[DAMAGE_KINDS];

struct verify_damage {
	enum verify_damage_kind kind;
	uint64_t offset, bytes;   /* from the first damaged byte to the last, in the file */
	uint64_t expected, found; /* verify_damages[kind].value says in which unit */
	uint32_t parts;           /* damaged parts of the block */
	bool has_header;          /* the first damaged part has an intact header, which follows */
	struct verify_header header;
};

/* What a block should hold. */
struct verify_expect {
	struct verify_write write; /* The time is not compared with that of the header. With thread 0, blocks
				      of other jobs are not reported as such. */
	uint64_t since_ns;         /* the header must not be older than this, in ns since 1970; 0: any */
	bool seed, number;         /* the header must have the seed, the number of the write */
	bool seed_data; /* fiord wrote the data: data without a digest are compared with the seed's */
};

/* Checks the block in buf. Returns true if it is intact; otherwise *d describes the damage. buf must be
   writable: the check moves bytes, and moves them back. Blocks of the kind null always count as intact. */
bool verify_check(const struct verify_format *f, const struct verify_expect *e, void *buf,
		  struct verify_damage *d);

/* Checks a block that was trimmed and begins at this offset of the file. Returns whether all bytes are zero;
   otherwise *d describes the damage. */
bool verify_check_zero(const unsigned char *buf, uint32_t bytes, uint64_t offset, struct verify_damage *d);

/* Checks bytes [from, from + bytes) of a block, after later writes have replaced its other bytes. buf holds
   these bytes alone. In a part that is not whole the header is checked if all of it is left, and the data are
   compared with the pattern, or with the seed's data if e->seed and e->seed_data are set. Returns true if all
   that was checked is intact; otherwise *d describes the damage. Adds to *unchecked the bytes that nothing
   could check. */
bool verify_check_range(const struct verify_format *f, const struct verify_expect *e, void *buf,
			uint32_t from, uint32_t bytes, struct verify_damage *d, uint64_t *unchecked);

#endif
