#include "arith.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "types.h"
#include "units.h"

__extension__ typedef __int128 i128;

#define ARITH_DEPTH_MAX 64
#define ARITH_HINT      "write numbers, + - * / and parentheses, such as (4*1024) or (8k+4k)*2"

struct arith {
	const char *s;
	unsigned kb_base, depth;
	bool plain; /* numbers take no suffix */
	int err;    /* the first error; evaluation goes on with 0 */
	const char *hint;
};

static i128 arith_sum(struct arith *a);

static i128 arith_fail(struct arith *a, int err, const char *hint)
{
	if (!a->err) {
		a->err = err;
		a->hint = hint;
	}
	return 0;
}

static char arith_peek(struct arith *a)
{
	while (*a->s == ' ' || *a->s == '\t')
		a->s++;
	return a->err ? '\0' : *a->s;
}

static i128 arith_number(struct arith *a)
{
	char text[48];
	size_t len = 0;
	uint64_t v = 0;
	const char *hint = ARITH_HINT;
	int err;

	while (isalnum((unsigned char)a->s[len]) || a->s[len] == '.')
		len++;
	if (!len || len >= sizeof(text))
		return arith_fail(a, -EINVAL, ARITH_HINT);
	memcpy(text, a->s, len);
	text[len] = '\0';
	a->s += len;
	if (a->plain && text[strspn(text, "0123456789")])
		return arith_fail(a, -EINVAL, "arithmetic on times takes whole numbers without a suffix");
	err = units_size(text, a->kb_base, &v, &hint);
	return err ? arith_fail(a, err, hint) : (i128)v;
}

static i128 arith_group(struct arith *a)
{
	i128 v;

	a->s++;
	if (++a->depth > ARITH_DEPTH_MAX)
		return arith_fail(a, -EINVAL, "too many parentheses");
	v = arith_sum(a);
	if (arith_peek(a) != ')')
		return arith_fail(a, -EINVAL, "a parenthesis is not closed; " ARITH_HINT);
	a->s++;
	a->depth--;
	return v;
}

static i128 arith_factor(struct arith *a)
{
	i128 v;

	if (arith_peek(a) == '(')
		return arith_group(a);
	if (arith_peek(a) != '-')
		return arith_number(a);
	a->s++;
	if (++a->depth > ARITH_DEPTH_MAX)
		return arith_fail(a, -EINVAL, ARITH_HINT);
	v = -arith_factor(a);
	a->depth--;
	return v;
}

/* Refuses intermediate results beyond +-2^64, so that -v and sums cannot overflow. */
static i128 arith_bounded(struct arith *a, i128 v, bool overflow)
{
	if (overflow || v > (i128)UINT64_MAX || v < -(i128)UINT64_MAX)
		return arith_fail(a, -ERANGE, "the result is too large");
	return v;
}

static i128 arith_product(struct arith *a)
{
	i128 v = arith_factor(a), w, product;
	char op;

	while ((op = arith_peek(a)) == '*' || op == '/') {
		a->s++;
		w = arith_factor(a);
		if (op == '*') {
			bool overflow = __builtin_mul_overflow(v, w, &product);

			v = arith_bounded(a, product, overflow);
		} else {
			v = w ? v / w : arith_fail(a, -EINVAL, "division by zero");
		}
	}
	return v;
}

static i128 arith_sum(struct arith *a)
{
	i128 v = arith_product(a), w;
	char op;

	while ((op = arith_peek(a)) == '+' || op == '-') {
		a->s++;
		w = arith_product(a);
		v = arith_bounded(a, op == '+' ? v + w : v - w, false);
	}
	return v;
}

int arith_eval(const char *text, unsigned kb_base, bool plain, uint64_t *out, const char **hint)
{
	struct arith a = { .s = text, .kb_base = kb_base, .plain = plain };
	i128 v = arith_sum(&a);

	if (!a.err && arith_peek(&a))
		arith_fail(&a, -EINVAL, ARITH_HINT);
	if (!a.err && v < 0)
		arith_fail(&a, -ERANGE, "the result is negative");
	if (a.err) {
		if (hint)
			*hint = a.hint;
		return a.err;
	}
	*out = (uint64_t)v;
	return 0;
}

int opt_arith(const char *text, unsigned kb_base, uint64_t *out, const char **hint)
{
	return arith_eval(text, kb_base, false, out, hint);
}

bool arith_is(const char *text)
{
	text += strspn(text, " \t");
	if (*text == '(')
		return true;
	return isdigit((unsigned char)*text) && text[strcspn(text, "+*/")] && !strpbrk(text, ":,%");
}

bool arith_first(const char *text, unsigned kb_base, uint64_t *out)
{
	char number[48];
	size_t len = strcspn(text, "+*/");

	if (len >= sizeof(number))
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	return !units_size(number, kb_base, out, NULL);
}
