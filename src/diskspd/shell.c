#include "shell.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "prompt.h"
#include "strbuf.h"

struct scan {
	struct shell_line *s;
	const char *at;
	struct strbuf word;
	bool quoted; /* the word had quotes */
	size_t cap;
	struct diag *d;
};

/* The length of a typographic quotation mark (U+201C to U+201F), which PowerShell takes as a straight one. */
static size_t curly(const char *s)
{
	return !strncmp(s, "\xe2\x80", 2) && (unsigned char)s[2] >= 0x9c && (unsigned char)s[2] <= 0x9f ? 3
													: 0;
}

static size_t name_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static int not_filled(struct scan *x, const char *from, size_t len)
{
	return diag_err(x->d, -EINVAL,
			"%.*s is something that a shell or script fills in: write its value in its place%s",
			(int)len, from, *from == '$' ? " (or in single quotes, if it is a name)" : "");
}

/* $x ${x} $(x) $env:x; a $ before anything else is a character: \\srv\c$\x. */
static int dollar(struct scan *x)
{
	const char *s = x->at;
	size_t n = name_len(s + 1);

	if (s[1] == '(' || s[1] == '{') {
		size_t end = strcspn(s, s[1] == '(' ? ")" : "}");

		return not_filled(x, s, end + (s[end] != '\0'));
	}
	if (!n || isdigit((unsigned char)s[1]))
		return 0;
	if (s[n + 1] == ':' && isalpha((unsigned char)s[n + 2]))
		n += 1 + name_len(s + n + 2);
	return not_filled(x, s, n + 1);
}

/* %x% %* %1 %~dp0 %%i; and !x!. */
static int percent(struct scan *x, bool start)
{
	const char *s = x->at;
	size_t n = name_len(s + 1);

	if (n && s[n + 1] == *s && !isdigit((unsigned char)s[1]))
		return not_filled(x, s, n + 2);
	if (*s == '!')
		return 0;
	if (s[1] == '*')
		return not_filled(x, s, 2);
	if (s[1] == '~' || (s[1] == '%' && isalpha((unsigned char)s[2])))
		return not_filled(x, s, 2 + name_len(s + 2));
	if (start && isdigit((unsigned char)s[1]))
		return not_filled(x, s, 2);
	return 0;
}

/* A character that shells would expand, in double quotes too. */
static int expands(struct scan *x)
{
	char c = *x->at;
	int ret = 0;

	if (c == '$')
		ret = dollar(x);
	else if (c == '%' || c == '!')
		ret = percent(x, !x->word.len);
	return ret;
}

