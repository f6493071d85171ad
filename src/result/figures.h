/* figures.h: the figures of a result as rows: name, unit, where the value is, and what a run needs to have
   it. The names are the keys of the JSON document, with periods between those of nested objects, and short
   names for some of them. */
#ifndef FIGURES_H
#define FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "limit.h"

/* The struct that holds the value. */
enum figure_of {
	FIGURE_LAT,  /* struct summary_lat; of each direction and of syncs */
	FIGURE_DIR,  /* struct summary_dir */
	FIGURE_SYNC, /* struct summary */
	FIGURE_JOB,  /* struct result_job */
	FIGURE_DISK, /* struct result_disk */
	FIGURE_RUN,  /* struct result */
	/* Of entries of lists (src/assert/figure_lists.h). Priorities have FIGURE_LAT, files also
	   FIGURE_FILE. */
	FIGURE_STEP,       /* struct result_rate_step */
	FIGURE_STEP_DIR,   /* struct result_step_dir */
	FIGURE_STEP_LAT,   /* struct step_lat_figures */
	FIGURE_FILE,       /* struct file_dir */
	FIGURE_DEPTH_STEP, /* struct result_depth_step */
	FIGURE_SAMPLE,     /* struct figure_sample */
	FIGURE_CPU,        /* struct result_cpu */
	FIGURE_LOST,       /* struct result_lost_io */
	FIGURE_DAMAGE,     /* struct result_damage */
	FIGURE_INTERVAL,   /* struct figure_interval */
	FIGURE_HOST,       /* struct result_host */
	FIGURE_WAVE,       /* struct result_host_wave */
};

/* What a figure or a list is a part of: an entry of the report, a disk, the whole run, a rank of a run on
   several hosts, or a group of the series. */
enum figure_part { PART_JOB, PART_DISK, PART_RUN, PART_HOST, PART_GROUP };
/* The keys before the parts, "disk_util"; "a job" for jobs. */
extern const char *const figure_part_name[];

enum figure_type { FIGURE_U64, FIGURE_DOUBLE, FIGURE_UNSIGNED, FIGURE_INT, FIGURE_BOOL, FIGURE_PERCENTILE };

/* What a job needs to have the figure, or what must have happened for it to be measured. */
enum figure_needs {
	NEEDS_NOTHING,
	NEEDS_IO,          /* an I/O was measured */
	NEEDS_TIME,        /* the job ran */
	NEEDS_BW_SAMPLE,   /* the row of bandwidths has a sample */
	NEEDS_IOPS_SAMPLE, /* the row of IOPS has a sample */
	NEEDS_CPU,         /* the CPU time of the workers is known */
	NEEDS_RATE,        /* the direction has a rate */
	NEEDS_RATE_OPEN,
	NEEDS_VERIFY,
	NEEDS_STEADY,
	NEEDS_STEADY_WINDOW, /* the window of steadystate has a sample */
	NEEDS_STEADY_LAT,    /* its samples are latencies */
	NEEDS_ATTAINED,      /* the job became steady */
	NEEDS_TARGET,        /* the job has latency_target */
	NEEDS_ANSWER,        /* its search has an answer */
	NEEDS_ZONES,         /* zonemode=zbd */
	NEEDS_LOG,           /* a log has an entry for each I/O */
	NEEDS_MEMBERS,       /* the disk has member disks */
	NEEDS_IDLE_PROF,
	NEEDS_IDLE_CPUS, /* the idle times of single CPUs are known */
	NEEDS_STEP_BINS, /* the step has percentiles */
	NEEDS_WAVES,     /* the rank measured something */
	NEEDS_LATENESS,  /* it is known how late it started */
	NEEDS_LATE_HOST, /* the rank took longer than others */
	NEEDS_SLOW_HOST, /* the rank moved less data than others */
	NEEDS_DATA,      /* the direction is not that of syncs */
	FIGURE_NEEDS
};

struct figure {
	const char *name;
	enum figure_of of;
	enum limit_unit unit;
	enum figure_type type;
	size_t offset;
	double scale; /* the stored value times this is in the base unit of `unit` */
	enum figure_needs needs;
};

/* A sample of steadystate. */
struct figure_sample {
	uint64_t iops, bw, lat_ns;
};

/* An interval of the series. n: I/Os with this latency; mean: with the one decimal of the document. */
struct figure_interval {
	uint64_t ios, bytes, errors;
	struct figure_interval_lat {
		uint64_t n, min, max;
		double mean;
	} lat, resp;
};

#define FIGURES_MAX 256
extern const struct figure figures[];         /* ends with a name of NULL */
extern const struct figure figure_percentile; /* of latencies; its value depends on the percentile */

enum figure_part figure_part(const struct figure *figure);
/* Return whether it is of a direction, and of a kind of latency. */
bool figure_has_dir(const struct figure *figure);
bool figure_has_kind(const struct figure *figure);
/* Returns the value at `from`, the struct that figure->of names, in its unit and with the six decimals of the
   document, so that a limit taken from a document is met exactly. */
double figure_value(const struct figure *figure, const void *from);
/* Returns the figure whose name ends at `end`, and begins at *at, which is `name` or follows a period. The
   longest name counts. `of`: bits of figure_of. NULL: there is none. */
const struct figure *figure_find(const char *name, const char *end, unsigned of, const char **at);

#endif
