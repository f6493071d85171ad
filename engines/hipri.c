/* hipri.c: the option hipri of the engines with a ring: a choice whose name alone means 1. */
#include "uring.h"

static int hipri_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	return opt_type_enum.parse(row, field, text ? text : "1", ctx, d);
}

static void hipri_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	opt_type_enum.print(row, field, out);
}

const struct opt_type hipri_type = { OPT_TYPE("choice", hipri), .bytes = sizeof(enum hipri) };
