/* line.h: a DISKSPD command line -> profile. Accepts what DISKSPD of the chosen dialect accepts, loose forms
   included, and refuses what it refuses with one text that names the option and the fix. Pure: opens nothing,
   maps no path. */
#ifndef DISKSPD_LINE_H
#define DISKSPD_LINE_H

#include "diag.h"
#include "profile.h"

/* What -R asks for. */
enum ds_show { DS_SHOW_RUN, DS_SHOW_PROFILE /* -Rp */, DS_SHOW_SYSTEM /* -Rs */ };

/* Named events: -y. NULL: none. */
struct ds_signals {
	char *start, *finish; /* -ys -yf: set when the run starts, when it is done */
	char *wait, *stop;    /* -yr -yp: wait for it before the start; end the run when it is set */
	char *set;            /* -ye: set it, do nothing else */
};

/* A command line: the profile, and what is no part of a profile. Strings are in the profile's arena. */
struct ds_line {
	struct ds_profile profile; /* one span; under -X its targets are only the substitutes of *1 *2 ... */
	enum ds_dialect dialect;
	bool usage;        /* -?: print the usage text, exit code 0 */
	bool no_arguments; /* no argument at all: usage text, exit code 3 */
	enum ds_show show;
	struct ds_signals signals;
	char engine;      /* linux-port: 'k' -xk libaio, 'p' -xp POSIX aio; 0: not said */
	bool keeps_files; /* linux-port: -c keeps a file that is large enough */
	char *xml_file;   /* -X: the profile to run; NULL: none. What follows was given and overrides it: */
	bool warmup_given, duration_given, cooldown_given, seed_given, format_given;
	bool verbose_given, verbose_stats_given, experiments_given;
};

/* argv has no program name. 0, or -errno with d worded for the user; then *l needs no fini. Without -X the
   profile is checked (profile_check.h) and complete; with usage, empty, signals.set or DS_SHOW_SYSTEM it may
   have no target. In the profile -rd has its tail as a range of its own (of 0 bytes in DS_ABSOLUTE: the
   rest). */
int ds_line_parse(struct ds_line *l, enum ds_dialect dialect, int argc, const char *const *argv,
		  struct notes *notes, struct diag *d);
void ds_line_fini(struct ds_line *l);

/* Puts what the line says (-W -d -C -z -v -R -: and the substitutes) into the profile that -X named, and
   checks the result. Too many or too few substitutes are refused, with `templates` (-Rp) too few are not. */
int ds_line_apply(const struct ds_line *l, struct ds_profile *xml, struct notes *notes, struct diag *d);

/* "2.3", "2.2", "2.0", "linux-port". */
int ds_dialect_of(const char *name, enum ds_dialect *out);
const char *ds_dialect_name(enum ds_dialect dialect);

/* Adds the range that -rd leaves unsaid (the rest of the I/O, the rest of the target), if any is left.
   False when memory is short. */
bool ds_add_last_range(struct ds_profile *p, struct ds_target *t);

#endif
