#include "shell_assign.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "prompt.h"
#include "script.h"
#include "shell.h"
#include "strbuf.h"

static size_t word_chars(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* Returns true if the statement ends here. */
static bool at_end(const char *s)
{
	s = prompt_blanks(s);
	return !*s || strchr(";#|&)}", *s);
}

/* ---- PowerShell ---- */

/* Returns the text after "[int]$x = "; NULL: no assignment. */
static const char *ps_name(const char *s, const char **name, size_t *len)
{
	struct shell_ref r;

	while (*s == '[' && strchr(s, ']'))
		s = prompt_blanks(strchr(s, ']') + 1);
	if (*s != '$' || !shell_ref_at(s, true, &r) || r.needs_shell || s[1] == '(')
		return NULL;
	*name = r.name;
	*len = r.name_len;
	s = prompt_blanks(s + r.len);
	return *s == '=' && s[1] != '=' ? prompt_blanks(s + 1) : NULL;
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

static int read_ps(const char **at, struct shell_vars *vars, struct diag *d)
{
	size_t len = 0;
	const char *name, *s = ps_name(*at, &name, &len), *value = NULL;
	struct strbuf list = { 0 };
	unsigned n = 0;
	int ret;

	if (!s || (!strchr("\"'", *s) && prompt_is_command(s)))
		return 0;
	if (!strchr("\"'", *s) && prompt_runs_program(s))
		return diag_err(d, -EINVAL,
				"$%.*s: its value runs the program: give only the part from diskspd on",
				(int)len, name);
	*at = s;
	ret = ps_value(&s, vars, &list, &n);
	if (!ret)
		value = n == 1 ? alone(&list) : strbuf_str(&list);
	if (ret == -ENOMEM || list.failed)
		ret = diag_err(d, -ENOMEM, "out of memory");
	else
		ret = shell_vars_set(vars, name, len, value,
				     value && (n > 1 || (*value == '-' && strchr(value, ' '))), d);
	strbuf_fini(&list);
	*at = script_skip(*at, ";&|");
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

static int read_cmd(const char **at, struct shell_vars *vars, struct diag *d)
{
	const char *s = *at, *name, *end;
	struct strbuf value = { 0 };
	bool quoted, filled;
	int ret;

	if (strncasecmp(s, "set", 3) != 0 || (s[3] != ' ' && s[3] != '\t'))
		return 0;
	name = prompt_blanks(s + 4);
	quoted = *name == '"';
	name += quoted;
	s = name + word_chars(name);
	if (s == name || *s != '=')
		return 0;
	end = script_skip(quoted ? name - 1 : s, "&|");
	*at = end;
	while (end > s + 1 && strchr(" \t\r", end[-1]) && quoted)
		end--;
	if (quoted && end > s + 1 && end[-1] == '"')
		end--;
	while (!quoted && end > s + 1 && end[-1] == '\r')
		end--;
	filled = cmd_fill(s + 1, (size_t)(end - s - 1), vars, &value);
	ret = value.failed ? diag_err(d, -ENOMEM, "out of memory")
			   : shell_vars_set(vars, name, (size_t)(s - name),
					    filled && end > s + 1 ? strbuf_str(&value) : NULL, true, d);
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
	s += word_chars(s);
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
