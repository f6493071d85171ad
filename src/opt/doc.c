#include "doc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "types.h"

static const char *status_text(const struct opt_row *row)
{
	static const char *const text[] = {
		[OPT_WORKS] = "supported",
		[OPT_REFUSED] = "not supported",
		[OPT_NOTED] = "accepted with a note",
	};

	return text[row->status];
}

/* Returns the unit of a number without a suffix; NULL if there is none. */
static const char *bare_unit(const struct opt_row *row)
{
	switch (row->unit_ns) {
	case OPT_S:
		return "seconds";
	case OPT_MS:
		return "milliseconds";
	case OPT_US:
		return "microseconds";
	}
	return NULL;
}

/* Returns the line of help, or the reason for an option that does not work. */
static const char *help_text(const struct opt_row *row)
{
	return row->help ? row->help : row->why ? row->why : "";
}

void doc_line(const struct opt_row *row, struct strbuf *out)
{
	strbuf_printf(out, "%-28s: %s", row->name, help_text(row));
	if (row->status != OPT_WORKS)
		strbuf_printf(out, " [%s]", status_text(row));
	strbuf_putc(out, '\n');
}

static void doc_type(const struct opt_type *t, struct strbuf *out)
{
	strbuf_printf(out, "%12s: %s", "type", t->name);
	if (t->accepts)
		strbuf_printf(out, " (%s)", t->accepts);
	strbuf_putc(out, '\n');
}

void doc_choice(const struct opt_choice *c, const char **last, struct strbuf *out)
{
	const char *label = c->value >= 0 ? "values" : "refused";

	strbuf_printf(out, "%12s: ", *last && !strcmp(*last, label) ? "" : label);
	if (c->help || c->why)
		strbuf_printf(out, "%-14s %s%s%s\n", c->name, c->help ? c->help : "",
			      c->help && c->why ? ": " : "", c->why ? c->why : "");
	else
		strbuf_printf(out, "%s\n", c->name);
	*last = label;
}

static void doc_choices(const struct opt_row *row, enum doc_choices which, struct strbuf *out)
{
	const char *last = NULL;

	for (const struct opt_choice *c = row->choices; c && c->name; c++)
		if (c->value >= 0 || which == DOC_ALL)
			doc_choice(c, &last, out);
}

int doc_option(const struct opt_row *row, enum doc_choices which, struct strbuf *out)
{
	struct strbuf range = { 0 };

	strbuf_printf(out, "%12s: %s\n", row->name, help_text(row));
	for (size_t i = 0; i < sizeof(row->alias) / sizeof(row->alias[0]) && row->alias[i]; i++)
		strbuf_printf(out, "%12s: %s\n", "alias", row->alias[i]);
	if (row->type)
		doc_type(row->type, out);
	if (bare_unit(row))
		strbuf_printf(out, "%12s: %s\n", "unit", bare_unit(row));
	doc_choices(row, which, out);
	if (row->def)
		strbuf_printf(out, "%12s: %s\n", "default", row->def);
	if (opt_print_range(row, &range))
		strbuf_printf(out, "%12s: %s\n", "range", strbuf_str(&range));
	strbuf_printf(out, "%12s: %s%s%s\n", "status", status_text(row), row->why ? ": " : "",
		      row->why ? row->why : "");
	strbuf_fini(&range);
	return out->failed ? -ENOMEM : 0;
}

void doc_list(const struct opt_table *t, struct strbuf *out, bool all)
{
	for (const struct opt_row *row = t->rows; row->name; row++) {
		if (!all) {
			doc_line(row, out);
			continue;
		}
		doc_option(row, DOC_USABLE, out);
		strbuf_putc(out, '\n');
	}
}

void doc_scd_text(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\*_<>#`+[]|", *text))
			strbuf_putc(out, '\\');
		strbuf_putc(out, *text);
	}
}

static void scd_bold(struct strbuf *out, const char *dashes, const char *text)
{
	/* A letter alone takes one dash. */
	strbuf_printf(out, "*%s", *dashes && !text[1] ? dashes + 1 : dashes);
	doc_scd_text(out, text);
	strbuf_putc(out, '*');
}

static void scd_head(const struct opt_row *row, const char *dashes, struct strbuf *out)
{
	/* A flag needs no value. Other bare words, such as write_lat_log, may have one. */
	bool optional = row->bare && (row->word || row->choices);

	scd_bold(out, dashes, row->name);
	if (!row->bare || optional) {
		strbuf_puts(out, optional ? "\\[=_" : "=_");
		doc_scd_text(out, row->type->name);
		strbuf_puts(out, optional ? "_\\]" : "_");
	}
	strbuf_putc(out, '\n');
}

static void scd_facts(const struct opt_row *row, const char *dashes, struct strbuf *out)
{
	struct strbuf range = { 0 };

	strbuf_putc(out, '\t');
	doc_scd_text(out, row->help);
	strbuf_puts(out, ".");
	for (size_t i = 0; i < sizeof(row->alias) / sizeof(row->alias[0]) && row->alias[i]; i++) {
		strbuf_puts(out, i ? ", " : " Also: ");
		scd_bold(out, dashes, row->alias[i]);
	}
	strbuf_puts(out, *row->alias ? "." : "");
	if (bare_unit(row))
		strbuf_printf(out, " Unit: %s.", bare_unit(row));
	if (row->def) {
		strbuf_puts(out, " Default: ");
		doc_scd_text(out, row->def);
		strbuf_puts(out, ".");
	}
	if (opt_print_range(row, &range)) {
		strbuf_puts(out, " Range: ");
		doc_scd_text(out, strbuf_str(&range));
		strbuf_puts(out, ".");
	}
	strbuf_puts(out, "\n\n");
	strbuf_fini(&range);
}

