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

/* resolve.c: the rules that join options. Each rule is a named function and runs once for every job, after
   all of its options are known. */

/* Applies the rules to one job and adds notes. Returns 0 or -errno with d, which names file and line of the
   option. */
int resolve_job(struct job_set *set, struct job *job, struct diag *d);
/* Checks all jobs together: their number with clones, thread groups and events. Returns 0 or -errno with d.
 */
int resolve_count(struct job_set *set, struct diag *d);

/* section_job.c: one job from the layers of its section (sections.h). */

/* The source of a layer's options, which messages show. */
enum origin { FROM_DEFAULTS, FROM_GLOBAL, FROM_SECTION, FROM_SET };

/* Assembles the job of a section and adds it to the set. All return 0 or -errno with s->d. */
int section_make_job(struct sections *s, struct raw_section *sec, bool first_of_file);
/* Applies all layers in force without a job: checks the options that no job used, and collects JSON's "global
   options". */
int section_check_layers(struct sections *s);
/* Refuses engine options from outside the sections that no job used. */
int section_refuse_unused(struct sections *s, struct raw_section *layer, enum origin from);

#endif
