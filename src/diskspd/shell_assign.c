#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "prompt.h"
#include "script.h"
#include "shell.h"
#include "strbuf.h"

/* Returns true if the statement ends here. */
static bool at_end(const char *s)
{
	s = prompt_blanks(s);
	return !*s || strchr(";#|&)}", *s);
}

/* ---- PowerShell ---- */

/* An assignment: $x = 1, [int]$x = "1", $x += 1, $x++. */
struct ps_target {
	const char *name;
	size_t len;
	bool cast;      /* [int] stands before the name */
	char op;        /* of +=, -=, *=, /=, %=, ++ and --; '\0': a plain = */
	bool increment; /* ++ or -- */
};

/* Reads the left side, and returns the text after the operator; NULL: no assignment. */
static const char *ps_target(const char *s, struct ps_target *t)
{
	struct shell_ref r;

	*t = (struct ps_target){ 0 };
	while (*s == '[' && strchr(s, ']')) {
		t->cast = t->cast || !strncasecmp(s, "[int", 4) || !strncasecmp(s, "[uint", 5) ||
			  !strncasecmp(s, "[long]", 6);
		s = prompt_blanks(strchr(s, ']') + 1);
	}
	if (*s != '$' || !shell_ref_at(s, true, &r) || r.needs_shell || s[1] == '(')
		return NULL;
	t->name = r.name;
	t->len = r.name_len;
	s = prompt_blanks(s + r.len);
	if ((*s == '+' || *s == '-') && s[1] == *s) {
		t->increment = true;
		t->op = *s;
		return s + 2;
	}
	if (*s && strchr("+-*/%", *s) && s[1] == '=')
		t->op = *s++;
	return *s == '=' && s[1] != '=' ? prompt_blanks(s + 1) : NULL;
}

/* Returns true if a single word of a value stands here whole: a number or a name, without a property, an
   index or a range. */
