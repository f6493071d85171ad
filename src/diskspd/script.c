#include "script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "shell.h"
#include "prompt.h"
#include "strbuf.h"
#include "vec.h"

/* ---- lines ---- */

struct script_reader {
	struct script *s;
	struct shell_vars *vars;
	const char *at;    /* the rest of the text */
	unsigned line;     /* number of the next line */
	struct strbuf all; /* the current line, with its continuation lines joined */
	VEC(struct shell_unset) unset;
	char *refusal; /* error of the first skipped command, for a text without a command of DISKSPD */
	struct diag *d;
};

/* Returns true if another back-tick stands before a word: web pages mark code with pairs of back-ticks. */
static bool between_ticks(const char *s, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++)
		if (s[i] == '`' && (!i || s[i - 1] == ' ') && s[i + 1] != ' ')
			return true;
	return false;
}

/* Returns true if the line is continued; removes the mark at its end. */
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
	if (last == '`' && between_ticks(b->text + from, n - 1 - from))
		return false;
	if (last == '\\' && n - 1 > from && b->text[n - 2] != ' ' && b->text[n - 2] != '\t')
		return false;
	b->len = n - 1;
	b->text[b->len] = '\0';
	return true;
}

/* Returns true if a list of PowerShell is still open: $x = @( */
static bool in_list(const struct strbuf *b)
{
	const char *open = strstr(strbuf_str(b), "= @(");

	return open && !strchr(open, ')');
}

/* Returns the text after the prompt of a continuation line, ">> " or "> ". */
static const char *secondary_prompt(const char *s)
{
	const char *p = prompt_blanks(s);

	if (p[0] == '>' && (p[1] == '>' ? p[2] == ' ' : p[1] == ' '))
		return p + (p[1] == '>' ? 2 : 1);
	return s;
}

/* Adds the text of one line, and moves to the next line. */
static void add_script_line(struct script_reader *r, const char *from)
{
	size_t n = strcspn(from, "\r\n");

	strbuf_add(&r->all, from, n);
	n += strspn(from + n, "\r");
	r->at = from + n + (from[n] == '\n');
	r->line++;
}

/* Reads one line with its continuation lines. Returns its number. */
static unsigned next_script_line(struct script_reader *r)
{
	unsigned first = r->line;
	bool more = true;

	strbuf_clear(&r->all);
	for (bool begin = true; more && *r->at; begin = false) {
		size_t from;

		if (!begin)
			strbuf_putc(&r->all, ' ');
		from = r->all.len;
		add_script_line(r, begin ? r->at : secondary_prompt(r->at));
		more = !r->all.failed && r->all.text && (continued(&r->all, from) || in_list(&r->all));
	}
	return first;
}

/* Skips the fence of a block in Markdown, or a remark of PowerShell over several lines. */
static bool skip_block(struct script_reader *r)
{
	const char *s = prompt_blanks(r->at), *end;

	if (!strncmp(s, "```", 3)) {
		strbuf_clear(&r->all);
		add_script_line(r, r->at);
		return true;
	}
	if (strncmp(s, "<#", 2) != 0)
		return false;
	end = strstr(s, "#>");
	end = end ? end + 2 : s + strlen(s);
	for (; r->at < end; r->at++)
		r->line += *r->at == '\n';
	return true;
}

/* ---- statements ---- */

const char *script_skip(const char *s, const char *ends)
{
	char quote = '\0', before = ' ';
	unsigned depth = 0;

	for (; *s; before = *s++) {
		if (quote) {
			quote = *s == quote ? '\0' : quote;
		} else if (*s == '"' || (*s == '\'' && strchr(" \t(=,{", before))) {
			quote = *s;
		} else if (*s == '(' || *s == '{') {
			depth++;
		} else if (*s == ')' || *s == '}') {
			depth -= depth > 0;
		} else if (*s == '#' && (before == ' ' || before == '\t') && !depth) {
			return strchr(ends, '#') ? s : s + strlen(s);
		} else if (!depth && strchr(ends, *s) && !(*s == '&' && before == '>')) {
			return s;
		}
	}
	return s;
}

/* Returns the end of a pipe: the next statement, or the end of the text. */
static const char *skip_pipe(const char *s)
{
	s = script_skip(s, ";&|");
	while (*s == '|' && s[1] != '|')
		s = script_skip(s + 1, ";&|");
	return s;
}

/* Puts the line's number before the error if the text has several lines. Returns the error. */
static int add_line_number(struct script_reader *r, unsigned line)
{
	if (r->s->lines > 1)
		diag_wrap(r->d, "line %u", line);
	return r->d->err;
}

static bool same_unset(const struct shell_unset *a, const struct shell_unset *b)
{
	return a->name && b->name ? !strcasecmp(a->name, b->name) : !strcmp(a->text, b->text);
}

