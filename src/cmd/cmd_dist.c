/* cmd_dist.c: fiord dist zipf:1.2 --size=1t: shows how a random_distribution spreads I/Os. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include "cmd.h"
#include "dist_text.h"
#include "exit_code.h"
#include "job.h"
#include "rows.h"
#include "strbuf.h"
#include "verbs.h"

struct cmd {
	const char *distribution;
	struct dist_title title;
	bool json;
	struct dist_cfg cfg;
	struct dist_curve curve;
};

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

static int set_dist_format(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	c->json = !strcmp(value, "json");
	if (!c->json && strcmp(value, "text") != 0)
		return diag_err(d, -EINVAL, "--format=%s: must be text or json", value);
	return 0;
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
	(c->json ? dist_json : dist_text)(&c->title, &c->curve, &out);
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
			{ "format", 0, "FORMAT", "text or json", set_dist_format },
			{ 0 },
		},
	.file = set_distribution,
	.run = run_dist,
};
