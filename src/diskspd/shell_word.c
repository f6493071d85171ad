/* shell_word.c: reads one word of a pasted command: its quotes, escapes and variables. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "parse.h"
#include "prompt.h"
#include "shell.h"
#include "shell_scan.h"
#include "strbuf.h"
#include "vec.h"

/* The marks are U+201C to U+201F. */
size_t shell_scan_double_quote(const char *s)
{
	return !strncmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0x9c && (unsigned char)s[2] <= 0x9f ? 3
													: 0;
}

/* The typographic marks are U+2018 to U+201B. */
size_t shell_scan_single_quote(const char *s)
{
	if (*s == '\'')
		return 1;
	return !strncmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0x98 && (unsigned char)s[2] <= 0x9b ? 3
													: 0;
}

static bool is_noted(const struct shell_line *s, const struct shell_unset *m)
{
	for (size_t i = 0; i < s->unset.n; i++) {
		if (!strcmp(s->unset.v[i].name, m->name))
			return true;
	}
	return false;
}

int shell_scan_unset(struct shell_scan *x, const struct shell_ref *r)
{
	struct shell_line *s = x->line;
	struct shell_unset m = { .text = arena_strndup(&s->mem, x->pos, r->len),
				 .name = arena_strndup(&s->mem, r->name, r->name_len) };

	if (!m.text || !m.name)
		return diag_err(x->diag, -ENOMEM, "out of memory");
	if (!is_noted(s, &m) && !VEC_PUSH(&s->unset, m))
		return diag_err(x->diag, -ENOMEM, "out of memory");
	strbuf_add(&x->word, x->pos, r->len);
	x->pos += r->len;
	return 0;
}

int shell_scan_insert_words(struct shell_scan *x, const char *value)
{
	char quote = '\0';
	int ret = 0;

	for (; *value && !ret; value++) {
		if (quote ? *value == quote : *value == '"') {
			quote = quote ? '\0' : *value;
			x->quoted = true;
		} else if (!quote && (*value == ' ' || *value == '\t')) {
			ret = x->word.len || x->quoted ? shell_scan_add_word(x) : 0;
		} else {
			strbuf_putc(&x->word, *value);
		}
	}
	return ret;
}

/* Adds the value as a part of the current word. */
static void add_value(struct shell_scan *x, const struct shell_var *v)
{
	for (const char *s = v->value; *s; s++)
		if (!v->splits_words || *s != '"')
			strbuf_putc(&x->word, *s);
}

/* Adds the number that the arithmetic in brackets gives: $(30*60), ($d * 60), $((d * 60)). Returns false if
   only a shell can compute it. */
static bool add_number(struct shell_scan *x, const struct shell_ref *r)
{
	const char *from = r->name + (*r->name == '$');
	size_t len = r->name_len - (size_t)(from - r->name);
	int64_t number;

	if (!r->needs_shell || *from != '(' ||
	    (shell_number_eval(from, len, SHELL_NUMBER_PS, x->vars, &number) &&
	     (from[1] != '(' || shell_number_eval(from, len, SHELL_NUMBER_SH, x->vars, &number))))
		return false;
	strbuf_printf(&x->word, "%" PRId64, number);
	x->pos += r->len;
	return true;
}

/* Fills in a reference at x->pos. Returns 0 or -errno. */
static int fill_ref(struct shell_scan *x, const struct shell_ref *r, bool in_quotes)
{
	const struct shell_var *v;

	if (x->keeps_names) {
		strbuf_add(&x->word, x->pos, r->len);
		x->pos += r->len;
		return 0;
	}
	v = shell_vars_find(x->vars, r->name, r->name_len);
	if (!v)
		return add_number(x, r) ? 0 : shell_scan_unset(x, r);
	x->pos += r->len;
	if (v->splits_words && !in_quotes)
		return shell_scan_insert_words(x, v->value);
	add_value(x, v);
	return 0;
}

/* Fills in a variable at x->pos, in double quotes, too. Returns 1 if one was read, 0 if none stands here, or
   -errno. */
static int fill_variable(struct shell_scan *x, bool in_quotes)
{
	struct shell_ref r;
	int ret;

	if (!shell_ref_at(x->pos, !x->word.len, &r))
		return 0;
	ret = fill_ref(x, &r, in_quotes);
	return ret ? ret : 1;
}

/* Reads a part in quotes; x->pos is on the first mark. */
static int quoted(struct shell_scan *x)
{
	bool plain = shell_scan_single_quote(x->pos) != 0;
	const char *start = x->pos;

	x->quoted = true;
	for (x->pos += plain                             ? shell_scan_single_quote(x->pos)
		       : shell_scan_double_quote(x->pos) ? shell_scan_double_quote(x->pos)
							 : 1;
	     *x->pos;) {
		size_t end = plain           ? shell_scan_single_quote(x->pos)
			     : *start == '"' ? *x->pos == '"'
					     : shell_scan_double_quote(x->pos);
		int ret;

		if (end) {
			x->pos += end;
			return 0;
		}
		ret = plain ? 0 : fill_variable(x, true);
		if (ret < 0)
			return ret;
		if (ret)
			continue;
		if (!plain && *x->pos == '`' && x->pos[1])
			x->pos++;
		strbuf_putc(&x->word, *x->pos++);
	}
	return diag_err(x->diag, -EINVAL, "%.40s: the quotation mark is not closed", start);
}

