#include "shell.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* Brackets may be nested this deep. */
#define MAX_DEPTH 32

struct number {
	const char *at, *end;
	enum shell_number_kind kind;
	const struct shell_vars *vars;
	unsigned depth;
	bool failed;
};

static char peek(struct number *n)
{
	while (n->at < n->end && (*n->at == ' ' || *n->at == '\t' || *n->at == '\r'))
		n->at++;
	return n->at < n->end ? *n->at : '\0';
}

static int64_t fail_number(struct number *n)
{
	n->failed = true;
	return 0;
}

/* Returns the factor of a suffix of PowerShell, and moves after it: 4KB is 4096. */
static int64_t suffix(struct number *n)
{
	static const char letters[] = "KMGTP";
	const char *letter;

	if (n->kind != SHELL_NUMBER_PS || n->end - n->at < 2 || toupper((unsigned char)n->at[1]) != 'B')
		return 1;
	letter = strchr(letters, toupper((unsigned char)*n->at));
	if (!letter || !*letter)
		return 1;
	n->at += 2;
	return (int64_t)1 << (10 * (letter - letters + 1));
}

static int64_t literal(struct number *n)
{
	int64_t value = 0;
	int base = 10;

	if (n->kind != SHELL_NUMBER_PS && n->end - n->at > 1 && *n->at == '0' &&
	    isdigit((unsigned char)n->at[1]))
		return fail_number(n); /* octal */
	if (n->end - n->at > 2 && n->at[0] == '0' && (n->at[1] == 'x' || n->at[1] == 'X')) {
		base = 16;
		n->at += 2;
	}
	while (n->at < n->end && isxdigit((unsigned char)*n->at)) {
		int c = tolower((unsigned char)*n->at), digit = isdigit(c) ? c - '0' : c - 'a' + 10;

		if (digit >= base)
			break;
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return fail_number(n);
		n->at++;
	}
	if (__builtin_mul_overflow(value, suffix(n), &value))
		return fail_number(n);
	if (n->at < n->end && (isalnum((unsigned char)*n->at) || *n->at == '.' || *n->at == '_'))
		return fail_number(n);
	return value;
}

/* Returns the value of a variable, which must be a whole number. */
static int64_t variable(struct number *n, const char *name, size_t len)
{
	const struct shell_var *v = shell_vars_find(n->vars, name, len);
	struct number text = { .kind = SHELL_NUMBER_PS };
	bool minus;
	int64_t value;

	if (!v || (n->kind == SHELL_NUMBER_PS && !v->is_number && !v->user_defined))
		return fail_number(n);
	minus = *v->value == '-';
	text.at = v->value + minus;
	text.end = v->value + strlen(v->value);
	if (!isdigit((unsigned char)*text.at))
		return fail_number(n);
	value = literal(&text);
	return text.failed || text.at != text.end ? fail_number(n) : minus ? -value : value;
}

static int64_t sum(struct number *n);

static int64_t in_brackets(struct number *n)
{
	int64_t value;

	n->at++;
	if (++n->depth > MAX_DEPTH)
		return fail_number(n);
	value = sum(n);
	n->depth--;
	if (peek(n) != ')')
		return fail_number(n);
	n->at++;
	return value;
}

/* Returns the length of a cast to a whole number, which changes nothing here: [int]. 0: none. */
static size_t cast_len(struct number *n)
{
	/* clang-format off */
	static const char *const casts[] = { "[int]", "[int32]", "[int64]", "[long]", "[uint32]", "[uint64]" };
	/* clang-format on */

	for (size_t i = 0; peek(n) == '[' && i < sizeof(casts) / sizeof(*casts); i++) {
		size_t len = strlen(casts[i]);

		if ((size_t)(n->end - n->at) > len && !strncasecmp(n->at, casts[i], len))
			return len;
	}
	return 0;
}

static int64_t bare_name(struct number *n)
{
	const char *name = n->at;

	while (n->at < n->end && (isalnum((unsigned char)*n->at) || *n->at == '_'))
		n->at++;
	return variable(n, name, (size_t)(n->at - name));
}

static int64_t factor(struct number *n);

static int64_t signed_factor(struct number *n)
{
	bool minus = *n->at++ == '-';
	int64_t value;

	if (++n->depth > MAX_DEPTH)
		return fail_number(n);
	value = factor(n);
	n->depth--;
	if (minus && __builtin_sub_overflow(0, value, &value))
		return fail_number(n);
	return value;
}

static int64_t factor(struct number *n)
{
	struct shell_ref r;
	char c;

	for (size_t cast; (cast = cast_len(n));)
		n->at += cast;
	c = peek(n);
	if (c == '-' || c == '+')
		return signed_factor(n);
	if (c == '(')
		return in_brackets(n);
	if (isdigit((unsigned char)c))
		return literal(n);
	if (c && shell_ref_at(n->at, true, &r) && !r.needs_shell && r.len <= (size_t)(n->end - n->at)) {
		n->at += r.len;
		return variable(n, r.name, r.name_len);
	}
	return n->kind != SHELL_NUMBER_PS && isalpha((unsigned char)c) ? bare_name(n) : fail_number(n);
}

static int64_t divided(struct number *n, int64_t a, char op, int64_t b)
{
	if (!b || (a == INT64_MIN && b == -1) || (op == '/' && n->kind != SHELL_NUMBER_CMD && a % b))
		return fail_number(n);
	return op == '/' ? a / b : a % b;
}

static int64_t product(struct number *n)
{
	int64_t value = factor(n);
	char op;

	while (!n->failed && ((op = peek(n)) == '*' || op == '/' || op == '%')) {
		int64_t right;

		n->at++;
		right = factor(n);
		if (n->failed)
			break;
		if (op != '*')
			value = divided(n, value, op, right);
		else if (__builtin_mul_overflow(value, right, &value))
			fail_number(n);
	}
	return value;
}

static int64_t sum(struct number *n)
{
	int64_t value = product(n);
	char op;

	while (!n->failed && ((op = peek(n)) == '+' || op == '-')) {
		int64_t right;

		n->at++;
		right = product(n);
		if (op == '+' ? __builtin_add_overflow(value, right, &value)
			      : __builtin_sub_overflow(value, right, &value))
			fail_number(n);
	}
	return value;
}

int shell_number_eval(const char *text, size_t len, enum shell_number_kind kind,
		      const struct shell_vars *vars, int64_t *value)
{
	struct number n = { .at = text, .end = text + len, .kind = kind, .vars = vars };

	*value = sum(&n);
	return n.failed || peek(&n) ? -ENODATA : 0;
}
