/* type_text.c: text that is stored as it is written. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "types.h"

int opt_text_set(char **field, const char *text, struct diag *d)
{
	char *copy = strdup(text);

	if (!copy)
		return diag_err(d, -ENOMEM, "out of memory");
	free(*field);
	*field = copy;
	return 0;
}

static int check_length(const struct opt_row *row, const char *text, struct diag *d)
{
	size_t len = strlen(text);

	if (!len && row->min)
		return diag_err(d, -EINVAL, "needs a value");
	if (len < row->min)
		return diag_err(d, -ERANGE, "too short; at least %llu bytes", (unsigned long long)row->min);
	if (row->max && len > row->max)
		return diag_err(d, -ERANGE, "too long; at most %llu bytes", (unsigned long long)row->max);
	return 0;
}

static int check_paths(const struct opt_row *row, const char *text, struct diag *d)
{
	int err = check_length(row, text, d);

	if (!err && *text && !text[strspn(text, ":")])
		err = diag_err(d, -EINVAL, "needs a path; write a colon in a path as \\:");
	return err;
}

static int string_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	int err = check_length(row, text, d);

	(void)ctx;
	return err ? err : opt_text_set(field, text, d);
}

static int paths_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	int err = check_paths(row, text, d);

	(void)ctx;
	return err ? err : opt_text_set(field, text, d);
}

/* Puts `text` behind the value of *field, with this character between them. */
static int add_text(char **field, char separator, const char *text, struct diag *d)
{
	struct strbuf b = { 0 };
	int err;

	if (*field && **field)
		strbuf_printf(&b, "%s%c", *field, separator);
	strbuf_puts(&b, text);
	err = b.failed ? diag_err(d, -ENOMEM, "out of memory") : opt_text_set(field, strbuf_str(&b), d);
	strbuf_fini(&b);
	return err;
}

static int paths_add_parse(const struct opt_row *row, void *field, const char *text,
			   const struct opt_ctx *ctx, struct diag *d)
{
	int err = check_paths(row, text, d);

	(void)ctx;
	return err ? err : add_text(field, row->type->adds, text, d);
}

static int lines_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	int err = check_length(row, text, d);

	(void)ctx;
	return err ? err : add_text(field, row->type->adds, text, d);
}

void opt_text_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const char *s = *(char *const *)field;

	(void)row;
	if (s)
		strbuf_puts(out, s);
}

void opt_text_fini(const struct opt_row *row, void *field)
{
	char **s = field;

	(void)row;
	free(*s);
	*s = NULL;
}

const struct opt_type opt_type_string = { OPT_TYPE_TEXT("text", string_parse), .free_text = true };
const struct opt_type opt_type_paths = { OPT_TYPE_TEXT("path list", paths_parse), .free_text = true };
const struct opt_type opt_type_paths_add = { OPT_TYPE_TEXT("path list", paths_add_parse), .free_text = true,
					     .adds = ':' };
const struct opt_type opt_type_lines = { OPT_TYPE_TEXT("text", lines_parse), .free_text = true,
					 .adds = '\n' };
