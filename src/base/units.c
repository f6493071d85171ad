#include "units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"

__extension__ typedef unsigned __int128 u128;

#define NS_PER_US  1000ull
#define NS_PER_MS  1000000ull
#define NS_PER_S   1000000000ull
#define NS_PER_MIN (60 * NS_PER_S)
#define NS_PER_H   (60 * NS_PER_MIN)
#define NS_PER_DAY (24 * NS_PER_H)

#define SIZE_HINT "write a number with k, m, g, t or p, such as 4096, 4k or 1.5g"
#define TIME_HINT "write a number with us, ms, s, m, h or d, such as 500ms, 30 or 1.5h"

/* The number mantissa * 10^-decimals and its suffix. */
struct number {
	uint64_t mantissa;
	unsigned decimals;
	bool hex;
	char suffix[16]; /* lower case */
};

static int fail_with_hint(const char **hint, int err, const char *text)
{
	if (hint)
		*hint = text;
	return err;
}

/* Appends a digit. Returns false if the number does not fit. */
static bool push_digit(uint64_t *v, unsigned base, unsigned digit)
{
	return !__builtin_mul_overflow(*v, (uint64_t)base, v) &&
	       !__builtin_add_overflow(*v, (uint64_t)digit, v);
}

static unsigned hex_digit(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0')
					 : (unsigned)(tolower((unsigned char)c) - 'a' + 10);
}

static int read_hex(const char **p, struct number *n)
{
	const char *s = *p + 2;

	n->hex = true;
	if (!isxdigit((unsigned char)*s))
		return -EINVAL;
	for (; isxdigit((unsigned char)*s); s++) {
		if (!push_digit(&n->mantissa, 16, hex_digit(*s)))
			return -ERANGE;
	}
	*p = s;
	return 0;
}

/* 10^DECIMALS_MAX must fit 128 bits. */
#define DECIMALS_MAX 30

static int read_decimal(const char **p, struct number *n)
{
	const char *s = *p;
	unsigned digits = 0;
	bool point = false;

	for (; isdigit((unsigned char)*s) || (*s == '.' && !point); s++) {
		if (*s == '.') {
			point = true;
			digits = 0; /* the point needs a digit after it */
			continue;
		}
		if (!push_digit(&n->mantissa, 10, (unsigned)(*s - '0')))
			return -ERANGE;
		n->decimals += point;
		if (n->decimals > DECIMALS_MAX)
			return -ERANGE;
		digits++;
	}
	*p = s;
	return digits ? 0 : -EINVAL;
}

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* Splits the text into number and suffix. Only blanks may stand around them. */
static int read_number(const char *text, struct number *n)
{
	const char *s = skip_blanks(text);
	size_t len = 0;
	int err;

	*n = (struct number){ 0 };
	err = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? read_hex(&s, n) : read_decimal(&s, n);
	if (err)
		return err;
	for (; isalpha((unsigned char)*s); s++) {
		if (len + 1 >= sizeof(n->suffix))
			return -EINVAL;
		n->suffix[len++] = (char)tolower((unsigned char)*s);
	}
	return *skip_blanks(s) ? -EINVAL : 0;
}

/* Returns -EDOM if the product is not a whole number. */
static int number_times(const struct number *n, uint64_t factor, uint64_t *out)
{
	u128 v = (u128)n->mantissa * factor, div = 1;

	for (unsigned i = 0; i < n->decimals; i++)
		div *= 10;
	if (v % div)
		return -EDOM;
	v /= div;
	if (v > UINT64_MAX)
		return -ERANGE;
	*out = (uint64_t)v;
	return 0;
}

/* Returns the factor of a size's suffix; 0 if the suffix is unknown. */
static uint64_t size_factor(const char *suffix, unsigned kb_base)
{
	static const char letters[] = "kmgtp";
	const char *letter;
	uint64_t base = kb_base, factor = 1;

	if (!*suffix || strcmp(suffix, "b") == 0)
		return 1;
	letter = strchr(letters, *suffix);
	if (!letter)
		return 0;
	suffix++;
	if (strcmp(suffix, "ib") == 0)
		base = 1024;
	else if (*suffix && strcmp(suffix, "b") && strcmp(suffix, "i"))
		return 0;
	for (const char *l = letters; l <= letter; l++)
		factor *= base;
	return factor;
}

/* Returns a sentence that explains why the text is not a size. */
static const char *size_hint(const char *text, const struct number *n, int err)
{
	text = skip_blanks(text);
	if (err == -ERANGE)
		return "too large; the largest size or count is 2^64 - 1";
	if (err == -EDOM)
		return *n->suffix ? "not a whole number of bytes"
				  : "a fraction needs a suffix, such as 4.5k, which is 4608";
	if (*text == '-')
		return "must not be negative";
	if (strchr(text, '%'))
		return "a percentage has no meaning here; " SIZE_HINT;
	if (n->hex && *n->suffix)
		return "a hexadecimal number takes no suffix";
	if (strcmp(n->suffix, "z") == 0)
		return "a number of zones (suffix z) is for size, io_size, offset, offset_increment, "
		       "rank_offset_increment and zoneskip; " SIZE_HINT;
	return SIZE_HINT;
}

