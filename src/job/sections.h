/* sections.h: sections of options -> jobs.

   A job is assembled from layers: the defaults of the command line, the [global] sections before it, the
   section itself, the --set options. The job's engine is found first, because its table is searched for
   options that the core does not know. If an option of another engine comes from outside the section, the job
   ignores it and another job may use it. */
#ifndef SECTIONS_H
#define SECTIONS_H

#include "jobfile.h"

#define COMMAND_LINE "command line"

/* A growing list. It does not own the texts. */
struct texts {
	const char **v;
	size_t n, cap;
};

struct sections {
	struct job_set *set;
	struct diag *d;
	struct raw_section *defaults; /* of the command line */
	struct raw_section *sets;     /* --set */
	const struct texts *selected; /* --section; empty: all */
	struct {
		struct raw_section **v;
		size_t n, cap;
	} layers;           /* that apply to the next section */
	struct texts names; /* of the sections seen, for the error about --section */
	unsigned files;     /* plus 1 if the command line has jobs */
	size_t jobs_cap;
};

/* Adds the jobs that --name opened. This and the next two return 0 or -errno with d. */
int sections_command_line(struct sections *s, struct jobfile *jobs);
/* Adds the jobs of one file. first: the defaults of the command line apply to it. */
int sections_file(struct sections *s, struct jobfile *f, bool first);
/* Checks all jobs together, and applies the rules that join options. */
int sections_finish(struct sections *s);
/* Releases the lists, not the job set. */
void sections_fini(struct sections *s);

#endif
