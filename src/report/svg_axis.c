#include "svg_frame.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "html_text.h"
#include "strbuf.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

struct short_text svg_number(double v, unsigned decimals)
{
	uint64_t scale = 1, whole, rest;
	struct short_text t;
	struct strbuf b = strbuf_in(&t);

	for (unsigned i = 0; i < decimals; i++)
		scale *= 10;
	v = isfinite(v) ? fmin(fmax(v, -1e12), 1e12) : 0;
	whole = (uint64_t)(fabs(v) * (double)scale + 0.5);
	rest = whole % scale;
	strbuf_printf(&b, "%s%" PRIu64 "%s", v < 0 && whole ? "-" : "", whole / scale, rest ? "." : "");
	while (rest) {
		scale /= 10;
		strbuf_putc(&b, (char)('0' + rest / scale));
		rest %= scale;
	}
	return t;
}

static const struct ns_unit {
	double ns;
	const char *name;
} ns_units[] = { { 1, "ns" }, { 1e3, "µs" }, { 1e6, "ms" }, { 1e9, "s" } };

/* Returns the largest unit in which ns is 1 or more. */
static const struct ns_unit *ns_unit(double ns)
{
	size_t i = LENGTH(ns_units) - 1;

	while (i > 0 && ns < ns_units[i].ns)
		i--;
	return &ns_units[i];
}

static void add_tick(struct svg_axis *a, double at, const char *text)
{
	struct svg_tick *t = &a->tick[a->n];

	if (a->n == SVG_TICKS)
		return;
	a->n++;
	t->at = at;
	snprintf(t->text, sizeof(t->text), "%.*s", (int)sizeof(t->text) - 1, text);
}

/* Adds a tick with the number v and a unit, which may be "". */
static void add_number_tick(struct svg_axis *a, double at, double v, unsigned decimals, const char *unit)
{
	char text[64];

	snprintf(text, sizeof(text), "%.40s%s", svg_number(v, decimals).text, unit);
	add_tick(a, at, text);
}

/* A unit of an axis, and the end of the axis from which it is used: 9000 IOPS, but 12 k IOPS. */
struct scale {
	double factor, from;
	const char *name;
};

static const struct scale *scale_of(enum svg_unit unit, double max)
{
	static const double ki = 1024, mi = 1048576, gi = 1073741824, ti = 1099511627776;
	/* clang-format off */
	static const struct scale scales[][5] = {
		[SVG_IOPS] = { { 1e9, 2e9, "G IOPS" }, { 1e6, 2e6, "M IOPS" }, { 1e3, 1e4, "k IOPS" }, { 1, 0, "IOPS" } },
		[SVG_BYTES_1024] = { { gi, 2 * gi, "GiB/s" }, { mi, 2 * mi, "MiB/s" }, { ki, 2 * ki, "KiB/s" }, { 1, 0, "B/s" } },
		[SVG_BYTES_1000] = { { 1e9, 2e9, "GB/s" }, { 1e6, 2e6, "MB/s" }, { 1e3, 2e3, "kB/s" }, { 1, 0, "B/s" } },
		[SVG_BITS_1024] = { { gi / 8, gi / 4, "Gibit/s" }, { mi / 8, mi / 4, "Mibit/s" }, { ki / 8, ki / 4, "Kibit/s" }, { 0.125, 0, "bit/s" } },
		[SVG_BITS_1000] = { { 1.25e8, 2.5e8, "Gbit/s" }, { 1.25e5, 2.5e5, "Mbit/s" }, { 125, 250, "kbit/s" }, { 0.125, 0, "bit/s" } },
		[SVG_NS] = { { 1e9, 2e9, "s" }, { 1e6, 2e6, "ms" }, { 1e3, 2e3, "µs" }, { 1, 0, "ns" } },
		[SVG_NUMBER] = { { 1, 0, "I/Os in flight" } },
		[SVG_ERRORS] = { { 1, 0, "errors/s" } },
		[SVG_PERCENT] = { { 1, 0, "%" } },
		[SVG_SIZE] = { { ti, 2 * ti, "TiB" }, { gi, 2 * gi, "GiB" }, { mi, 2 * mi, "MiB" }, { ki, 2 * ki, "KiB" }, { 1, 0, "bytes" } },
	};
	/* clang-format on */
	const struct scale *s = scales[unit];

	while (max < s->from)
		s++;
	return s;
}

/* Returns 1, 2 or 5 times a power of ten that is not below v. */
static double round_to_step(double v)
{
	double ten = pow(10, floor(log10(v) + 1e-9)), part = v / ten;

	return ten * (part <= 1 + 1e-9 ? 1 : part <= 2 + 1e-9 ? 2 : part <= 5 + 1e-9 ? 5 : 10);
}

void svg_axis_linear(struct svg_axis *a, enum svg_unit unit, double max)
{
	const struct scale *s;
	double step, v;
	unsigned decimals, ticks;

	if (!(max > 0) || !isfinite(max))
		max = 1;
	s = scale_of(unit, max);
	v = max / s->factor;
	step = round_to_step(v / 5);
	ticks = (unsigned)ceil(v / step - 1e-9);
	decimals = step < 1 ? (unsigned)ceil(-log10(step) - 1e-9) : 0;
	*a = (struct svg_axis){ .hi = ticks * step * s->factor, .unit = s->name };
	for (unsigned i = 0; i <= ticks; i++)
		add_number_tick(a, i * step * s->factor, i * step, decimals < 12 ? decimals : 12, "");
}