int units_size(const char *text, unsigned kb_base, uint64_t *out, const char **hint)
{
	struct number n;
	int err = read_number(text, &n);
	uint64_t factor = err ? 0 : size_factor(n.suffix, kb_base);

	if (!err && (!factor || (n.hex && *n.suffix)))
		err = -EINVAL;
	if (!err)
		err = number_times(&n, factor, out);
	if (err)
		return fail_with_hint(hint, err == -EDOM ? -EINVAL : err, size_hint(text, &n, err));
	return 0;
}

/* Returns the factor of a time's suffix in ns; 0 if the suffix is unknown. */
static uint64_t time_factor(const char *suffix, uint64_t unit_ns)
{
	/* clang-format off */
	static const struct {
		const char *name;
		uint64_t ns;
	} suffixes[] = {
		{ "ns", 1 }, { "nsec", 1 }, { "nsecs", 1 }, { "nanosecond", 1 }, { "nanoseconds", 1 },
		{ "us", NS_PER_US }, { "usec", NS_PER_US }, { "usecs", NS_PER_US },
		{ "microsecond", NS_PER_US }, { "microseconds", NS_PER_US },
		{ "ms", NS_PER_MS }, { "msec", NS_PER_MS }, { "msecs", NS_PER_MS },
		{ "millisecond", NS_PER_MS }, { "milliseconds", NS_PER_MS },
		{ "s", NS_PER_S }, { "sec", NS_PER_S }, { "secs", NS_PER_S },
		{ "second", NS_PER_S }, { "seconds", NS_PER_S },
		{ "m", NS_PER_MIN }, { "min", NS_PER_MIN }, { "mins", NS_PER_MIN },
		{ "minute", NS_PER_MIN }, { "minutes", NS_PER_MIN },
		{ "h", NS_PER_H }, { "hr", NS_PER_H }, { "hrs", NS_PER_H }, { "hour", NS_PER_H }, { "hours", NS_PER_H },
		{ "d", NS_PER_DAY }, { "day", NS_PER_DAY }, { "days", NS_PER_DAY },
	};
	/* clang-format on */

	if (!*suffix)
		return unit_ns;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strcmp(suffix, suffixes[i].name) == 0)
			return suffixes[i].ns;
	}
	return 0;
}

static const char *time_hint(const char *text, const struct number *n, int err)
{
	if (err == -ERANGE)
		return "too long; the longest time is 584 years";
	if (err == -EDOM)
		return "times are counted in whole nanoseconds";
	if (*skip_blanks(text) == '-')
		return "must not be negative";
	if (n->hex && *n->suffix)
		return "a hexadecimal number takes no suffix";
	return TIME_HINT;
}

int units_time(const char *text, uint64_t unit_ns, uint64_t *out, const char **hint)
{
	struct number n;
	int err = read_number(text, &n);
	uint64_t factor = err ? 0 : time_factor(n.suffix, unit_ns);

	if (!err && (!factor || (n.hex && *n.suffix)))
		err = -EINVAL;
	if (!err)
		err = number_times(&n, factor, out);
	if (err)
		return fail_with_hint(hint, err == -EDOM ? -EINVAL : err, time_hint(text, &n, err));
	return 0;
}

size_t units_decimal(const char *text)
{
	size_t digits = strspn(text, "0123456789"), fraction;

	if (text[digits] != '.')
		return digits;
	fraction = strspn(text + digits + 1, "0123456789");
	return fraction ? digits + 1 + fraction : 0;
}

/* Returns true and sets *percent if the whole text is "N%". */
static bool read_percent(const char *text, uint64_t *percent)
{
	const char *s = skip_blanks(text);

	*percent = 0;
	if (!isdigit((unsigned char)*s))
		return false;
	for (; isdigit((unsigned char)*s); s++) {
		if (*percent < UINT32_MAX)
			*percent = *percent * 10 + (uint64_t)(*s - '0');
	}
	return *s == '%' && !*skip_blanks(s + 1);
}

/* Reads "4z". Returns false if the text does not end with a z. */
static bool read_zones(const char *text, uint64_t *zones, int *err)
{
	size_t n = strlen(text);
	char *end;

	if (!n || text[n - 1] != 'z')
		return false;
	errno = 0;
	*zones = strtoull(text, &end, 10);
	*err = text[0] < '0' || text[0] > '9' || end != text + n - 1 ? -EINVAL : -errno;
	return true;
}

int units_amount(const char *text, unsigned kb_base, struct amount *out, const char **hint)
{
	uint64_t v;
	int err;

	if (read_percent(text, &v)) {
		if (v >= UINT32_MAX)
			return fail_with_hint(hint, -ERANGE, "a percentage is 0% to 100%");
		*out = (struct amount){ .percent = (uint32_t)v };
		return 0;
	}
	if (read_zones(text, &v, &err)) {
		if (err)
			return fail_with_hint(hint, err, "a number of zones is a whole number, such as 4z");
		*out = (struct amount){ .zones = v };
		return 0;
	}
	if (strchr(text, '%'))
		return fail_with_hint(hint, -EINVAL, "a percentage is a whole number from 0% to 100%");
	err = units_size(text, kb_base, &v, hint);
	if (!err)
		*out = (struct amount){ .bytes = v };
	return err;
}

