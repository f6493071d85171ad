/* outfile.h: where the result goes: stdout, or a file that appears whole or stays as it was. */
#ifndef OUTFILE_H
#define OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include "diag.h"

/* Whether path could be written, as far as can be told without touching it. NULL is stdout. 0 or -errno with
 * d. */
int outfile_check(const char *path, struct diag *d);
/* Writes all: a regular file through a temporary one beside it that replaces it at the end. 0 or -errno with
   d (DIAG_OUTPUT). */
int outfile_write(const char *path, const char *text, size_t len, struct diag *d);

/* The same into what is open already, path's name in messages (NULL: standard output). */
int outfile_put(int fd, const char *path, const char *text, size_t len, struct diag *d);

#endif
