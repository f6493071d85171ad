/* shell.c: splits a pasted command at its operators: redirections, pipes, separators and remarks. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nearest.h"
#include "prompt.h"
#include "shell.h"
#include "shell_scan.h"
#include "strbuf.h"

/* Returns true for a name to fill in, which guides write as "<file>". */
static bool is_placeholder(const char *s)
{
	size_t n = strcspn(s + 1, "<>|&;");

	return n && s[1] != ' ' && s[n] != ' ' && s[n + 1] == '>';
}

/* Reads a redirection at x->pos: > file, 2>&1, >> file, < file. */
static int read_redirection(struct shell_scan *x, bool output)
{
	char op = *x->pos;

	if (op == '<' && is_placeholder(x->pos))
		return diag_err(x->diag, -EINVAL, "%.*s is a placeholder: write its value in its place",
				(int)strcspn(x->pos, ">") + 1, x->pos);
	while (*x->pos == op)
		x->pos++;
	if (*x->pos == '&') {
		x->pos++;
		x->pos += *x->pos != '\0';
		return 0;
	}
	x->pos = prompt_blanks(x->pos);
	x->keeps_names = true;
	if (shell_scan_word(x))
		return -EINVAL;
	x->keeps_names = false;
	if (!x->word.len)
		return diag_err(x->diag, -EINVAL, "a file is missing after '%c'", op);
	return output && op == '>' ? shell_scan_copy_word(x, &x->line->redirect) : 0;
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

/* Returns true if a remark begins after the arguments. No target has such a name. */
static bool is_remark(const struct shell_scan *x)
{
	static const char *const marks[] = { "#", "::", "//", "REM" };
	size_t digits = *x->pos == '#' ? strspn(x->pos + 1, "0123456789") : 0;

	/* "#4" is a drive of Windows, "#65336" and "#70%" are remarks. */
	if (digits > 3 || (digits && x->pos[1 + digits] && !strchr(" \t\"';&|>)", x->pos[1 + digits])))
		return true;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t n = strlen(marks[i]);

		if (!strncasecmp(x->pos, marks[i], n) &&
		    (!x->pos[n] || prompt_blanks(x->pos + n) != x->pos + n))
			return true;
	}
	return false;
}

/* Reads an operator at x->pos. Returns 1 if one was read, 0 if none stands here, or -errno. *ended: the
   command ends here. */
static int read_operator(struct shell_scan *x, bool *ended)
{
	const char *s = x->pos;
	bool numbered = (isdigit((unsigned char)*s) || *s == '*') && s[1] == '>';
	int ret;

	if (numbered || *s == '>' || *s == '<') {
		x->pos += numbered;
		ret = read_redirection(x, !numbered || *s == '1' || *s == '*');
		return ret ? ret : 1;
	}
	if (is_remark(x)) {
		*ended = true;
		return 1;
	}
	if (!*s || !strchr("|&;", *s))
		return 0;
	*ended = true;
	x->line->join = shell_join_at(&s);
	x->line->rest = *s ? arena_strdup(&x->line->mem, s) : NULL;
	return *s && !x->line->rest ? diag_err(x->diag, -ENOMEM, "out of memory") : 1;
}

static int read_words(struct shell_scan *x)
{
	bool ended = false;
	int ret = 0;

	while (ret >= 0 && !ended) {
		x->pos = prompt_blanks(x->pos);
		if (!*x->pos)
			return 0;
		ret = read_operator(x, &ended);
		if (ret)
			continue;
		ret = shell_scan_word(x);
		if (!ret && (x->word.len || x->quoted) && strcmp(strbuf_str(&x->word), "--%") != 0)
			ret = shell_scan_add_word(x);
	}
	return ret < 0 ? ret : 0;
}

bool shell_has_target(const struct shell_line *s)
{
	for (int i = 0; i < s->argc; i++) {
		const char *a = s->argv[i];

		if (a[0] != '-' || a[1] == 'X' || a[1] == '?' || !strncmp(a, "-Rs", 3) ||
		    !strncmp(a, "-ye", 3))
			return true;
	}
	return false;
}

/* Refuses a line whose target was probably taken as the file of a redirection. */
static int check_redirected_target(const struct shell_line *s, struct diag *d)
{
	if (!s->redirect || shell_has_target(s))
		return 0;
	return diag_err(d, -EINVAL,
			"no target: > %s makes it the output; if it is the target, write it at the end "
			"without '>'",
			s->redirect);
}

void shell_unset_text(const struct shell_unset *m, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(out, "%s%s", i ? ", " : "", m[i].text);
		if (m[i].line)
			strbuf_printf(out, " (line %u)", m[i].line);
	}
	strbuf_printf(out, ": only a shell or script knows %s; use", n == 1 ? "this value" : "these values");
	for (size_t i = 0; i < n; i++) {
		struct strbuf b = { 0 };

		strbuf_printf(&b, "%s=VALUE", m[i].name);
		strbuf_puts(out, " --define ");
		strbuf_quoted(out, strbuf_str(&b));
		strbuf_fini(&b);
	}
	strbuf_printf(out, ", or write %s in the line", n == 1 ? "the value" : "the values");
}

