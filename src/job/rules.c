/* rules.c: the errors and notes of the rules of resolve. */
#include "rules.h"

#include <errno.h>
#include <string.h>
#include "strbuf.h"

const char *const rule_dirs[DIR_DATA] = { "reads", "writes", "trims" };

/* "jobs/db.fio:12: bs=4q" or "--bs=4q"; without such an option the section. */
static void name_option(const struct job *job, const char *name, struct strbuf *out)
{
	const struct opt_given *g = job_given(job, name);
	const struct place *at = g ? &g->at : &job->at;

	if (at->line)
		strbuf_printf(out, "%s:%u: ", at->file, at->line);
	if (!g)
		strbuf_printf(out, at->line ? "[%.80s]" : "--name=%.80s", job->name);
	else
		strbuf_printf(out, "%s%s%s%.80s", at->line ? "" : "--", g->name, g->text ? "=" : "",
			      g->text ? g->text : "");
}

/* Formats "FILE:LINE: option=value: TEXT". */
__attribute__((format(printf, 4, 0))) static void format_text(const struct rules *r, struct strbuf *out,
							      const char *option, const char *fmt, va_list ap)
{
	name_option(r->job, option, out);
	strbuf_puts(out, ": ");
	strbuf_vprintf(out, fmt, ap);
}

int refuse(struct rules *r, const char *option, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	format_text(r, &b, option, fmt, ap);
	va_end(ap);
	diag_err(r->d, -EINVAL, "%s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

void note(struct rules *r, const char *option, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	format_text(r, &b, option, fmt, ap);
	va_end(ap);
	notes_add(&r->set->notes, "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

const struct opt_given *own(const struct rules *r, const char *name)
{
	for (size_t i = 0; i < r->job->own.n; i++)
		if (!strcmp(r->job->own.v[i].name, name))
			return &r->job->own.v[i];
	return NULL;
}
