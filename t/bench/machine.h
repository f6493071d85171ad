/* machine.h: where the figures hold. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdio.h>

struct bench;

/* The fio to compare with: a path, "none", or NULL for the one in PATH. NULL: there is none. */
const char *machine_fio(const char *wanted);
/* Whether instructions can be counted: there is valgrind. */
bool machine_counts(void);
/* Processor, kernel, file system, versions. */
void machine_print(const struct bench *b, FILE *out);
/* What else the machine does. */
void machine_load(FILE *out);

#endif
