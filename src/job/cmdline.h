/* cmdline.h: arguments -> job set. Follows fio's scoping: options before the first job file or --name are
   defaults for the first file, and the file overrides them; --name= opens a job. --set NAME=VALUE (fiord
   only) overrides every section of every file, and a note names the line that it overrides. */
#ifndef CMDLINE_H
#define CMDLINE_H

#include "job.h"
#include "jobfile.h"

enum cmdline_verb {
	VERB_RUN, /* run (or parse-only, showcmd: see set->run) */
	VERB_CHECK,
	VERB_HELP,  /* fiord help [WORD...], --help WORD; topic: the words, or NULL */
	VERB_USAGE, /* no arguments: print how to begin */
	VERB_VERSION,
	VERB_CMDHELP, /* --cmdhelp[=OPT|all]; topic */
	VERB_INFLATE, /* --inflate-log=FILE; topic */
	VERB_ENGHELP, /* --enghelp[=ENGINE[,OPT]]; topic */
};

struct cmdline {
	enum cmdline_verb verb;
	const char *topic; /* NULL, or in the job set's arena */
};

/* Returns whether the program was started under the name fio. */
bool cmdline_as_fio(const char *program);
/* argv[0] is the program. The caller zeroes *set and frees it in any case; after an error it is incomplete.
   Returns 0, or -errno with d ("jobs/db.fio:12: bs=4q: not a size ..."). */
int cmdline_parse(struct cmdline *c, struct job_set *set, int argc, char *const *argv, struct diag *d);
/* Does the same with job text from another source. */
int cmdline_parse_from(const struct jobfile_source *from, struct cmdline *c, struct job_set *set, int argc,
		       char *const *argv, struct diag *d);

/* A job file that is compiled in. The job options on the command line override it, like those of --set. */
struct cmdline_preset {
	const char *name, *reading; /* for the job set; the caller keeps them until it has freed the set */
	const char *path;           /* for the source, and for messages */
	int first;                  /* argv[first] is the first option */
	enum cmdline_verb verb;     /* VERB_RUN or VERB_CHECK */
};
/* Does the same as cmdline_parse_from for `fiord preset NAME OPTION...`. */
int cmdline_parse_preset(const struct cmdline_preset *preset, const struct jobfile_source *from,
			 struct cmdline *c, struct job_set *set, int argc, char *const *argv, struct diag *d);

/* The verbs, for suggestions; ends with NULL. */
extern const char *const cmdline_verbs[];

/* Prints one command line that gives the same jobs (fio's --showcmd). */
void cmdline_show(const struct job_set *set, struct strbuf *out);

#endif
