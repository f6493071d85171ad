/* machine.h: where the figures hold. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdio.h>

struct bench;

/* The fio to compare with: a path, "none", or NULL for the one in PATH. NULL: there is none. */
const char *machine_fio(const struct bench *b, const char *wanted);
/* Processor, kernel, file system, versions. */
void machine_print(const struct bench *b, FILE *out);
/* What else the machine does. */
void machine_load(FILE *out);

#endif
