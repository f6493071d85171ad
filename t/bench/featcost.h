/* featcost.h: what an I/O of fiord's costs with one thing more asked for, and whether that stays flat. */
#ifndef FEATCOST_H
#define FEATCOST_H

#include <stdio.h>

struct bench;

/* Each feature alone, against the job without it; and features that are spelled out but ask for nothing. */
int features_run(const struct bench *b, const char *only, FILE *out);
/* By the number of jobs and files. */
int flat_run(const struct bench *b, FILE *out);

void features_list(FILE *out);

#endif
