/* type_bool.c: switches, which are 0 or 1. */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include "strbuf.h"
#include "types.h"

static int parse_01(const struct opt_row *row, const char *text, bool *out, struct diag *d)
{
	static const char *const yes[] = { "yes", "true", "on", "y" }, *const no[] = { "no", "false", "off",
										       "n" };

	if (strcmp(text, "0") && strcmp(text, "1")) {
		for (unsigned i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
			if (strcasecmp(text, yes[i]) == 0)
				return diag_err(d, -EINVAL, "not a %s; write 1 for %s", row->type->name,
						text);
			if (strcasecmp(text, no[i]) == 0)
				return diag_err(d, -EINVAL, "not a %s; write 0 for %s", row->type->name,
						text);
		}
		return diag_err(d, -EINVAL, "not a %s; write 0 or 1", row->type->name);
	}
	*out = *text == '1';
	return 0;
}

static int bool_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	(void)ctx;
	return parse_01(row, text, field, d);
}

static void bool_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_putc(out, *(const bool *)field ? '1' : '0');
}

static int not_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		     struct diag *d)
{
	bool v, *b = field;
	int err = parse_01(row, text, &v, d);

	(void)ctx;
	if (!err)
		*b = !v;
	return err;
}

static void not_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_putc(out, *(const bool *)field ? '0' : '1');
}

static int flag_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	bool *b = field;

	(void)ctx;
	if (text)
		return parse_01(row, text, b, d);
	*b = true;
	return 0;
}

const struct opt_type opt_type_bool = { OPT_TYPE("bool", bool), .accepts = "0 or 1", .bytes = sizeof(bool) };
const struct opt_type opt_type_not = { OPT_TYPE("bool", not ), .accepts = "0 or 1", .bytes = sizeof(bool) };
const struct opt_type opt_type_flag = { .name = "flag",
					.accepts = "the name alone, 1 or 0",
					.parse = flag_parse,
					.print = bool_print,
					.bytes = sizeof(bool) };
