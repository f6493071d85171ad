#include "readable.h"

#include <inttypes.h>
#include <stdio.h>
#include <math.h>
#include <time.h>
#include "strbuf.h"

/* Adds a figure with three significant digits, but all digits before the point. */
static void put_figure(struct strbuf *b, double v)
{
	int decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;

	if (v < 999.5 && fabs(v - round(v)) < 1e-9)
		decimals = 0;
	strbuf_printf(b, "%.*f", decimals, v);
}

/* Adds a figure in the largest unit in which it is at least 1. */
static void put_scaled(struct strbuf *b, double v, double base, const char *const *unit, unsigned units)
{
	unsigned i = 0;

	for (; v >= base - 0.5 && i + 1 < units; i++)
		v /= base;
	if (i)
		strbuf_printf(b, "%.*f", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v);
	else
		put_figure(b, v);
	strbuf_puts(b, unit[i]);
}

void readable_count(struct strbuf *b, double v)
{
	static const char *const unit[] = { "", "k", "M", "G", "T", "P" };

	if (v >= 999.5 && v < 9999.5) {
		readable_exact(b, (uint64_t)llround(v));
		return;
	}
	put_scaled(b, v, 1000, unit, 6);
}

static void put_scaled_bytes(struct strbuf *b, double v, bool decimal, bool bits, bool rate)
{
	static const char *const binary[] = { " B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
	static const char *const tens[] = { " B", " kB", " MB", " GB", " TB", " PB", " EB" };
	static const char *const bibits[] = { " bit",   " Kibit", " Mibit", " Gibit",
					      " Tibit", " Pibit", " Eibit" };
	static const char *const tenbits[] = { " bit", " kbit", " Mbit", " Gbit", " Tbit", " Pbit", " Ebit" };
	const char *const *unit = bits ? decimal ? tenbits : bibits : decimal ? tens : binary;

	put_scaled(b, bits ? v * 8 : v, decimal ? 1000 : 1024, unit, 7);
	if (rate)
		strbuf_puts(b, "/s");
}

void readable_bytes(struct strbuf *b, double bytes, const struct result_units *u)
{
	put_scaled_bytes(b, bytes, u && u->kb_base == 1000, false, false);
}

void readable_bytes_rate(struct strbuf *b, double v, const struct result_units *u)
{
	put_scaled_bytes(b, v, u && u->kb_base == 1000, u && u->bits, true);
}

void readable_bytes_other(struct strbuf *b, double v, const struct result_units *u)
{
	put_scaled_bytes(b, v, !(u && u->kb_base == 1000), u && u->bits, true);
}

void readable_latency(struct strbuf *b, double ns)
{
	static const char *const unit[] = { " ns", " \xc2\xb5s", " ms", " s" };

	put_scaled(b, ns, 1000, unit, 4);
}

void readable_duration(struct strbuf *b, double ms)
{
	uint64_t s = (uint64_t)(ms / 1000 + 0.5);

	if (ms < 120000)
		readable_latency(b, ms * 1e6);
	else if (s < 3600)
		strbuf_printf(b, "%" PRIu64 " min %02" PRIu64 " s", s / 60, s % 60);
	else
		strbuf_printf(b, "%" PRIu64 " h %02" PRIu64 " min", s / 3600, s % 3600 / 60);
}

void readable_percent(struct strbuf *b, double v)
{
	strbuf_printf(b, "%.*f %%", v < 9.95 && v > -9.95 ? 2 : 1, v);
}

void readable_time(struct strbuf *b, uint64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	struct tm tm;

	if (!gmtime_r(&t, &tm))
		return;
	strbuf_printf(b, "%04d-%02d-%02d %02d:%02d:%02d UTC", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		      tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void readable_exact(struct strbuf *b, uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v);

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			strbuf_putc(b, ',');
		strbuf_putc(b, digits[i]);
	}
}
