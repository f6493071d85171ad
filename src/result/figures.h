/* figures.h: the members of the result document as rows: key, type, place, when it is written, what a reader
   accepts; and for figures the unit and what a run needs to have them. The JSON writer (json_figures), the
   reader (read_figures), the pack of another rank (code_figures) and the names of --assert are loops over
   these rows. The names are the keys of the document, with periods between those of nested objects:
   "queue.max" is written as "queue" : { "max" : ... }. The order of the rows is that of the document. */
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
	FIGURE_SPLIT,      /* struct result_split */
	FIGURE_OTHER,      /* struct result_split_other */
	FIGURE_DAMAGE,     /* struct result_damage */
	FIGURE_INTERVAL,   /* struct figure_interval */
	FIGURE_HOST,       /* struct result_host */
	FIGURE_WAVE,       /* struct result_host_wave */
	FIGURE_FACT,       /* no figure: only the document has it */
};

/* What a figure or a list is a part of: an entry of the report, a disk, the whole run, a rank of a run on
   several hosts, or a group of the series. */
enum figure_part { PART_JOB, PART_DISK, PART_RUN, PART_HOST, PART_GROUP };

enum figure_type {
	FIGURE_U64,
	FIGURE_DOUBLE,
	FIGURE_UNSIGNED,
	FIGURE_INT,
	FIGURE_BOOL,
	FIGURE_TEXT,
	FIGURE_LIST,   /* an array of structs; figure.list */
	FIGURE_COLUMN, /* an array of uint64_t; figure.list */
	FIGURE_BINS,   /* struct result_bins, under the key "bins"; only in documents with bins */
	FIGURE_PERCENTILE,
};

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
	NEEDS_SPLIT,         /* the job has latency_split, and was not refused BPF */
	NEEDS_SPLIT_ONE,     /* each of its I/Os became one request */
	NEEDS_COUNTERS,      /* latency_split, and CPUs with counters (cpu_counters.h) */
	NEEDS_REPLAY,        /* read_iolog at times finer than seconds */
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

/* How the document has a value, where that is not the plain one. */
enum figure_form {
	FORM_PLAIN,
	FORM_WHOLE, /* a double without its fraction */
	FORM_BIT,   /* a bool as 0 or 1 */
	FORM_KIB,   /* bytes in KiB */
	FORM_S,     /* ns in seconds */
	FORM_HEX,   /* a string, "0x00000000000000ff" */
};

/* A member of a struct. */
struct figure_member {
	size_t offset, bytes;
};

struct figure {
	const char *name;
	enum figure_of of;
	enum limit_unit unit;
	enum figure_type type;
	size_t offset;
	double scale; /* the stored value times this is in the base unit of `unit` */
	enum figure_needs needs;
	/* Only for the document: */
	enum figure_form form;
	struct figure_member only_if; /* it is written if this member is not 0; without bytes: always */
	bool sets;                    /* a reader who finds it sets only_if, which is a bool */
	bool derived;                 /* readers compute it from other members */
	bool is_signed;               /* a double may be negative */
	bool with_bins;               /* only documents with bins have it */
	uint64_t most;                /* a reader accepts no larger number; 0: any */
	struct {
		const struct figure *rows; /* of an entry; NULL: of a column */
		size_t bytes;              /* the size of an entry */
		struct figure_member n;    /* their number */
		bool shares_n;             /* it is that of another column: the shortest one counts */
	} list;
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

/* The rows of one place in the document. Each table ends with a name of NULL. */
extern const struct figure figures_lat[];       /* struct summary_lat */
extern const struct figure figures_dir[];       /* struct summary_dir: jobs[].read, before the latencies */
extern const struct figure figures_dir_rows[];  /* behind them */
extern const struct figure figures_dir_exact[]; /* jobs[].fiord.read */
extern const struct figure figures_dir_rate[];  /* the same, of a direction with a rate */
extern const struct figure figures_job[];       /* struct result_job: jobs[], behind the directions */
extern const struct figure figures_job_apart[]; /* not in the order of the document */
extern const struct figure figures_job_description[], figures_job_steady[], figures_job_zones[];
extern const struct figure figures_job_fiord[]; /* jobs[].fiord */
extern const struct figure figures_job_lost[], figures_job_lost_io[];
extern const struct figure figures_job_blocks[], figures_job_verify[], figures_job_damage[]; /* verify */
extern const struct figure figures_job_steady_exact[];
extern const struct figure figures_job_placement[], figures_job_placed[];
extern const struct figure figures_job_target[], figures_job_self[];
extern const struct figure figures_job_split[], figures_job_others[];       /* latency_split */
extern const struct figure figures_disk[];                                  /* struct result_disk */
extern const struct figure figures_plan[], figures_clock[], figures_self[]; /* struct result */
extern const struct figure figures_machine[];                               /* struct result_env */
extern const struct figure figures_target[];                                /* struct result_target */
extern const struct figure figures_device[];                                /* struct result_device */
extern const struct figure figures_step[];                                  /* struct result_rate_step */
extern const struct figure figures_step_dir[];                              /* struct result_step_dir */
extern const struct figure figures_step_lat[];                              /* struct step_lat_figures */
extern const struct figure figures_host[], figures_host_waves[];            /* struct result_host */

/* What the spans of DISKSPD's reports point to (spans.h). No document has them: the rows copy them. */
extern const struct figure figures_spans[], figures_spans_list[]; /* struct result_spans */
extern const struct figure figures_span[];                        /* struct result_span */

/* All tables; ends with NULL. */
extern const struct figure *const figure_tables[];
#define FIGURES_EACH(f)                                                                         \
	for (const struct figure *const *tables_##f = figure_tables; *tables_##f; tables_##f++) \
		for (const struct figure *f = *tables_##f; f->name; f++)
#define FIGURES_MAX 512
extern const struct figure figure_percentile; /* of latencies; its value depends on the percentile */

/* Returns whether the document has the value of the struct `from`. */
bool figure_is_written(const struct figure *figure, const void *from);
/* Behind the first `in` bytes of the name: returns the length of the key of the object around the value, 5 in
   "queue.max"; 0: there is none. */
size_t figure_object(const struct figure *figure, size_t in);
/* Returns whether it is a row whose name begins with the first `in` bytes of that of `first`. */
bool figure_is_in(const struct figure *figure, const struct figure *first, size_t in);
/* Returns whether it is written only if its array or text is there. */
bool figure_is_optional(const struct figure *figure);
/* The number of entries of a list or column in the struct `from`; 0 if its array is NULL. */
size_t figure_length(const struct figure *figure, const void *from);
void figure_set_length(const struct figure *figure, void *to, size_t n);
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
