/* compare_args.c: what the options of conditions and figures do. */
#include "compare_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "verbs.h"

/* Parses a number without its percent sign. strtod reads a point as in C, because the program never sets a
   locale. */
static int parse_percent(const char *option, const char *value, double *out, struct diag *d)
{
	char *end;
	double v = strtod(value, &end);

	if (end == value || (*end && strcmp(end, "%")) || !(v > 0) || !(v < 100))
		return diag_err(d, -EINVAL, "--%s=%s: this is not a percentage between 0 and 100", option,
				value);
	*out = v;
	return 0;
}

int compare_args_confidence(void *ctx, const char *value, struct diag *d)
{
	double percent;
	int err = parse_percent("confidence", value, &percent, d);

	if (!err && (percent < 50 || percent > 99.99))
		return diag_err(d, -ERANGE, "--confidence=%s: this must be between 50 and 99.99 percent",
				value);
	if (!err)
		((struct compare_args *)ctx)->cfg.confidence = percent / 100;
	return err;
}

/* Adds a percentile unless it is in the list. */
static int add_percentile(struct compare_cfg *cfg, double percentile, struct diag *d)
{
	for (unsigned i = 0; i < cfg->npercentiles; i++)
		if (percentile > cfg->percentiles[i] - 1e-9 && percentile < cfg->percentiles[i] + 1e-9)
			return 0;
	if (cfg->npercentiles == COMPARE_PERCENTILES)
		return diag_err(d, -ERANGE, "there may be at most %d percentiles", COMPARE_PERCENTILES);
	cfg->percentiles[cfg->npercentiles++] = percentile;
	return 0;
}

static int add_percentile_text(void *ctx, const char *text, struct diag *d)
{
	double percentile;
	int err = parse_percent("percentiles", text, &percentile, d);

	return err ? err : add_percentile(&((struct compare_args *)ctx)->cfg, percentile, d);
}

int compare_args_percentiles(void *ctx, const char *value, struct diag *d)
{
	return verb_each_word(value, ",:", add_percentile_text, ctx, d);
}

int compare_args_fail_if(void *ctx, const char *value, struct diag *d)
{
	struct compare_args *args = ctx;
	struct compare_condition c;
	int err = compare_condition_parse(&c, value, d);

	if (err)
		return err;
	if (!VEC_PUSH(&args->condition, c)) {
		compare_condition_fini(&c);
		return diag_no_memory(d);
	}
	return 0;
}

/* Adds the percentiles of the conditions, and the default ones if none are selected. */
int compare_args_complete(struct compare_args *args, struct diag *d)
{
	static const double usual[] = { 50, 99, 99.9 };
	int err = 0;

	for (unsigned i = 0; i < 3 && !args->cfg.npercentiles; i++)
		args->cfg.percentiles[i] = usual[i];
	if (!args->cfg.npercentiles)
		args->cfg.npercentiles = 3;
	for (size_t i = 0; i < args->condition.n && !err; i++)
		if (args->condition.v[i].what == COMPARE_LAT_PERCENTILE)
			err = add_percentile(&args->cfg, args->condition.v[i].percentile, d);
	args->cfg.conditions = args->condition.v;
	args->cfg.nconditions = args->condition.n;
	return err;
}

void compare_args_fini(struct compare_args *args)
{
	for (size_t i = 0; i < args->condition.n; i++)
		compare_condition_fini(&args->condition.v[i]);
	free(args->condition.v);
}

/* Names on standard error the conditions that fail for lack of data, because a program may not read the
   report. */
void compare_put_failures(const struct compare *c)
{
	struct strbuf b = { 0 };

	for (size_t i = 0; i < c->verdict.n; i++) {
		const struct compare_verdict *v = &c->verdict.v[i];

		if (!v->why || !compare_verdict_fails(c, v))
			continue;
		strbuf_puts(&b, "fiord: --fail-if='");
		strbuf_plain(&b, v->condition->text);
		strbuf_puts(&b, "': job '");
		strbuf_plain(&b, v->job->name);
		strbuf_puts(&b, "': ");
		if (v->state == COMPARE_UNJUDGED)
			strbuf_puts(&b, "it cannot be judged (--allow-unjudged permits this): ");
		strbuf_plain(&b, v->why);
		strbuf_putc(&b, '\n');
	}
	fwrite(strbuf_str(&b), 1, b.len, stderr);
	strbuf_fini(&b);
}
