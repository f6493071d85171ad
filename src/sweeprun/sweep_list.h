/* sweep_list.h: the directory of a sweep: the list of its points, sweep.json, and their documents. */
#ifndef SWEEP_LIST_H
#define SWEEP_LIST_H

#include "sweep_args.h"

#define SWEEP_LIST "sweep.json"

struct strbuf;

/* Appends the list of the points. */
void sweep_list_print(const struct sweep_points *p, struct strbuf *b);
/* Checks that the text is the list of these points and jobs. path is for messages only. Returns 0 or -errno
   with d. */
int sweep_list_check(const struct sweep_points *p, const char *text, size_t len, const char *path,
		     struct diag *d);

/* sweep_check.c: passes on the jobs that the run with these arguments would have. Returns 0 or -errno with d.
 */
int sweep_jobs(const struct sweep_points *p, enum sweep_run_kind kind, char *const *arg, sweep_use_jobs *use,
	       void *ctx, struct diag *d);

/* sweep_resume.c: both change no file, and return 0 or -errno with d. */

/* Stores whether the path exists. Refuses anything but a regular file, such as a symbolic link. */
int sweep_find_file(const char *path, bool *exists, struct diag *d);
/* Looks at the files that the sweep would write. Without `resume` none may exist. With it, each has to be the
   document of the jobs that the sweep would run; finds the runs that are complete, and takes the maxima. */
int sweep_check_files(struct sweep_points *p, bool resume, struct diag *d);

#endif
