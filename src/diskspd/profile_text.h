/* profile_text.h: the profile in DISKSPD's text report ("Input parameters:"), in any of its layouts; -Rp
   prints the same. Pure. */
#ifndef DISKSPD_PROFILE_TEXT_H
#define DISKSPD_PROFILE_TEXT_H

#include "profile.h"
#include "units.h"

struct strbuf;

/* Adds everything from the empty line before "Command Line:" to the empty line behind the last time span.
   `command` is argv joined with blanks. */
void ds_profile_text(const struct ds_profile *p, const char *command, enum ds_layout layout,
		     struct strbuf *out);
/* Returns a size as the whole report prints sizes: "64KiB", "1.95MiB", "512". */
struct units_text ds_profile_text_size(uint64_t bytes);

/* ---- textlayout.c: the layouts of DISKSPD's text report, and the lines in which they differ. ---- */

/* The DISKSPD version of the formats, for scripts that check it. */
#define DISKSPD_VERSION "2.2.0"
#define DISKSPD_DATE    "2024/6/3"

/* The part "System information:" has the computer's name and the start time, or also counts of processors. */
enum ds_system { DS_SYSTEM_NONE, DS_SYSTEM_NAME, DS_SYSTEM_CPUS };
/* The tables of percentiles: a single one; one for each target below its path, and "total:"; the same with
 * titles. */
enum ds_charts { DS_CHARTS_ONE, DS_CHARTS_PATHS, DS_CHARTS_TITLED };

/* The features of one layout. 2.0 is the layout of DISKSPD before 2.0.17, which old articles and scripts use.
   Of diskspd-for-linux only the names are here: its report has little in common with the others. */
struct ds_layout_form {
	const char *name;    /* the name for --layout */
	const char *program; /* the program that prints it: "DISKSPD 2.2" */
	const char *rate;    /* heading of the throughput column, 10 characters wide */
	bool plain_sizes;    /* before 2.1: sizes of the profile in bytes, a line for a thread stride of 0, no
				lines about a pool of threads */
	bool one_cache_line; /* one line for software and hardware cache */
	const char *short_unit; /* sizes of targets in whole units: "500MB" or "500MiB"; NULL: as in the
				   profile */
	enum ds_system system;
	bool proc_count; /* the number of processors with each time span */
	bool wide_cpus;  /* table of processors: a wider column for the kernel, no cores */
	enum ds_charts charts;
	unsigned nines; /* the last row of percentiles before the maximum */
};

const struct ds_layout_form *ds_layout_form(unsigned layout);
/* Finds a layout by its name: "2.2", "2.0.17", "linux-port" .... Returns 0 or -EINVAL. */
int ds_layout_of(const char *name, enum ds_layout *out);
/* The layout that a dialect prints by default. */
enum ds_layout ds_layout_default(enum ds_dialect dialect);

#endif
