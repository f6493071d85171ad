/* type_percentiles.c: percentile_list=, and a single percentage. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"
#include "units.h"

/* Reads a number from 0 to 100, such as 99, 99.9 or .5. */
static bool percentile_read(const char *text, size_t len, double *out)
{
	if (!len || units_decimal(text) != len || len > 20 || strtod(text, NULL) > 100)
		return false;
	*out = strtod(text, NULL);
	return true;
}

/* Inserts value into v[0..*n), which is ascending and without duplicates. */
static void percentile_insert(double *v, unsigned *n, double value)
{
	unsigned at = 0;

	while (at < *n && v[at] < value)
		at++;
	if (at < *n && !(v[at] > value))
		return;
	memmove(v + at + 1, v + at, (*n - at) * sizeof(*v));
	v[at] = value;
	++*n;
}

static int percentiles_parse(const struct opt_row *row, void *field, const char *text,
			     const struct opt_ctx *ctx, struct diag *d)
{
	struct report_cfg *r = field;
	double v[PERCENTILES_MAX + 1], value;
	unsigned n = 0;

	(void)row;
	(void)ctx;
	for (;; text++) {
		size_t len = strcspn(text, ":");

		if (!percentile_read(text, len, &value))
			return diag_err(d, -EINVAL,
					"not a list of percentages from 0 to 100, such as 50:99:99.9");
		percentile_insert(v, &n, value);
		if (n > PERCENTILES_MAX)
			return diag_err(d, -ERANGE, "more than %d values", PERCENTILES_MAX);
		text += len;
		if (!*text)
			break;
	}
	memcpy(r->percentiles, v, n * sizeof(*v));
	r->npercentiles = n;
	return 0;
}

static void percentiles_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct report_cfg *r = field;

	(void)row;
	for (unsigned i = 0; i < r->npercentiles; i++)
		strbuf_printf(out, "%s%.15g", i ? ":" : "", r->percentiles[i]);
}

const struct opt_type job_type_percentiles = { OPT_TYPE("list of percentages", percentiles) };

static int percent_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	(void)row;
	(void)ctx;
	if (!percentile_read(text, strlen(text), field))
		return diag_err(d, -EINVAL, "not a percentage from 0 to 100, such as 99.9");
	return 0;
}

static void percent_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	strbuf_printf(out, "%.15g", *(const double *)field);
}

const struct opt_type job_type_percent = { OPT_TYPE("percentage", percent) };
