#include "text.h"

#include <inttypes.h>
#include "strbuf.h"
#include "units.h"

struct unit {
	const char *name;
	uint64_t ns;
};

static const struct unit nsec = { "nsec", 1 }, usec = { "usec", 1000 }, msec = { "msec", 1000000 };

const char *const latency_label[LAT_KINDS] = { "slat", "clat", "lat", "resp" };

/* Follows fio's rule for one row: it has a coarser unit only if minimum, maximum and deviation are large
   enough for it. */
static const struct unit *unit_of_row(const struct summary_lat *l)
{
	if (l->min > 2000000 && l->max > 99999999 && l->stddev > 1000000)
		return &msec;
	if (l->min > 2000 && l->max > 99999 && l->stddev > 1000)
		return &usec;
	return &nsec;
}

void latency_row(struct strbuf *b, const struct summary_lat *l, const char *label)
{
	const struct unit *u = unit_of_row(l);

	if (!l->n)
		return;
	strbuf_printf(b, "%8s (%s): min=", label, u->name);
	units_num(b, l->min / u->ns, 6, 1, false, UNITS_NONE);
	strbuf_puts(b, ", max=");
	units_num(b, l->max / u->ns, 6, 1, false, UNITS_NONE);
	strbuf_printf(b, ", avg=%5.02f, stdev=%5.02f\n", l->mean / (double)u->ns, l->stddev / (double)u->ns);
}

static const struct unit *unit_of_values(uint64_t lowest, uint64_t highest)
{
	if (lowest > 2000000 && highest > 99999999)
		return &msec;
	if (lowest > 2000 && highest > 99999)
		return &usec;
	return &nsec;
}

static unsigned digits_of(uint64_t v)
{
	unsigned n = 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

void latency_percentiles(struct strbuf *b, const struct summary *s, const struct summary_lat *l,
			 const char *label)
{
	unsigned decimals = s->percentile_decimals, width = decimals + 3, digits, per_line;
	const struct unit *u;
	uint64_t highest;

	if (!l->percentiles || !s->npercentiles)
		return;
	highest = l->value[s->npercentiles - 1];
	u = unit_of_values(l->value[0], highest);
	digits = digits_of((highest + u->ns - 1) / u->ns);
	if (digits < 5)
		digits = 5;
	per_line = (80 - 7) / (decimals + 10 + digits);
	if (!per_line)
		per_line = 1;
	strbuf_printf(b, "    %s percentiles (%s):\n", label, u->name);
	for (unsigned i = 0; i < s->npercentiles; i++) {
		bool last = i == s->npercentiles - 1;

		if (i % per_line == 0)
			strbuf_puts(b, "     |");
		strbuf_printf(b, " %*.*fth=[%*" PRIu64 "]", (int)width, (int)decimals, s->percentiles[i],
			      (int)digits, (l->value[i] + u->ns - 1) / u->ns);
		if (!last)
			strbuf_putc(b, ',');
		if (last || i % per_line == per_line - 1)
			strbuf_putc(b, '\n');
	}
}

static void put_cells(struct strbuf *b, const char *unit, const double *v, unsigned n)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < n; i++) {
		if (v[i] <= 0)
			continue;
		if (shown % 5 == 0)
			strbuf_printf(b, "%s  lat (%s)   : ", shown ? "\n" : "", unit);
		else
			strbuf_puts(b, ", ");
		strbuf_printf(b, "%s%u=%3.2f%%", i == SUMMARY_LAT_MS_CELLS - 1 ? ">=" : "",
			      summary_lat_bounds[i], v[i]);
		shown++;
	}
	if (shown)
		strbuf_putc(b, '\n');
}

void latency_cells(struct strbuf *b, const struct summary *s)
{
	put_cells(b, nsec.name, s->lat_ns, SUMMARY_LAT_CELLS);
	put_cells(b, usec.name, s->lat_us, SUMMARY_LAT_CELLS);
	put_cells(b, msec.name, s->lat_ms, SUMMARY_LAT_MS_CELLS);
}
