/* verify_check.h: checks verify blocks and names their damage. Pure. An intact block costs its digest; only a
   bad one is looked at byte by byte. */
#ifndef VERIFY_CHECK_H
#define VERIFY_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_block.h"

/* What expected and found of a damage are. */
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
	DAMAGE_MISPLACED, /* another block */
	DAMAGE_SHIFTED,   /* this block's bytes at another place of it */
	DAMAGE_OTHER_JOB,
	DAMAGE_STALE, /* an older write */
	DAMAGE_NEWER, /* a write that should have come later */
	DAMAGE_SEED,
	DAMAGE_LENGTH,
	DAMAGE_ZEROED,
	DAMAGE_TORN,    /* some bytes are from another write of this block */
	DAMAGE_DIGEST,  /* wrong bytes somewhere, or a wrong digest */
	DAMAGE_DATA,    /* wrong bytes at a known place */
	DAMAGE_PATTERN, /* the same in a pattern */
	DAMAGE_NOT_TRIMMED,
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
	bool has_header;          /* the first damaged part has an intact header: this one */
	struct verify_header header;
};

/* What a block should hold. */
struct verify_expect {
	struct verify_write write; /* its time counts nothing; its thread only tells one job from another */
	bool seed, number;         /* check these, too */
	bool drawn; /* fiord wrote it: data that no digest covers (meta) are compared with the seed's */
};

/* Checks the block in buf. Returns true if it is intact; else fills *d. buf is the same afterwards, but must
   be writable meanwhile. Blocks of the kind null are always intact. */
bool verify_check(const struct verify_format *f, const struct verify_expect *e, void *buf,
		  struct verify_damage *d);

/* Checks a block that was trimmed and begins at this offset of the file: all bytes must be zero. */
bool verify_check_zero(const unsigned char *buf, uint32_t bytes, uint64_t offset, struct verify_damage *d);

/* Checks bytes [from, from + bytes) of the block, whose other bytes later writes have replaced; buf holds
   these alone. Of parts that are not whole, intact headers are checked and data are compared with the seed's,
   if e->seed and e->drawn say that they can be. Adds to *unchecked the bytes that nothing could check. */
bool verify_check_range(const struct verify_format *f, const struct verify_expect *e, void *buf,
			uint32_t from, uint32_t bytes, struct verify_damage *d, uint64_t *unchecked);

#endif
