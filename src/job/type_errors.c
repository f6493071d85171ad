/* type_errors.c: continue_on_error and ignore_error. As in fio the later option sets the kinds of error after
   which the job continues, and a list of errors replaces the default errors of its kind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "errors.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

static int survive_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	struct error_cfg *c = field;
	unsigned v = 0;
	int err = opt_type_enum.parse(row, &v, text, ctx, d);

	if (!err)
		c->survive = v;
	return err;
}

static void survive_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct error_cfg *c = field;

	strbuf_puts(out, opt_choice_name(row->choices, c->survive));
}

const struct opt_type job_type_continue_on_error = { OPT_TYPE("kind of error", survive) };

/* Adds one error to the list of `kind`. */
static int add_error(struct error_cfg *c, unsigned kind, const char *name, struct diag *d)
{
	int e = error_number(name);

	if (!e)
		return diag_err(d, -EINVAL, "%.40s is not an error; write names or numbers, such as EIO:122",
				name);
	if (c->nlisted[kind] == ERRORS_LISTED)
		return diag_err(d, -EINVAL, "more than %d errors", ERRORS_LISTED);
	c->listed[kind][c->nlisted[kind]++] = (uint16_t)e;
	return 0;
}

static int ignore_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	struct error_cfg *c = field, v = { .survive = c->survive, .dump = c->dump };
	char *copy = strdup(text), *list = copy, *at;
	unsigned kind = 0;
	int err = 0;

	(void)row, (void)ctx;
	if (!copy)
		return diag_err(d, -ENOMEM, "out of memory");
	for (; list && !err; kind++) {
		char *list_of_kind = strsep(&list, ",");

		if (kind == ERROR_KINDS)
			err = diag_err(d, -EINVAL, "more than three lists; write reads,writes,verify");
		while (!err && (at = strsep(&list_of_kind, ":")))
			err = *at ? add_error(&v, kind, at, d) : 0;
		if (!err && v.nlisted[kind])
			v.survive |= 1u << kind;
	}
	free(copy);
	if (!err && !v.nlisted[0] && !v.nlisted[1] && !v.nlisted[2])
		err = diag_err(d, -EINVAL, "needs an error");
	if (!err)
		*c = v;
	return err;
}

static void ignore_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct error_cfg *c = field;
	unsigned last = ERROR_KINDS;

	(void)row;
	while (last && !c->nlisted[last - 1])
		last--;
	for (unsigned k = 0; k < last; k++) {
		strbuf_puts(out, k ? "," : "");
		for (unsigned i = 0; i < c->nlisted[k]; i++) {
			const char *name = strerrorname_np(c->listed[k][i]);

			strbuf_puts(out, i ? ":" : "");
			if (name)
				strbuf_puts(out, name);
			else
				strbuf_printf(out, "%u", c->listed[k][i]);
		}
	}
}

const struct opt_type job_type_ignore_error = { OPT_TYPE("errors of reads,writes,verify", ignore) };