static bool is_bare_element(const char *word)
{
	struct shell_ref r;
	size_t n = strspn(word, "0123456789");

	if (*word == '$')
		return shell_ref_at(word, true, &r) && !word[r.len];
	if (word[n] == '.')
		n += 1 + strspn(word + n + 1, "0123456789");
	return !word[n + strspn(word + n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

/* Adds one element of a list: a text in quotes, a number or a name. Returns -ENODATA if it is something
   else. */
static int ps_element(const char **at, const struct shell_vars *vars, struct strbuf *list, unsigned *n)
{
	struct arena mem = { 0 };
	struct diag ignored = { 0 };
	struct strbuf bare = { 0 };
	const char *from = *at, *word = from;
	char *value = NULL;
	int ret;

	if (!strchr("\"'$", *from) && !isdigit((unsigned char)*from) && (unsigned char)*from < 0x80)
		return -ENODATA;
	if (isdigit((unsigned char)*from) || *from == '$') {
		strbuf_add(&bare, from, strcspn(from, ",;) \t\r"));
		word = strbuf_str(&bare);
		if (!is_bare_element(word)) {
			strbuf_fini(&bare);
			return -ENODATA;
		}
	} else {
		size_t end = strcspn(from + 1, *from == '\'' ? "'" : "\"");

		if (strchr("\"'", *from) && from[end + 1]) {
			strbuf_add(&bare, from, end + 2);
			word = strbuf_str(&bare);
		}
	}
	ret = bare.failed ? -ENOMEM : shell_word(&word, vars, &value, &mem, &ignored);
	if (!ret && bare.text && *word)
		ret = -ENODATA;
	if (!ret) {
		bool quotes = *n || strchr(value, ' ');

		strbuf_printf(list, "%s%s%s%s", *n ? " " : "", quotes ? "\"" : "", value, quotes ? "\"" : "");
		*at = prompt_blanks(bare.text ? from + bare.len : word);
		++*n;
	}
	strbuf_fini(&bare);
	arena_fini(&mem);
	diag_fini(&ignored);
	return ret;
}

/* Reads one or several values: "a", @("a", "b"). Returns -ENODATA if it is something else. */
static int ps_value(const char **at, const struct shell_vars *vars, struct strbuf *list, unsigned *n)
{
	bool brackets = !strncmp(*at, "@(", 2);
	const char *s = prompt_blanks(*at + (brackets ? 2 : 0));
	int ret = 0;

	while (!ret && *s && (!brackets || *s != ')')) {
		ret = ps_element(&s, vars, list, n);
		if (ret || (*s != ',' && !brackets))
			break;
		s = prompt_blanks(s + (*s == ','));
	}
	if (!ret && brackets)
		s += *s == ')';
	if (!ret && (!*n || !at_end(s)))
		ret = -ENODATA;
	*at = s;
	return ret;
}

/* Removes the quotes of a single value. Only a list needs them, to separate its values. */
static const char *alone(struct strbuf *list)
{
	size_t n = list->len;

	if (n < 2 || list->text[0] != '"' || list->text[n - 1] != '"')
		return strbuf_str(list);
	list->text[n - 1] = '\0';
	return list->text + 1;
}

/* Computes the value of an assignment, which ends at `end`. Returns 0, or -ENODATA if it is no number. */
static int ps_number(const struct ps_target *t, const char *s, const char *end, const struct shell_vars *vars,
		     int64_t *number)
{
	struct strbuf b = { 0 };
	int ret = -ENODATA;

	if (t->op)
		strbuf_printf(&b, "$%.*s %c (", (int)t->len, t->name, t->op);
	strbuf_add(&b, s, (size_t)(end - s));
	if (t->increment)
		strbuf_puts(&b, "1");
	if (t->op)
		strbuf_puts(&b, ")");
	if (!b.failed && b.len)
		ret = shell_number_eval(b.text, b.len, SHELL_NUMBER_PS, vars, number);
	strbuf_fini(&b);
	return ret;
}

/* Assigns a text or a list of values. A value that only a shell can compute leaves the name without one. */
static int assign_ps_text(const struct ps_target *t, const char *s, struct shell_vars *vars, struct diag *d)
{
	struct strbuf list = { 0 };
	const char *value = NULL;
	unsigned n = 0;
	int ret = t->op ? -ENODATA : ps_value(&s, vars, &list, &n);
	int64_t number;

	if (!ret)
		value = n == 1 ? alone(&list) : strbuf_str(&list);
	if (ret == -ENOMEM || list.failed)
		ret = diag_err(d, -ENOMEM, "out of memory");
	else if (value && t->cast && !shell_number_eval(value, strlen(value), SHELL_NUMBER_PS, NULL, &number))
		ret = shell_vars_set_number(vars, t->name, t->len, number, d);
	else
		ret = shell_vars_set(vars, t->name, t->len, value,
				     value && (n > 1 || (*value == '-' && strchr(value, ' '))), d);
	strbuf_fini(&list);
	return ret;
}

static int read_ps(const char **at, struct shell_vars *vars, struct diag *d)
{
	struct ps_target t;
	const char *s = ps_target(*at, &t), *end, *program;
	int64_t number;
	int ret;

	if (!s || (!t.op && !strchr("\"'", *s) && prompt_is_command(s)))
		return 0;
	end = script_skip(s, ";&|#");
	program = strcasestr(s, "diskspd");
	if (!strchr("\"'", *s) && program && program < end && prompt_runs_program(s))
		return diag_err(d, -EINVAL,
				"$%.*s: its value runs the program: give only the part from diskspd on",
				(int)t.len, t.name);
	if (!ps_number(&t, s, end, vars, &number))
		ret = shell_vars_set_number(vars, t.name, t.len, number, d);
	else
		ret = assign_ps_text(&t, s, vars, d);
	*at = script_skip(s, ";&|");
	return ret ? ret : 1;
}

/* ---- cmd ---- */

/* Fills in %x% in a value of cmd. Returns false if a name in it has no value. */
static bool cmd_fill(const char *s, size_t len, const struct shell_vars *vars, struct strbuf *out)
{
	const char *end = s + len;

	while (s < end) {
		struct shell_ref r;
		const struct shell_var *v;

		if (*s == '$' || !shell_ref_at(s, true, &r)) {
			strbuf_putc(out, *s++);
			continue;
		}
		v = r.needs_shell ? NULL : shell_vars_find(vars, r.name, r.name_len);
		if (!v)
			return false;
		strbuf_puts(out, v->value);
		s += r.len;
	}
	return true;
}

/* Computes "30*60" of set /a D=30*60; op is the operator of D+=1. Returns false if it is no number. */
static bool cmd_number(const char *name, size_t len, char op, const char *s, const char *end,
		       const struct shell_vars *vars, int64_t *number)
{
	struct strbuf b = { 0 };
	bool known;

	if (op)
		strbuf_printf(&b, "%.*s %c (", (int)len, name, op);
	known = cmd_fill(s, (size_t)(end - s), vars, &b);
	if (op)
		strbuf_putc(&b, ')');
	known = known && !b.failed && !shell_number_eval(b.text, b.len, SHELL_NUMBER_CMD, vars, number);
	strbuf_fini(&b);
	return known && *number == (int32_t)*number;
}

/* The value of set, without its quotes: name=value, "name=value". */
struct cmd_set {
	const char *name, *value, *end;
	size_t len;
	char op;     /* of +=, with /a */
	char letter; /* of /a and /p; '\0': none */
};

static bool find_cmd_set(const char **at, struct cmd_set *c)
{
	const char *s = *at;
	bool quoted;

	*c = (struct cmd_set){ 0 };
	if (strncasecmp(s, "set", 3) != 0 || (s[3] != ' ' && s[3] != '\t'))
		return false;
	s = prompt_blanks(s + 4);
	if (*s == '/' && s[1]) {
		c->letter = (char)tolower((unsigned char)s[1]);
		s = prompt_blanks(s + 2);
	}
	quoted = *s == '"';
	c->name = s + quoted;
	c->len = shell_vars_name_len(c->name);
	c->value = c->letter ? prompt_blanks(c->name + c->len) : c->name + c->len;
	if (c->letter == 'a' && *c->value && strchr("+-*/%", *c->value))
		c->op = *c->value++;
	if (!c->len || *c->value++ != '=')
		return false;
	c->end = *at = script_skip(quoted ? s : c->value, "&|");
	while (c->end > c->value && strchr(quoted ? " \t\r" : "\r", c->end[-1]))
		c->end--;
	if (quoted && c->end > c->value && c->end[-1] == '"')
		c->end--;
	return true;
}

static int read_cmd(const char **at, struct shell_vars *vars, struct diag *d)
{
	struct strbuf value = { 0 };
	struct cmd_set c;
	bool filled;
	int64_t number;
	int ret;

	if (!find_cmd_set(at, &c))
		return 0;
	if (c.letter == 'a' && cmd_number(c.name, c.len, c.op, c.value, c.end, vars, &number)) {
		ret = shell_vars_set_number(vars, c.name, c.len, number, d);
		return ret ? ret : 1;
	}
	filled = !c.letter && cmd_fill(c.value, (size_t)(c.end - c.value), vars, &value);
	ret = value.failed ? diag_err(d, -ENOMEM, "out of memory")
			   : shell_vars_set(vars, c.name, c.len,
					    filled && c.end > c.value ? strbuf_str(&value) : NULL, true, d);
	strbuf_fini(&value);
	return ret ? ret : 1;
}

/* ---- sh ---- */

static int read_sh(const char **at, struct shell_vars *vars, struct diag *d)
{
	const char *s = *at, *name;
	struct arena mem = { 0 };
	struct diag ignored = { 0 };
	char *value = NULL;
	int ret;

	if (!strncmp(s, "export ", 7) || !strncmp(s, "local ", 6))
		s = prompt_blanks(s + 6);
	name = s;
	s += shell_vars_name_len(s);
	if (s == name || isdigit((unsigned char)*name) || *s != '=' || s[1] == ' ')
		return 0;
	*at = ++s;
	if (!shell_word(&s, vars, &value, &mem, &ignored))
		*at = s;
	else
		*at = script_skip(*at, ";&|");
	ret = shell_vars_set(vars, name, (size_t)(strchr(name, '=') - name), value,
			     value && *value == '-' && strchr(value, ' '), d);
	diag_fini(&ignored);
	arena_fini(&mem);
	return ret ? ret : 1;
}

int shell_assign_read(const char **at, struct shell_vars *vars, struct diag *d)
{
	int ret = read_ps(at, vars, d);

	if (!ret)
		ret = read_cmd(at, vars, d);
	return ret ? ret : read_sh(at, vars, d);
}
