/* genman: a page's scdoc text with the references of the rows filled in.

   Usage: genman PAGE.scd PROSE_DIR. A line @flags@, @options@ or @engines@ stands for the flags of the
   command line, the job options and the engines' own options that work; @other_flags@, @other_options@,
   @other_engines@ and @foreign_options@ for those of fio that do not work, with the reasons; @diskspd@ for
   DISKSPD's options and what becomes of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline_flags.h"
#include "doc.h"
#include "engine.h"
#include "flags.h"
#include "rows.h"
#include "strbuf.h"

/* Each engine under a heading, with its options. */
static void engines(const char *prose_dir, struct strbuf *out)
{
	for (const struct engine *const *e = engine_table; *e; e++) {
		strbuf_printf(out, "## %s\n\n%s.\n\n", (*e)->name, (*e)->help);
		if (!(*e)->opts)
			continue;
		for (const struct opt_row *row = (*e)->opts->rows; row->name; row++) {
			if (row->status == OPT_WORKS)
				doc_scd_row(row, "", prose_dir, out);
		}
	}
}

/* fio's engines that this fiord does not include, each with the reason. */
static void other_engines(struct strbuf *out)
{
	const char *name, *why;

	for (unsigned i = 0; (name = engine_missing_at(i, &why)); i++) {
		strbuf_puts(out, "*");
		doc_scd_text(out, name);
		strbuf_puts(out, "*\n\t");
		doc_scd_text(out, why);
		strbuf_puts(out, "\n\n");
	}
}

/* Returns whether an engine of this fiord has the option. */
static bool works_in_engine(const struct opt_row *foreign)
{
	for (const struct engine *const *e = engine_table; *e; e++) {
		const struct opt_row *row = (*e)->opts ? opt_find((*e)->opts, foreign->name) : NULL;

		if (row && row->status == OPT_WORKS)
			return true;
	}
	return false;
}

/* Which versions have it, if not all. */
static void diskspd_since(const struct ds_flag *f, struct strbuf *out)
{
	const char *text = f->dialects == DS_PORT               ? "diskspd-for-linux only."
			   : f->dialects & DS_IN(DS_DIALECT_20) ? NULL
			   : f->dialects & DS_IN(DS_DIALECT_22) ? "Since 2.1."
								: "Since 2.3.";

	if (text)
		strbuf_printf(out, "%s ", text);
}

/* As a sentence. */
static void diskspd_help(const char *help, struct strbuf *out)
{
	char first[2] = { *help, '\0' };

	if (*first >= 'a' && *first <= 'z')
		*first = (char)(*first - 'a' + 'A');
	doc_scd_text(out, first);
	doc_scd_text(out, *help ? help + 1 : "");
}

/* DISKSPD's options: what they mean, what they become, how exactly. */
static void diskspd_flags(struct strbuf *out)
{
	static const char *const support[] = { "the same", "nearly the same load", "without effect" };

	for (size_t i = 0; i < ds_flag_count; i++) {
		const struct ds_flag *f = &ds_flags[i];

		strbuf_puts(out, "*");
		doc_scd_text(out, f->form);
		strbuf_puts(out, "*");
		doc_scd_text(out, f->value);
		strbuf_puts(out, "\n\t");
		diskspd_since(f, out);
		diskspd_help(f->help, out);
		strbuf_puts(out, ". Job: ");
		doc_scd_text(out, *f->option ? f->option : "nothing");
		strbuf_printf(out, " (%s%s", support[f->support], *f->why ? ": " : "");
		doc_scd_text(out, f->why);
		strbuf_puts(out, ").\n\n");
	}
}

static void expand(const char *line, const char *prose_dir, struct strbuf *out)
{
	if (strcmp(line, "@flags@\n") == 0)
		doc_scd(&cmdline_flags, "--", NULL, out);
	else if (strcmp(line, "@options@\n") == 0)
		doc_scd(&job_options, "", prose_dir, out);
	else if (strcmp(line, "@engines@\n") == 0)
		engines(prose_dir, out);
	else if (strcmp(line, "@diskspd@\n") == 0)
		diskspd_flags(out);
	else if (strcmp(line, "@other_flags@\n") == 0)
		doc_scd_others(&cmdline_flags, "--", NULL, out);
	else if (strcmp(line, "@other_options@\n") == 0)
		doc_scd_others(&job_options, "", NULL, out);
	else if (strcmp(line, "@other_engines@\n") == 0)
		other_engines(out);
	else if (strcmp(line, "@foreign_options@\n") == 0)
		doc_scd_others(&foreign_options, "", works_in_engine, out);
	else
		strbuf_puts(out, line);
}

int main(int argc, char **argv)
{
	struct strbuf out = { 0 };
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	if (argc != 3) {
		fprintf(stderr, "usage: genman PAGE.scd PROSE_DIR\n");
		return 2;
	}
	f = fopen(argv[1], "re");
	if (!f) {
		fprintf(stderr, "genman: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	while (getline(&line, &size, f) > 0)
		expand(line, argv[2], &out);
	fclose(f);
	free(line);
	if (out.failed || fputs(strbuf_str(&out), stdout) < 0 || fflush(stdout)) {
		fprintf(stderr, "genman: could not write\n");
		return 1;
	}
	strbuf_fini(&out);
	return 0;
}
