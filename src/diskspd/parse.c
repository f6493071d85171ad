/* parse.c: errors and notes that begin with the current argument, and the readers of simple options. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include "parse.h"
#include "strbuf.h"

int parse_err(struct ds_parse *p, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_err(p->d, -EINVAL, "%s: %s", p->argv[p->at], strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

void parse_note(struct ds_parse *p, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;

	if (!p->notes)
		return;
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	notes_add(p->notes, "%s", strbuf_str(&b));
	strbuf_fini(&b);
}

/* Returns the field that the row sets. */
static void *row_field(struct ds_parse *p)
{
	return (p->flag->of_span ? (char *)p->span : (char *)&p->target) + p->flag->field;
}

int ds_read_switch(struct ds_parse *p, const char *arg)
{
	(void)arg;
	*(bool *)row_field(p) = true;
	return 0;
}

int ds_read_count(struct ds_parse *p, const char *arg)
{
	return parse_number(p, arg, 1, row_field(p));
}

const char *parse_next(const struct ds_parse *p)
{
	return p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
}

/* ---- reads numbers and sizes as DISKSPD does, and explains the mistakes in them ---- */

int ds_atoi(const char *text, const char **end)
{
	const char *s = text + strspn(text, " \t\n\v\f\r");
	bool negative = *s == '-';
	long long v = 0;

	s += *s == '-' || *s == '+';
	for (; isdigit((unsigned char)*s); s++)
		if (v <= INT_MAX)
			v = v * 10 + (*s - '0');
	if (end)
		*end = s;
	if (negative)
		return v > INT_MAX ? INT_MIN : (int)-v;
	return v > INT_MAX ? INT_MAX : (int)v;
}

int parse_digits(const char *text, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text))
			return -EINVAL;
		if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, *text - '0', &v) ||
		    v > max)
			return -ERANGE;
	}
	*out = v;
	return 0;
}

static bool suffix(char c, enum ds_dialect dialect, uint64_t block, uint64_t *factor)
{
	bool port = dialect == DS_DIALECT_LINUX;
	const char *letters = port || dialect == DS_DIALECT_20 ? "KMG" : "KMGT", *at;

	if (!port)
		c = (char)toupper((unsigned char)c);
	at = c ? strchr(letters, c) : NULL;
	if (at)
		*factor = 1ull << (10 * (at - letters + 1));
	else if (c == (port ? 'b' : 'B'))
		*factor = block;
	else
		return false;
	return true;
}

int ds_size(const char *text, enum ds_dialect dialect, uint64_t block, uint64_t *out, const char **end)
{
	uint64_t v = 0, f;
	bool large = false;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (; isdigit((unsigned char)*text); text++)
		large |= __builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, *text - '0', &v);
	if (suffix(*text, dialect, block, &f)) {
		large |= __builtin_mul_overflow(v, f, &v);
		text++;
	}
	*end = text;
	*out = v;
	return large ? -ERANGE : 0;
}

static int no_size(struct ds_parse *p, const char *text)
{
	const char *form = p->flag->form, *next = parse_next(p);
	char sign = *text;

	if (sign == '-' || sign == '+')
		return parse_err(p, "%s is not a size: write digits and at most one of K M G T B, no sign",
				 text);
	if (sign)
		return parse_err(p, "%s is not a size: write digits and at most one of K M G T B", text);
	if (next && isdigit((unsigned char)*next))
		return parse_err(p,
				 "the size is missing; it follows the letter without a blank: write %s%s (%s "
				 "alone would be a target)",
				 form, next, next);
	return parse_err(p, "the size is missing; it follows the letter without a blank, such as %s64K",
			 form);
}

static int bad_suffix(struct ds_parse *p, const char *text, const char *end)
{
	const char *form = p->flag->form;
	int keep = (int)(end - text);
	bool letter = keep && isalpha((unsigned char)text[keep - 1]);

	if (!letter && (*end == '.' || *end == ',') && isdigit((unsigned char)end[1]))
		return parse_err(p, "sizes are whole numbers: write %s1536M for 1.5G", form);
	if (*end == '-' && isalpha((unsigned char)end[1]))
		return parse_err(p, "options are separated by blanks: write %s%.*s %s", form, keep, text,
				 end);
	if (letter && (!strcasecmp(end, "B") || !strcasecmp(end, "iB")))
		return parse_err(p, "a size ends in one letter: write %s%.*s", form, keep, text);
	if (p->l->dialect == DS_DIALECT_LINUX && strchr("kmgB", *end))
		return parse_err(
			p, "diskspd-for-linux accepts K, M, G and b in exactly this case: write %s%.*s%c",
			form, keep, text, *end == 'B' ? 'b' : toupper((unsigned char)*end));
	if (p->l->dialect == DS_DIALECT_20 && toupper((unsigned char)*end) == 'T')
		return parse_err(p, "the suffix T came with DISKSPD 2.1: use G, or --dialect 2.2");
	if (letter)
		return parse_err(p, "'%s' must not follow the suffix: write %s%.*s", end, form, keep, text);
	return parse_err(p, "'%s' is not a suffix of a size: write K, M, G, T or B (blocks)", end);
}

int parse_byte_size(struct ds_parse *p, const char *text, uint64_t *out)
{
	const char *end;
	int ret = ds_size(text, p->l->dialect, p->target.block, out, &end);

	if (ret == -EINVAL)
		return no_size(p, text);
	if (*end)
		return bad_suffix(p, text, end);
	if (ret == -ERANGE)
		return parse_err(p, "the size does not fit into 64 bits");
	return 0;
}

static int too_small(struct ds_parse *p, const char *text, int min, bool digits)
{
	const char *form = p->flag->form, *next = parse_next(p);

	if (digits)
		return parse_err(p, "must be at least %d", min);
	if (*text)
		return parse_err(p, "%s is not a number, and DISKSPD reads it as 0; it must be at least %d",
				 text, min);
	if (next && isdigit((unsigned char)*next))
		return parse_err(p,
				 "the number is missing; it follows the letter without a blank: write %s%s "
				 "(%s alone would be a target)",
				 form, next, next);
	return parse_err(p,
			 "the number is missing, and DISKSPD reads 0; it follows the letter without a blank, "
			 "such as %s8",
			 form);
}

int parse_number(struct ds_parse *p, const char *text, int min, unsigned *out)
{
	const char *end;
	int v = ds_atoi(text, &end);
	bool digits = end != text && isdigit((unsigned char)end[-1]);

	if (v < min)
		return too_small(p, text, min, digits);
	if (!digits || *end)
		parse_note(p, "%s%s is read as %s%d", p->flag->form, text, p->flag->form, v);
	*out = (unsigned)v;
	return 0;
}
