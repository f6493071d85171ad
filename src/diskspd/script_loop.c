/* script_loop.c: the loops of scripts, which are not run: finds their values and the flags of the line that
   take them, for fiord sweep. */
#include "script.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "prompt.h"
#include "shell.h"
#include "strbuf.h"
#include "vec.h"

#define MARK       '\1' /* stands for the variable of a loop; the letter of the loop follows */
#define MARK_LEN   2
#define VALUES_MAX 64         /* of one loop */
#define NUMBER_MAX 1000000000 /* of a range */

/* The head of a loop, as written. */
struct head {
	const char *name; /* of the variable */
	size_t name_len;
	const char *values, *values_end;
	bool steps;       /* for /L: start, step, end */
	bool is_sh;       /* do and done enclose the body */
	bool at_prompt;   /* cmd: %x and not %%x */
	bool splits_text; /* the value of a variable of cmd or sh: quotes are not a part of it */
	const char *body; /* everything behind the head */
};

/* ---- heads ---- */

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

/* Returns the text after the word; NULL: another word stands here. */
static const char *after_word(const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncasecmp(s, word, n) || isalnum((unsigned char)s[n]) ? NULL : blanks(s + n);
}

static bool take_name(struct head *h, const char **s)
{
	h->name = *s;
	h->name_len = shell_vars_name_len(*s);
	*s = blanks(*s + h->name_len);
	return h->name_len && (*s = after_word(*s, "in"));
}

/* Reads a list up to its closing bracket: of PowerShell with or without @( ), of cmd in ( ). */
static bool take_list(struct head *h, const char *s)
{
	s += *s == '@';
	s = blanks(s + (*s == '('));
	h->values = s;
	h->values_end = s + strcspn(s, ")");
	h->body = h->values_end + strspn(h->values_end, ")");
	return *h->values_end;
}

/* Reads the head of a loop: foreach ($x in ...), for %%x in (...), for /L %%x in (...), for x in ...; do */
static bool read_head(const char *s, struct head *h)
{
	const char *p;

	memset(h, 0, sizeof(*h));
	if ((p = after_word(s, "foreach"))) {
		p = blanks(p + (*p == '('));
		return *p++ == '$' && take_name(h, &p) && take_list(h, p);
	}
	p = after_word(s, "for");
	if (!p)
		return false;
	h->steps = !strncasecmp(p, "/L ", 3);
	p = blanks(p + (h->steps ? 2 : 0));
	if (*p == '%') {
		h->at_prompt = p[1] != '%';
		p += strspn(p, "%");
		return take_name(h, &p) && *p == '(' && take_list(h, p);
	}
	if (!take_name(h, &p))
		return false;
	h->is_sh = true;
	h->values = p;
	h->values_end = h->body = p + strcspn(p, ";\n");
	return *h->body;
}

static bool read_pipe(const char *s, struct head *h)
{
	const char *bar = s + strcspn(s, "|\n{"), *p = blanks(bar + (*bar == '|'));
	const char *body = after_word(p, "foreach-object");

	memset(h, 0, sizeof(*h));
	body = body ? body : after_word(p, "foreach");
	body = body ? body : *p == '%' ? blanks(p + 1) : NULL;
	*h = (struct head){ .name = "_", .name_len = 1, .values = s, .values_end = bar, .body = body };
	return *bar == '|' && body && *body == '{' && (isdigit((unsigned char)*s) || strchr("\"'@$", *s));
}

bool script_is_loop_pipe(const char *s)
{
	struct head h;

	return *s && read_pipe(s, &h);
}

/* ---- values ---- */

struct values {
	struct script_loops *loops;
	struct script_loop *loop;
	const struct shell_vars *vars;
	bool failed; /* memory is short */
};

static bool add_text(struct values *v, const char *text, size_t len)
{
	char *copy = arena_strndup(&v->loops->mem, text, len);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '.')
			return false;
	if (v->loop->value.n >= VALUES_MAX)
		return false;
	v->failed = !copy || !VEC_PUSH(&v->loop->value, copy);
	return len && !v->failed;
}

static bool add_number(struct values *v, int64_t number)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%" PRId64, number);

	return number >= 0 && add_text(v, text, (size_t)n);
}

