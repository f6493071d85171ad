/* cmd_dist.c: fiord dist zipf:1.2 --size=1t: shows how a random_distribution spreads I/Os. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "cmd.h"
#include "dist.h"
#include "exit_code.h"
#include "job.h"
#include "jsonw.h"
#include "rows.h"
#include "strbuf.h"
#include "units.h"
#include "verbs.h"

/* What is printed above the curve. */
struct dist_title {
	const char *distribution; /* as given */
	uint64_t size, bs;        /* bytes */
};

/* ---- the curve as text and as JSON ---- */

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

static void put_curve_text(const struct dist_title *t, const struct dist_curve *c, struct strbuf *out)
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

static void put_curve_json(const struct dist_title *t, const struct dist_curve *c, struct strbuf *out)
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

/* ---- the command line ---- */

struct cmd {
	const char *distribution;
	struct dist_title title;
	int format; /* index of formats */
	struct dist_cfg cfg;
	struct dist_curve curve;
};

static const char *const formats[] = { "text", "json", NULL };

static int set_bytes(const char *option, const char *text, uint64_t most, uint64_t *bytes, struct diag *d)
{
	const char *hint = "write a size, such as 4k or 1t";
	int err = units_size(text, 1024, bytes, &hint);

	if (err)
		return diag_err(d, err, "--%s=%s: not a size; %s", option, text, hint);
	if (!*bytes || *bytes > most)
		return diag_err(d, -ERANGE, "--%s=%s: must be from 1 byte to %s", option, text,
				most >> 60 ? "1024p" : "1g");
	return 0;
}

static int set_size(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	return set_bytes("size", value, (uint64_t)1 << 60, &c->title.size, d);
}

static int set_bs(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	return set_bytes("bs", value, (uint64_t)1 << 30, &c->title.bs, d);
}

static int set_distribution(void *ctx, const char *text, struct diag *d)
{
	struct cmd *c = ctx;

	if (c->distribution)
		return diag_err(d, -EINVAL, "%s: fiord dist takes one distribution, and %s is already given",
				text, c->distribution);
	c->distribution = text;
	return 0;
}

/* Refuses zones in bytes beyond the size, as a job that reads does. */
static int check_zones(const struct cmd *c, struct diag *d)
{
	uint64_t reach = c->cfg.kind == DIST_ZONED ? dist_end(&c->cfg, DIR_READ) : 0;

	if (reach > c->title.size)
		return diag_err(d, -EINVAL, "%s: its zones need %" PRIu64 " bytes, and --size has %" PRIu64,
				c->distribution, reach, c->title.size);
	return 0;
}

/* Checks the text as a job's random_distribution is checked, and reads it. Returns 0 or -errno with d. */
static int read_distribution(struct cmd *c, struct diag *d)
{
	const struct opt_row *row = opt_find(&job_options, "random_distribution");
	const struct opt_ctx ctx = { .kb_base = 1024 };
	struct job_opts o = { 0 };
	int err;

	if (!c->distribution || !c->title.size)
		return diag_err(d, -EINVAL,
				"fiord dist needs a distribution and a size: fiord dist zipf:1.2 --size=1t");
	err = opt_set(row, &o, c->distribution, &ctx, d);
	opt_fini(&job_options, &o);
	if (err)
		return diag_wrap(d, "%s", c->distribution);
	if (!opt_distribution_uniform(c->distribution))
		err = opt_distribution(c->distribution, 1024, &c->cfg, d);
	if (!err && c->cfg.kind == DIST_SEQUENCE)
		err = diag_err(d, -EINVAL, "%s: has no curve: each block of the list gets the same share",
			       c->distribution);
	if (!err && c->title.size < c->title.bs)
		err = diag_err(d, -EINVAL, "--size: must hold at least one block (--bs)");
	return err ? err : check_zones(c, d);
}

static int print(struct cmd *c, struct diag *d)
{
	struct strbuf out = { 0 };
	int code;

	c->title.distribution = c->distribution;
	dist_curve_init(&c->curve, opt_distribution_uniform(c->distribution) ? NULL : &c->cfg,
			c->title.size / c->title.bs, c->title.bs);
	(c->format ? put_curve_json : put_curve_text)(&c->title, &c->curve, &out);
	code = out.failed ? cmd_code(d) : cmd_put(strbuf_str(&out), d);
	strbuf_fini(&out);
	return code;
}

static int run_dist(int argc, char *const *argv, struct diag *d)
{
	static struct cmd c; /* the zones are large */
	int err;

	c = (struct cmd){ .title = { .bs = 4096 } };
	err = verb_parse(&verb_dist, &c, argc, argv, d);
	if (err == VERB_HELP_SHOWN)
		return EXIT_OK;
	err = err ? err : read_distribution(&c, d);
	return err ? cmd_code(d) : print(&c, d);
}

const struct verb verb_dist = {
	.name = "dist",
	.synopsis = "dist DISTRIBUTION --size=SIZE",
	.help = "show how random offsets are distributed",
	.usage = "fiord dist DISTRIBUTION --size=SIZE [OPTION...]\n\n"
		 "Prints which share of the I/Os the hottest blocks get with "
		 "random_distribution=DISTRIBUTION\n"
		 "(zipf:1.2, pareto:0.2, normal:10, zoned:80/20:20/80), and how large a cache has to be for\n"
		 "50, 90 and 99 % of hits.\n",
	.options =
		(const struct verb_option[]){
			{ "size", 0, "SIZE", "size of the file or device, such as 1t", set_size },
			{ "bs", 0, "SIZE", "block size (4k)", set_bs },
			{ "format", 0, "FORMAT", "text or json", .member = offsetof(struct cmd, format),
			  .words = formats },
			{ 0 },
		},
	.file = set_distribution,
	.run = run_dist,
};
