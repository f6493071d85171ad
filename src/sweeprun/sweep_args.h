/* sweep_args.h: turns a point of a sweep into the arguments of a run. */
#ifndef SWEEP_ARGS_H
#define SWEEP_ARGS_H

#include "sweep_points.h"

/* A point with a percentage needs two runs: SWEEP_MAXIMUM measures 100 %, SWEEP_POINT is the point itself.
   SWEEP_AGAIN is the second run of a point in a search. SWEEP_PRECONDITION is that of --snia, before the
   first point. */
enum sweep_run_kind { SWEEP_POINT, SWEEP_AGAIN, SWEEP_MAXIMUM, SWEEP_PRECONDITION };

/* Stands for the rate of a point while its jobs are checked, because 100 % is not known yet. */
#define SWEEP_ANY_RATE "1000,1000,1000"

/* Returns whether the jobs are given by this verb, such as diskspd or preset. */
bool sweep_is_verb(const struct sweep_points *p, const char *verb);
/* Returns the index of the first point that differs from this one in the percentage alone. */
size_t sweep_maximum_of(const struct sweep_points *p, size_t point);
/* Returns the arguments of a run, which end with NULL: the program, the user's, the options of the point, and
   those in `extra`. The caller frees them; the texts are in the arena. NULL if memory is short. */
char **sweep_args(const struct sweep_points *p, size_t point, enum sweep_run_kind kind,
		  const char *const *extra, size_t extras);
/* Returns the name of the document of a run, "0012-iodepth=4-bs=64k.json", in the arena; NULL if memory is
   short. */
const char *sweep_document(struct sweep_points *p, size_t point, enum sweep_run_kind kind);
/* Returns the path of a file in the directory, in the arena; NULL if memory is short. */
char *sweep_path(const struct sweep_points *p, const char *file);

#endif
