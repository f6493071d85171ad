/* type_rw.c: rw=, a pattern with a count or a stride. */
#include <errno.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

static int rw_count(const char *text, const struct opt_ctx *ctx, unsigned *nr, struct diag *d)
{
	const char *hint = "";
	uint64_t v;

	if (opt_number(text, ctx->kb_base, &v, &hint) || v < 1 || v > UINT32_MAX)
		return diag_err(d, -EINVAL,
				"the value after ':' is a count for a random pattern, such as randread:8");
	*nr = (unsigned)v;
	return 0;
}

static int rw_stride(const char *text, const struct opt_ctx *ctx, int64_t *stride, struct diag *d)
{
	bool negative = *text == '-';
	const char *hint = "";
	uint64_t v;

	if (opt_number(text + (negative || *text == '+'), ctx->kb_base, &v, &hint))
		return diag_err(d, -EINVAL,
				"the value after ':' is a size for a sequential pattern, such as read:8k or "
				"write:-4k");
	if (v > INT64_MAX)
		return diag_err(d, -ERANGE, "out of range; the stride is too large");
	*stride = negative ? -(int64_t)v : (int64_t)v;
	return 0;
}

static int rw_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		    struct diag *d)
{
	struct offset_cfg *o = field;
	size_t stem = strcspn(text, ":");
	const struct opt_choice *c = opt_find_choice(row->choices, text, stem);
	unsigned nr = 1;
	int64_t stride = 0;
	int err = 0;

	if (!c)
		return opt_unknown_choice(row->choices, "pattern", text, d);
	if (text[stem] && c->value & RW_RANDOM)
		err = rw_count(text + stem + 1, ctx, &nr, d);
	else if (text[stem])
		err = rw_stride(text + stem + 1, ctx, &stride, d);
	if (err)
		return err;
	opt_note_ib(row, text, ctx);
	o->rw = (unsigned)c->value;
	o->rw_nr = nr;
	o->rw_stride = stride;
	return 0;
}

static void rw_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct offset_cfg *o = field;

	strbuf_puts(out, opt_choice_name(row->choices, o->rw));
	if (o->rw_nr > 1)
		strbuf_printf(out, ":%u", o->rw_nr);
	if (o->rw_stride)
		strbuf_printf(
			out, ":%s%s", o->rw_stride < 0 ? "-" : "",
			units_suffixed((uint64_t)(o->rw_stride < 0 ? -o->rw_stride : o->rw_stride)).text);
}

const struct opt_type job_type_rw = { OPT_TYPE("pattern", rw) };
