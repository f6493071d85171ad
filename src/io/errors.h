/* errors.h: whether a job continues after an I/O error (continue_on_error, ignore_error). Pure. */
#ifndef ERRORS_H
#define ERRORS_H

#include <stdbool.h>
#include <stdint.h>
#include "io.h"

/* The kind of the failed operation: a read; a write, trim or sync; or the verification of data. */
enum error_kind { ERROR_READ, ERROR_WRITE, ERROR_VERIFY, ERROR_KINDS };

#define ERRORS_LISTED 16

struct error_cfg {
	unsigned survive; /* bits of error_kind */
	/* For each kind the errors that the job survives. An empty list means the errors that a
	   device returns for one failed I/O. */
	uint16_t listed[ERROR_KINDS][ERRORS_LISTED];
	uint8_t nlisted[ERROR_KINDS];
	bool dump; /* report survived errors, too */
};

/* Returns whether the job survives the failure of op with err (positive). */
bool errors_survived(const struct error_cfg *c, enum io_op op, int err);
/* Parses "ENOSPC" or a positive number; returns 0 if text is neither. */
int error_number(const char *text);

#endif
