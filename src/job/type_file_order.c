/* type_file_order.c: file_service_type=. */
#include <errno.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "types.h"

static int file_order_unknown(const struct opt_row *row, const char *text, struct diag *d)
{
	const char *near = opt_nearest_choice(row->choices, text);
	struct strbuf b = { 0 };

	for (const struct opt_choice *c = row->choices; c->name; c++)
		if (c->value >= 0)
			strbuf_printf(&b, "%s%s", b.len ? ", " : "", c->name);
	if (near)
		strbuf_printf(&b, " (did you mean %s?)", near);
	diag_err(d, -EINVAL, "not known; known are %s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

static int file_order_parse(const struct opt_row *row, void *field, const char *text,
			    const struct opt_ctx *ctx, struct diag *d)
{
	size_t stem = strcspn(text, ":");
	const struct opt_choice *c = row->choices;
	const char *hint = "";
	uint64_t ios = 1;

	while (c->name && (strlen(c->name) != stem || strncmp(c->name, text, stem)))
		c++;
	if (!c->name)
		return file_order_unknown(row, text, d);
	if (c->value < 0)
		return diag_err(d, -EINVAL,
				"not supported yet (file choices by distribution); say roundrobin, "
				"sequential or random");
	if (text[stem] &&
	    (opt_number(text + stem + 1, ctx->kb_base, &ios, &hint) || ios < 1 || ios > UINT32_MAX))
		return diag_err(
			d, -EINVAL,
			"behind the ':' stands how many I/Os one file gets in a row, such as random:8");
	*(struct file_order_cfg *)field =
		(struct file_order_cfg){ (enum file_order_kind)c->value, (uint32_t)ios };
	return 0;
}

static void file_order_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct file_order_cfg *s = field;
	const struct opt_choice *c = row->choices;

	while (c->name && (unsigned)c->value != s->kind)
		c++;
	strbuf_puts(out, c->name ? c->name : "");
	if (s->ios > 1)
		strbuf_printf(out, ":%u", s->ios);
}

const struct opt_type job_type_file_order = { .name = "choice",
					      .parse = file_order_parse,
					      .print = file_order_print,
					      .bytes = sizeof(struct file_order_cfg) };
