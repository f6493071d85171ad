/* result_files.h: the files that a run writes beside its output: --report, --csv and --junit. */
#ifndef RESULT_FILES_H
#define RESULT_FILES_H

#include "diag.h"
#include "job.h"
#include "result.h"

/* Returns whether the options name such a file. */
bool result_files_any(const struct run_opts *o);
/* Writes the results of the runs so far to the files that the options name. Each file is replaced only when
   it is complete. Tries all files. If one cannot be written, the last result gets EXIT_OUTPUT before the
   verdicts (--junit) are written. Returns 0 or the first -errno with d (DIAG_OUTPUT). */
int result_files_write(const struct run_opts *o, struct result *const *res, size_t n, struct diag *d);

#endif
