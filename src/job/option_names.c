#include "option_names.h"

#include <errno.h>
#include <string.h>
#include "cmdline_flags.h"
#include "engine.h"
#include "rows.h"
#include "strbuf.h"

#define TABLES_MAX     64
#define CANDIDATES_MAX 128 /* more options than share a first letter */

/* Lists all tables of option names: flags, core, every engine. */
static void list_tables(const struct opt_table *flags, const struct opt_table *tables[TABLES_MAX],
			unsigned *n)
{
	*n = 0;
	if (flags)
		tables[(*n)++] = flags;
	tables[(*n)++] = &job_options;
	for (unsigned i = 0; engine_table[i] && *n < TABLES_MAX; i++)
		if (engine_table[i]->opts)
			tables[(*n)++] = engine_table[i]->opts;
}

int option_unknown(const struct opt_table *flags, const char *dashes, const char *name, struct diag *d)
{
	const struct opt_table *tables[TABLES_MAX];
	const char *near;
	unsigned n;

	list_tables(flags, tables, &n);
	near = opt_nearest(tables, n, name);
	if (near)
		return diag_err(d, -EINVAL, "unknown option '%s%.60s'; did you mean '%s%s'?", dashes, name,
				dashes, near);
	return diag_err(d, -EINVAL, "unknown option '%s%.60s'", dashes, name);
}

/* The options that an abbreviated argument can mean. */
struct candidates {
	const struct opt_row *row[CANDIDATES_MAX];
	bool flag; /* row[0] is an option of the run */
	unsigned n;
};

static bool has_prefix(const struct opt_row *row, const char *word, size_t len)
{
	if (!strncmp(row->name, word, len))
		return true;
	for (unsigned i = 0; i < 3 && row->alias[i]; i++)
		if (!strncmp(row->alias[i], word, len))
			return true;
	return false;
}

static void add_candidate(struct candidates *c, const struct opt_row *row, bool flag)
{
	for (unsigned i = 0; i < c->n; i++)
		if (!strcmp(c->row[i]->name, row->name))
			return;
	if (c->n == CANDIDATES_MAX)
		return;
	if (!c->n)
		c->flag = flag;
	c->row[c->n++] = row;
}

static int refuse_ambiguous(const char *word, const struct candidates *c, struct diag *d)
{
	struct strbuf list = { 0 };

	for (unsigned i = 0; i < c->n; i++)
		strbuf_printf(&list, "%s--%s", i ? ", " : "", c->row[i]->name);
	diag_err(d, -EINVAL, "--%s is short for more than one option: %s%s", word, strbuf_str(&list),
		 c->n == CANDIDATES_MAX ? ", ..." : "");
	strbuf_fini(&list);
	return -EINVAL;
}

int option_find_short(const char *word, const struct opt_row **row, bool *flag, struct diag *d)
{
	const struct opt_table *tables[TABLES_MAX];
	struct candidates c = { .n = 0 };
	unsigned n;

	list_tables(&cmdline_flags, tables, &n);
	for (unsigned i = 0; i < n; i++) {
		if ((*row = opt_find(tables[i], word))) {
			*flag = i == 0;
			return 0;
		}
	}
	if ((*row = opt_find(&foreign_options, word))) {
		*flag = false;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		for (const struct opt_row *r = tables[i]->rows; r->name; r++)
			if (*word && has_prefix(r, word, strlen(word)))
				add_candidate(&c, r, i == 0);
	if (!c.n && !strcmp(word, "until"))
		return diag_err(d, -EINVAL, "--until belongs to a sweep: write 'fiord sweep --until=...'");
	if (!c.n)
		return option_unknown(&cmdline_flags, "--", word, d);
	if (c.n > 1)
		return refuse_ambiguous(word, &c, d);
	*row = c.row[0];
	*flag = c.flag;
	return 0;
}

/* ---- engines ---- */

const struct engine *option_engine(const char *name)
{
	for (unsigned i = 0; engine_table[i]; i++)
		if (engine_table[i]->opts && opt_find(engine_table[i]->opts, name))
			return engine_table[i];
	return NULL;
}

void option_of_other_engine(struct diag *d, const char *option, const char *ours)
{
	struct strbuf text = { 0 }, *b = &text;
	unsigned n = 0;

	for (unsigned i = 0; engine_table[i]; i++)
		n += engine_table[i]->opts && opt_find(engine_table[i]->opts, option);
	strbuf_puts(b, n > 1 ? "the engines " : "the engine ");
	for (unsigned i = 0; n && engine_table[i]; i++)
		if (engine_table[i]->opts && opt_find(engine_table[i]->opts, option))
			strbuf_printf(b, "%s%s", engine_table[i]->name, --n ? ", " : "");
	if (ours)
		diag_err(d, -EINVAL, "an option of %s; this job's engine is %s", strbuf_str(b), ours);
	else
		diag_err(d, -EINVAL, "an option of %s, but no job uses it", strbuf_str(b));
	strbuf_fini(b);
}

int option_unknown_engine(const char *name, struct diag *d)
{
	struct opt_row rows[TABLES_MAX] = { 0 };
	const struct opt_table table = { .rows = rows }, *tables[] = { &table };
	struct strbuf list = { 0 };
	const char *why = engine_missing(name), *near;

	if (why)
		return diag_err(d, -ENOTSUP, "%s", why);
	for (unsigned i = 0; engine_table[i] && i < TABLES_MAX - 1; i++) {
		rows[i].name = engine_table[i]->name;
		memcpy(rows[i].alias, engine_table[i]->alias, sizeof(rows[i].alias));
		strbuf_printf(&list, "%s%s", i ? ", " : "", rows[i].name);
	}
	near = opt_nearest(tables, 1, name);
	if (near)
		diag_err(d, -EINVAL, "no such engine; did you mean '%s'? (the engines are %s)", near,
			 strbuf_str(&list));
	else
		diag_err(d, -EINVAL, "no such engine; the engines are %s", strbuf_str(&list));
	strbuf_fini(&list);
	return -EINVAL;
}
