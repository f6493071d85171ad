/* errors.h: which failed I/Os a job survives. Pure. */
#ifndef ERRORS_H
#define ERRORS_H

#include <stdbool.h>
#include <stdint.h>
#include "io.h"

/* What fails: reads, everything else (writes, trims, syncs), and the check of what was read or written. */
enum error_kind { ERROR_READ, ERROR_WRITE, ERROR_VERIFY, ERROR_KINDS };

#define ERRORS_LISTED 16

struct error_cfg {
	unsigned survive; /* bits of error_kind */
	/* Of each kind: the errors it survives; none: those with which a device says that one I/O failed. */
	uint16_t listed[ERROR_KINDS][ERRORS_LISTED];
	uint8_t nlisted[ERROR_KINDS];
	bool dump; /* tell the survived ones, too */
};

/* As in fio, EILSEQ (a failed integrity check) belongs to verify whichever way the data went. */
enum error_kind error_kind(enum io_op op, int err);
/* Whether a job goes on after an I/O that failed with err (positive). */
bool errors_survived(const struct error_cfg *c, enum io_op op, int err);
/* "ENOSPC" or a number; 0 if it is none. */
int error_number(const char *text);

#endif
