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

/* ---- verify_text.c: the damage of verify blocks in words, for errors and reports. Pure. ---- */

/* Room for either text, with the final zero. */
#define VERIFY_VALUE_TEXT  40
#define VERIFY_DAMAGE_TEXT 160

/* Writes the expected or found value of a damage with its unit, e.g. "write 7" or "0x3f". Writes "" if this
   kind of damage has no values. */
void verify_value_text(enum verify_damage_kind kind, uint64_t value, char to[VERIFY_VALUE_TEXT]);
/* Writes e.g. "stale: write 7 expected, write 3 found". */
void verify_damage_text(enum verify_damage_kind kind, uint64_t expected, uint64_t found,
			char to[VERIFY_DAMAGE_TEXT]);
/* Returns the name of the kind of verify that headers of this type have; NULL if there is none. */
const char *verify_type_name(uint64_t type);

/* verify_run.c: run numbers. Each run of a job has a random number, from which the data of its writes follow.
   So a block that an earlier run has written is not that of this run, even at the same place and with the
   same number. Data with the run number 0 are the same in every run. Pure. */

#define VERIFY_RUNS 8u

/* Returns the seed of a run: its write n has the seed rng_mix64(run seed + n). seed: that of the job. */
static inline uint64_t verify_run_seed(uint64_t seed, uint32_t run)
{
	return seed + ((uint64_t)run << 32);
}

/* A run that wrote a block. */
struct block_run {
	uint32_t number;
	uint64_t time_ns; /* of the block's header, since 1970; 0: it was found by the data */
};

/* Finds the run that wrote these bytes of a block: by a header or by their data. from: where they begin in
   the block. number: of the write, for data without a header. Returns false if they are of no write of this
   job, or do not tell. */
bool verify_run_find(const struct verify_format *f, const unsigned char *buf, uint32_t bytes, uint32_t from,
		     uint64_t seed, uint64_t number, struct block_run *run);

/* The runs that wrote the blocks read so far. If there are many, only the last ones are kept. */
struct verify_runs {
	uint32_t last, number[VERIFY_RUNS];
	uint32_t n; /* that were added; of more than VERIFY_RUNS, the oldest are forgotten */
};

void verify_runs_add(struct verify_runs *r, uint32_t run);
bool verify_runs_have(const struct verify_runs *r, uint32_t run);

#endif
