#include "shell.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "hint.h"
#include "prompt.h"
#include "strbuf.h"
#include "vec.h"

struct scan {
	struct shell_line *s;
	const struct shell_vars *vars;
	const char *at;
	struct strbuf word;
	bool quoted; /* the word had quotes */
	bool raw;    /* names stay as they are */
	size_t cap;
	struct diag *d;
};

static int add_word(struct scan *x);

/* The length of a typographic quotation mark (U+201C to U+201F), which PowerShell takes as a straight one. */
static size_t curly(const char *s)
{
	return !strncmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0x9c && (unsigned char)s[2] <= 0x9f ? 3
													: 0;
}

/* The length of a single quotation mark, straight or typographic (U+2018 to U+201B). */
static size_t single(const char *s)
{
	if (*s == '\'')
		return 1;
	return !strncmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0x98 && (unsigned char)s[2] <= 0x9b ? 3
													: 0;
}

static bool has_missing(const struct shell_line *s, const struct shell_unset *m)
{
	for (size_t i = 0; i < s->unset.n; i++) {
		const struct shell_unset *old = &s->unset.v[i];

		if (m->name && old->name ? !strcmp(old->name, m->name) : !strcmp(old->text, m->text))
			return true;
	}
	return false;
}

/* Text without a value: it stays in the word, and the line is refused when all of it is known. */
static int miss(struct scan *x, const struct shell_ref *r)
{
	struct shell_line *s = x->s;
	struct shell_unset m = { .text = arena_strndup(&s->mem, x->at, r->len) };

	if (!r->needs_shell)
		m.name = arena_strndup(&s->mem, r->name, r->name_len);
	if (!m.text || (!m.name && !r->needs_shell))
		return diag_err(x->d, -ENOMEM, "out of memory");
	if (!has_missing(s, &m) && !VEC_PUSH(&s->unset, m))
		return diag_err(x->d, -ENOMEM, "out of memory");
	strbuf_add(&x->word, x->at, r->len);
	x->at += r->len;
	return 0;
}

/* The words in a value: blanks outside of quotes part them. */
static int insert_words(struct scan *x, const char *value)
{
	char quote = '\0';
	int ret = 0;

	for (; *value && !ret; value++) {
		if (quote ? *value == quote : *value == '"') {
			quote = quote ? '\0' : *value;
			x->quoted = true;
		} else if (!quote && (*value == ' ' || *value == '\t')) {
			ret = x->word.len || x->quoted ? add_word(x) : 0;
		} else {
			strbuf_putc(&x->word, *value);
		}
	}
	return ret;
}

/* The value is a part of the word. */
static void insert_part(struct scan *x, const struct shell_var *v)
{
	for (const char *s = v->value; *s; s++)
		if (!v->splits_words || *s != '"')
			strbuf_putc(&x->word, *s);
}

/* A name that shells would fill in, in double quotes too: 1 if one stood here. */
static int fill(struct scan *x, bool in_quotes)
{
	struct shell_ref r;
	const struct shell_var *v;
	int ret = 0;

	if (!shell_ref_at(x->at, !x->word.len, &r))
		return 0;
	if (x->raw) {
		strbuf_add(&x->word, x->at, r.len);
		x->at += r.len;
		return 1;
	}
	v = r.needs_shell ? NULL : shell_vars_find(x->vars, r.name, r.name_len);
	if (!v)
		return miss(x, &r) ? -ENOMEM : 1;
	x->at += r.len;
	if (v->splits_words && !in_quotes)
		ret = insert_words(x, v->value);
	else
		insert_part(x, v);
	return ret ? ret : 1;
}

/* A quoted part, x->at on its first mark. */
static int quoted(struct scan *x)
{
	bool plain = single(x->at) != 0;
	const char *start = x->at;

	x->quoted = true;
	for (x->at += plain ? single(x->at) : curly(x->at) ? curly(x->at) : 1; *x->at;) {
		size_t end = plain ? single(x->at) : *start == '"' ? *x->at == '"' : curly(x->at);
		int ret;

		if (end) {
			x->at += end;
			return 0;
		}
		ret = plain ? 0 : fill(x, true);
		if (ret < 0)
			return ret;
		if (ret)
			continue;
		if (!plain && *x->at == '`' && x->at[1])
			x->at++;
		strbuf_putc(&x->word, *x->at++);
	}
	return diag_err(x->d, -EINVAL, "%.40s: the quotation mark is not closed", start);
}

