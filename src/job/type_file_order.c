/* type_file_order.c: file_service_type=. */
#include <errno.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

static int read_ios(const char *text, const struct opt_ctx *ctx, uint64_t *ios, struct diag *d)
{
	const char *hint = "";

	if (!*text)
		return 0;
	if (opt_number(text + 1, ctx->kb_base, ios, &hint) || *ios < 1 || *ios > UINT32_MAX)
		return diag_err(
			d, -EINVAL,
			"the number after ':' is the count of I/Os to one file in a row, such as random:8");
	return 0;
}

static int file_order_parse(const struct opt_row *row, void *field, const char *text,
			    const struct opt_ctx *ctx, struct diag *d)
{
	size_t stem = strcspn(text, ":");
	const struct opt_choice *c = opt_find_choice(row->choices, text, stem);
	struct file_order_cfg cfg = { 0 };
	uint64_t ios = 1;
	int err;

	if (!c)
		return opt_unknown_choice(row->choices, "file order", text, d);
	cfg.kind = (enum file_order_kind)c->value;
	err = file_order_skewed(cfg.kind) ? opt_skew(text, &cfg.skew, d)
					  : read_ios(text + stem, ctx, &ios, d);
	if (err)
		return err;
	cfg.ios = (uint32_t)ios;
	*(struct file_order_cfg *)field = cfg;
	return 0;
}

static void file_order_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct file_order_cfg *s = field;

	strbuf_puts(out, opt_choice_name(row->choices, s->kind));
	if (file_order_skewed(s->kind))
		strbuf_printf(out, ":%.15g", s->skew.param);
	if (file_order_skewed(s->kind) && s->skew.centered)
		strbuf_printf(out, ":%.15g", s->skew.center);
	if (s->ios > 1)
		strbuf_printf(out, ":%u", s->ios);
}

const struct opt_type job_type_file_order = { OPT_TYPE("choice", file_order),
					      .bytes = sizeof(struct file_order_cfg) };
