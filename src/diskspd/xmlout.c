#include "xmlout.h"
#include "strbuf.h"
#include "utf8.h"

static void indent(struct xmlout *w)
{
	for (unsigned i = 0; i < w->indent; i++)
		strbuf_putc(w->out, ' ');
}

void xmlout_line(struct xmlout *w, const char *fmt, ...)
{
	va_list ap;

	indent(w);
	va_start(ap, fmt);
	strbuf_vprintf(w->out, fmt, ap);
	va_end(ap);
	strbuf_putc(w->out, '\n');
}

void xmlout_open(struct xmlout *w, const char *name)
{
	xmlout_line(w, "<%s>", name);
	w->indent += 2;
}

void xmlout_close(struct xmlout *w, const char *name)
{
	w->indent -= 2;
	xmlout_line(w, "</%s>", name);
}

void xmlout_number(struct xmlout *w, const char *name, uint64_t v)
{
	xmlout_line(w, "<%s>%ju</%s>", name, (uintmax_t)v, name);
}

void xmlout_real(struct xmlout *w, const char *name, double v, int decimals)
{
	xmlout_line(w, "<%s>%.*f</%s>", name, decimals, v, name);
}

void xmlout_bool(struct xmlout *w, const char *name, bool v)
{
	xmlout_line(w, "<%s>%s</%s>", name, v ? "true" : "false", name);
}

void xmlout_word(struct xmlout *w, const char *name, const char *v)
{
	xmlout_line(w, "<%s>%s</%s>", name, v, name);
}

void xmlout_text(struct xmlout *w, const char *name, const char *v)
{
	indent(w);
	strbuf_printf(w->out, "<%s>", name);
	xmlout_escaped(w->out, v);
	strbuf_printf(w->out, "</%s>\n", name);
}

unsigned xmlout_char(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned n = (unsigned)utf8_len(s);

	if (n == 1)
		return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n' || s[0] == '\r';
	/* U+FFFE and U+FFFF are no characters of XML. */
	if (n == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe)
		return 0;
	return n;
}

void xmlout_escaped(struct strbuf *out, const char *s)
{
	while (*s) {
		unsigned n = xmlout_char(s);

		if (!n)
			strbuf_puts(out, "\xef\xbf\xbd");
		else if (*s == '&')
			strbuf_puts(out, "&amp;");
		else if (*s == '<')
			strbuf_puts(out, "&lt;");
		else if (*s == '>')
			strbuf_puts(out, "&gt;");
		else if (*s == '"')
			strbuf_puts(out, "&quot;");
		else if (n == 1 && *s < 0x20)
			strbuf_printf(out, "&#%d;", *s);
		else
			strbuf_add(out, s, n);
		s += n ? n : 1;
	}
}

/* Two dashes in a row would end the comment, so a blank separates them. */
void xmlout_comment(struct xmlout *w, const char *s)
{
	indent(w);
	strbuf_puts(w->out, "<!-- ");
	while (*s) {
		unsigned n = xmlout_char(s);

		if (!n || (n == 1 && (unsigned char)*s < 0x20))
			strbuf_putc(w->out, '?');
		else if (s[0] == '-' && s[1] == '-')
			strbuf_puts(w->out, "- ");
		else
			strbuf_add(w->out, s, n);
		s += n ? n : 1;
	}
	strbuf_puts(w->out, " -->\n");
}
