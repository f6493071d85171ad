/* feature_cost.h: the cost of an I/O in fiord with one more feature, and whether it is independent of the
   number of jobs and files. */
#ifndef FEATURE_COST_H
#define FEATURE_COST_H

#include <stdio.h>

struct bench;

/* Measures each feature alone against the job without it, and features whose options are given without
   effect. */
int features_run(const struct bench *b, const char *only, FILE *out);
/* Measures the cost by the number of jobs and files. */
int scaling_run(const struct bench *b, FILE *out);

void features_list(FILE *out);

#endif
