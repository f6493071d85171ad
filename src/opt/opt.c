#include "opt.h"

#include <errno.h>
#include <string.h>
#include "nearest.h"
#include "types.h"

#define NALIAS (sizeof(((struct opt_row *)0)->alias) / sizeof(((struct opt_row *)0)->alias[0]))

/* Returns the i-th name of a row: its own, then the aliases; NULL after the last. */
static const char *row_name(const struct opt_row *row, size_t i)
{
	if (i == 0)
		return row->name;
	return i <= NALIAS ? row->alias[i - 1] : NULL;
}

const struct opt_row *opt_find(const struct opt_table *t, const char *name)
{
	const char *n;

	for (const struct opt_row *row = t->rows; row->name; row++) {
		for (size_t i = 0; (n = row_name(row, i)); i++) {
			if (strcmp(n, name) == 0)
				return row;
		}
	}
	return NULL;
}

int opt_set(const struct opt_row *row, void *opts, const char *text, const struct opt_ctx *ctx,
	    struct diag *d)
{
	switch (row->status) {
	case OPT_REFUSED:
		return diag_err(d, -ENOTSUP, "not supported: %s", row->why);
	case OPT_NOTED:
		if (ctx->notes)
			notes_add(ctx->notes, "{%s}: %s", row->name, row->why);
		return 0;
	case OPT_WORKS:
		break;
	}
	if (!text && !row->bare)
		return diag_err(d, -EINVAL, "needs a value (%s)", row->type->name);
	return row->type->parse(row, (char *)opts + row->offset, text, ctx, d);
}

char opt_adds(const struct opt_row *row)
{
	return row && row->type ? row->type->adds : 0;
}

int opt_defaults(const struct opt_table *t, void *opts, struct diag *d)
{
	const struct opt_ctx ctx = { .kb_base = 1024 };

	for (const struct opt_row *row = t->rows; row->name; row++) {
		if (row->status != OPT_WORKS || !row->def)
			continue;
		if (opt_set(row, opts, row->def, &ctx, d))
			return diag_wrap(d, "default of {%s=%s}", row->name, row->def);
	}
	return 0;
}

void opt_fini(const struct opt_table *t, void *opts)
{
	for (const struct opt_row *row = t->rows; row->name; row++) {
		if (row->status == OPT_WORKS && row->type->fini)
			row->type->fini(row, (char *)opts + row->offset);
	}
}

/* The best match so far. */
struct nearest {
	const char *name, *want;
	unsigned distance;
	const char *prefixed; /* a name that begins with `want` */
	const struct opt_row *prefixed_row;
	bool ambiguous;
};

static void consider(struct nearest *best, const struct opt_row *row, const char *name)
{
	unsigned distance;

	if (strlen(name) > NEAREST_MAX)
		return;
	if (strncmp(name, best->want, strlen(best->want)) == 0) {
		best->ambiguous |= best->prefixed_row && best->prefixed_row != row;
		best->prefixed_row = row;
		best->prefixed = name;
	}
	distance = nearest_distance(best->want, name);
	if (distance < best->distance) {
		best->distance = distance;
		best->name = name;
	}
}

const char *opt_nearest(const struct opt_table *const *tables, unsigned ntables, const char *name)
{
	size_t len = strlen(name);
	struct nearest best = { .want = name, .distance = nearest_limit(len) };
	const char *n;

	if (!len || len > NEAREST_MAX)
		return NULL;
	for (unsigned t = 0; t < ntables; t++) {
		for (const struct opt_row *row = tables[t]->rows; row->name; row++) {
			for (size_t i = 0; (n = row_name(row, i)); i++)
				consider(&best, row, n);
		}
	}
	if (!best.name && !best.ambiguous)
		return best.prefixed;
	return best.name;
}

const char *opt_nearest_choice(const struct opt_choice *choices, const char *text)
{
	unsigned least = nearest_limit(strlen(text));
	const char *name = NULL;

	if (strlen(text) > NEAREST_MAX)
		return NULL;
	for (const struct opt_choice *c = choices; c->name; c++) {
		unsigned distance = nearest_distance(text, c->name);

		if (c->value < 0 || distance >= least)
			continue;
		least = distance;
		name = c->name;
	}
	return name;
}
