/* type_opposite.c: rwmixwrite, which sets the field of rwmixread. */
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

const struct opt_type job_type_complement = { OPT_TYPE("percentage", complement), .bytes = sizeof(unsigned) };
