#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "utf8.h"

#define END        '\002'
#define ADVICE     '\016'
#define ADVICE_END '\017'

static const char marks[] = { MARK_OPTION,  END,    MARK_SETTING, MARK_WORD, MARK_PLACE,
			      MARK_SECTION, ADVICE, ADVICE_END,   0 };

static bool is_mark(char c)
{
	return c && strchr(marks, c);
}

static size_t count_marks(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += is_mark(*s);
	return n;
}

/* Returns a copy of the format in which marks replace the braces. The caller frees it. */
static char *mark_format(const char *fmt)
{
	static const char signs[] = "+~@#?";
	static const char sign_marks[] = { MARK_SETTING, MARK_WORD, MARK_PLACE, MARK_SECTION, ADVICE };
	char *marked = strdup(fmt), *to = marked;
	bool advice = false, reference = false;

	for (; marked && *fmt; fmt++) {
		char c = *fmt;

		if (c == '{' && fmt[1] == '{') {
			fmt++;
		} else if (c == '{') {
			const char *sign = fmt[1] ? strchr(signs, fmt[1]) : NULL;

			c = sign ? sign_marks[sign - signs] : MARK_OPTION;
			fmt += sign != NULL;
			advice = advice || c == ADVICE;
			reference = c != ADVICE;
		} else if (c == '}' && (reference || advice)) {
			c = reference ? END : ADVICE_END;
			advice = advice && reference;
			reference = false;
		}
		*to++ = c;
	}
	if (marked)
		*to = '\0';
	return marked;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* Formats the text, on one line; marks stay if `marked` is set. */
static char *format(bool marked, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
static char *format(bool marked, const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		return NULL;
	utf8_make_plain(s, marked ? marks : "");
	return s;
}

/* Formats a message with an argument that contains marks. The result has the job file's words and no
   marks. */
static char *format_plain(const char *marked, va_list ap)
{
	struct strbuf plain = { 0 };
	char *s;

	message_render(marked, NULL, &plain);
	s = plain.failed ? NULL : format(false, strbuf_str(&plain), ap);
	strbuf_fini(&plain);
	return s;
}

void message_vprintf(struct strbuf *out, const char *fmt, va_list ap)
{
	char *marked = mark_format(fmt), *s;
	va_list again;

	va_copy(again, ap);
	s = marked ? format(true, marked, ap) : NULL;
	if (s && count_marks(s) != count_marks(marked)) {
		free(s);
		s = format_plain(marked, again);
	}
	va_end(again);
	if (s)
		strbuf_puts(out, s);
	else
		out->failed = true;
	free(s);
	free(marked);
}
#pragma GCC diagnostic pop

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

/* Adds the name for the mark at *at and moves *at past it. Returns false if the mark is a setting that the
   reader's language does not have. */
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

/* Adds the text up to the end of a piece of advice or of the message. Returns false if it has a setting that
   the reader's language does not have. */
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
