#include "cpuset.h"

#include <ctype.h>
#include <errno.h>
#include "strbuf.h"

#define WORDS (CPUSET_MAX / 64)

unsigned cpuset_count(const struct cpuset *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < WORDS; i++)
		n += (unsigned)__builtin_popcountll(s->bits[i]);
	return n;
}

int cpuset_nth(const struct cpuset *s, unsigned n)
{
	for (unsigned i = 0; i < WORDS; i++) {
		unsigned here = (unsigned)__builtin_popcountll(s->bits[i]);
		uint64_t left = s->bits[i];

		if (n >= here) {
			n -= here;
			continue;
		}
		while (n--)
			left &= left - 1;
		return (int)(i * 64 + (unsigned)__builtin_ctzll(left));
	}
	return -1;
}

void cpuset_and(struct cpuset *s, const struct cpuset *with)
{
	for (unsigned i = 0; i < WORDS; i++)
		s->bits[i] &= with->bits[i];
}

void cpuset_or(struct cpuset *s, const struct cpuset *with)
{
	for (unsigned i = 0; i < WORDS; i++)
		s->bits[i] |= with->bits[i];
}

void cpuset_without(struct cpuset *s, const struct cpuset *without)
{
	for (unsigned i = 0; i < WORDS; i++)
		s->bits[i] &= ~without->bits[i];
}

static const char *skip_blanks(const char *s)
{
	while (isblank((unsigned char)*s))
		s++;
	return s;
}

/* Parses one number at *text and moves *text past it and the blanks after it. */
static int number(const char **text, unsigned *out)
{
	const char *s = skip_blanks(*text);
	unsigned v = 0;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	for (; isdigit((unsigned char)*s); s++) {
		v = v * 10 + (unsigned)(*s - '0');
		if (v >= CPUSET_MAX)
			return -ERANGE;
	}
	*text = skip_blanks(s);
	*out = v;
	return 0;
}

int cpuset_parse(const char *text, struct cpuset *s)
{
	struct cpuset all = { 0 };
	int err;

	for (;; text++) {
		unsigned lo, hi;

		err = number(&text, &lo);
		hi = lo;
		if (!err && *text == '-') {
			text++;
			err = number(&text, &hi);
		}
		if (err || hi < lo)
			return err ? err : -EINVAL;
		for (; lo <= hi; lo++)
			cpuset_add(&all, lo);
		if (*text != ',')
			break;
	}
	if (*text)
		return -EINVAL;
	*s = all;
	return 0;
}

void cpuset_print(const struct cpuset *s, struct strbuf *out)
{
	const char *comma = "";

	for (unsigned i = 0; i < CPUSET_MAX; i++) {
		unsigned first = i;

		if (!cpuset_has(s, i))
			continue;
		while (cpuset_has(s, i + 1))
			i++;
		strbuf_printf(out, i > first ? "%s%u-%u" : "%s%u", comma, first, i);
		comma = ",";
	}
}