static unsigned count_digits(uint64_t v)
{
	unsigned n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

/* Prints whole + rest/base with `decimals` digits. Ties are rounded as in floating point (19.25 -> 19.2,
   99.95 -> 99.9), so that figures match fio's. */
static void print_rounded(struct strbuf *b, uint64_t whole, uint64_t rest, uint64_t base, unsigned decimals)
{
	char fraction[32];

	if (!decimals) {
		strbuf_printf(b, "%llu", (unsigned long long)(whole + (2 * rest >= base)));
		return;
	}
	snprintf(fraction, sizeof(fraction), "%.*f", (int)decimals, (double)rest / (double)base);
	strbuf_printf(b, "%llu%s", (unsigned long long)(whole + (fraction[0] == '1')), fraction + 1);
}

static const char *unit_text(enum units_kind kind)
{
	static const char *const text[] = {
		[UNITS_NONE] = "",
		[UNITS_BYTES] = "B",
		[UNITS_BYTES_PER_S] = "B/s",
		[UNITS_BITS_PER_S] = "bit/s",
	};

	return text[kind];
}

void units_num(struct strbuf *b, uint64_t value, unsigned digits, uint64_t scale, bool pow2,
	       enum units_kind kind)
{
	static const char *const si[] = { "", "k", "M", "G", "T", "P", "E" };
	static const char *const iec[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
	uint64_t base = pow2 ? 1024 : 1000, rest = 0;
	unsigned index = 0, last = sizeof(si) / sizeof(si[0]) - 1, decimals = 0;

	if (scale == base)
		index = 1;
	else
		value *= scale;
	if (kind == UNITS_BITS_PER_S)
		value *= 8;
	while (index < last && count_digits(value) > digits) {
		rest = value % base;
		value /= base;
		index++;
		decimals = 1;
	}
	if (decimals)
		decimals = digits > count_digits(value) + 1 ? digits - 1 - count_digits(value) : 0;
	print_rounded(b, value, rest, base, decimals);
	strbuf_puts(b, pow2 ? iec[index] : si[index]);
	strbuf_puts(b, unit_text(kind));
}

struct units_text units_suffixed(uint64_t bytes)
{
	static const char *const suffix[] = { "", "k", "m", "g", "t", "p" };
	struct units_text t;
	unsigned i = 0;

	while (bytes && bytes % 1024 == 0 && i + 1 < sizeof(suffix) / sizeof(suffix[0])) {
		bytes /= 1024;
		i++;
	}
	snprintf(t.text, sizeof(t.text), "%" PRIu64 "%s", bytes, suffix[i]);
	return t;
}

struct units_text units_duration(uint64_t ns, uint64_t unit_ns)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} units[] = { { "s", NS_PER_S }, { "ms", NS_PER_MS }, { "us", NS_PER_US }, { "ns", 1 } };
	bool bare = unit_ns && ns % unit_ns == 0;
	struct units_text t;
	unsigned i = 0;

	while (ns % units[i].ns)
		i++;
	snprintf(t.text, sizeof(t.text), "%" PRIu64 "%s", ns / (bare ? unit_ns : units[i].ns),
		 bare ? "" : units[i].suffix);
	return t;
}

static const char *const binary_units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };

struct units_text units_bytes(uint64_t bytes)
{
	struct units_text t;
	unsigned unit = 0;
	double v = (double)bytes;

	for (; v >= 1024 && unit < 6; unit++)
		v /= 1024;
	snprintf(t.text, sizeof(t.text), v < 10 && unit ? "%.1f %s" : "%.0f %s", v, binary_units[unit]);
	return t;
}

struct units_text units_exact(uint64_t bytes)
{
	struct units_text t = units_bytes(bytes);
	unsigned shift = 0;

	while (shift < 60 && bytes >> shift >= 1024)
		shift += 10;
	if (shift && !(bytes & ((1ull << shift) - 1)))
		snprintf(t.text, sizeof(t.text), "%" PRIu64 " %s", bytes >> shift, binary_units[shift / 10]);
	else if (shift)
		snprintf(t.text + strlen(t.text), sizeof(t.text) - strlen(t.text), " (%" PRIu64 " bytes)",
			 bytes);
	return t;
}

const char *units_decimals(char text[UNITS_DECIMALS], double v, unsigned least, unsigned most)
{
	uint64_t one = 1, n;
	int len;

	for (unsigned i = 0; i < most; i++)
		one *= 10;
	v = v > 0 ? v * (double)one : 0;
	n = (uint64_t)(v < 1e18 ? v + 0.5 : 1e18);
	len = snprintf(text, UNITS_DECIMALS, "%" PRIu64 ".%0*" PRIu64, n / one, (int)most, n % one);
	for (unsigned i = most; i > least && text[len - 1] == '0'; i--)
		len--;
	text[text[len - 1] == '.' ? len - 1 : len] = '\0';
	return text;
}
