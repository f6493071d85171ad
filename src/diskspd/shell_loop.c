#include "shell_loop.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"

#define VALUES_MAX 64 /* of one loop */
#define LOOPS_MAX  8
#define NUMBER_MAX 1000000000 /* half of the largest number of a range */

struct loop {
	const char *name; /* of the variable */
	size_t name_len;
	const char *values, *values_end;
	bool steps;       /* for /L: start, step, end */
	const char *body; /* everything behind the head */
};

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

static size_t name_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* Returns the text after the word; NULL: another word stands here. */
static const char *after_word(const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncasecmp(s, word, n) || isalnum((unsigned char)s[n]) ? NULL : blanks(s + n);
}

static bool take_name(struct loop *l, const char **s)
{
	l->name = *s;
	l->name_len = name_len(*s);
	*s = blanks(*s + l->name_len);
	return l->name_len && (*s = after_word(*s, "in"));
}

/* Reads a list up to its closing bracket: of PowerShell with or without @( ), of cmd in ( ). */
static bool take_list(struct loop *l, const char *s)
{
	s += *s == '@';
	s = blanks(s + (*s == '('));
	l->values = s;
	l->values_end = s + strcspn(s, ")");
	l->body = l->values_end + strspn(l->values_end, ")");
	return *l->values_end;
}

/* Reads the head of a loop: foreach ($x in ...), for %%x in (...), for /L %%x in (...), for x in ...; do */
static bool read_head(const char *s, struct loop *l)
{
	const char *p;

	memset(l, 0, sizeof(*l));
	if ((p = after_word(s, "foreach"))) {
		p = blanks(p + (*p == '('));
		return *p++ == '$' && take_name(l, &p) && take_list(l, p);
	}
	p = after_word(s, "for");
	if (!p)
		return false;
	l->steps = !strncasecmp(p, "/L ", 3);
	p = blanks(p + (l->steps ? 2 : 0));
	if (*p == '%') {
		p += strspn(p, "%");
		return take_name(l, &p) && *p == '(' && take_list(l, p);
	}
	if (!take_name(l, &p))
		return false;
	l->values = p;
	l->values_end = l->body = p + strcspn(p, ";\n");
	return *l->body;
}

static bool read_pipe(const char *s, struct loop *l)
{
	const char *bar = s + strcspn(s, "|\n{"), *p = blanks(bar + (*bar == '|'));
	const char *body = after_word(p, "foreach-object");

	memset(l, 0, sizeof(*l));
	body = body ? body : after_word(p, "foreach");
	body = body ? body : *p == '%' ? blanks(p + 1) : NULL;
	*l = (struct loop){ .name = "_", .name_len = 1, .values = s, .values_end = bar, .body = body };
	return *bar == '|' && body && *body == '{' && (isdigit((unsigned char)*s) || strchr("\"'@", *s));
}

bool shell_loop_is_pipe(const char *s)
{
	struct loop l;

	return *s && read_pipe(s, &l);
}

/* Adds the numbers from `from` to `to`. Returns false if there are too many. */
static bool add_range(struct strbuf *out, long from, long to, long step, const char *suffix)
{
	if (labs(from / 2) > NUMBER_MAX || labs(to / 2) > NUMBER_MAX || labs(step / 2) > NUMBER_MAX)
		return false;
	if (!step || (to - from) / step < 0 || (to - from) / step >= VALUES_MAX)
		return false;
	for (long v = from; step > 0 ? v <= to : v >= to; v += step)
		strbuf_printf(out, "%s%ld%s", v == from ? "" : ",", v, suffix);
	return true;
}

/* Adds one value, or a range of PowerShell (1..4). Returns false if only a shell knows it. */
static bool add_value(struct strbuf *out, const char *v, size_t len, const char *suffix)
{
	const char *dots = memmem(v, len, "..", 2);

	if (dots)
		return add_range(out, strtol(v, NULL, 10), strtol(dots + 2, NULL, 10),
				 strtol(v, NULL, 10) > strtol(dots + 2, NULL, 10) ? -1 : 1, suffix);
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)v[i]) && v[i] != '.')
			return false;
	strbuf_printf(out, "%.*s%s", (int)len, v, suffix);
	return len;
}

/* Adds the values of the loop, "4K,64K". */
static bool add_values(struct strbuf *out, const struct loop *l, const char *suffix)
{
	static const char between[] = " \t\r\n,\"'@()";
	unsigned n = 0;
	long steps[3] = { 0 };

	for (const char *s = l->values; s < l->values_end; n++) {
		size_t len;

		s += strspn(s, between);
		len = strcspn(s, between);
		if (s >= l->values_end)
			break;
		if (s + len > l->values_end)
			len = (size_t)(l->values_end - s);
		if (n >= VALUES_MAX || (l->steps && n > 2))
			return false;
		if (l->steps)
			steps[n] = strtol(s, NULL, 10);
		else if (strbuf_puts(out, n ? "," : ""), !add_value(out, s, len, suffix))
			return false;
		s += len;
	}
	return l->steps ? n == 3 && add_range(out, steps[0], steps[2], steps[1], suffix) : n;
}

/* Finds "-b$x", "-b%%x" or "-b${x}K" in the body. Returns the text of the flag, or NULL; adds "K" to suffix.
 */
static const char *find_flag(const struct loop *l, size_t *len, struct strbuf *suffix)
{
	for (const char *s = l->body; (s = strchr(s, '-')); s++) {
		const char *flag = s, *p = s + 1 + strspn(s + 1, "abcdefghijklmnopqrstuvwxyzBCDFLOPSTWZ");
		bool brace;

		*len = (size_t)(p - flag);
		if (*len < 2 || !strchr("$%!", *p) || !*p)
			continue;
		p += strspn(p, "$%!");
		brace = *p == '{' || *p == '(';
		p += brace ? 1 + (p[1] == '$') : 0;
		if (strncasecmp(p, l->name, l->name_len) || name_len(p + l->name_len))
			continue;
		p += l->name_len + brace;
		strbuf_add(suffix, p, brace ? name_len(p) : 0);
		return flag;
	}
	return NULL;
}

static bool add_sweep(const struct loop *l, struct strbuf *out)
{
	struct strbuf values = { 0 }, suffix = { 0 };
	size_t len = 0;
	const char *flag = find_flag(l, &len, &suffix);
	bool found = flag && add_values(&values, l, strbuf_str(&suffix));

	if (found)
		strbuf_printf(out, " --sweep %.*s=%s", (int)len, flag, strbuf_str(&values));
	strbuf_fini(&values);
	strbuf_fini(&suffix);
	return found;
}

bool shell_loop_sweeps(const char *text, struct strbuf *out)
{
	unsigned loops = 0, found = 0;

	for (const char *s = text; *s && loops < LOOPS_MAX; s++) {
		struct loop l;

		if (s > text && isalnum((unsigned char)s[-1]))
			continue;
		if (!read_head(s, &l) && !((s == text || s[-1] == '\n' || s[-1] == ' ') && read_pipe(s, &l)))
			continue;
		loops++;
		found += add_sweep(&l, out);
		s = l.body > s ? l.body - 1 : s;
	}
	return found;
}
