/* block_check.h: the check of one block that was read back. The worker fills it in and counts its result; the
   check itself may run in another thread (verify_async). */
#ifndef BLOCK_CHECK_H
#define BLOCK_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include "verify_check.h"
#include "verify_run.h"
#include "verify_source.h"

struct block_check {
	uint32_t file;
	struct verify_block_ref block;
	struct verify_expect expect;
	unsigned char *buf;   /* the bytes that were read: block.bytes */
	bool trimmed;         /* all bytes must be zero */
	bool maybe_trimmed;   /* all bytes may be zero: an earlier run has trimmed some blocks */
	bool writer_unknown;  /* another program may have written the block: see verify_writer.h */
	bool other_job;       /* another job probably wrote the block: check it by its own header */
	bool other_section;   /* a job of another section of the job file has written the block */
	struct block_run run; /* if the job only verifies: the run that wrote the block; 0: unknown */
	unsigned sharing;     /* of its bytes with other jobs: plan_verify_sharing() */
	bool mixed_writes;    /* parts may be of different writes: where blocks begin is not known */
	uint32_t unit;        /* any unit may be of another write; 0: only parts or the whole block */
	uint32_t block_max;   /* bytes of the largest block */
	bool first_read;      /* the job has not checked the block before */
	/* The result: */
	bool intact;
	bool zero;          /* all bytes are zero, perhaps because of a trim */
	bool other_write;   /* not intact, but writer_unknown, and another write has left it whole */
	bool only_parts;    /* intact, but only each part by itself: mixed_writes */
	uint64_t unchecked; /* bytes that nothing could check */
	struct verify_damage damage;
};

/* Checks the block and sets the result. */
void block_check_run(struct block_check *c, const struct verify_format *f);

#endif
