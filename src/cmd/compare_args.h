/* compare_args.h: the options that fiord compare and fiord trend share: conditions and figures. The ctx of
   the functions that set an option is a struct compare_args, or a struct that begins with one. */
#ifndef COMPARE_ARGS_H
#define COMPARE_ARGS_H

#include "compare.h"
#include "vec.h"

struct compare_args {
	struct compare_cfg cfg;
	VEC(struct compare_condition) condition;
};

int compare_args_fail_if(void *ctx, const char *value, struct diag *d);
int compare_args_percentiles(void *ctx, const char *value, struct diag *d);
int compare_args_confidence(void *ctx, const char *value, struct diag *d);
/* Adds the percentiles of the conditions, and the default ones if none are selected. The conditions of
   args->cfg are then those of args. Returns 0 or -errno with d. */
int compare_args_complete(struct compare_args *args, struct diag *d);
void compare_args_fini(struct compare_args *args);
/* Names on standard error the conditions that fail for lack of data, because a program may not read the
   report. */
void compare_put_failures(const struct compare *c);

#endif
