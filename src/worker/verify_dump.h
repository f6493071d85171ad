/* verify_dump.h: writes damaged blocks to files (verify_dump=1). */
#ifndef VERIFY_DUMP_H
#define VERIFY_DUMP_H

#include <stdbool.h>
#include <stdint.h>
#include "block_check.h"
#include "clone.h"

/* A job dumps at most this many blocks. */
#define VERIFY_DUMPS 32

struct verify_dumps {
	uint64_t blocks, omitted; /* dumped; not dumped, because they are beyond VERIFY_DUMPS */
	uint64_t failed;          /* files that could not be written */
	const char *rank;         /* ends the names of the files; NULL: none */
	char first[400];          /* path of the first dump, without .received and rank */
	char error[400];          /* the first failure */
};

/* Dumps a damaged block of the file at `path` into the working directory, or --aux-path: as it was read, to
   NAME.OFFSET.received, and as it should be, to NAME.OFFSET.expected. own: as far as is known, this job wrote
   the block. Other jobs' data without a pattern cannot be made again, so there is no second file for them.
   This function never replaces a file. */
void verify_dumps_add(struct verify_dumps *v, const struct clone *c, const char *path,
		      const struct verify_format *f, const struct block_check *check, bool own);
/* Adds a note about the dumps. */
void verify_dumps_end(const struct verify_dumps *v, const struct clone *c);

#endif
