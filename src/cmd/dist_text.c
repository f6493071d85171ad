#include "dist_text.h"

#include <inttypes.h>
#include <math.h>
#include "jsonw.h"
#include "strbuf.h"
#include "units.h"

#define COLUMNS     64
#define ROWS        11 /* one for each 10 % */
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const double hottest[] = { 0.1, 1, 5, 10, 20, 50 }; /* percent of the blocks */
static const double hits[] = { 50, 90, 99 };               /* percent of the I/Os */

/* Returns this percentage of the blocks, at least one. */
static uint64_t part_of(const struct dist_curve *c, double percent)
{
	double n = ceil((double)c->places * percent / 100 - 1e-9);

	if (n < 1)
		return 1;
	return n < (double)c->places ? (uint64_t)n : c->places;
}

/* Returns the number of hottest blocks at a column. The axis is logarithmic, from one block to all of them.
 */
static uint64_t column_places(const struct dist_curve *c, unsigned column)
{
	double n = exp(log((double)c->places) * column / (COLUMNS - 1));

	if (column == COLUMNS - 1 || n >= (double)c->places)
		return c->places;
	return n < 1 ? 1 : (uint64_t)(n + 0.5);
}

static void put_curve_row(const struct dist_curve *c, unsigned row, struct strbuf *out)
{
	char line[COLUMNS + 1];
	unsigned end = 0;

	for (unsigned i = 0; i < COLUMNS; i++) {
		double share = dist_curve_share(c, column_places(c, i));

		line[i] = (unsigned)(share * (ROWS - 1) + 0.5) == row ? '*' : ' ';
		end = line[i] == '*' ? i + 1 : end;
	}
	line[end] = '\0';
	strbuf_printf(out, "  %3u %% |%s\n", row * 100 / (ROWS - 1), line);
}

static void put_plot(const struct dist_curve *c, struct strbuf *out)
{
	strbuf_puts(out, "\nShare of the I/Os that go to the hottest blocks:\n\n");
	for (unsigned row = ROWS; row--;)
		put_curve_row(c, row, out);
	strbuf_puts(out, "        +");
	for (unsigned i = 0; i < COLUMNS; i++)
		strbuf_putc(out, i && i % 9 == 0 ? '+' : '-');
	strbuf_printf(out, "\n         1 block%*s\n", COLUMNS - 7, "all blocks (logarithmic)");
}

static void put_share(double share, struct strbuf *out)
{
	strbuf_printf(out, "  %8.4g %%", share * 100);
}

/* Adds a number of blocks and their size. */
static void put_blocks(const struct dist_title *t, uint64_t blocks, struct strbuf *out)
{
	strbuf_printf(out, "%20" PRIu64 " %12s", blocks, units_bytes(blocks * t->bs).text);
}

void dist_text(const struct dist_title *t, const struct dist_curve *c, struct strbuf *out)
{
	strbuf_printf(out, "%s: %" PRIu64 " blocks of %s, %s\n", t->distribution, c->places,
		      units_suffixed(t->bs).text, units_exact(t->size).text);
	put_plot(c, out);
	strbuf_printf(out, "\nhottest blocks                  number         size  share of the I/Os\n%14s",
		      "one block");
	put_blocks(t, 1, out);
	put_share(dist_curve_share(c, 1), out);
	for (size_t i = 0; i < COUNT(hottest); i++) {
		uint64_t n = part_of(c, hottest[i]);

		strbuf_printf(out, "\n%12g %%", hottest[i]);
		put_blocks(t, n, out);
		put_share(dist_curve_share(c, n), out);
	}
	strbuf_puts(out, "\n\nhits of a cache that has the hottest blocks\n");
	for (size_t i = 0; i < COUNT(hits); i++) {
		uint64_t n = dist_curve_places(c, hits[i] / 100);

		strbuf_printf(out, "%12g %%", hits[i]);
		put_blocks(t, n, out);
		put_share((double)n / (double)c->places, out);
		strbuf_puts(out, " of the blocks\n");
	}
}

static void json_point(struct jsonw *w, const struct dist_title *t, uint64_t blocks, double share)
{
	jsonw_u64(w, "blocks", blocks);
	jsonw_u64(w, "bytes", blocks * t->bs);
	jsonw_double(w, "share", share);
	jsonw_end_object(w);
}

static void json_lists(struct jsonw *w, const struct dist_title *t, const struct dist_curve *c)
{
	jsonw_array(w, "hottest");
	for (size_t i = 0; i < COUNT(hottest); i++) {
		uint64_t n = part_of(c, hottest[i]);

		jsonw_object(w, NULL);
		jsonw_double(w, "percent", hottest[i]);
		json_point(w, t, n, dist_curve_share(c, n));
	}
	jsonw_end_array(w);
	jsonw_array(w, "cache");
	for (size_t i = 0; i < COUNT(hits); i++) {
		uint64_t n = dist_curve_places(c, hits[i] / 100);

		jsonw_object(w, NULL);
		jsonw_double(w, "hits_percent", hits[i]);
		json_point(w, t, n, dist_curve_share(c, n));
	}
	jsonw_end_array(w);
	jsonw_array(w, "curve");
	for (unsigned i = 0; i < COLUMNS; i++) {
		uint64_t n = column_places(c, i);

		if (i && n == column_places(c, i - 1))
			continue;
		jsonw_object(w, NULL);
		json_point(w, t, n, dist_curve_share(c, n));
	}
	jsonw_end_array(w);
}

void dist_json(const struct dist_title *t, const struct dist_curve *c, struct strbuf *out)
{
	struct jsonw w;

	jsonw_init(&w, out);
	jsonw_object(&w, NULL);
	jsonw_str(&w, "random_distribution", t->distribution);
	jsonw_u64(&w, "size", t->size);
	jsonw_u64(&w, "bs", t->bs);
	jsonw_u64(&w, "blocks", c->places);
	json_lists(&w, t, c);
	jsonw_end_object(&w);
	strbuf_putc(out, '\n');
}
