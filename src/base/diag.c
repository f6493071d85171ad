#include "diag.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"

/* Renders the message with the names of a speller. Returns NULL when memory is short. The caller frees it. */
static char *render(const char *message, const struct speller *s)
{
	struct strbuf b = { 0 };

	message_render(message, s, &b);
	if (b.failed)
		strbuf_fini(&b);
	else if (!b.text)
		return strdup("");
	return b.text;
}

/* Replaces the message, which the diag owns from then on. */
static void set_message(struct diag *d, char *message)
{
	free(d->message);
	free(d->text);
	d->message = message;
	d->text = message ? render(message, NULL) : NULL;
}

/* Frees b and returns a copy of its text; NULL when memory is short. */
static char *take_text(struct strbuf *b)
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
	set_message(d, take_text(&b));
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

int diag_no_memory(struct diag *d)
{
	return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
}

int diag_message(struct diag *d, enum diag_kind kind, int err, const char *message)
{
	if (!d->message) {
		d->kind = kind;
		d->err = err;
		set_message(d, strdup(message));
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
	s = take_text(&b);
	if (s)
		set_message(d, s);
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
	char *text = d->message ? render(d->message, s) : NULL;

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
		return " (see the kernel's log, dmesg)";
	/* These six come from the block layer, for what a device or its connection reported. */
	case ENODATA:
		return " (medium error: the device cannot read or write these blocks)";
	case EREMOTEIO:
		return " (the device rejects the request; see the kernel's log, dmesg)";
	case EILSEQ:
		return " (the check of the block's protection information failed)";
	case ETIMEDOUT:
		return " (the device did not answer in time)";
	case ENOLINK:
		return " (the connection to the device failed)";
	case EBADE:
		return " (another host has reserved the device)";
	case ENOSPC:
		return " (the file system or device is full)";
	case EDQUOT:
		return " (the user's quota is used up)";
	case EFBIG:
		return " (the file is too large for ulimit -f or for the file system)";
	case EMFILE:
		return " (too many open files for ulimit -n)";
	case ENOMEM:
		return " (limits on memory: ulimit -v, ulimit -l, control group)";
	case ENXIO:
	case ENODEV:
		return " (the device is gone)";
	default:
		return "";
	}
}

/* Makes room for one more note. Returns false when memory is short. */
static bool grow_notes(struct notes *n)
{
	char **line = realloc(n->line, (n->count + 1) * sizeof(*line));
	char **message;

	n->line = line ? line : n->line;
	message = line ? realloc(n->message, (n->count + 1) * sizeof(*message)) : NULL;
	n->message = message ? message : n->message;
	return message;
}

/* Returns the FNV-1a hash of s. */
static size_t hash_text(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return (size_t)h;
}

/* Returns the table's place of the message: it holds the message, or is empty. */
static size_t *place_of(const struct notes *n, const char *message)
{
	size_t mask = n->table.size - 1, i = hash_text(message) & mask;

	while (n->table.index[i] && strcmp(n->message[n->table.index[i] - 1], message) != 0)
		i = (i + 1) & mask;
	return &n->table.index[i];
}

/* Keeps at least half of the table empty. Returns false when memory is short. */
static bool grow_table(struct notes *n)
{
	size_t size = n->table.size ? 2 * n->table.size : 16, *index;

	if (2 * (n->count + 1) <= n->table.size)
		return true;
	index = calloc(size, sizeof(*index));
	if (!index)
		return false;
	free(n->table.index);
	n->table.index = index;
	n->table.size = size;
	for (size_t i = 0; i < n->count; i++)
		*place_of(n, n->message[i]) = i + 1;
	return true;
}

void notes_add_message(struct notes *n, const char *message)
{
	char *copy, *line;
	size_t *place;

	if (!grow_table(n))
		return;
	place = place_of(n, message);
	if (*place)
		return;
	copy = strdup(message);
	line = render(message, NULL);
	if (!copy || !line || !grow_notes(n)) {
		free(copy);
		free(line);
		return;
	}
	n->message[n->count] = copy;
	n->line[n->count++] = line;
	*place = n->count;
}

void notes_add(struct notes *n, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	message_vprintf(&b, fmt, ap);
	va_end(ap);
	if (!b.failed)
		notes_add_message(n, strbuf_str(&b));
	strbuf_fini(&b);
}

void notes_copy(struct notes *to, const struct notes *from)
{
	for (size_t i = 0; i < from->count; i++)
		notes_add_message(to, from->message ? from->message[i] : from->line[i]);
}

void notes_spell(struct notes *n, const struct speller *s)
{
	for (size_t i = 0; i < n->count; i++) {
		char *line = render(n->message[i], s);

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
	free(n->table.index);
	*n = (struct notes){ 0 };
}
