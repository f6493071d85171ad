/* explain_versions.c: explains how other versions of DISKSPD read the same line: which ones refuse it,
   and which options had another meaning. For lines of old articles, and for comparisons with old
   results. */
#include <stddef.h>
#include "explain.h"
#include "strbuf.h"

/* A change between versions that concerns lines with `flag`. */
struct change {
	const char *flag;
	const char *text;
};

/* clang-format off */
static const struct change changes[] = {
	{ "-h", "-h is unbuffered with write-through since 2.0.11 (2014); since 2.0.16 its name is -Sh" },
	{ "-si", "-si came with 2.0.15" },
	{ "-Sh", "-Sh came with 2.0.16; before, it was -h" },
	{ "-ft", "-ft came with 2.0.16" },
	{ "-Su", "letters after -S came with 2.0.17; before, -S alone was unbuffered" },
	{ "-Sw", "letters after -S came with 2.0.17; before, only -h had write-through" },
	{ "-O", "-O came with 2.0.20" },
	{ "-Zr", "-Zr came with 2.0.20" },
	{ "-Sm", "-Sm came with 2.0.21" },
	{ "-rs", "-rs came with 2.1; before, all I/O was random or none" },
	{ "-rd", "-rd came with 2.1; before, random I/O was uniform" },
	{ "-Rp", "-Rp came with 2.1" },
	{ "-vs", "-vs came with 2.2" },
};
/* clang-format on */

static bool has_any(const struct ds_explain_cfg *cfg, const char *const *flags)
{
	for (; *flags; flags++)
		if (ds_explain_has(cfg, *flags))
			return true;
	return false;
}

static void add_remark(struct strbuf *out, unsigned *remarks, const char *what, const char *text)
{
	strbuf_printf(out, "%s  - %s%s\n", (*remarks)++ ? "" : "  in other versions:\n", what, text);
}

/* Parses the line again in another dialect, and adds its error if that dialect refuses it. */
static void check_dialect(const struct ds_explain_cfg *cfg, enum ds_dialect dialect, const char *name,
			  struct strbuf *out, unsigned *remarks)
{
	struct notes notes = { 0 };
	struct diag d = { 0 };
	struct ds_line l;

	if (ds_line_parse(&l, dialect, cfg->argc, cfg->argv, &notes, &d))
		add_remark(out, remarks, name, diag_text(&d));
	else
		ds_line_fini(&l);
	notes_fini(&notes);
	diag_fini(&d);
}

void ds_explain_versions(const struct ds_explain_cfg *cfg, struct strbuf *out)
{
	static const char *const depth_flags[] = { "-o", "-O", NULL };
	unsigned remarks = 0;

	if (!cfg->argc)
		return;
	check_dialect(cfg, DS_DIALECT_20, "DISKSPD 2.0 refuses the line: ", out, &remarks);
	check_dialect(cfg, DS_DIALECT_22, "DISKSPD 2.2 refuses the line: ", out, &remarks);
	check_dialect(cfg, DS_DIALECT_23, "DISKSPD 2.3 refuses the line: ", out, &remarks);
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++)
		if (ds_explain_has(cfg, changes[i].flag))
			add_remark(out, &remarks, "", changes[i].text);
	if (ds_explain_has(cfg, "-r") && ds_explain_has(cfg, "-s"))
		add_remark(out, &remarks, "",
			   "before 2.1 -r overrode -s; since then both together are an error");
	if (!ds_explain_has(cfg, "-n") && !ds_explain_has(cfg, "-a"))
		add_remark(out, &remarks, "",
			   "threads are pinned to the processors in turn (-ag) since 2.0.16");
	if (has_any(cfg, depth_flags))
		add_remark(out, &remarks, "",
			   "since 2.2 DISKSPD reaps completions in batches: with more than one I/O in "
			   "flight, compare only with results of 2.2 or later");
}
