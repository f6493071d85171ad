/* type_opposite.c: rwmixwrite and buffered, which set the field of rwmixread and direct. */
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

static int complement_parse(const struct opt_row *row, void *field, const char *text,
			    const struct opt_ctx *ctx, struct diag *d)
{
	uint32_t v = 0;
	int err = opt_type_u32.parse(row, &v, text, ctx, d);

	if (!err)
		*(unsigned *)field = 100 - v;
	return err;
}

static void complement_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_printf(out, "%u", 100 - *(const unsigned *)field);
}

static int buffered_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			  struct diag *d)
{
	struct job_opts *o = field;
	int err = opt_type_not.parse(row, &o->file.direct, text, ctx, d);

	if (!err)
		o->buffered_set = true;
	return err;
}

static void buffered_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct job_opts *o = field;

	opt_type_not.print(row, &o->file.direct, out);
}

const struct opt_type job_type_complement = {
	.name = "percentage", .parse = complement_parse, .print = complement_print, .bytes = sizeof(unsigned)
};
const struct opt_type job_type_buffered = {
	.name = "bool", .accepts = "0 or 1", .parse = buffered_parse, .print = buffered_print
};
