#include "option_names.h"

#include <errno.h>
#include "engine.h"
#include "rows.h"

void option_tables(const struct opt_table *flags, const struct opt_table *tables[TABLES_MAX], unsigned *n)
{
	*n = 0;
	if (flags)
		tables[(*n)++] = flags;
	tables[(*n)++] = &job_options;
	for (unsigned i = 0; engine_table[i] && *n < TABLES_MAX; i++)
		if (engine_table[i]->opts)
			tables[(*n)++] = engine_table[i]->opts;
}

int unknown_option(const struct opt_table *flags, const char *dashes, const char *name, struct diag *d)
{
	const struct opt_table *tables[TABLES_MAX];
	const char *near;
	unsigned n;

	option_tables(flags, tables, &n);
	near = opt_nearest(tables, n, name);
	if (near)
		return diag_err(d, -EINVAL, "unknown option '%s%.60s'; did you mean '%s%s'?", dashes, name,
				dashes, near);
	return diag_err(d, -EINVAL, "unknown option '%s%.60s'", dashes, name);
}
