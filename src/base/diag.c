#include "diag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Renders the message with the names of a speller. Returns NULL when memory is short. The caller frees it. */
static char *words_of(const char *message, const struct speller *s)
{
	struct strbuf b = { 0 };

	message_render(message, s, &b);
	if (b.failed)
		strbuf_fini(&b);
	else if (!b.text)
		return strdup("");
	return b.text;
}

static void put(struct diag *d, char *message)
{
	free(d->message);
	free(d->text);
	d->message = message;
	d->text = message ? words_of(message, NULL) : NULL;
}

/* Frees b and returns a copy of its text; NULL when memory is short. */
static char *take(struct strbuf *b)
{
	char *text = b->failed ? NULL : strdup(strbuf_str(b));

	strbuf_fini(b);
	return text;
}

static int set(struct diag *d, enum diag_kind kind, int err, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));
static int set(struct diag *d, enum diag_kind kind, int err, const char *fmt, va_list ap)
{
	struct strbuf b = { 0 };

	if (d->message)
		return err;
	message_vprintf(&b, fmt, ap);
	d->kind = kind;
	d->err = err;
	put(d, take(&b));
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

int diag_message(struct diag *d, enum diag_kind kind, int err, const char *message)
{
	if (!d->message) {
		d->kind = kind;
		d->err = err;
		put(d, strdup(message));
	}
	return err;
}

static void prefix(struct diag *d, const char *between, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
static void prefix(struct diag *d, const char *between, const char *fmt, va_list ap)
{
	struct strbuf b = { 0 };
	char *s;

	message_vprintf(&b, fmt, ap);
	strbuf_puts(&b, between);
	strbuf_puts(&b, d->message ? d->message : diag_text(d));
	s = take(&b);
	if (s)
		put(d, s);
}

int diag_wrap(struct diag *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	prefix(d, ": ", fmt, ap);
	va_end(ap);
	return d->err;
}

int diag_place(struct diag *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	prefix(d, "", fmt, ap);
	va_end(ap);
	return d->err;
}

void diag_spell(struct diag *d, const struct speller *s)
{
	char *text = d->message ? words_of(d->message, s) : NULL;

	if (text) {
		free(d->text);
		d->text = text;
	}
}

const char *diag_text(const struct diag *d)
{
	return d->text ? d->text : d->err ? diag_errno(d->err) : "no error";
}

void diag_fini(struct diag *d)
{
	free(d->message);
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

/* Room for one more. */
static bool grow(struct notes *n)
{
	char **line = realloc(n->line, (n->count + 1) * sizeof(*line));
	char **message;

	n->line = line ? line : n->line;
	message = line ? realloc(n->message, (n->count + 1) * sizeof(*message)) : NULL;
	n->message = message ? message : n->message;
	return message;
}

void notes_message(struct notes *n, const char *message)
{
	char *kept, *line;

	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->message[i], message))
			return;
	kept = strdup(message);
	line = words_of(message, NULL);
	if (!kept || !line || !grow(n)) {
		free(kept);
		free(line);
		return;
	}
	n->message[n->count] = kept;
	n->line[n->count++] = line;
}

void notes_add(struct notes *n, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	message_vprintf(&b, fmt, ap);
	va_end(ap);
	if (!b.failed)
		notes_message(n, strbuf_str(&b));
	strbuf_fini(&b);
}

void notes_copy(struct notes *to, const struct notes *from)
{
	for (size_t i = 0; i < from->count; i++)
		notes_message(to, from->message ? from->message[i] : from->line[i]);
}

void notes_spell(struct notes *n, const struct speller *s)
{
	for (size_t i = 0; i < n->count; i++) {
		char *line = words_of(n->message[i], s);

		if (line) {
			free(n->line[i]);
			n->line[i] = line;
		}
	}
}

void notes_fini(struct notes *n)
{
	for (size_t i = 0; i < n->count; i++) {
		free(n->message[i]);
		free(n->line[i]);
	}
	free(n->message);
	free(n->line);
	*n = (struct notes){ 0 };
}