static bool is_end(const char *s)
{
	return !*s || prompt_blanks(s) != s || strchr("<>|&;", *s);
}

/* What begins a word that a shell would replace as a whole. */
static int begins_badly(struct scan *x)
{
	const char *s = x->at;

	if (*s == '(' || ((*s == '@' || *s == '{') && s[1] == '(')) {
		struct shell_ref r = { .len = shell_bracket_len(s), .needs_shell = true };

		return miss(x, &r);
	}
	if (*s == '~' && s[1] == '/')
		return diag_err(x->d, -EINVAL,
				"~ is something that a shell fills in: write the directory in its place");
	return 0;
}

/* Whether an escape stands here: ` before any character, ^ before one that cmd would read, in a word that is
   surely no Windows path \ before one that sh would read. */
static bool is_escape(const char *word, const char *s)
{
	bool path = *word == '/' || !strncmp(word, "./", 2) || !strncmp(word, "../", 3);

	return (*s == '`' && s[1]) || (*s == '^' && s[1] && strchr("&|<>^\"%", s[1])) ||
	       (*s == '\\' && s[1] && path && strchr(" \\'\"&|;<>()$", s[1]));
}

/* @x: the words of $x. 1 if it stood here. */
static int splat(struct scan *x)
{
	size_t n = 1;
	struct shell_ref r;
	const struct shell_var *v;

	if (*x->at != '@')
		return 0;
	while (isalnum((unsigned char)x->at[n]) || x->at[n] == '_')
		n++;
	if (!isalpha((unsigned char)x->at[1]) || !is_end(x->at + n) || x->raw)
		return 0;
	r = (struct shell_ref){ .name = x->at + 1, .name_len = n - 1, .len = n };
	v = shell_vars_find(x->vars, r.name, r.name_len);
	if (!v)
		return miss(x, &r) ? -ENOMEM : 1;
	x->at += n;
	return insert_words(x, v->value) ? -ENOMEM : 1;
}

static int read_word(struct scan *x)
{
	int ret = x->raw ? 0 : begins_badly(x);

	strbuf_clear(&x->word);
	x->quoted = false;
	if (!ret)
		ret = splat(x);
	ret = ret > 0 ? 0 : ret;
	while (!ret && !is_end(x->at)) {
		if (*x->at == '"' || curly(x->at) || (single(x->at) && !x->word.len && !x->quoted)) {
			ret = quoted(x);
			continue;
		}
		if (is_escape(strbuf_str(&x->word), x->at)) {
			x->at++;
		} else if (*x->at == '`' || (*x->at == '^' && is_end(x->at + 1))) {
			x->at++; /* a continuation without its line */
			continue;
		} else {
			ret = fill(x, false);
			if (ret > 0) {
				ret = 0;
				continue;
			}
		}
		if (!ret)
			strbuf_putc(&x->word, *x->at++);
	}
	if (!ret && x->word.failed)
		ret = diag_err(x->d, -ENOMEM, "out of memory");
	return ret;
}

static int keep(struct scan *x, char **out)
{
	*out = arena_strdup(&x->s->mem, strbuf_str(&x->word));
	return *out ? 0 : diag_err(x->d, -ENOMEM, "out of memory");
}

/* A dash of a web page before an option's letter is read as the one that was meant. */
static int straight_dash(struct scan *x, char **word)
{
	size_t len = hint_dash_len(*word);

	if (!len || !isalpha((unsigned char)(*word)[len]))
		return 0;
	x->s->replaced_dashes = true;
	*word = arena_printf(&x->s->mem, "-%s", *word + len);
	return *word ? 0 : diag_err(x->d, -ENOMEM, "out of memory");
}

