/* genman: a page's scdoc text with the references of the rows filled in.

   Usage: genman PAGE.scd PROSE_DIR. A line @flags@, @options@, @engines@ or @others@ stands for the flags of
   the command line, the job options that work, the engines' own options, and the names of fio's that do not
   work. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmdline_flags.h"
#include "doc.h"
#include "engine.h"
#include "rows.h"

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

static void expand(const char *line, const char *prose_dir, struct strbuf *out)
{
	if (strcmp(line, "@flags@\n") == 0)
		doc_scd(&cmdline_flags, "--", NULL, out);
	else if (strcmp(line, "@options@\n") == 0)
		doc_scd(&job_options, "", prose_dir, out);
	else if (strcmp(line, "@engines@\n") == 0)
		engines(prose_dir, out);
	else if (strcmp(line, "@others@\n") == 0)
		doc_scd_others(&job_options, out);
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