static bool is_end(const char *s)
{
	return !*s || prompt_blanks(s) != s || strchr("<>|&;", *s);
}

/* Replaces or notes an expression in brackets at the beginning of a word, and refuses ~. */
static int check_word_start(struct shell_scan *x)
{
	const char *s = x->pos;
	size_t n = shell_vars_expression_len(s);

	if (n) {
		struct shell_ref r = { .name = s, .name_len = n, .len = n, .needs_shell = true };

		return fill_ref(x, &r, false);
	}
	if (*s == '~' && s[1] == '/')
		return diag_err(x->diag, -EINVAL,
				"a shell replaces ~ by a directory: write the directory in its place");
	return 0;
}

/* Returns true if an escape stands at s: ` before any character, ^ before an operator of cmd, and \ before an
   operator of sh in a word that cannot be a Windows path. */
static bool is_escape(const char *word, const char *s)
{
	bool path = *word == '/' || !strncmp(word, "./", 2) || !strncmp(word, "../", 3);

	return (*s == '`' && s[1]) || (*s == '^' && s[1] && strchr("&|<>^\"%", s[1])) ||
	       (*s == '\\' && s[1] && path && strchr(" \\'\"&|;<>()$", s[1]));
}

/* Fills in @x, the words of $x. Returns 1 if one was read, 0 if none stands here, or -errno. */
static int fill_splat(struct shell_scan *x)
{
	struct shell_ref r;
	const struct shell_var *v;
	size_t n;

	if (*x->pos != '@')
		return 0;
	n = 1 + shell_vars_name_len(x->pos + 1);
	if (!isalpha((unsigned char)x->pos[1]) || !is_end(x->pos + n) || x->keeps_names)
		return 0;
	r = (struct shell_ref){ .name = x->pos + 1, .name_len = n - 1, .len = n };
	v = shell_vars_find(x->vars, r.name, r.name_len);
	if (!v)
		return shell_scan_unset(x, &r) ? -ENOMEM : 1;
	x->pos += n;
	return shell_scan_insert_words(x, v->value) ? -ENOMEM : 1;
}

int shell_scan_word(struct shell_scan *x)
{
	int ret;

	strbuf_clear(&x->word);
	x->quoted = false;
	ret = x->keeps_names ? 0 : check_word_start(x);
	if (!ret)
		ret = fill_splat(x);
	ret = ret > 0 ? 0 : ret;
	while (!ret && !is_end(x->pos)) {
		if (*x->pos == '"' || shell_scan_double_quote(x->pos) ||
		    (shell_scan_single_quote(x->pos) && !x->word.len && !x->quoted)) {
			ret = quoted(x);
			continue;
		}
		if (is_escape(strbuf_str(&x->word), x->pos)) {
			x->pos++;
		} else if (*x->pos == '`' || (*x->pos == '^' && is_end(x->pos + 1))) {
			x->pos++; /* a continuation mark without a next line */
			continue;
		} else {
			ret = fill_variable(x, false);
			if (ret > 0) {
				ret = 0;
				continue;
			}
		}
		if (!ret)
			strbuf_putc(&x->word, *x->pos++);
	}
	if (!ret && x->word.failed)
		ret = diag_err(x->diag, -ENOMEM, "out of memory");
	return ret;
}

int shell_scan_copy_word(struct shell_scan *x, char **out)
{
	*out = arena_strdup(&x->line->mem, strbuf_str(&x->word));
	return *out ? 0 : diag_err(x->diag, -ENOMEM, "out of memory");
}

/* Replaces a typographic dash before an option's letter by "-". */
static int replace_dash(struct shell_scan *x, char **word)
{
	size_t len = hint_dash_len(*word);

	if (!len || !isalpha((unsigned char)(*word)[len]))
		return 0;
	x->line->replaced_dashes = true;
	*word = arena_printf(&x->line->mem, "-%s", *word + len);
	return *word ? 0 : diag_err(x->diag, -ENOMEM, "out of memory");
}

int shell_scan_add_word(struct shell_scan *x)
{
	struct shell_line *s = x->line;
	char **word;
	bool quoted = x->quoted;

	if ((size_t)s->argc + 2 > x->argv_cap) {
		char **grown = arena_array(&s->mem, (x->argv_cap + 8) * 2, sizeof(*grown));

		if (!grown)
			return diag_err(x->diag, -ENOMEM, "out of memory");
		if (s->argc)
			memcpy(grown, s->argv, (size_t)s->argc * sizeof(*grown));
		x->argv_cap = (x->argv_cap + 8) * 2;
		s->argv = grown;
	}
	word = &s->argv[s->argc++];
	if (shell_scan_copy_word(x, word))
		return -ENOMEM;
	strbuf_clear(&x->word);
	x->quoted = false;
	return quoted ? 0 : replace_dash(x, word);
}

int shell_word(const char **at, const struct shell_vars *vars, char **value, struct arena *mem,
	       struct diag *d)
{
	struct shell_line s = { 0 };
	struct shell_scan x = { .line = &s, .vars = vars, .pos = *at, .diag = d };
	int ret = shell_scan_word(&x);

	if (!ret && (s.unset.n || s.argc))
		ret = -ENODATA;
	if (!ret) {
		*value = arena_strdup(mem, strbuf_str(&x.word));
		ret = *value ? 0 : diag_err(d, -ENOMEM, "out of memory");
		*at = x.pos;
	}
	strbuf_fini(&x.word);
	shell_fini(&s);
	return ret;
}
