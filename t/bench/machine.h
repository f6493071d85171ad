/* machine.h: describes the machine on which the figures were measured. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdio.h>

struct bench;

/* Returns the fio to compare with; NULL if there is none. wanted is a path, "none", or NULL for the one in
   PATH. */
const char *machine_fio(const char *wanted);
/* Whether instructions can be counted, which needs valgrind. */
bool machine_counts(void);
/* Prints the processor, kernel, file system and versions. */
void machine_print(const struct bench *b, FILE *out);
/* Prints the load of the machine. */
void machine_load(FILE *out);

#endif
