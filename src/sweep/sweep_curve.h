/* sweep_curve.h: the figures of the points of a sweep, the curves of latency against load through them, and
   the knee of each curve. Pure. */
#ifndef SWEEP_CURVE_H
#define SWEEP_CURVE_H

#include "sweep_matrix.h"
#include "result.h"
#include "where.h"

enum sweep_state {
	SWEEP_WAITING, /* not run: the sweep ended before */
	SWEEP_SKIPPED, /* the search (--until) did not need it; reports leave it out */
	SWEEP_DONE,
	SWEEP_FAILED, /* `error` says why; figures exist if its document was complete */
};

/* Whether the jobs ended because they were steady (steadystate). */
enum sweep_steady {
	SWEEP_NO_CRITERION,
	SWEEP_STEADY,
	SWEEP_NOT_STEADY, /* they ended by their runtime */
};

/* The figures of all directions of the jobs of one group together. Of jobs with steadystate they are those of
   the last window that it judged (sweep_window.c), except for the errors. */
struct sweep_figures {
	bool known;
	enum sweep_steady steady;
	uint64_t ios, errors;
	double iops, bw_bytes; /* per second */
	bool rated;            /* the jobs have a rate: these are known, of the whole run */
	double asked_iops;     /* summary_dir.asked_iops; 0: unknown */
	uint64_t unissued;     /* I/Os that were due and not issued at the end */
	bool overloaded;    /* they are more than a hundredth of those that were due: the latencies depend on
			       the runtime */
	enum lat_kind kind; /* of all latencies: resp under a rate, else lat, or clat if only that has
			       percentiles; LAT_KINDS: none */
	double mean_ns;
	bool percentiles; /* they are known */
	uint64_t p50_ns, p99_ns, p999_ns, max_ns;
	/* The spread within the run: the lowest and the highest of five equal parts of its time. 0: not
	 * known. */
	double iops_lowest, iops_highest, mean_lowest_ns, mean_highest_ns;
	struct where where; /* latency_split, of the whole run */
};

/* One point of one run status group. */
struct sweep_point {
	const char *value[SWEEP_DIMS_MAX];
	enum sweep_state state;
	const char *error;           /* one line; NULL: none */
	const char *source;          /* the name of its document */
	struct sweep_figures *group; /* sweep.groups of them */
};

/* A note in the documents of some points. */
struct sweep_note {
	const char *text;
	size_t points, first, last; /* how many points have it, and the first and the last one added */
	struct sweep_note *next;
};

#define SWEEP_KNEE_WITHIN_PERCENT 5.0 /* of the greatest power; fiord-sweep(1) and the page name it */

/* A curve: the points of one group that differ in the load alone, in the order of its values. */
struct sweep_curve {
	unsigned group;
	const char *name; /* the values of the other options, "bs=4k numjobs=2"; "" if there are none */
	size_t *points;
	size_t npoints;
	size_t knee; /* index into points[]; `npoints`: none, because the curve has fewer than three points,
			or none that ended well, steady and without overload, or does not follow the load */
	/* The first and the last point of the knee's interval: the points around the knee without a gap whose
	   power is within SWEEP_KNEE_WITHIN_PERCENT of its own, so that noise may have chosen among them. */
	size_t knee_first, knee_last;
	bool noisy; /* the IOPS fall by more than SWEEP_KNEE_WITHIN_PERCENT somewhere, so that a line of
		       latency against IOPS would run back and forth */
};

struct sweep {
	struct sweep_matrix matrix;
	size_t load;    /* the option of the matrix that the curves follow */
	bool sets_load; /* it sets the load; else it is the first option, and no curve has a knee */
	struct arena mem;
	struct sweep_point *points;
	size_t npoints;
	size_t groups;
	const char **group_name; /* the jobs of each group; NULL while no point has a result */
	struct sweep_curve *curves;
	size_t ncurves;
	bool search; /* the load is searched (--until): sweep_init() adds the values between those given */
	/* What the search of each curve found, a sentence or two; NULL: the search was interrupted. */
	const char **answers;
	size_t nanswers;
	struct sweep_searched *searched; /* with `answers`: what the runs of each search measured
					    (sweep_judged.h) */
	struct sweep_note *note;
	const char *plan_notes; /* the notes that were printed above the table, before the first point, each
				as "note: TEXT\n"; NULL: none */
	const char *conditions; /* sentences on how the points are measured, for the reports; NULL: none */
};

/* Prepares the points of the matrix, without figures. Returns 0, or -errno with d: there are too many, or no
   load can be searched. */
int sweep_init(struct sweep *s, struct diag *d);
/* Adds the figures of a point's result. All results have the groups of the first one; further groups are left
   out. Returns 0 or -ENOMEM with d. */
int sweep_add_result(struct sweep *s, size_t point, const struct result *res, struct diag *d);
/* Computes the curves and their knees. Returns 0 or -ENOMEM with d. */
int sweep_finish(struct sweep *s, struct diag *d);
/* Returns the figures of the k-th point of a curve; .known is false if it has none. */
const struct sweep_figures *sweep_curve_figures(const struct sweep *s, const struct sweep_curve *c, size_t k);
/* The quantity whose maximum is the knee: I/Os per second, divided by the mean response time in seconds.
   It is Kleinrock's power of a queueing system (1979). For a server that works on k I/Os at a time it is
   greatest at k I/Os in flight. 0 without latencies. */
double sweep_power(const struct sweep_figures *f);
/* Returns whether jobs of the point ended by their runtime before they were steady. */
bool sweep_point_not_steady(const struct sweep *s, const struct sweep_point *p);
/* Returns the number of points in the reports: all but those that a search skipped. */
size_t sweep_reported(const struct sweep *s);
/* Returns whether a point of this group had a rate. */
bool sweep_has_rate(const struct sweep *s, size_t group);
/* Returns whether a point of this group, or of any with sweep.groups, has the parts of latency_split. */
bool sweep_has_where(const struct sweep *s, size_t group);
/* Adds the notes of a point, once for all points that have them: those of its run, and those
   of its jobs with their names. Returns 0 or -ENOMEM. */
int sweep_add_notes(struct sweep *s, size_t point, const struct result *res);
/* sweep_spread.c: sets the spread of the group's IOPS and mean latency from the series of the result. They
   stay 0 if it has none, or fewer than two intervals in each part, and for jobs with steadystate, whose
   figures are those of a window. */
void sweep_spread(struct sweep_figures *f, const struct result *res, size_t group);
/* sweep_window.c: replaces the counts, rates and latencies of a group by those of the last window of its
   steadystate. Latencies come from the intervals of the series: those whose middle lies in the window, and
   one that has the middle of the window. Without a series they are not known. The function does nothing
   unless the group has a single report entry, with a criterion and samples. Returns 0 or -ENOMEM. */
int sweep_window_figures(struct sweep_figures *f, const struct result *res, size_t group);
/* Frees the matrix as well. */
void sweep_fini(struct sweep *s);

#endif
