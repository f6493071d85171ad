#include "diag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* An error and a note are one line, whatever a name or value contains. */
static char *text_of(const char *fmt, va_list ap)
{
	char *s = NULL;

	if (vasprintf(&s, fmt, ap) < 0)
		return NULL;
	for (char *c = s; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
	return s;
}

static int set(struct diag *d, enum diag_kind kind, int err, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));
static int set(struct diag *d, enum diag_kind kind, int err, const char *fmt, va_list ap)
{
	if (!d->text) {
		d->kind = kind;
		d->err = err;
		d->text = text_of(fmt, ap);
	}
	return err;
}

int diag_err(struct diag *d, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(d, DIAG_USAGE, err, fmt, ap);
	va_end(ap);
	return err;
}

int diag_kind(struct diag *d, enum diag_kind kind, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(d, kind, err, fmt, ap);
	va_end(ap);
	return err;
}

int diag_wrap(struct diag *d, const char *fmt, ...)
{
	va_list ap;
	char *prefix, *s = NULL;

	va_start(ap, fmt);
	prefix = text_of(fmt, ap);
	va_end(ap);
	if (prefix && asprintf(&s, "%s: %s", prefix, diag_text(d)) >= 0) {
		free(d->text);
		d->text = s;
	}
	free(prefix);
	return d->err;
}

const char *diag_text(const struct diag *d)
{
	return d->text ? d->text : d->err ? diag_errno(d->err) : "no error";
}

void diag_fini(struct diag *d)
{
	free(d->text);
	*d = (struct diag){ 0 };
}

const char *diag_errno(int err)
{
	static _Thread_local char buf[96];
	int e = err < 0 ? -err : err;
	const char *name = strerrorname_np(e);

	if (name)
		snprintf(buf, sizeof(buf), "%s (%s)", strerrordesc_np(e), name);
	else
		snprintf(buf, sizeof(buf), "error %d", e);
	return buf;
}

const char *diag_hint(int err)
{
	switch (err < 0 ? -err : err) {
	case EIO:
		return " (the kernel's log, dmesg, may say why)";
	case ENOSPC:
		return " (the file system or device is full)";
	case EDQUOT:
		return " (the user's quota is used up)";
	case EFBIG:
		return " (limit on file sizes: ulimit -f, or the file system's own)";
	case EMFILE:
		return " (limit on open files: ulimit -n)";
	case ENOMEM:
		return " (limits on memory: ulimit -v, ulimit -l, those of the control group)";
	case ENXIO:
	case ENODEV:
		return " (the device is gone)";
	default:
		return "";
	}
}

void notes_add(struct notes *n, const char *fmt, ...)
{
	va_list ap;
	char *s, **grown;

	va_start(ap, fmt);
	s = text_of(fmt, ap);
	va_end(ap);
	if (!s)
		return;
	for (size_t i = 0; i < n->count; i++) {
		if (!strcmp(n->line[i], s)) {
			free(s);
			return;
		}
	}
	grown = realloc(n->line, (n->count + 1) * sizeof(*grown));
	if (!grown) {
		free(s);
		return;
	}
	n->line = grown;
	n->line[n->count++] = s;
}

void notes_fini(struct notes *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->line[i]);
	free(n->line);
	*n = (struct notes){ 0 };
}
