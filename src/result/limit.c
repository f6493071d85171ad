#include "limit.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nearest.h"
#include "units.h"

#define DIGITS     "0123456789"
#define MAX_DIGITS 400

const char *const limit_unit_name[] = { "", "IOPS", "B/s", "bytes", "ns", "percent", NULL };
const char *const limit_op_name[] = { "<", "<=", ">", ">=", "==", "!=" };
const char *const limit_kind_name[] = { "slat", "clat", "lat", "resp", NULL };

/* strtod() alone would also take exponents, "0x10" and "inf". */
const char *limit_number(const char *s, double *out)
{
	size_t whole = strspn(s, DIGITS), decimals = 0, n = whole;
	char digits[MAX_DIGITS + 1];

	if (s[n] == '.') {
		decimals = strspn(s + n + 1, DIGITS);
		n += 1 + decimals;
	}
	if (whole + decimals == 0 || n > MAX_DIGITS)
		return NULL;
	memcpy(digits, s, n);
	digits[n] = '\0';
	*out = strtod(digits, NULL);
	return *out <= 1e300 ? s + n : NULL;
}

static int parse_size(unsigned base, const char *text, double *out)
{
	uint64_t v;
	int err = units_size(text, base, &v, NULL);

	if (!err)
		*out = (double)v;
	return err ? -EINVAL : 0;
}

/* "100MB/s" and "100M" are the same. */
static int parse_rate(unsigned base, const char *text, double *out)
{
	size_t len = strlen(text);
	char size[64];

	if (len >= sizeof(size))
		return -EINVAL;
	snprintf(size, sizeof(size), "%s", text);
	if (len > 2 && !strcmp(text + len - 2, "/s"))
		size[len - 2] = '\0';
	return parse_size(base, size, out);
}

/* Means have fractions of a ns, which units_time refuses. */
static int parse_time(double number, const char *unit, double *out)
{
	uint64_t ns;
	char one[32];

	if (!*unit || strlen(unit) > sizeof(one) - 2)
		return -EINVAL;
	snprintf(one, sizeof(one), "1%s", unit);
	if (!isalpha((unsigned char)*unit) || units_time(one, 1, &ns, NULL))
		return -EINVAL;
	*out = number * (double)ns;
	return 0;
}

int limit_parse(enum limit_unit unit, const char *text, double *out)
{
	double number;
	const char *end = limit_number(text, &number);

	if (!end)
		return -EINVAL;
	if (unit == LIMIT_TIME)
		return parse_time(number, end, out);
	if (!*end || (unit == LIMIT_PERCENT && !strcmp(end, "%"))) {
		*out = number;
		return 0;
	}
	if (unit == LIMIT_PERCENT)
		return -EINVAL;
	return (unit == LIMIT_BW ? parse_rate : parse_size)(
		unit == LIMIT_COUNT || unit == LIMIT_RATE ? 1000 : 1024, text, out);
}

const char *limit_percentile(const char *name, const char *end, double *percentile)
{
	/* "p99.9": the p begins the name or follows a period. */
	for (const char *at = end; at-- > name;) {
		if (*at == 'p' && (at == name || at[-1] == '.')) {
			if (limit_number(at + 1, percentile) != end || *percentile < 1e-6 ||
			    *percentile > 100 - 1e-6)
				return NULL;
			return at;
		}
		if (!isdigit((unsigned char)*at) && *at != '.')
			break;
	}
	return NULL;
}

const char *limit_word(const char *const *words, const char *name, const char *end, int *found)
{
	const char *at = end;

	*found = -1;
	if (end == name)
		return end;
	for (at = end - 1; at > name && at[-1] != '.';)
		at--;
	*found = word_find(words, at, (size_t)(end - 1 - at));
	return *found < 0 ? end : at;
}

bool limit_has_comparison(const char *text, const char *end)
{
	for (const char *at = strpbrk(text, "<>="); at && at < end; at = strpbrk(at, "<>=")) {
		at += strspn(at, "<>= +-.");
		if (at < end && (isdigit((unsigned char)*at) || isdigit((unsigned char)*text)))
			return true;
	}
	return false;
}

const char *limit_nearest_kind(const char *word)
{
	for (unsigned i = 0; limit_kind_name[i]; i++)
		if (!strncmp(word, limit_kind_name[i], strlen(limit_kind_name[i])))
			return limit_kind_name[i];
	return nearest_word(limit_kind_name, word);
}
