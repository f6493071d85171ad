/* textlayout.h: the layouts of DISKSPD's text report, and in which lines they differ. */
#ifndef DISKSPD_TEXTLAYOUT_H
#define DISKSPD_TEXTLAYOUT_H

#include "profile.h"

/* What one layout has. 2.0 is that of DISKSPD before 2.0.17, which old articles and their scripts know. */
struct ds_layout_form {
	const char *name;    /* as --layout has it */
	const char *program; /* whose form it is: "DISKSPD 2.2" */
	const char *rate;    /* heading of the column of throughput, 10 characters wide */
	bool plain_sizes;    /* the profile's sizes in bytes, and a thread stride of 0 too */
	bool one_cache_line; /* software and hardware cache in one line */
	bool short_sizes;    /* of targets: "500MB" */
	bool ports;          /* says whether completion ports or routines are used */
	bool system;         /* has a part about the machine */
	bool proc_count;     /* ... or only the number of its processors, with each time span */
	bool wide_cpus;      /* table of processors: a wider column for the kernel, none for their place */
	bool io_wait;        /* ... and one for waiting for I/O */
	bool stddev_first;   /* IopsStdDev stands before AvgLat */
	bool chart_titles;   /* percentiles have a title, and a table for each target */
	unsigned nines;      /* the last row of percentiles before the maximum */
};

const struct ds_layout_form *ds_layout_form(unsigned layout);
/* "2.2", "2.3", "2.0", "linux-port". 0 or -EINVAL. */
int ds_layout_of(const char *name, enum ds_layout *out);
/* The one that a dialect prints unless another is asked for. */
enum ds_layout ds_layout_default(enum ds_dialect dialect);

#endif