static int add_word(struct scan *x)
{
	struct shell_line *s = x->s;
	char **word;
	bool quoted = x->quoted;

	if ((size_t)s->argc + 2 > x->cap) {
		char **grown = arena_array(&s->mem, (x->cap + 8) * 2, sizeof(*grown));

		if (!grown)
			return diag_err(x->d, -ENOMEM, "out of memory");
		if (s->argc)
			memcpy(grown, s->argv, (size_t)s->argc * sizeof(*grown));
		x->cap = (x->cap + 8) * 2;
		s->argv = grown;
	}
	word = &s->argv[s->argc++];
	if (keep(x, word))
		return -ENOMEM;
	strbuf_clear(&x->word);
	x->quoted = false;
	return quoted ? 0 : straight_dash(x, word);
}

/* "<file>" in a guide. */
static bool is_placeholder(const char *s)
{
	size_t n = strcspn(s + 1, "<>|&;");

	return n && s[1] != ' ' && s[n] != ' ' && s[n + 1] == '>';
}

/* > file, 2>&1, >> file, < file; x->at on the operator. */
static int redirection(struct scan *x, bool output)
{
	char op = *x->at;

	if (op == '<' && is_placeholder(x->at))
		return diag_err(x->d, -EINVAL, "%.*s stands for something: write it in its place",
				(int)strcspn(x->at, ">") + 1, x->at);
	while (*x->at == op)
		x->at++;
	if (*x->at == '&') {
		x->at++;
		x->at += *x->at != '\0';
		return 0;
	}
	x->at = prompt_blanks(x->at);
	x->raw = true;
	if (read_word(x))
		return -EINVAL;
	x->raw = false;
	if (!x->word.len)
		return diag_err(x->d, -EINVAL, "nothing stands behind '%c'", op);
	return output && op == '>' ? keep(x, &x->s->redirect) : 0;
}

enum shell_join shell_join_at(const char **at)
{
	const char *s = *at;
	enum shell_join join = SHELL_THEN;

	if (!*s)
		return SHELL_END;
	if (s[0] == '|')
		join = s[1] == '|' ? SHELL_OR : SHELL_PIPE;
	else if (s[0] == '&' && s[1] == '&')
		join = SHELL_AND;
	if (strchr("|&;", *s))
		s += s[0] == s[1] ? 2 : 1;
	while (*prompt_blanks(s) == ';')
		s = prompt_blanks(s) + 1;
	*at = prompt_blanks(s);
	return join;
}

/* A remark behind the arguments. A name like this is no target. */
static bool remark_here(const struct scan *x)
{
	static const char *const marks[] = { "#", "::", "//", "REM" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t n = strlen(marks[i]);

		if (!strncasecmp(x->at, marks[i], n) && (!x->at[n] || prompt_blanks(x->at + n) != x->at + n))
			return true;
	}
	return false;
}

/* An operator at x->at, if there is one: 1. It may end the command. */
static int operation(struct scan *x, bool *ended)
{
	const char *s = x->at;
	bool numbered = (isdigit((unsigned char)*s) || *s == '*') && s[1] == '>';
	int ret;

	if (numbered || *s == '>' || *s == '<') {
		x->at += numbered;
		ret = redirection(x, !numbered || *s == '1' || *s == '*');
		return ret ? ret : 1;
	}
	if (remark_here(x)) {
		*ended = true;
		return 1;
	}
	if (!*s || !strchr("|&;", *s))
		return 0;
	*ended = true;
	x->s->join = shell_join_at(&s);
	x->s->rest = *s ? arena_strdup(&x->s->mem, s) : NULL;
	return *s && !x->s->rest ? diag_err(x->d, -ENOMEM, "out of memory") : 1;
}

static int read_words(struct scan *x)
{
	bool ended = false;
	int ret = 0;

	while (ret >= 0 && !ended) {
		x->at = prompt_blanks(x->at);
		if (!*x->at)
			return 0;
		ret = operation(x, &ended);
		if (ret)
			continue;
		ret = read_word(x);
		if (!ret && (x->word.len || x->quoted) && strcmp(strbuf_str(&x->word), "--%") != 0)
			ret = add_word(x);
	}
	return ret < 0 ? ret : 0;
}