/* Adds the numbers from `from` to `to`. Returns false if there are too many, or if some are below 0. */
static bool add_number_range(struct values *v, int64_t from, int64_t to, int64_t step)
{
	if (!step || step < -NUMBER_MAX || step > NUMBER_MAX || from > NUMBER_MAX || to > NUMBER_MAX ||
	    from < 0 || to < 0)
		return false;
	for (int64_t n = from; step > 0 ? n <= to : n >= to; n += step)
		if (!add_number(v, n))
			return false;
	return true;
}

static bool number_of(const struct values *v, const char *text, size_t len, int64_t *n)
{
	return len && !shell_number_eval(text, len, SHELL_NUMBER_PS, v->vars, n);
}

/* Adds a word without quotes: a text, a number of PowerShell (4KB), or a range of it (1..4). */
static bool add_word(struct values *v, const char *word, size_t len)
{
	const char *dots = memmem(word, len, "..", 2);
	int64_t from, to;

	if (dots && (!number_of(v, word, (size_t)(dots - word), &from) ||
		     !number_of(v, dots + 2, (size_t)(word + len - dots - 2), &to)))
		return false;
	if (dots)
		return add_number_range(v, from, to, from > to ? -1 : 1);
	if (number_of(v, word, len, &from))
		return add_number(v, from);
	return add_text(v, word, len);
}

