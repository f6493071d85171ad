#include "engine_parts.h"

static int parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		 struct diag *d)
{
	return opt_type_i32.parse(row, field, text ? text : "1", ctx, d);
}

static void print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	opt_type_i32.print(row, field, out);
}

const struct opt_type autoflag_type = {
	.name = "flag",
	.parse = parse,
	.print = print,
	.bytes = sizeof(int32_t),
};
