/* parse.c: errors and notes that begin with the current argument, and the readers of simple options. */
#include "parse.h"

#include <errno.h>
#include <stdarg.h>
#include "strbuf.h"

int parse_err(struct ds_parse *p, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_err(p->d, -EINVAL, "%s: %s", p->argv[p->at], strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

void parse_note(struct ds_parse *p, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	if (!p->notes)
		return;
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	notes_add(p->notes, "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

/* Returns the field that the row sets. */
static void *row_field(struct ds_parse *p)
{
	return (p->flag->of_span ? (char *)p->span : (char *)&p->target) + p->flag->field;
}

int ds_read_switch(struct ds_parse *p, const char *arg)
{
	(void)arg;
	*(bool *)row_field(p) = true;
	return 0;
}

int ds_read_count(struct ds_parse *p, const char *arg)
{
	return parse_number(p, arg, 1, row_field(p));
}

const char *parse_next(const struct ds_parse *p)
{
	return p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
}
