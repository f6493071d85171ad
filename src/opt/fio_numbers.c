#include "fio_numbers.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "strbuf.h"

/* Returns the suffix that fio applies to a time; NULL if it is the one in the text, which fiord applies. */
static const char *time_suffix(const char *suffix, size_t n)
{
	static const char *const known[] = { "us", "usec", "ms", "msec", "s", "m", "h", "d" };

	if (!n)
		return NULL;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i]) == n && !strncasecmp(known[i], suffix, n))
			return NULL;
	}
	return "us";
}

/* Returns the same for a size. Where kb_base is 1024, fio's KiB is 1000 bytes, which needs digits in
   fiord. */
static const char *size_suffix(const char *suffix, size_t n, unsigned kb_base)
{
	static const char letters[] = "kmgtp";
	static const char *const thousands[] = { "000", "000000", "000000000", "000000000000",
						 "000000000000000" };
	const char *letter = n ? strchr(letters, tolower((unsigned char)*suffix)) : NULL;

	if (!n || (n == 1 && strchr("bB", *suffix)))
		return NULL;
	if (!letter)
		return "";
	if (n == 3 && !strncasecmp(suffix + 1, "ib", 2))
		return kb_base == 1000 ? NULL : thousands[letter - letters];
	return n == 1 || (n == 2 && strchr("bBiI", suffix[1])) ? NULL : "";
}

/* Appends one number of a list as fio reads it. Returns whether fiord reads another number. */
static bool translate_number(const struct opt_row *row, const char *s, size_t n, bool blank, unsigned kb_base,
			     struct strbuf *out)
{
	bool is_time = row->type->unit == OPT_UNIT_TIME;
	size_t digits = 0, letters = 0, first = strcspn(s, "+*/");
	const char *suffix;
	bool cut;

	/* fio reads the first number of "128*2". */
	if (first && first < n && !is_time) {
		translate_number(row, s, first, blank, kb_base, out);
		return true;
	}
	while (digits < n && isdigit((unsigned char)s[digits]))
		digits++;
	if (!digits || (*s == '0' && n > 1 && tolower((unsigned char)s[1]) == 'x')) {
		strbuf_printf(out, "%.*s", (int)n, s);
		return false;
	}
	cut = digits < n && s[digits] == '.';
	while (!cut && digits + letters < n && isalpha((unsigned char)s[digits + letters]))
		letters++;
	if (is_time) {
		const char *from = s + digits;

		/* fio drops a fraction, but applies the suffix after it. */
		while (cut && from < s + n && !isalpha((unsigned char)*from))
			from++;
		suffix = time_suffix(from, (size_t)(s + n - from));
		if (cut && !suffix) {
			strbuf_printf(out, "%.*s%.*s", (int)digits, s, (int)(s + n - from), from);
			return true;
		}
	} else {
		suffix = cut || blank ? (digits < n ? "" : NULL) : size_suffix(s + digits, letters, kb_base);
	}
	if (!suffix) {
		strbuf_printf(out, "%.*s", (int)n, s);
		return false;
	}
	strbuf_printf(out, "%.*s%s", (int)digits, s, suffix);
	return true;
}

/* A z at the end of the value: a number of zones, or an error in both programs. */
static bool ends_in_zones(const char *text)
{
	return *text && text[strlen(text) - 1] == 'z';
}

bool fio_numbers_translate(const struct opt_row *row, const char *text, bool blank, unsigned kb_base,
			   struct strbuf *out)
{
	struct strbuf b = { 0 };
	bool differs = false;

	if (!text || *text == '(' || !row->type || !row->type->unit || ends_in_zones(text))
		return false;
	for (;; text++) {
		size_t n = strcspn(text, ",:-%");

		differs |= translate_number(row, text, n, blank, kb_base, &b);
		blank = false;
		text += n;
		if (!*text)
			break;
		strbuf_putc(&b, *text);
	}
	if (differs)
		strbuf_puts(out, strbuf_str(&b));
	strbuf_fini(&b);
	return differs;
}
