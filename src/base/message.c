#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END        '\002'
#define ADVICE     '\016'
#define ADVICE_END '\017'

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

static bool is_mark(char c)
{
	return (c >= MARK_OPTION && c <= MARK_SECTION) || c == ADVICE || c == ADVICE_END;
}

static size_t marks(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += is_mark(*s);
	return n;
}

/* The format and its arguments; control characters that are no marks become '?', and marks, too, unless
 * `marked`. */
static char *format(bool marked, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
static char *format(bool marked, const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		return NULL;
	for (char *c = s; *c; c++)
		if (is_control(*c) && !(marked && is_mark(*c)))
			*c = '?';
	return s;
}

/* An argument brought marks: the text goes into the job file's words at once, without any mark. */
static char *format_plain(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
static char *format_plain(const char *fmt, va_list ap)
{
	struct strbuf plain = { 0 };
	char *s;

	message_render(fmt, NULL, &plain);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	s = plain.failed ? NULL : format(false, strbuf_str(&plain), ap);
#pragma GCC diagnostic pop
	strbuf_fini(&plain);
	return s;
}

void message_vprintf(struct strbuf *out, const char *fmt, va_list ap)
{
	va_list again;
	char *s;

	va_copy(again, ap);
	s = format(true, fmt, ap);
	if (s && marks(s) != marks(fmt)) {
		free(s);
		s = format_plain(fmt, again);
	}
	va_end(again);
	if (s)
		strbuf_puts(out, s);
	else
		out->failed = true;
	free(s);
}

void message_printf(struct strbuf *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message_vprintf(out, fmt, ap);
	va_end(ap);
}

/* Adds the name of a job file for a mark. */
static void put_default(enum message_mark mark, const char *text, struct strbuf *out)
{
	if (mark == MARK_SECTION)
		strbuf_printf(out, "[%s]: ", text);
	else
		strbuf_puts(out, text);
}

/* The mark at *at, which is left behind it. False: a setting that the reader cannot make. */
static bool put_mark(const char **at, const struct speller *s, struct strbuf *out)
{
	enum message_mark mark = (enum message_mark) * (*at)++;
	size_t n = strcspn(*at, "\002");
	char *text = strndup(*at, n), *bar = text && mark == MARK_WORD ? strchr(text, '|') : NULL;
	const char *words = bar ? bar + 1 : text;
	bool has_words = true;

	*at += n + ((*at)[n] != '\0');
	if (!text) {
		out->failed = true;
		return true;
	}
	if (bar)
		*bar = '\0';
	if (s && !s->spell(s, mark, bar ? text : "", words, out)) {
		has_words = mark != MARK_SETTING;
		put_default(mark, words, out);
	} else if (!s) {
		put_default(mark, words, out);
	}
	free(text);
	return has_words;
}

/* Up to the end of an advice or of the message. False: a setting has no words. */
static bool put_part(const char **at, const struct speller *s, struct strbuf *out)
{
	bool has_words = true;

	while (**at && **at != ADVICE && **at != ADVICE_END) {
		if (**at >= MARK_OPTION && **at <= MARK_SECTION && **at != END)
			has_words = put_mark(at, s, out) && has_words;
		else
			strbuf_putc(out, *(*at)++);
	}
	return has_words;
}

void message_render(const char *message, const struct speller *s, struct strbuf *out)
{
	while (*message) {
		struct strbuf part = { 0 };
		bool advice = *message == ADVICE;

		message += advice || *message == ADVICE_END;
		if (put_part(&message, s, &part) || !advice)
			strbuf_puts(out, strbuf_str(&part));
		out->failed = out->failed || part.failed;
		strbuf_fini(&part);
	}
}
