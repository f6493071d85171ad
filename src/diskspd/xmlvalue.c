/* xmlvalue.c: setters for the types of values: numbers, booleans, words and texts. */
#include "strbuf.h"
#include "xml.h"

#include <errno.h>
#include <string.h>

int xmlset_number(const char *text, uint64_t lo, uint64_t hi, uint64_t *out, struct strbuf *why)
{
	uint64_t v = 0;
	const char *s = text;
	bool over = false;

	for (; *s >= '0' && *s <= '9'; s++)
		over |= __builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (uint64_t)(*s - '0'), &v);
	if (s == text || *s || over || v < lo || v > hi) {
		strbuf_printf(why, "a whole number from %ju to %ju", (uintmax_t)lo, (uintmax_t)hi);
		return -EINVAL;
	}
	*out = v;
	return 0;
}

int xmlset_attr_number(struct xml_reader *r, const struct xml_row *row, unsigned i, uint64_t hi,
		       uint64_t *out, struct strbuf *why)
{
	strbuf_printf(why, "%s=\"%s\": ", row->attr[i], r->attr[i]);
	if (xmlset_number(r->attr[i], 0, hi, out, why))
		return -EINVAL;
	strbuf_clear(why);
	return 0;
}

int xmlset_u64(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	return xmlset_number(text, row->min, row->max, xmlset_field(r, row), why);
}

int xmlset_u32(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t v;
	int ret = xmlset_number(text, row->min, row->max, &v, why);

	if (!ret)
		*(unsigned *)xmlset_field(r, row) = (unsigned)v;
	return ret;
}

int xmlset_boolean(const char *text, bool *v, struct strbuf *why)
{
	bool yes = !strcmp(text, "true") || !strcmp(text, "1");

	if (!yes && strcmp(text, "false") && strcmp(text, "0")) {
		strbuf_puts(why, "true or false");
		return -EINVAL;
	}
	*v = yes;
	return 0;
}

/* Several elements turn on one switch: none turns it off. */
int xmlset_bool(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	bool v, *also = row->also ? (bool *)((char *)r + row->also) : &v;
	int ret = xmlset_boolean(text, &v, why);

	if (!ret) {
		*(bool *)xmlset_field(r, row) |= v;
		*also |= v;
	}
	return ret;
}

int xmlset_word(const char *text, const char *const *words, unsigned *v, struct strbuf *why)
{
	for (unsigned i = 0; words[i]; i++) {
		if (*text && !strcmp(text, words[i])) {
			*v = i;
			return 0;
		}
	}
	for (unsigned i = 0; words[i]; i++)
		if (*words[i])
			strbuf_printf(why, "%s%s", !why->len ? "" : words[i + 1] ? ", " : " or ", words[i]);
	return -EINVAL;
}

int xmlset_enum(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	return xmlset_word(text, row->words, xmlset_field(r, row), why);
}

int xmlset_string(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	char **s = xmlset_field(r, row);

	if (!*text) {
		strbuf_puts(why, "a path");
		return -EINVAL;
	}
	*s = arena_strdup(&r->p.mem, text);
	return *s ? 0 : -ENOMEM;
}

void *xmlset_copy(struct xml_reader *r, const void *v, size_t n, size_t bytes)
{
	void *copy = arena_array(&r->p.mem, n + 1, bytes);

	if (copy && n)
		memcpy(copy, v, n * bytes);
	return copy;
}
