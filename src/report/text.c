#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "strbuf.h"

void text_self(struct strbuf *b, const struct summary_self *s)
{
	strbuf_printf(b, "%.1f ns user and %.1f ns system per I/O, %.1f%% of a core", s->user_ns, s->sys_ns,
		      s->core);
	if (s->core_wait >= 0.05)
		strbuf_printf(b, ", %.1f%% waiting for one", s->core_wait);
}

const char *text_time(char buf[], size_t size, uint64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	char text[TEXT_TIME] = "";
	struct tm tm;

	if (localtime_r(&t, &tm) && asctime_r(&tm, text))
		text[strcspn(text, "\n")] = '\0';
	snprintf(buf, size, "%s", text);
	return buf;
}

static struct short_text in_units(uint64_t value, const struct result_units *u, bool pow2,
				  enum units_kind kind)
{
	struct short_text t;
	struct strbuf b = strbuf_in(&t);

	if (kind == UNITS_BYTES_PER_S && u->bits)
		kind = UNITS_BITS_PER_S;
	units_num(&b, value, u->figures ? u->figures : 4, 1, pow2, kind);
	return t;
}

struct short_text text_num(uint64_t value, const struct result_units *u, enum units_kind kind)
{
	return in_units(value, u, u->kb_base != 1000, kind);
}

struct short_text text_alt(uint64_t value, const struct result_units *u, enum units_kind kind)
{
	return in_units(value, u, u->kb_base == 1000, kind);
}

struct short_text text_count(uint64_t value, const struct result_units *u)
{
	return in_units(value, u, false, UNITS_NONE);
}

/* A rate below this is printed with its fraction. */
#define LOW_RATE 10

uint64_t text_whole(double value)
{
	if (value >= 0x1p64)
		return UINT64_MAX;
	return value < 0 ? 0 : (uint64_t)(value < 1000 ? value + 0.5 : value);
}

static bool has_fraction(double value)
{
	double off = value - (double)text_whole(value);

	return value < LOW_RATE && (off >= 0.005 || off <= -0.005);
}

struct short_text text_low(double value, int width)
{
	struct short_text t;

	if (has_fraction(value))
		snprintf(t.text, sizeof(t.text), "%*.2f", width, value);
	else
		snprintf(t.text, sizeof(t.text), "%*" PRIu64, width, text_whole(value));
	return t;
}

struct short_text text_rate(double value, const struct result_units *u)
{
	return has_fraction(value) ? text_low(value, 0) : text_count(text_whole(value), u);
}

struct short_text text_short_time(double ns)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	struct short_text t;
	unsigned i = 0;

	for (; ns >= 1000 && i < 3; i++)
		ns /= 1000;
	snprintf(t.text, sizeof(t.text), "%.2f%s", ns, unit[i]);
	return t;
}

struct short_text text_clock(uint64_t s)
{
	struct short_text t;
	struct strbuf b = strbuf_in(&t);

	if (s >= 86400)
		strbuf_printf(&b, "%02" PRIu64 "d:", s / 86400);
	if (s >= 3600)
		strbuf_printf(&b, "%02" PRIu64 "h:", s / 3600 % 24);
	strbuf_printf(&b, "%02" PRIu64 "m:%02" PRIu64 "s", s / 60 % 60, s % 60);
	return t;
}
