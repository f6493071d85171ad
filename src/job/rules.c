/* rules.c: the errors and notes of the rules of resolve. */
#include "rules.h"

#include <errno.h>
#include <string.h>
#include "strbuf.h"

const char *const rule_dir_names[DIR_DATA] = { "reads", "writes", "trims" };

/* Adds "jobs/db.fio:12: bs=4q: " or "--bs=4q: ". Without such an option it adds the section. */
static void put_option(const struct job *job, const char *name, struct strbuf *out)
{
	const struct user_option *g = job_user_option(job, name);
	const struct place *at = g ? &g->at : &job->at;

	if (at->line)
		message_printf(out, "{@%s:%u: }", at->file, at->line);
	if (!g && at->line)
		message_printf(out, "{#%.80s}", job->name);
	else if (!g)
		message_printf(out, "--name=%.80s: ", job->name);
	else if (at->line)
		message_printf(out, "{%s%s%.80s}: ", g->name, g->text ? "=" : "", g->text ? g->text : "");
	else
		message_printf(out, "--%s%s%.80s: ", g->name, g->text ? "=" : "", g->text ? g->text : "");
}

int rule_refuse(struct rule_ctx *r, const char *option, const char *fmt, ...)
{
	struct strbuf message = { 0 };
	va_list ap;

	put_option(r->job, option, &message);
	va_start(ap, fmt);
	message_vprintf(&message, fmt, ap);
	va_end(ap);
	diag_message(r->d, DIAG_USAGE, -EINVAL, strbuf_str(&message));
	strbuf_fini(&message);
	return -EINVAL;
}

void rule_note(struct rule_ctx *r, const char *option, const char *fmt, ...)
{
	struct strbuf message = { 0 };
	va_list ap;

	put_option(r->job, option, &message);
	va_start(ap, fmt);
	message_vprintf(&message, fmt, ap);
	va_end(ap);
	notes_add_message(&r->set->notes, strbuf_str(&message));
	strbuf_fini(&message);
}

const struct user_option *rule_section_option(const struct rule_ctx *r, const char *name)
{
	for (size_t i = 0; i < r->job->own.n; i++)
		if (!strcmp(r->job->own.v[i].name, name))
			return &r->job->own.v[i];
	return NULL;
}
