/* parse.c: errors and notes that begin with the current argument. */
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

const char *parse_next(const struct ds_parse *p)
{
	return p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
}
