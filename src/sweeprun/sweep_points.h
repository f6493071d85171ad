/* sweep_points.h: the points of a sweep are runs of this program. Checks the points, runs one after the
   other, and goes on with a sweep that ended early. Each point leaves a JSON+ document in the sweep's
   directory, which also has sweep.json, the list of the points and their jobs. */
#ifndef SWEEP_POINTS_H
#define SWEEP_POINTS_H

#include "assertion.h"
#include "cmdline.h"
#include "diag.h"
#include "plan.h"
#include "sweep_curve.h"

struct strbuf;
struct sweep_wait;

/* What the runner asks of the verbs, which are above it. */
typedef int sweep_use_jobs(void *ctx, struct job_set *set, const char *text, struct diag *d);
typedef int sweep_use_plan(void *ctx, struct plan *plan, struct diag *d);
struct sweep_verbs {
	int (*diskspd)(int argc, char *const *argv, sweep_use_jobs *use, void *ctx, struct diag *d);
	int (*preset)(int at, enum cmdline_verb verb, struct cmdline *c, struct job_set *set, int argc,
		      char *const *argv, struct diag *d);
	int (*plan)(const struct job_set *set, sweep_use_plan *use, void *ctx, struct diag *d);
};

/* The part of the command line that all points share. */
struct sweep_base {
	const struct sweep_verbs *verbs;
	char *const *args; /* the command line without the program: jobs and their options */
	size_t nargs;
	const char *dir; /* of the documents; NULL: nothing is run */
	bool resume, snia;
};

/* A point as a command line. */
struct sweep_run {
	const char *jobs; /* its jobs as one command line (--showcmd); --resume compares it */
	const char *file; /* the name of its document in the directory */
	bool complete;    /* the directory has its document, of a run that ended well */
};

/* A run without a rate. It measures the rate that is 100 %, for the points that differ in the rate alone. */
struct sweep_maximum {
	struct sweep_run run;
	bool known;
	const char *error; /* why the run failed; NULL: it did not */
	unsigned clones;
	double rate[DIR_DATA]; /* of all clones together, I/Os or bytes per second */
};

/* --snia: the run that writes the devices before the points. */
struct sweep_precondition {
	struct sweep_run run;
	const char **devices; /* paths */
	size_t ndevices;
	uint64_t bytes;    /* that it writes in all */
	uint64_t most;     /* bytes that it writes to one device */
	const char *error; /* why it failed; NULL: it did not */
};

struct sweep_points {
	struct sweep_base base;
	struct sweep *sweep;
	struct sweep_run *run;   /* one for each point */
	struct assertions until; /* --until: what the load that is searched has to meet; empty: no search */
	struct sweep_run *again; /* with `until`: the second run of each point */
	bool unmet;              /* a search found no value that meets it */
	size_t percent;          /* index of the option in percent; sweep->matrix.dims: none */
	struct sweep_maximum *maximum; /* with `percent`: by index of the first point that shares it */
	struct sweep_precondition precondition;
	uint64_t duration_ns; /* of one point by its run times; 0: its jobs end after their size */
	bool duration_is_max; /* some jobs may end before their run time */
	int signal;           /* the signal that ended the sweep; 0: none */
};

/* sweep_check.c: adds the options of the sweep= lines of the job files to the matrix. Options that the
   command line sweeps keep the values given there. Returns 0 or -errno with d. */
int sweep_points_add_lines(struct sweep_points *p, struct diag *d);
/* sweep_check.c: parses the jobs of every point, and plans those of the first. Nothing is run. Returns 0 or
   -errno with d. */
int sweep_points_check(struct sweep_points *p, struct diag *d);
/* Makes the directory and its list, or with `resume` finds the points that are complete. Returns 0 or -errno
   with d. */
int sweep_points_open(struct sweep_points *p, struct diag *d);
/* Runs a point unless its document is complete, and adds its figures to the sweep. A point that fails is no
   error. Returns 0 or -errno with d. */
int sweep_points_run_one(struct sweep_points *p, const struct sweep_wait *w, size_t point, struct diag *d);
/* Runs a point for the second time unless that document is complete. *error is NULL if it ended well. Returns
   0 or -errno with d. */
int sweep_points_run_again(struct sweep_points *p, const struct sweep_wait *w, size_t point,
			   const char **error, struct diag *d);
/* Runs the points that are not complete, and adds the figures of all to the sweep. A point that fails is no
   error. A line of progress goes to stderr if it is a terminal. Returns 0 or -errno with d. */
int sweep_points_run(struct sweep_points *p, struct diag *d);
/* Takes 100 % from the result of the run without a rate. Returns 0 or -ENODATA. */
int sweep_take_maximum(const struct sweep_points *p, struct sweep_maximum *max, const struct result *res);
/* Returns the number of runs: the points, and the maxima that percentages refer to. */
size_t sweep_points_runs(const struct sweep_points *p);

/* sweep_until.c: --until searches the load for the most that meets a condition (sweep_search.h), for each
   combination of the other options. The documents of the runs are judged as fiord report --assert does. */

/* Runs the searches, and adds their answers to the sweep. Returns 0 or -errno with d. */
int sweep_until_run(struct sweep_points *p, const struct sweep_wait *w, struct diag *d);
/* Adds how many values are searched, and in how many runs. */
void sweep_until_describe(const struct sweep_points *p, struct strbuf *b);
/* Returns the most runs of all searches. */
size_t sweep_until_runs(const struct sweep_points *p);
/* Returns whether the point has the least or the most of the load. */
bool sweep_until_is_end(const struct sweep_points *p, size_t point);
/* Makes an error on an assertion one on --until. */
void sweep_until_name_option(struct diag *d);

#endif