static int add_unset(struct script_reader *r, const struct shell_line *words, unsigned line)
{
	for (size_t i = 0; i < words->unset.n; i++) {
		struct shell_unset m = words->unset.v[i];
		bool seen = false;

		for (size_t k = 0; k < r->unset.n && !seen; k++)
			seen = same_unset(&r->unset.v[k], &m);
		if (seen)
			continue;
		m.text = arena_strdup(&r->s->mem, m.text);
		m.name = m.name ? arena_strdup(&r->s->mem, m.name) : NULL;
		m.line = r->s->lines > 1 ? line : 0;
		if (!m.text || (!m.name && words->unset.v[i].name) || !VEC_PUSH(&r->unset, m))
			return diag_err(r->d, -ENOMEM, "out of memory");
	}
	return 0;
}

/* Refuses a line of options alone after a command without a target: a web page or a terminal has
   probably wrapped it. */
static int check_wrapped(struct script_reader *r)
{
	const struct script_command *c = &r->s->v[r->s->n - 1];

	if (r->s->n < 2 || c->command.has_program || !c[-1].command.has_program ||
	    shell_has_target(&c[-1].command) || c->line == c[-1].line)
		return 0;
	return diag_err(r->d, -EINVAL,
			"it begins with an option, and the command in line %u has no target: join the two "
			"lines if they are one command",
			c[-1].line);
}

static char *trimmed_copy(struct script_reader *r, const char *from, const char *end)
{
	while (end > from && strchr(" \t\r", end[-1]))
		end--;
	return arena_strndup(&r->s->mem, from, (size_t)(end - from));
}

/* Returns true if the command at s may be skipped: it is another program, and neither the rest of a wrapped
   line nor the beginning of a block. */
static bool is_other_program(const struct script_reader *r, const struct shell_line *c, const char *s,
			     const char *end)
{
	const char *named = strcasestr(s, "diskspd");
	unsigned open = 0;

	if (named && named < end)
		return false;
	for (const char *p = s; p < end; p++)
		open += *p == '{' ? 1u : *p == '}' ? -1u : 0u;
	return c->other_program && !open && (!r->s->n || shell_has_target(&r->s->v[r->s->n - 1].command));
}

/* Skips a command of another program, and lists it for a note. */
static int skip_program(struct script_reader *r, const char **at, const char *end, unsigned line)
{
	struct script *s = r->s;
	int len = (int)strcspn(*at, " \t\r;|&");

	add_line_number(r, line);
	if (!r->refusal)
		r->refusal = arena_strdup(&s->mem, diag_text(r->d));
	diag_fini(r->d);
	if (s->lines > 1)
		s->others = arena_printf(&s->mem, "%s%s%.*s (line %u)", s->others ? s->others : "",
					 s->others ? ", " : "", len, *at, line);
	else
		s->others = arena_printf(&s->mem, "%s%s%.*s", s->others ? s->others : "",
					 s->others ? ", " : "", len, *at);
	*at = end;
	return r->refusal && s->others ? 0 : diag_err(r->d, -ENOMEM, "out of memory");
}

/* Reads a command at *at, and moves *at to the next one. */
static int read_command(struct script_reader *r, const char **at, unsigned line, enum shell_join when)
{
	struct script_command c = { .line = line, .condition = when };
	enum shell_join join;
	const char *rest;
	int ret = shell_split(&c.command, *at, r->vars, r->d);

	if (c.command.unset.n && ret == -EINVAL) {
		diag_fini(r->d);
		ret = add_unset(r, &c.command, line);
	}
	if (ret) {
		const char *end = skip_pipe(*at);
		bool other = is_other_program(r, &c.command, *at, end);

		shell_fini(&c.command);
		return other ? skip_program(r, at, end, line) : add_line_number(r, line);
	}
	join = c.command.rest ? c.command.join : SHELL_END;
	rest = c.command.rest ? c.command.rest : "";
	if (join == SHELL_PIPE) {
		const char *end = skip_pipe(rest);

		c.skipped = trimmed_copy(r, rest, end);
		rest = end;
	}
	*at = rest;
	if (!VEC_PUSH(r->s, c)) {
		shell_fini(&c.command);
		return diag_err(r->d, -ENOMEM, "out of memory");
	}
	return check_wrapped(r) ? add_line_number(r, line) : 0;
}

/* Records a command after DISKSPD's that is not run. Returns false if it names DISKSPD. */
static bool skip_command(struct script_reader *r, const char **at, const char *end)
{
	struct script_command *last = &r->s->v[r->s->n - 1];
	char *text = trimmed_copy(r, *at, end);

	if (!text || prompt_names_program(text) || prompt_is_flow(text))
		return false;
	last->skipped = last->skipped ? arena_printf(&r->s->mem, "%s; %s", last->skipped, text) : text;
	*at = end;
	return true;
}

static int refuse_control_flow(struct script_reader *r, const char *s, unsigned line)
{
	s = prompt_blanks(s + (*s == '@' || *s == '}'));
	diag_err(r->d, -EINVAL,
		 "%.*s: loops and conditions are not run: --to-sweep prints the command of fiord sweep that "
		 "does the same as a loop; or write the command once for each value",
		 (int)strcspn(s, " \t({"), s);
	return add_line_number(r, line);
}

/* Returns true if an expression of PowerShell stands here, such as $i++, $x | Out-File y or [xml]$x: no
   arguments follow the name. */
