/* textlayout.h: the layouts of DISKSPD's text report, and the lines in which they differ. */
#ifndef DISKSPD_TEXTLAYOUT_H
#define DISKSPD_TEXTLAYOUT_H

#include "profile.h"

/* The features of one layout. 2.0 is the layout of DISKSPD before 2.0.17, which old articles and scripts
   use. */
struct ds_layout_form {
	const char *name;    /* the name for --layout */
	const char *program; /* the program that prints it: "DISKSPD 2.2" */
	const char *rate;    /* heading of the throughput column, 10 characters wide */
	bool plain_sizes;    /* sizes of the profile in bytes, and a line for a thread stride of 0 */
	bool one_cache_line; /* one line for software and hardware cache */
	bool short_sizes;    /* sizes of targets: "500MB" */
	bool ports;          /* a line about completion ports or routines */
	bool system;         /* a part about the machine */
	bool proc_count;     /* the number of processors with each time span */
	bool wide_cpus;      /* table of processors: a wider column for the kernel, none for groups */
	bool io_wait;        /* table of processors: a column for waiting for I/O */
	bool stddev_first;   /* IopsStdDev stands before AvgLat */
	bool chart_titles;   /* percentiles have a title, and each target its table */
	unsigned nines;      /* the last row of percentiles before the maximum */
};

const struct ds_layout_form *ds_layout_form(unsigned layout);
/* Finds a layout by its name: "2.2", "2.3", "2.0", "linux-port". Returns 0 or -EINVAL. */
int ds_layout_of(const char *name, enum ds_layout *out);
/* The layout that a dialect prints by default. */
enum ds_layout ds_layout_default(enum ds_dialect dialect);

#endif
