/* sections.h: sections of options -> jobs: which option goes to whom.

   A job is made of layers: the command line's defaults, the [global]s before it, the section itself, the
   --set options. Options that the core does not know wait until the job's engine is known, and are tried
   there; one that comes from outside the section is left to other jobs when this job's engine has no use for
   it. */
#ifndef SECTIONS_H
#define SECTIONS_H

#include "jobfile.h"

#define COMMAND_LINE "command line"

/* A growing list of texts that someone else owns. */
struct texts {
	const char **v;
	size_t n, cap;
};

struct sections {
	struct job_set *set;
	struct diag *d;
	struct raw_section *defaults; /* of the command line */
	struct raw_section *sets;     /* --set */
	const struct texts *only;     /* --section; empty: all */
	struct {
		struct raw_section **v;
		size_t n, cap;
	} layers;           /* in force */
	struct texts names; /* of the sections seen, for the error about --section */
	unsigned files;     /* and 1 for the jobs of the command line */
	size_t jobs_cap;
};

/* The jobs that --name opened. 0 or -errno with d, as all that follows. */
int sections_command_line(struct sections *s, struct jobfile *jobs);
/* The jobs of one file. first: the command line's defaults are for it. */
int sections_file(struct sections *s, struct jobfile *f, bool first);
/* What can be judged only when all jobs are there; then the rules that join options. */
int sections_finish(struct sections *s);
/* Releases the lists, not the job set. */
void sections_fini(struct sections *s);

/* All tables of option names: flags (may be NULL), core, every engine. n is set. */
#define TABLES_MAX 64
void option_tables(const struct opt_table *flags, const struct opt_table *tables[TABLES_MAX], unsigned *n);
/* "unknown option 'iodpeth'; did you mean 'iodepth'?" with `dashes` before each name. */
int unknown_option(const struct opt_table *flags, const char *dashes, const char *name, struct diag *d);

#endif
