/* line.h: a DISKSPD command line -> profile. Accepts and refuses the same lines as DISKSPD in the chosen
   dialect, including its loose forms of numbers. An error names the option and the correction. Pure:
   opens no file and maps no path. */
#ifndef DISKSPD_LINE_H
#define DISKSPD_LINE_H

#include "diag.h"
#include "profile.h"

/* The output that -R selects. */
enum ds_show { DS_SHOW_RUN, DS_SHOW_PROFILE /* -Rp */, DS_SHOW_SYSTEM /* -Rs */ };

/* The named events of -y; NULL: none. */
struct ds_signals {
	char *start, *finish; /* -ys -yf: set when the run starts, and when it is done */
	char *wait, *stop;    /* -yr -yp: wait for it before the start; it ends the run */
	char *set;            /* -ye: set it and do nothing else */
};

/* A parsed command line: the profile, and the options that a profile cannot hold. The profile's arena
   owns the strings. */
struct ds_line {
	struct ds_profile profile; /* one span; with -X its targets only replace *1 *2 ... */
	enum ds_dialect dialect;
	bool usage;        /* -?: print the usage text, exit code 0 */
	bool no_arguments; /* the line is empty: print the usage text, exit code 3 */
	enum ds_show show;
	struct ds_signals signals;
	char engine;      /* linux-port: 'k' for -xk (libaio), 'p' for -xp (POSIX AIO); 0: not given */
	bool keeps_files; /* linux-port: -c keeps a file that is large enough */
	char *xml_file;   /* -X: the profile to run; NULL: none. Options that override it: */
	bool warmup_given, duration_given, cooldown_given, seed_given, format_given;
	bool verbose_given, verbose_stats_given, experiments_given;
};

/* Parses the arguments after the program's name. Returns 0, or -errno with d for the user; then *l needs no
   fini. Without -X the profile is complete and checked (profile_check.c). With usage, no_arguments,
   signals.set or DS_SHOW_SYSTEM it may have no target. A distribution (-rd) has its implied last range as a
   range of its own; with DS_ABSOLUTE its length 0 means the rest of the target. */
int ds_line_parse(struct ds_line *l, enum ds_dialect dialect, int argc, const char *const *argv,
		  struct notes *notes, struct diag *d);
void ds_line_fini(struct ds_line *l);

/* Applies the options that override a profile (-W -d -C -z -v -R -: and the targets that replace *1 *2 ...)
   to the profile of -X, and checks the result. The number of targets must fit; with -Rp there may be fewer.
   Returns 0 or -errno with d. */
int ds_line_apply(const struct ds_line *l, struct ds_profile *xml, struct notes *notes, struct diag *d);

/* Finds a dialect by its name: "2.3", "2.2", "2.0", "linux-port". Returns 0 or -EINVAL. */
int ds_dialect_of(const char *name, enum ds_dialect *out);
const char *ds_dialect_name(enum ds_dialect dialect);

/* Adds the last range that DISKSPD implies after -rd: the rest of the I/O goes to the rest of the target.
   Does nothing if no I/O or no target is left. Returns false if memory is short. */
bool ds_add_last_range(struct ds_profile *p, struct ds_target *t);

#endif
