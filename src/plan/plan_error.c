/* plan_error.c: the errors of a plan, with the place of the option that they are about. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "plan_build.h"

/* Where the option stands with which the message begins ("size=..."), or else the section. */
static struct place place_for(const struct job *job, const char *text)
{
	char name[32];
	size_t n = strcspn(text, "=");
	const struct opt_given *g = NULL;

	if (n < sizeof(name) && text[n]) {
		memcpy(name, text, n);
		name[n] = '\0';
		g = job_given(job, name);
	}
	return g ? g->at : job->at;
}

int plan_err(struct build *b, const struct job *job, const char *fmt, ...)
{
	va_list ap;
	char *s = NULL;
	struct place at;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	at = place_for(job, s ? s : "");
	if (at.line)
		diag_err(b->d, -EINVAL, "%s:%u: [%s]: %s", at.file, at.line, job->name, s ? s : "");
	else
		diag_err(b->d, -EINVAL, "%s: [%s]: %s", at.file, job->name, s ? s : "");
	free(s);
	return -EINVAL;
}

int plan_error_at(struct build *b, const struct job *job, int ret)
{
	const struct opt_given *g = job_given(job, "filename");
	struct place at = job->at;

	if (!ret || b->d->kind != DIAG_TARGET)
		return ret;
	g = g ? g : job_given(job, "directory");
	at = g ? g->at : at;
	if (at.line)
		return diag_wrap(b->d, "%s:%u: [%s]", at.file, at.line, job->name);
	return diag_wrap(b->d, "%s: [%s]", at.file, job->name);
}