/* `rest` is what stands behind the name. */
static int no_program(struct scan *x, const char *name, const char *rest)
{
	for (const char *s = rest; *s; s++)
		if (!strncasecmp(s, "diskspd", 7))
			return diag_err(x->d, -EINVAL,
					"the line begins with %s: give the part from diskspd on, to the end "
					"of its arguments",
					name);
	return diag_err(
		x->d, -EINVAL,
		"the line begins with %s: it should begin with diskspd, behind a prompt if there is one, or "
		"with an option",
		name);
}

/* A name that is filled in, with what stands behind it: %EXE%, $dir\diskspd.exe. *rest: the words of the
   value behind the program, if it has more. */
static char *filled_name(struct scan *x, char *name, char **rest)
{
	struct shell_ref r;
	const struct shell_var *v = NULL;
	char *out, *blank;
	size_t n;

	if (shell_ref_at(name, true, &r) && !r.needs_shell)
		v = shell_vars_find(x->vars, r.name, r.name_len);
	if (!v)
		return name;
	n = *v->value == '"' ? 1 : 0;
	out = arena_printf(&x->s->mem, "%s%s", v->value + n, name + r.len);
	if (out && n && strchr(out, '"'))
		*strchr(out, '"') = '\0';
	blank = out && !prompt_is_program(out, false) ? strchr(out, ' ') : NULL;
	if (blank) {
		*blank = '\0';
		*rest = blank + 1;
	}
	return out;
}

/* A variable without value before an option is the program, whatever it is called. */
static int variable_program(struct scan *x, const char *name, const char *behind)
{
	struct shell_ref r;
	const char *at = x->at;
	int ret;

	if (!shell_ref_at(name, true, &r) || r.needs_shell || name[r.len] || *prompt_blanks(behind) != '-')
		return 0;
	x->at = name;
	ret = miss(x, &r);
	strbuf_clear(&x->word);
	x->at = at;
	return ret ? ret : 1;
}

/* A name in quotes; *len: with them. */
static char *quoted_name(struct scan *x, const char *start, size_t *len)
{
	size_t mark = single(start) ? single(start) : curly(start) ? curly(start) : 1, n = mark;

	while (start[n] && !(single(start)   ? single(start + n)
			     : *start == '"' ? start[n] == '"'
					     : curly(start + n)))
		n++;
	*len = n + (start[n] ? mark : 0);
	return arena_strndup(&x->s->mem, start + mark, n - mark);
}

/* The program's name. */
static int read_program(struct scan *x)
{
	char *rest = NULL;
	bool called = *x->at == '&' || (*x->at == '.' && x->at[1] == ' ');
	const char *start;
	char *name;
	size_t n;

	if (called)
		x->at = prompt_blanks(x->at + 1);
	if (*x->at == '-' || !strncmp(x->at, "\xe2\x80\x93", 3) || !strncmp(x->at, "\xe2\x80\x94", 3))
		return 0;
	start = x->at;
	if (called && *start == '(' && prompt_names_program(start)) {
		n = shell_bracket_len(start); /* & (Join-Path $dir diskspd.exe) */
		name = arena_strdup(&x->s->mem, "diskspd");
	} else if (single(start) || *start == '"' || curly(start)) {
		name = quoted_name(x, start, &n);
	} else {
		for (n = 0; start[n] && prompt_blanks(start + n) == start + n; n++)
			;
		name = arena_strndup(&x->s->mem, start, n);
	}
	if (!name)
		return diag_err(x->d, -ENOMEM, "out of memory");
	name = filled_name(x, name, &rest);
	if (!name)
		return diag_err(x->d, -ENOMEM, "out of memory");
	if (!prompt_is_program(name, called)) {
		int ret = variable_program(x, name, start + n);

		if (ret < 0)
			return ret;
		if (!ret)
			return no_program(x, *name ? name : "nothing", start + n);
	}
	x->s->has_program = true;
	x->at = start + n;
	if (!rest)
		return 0;
	return insert_words(x, rest) || (x->word.len && add_word(x)) ? -ENOMEM : 0;
}

