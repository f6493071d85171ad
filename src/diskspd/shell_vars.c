#include "shell.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vec.h"

size_t shell_vars_name_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* Returns the length of a scope in front of a name: "env:x", "script:x". */
static size_t scope_len(const char *s, size_t len)
{
	/* clang-format off */
	static const char *const scopes[] = { "env:", "script:", "global:", "local:", "private:", "using:" };
	/* clang-format on */

	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		size_t n = strlen(scopes[i]);

		if (len > n && !strncasecmp(s, scopes[i], n))
			return n;
	}
	return 0;
}

/* ---- references ---- */

static bool simple(struct shell_ref *r, const char *name, size_t len, size_t whole)
{
	size_t scope = scope_len(name, len);

	r->name = name + scope;
	r->name_len = len - scope;
	r->len = whole;
	return true;
}

static bool computed(struct shell_ref *r, const char *text, size_t whole)
{
	r->needs_shell = true;
	r->name = text;
	r->name_len = r->len = whole;
	return true;
}

size_t shell_bracket_len(const char *s)
{
	unsigned depth = 0;

	for (size_t n = 0; s[n]; n++) {
		if (s[n] == '(')
			depth++;
		else if (s[n] == ')' && depth && !--depth)
			return n + 1;
	}
	return strlen(s);
}

static size_t dollar_name(const char *s)
{
	size_t n = shell_vars_name_len(s);

	if (s[n] == ':' && isalpha((unsigned char)s[n + 1]) && scope_len(s, n + 2))
		n += 1 + shell_vars_name_len(s + n + 1);
	return n;
}

/* Reads $x ${x} $(...) $env:x. A $ before any other character is a part of the text, as in \\srv\c$\x. */
static bool dollar(const char *s, struct shell_ref *r)
{
	size_t n = dollar_name(s + 1);

	if (s[1] == '(') {
		size_t whole = shell_bracket_len(s);
		size_t inner = s[2] == '$' ? dollar_name(s + 3) : 0;

		if (inner && whole == inner + 4)
			return simple(r, s + 3, inner, whole);
		return computed(r, s, whole);
	}
	if (s[1] == '{') {
		size_t end = strcspn(s, "}");

		return s[end] ? simple(r, s + 2, end - 2, end + 1) : computed(r, s, end);
	}
	if (!n || isdigit((unsigned char)s[1]))
		return false;
	return simple(r, s + 1, n, n + 1);
}

/* Reads %x% %* %1 %~dp0 %%i, and !x!. */
static bool percent_ref(const char *s, bool start, struct shell_ref *r)
{
	size_t n = shell_vars_name_len(s + 1), end;

	if (n && s[n + 1] == *s && !isdigit((unsigned char)s[1]))
		return simple(r, s + 1, n, n + 2);
	if (n && s[n + 1] == ':' && strchr("~=", s[n + 2]) && s[n + 2] && (end = strcspn(s + n + 1, "% ")) &&
	    s[n + 1 + end] == *s)
		return computed(r, s, n + end + 2);
	if (*s == '!')
		return false;
	if (s[1] == '*')
		return simple(r, s + 1, 1, 2);
	n = s[1] == '~' ? strspn(s + 2, "fdpnxsatz") : 0; /* %~dp0 */
	if (n && isdigit((unsigned char)s[2 + n]))
		return simple(r, s + 1, n + 2, n + 3);
	if (s[1] == '%' && isalpha((unsigned char)s[2]))
		return simple(r, s + 2, 1, 3);
	if (start && isdigit((unsigned char)s[1]))
		return simple(r, s + 1, 1, 2);
	return false;
}

bool shell_ref_at(const char *s, bool start, struct shell_ref *ref)
{
	memset(ref, 0, sizeof(*ref));
	if (*s == '$')
		return dollar(s, ref);
	if (*s == '%' || *s == '!')
		return percent_ref(s, start, ref);
	return false;
}

/* ---- values ---- */

static struct shell_var *find_var(const struct shell_vars *vars, const char *name, size_t len)
{
	struct shell_var *like = NULL;
	size_t scope = scope_len(name, len);

	name += scope;
	len -= scope;
	for (size_t i = 0; i < vars->n; i++) {
		struct shell_var *v = &vars->v[i];

		if (strlen(v->name) != len || strncasecmp(v->name, name, len) != 0)
			continue;
		if (!strncmp(v->name, name, len))
			return v;
		like = like ? like : v;
	}
	return like;
}

const struct shell_var *shell_vars_find(const struct shell_vars *vars, const char *name, size_t len)
{
	const struct shell_var *v = vars ? find_var(vars, name, len) : NULL;

	return v && v->value ? v : NULL;
}

static int set_var(struct shell_vars *vars, struct shell_var v, size_t len, struct diag *d)
{
	struct shell_var *old = find_var(vars, v.name, len);
	size_t scope = scope_len(v.name, len);

	if (old && old->user_defined && !v.user_defined)
		return 0;
	v.name = arena_strndup(&vars->mem, v.name + scope, len - scope);
	v.value = v.value ? arena_strdup(&vars->mem, v.value) : NULL;
	if (!v.name)
		return diag_err(d, -ENOMEM, "out of memory");
	if (old)
		*old = v;
	else if (!VEC_PUSH(vars, v))
		return diag_err(d, -ENOMEM, "out of memory");
	return 0;
}

int shell_vars_set(struct shell_vars *vars, const char *name, size_t len, const char *value, bool text,
		   struct diag *d)
{
	return set_var(vars, (struct shell_var){ .name = name, .value = value, .splits_words = text }, len,
		       d);
}

int shell_vars_set_number(struct shell_vars *vars, const char *name, size_t len, int64_t number,
			  struct diag *d)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return set_var(vars, (struct shell_var){ .name = name, .value = text, .is_number = true }, len, d);
}

/* Returns the length of an expression for a shell at s: (dir x), @(1, 2), {(x)}. 0: none. */
size_t shell_vars_expression_len(const char *s)
{
	return *s == '(' || ((*s == '@' || *s == '{') && s[1] == '(') ? shell_bracket_len(s) : 0;
}

/* Returns the length of a name as it is written in a script: $x, %X%, (dir x); 0: it is a plain name. */
static size_t written_len(const char *text, struct shell_ref *ref)
{
	size_t expression = shell_vars_expression_len(text);

	if (expression)
		computed(ref, text, expression);
	else if (!shell_ref_at(text, true, ref))
		return 0;
	return text[ref->len] == '=' ? ref->len : 0;
}

int shell_vars_define(struct shell_vars *vars, const char *text, struct diag *d)
{
	struct shell_var v = { .name = text, .user_defined = true };
	struct shell_ref ref;
	size_t written = written_len(text, &ref);
	const char *eq = written ? text + written : strchr(text, '=');
	size_t len = eq ? (size_t)(eq - text) : 0;

	if (written) {
		v.name = ref.name;
		len = ref.name_len;
	} else if (len && *text == '$') {
		v.name++;
		len--;
	}
	if (!len)
		return diag_err(d, -EINVAL, "--define %.60s: write --define NAME=VALUE", text);
	v.value = eq + 1;
	/* "*" has all arguments of a batch file; a value such as "-b4K -r" has several options. */
	v.splits_words = (len == 1 && *v.name == '*') || shell_vars_expression_len(v.name) ||
			 (*v.value == '-' && strchr(v.value, ' '));
	return set_var(vars, v, len, d);
}

void shell_vars_fini(struct shell_vars *vars)
{
	arena_fini(&vars->mem);
	free(vars->v);
	memset(vars, 0, sizeof(*vars));
}
