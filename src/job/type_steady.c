/* type_steady.c: steadystate=. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"
#include "units.h"

static const struct {
	const char *name;
	unsigned of, by;
} criteria[] = {
	{ "iops", STEADY_IOPS, STEADY_DEVIATION }, { "iops_slope", STEADY_IOPS, STEADY_SLOPE },
	{ "bw", STEADY_BW, STEADY_DEVIATION },     { "bw_slope", STEADY_BW, STEADY_SLOPE },
	{ "lat", STEADY_LAT, STEADY_DEVIATION },   { "lat_slope", STEADY_LAT, STEADY_SLOPE },
	{ "snia", STEADY_IOPS, STEADY_SNIA },
};
#define CRITERIA (sizeof(criteria) / sizeof(criteria[0]))

const char *steady_name(const struct steady_cfg *c)
{
	for (unsigned i = 0; i < CRITERIA; i++)
		if (criteria[i].of == c->of && criteria[i].by == c->by)
			return criteria[i].name;
	return "";
}

/* Reads [digits][.digits][%]. A second % is that of scripts that print the first through printf. */
static bool read_limit(const char *text, double *limit, bool *percent)
{
	size_t len = units_decimal(text);

	if (!len || len > 20 || text[len + strspn(text + len, "%")] || strlen(text + len) > 2)
		return false;
	*limit = strtod(text, NULL);
	*percent = text[len] == '%';
	return *limit > 0;
}

static int steady_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	size_t len = strcspn(text, ":");
	struct steady_cfg *to = field;
	unsigned i = 0;

	(void)ctx;
	while (i < CRITERIA && (strlen(criteria[i].name) != len || strncmp(criteria[i].name, text, len) != 0))
		i++;
	if (i == CRITERIA)
		return opt_unknown_choice(row->choices, "criterion", text, d);
	if (criteria[i].by == STEADY_SNIA) {
		if (text[len])
			return diag_err(d, -EINVAL, "snia has no limit: its range and its slope are fixed");
		to->percent = true;
		to->limit = STEADY_RANGE_PERCENT;
	} else if (!text[len] || !read_limit(text + len + 1, &to->limit, &to->percent)) {
		return diag_err(d, -EINVAL, "needs a limit above 0, such as %s:2%% or %s:100",
				criteria[i].name, criteria[i].name);
	}
	to->of = criteria[i].of;
	to->by = criteria[i].by;
	return 0;
}

static void steady_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct steady_cfg *c = field;

	(void)row;
	strbuf_puts(out, steady_name(c));
	if (c->by != STEADY_SNIA)
		strbuf_printf(out, ":%.15g%s", c->limit, c->percent ? "%" : "");
}

const struct opt_type job_type_steady = { OPT_TYPE("criterion", steady),
					  .accepts = "a criterion and its limit, such as iops_slope:0.3%" };