/* A redirect takes a file's name along; where nothing is left to test it was probably the target. */
static int swallowed(const struct shell_line *s, struct diag *d)
{
	if (!s->redirect)
		return 0;
	for (int i = 0; i < s->argc; i++) {
		const char *a = s->argv[i];

		if (a[0] != '-' || a[1] == 'X' || a[1] == '?' || !strncmp(a, "-Rs", 3) ||
		    !strncmp(a, "-ye", 3))
			return 0;
	}
	return diag_err(d, -EINVAL,
			"no target: > %s takes it for the output; if it is the target, write it without '>' "
			"at the end",
			s->redirect);
}

static size_t count_names(const struct shell_unset *m, size_t n)
{
	size_t names = 0;

	for (size_t i = 0; i < n; i++)
		names += m[i].name != NULL;
	return names;
}

void shell_unset_text(const struct shell_unset *m, size_t n, struct strbuf *out)
{
	size_t names = count_names(m, n);

	for (size_t i = 0; i < n; i++) {
		strbuf_printf(out, "%s%s", i ? ", " : "", m[i].text);
		if (m[i].line)
			strbuf_printf(out, " (line %u)", m[i].line);
	}
	strbuf_printf(out, ": a shell or script fills in %s: ", n == 1 ? "this" : "these");
	for (size_t i = 0; i < n; i++) {
		const char *quote = m[i].name && strchr("~*", *m[i].name) ? "'" : "";

		if (m[i].name)
			strbuf_printf(out, "--define %s%s=VALUE%s ", quote, m[i].name, quote);
	}
	if (names)
		strbuf_printf(out, "%s, or ", names == 1 ? "gives a value" : "give values");
	strbuf_printf(out, "write %s in the line", n == 1 ? "its value" : "the values");
}

static int refuse_missing(const struct shell_line *s, struct diag *d)
{
	struct strbuf b = { 0 };

	if (!s->unset.n)
		return 0;
	shell_unset_text(s->unset.v, s->unset.n, &b);
	diag_err(d, -EINVAL, "%s", strbuf_str(&b));
	strbuf_fini(&b);
	return -EINVAL;
}

int shell_split(struct shell_line *s, const char *line, const struct shell_vars *vars, struct diag *d)
{
	struct scan x = { .s = s, .vars = vars, .d = d };
	bool inner;
	char *text = NULL;
	int ret;

	memset(s, 0, sizeof(*s));
	if (prompt_is_comment(line))
		return diag_err(d, -EINVAL, "there is no command in the line");
	x.at = prompt_skip(line, &inner);
	if (inner) {
		const char *last = strrchr(x.at, x.at[-1]);

		text = arena_strndup(&s->mem, x.at, last ? (size_t)(last - x.at) : strlen(x.at));
		x.at = text;
	}
	s->argv = arena_array(&s->mem, 1, sizeof(*s->argv));
	x.cap = 1;
	if (!s->argv || (inner && !text))
		return diag_err(d, -ENOMEM, "out of memory");
	ret = read_program(&x);
	if (!ret)
		ret = read_words(&x);
	strbuf_fini(&x.word);
	if (!ret)
		ret = refuse_missing(s, d);
	return ret ? ret : swallowed(s, d);
}

int shell_word(const char **at, const struct shell_vars *vars, char **value, struct arena *mem,
	       struct diag *d)
{
	struct shell_line s = { 0 };
	struct scan x = { .s = &s, .vars = vars, .at = *at, .d = d };
	int ret = read_word(&x);

	if (!ret && (s.unset.n || s.argc))
		ret = -ENODATA;
	if (!ret) {
		*value = arena_strdup(mem, strbuf_str(&x.word));
		ret = *value ? 0 : diag_err(d, -ENOMEM, "out of memory");
		*at = x.at;
	}
	strbuf_fini(&x.word);
	shell_fini(&s);
	return ret;
}

void shell_fini(struct shell_line *s)
{
	arena_fini(&s->mem);
	free(s->unset.v);
	memset(s, 0, sizeof(*s));
}
