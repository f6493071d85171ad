/* cmdline_parts.h: the parts of cmdline.c. Private to src/job. */
#ifndef CMDLINE_PARTS_H
#define CMDLINE_PARTS_H

#include "arena.h"
#include "cmdline_flags.h"
#include "diag.h"
#include "job.h"
#include "sections.h"
#include "vec.h"

/* cmdline_flags.c: the options of the run, as they are parsed. */
struct cmdline_flags {
	struct run_opts run; /* as typed; opt_fini frees its texts */
	bool minimal, append_terse;
	unsigned verb; /* enum cmdline_verb; VERB_RUN: no flag set another one */
	/* The value of the flag that was parsed last; the caller frees it and sets it to NULL. */
	char *section, *set, *output, *assertion;
	bool where;  /* likewise; the caller clears it */
	char *topic; /* of the verb */
};

/* output_args.c: the values of --output, FILE and FORMAT:FILE, and which formats go where. */

struct output_args {
	char *plain, *page;         /* FILE, and the FILE of html:FILE; NULL: not given */
	VEC(struct out_file) files; /* of FORMAT:FILE */
};

/* Adds a value of --output. Of several plain files the last one counts, as in fio. Returns 0 or -errno with
 * d. */
int output_args_add(struct output_args *a, const char *text, struct arena *mem, struct diag *d);
/* Returns standard output, or the plain file, with those of the formats that have no file of their own. */
struct out_file output_args_main(const struct output_args *a, unsigned formats);
/* Fills in run->output, files, report and formats; run->formats are those of --output-format, and run->report
   is the file of --report. mem keeps the list. Returns 0 or -errno with d. */
int output_args_finish(const struct output_args *a, struct run_opts *run, struct arena *mem, struct diag *d);
void output_args_fini(struct output_args *a);

/* cmdline_run.c: the options of the run itself, as they are used (struct run_opts), from those of the command
   line. */

/* Sets set->run; its program and its preset stay. assertions: the values of --assert, which must live as long
   as the set. Returns 0 or -errno with d. */
int cmdline_run_opts(struct job_set *set, const struct cmdline_flags *f, const struct output_args *outputs,
		     const struct texts *assertions, struct diag *d);

#endif
