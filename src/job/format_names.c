#include "format_names.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include "nearest.h"
#include "strbuf.h"

/* If several names have the same bits, the first one is printed. */
static const struct {
	const char *name;
	unsigned bits;
} formats[] = {
	{ "terse", OUT_TERSE },     { "json+", OUT_JSON | OUT_JSON_PLUS },
	{ "json", OUT_JSON },       { "normal", OUT_NORMAL },
	{ "minimal", OUT_TERSE },   { "csv", OUT_TERSE },
	{ "diskspd", OUT_DISKSPD }, { "diskspd-xml", OUT_DISKSPD_XML },
};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/* Returns the bits of a format's name; 0: it is none. */
static unsigned find_format(const char *text, size_t n)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strlen(formats[i].name) == n && !memcmp(text, formats[i].name, n))
			return formats[i].bits;
	return 0;
}

int format_add(void *to, const char *text, size_t n, struct diag *d)
{
	unsigned bits = find_format(text, n);

	*(unsigned *)to |= bits;
	if (bits)
		return 0;
	return diag_err(
		d, -EINVAL,
		"'%.*s' is not a format; write a list with commas of normal, terse, json, json+, diskspd and "
		"diskspd-xml",
		(int)n, text);
}

void format_print(unsigned bits, struct strbuf *out)
{
	bool any = false;

	for (size_t i = 0; i < FORMATS && bits; i++) {
		if ((bits & formats[i].bits) != formats[i].bits)
			continue;
		strbuf_printf(out, "%s%s", any ? "," : "", formats[i].name);
		bits &= ~formats[i].bits;
		any = true;
	}
}

/* Returns the name that the user probably meant: the nearest one, or one of which this is a part, such as
   "xml". NULL: there is none. */
static const char *probable(const char *word)
{
	const char *names[FORMATS + 2] = { "html" }, *near;

	for (size_t i = 0; i < FORMATS; i++)
		names[i + 1] = formats[i].name;
	near = nearest_word(names, word);
	if (near && nearest_distance(near, word) > (strlen(word) > 5 ? 2 : 1))
		near = NULL; /* "test" is far enough from "terse" */
	for (size_t i = 0; !near && strlen(word) > 2 && names[i]; i++)
		near = strstr(names[i], word) ? names[i] : NULL;
	return near;
}

static int check_format_file(const char *format, const char *path, struct diag *d)
{
	if (!*path)
		return diag_err(d, -EINVAL, "the file is missing; write %s:FILE", format);
	if (!strcmp(path, "-") && strcmp(format, "html") != 0)
		return diag_err(
			d, -EINVAL,
			"'-' is not standard output here; --output-format=%s prints the format there, "
			"and %s:./- writes a file of this name",
			format, format);
	return 0;
}

int output_value_parse(struct output_value *v, const char *text, struct diag *d)
{
	size_t n = strcspn(text, ":");
	const char *near;
	char word[NEAREST_MAX + 1];

	*v = (struct output_value){ .path = text };
	if (!text[n] || n >= sizeof(word) || memchr(text, '/', n))
		return 0;
	memcpy(word, text, n);
	word[n] = 0;
	if (!strcmp(word, "csv"))
		return diag_err(d, -EINVAL,
				"csv has two meanings; --csv=%s writes a table, and --output=terse:%s writes "
				"what fio's --output-format=csv does",
				text + n + 1, text + n + 1);
	v->formats = find_format(word, n);
	v->page = !strcmp(word, "html");
	if (v->formats || v->page) {
		v->path = text + n + 1;
		return check_format_file(word, v->path, d);
	}
	if (word[strcspn(word, ",")] && find_format(word, strcspn(word, ",")))
		return diag_err(
			d, -EINVAL,
			"each format has a file of its own, so '%s' is not a format; a file of this name "
			"is ./%s",
			word, text);
	near = probable(word);
	if (near)
		return diag_err(d, -EINVAL,
				"'%s' is not a format; did you mean %s:%s? A file of this name is ./%s", word,
				near, text + n + 1, text);
	return 0;
}
