#include "readable.h"

#include <inttypes.h>
#include <stdio.h>
#include <math.h>
#include <time.h>

/* Returns a figure in the largest unit in which it is at least 1, with three significant digits, but all
   digits before the point. */
static struct short_text scaled(double v, double base, const char *const *unit, unsigned units)
{
	struct short_text t;
	unsigned i = 0;
	int decimals;

	for (; v >= base - 0.5 && i + 1 < units; i++)
		v /= base;
	decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
	if (!i && v < 999.5 && fabs(v - round(v)) < 1e-9)
		decimals = 0;
	snprintf(t.text, sizeof(t.text), "%.*f%s", decimals, v, unit[i]);
	return t;
}

struct short_text readable_count(double v)
{
	static const char *const unit[] = { "", "k", "M", "G", "T", "P" };

	if (v >= 999.5 && v < 9999.5)
		return readable_exact((uint64_t)llround(v));
	return scaled(v, 1000, unit, 6);
}

struct short_text readable_bytes(double bytes, const struct result_units *u)
{
	static const char *const binary[] = { " B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
	static const char *const tens[] = { " B", " kB", " MB", " GB", " TB", " PB", " EB" };
	bool decimal = u && u->kb_base == 1000;

	return scaled(bytes, decimal ? 1000 : 1024, decimal ? tens : binary, 7);
}

static struct short_text rate(double v, bool decimal, bool bits)
{
	static const char *const binary[] = { " B/s",   " KiB/s", " MiB/s", " GiB/s",
					      " TiB/s", " PiB/s", " EiB/s" };
	static const char *const tens[] = { " B/s", " kB/s", " MB/s", " GB/s", " TB/s", " PB/s", " EB/s" };
	static const char *const bibits[] = { " bit/s",   " Kibit/s", " Mibit/s", " Gibit/s",
					      " Tibit/s", " Pibit/s", " Eibit/s" };
	static const char *const tenbits[] = { " bit/s",  " kbit/s", " Mbit/s", " Gbit/s",
					       " Tbit/s", " Pbit/s", " Ebit/s" };

	if (bits)
		return scaled(v * 8, decimal ? 1000 : 1024, decimal ? tenbits : bibits, 7);
	return scaled(v, decimal ? 1000 : 1024, decimal ? tens : binary, 7);
}

struct short_text readable_bytes_rate(double v, const struct result_units *u)
{
	return rate(v, u && u->kb_base == 1000, u && u->bits);
}

struct short_text readable_bytes_other(double v, const struct result_units *u)
{
	return rate(v, !(u && u->kb_base == 1000), u && u->bits);
}

struct short_text readable_latency(double ns)
{
	static const char *const unit[] = { " ns", " \xc2\xb5s", " ms", " s" };

	return scaled(ns, 1000, unit, 4);
}

struct short_text readable_duration(double ms)
{
	uint64_t s = (uint64_t)(ms / 1000 + 0.5);
	struct short_text t;

	if (ms < 120000)
		return readable_latency(ms * 1e6);
	if (s < 3600)
		snprintf(t.text, sizeof(t.text), "%" PRIu64 " min %02" PRIu64 " s", s / 60, s % 60);
	else
		snprintf(t.text, sizeof(t.text), "%" PRIu64 " h %02" PRIu64 " min", s / 3600, s % 3600 / 60);
	return t;
}

struct short_text readable_percent(double v)
{
	struct short_text t;

	snprintf(t.text, sizeof(t.text), "%.*f %%", v < 9.95 && v > -9.95 ? 2 : 1, v);
	return t;
}

struct short_text readable_time(uint64_t ms)
{
	time_t s = (time_t)(ms / 1000);
	struct short_text t = { "" };
	struct tm tm;

	if (gmtime_r(&s, &tm))
		strftime(t.text, sizeof(t.text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	return t;
}

struct short_text readable_exact(uint64_t v)
{
	struct short_text t;
	char digits[24], *to = t.text;
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v);

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return t;
}