/* Returns 1, 2 or 5 times a power of ten that is not above v. */
static double round_down(double v)
{
	double up = round_to_step(v);

	return up <= v * (1 + 1e-9) ? up : round_to_step(up / 2.6);
}

static void add_ns(struct svg_axis *a, double ns)
{
	const struct ns_unit *u = ns_unit(ns * (1 + 1e-9));
	char text[64];

	snprintf(text, sizeof(text), "%.40s %s", svg_number(ns / u->ns, 1).text, u->name);
	add_tick(a, ns, text);
}

void svg_axis_log_ticks(struct svg_axis *a, double lo, double hi)
{
	static const double few[] = { 1 }, many[] = { 1, 2, 5 };
	bool wide = hi / lo > 2000;
	const double *part = wide ? few : many;
	unsigned parts = wide ? LENGTH(few) : LENGTH(many);

	*a = (struct svg_axis){ .lo = lo, .hi = hi, .log = true };
	for (double ten = pow(10, floor(log10(lo) + 1e-9)); ten <= hi * (1 + 1e-9); ten *= 10)
		for (unsigned i = 0; i < parts; i++)
			if (ten * part[i] >= lo * (1 - 1e-9) && ten * part[i] <= hi * (1 + 1e-9))
				add_ns(a, ten * part[i]);
}

void svg_axis_log(struct svg_axis *a, double min, double max)
{
	min = isfinite(min) && min > 1 ? min : 1;
	max = isfinite(max) && max > min ? max : min;
	min = round_down(min);
	max = round_to_step(max);
	svg_axis_log_ticks(a, min, max > min ? max : min * 2);
}

static double time_step(double span_ms)
{
	static const double step[] = { 0.01,   0.02,    0.05,    0.1,     0.2,    0.5,    1,
				       2,      5,       10,      20,      50,     100,    200,
				       500,    1e3,     2e3,     5e3,     10e3,   15e3,   30e3,
				       60e3,   120e3,   300e3,   600e3,   900e3,  1800e3, 3600e3,
				       7200e3, 10800e3, 21600e3, 43200e3, 86400e3 };
	double s;

	for (size_t i = 0; i < LENGTH(step); i++)
		if (span_ms / step[i] <= 10)
			return step[i];
	for (s = step[LENGTH(step) - 1]; span_ms / s > 10;)
		s *= 2;
	return s;
}

static struct short_text time_text(double ms, double step, double span)
{
	uint64_t s = (uint64_t)(ms / 1000 + 0.5), unit = span <= 7200e3 ? 60 : 3600;
	struct short_text t;

	if (span <= 500)
		return svg_number(ms, 2);
	if (span <= 120e3)
		return svg_number(ms / 1000, step < 1000 ? 3 : 0);
	if (span > 2 * 86400e3)
		return svg_number(ms / 86400e3, 2);
	snprintf(t.text, sizeof(t.text), "%" PRIu64 ":%02" PRIu64, s / unit, s / (unit / 60) % 60);
	return t;
}

void svg_axis_time(struct svg_axis *a, double start_ms, double end_ms, double zero_ms)
{
	double span, step, at;

	end_ms = end_ms > start_ms ? end_ms : start_ms + 1;
	span = end_ms - start_ms;
	step = time_step(span);
	*a = (struct svg_axis){ .lo = start_ms, .hi = end_ms };
	a->unit = span <= 500           ? "time in ms"
		  : span <= 120e3       ? "time in s"
		  : span <= 7200e3      ? "time in min:s"
		  : span <= 2 * 86400e3 ? "time in h:min"
					: "time in days";
	at = ceil((start_ms - zero_ms) / step - 1e-9) * step;
	for (unsigned i = 0; i <= 11 && at + zero_ms <= end_ms + span * 1e-9; i++, at += step)
		add_tick(a, at + zero_ms, time_text(at > 0 ? at : 0, step, span).text);
}

void svg_axis_nines(struct svg_axis *a, double nines)
{
	*a = (struct svg_axis){ .hi = nines < 1 ? 1 : nines, .unit = "percentile", .sparse = nines >= 5 };
	add_number_tick(a, 0, 0, 0, " %");
	add_number_tick(a, -log10(0.5), 50, 0, " %");
	for (unsigned i = 1; i <= a->hi && i < 14; i++)
		add_number_tick(a, i, 100 - pow(10, 2 - (double)i), i > 2 ? i - 2 : 0, " %");
}

void svg_axis_values(struct svg_axis *a, const char *name, const char *const *value, size_t n)
{
	size_t step = 1 + (n - 1) / 10;

	*a = (struct svg_axis){ .hi = n > 1 ? (double)(n - 1) : 1, .unit = name };
	for (size_t i = 0; i < n; i += step) {
		struct strbuf text = { 0 };

		html_text(&text, value[i]);
		if (text.len < sizeof(a->tick[0].text))
			add_tick(a, (double)i, strbuf_str(&text));
		strbuf_fini(&text);
	}
}

double svg_axis_part(const struct svg_axis *a, double v)
{
	double part =
		a->log ? log(fmax(v, a->lo) / a->lo) / log(a->hi / a->lo) : (v - a->lo) / (a->hi - a->lo);

	return fmin(fmax(part, 0), 1);
}
