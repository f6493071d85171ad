#include "planned.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The default's text is canonical; a text or a time prints as it was given. */
static void print_default(const struct opt_row *row, struct strbuf *out)
{
	const struct opt_ctx ctx = { .kb_base = 1024 };
	struct diag ignored = { 0 };
	char *opts = calloc(1, job_options.struct_bytes);

	if (!opts)
		return;
	if (row->def && !opt_set(row, opts, row->def, &ctx, &ignored))
		row->type->print(row, opts + row->offset, out);
	if (!row->def)
		row->type->print(row, opts + row->offset, out);
	if (row->type->fini)
		row->type->fini(row, opts + row->offset);
	diag_fini(&ignored);
	free(opts);
}

bool planned_name(const char *name)
{
	const struct opt_row *row = opt_find(&job_options, name);

	return row && row->planned;
}

bool planned_in_force(const struct job *job, const struct opt_row *row)
{
	struct strbuf is = { 0 }, def = { 0 };
	bool differs;

	if (!row->planned || !job_given(job, row->name))
		return false;
	row->type->print(row, (const char *)&job->opts + row->offset, &is);
	print_default(row, &def);
	differs = strcmp(strbuf_str(&is), strbuf_str(&def)) != 0;
	strbuf_fini(&is);
	strbuf_fini(&def);
	return differs;
}

void planned_print(const struct job *job, struct strbuf *out)
{
	for (const struct opt_row *row = job_options.rows; row->name; row++) {
		if (!planned_in_force(job, row))
			continue;
		strbuf_printf(out, ", %s=", row->name);
		row->type->print(row, (const char *)&job->opts + row->offset, out);
	}
}

static int refuse(const struct opt_given *g, struct diag *d)
{
	struct strbuf at = { 0 };

	if (g->at.line)
		strbuf_printf(&at, "%s:%u: ", g->at.file, g->at.line);
	diag_err(d, -ENOTSUP, "%s%s%s%s%.80s: not run yet; fiord check plans it", strbuf_str(&at),
		 g->at.line ? "" : "--", g->name, g->text ? "=" : "", g->text ? g->text : "");
	strbuf_fini(&at);
	return -ENOTSUP;
}

static int refuse_of(const struct job *job, const struct opt_givens *given, struct diag *d)
{
	for (size_t i = 0; i < given->n; i++) {
		const struct opt_row *row = opt_find(&job_options, given->v[i].name);

		if (row && planned_in_force(job, row))
			return refuse(job_given(job, row->name), d);
	}
	return 0;
}

int planned_refuse(const struct job_set *set, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < set->njobs && !err; i++) {
		err = refuse_of(&set->jobs[i], &set->jobs[i].inherited, d);
		err = err ? err : refuse_of(&set->jobs[i], &set->jobs[i].own, d);
	}
	return err;
}
