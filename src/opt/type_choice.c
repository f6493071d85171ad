/* type_choice.c: one of the words that the row lists. */
#include <errno.h>
#include <string.h>
#include "strbuf.h"
#include "types.h"

const struct opt_choice *opt_find_choice(const struct opt_choice *choices, const char *text, size_t n)
{
	for (const struct opt_choice *c = choices; c->name; c++)
		if (strlen(c->name) == n && !strncmp(c->name, text, n))
			return c;
	return NULL;
}

const char *opt_choice_name(const struct opt_choice *choices, int64_t value)
{
	for (const struct opt_choice *c = choices; c->name; c++)
		if (c->value == value)
			return c->name;
	return "";
}

int opt_unknown_choice(const struct opt_choice *choices, const char *noun, const char *text, struct diag *d)
{
	const char *near = opt_nearest_choice(choices, text);
	struct strbuf b = { 0 };
	unsigned n = 0, left = 0;

	for (const struct opt_choice *c = choices; c->name; c++)
		left += c->value >= 0;
	for (const struct opt_choice *c = choices; c->name; c++) {
		if (c->value < 0)
			continue;
		strbuf_printf(&b, "%s%s", n == 0 ? "" : n + 1 == left ? " or " : ", ", c->name);
		n++;
	}
	if (near)
		strbuf_printf(&b, " (did you mean %s?)", near);
	diag_err(d, -EINVAL, "not a %s; write %s", noun, strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

static int enum_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	const struct opt_choice *c = opt_find_choice(row->choices, text, strlen(text));

	(void)ctx;
	if (!c)
		return opt_unknown_choice(row->choices, "choice", text, d);
	if (c->value == CHOICE_REFUSED)
		return diag_err(d, -ENOTSUP, "not supported: %s", c->why);
	*(unsigned *)field = (unsigned)c->value;
	return 0;
}

static void enum_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	strbuf_puts(out, opt_choice_name(row->choices, *(const unsigned *)field));
}

static int fixed_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	const struct opt_choice *c = opt_find_choice(row->choices, text, strcspn(text, ":,"));

	(void)field;
	(void)ctx;
	if (c && c->value >= 0 && !strcmp(c->name, text))
		return 0;
	if (c && c->value == CHOICE_REFUSED)
		return diag_err(d, -ENOTSUP, "not supported: %s", c->why);
	return opt_unknown_choice(row->choices, "choice", text, d);
}

static void fixed_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)field;
	strbuf_puts(out, row->def);
}

const struct opt_type opt_type_enum = { OPT_TYPE("choice", enum), .bytes = sizeof(unsigned) };
const struct opt_type opt_type_fixed = { OPT_TYPE("choice", fixed) };
