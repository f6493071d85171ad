/* explain_versions.c: what other versions made of the same line: what they refused, and what meant something
 * else.
 */
#include <stddef.h>
#include <string.h>
#include "explain.h"

/* A change of meaning that shows in lines with `flag`. */
struct change {
	const char *flag;
	const char *says;
};

/* clang-format off */
static const struct change changes[] = {
	{ "-h", "-h is unbuffered with write-through since 2.0.11 (2014); since 2.0.16 that is called -Sh" },
	{ "-si", "-si is of 2.0.15" },
	{ "-Sh", "-Sh is of 2.0.16; before, that was -h" },
	{ "-ft", "-ft is of 2.0.16" },
	{ "-Su", "letters behind -S are of 2.0.17; before, -S alone was unbuffered" },
	{ "-Sw", "letters behind -S are of 2.0.17; before, there was no write-through without -h" },
	{ "-O", "-O is of 2.0.20" },
	{ "-Zr", "-Zr is of 2.0.20" },
	{ "-Sm", "-Sm is of 2.0.21" },
	{ "-rs", "-rs is of 2.1; before, -r was all or nothing" },
	{ "-rd", "-rd is of 2.1; before, random I/O was uniform" },
	{ "-Rp", "-Rp is of 2.1" },
	{ "-vs", "-vs is of 2.2" },
};
/* clang-format on */

static bool has_any(const struct ds_explain_cfg *cfg, const char *const *flags)
{
	for (; *flags; flags++)
		if (ds_explain_has(cfg, *flags))
			return true;
	return false;
}

static void tell(struct strbuf *out, unsigned *told, const char *what, const char *says)
{
	strbuf_printf(out, "%s  - %s%s\n", (*told)++ ? "" : "  in other versions:\n", what, says);
}

/* Parses the line again as another version. */
static void try_dialect(const struct ds_explain_cfg *cfg, enum ds_dialect dialect, const char *name,
			struct strbuf *out, unsigned *told)
{
	struct notes notes = { 0 };
	struct diag d = { 0 };
	struct ds_line l;

	if (ds_line_parse(&l, dialect, cfg->argc, cfg->argv, &notes, &d))
		tell(out, told, name, diag_text(&d));
	else
		ds_line_fini(&l);
	notes_fini(&notes);
	diag_fini(&d);
}

void ds_explain_versions(const struct ds_explain_cfg *cfg, struct strbuf *out)
{
	static const char *const deep[] = { "-o", "-O", NULL };
	unsigned told = 0;

	if (!cfg->argc)
		return;
	try_dialect(cfg, DS_DIALECT_20, "2.0 refuses it: ", out, &told);
	try_dialect(cfg, DS_DIALECT_22, "2.2 refuses it: ", out, &told);
	try_dialect(cfg, DS_DIALECT_23, "2.3 refuses it: ", out, &told);
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++)
		if (ds_explain_has(cfg, changes[i].flag))
			tell(out, &told, "", changes[i].says);
	if (ds_explain_has(cfg, "-r") && ds_explain_has(cfg, "-s"))
		tell(out, &told, "", "before 2.1 -r won over -s; since then both together are an error");
	if (!ds_explain_has(cfg, "-n") && !ds_explain_has(cfg, "-a"))
		tell(out, &told, "", "threads are pinned to the processors in turn (-ag) since 2.0.16");
	if (has_any(cfg, deep))
		tell(out, &told, "",
		     "since 2.2 completions are taken in batches: with more than one I/O in flight, compare "
		     "with "
		     "figures of 2.2 or later only");
}