static void scd_choice(const struct opt_choice *c, struct strbuf *out)
{
	strbuf_puts(out, "\t- ");
	scd_bold(out, "", c->name);
	strbuf_puts(out, c->help ? ": " : "");
	doc_scd_text(out, c->help ? c->help : "");
	if (c->value == CHOICE_REFUSED) {
		strbuf_puts(out, c->help ? "; not supported: " : ": not supported: ");
		doc_scd_text(out, c->why ? c->why : "");
	}
	strbuf_putc(out, '\n');
}

static void scd_choices(const struct opt_row *row, struct strbuf *out)
{
	for (const struct opt_choice *c = row->choices; c && c->name; c++)
		scd_choice(c, out);
	strbuf_puts(out, row->choices && row->choices->name ? "\n" : "");
}

static void scd_prose(const struct opt_row *row, const char *dir, struct strbuf *out)
{
	struct strbuf path = { 0 };
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	strbuf_printf(&path, "%s/%s.scd", dir, row->name);
	f = fopen(strbuf_str(&path), "re");
	strbuf_fini(&path);
	if (!f)
		return;
	while (getline(&line, &size, f) > 0) {
		if (*line != '\n')
			strbuf_putc(out, '\t');
		strbuf_puts(out, line);
	}
	strbuf_putc(out, '\n');
	free(line);
	fclose(f);
}

void doc_scd_row(const struct opt_row *row, const char *dashes, const char *prose_dir, struct strbuf *out)
{
	scd_head(row, dashes, out);
	scd_facts(row, dashes, out);
	scd_choices(row, out);
	if (prose_dir)
		scd_prose(row, prose_dir, out);
}

/* Returns whether an earlier row that works belongs to the same group. */
static bool group_before(const struct opt_table *t, const struct opt_row *row)
{
	for (const struct opt_row *r = t->rows; r != row; r++) {
		if (r->status == OPT_WORKS && strcmp(r->group, row->group) == 0)
			return true;
	}
	return false;
}

void doc_scd(const struct opt_table *t, const char *dashes, const char *prose_dir, struct strbuf *out)
{
	for (const struct opt_row *first = t->rows; first->name; first++) {
		if (first->status != OPT_WORKS || group_before(t, first))
			continue;
		strbuf_puts(out, "## ");
		doc_scd_text(out, first->group);
		strbuf_puts(out, "\n\n");
		for (const struct opt_row *row = first; row->name; row++) {
			if (row->status == OPT_WORKS && strcmp(row->group, first->group) == 0)
				doc_scd_row(row, dashes, prose_dir, out);
		}
	}
}

/* Returns whether two rows stand together in the list of options that do not work. */
static bool same_reason(const struct opt_row *a, const struct opt_row *b)
{
	return a->status == b->status && a->why && b->why && strcmp(a->why, b->why) == 0;
}

/* Returns whether an earlier row that is not left out has the same status for the same reason. */
static bool reason_before(const struct opt_table *t, const struct opt_row *row,
			  bool (*skip)(const struct opt_row *row))
{
	for (const struct opt_row *r = t->rows; r != row; r++) {
		if (same_reason(r, row) && !(skip && skip(r)))
			return true;
	}
	return false;
}

/* Prints the names of all rows with the same status and reason, then the reason. */
static void scd_reason(const struct opt_row *first, const char *dashes,
		       bool (*skip)(const struct opt_row *row), struct strbuf *out)
{
	const char *sep = "";

	for (const struct opt_row *r = first; r->name; r++) {
		if (!same_reason(r, first) || (skip && skip(r)))
			continue;
		strbuf_puts(out, sep);
		scd_bold(out, dashes, r->name);
		for (size_t i = 0; i < sizeof(r->alias) / sizeof(r->alias[0]) && r->alias[i]; i++) {
			strbuf_puts(out, ", ");
			scd_bold(out, dashes, r->alias[i]);
		}
		sep = ", ";
	}
	strbuf_puts(out, "\n\t");
	doc_scd_text(out, first->why);
	strbuf_puts(out, "\n\n");
}

void doc_scd_others(const struct opt_table *t, const char *dashes, bool (*skip)(const struct opt_row *row),
		    struct strbuf *out)
{
	for (enum opt_status s = OPT_REFUSED; s <= OPT_NOTED; s++) {
		bool titled = false;

		for (const struct opt_row *row = t->rows; row->name; row++) {
			if (row->status != s || (skip && skip(row)) || reason_before(t, row, skip))
				continue;
			if (!titled)
				strbuf_printf(out, "## %s\n\n",
					      s == OPT_REFUSED ? "Not supported" : "Accepted with a note");
			titled = true;
			scd_reason(row, dashes, skip, out);
		}
	}
}
