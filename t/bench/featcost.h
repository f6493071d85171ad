/* featcost.h: the cost of an I/O in fiord with one more feature, and whether it is independent of the
   number of jobs and files. */
#ifndef FEATCOST_H
#define FEATCOST_H

#include <stdio.h>

struct bench;

/* Measures each feature alone against the job without it, and features whose options are given without
   effect. */
int features_run(const struct bench *b, const char *only, FILE *out);
/* Measures the cost by the number of jobs and files. */
int flat_run(const struct bench *b, FILE *out);

void features_list(FILE *out);

#endif