static bool is_expression(const char *s)
{
	struct shell_ref r;

	if (*s == '[')
		return !prompt_names_program(s);
	if (*s != '$' || !shell_ref_at(s, true, &r) || r.needs_shell)
		return false;
	s += r.len;
	return strchr(".+|;[-", *s) || strchr("+|;", *prompt_blanks(s));
}

/* Returns true if this is a condition without a block that starts no program: "if exist x del x". */
static bool is_harmless_if(const char *s)
{
	size_t n = strlen(s);

	while (n && strchr(" \t\r", s[n - 1]))
		n--;
	return !strncasecmp(s, "if ", 3) && !prompt_names_program(s) && n && !strchr("({", s[n - 1]) &&
	       !strcasestr(s, "goto") && !strcasestr(s, "exit");
}

/* Returns the text after a statement that starts no program, and after its pipe, unless the pipe runs
   DISKSPD. */
static const char *skip_nothing(const char *s)
{
	s = script_skip(s, ";&|");
	return *s == '|' && s[1] != '|' && !prompt_runs_program(s) ? skip_pipe(s) : s;
}

/* Reads one statement at *at. follows_command: another command stands before it on the line. */
static int statement(struct script_reader *r, const char **at, unsigned line, enum shell_join *when,
		     bool follows_command)
{
	const char *s = *at;
	int ret = shell_assign_read(at, r->vars, r->d);

	if (ret < 0)
		return add_line_number(r, line);
	if (!ret && (prompt_starts_nothing(s + (*s == '@')) || is_expression(s) || is_harmless_if(s)))
		*at = skip_nothing(s);
	else if (!ret && (prompt_is_flow(s) || script_is_loop_pipe(s)))
		return refuse_control_flow(r, s, line);
	else if (!ret && follows_command && !prompt_is_command(s) && *s != '-' &&
		 skip_command(r, at, skip_pipe(s)))
		;
	else if (!ret) {
		size_t before = r->s->n;

		ret = read_command(r, at, line, follows_command ? *when : SHELL_END);
		if (ret)
			return ret;
		/* the command has read its separator already */
		if (r->s->n > before)
			*when = r->s->v[r->s->n - 1].command.rest ? r->s->v[r->s->n - 1].command.join
								  : SHELL_END;
		if (r->s->n > before && *when != SHELL_PIPE)
			return 0;
	}
	*at = prompt_blanks(*at);
	*when = shell_join_at(at);
	return 0;
}

/* Returns true if the script ends here. */
static bool is_exit(const char *s, enum shell_join when)
{
	return when != SHELL_AND && when != SHELL_OR &&
	       ((!strncasecmp(s, "exit", 4) && (!s[4] || strchr(" \t;", s[4]))) ||
		!strncasecmp(s, "goto :eof", 9));
}

static int statements(struct script_reader *r, unsigned line)
{
	const char *at = strbuf_str(&r->all);
	size_t before = r->s->n;
	enum shell_join when = SHELL_END;
	int ret = 0;

	while (*at && !ret) {
		const char *s = prompt_start(at);

		if (!*s || prompt_is_remark(s))
			return 0;
		if (is_exit(s, when)) {
			r->at += strlen(r->at);
			return 0;
		}
		ret = statement(r, &s, line, &when, r->s->n > before);
		at = s;
	}
	return ret;
}

static unsigned count_script_lines(const char *text)
{
	unsigned n = 1;

	for (; (text = strchr(text, '\n')) && text[1 + strspn(text + 1, " \t\r\n")]; text++)
		n++;
	return n;
}

static int finish_script(struct script_reader *r)
{
	struct strbuf b = { 0 };

	if (r->unset.n) {
		shell_unset_text(r->unset.v, r->unset.n, &b);
		diag_err(r->d, -EINVAL, "%s", strbuf_str(&b));
	} else if (!r->s->n && r->refusal) {
		diag_err(r->d, -EINVAL, "%s", r->refusal);
	} else if (!r->s->n) {
		diag_err(r->d, -EINVAL, "the text has no command line");
	}
	strbuf_fini(&b);
	return r->d->err;
}

int script_read(struct script *s, const char *text, struct shell_vars *vars, struct diag *d)
{
	struct script_reader r = { .s = s, .vars = vars, .at = text, .line = 1, .d = d };
	int ret = 0;

	memset(s, 0, sizeof(*s));
	s->lines = count_script_lines(text);
	while (*r.at && !ret) {
		unsigned line;

		if (skip_block(&r))
			continue;
		line = next_script_line(&r);
		ret = r.all.failed ? diag_err(d, -ENOMEM, "out of memory") : statements(&r, line);
	}
	ret = ret ? ret : finish_script(&r);
	free(r.unset.v);
	strbuf_fini(&r.all);
	return ret;
}

void script_fini(struct script *s)
{
	for (size_t i = 0; i < s->n; i++)
		shell_fini(&s->v[i].command);
	free(s->v);
	arena_fini(&s->mem);
	memset(s, 0, sizeof(*s));
}
