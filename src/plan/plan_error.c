/* plan_error.c: errors of a plan, with the place of the option. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include "plan_build.h"
#include "strbuf.h"

int plan_err_message(struct build *b, const struct job *job, const char *option, const char *message)
{
	const struct user_option *g = option ? job_user_option(job, option) : NULL;
	const struct place *at = g ? &g->at : &job->at;
	struct strbuf whole = { 0 };

	if (at->line)
		message_printf(&whole, "{@%s:%u: }{#%s}", at->file, at->line, job->name);
	else
		message_printf(&whole, "{@%s: }{#%s}", at->file, job->name);
	strbuf_puts(&whole, message);
	diag_message(b->d, DIAG_USAGE, -EINVAL, strbuf_str(&whole));
	strbuf_fini(&whole);
	return -EINVAL;
}

int plan_err(struct build *b, const struct job *job, const char *option, const char *fmt, ...)
{
	struct strbuf message = { 0 };
	va_list ap;

	va_start(ap, fmt);
	message_vprintf(&message, fmt, ap);
	va_end(ap);
	plan_err_message(b, job, option, strbuf_str(&message));
	strbuf_fini(&message);
	return -EINVAL;
}

int plan_no_memory(struct build *b)
{
	return diag_err(b->d, -ENOMEM, "out of memory for the plan");
}

int plan_error_at(struct build *b, const struct job *job, int ret)
{
	const struct user_option *g = job_user_option(job, "filename");
	struct place at = job->at;

	if (!ret || b->d->kind != DIAG_TARGET)
		return ret;
	g = g ? g : job_user_option(job, "directory");
	at = g ? g->at : at;
	if (at.line)
		return diag_place(b->d, "{@%s:%u: }{#%s}", at.file, at.line, job->name);
	return diag_place(b->d, "{@%s: }{#%s}", at.file, job->name);
}

const char *plan_overridden_size(struct build *b, const struct job *job)
{
	static const char *const names[] = { "size", "filesize", "offset", "io_size", "bs" };
	struct strbuf s = { 0 };
	const char *text;

	for (size_t i = 0; i < job->overridden.n; i++) {
		const struct user_option *g = &job->overridden.v[i], *is = job_user_option(job, g->name);

		for (size_t n = 0; g->text && is && n < sizeof(names) / sizeof(names[0]); n++)
			if (!strcmp(g->name, names[n]))
				strbuf_printf(
					&s,
					"; --%s=%s had no effect, because %s:%u sets %s=%s: use --set %s=%s",
					g->name, g->text, is->at.file, is->at.line, g->name,
					is->text ? is->text : "", g->name, g->text);
	}
	text = strbuf_to_arena(&s, &b->p->arena);
	return text ? text : "";
}
