/* collect_files.h: the figures of single files of a report entry (per_file_stats). */
#ifndef COLLECT_FILES_H
#define COLLECT_FILES_H

#include "result.h"
#include "run.h"

/* Adds the files of all workers of the entry; nothing while the run goes on, because workers still count. */
void collect_files(struct result *r, struct result_job *job, const struct run *run, uint32_t report);

#endif