static int refuse_unset(const struct shell_line *s, struct diag *d)
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
	struct shell_scan x = { .line = s, .vars = vars, .diag = d };
	bool in_quotes;
	char *text = NULL;
	int ret;

	memset(s, 0, sizeof(*s));
	if (prompt_is_comment(line))
		return diag_err(d, -EINVAL, "the line has no command");
	x.pos = prompt_skip(line, &in_quotes);
	if (in_quotes) {
		const char *last = strrchr(x.pos, x.pos[-1]);

		text = arena_strndup(&s->mem, x.pos, last ? (size_t)(last - x.pos) : strlen(x.pos));
		x.pos = text;
	}
	s->argv = arena_array(&s->mem, 1, sizeof(*s->argv));
	x.argv_cap = 1;
	if (!s->argv || (in_quotes && !text))
		return diag_err(d, -ENOMEM, "out of memory");
	ret = shell_program_read(&x);
	if (!ret)
		ret = read_words(&x);
	strbuf_fini(&x.word);
	if (!ret)
		ret = refuse_unset(s, d);
	return ret ? ret : check_redirected_target(s, d);
}

void shell_fini(struct shell_line *s)
{
	arena_fini(&s->mem);
	free(s->unset.v);
	memset(s, 0, sizeof(*s));
}

/* ---- the program's name at the beginning of a pasted command ---- */

/* Returns true if the name is probably a misspelt diskspd, so that its command must not be skipped. */
static bool is_misspelt(const char *name)
{
	char base[16];

	for (const char *s = name; *s; s++)
		if (*s == '\\' || *s == '/')
			name = s + 1;
	snprintf(base, sizeof(base), "%.*s", (int)strcspn(name, "."), name);
	return nearest_distance(base, "diskspd") <= 2;
}

/* Refuses a line whose first word is not DISKSPD. `rest`: the text after this word. */
static int no_program(struct shell_scan *x, const char *name, const char *rest)
{
	for (const char *s = rest, *end = rest + strcspn(rest, ";&|"); s < end; s++)
		if (!strncasecmp(s, "diskspd", 7))
			return diag_err(x->diag, -EINVAL,
					"the line begins with %s: give only the part from diskspd to the end "
					"of its arguments",
					name);
	x->line->other_program = !prompt_names_program(name) && !is_misspelt(name);
	return diag_err(x->diag, -EINVAL,
			"the line begins with %s: it must begin with diskspd, perhaps after a prompt, or "
			"with an option",
			name);
}

/* Returns the program's name with its variable filled in: %EXE%, $dir\diskspd.exe. *rest: the words in the
   variable's value after the program, if there are any. */
static char *filled_name(struct shell_scan *x, char *name, char **rest)
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
	out = arena_printf(&x->line->mem, "%s%s", v->value + n, name + r.len);
	if (out && n && strchr(out, '"'))
		*strchr(out, '"') = '\0';
	blank = out && !prompt_is_program(out, false) ? strchr(out, ' ') : NULL;
	if (blank) {
		*blank = '\0';
		*rest = blank + 1;
	}
	return out;
}

/* Checks whether a variable without a value stands before an option: then it is the program, whatever its
   name. Returns 1 if so, 0 if not, or -errno. */
static int variable_program(struct shell_scan *x, const char *name, const char *rest)
{
	struct shell_ref r;
	const char *at = x->pos;
	int ret;

	if (!shell_ref_at(name, true, &r) || r.needs_shell || name[r.len] || *prompt_blanks(rest) != '-')
		return 0;
	x->pos = name;
	ret = shell_scan_unset(x, &r);
	strbuf_clear(&x->word);
	x->pos = at;
	return ret ? ret : 1;
}

/* Returns the name in quotes at `start`. *len is its length with the quotes. */
static char *quoted_name(struct shell_scan *x, const char *start, size_t *len)
{
	size_t mark = shell_scan_single_quote(start)   ? shell_scan_single_quote(start)
		      : shell_scan_double_quote(start) ? shell_scan_double_quote(start)
						       : 1,
	       n = mark;

	while (start[n] && !(shell_scan_single_quote(start) ? shell_scan_single_quote(start + n)
			     : *start == '"'                ? start[n] == '"'
							    : shell_scan_double_quote(start + n)))
		n++;
	*len = n + (start[n] ? mark : 0);
	return arena_strndup(&x->line->mem, start + mark, n - mark);
}

int shell_program_read(struct shell_scan *x)
{
	char *rest = NULL;
	bool called = *x->pos == '&' || (*x->pos == '.' && x->pos[1] == ' ');
	const char *start;
	char *name;
	size_t n;

	if (called)
		x->pos = prompt_blanks(x->pos + 1);
	if (*x->pos == '-' || !strncmp(x->pos, "\xe2\x80\x93", 3) || !strncmp(x->pos, "\xe2\x80\x94", 3))
		return 0;
	start = x->pos;
	if (called && *start == '(' && prompt_names_program(start)) {
		n = shell_bracket_len(start); /* & (Join-Path $dir diskspd.exe) */
		name = arena_strdup(&x->line->mem, "diskspd");
	} else if (shell_scan_single_quote(start) || *start == '"' || shell_scan_double_quote(start)) {
		name = quoted_name(x, start, &n);
	} else {
		for (n = 0; start[n] && start[n] != ';' && prompt_blanks(start + n) == start + n; n++)
			;
		name = arena_strndup(&x->line->mem, start, n);
	}
	if (!name)
		return diag_err(x->diag, -ENOMEM, "out of memory");
	name = filled_name(x, name, &rest);
	if (!name)
		return diag_err(x->diag, -ENOMEM, "out of memory");
	if (!prompt_is_program(name, called)) {
		int ret = variable_program(x, name, start + n);

		if (ret < 0)
			return ret;
		if (!ret)
			return no_program(x, *name ? name : "nothing", start + n);
	}
	x->line->has_program = true;
	x->pos = start + n;
	if (!rest)
		return 0;
	return shell_scan_insert_words(x, rest) || (x->word.len && shell_scan_add_word(x)) ? -ENOMEM : 0;
}