/* A quoted part, x->at on its first mark. */
static int quoted(struct scan *x)
{
	size_t mark = curly(x->at) ? curly(x->at) : 1;
	bool plain = *x->at == '\'';
	const char *start = x->at;

	x->quoted = true;
	for (x->at += mark; *x->at;) {
		size_t end = plain ? *x->at == '\'' : *start == '"' ? *x->at == '"' : curly(x->at);

		if (end) {
			x->at += end;
			return 0;
		}
		if (!plain && expands(x))
			return -EINVAL;
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
		size_t end = strcspn(s, ")");

		return not_filled(x, s, end + (s[end] != '\0'));
	}
	if (*s == '@' && isalpha((unsigned char)s[1]))
		return not_filled(x, s, 1 + name_len(s + 1));
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

static int read_word(struct scan *x)
{
	int ret = begins_badly(x);

	strbuf_clear(&x->word);
	x->quoted = false;
	while (!ret && !is_end(x->at)) {
		if (*x->at == '"' || curly(x->at) || (*x->at == '\'' && !x->word.len && !x->quoted)) {
			ret = quoted(x);
			continue;
		}
		if (is_escape(strbuf_str(&x->word), x->at)) {
			x->at++;
		} else if (*x->at == '`' || (*x->at == '^' && is_end(x->at + 1))) {
			x->at++; /* a continuation without its line */
			continue;
		} else {
			ret = expands(x);
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

static int add_word(struct scan *x)
{
	struct shell_line *s = x->s;

	if ((size_t)s->argc + 2 > x->cap) {
		char **grown = arena_array(&s->mem, (x->cap + 8) * 2, sizeof(*grown));

		if (!grown)
			return diag_err(x->d, -ENOMEM, "out of memory");
		if (s->argc)
			memcpy(grown, s->argv, (size_t)s->argc * sizeof(*grown));
		x->cap = (x->cap + 8) * 2;
		s->argv = grown;
	}
	return keep(x, &s->argv[s->argc++]);
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
	if (read_word(x))
		return -EINVAL;
	if (!x->word.len)
		return diag_err(x->d, -EINVAL, "nothing stands behind '%c'", op);
	return output && op == '>' ? keep(x, &x->s->redirect) : 0;
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
	if (*s == '#' && (!s[1] || prompt_blanks(s + 1) != s + 1)) {
		*ended = true;
		return 1;
	}
	if (!*s || !strchr("|&;", *s))
		return 0;
	*ended = true;
	while (*s && strchr("|&;", *s))
		s++;
	s = prompt_blanks(s);
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

/* The program's name; the word is read without filling anything in. */
static int read_program(struct scan *x)
{
	bool called = *x->at == '&' || (*x->at == '.' && x->at[1] == ' ');
	const char *start;
	char *name;
	size_t n;

	if (called)
		x->at = prompt_blanks(x->at + 1);
	if (*x->at == '-' || !strncmp(x->at, "\xe2\x80\x93", 3) || !strncmp(x->at, "\xe2\x80\x94", 3))
		return 0;
	start = x->at;
	if (*start == '"' || *start == '\'') {
		n = strcspn(start + 1, *start == '"' ? "\"" : "'");
		name = arena_strndup(&x->s->mem, start + 1, n);
		n += 1 + (start[n + 1] != '\0');
	} else {
		for (n = 0; start[n] && prompt_blanks(start + n) == start + n; n++)
			;
		name = arena_strndup(&x->s->mem, start, n);
	}
	if (!name)
		return diag_err(x->d, -ENOMEM, "out of memory");
	if (!prompt_is_program(name, called))
		return no_program(x, *name ? name : "nothing", start + n);
	x->s->program = true;
	x->at = start + n;
	return 0;
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

int shell_split(struct shell_line *s, const char *line, struct diag *d)
{
	struct scan x = { .s = s, .d = d };
	bool inner;
	char *text = NULL;
	int ret;

	memset(s, 0, sizeof(*s));
	if (prompt_is_comment(line))
		return diag_err(d, -EINVAL, "there is no command in the line");
	x.at = prompt_skip(line, &inner);
	if (inner) {
		const char *last = strrchr(x.at, '"');

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
	return ret ? ret : swallowed(s, d);
}

void shell_fini(struct shell_line *s)
{
	arena_fini(&s->mem);
	memset(s, 0, sizeof(*s));
}

/* Whether the line goes on: takes the mark away. */
static bool continued(struct strbuf *b, size_t from)
{
	size_t n = b->len;
	char last;

	while (n > from && (b->text[n - 1] == ' ' || b->text[n - 1] == '\t' || b->text[n - 1] == '\r'))
		n--;
	if (n == from)
		return false;
	last = b->text[n - 1];
	if (last != '`' && last != '^' && last != '\\')
		return false;
	if (last == '\\' && n - 1 > from && b->text[n - 2] != ' ' && b->text[n - 2] != '\t')
		return false;
	b->len = n - 1;
	b->text[b->len] = '\0';
	return true;
}

/* The prompt of a continued line: ">> " or "> ". */
static const char *secondary_prompt(const char *s)
{
	const char *p = prompt_blanks(s);

	if (p[0] == '>' && (p[1] == '>' ? p[2] == ' ' : p[1] == ' '))
		return p + (p[1] == '>' ? 2 : 1);
	return s;
}

static void next_line(const char **text, struct strbuf *b)
{
	bool more = true;

	for (bool first = true; more && **text; first = false) {
		const char *s = first ? *text : secondary_prompt(*text);
		size_t n = strcspn(s, "\n"), from;

		if (!first)
			strbuf_putc(b, ' ');
		from = b->len;
		strbuf_add(b, s, n);
		*text = s + n + (s[n] == '\n');
		more = !b->failed && b->text && continued(b, from);
	}
}

char *shell_next(const char **text)
{
	while (**text) {
		const char *start = *text;
		struct strbuf b = { 0 };

		next_line(text, &b);
		if (b.failed) {
			strbuf_fini(&b);
			*text = start;
			return NULL;
		}
		if (b.text && !prompt_is_comment(b.text))
			return b.text;
		strbuf_fini(&b);
	}
	return NULL;
}
