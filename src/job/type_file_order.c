/* type_file_order.c: file_service_type=. */
#include <errno.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "types.h"

static int file_order_parse(const struct opt_row *row, void *field, const char *text,
			    const struct opt_ctx *ctx, struct diag *d)
{
	size_t stem = strcspn(text, ":");
	const struct opt_choice *c = opt_find_choice(row->choices, text, stem);
	const char *hint = "";
	uint64_t ios = 1;

	if (!c)
		return opt_unknown_choice(row->choices, "file order", text, d);
	if (c->value < 0)
		return diag_err(d, -EINVAL,
				"not supported yet (file choices by distribution); use roundrobin, "
				"sequential or random");
	if (text[stem] &&
	    (opt_number(text + stem + 1, ctx->kb_base, &ios, &hint) || ios < 1 || ios > UINT32_MAX))
		return diag_err(
			d, -EINVAL,
			"the number after ':' is the count of I/Os to one file in a row, such as random:8");
	*(struct file_order_cfg *)field =
		(struct file_order_cfg){ (enum file_order_kind)c->value, (uint32_t)ios };
	return 0;
}

static void file_order_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct file_order_cfg *s = field;

	strbuf_puts(out, opt_choice_name(row->choices, s->kind));
	if (s->ios > 1)
		strbuf_printf(out, ":%u", s->ios);
}

const struct opt_type job_type_file_order = { .name = "choice",
					      .parse = file_order_parse,
					      .print = file_order_print,
					      .bytes = sizeof(struct file_order_cfg) };