/* Adds the values of "for /L": from the first number in steps of the second to the third. */
static bool add_steps(struct values *v, const struct head *h)
{
	const char *at = h->values;
	int64_t n[3];

	for (size_t i = 0; i < 3; i++) {
		char *end;

		at += strspn(at, " \t,");
		n[i] = strtoll(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	return add_number_range(v, n[0], n[2], n[1]);
}

/* Adds the values of a loop. Returns false if only a shell knows them. */
static bool add_loop_values(struct values *v, const struct head *h)
{
	const char *between = h->splits_text ? " \t\r\n,()\"'" : " \t\r\n,()@";
	const char *s = h->values;

	if (h->steps)
		return add_steps(v, h);
	while ((s += strspn(s, between)) < h->values_end) {
		bool quoted = *s == '"' || *s == '\'';
		size_t len = quoted ? strcspn(s + 1, *s == '"' ? "\"" : "'") : strcspn(s, between);

		if (s + len > h->values_end)
			len = (size_t)(h->values_end - s);
		if (quoted ? !add_text(v, s + 1, len) : !add_word(v, s, len))
			return false;
		s += len + (quoted ? 2 : 0);
	}
	return v->loop->value.n > 0;
}

/* Finds the values of a list that is assigned above the loop: $sizes = "4K", "8K". */
static void find_list(const char *text, struct head *h)
{
	const char *name = h->values + strspn(h->values, "$%!{"), *found = NULL;
	size_t n = shell_vars_name_len(name);

	if (name == h->values || !n || name + n + strspn(name + n, "%!} \t\r\n") < h->values_end)
		return;
	for (const char *s = text; s < h->values; s++)
		if (!strncasecmp(s, name, n) && *blanks(s + n) == '=' &&
		    !(s > text && shell_vars_name_len(s - 1)))
			found = blanks(s + n) + 1;
	if (!found)
		return;
	h->splits_text = h->is_sh || *h->values != '$';
	h->values = blanks(found);
	h->values_end = h->values + strcspn(h->values, strchr("@(", *h->values) ? ")" : ";\r\n#");
}

/* ---- a script without its loops ---- */

struct flat {
	struct script_loops *loops;
	struct shell_vars *vars;
	char *text; /* a copy of the script */
	struct diag *d;
};

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		*from = *from == '\n' ? '\n' : ' ';
}

/* Returns the bracket that closes the block at s, or NULL. */
static char *block_end(char *s)
{
	char open = *s, close = open == '{' ? '}' : ')', quote = '\0';
	unsigned depth = 0;

	for (; *s; s++) {
		if (quote)
			quote = *s == quote ? '\0' : quote;
		else if (*s == '"')
			quote = *s;
		else if (*s == open)
			depth++;
		else if (*s == close && !--depth)
			return s;
	}
	return NULL;
}

/* Returns the rest of a pipe or redirection of the whole loop. */
static char *output_end(char *s)
{
	return strchr("|>", *blanks(s)) && *blanks(s) ? s + strcspn(s, "\n") : s;
}

/* At a prompt of cmd the variable is %x, which has the same meaning as %%x of a script. Names of output files
   stay as they are. */
static void replace_percents(char *from, const char *to, const struct head *h, char letter)
{
	if (!h->at_prompt || h->name_len != 1)
		return;
	for (char *s = from; s < to && !strchr(">|", *s); s++)
		if (*s == '%' && tolower((unsigned char)s[1]) == tolower((unsigned char)*h->name)) {
			*s++ = MARK;
			*s = letter;
		}
}

static int refuse_loop(struct flat *f, const char *at, const struct head *h, const char *why)
{
	unsigned line = 1;

	for (const char *s = f->text; s < at; s++)
		line += *s == '\n';
	return diag_err(f->d, -EINVAL, "line %u: the loop of %.*s: %s", line, (int)h->name_len, h->name, why);
}

/* Adds a loop, and sets its variable to its mark. */
static int add_loop(struct flat *f, const char *at, struct head *h)
{
	struct script_loops *l = f->loops;
	struct script_loop *loop = &l->v[l->n];
	struct values v = { .loops = l, .loop = loop, .vars = f->vars };
	char mark[] = { MARK, (char)('A' + l->n), '\0' };

	if (l->n == SCRIPT_LOOPS_MAX)
		return refuse_loop(f, at, h, "fiord sweep has at most 8 options");
	l->n++;
	loop->name = arena_strndup(&l->mem, h->name, h->name_len);
	find_list(f->text, h);
	if (!add_loop_values(&v, h) && !v.failed)
		return refuse_loop(
			f, at, h,
			"its values are not numbers or sizes that stand in the script, such as 1..8 or "
			"4K, 64K (at most 64)");
	if (v.failed || !loop->name)
		return diag_err(f->d, -ENOMEM, "out of memory");
	return shell_vars_set(f->vars, h->name, h->name_len, mark, false, f->d);
}

/* Removes the head of a loop and the end of its block. Returns the body, or NULL with a diag. */
static char *remove_loop(struct flat *f, char *at, struct head *h)
{
	const char *s = blanks(h->body), *after_do = after_word(s + (*s == ';'), "do");
	char *body, *end;

	if (h->is_sh)
		after_do = after_word(blanks(s + (*s == ';')), "do");
	s = after_do ? after_do : s;
	body = f->text + (blanks(s + (*s == '@')) - f->text);
	end = strchr("{(", *body) ? block_end(body) : body + strcspn(body, "\n");
	if (!end) {
		refuse_loop(f, at, h, "its block has no end");
		return NULL;
	}
	replace_percents(body, end, h, (char)('A' + f->loops->n));
	if (add_loop(f, at, h))
		return NULL;
	if (strchr("{(", *body)) {
		blank(end, output_end(end + 1));
		*end = ' ';
		body++;
	}
	blank(at, body);
	return body;
}

/* Returns the text after a statement that is no loop. */
static char *skip_statement(char *s)
{
	const char *end = script_skip(s, ";\n#");

	end += *end == '#' ? strcspn(end, "\n") : 0;
	return s + (end - s) + (*end != '\0');
}

static int remove_all(struct flat *f)
{
	for (char *s = f->text; *s;) {
		struct head h;

		s += prompt_start(s) - s;
		if (!strncmp(s, "<#", 2) && strstr(s, "#>")) {
			s = strstr(s, "#>") + 2;
		} else if (prompt_is_remark(s)) {
			s += strcspn(s, "\n");
		} else if (read_head(s, &h) || read_pipe(s, &h)) {
			s = remove_loop(f, s, &h);
			if (!s)
				return f->d->err;
		} else if (f->loops->n && after_word(s, "done")) {
			blank(s, s + strlen("done"));
		} else {
			s = skip_statement(s);
		}
	}
	return 0;
}

int script_remove_loops(struct script_loops *l, const char *text, struct shell_vars *vars, struct strbuf *out,
			struct diag *d)
{
	struct flat f = { .loops = l, .vars = vars, .d = d };

	memset(l, 0, sizeof(*l));
	strbuf_puts(out, text);
	if (strchr(text, MARK))
		return diag_err(d, -EINVAL, "the script has a control character (U+0001)");
	if (out->failed)
		return diag_err(d, -ENOMEM, "out of memory");
	f.text = out->text;
	return f.text ? remove_all(&f) : 0;
}

void script_loops_fini(struct script_loops *l)
{
	for (size_t i = 0; i < SCRIPT_LOOPS_MAX; i++)
		free(l->v[i].value.v);
	arena_fini(&l->mem);
	memset(l, 0, sizeof(*l));
}

/* ---- the sweep ---- */

static const char *find_mark(const char *arg, size_t loop)
{
	const char mark[] = { MARK, (char)('A' + loop), '\0' };

	return strstr(arg, mark);
}

/* Finds the argument that takes the values of a loop. It has to be a flag with nothing but a value: -b4K. */
static const char *find_flag(const struct script_loop *l, size_t loop, const struct shell_line *line,
			     struct diag *d)
{
	const char *arg = NULL, *mark;

	for (int i = 0; i < line->argc; i++) {
		mark = find_mark(line->argv[i], loop);
		if (mark && arg) {
			diag_err(d, -EINVAL, "the loop of %s changes more than one argument of the line",
				 l->name);
			return NULL;
		}
		arg = mark ? line->argv[i] : arg;
	}
	if (!arg) {
		diag_err(d, -EINVAL,
			 "the loop of %s changes no flag of the line, so it runs the same line again",
			 l->name);
		return NULL;
	}
	mark = find_mark(arg, loop);
	if (arg[0] != '-' || mark == arg + 1 ||
	    shell_vars_name_len(mark + MARK_LEN) < strlen(mark + MARK_LEN) ||
	    arg + 1 + strspn(arg + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != mark) {
		diag_err(d, -EINVAL,
			 "the loop of %s changes an argument that is no flag with its value, such as -b4K",
			 l->name);
		return NULL;
	}
	return arg;
}

static int add_sweep(const struct script_loop *l, size_t loop, const struct shell_line *line,
		     struct strbuf *out, struct diag *d)
{
	const char *flag = find_flag(l, loop, line, d), *mark;
	struct strbuf option = { 0 };

	if (!flag)
		return d->err;
	mark = find_mark(flag, loop);
	strbuf_printf(&option, "%.*s=", (int)(mark - flag), flag);
	for (size_t i = 0; i < l->value.n; i++)
		strbuf_printf(&option, "%s%s%s", i ? "," : "", l->value.v[i], mark + MARK_LEN);
	strbuf_puts(out, " --sweep ");
	strbuf_quoted(out, strbuf_str(&option));
	out->failed |= option.failed;
	strbuf_fini(&option);
	return 0;
}

int script_sweep(const struct script_loops *l, const struct script *s, struct strbuf *options,
		 struct strbuf *line, struct diag *d)
{
	if (!l->n)
		return diag_err(d, -EINVAL, "the script has no loop over values of a DISKSPD line");
	if (s->n != 1)
		return diag_err(d, -EINVAL,
				"the script has %zu DISKSPD lines, and fiord sweep runs one; give each loop "
				"alone",
				s->n);
	for (size_t i = 0; i < l->n; i++)
		if (add_sweep(&l->v[i], i, &s->v[0].command, options, d))
			return d->err;
	for (int i = 0; i < s->v[0].command.argc; i++) {
		const char *arg = s->v[0].command.argv[i];

		if (strchr(arg, MARK))
			continue;
		strbuf_putc(line, ' ');
		strbuf_quoted(line, arg);
	}
	return 0;
}

char *script_end_point(const struct script_loops *l, const char *arg, bool last, struct arena *mem)
{
	const char *mark = strchr(arg, MARK);
	const struct script_loop *loop;

	if (!mark)
		return arena_strdup(mem, arg);
	loop = &l->v[mark[1] - 'A'];
	return arena_printf(mem, "%.*s%s%s", (int)(mark - arg), arg,
			    loop->value.v[last ? loop->value.n - 1 : 0], mark + MARK_LEN);
}
