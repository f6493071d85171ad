/* type_choice.c: one of the words that the row lists. */
#include <errno.h>
#include <string.h>
#include "types.h"

/* The error "not a choice; write none, sync or dsync (did you mean dsync?)". Choices below 0 are not listed.
 */
static int not_a_choice(const struct opt_row *row, const char *text, struct diag *d)
{
	const char *near = opt_nearest_choice(row->choices, text);
	struct strbuf b = { 0 };
	unsigned n = 0, left = 0;

	for (const struct opt_choice *c = row->choices; c->name; c++)
		left += c->value >= 0;
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (c->value < 0)
			continue;
		strbuf_printf(&b, "%s%s", n == 0 ? "" : n + 1 == left ? " or " : ", ", c->name);
		n++;
	}
	if (near)
		strbuf_printf(&b, " (did you mean %s?)", near);
	diag_err(d, -EINVAL, "not a choice; write %s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

static int enum_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	(void)ctx;
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (strcmp(c->name, text) == 0) {
			*(unsigned *)field = (unsigned)c->value;
			return 0;
		}
	}
	return not_a_choice(row, text, d);
}

static void enum_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if ((unsigned)c->value == *(const unsigned *)field) {
			strbuf_puts(out, c->name);
			return;
		}
	}
}

static int fixed_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	size_t stem = strcspn(text, ":,");

	(void)field;
	(void)ctx;
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (c->value >= 0 && strcmp(c->name, text) == 0)
			return 0;
	}
	for (const struct opt_choice *c = row->choices; c->name; c++) {
		if (strlen(c->name) == stem && strncmp(c->name, text, stem) == 0)
			return diag_err(d, -ENOTSUP, "not supported yet; only %s is", row->def);
	}
	return not_a_choice(row, text, d);
}

static void fixed_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)field;
	strbuf_puts(out, row->def);
}

const struct opt_type opt_type_enum = {
	.name = "choice", .parse = enum_parse, .print = enum_print, .bytes = sizeof(unsigned)
};
const struct opt_type opt_type_fixed = { .name = "choice", .parse = fixed_parse, .print = fixed_print };
