/* text_files.h: the files of a job in the normal report. Internal to report/. */
#ifndef REPORT_TEXT_FILES_H
#define REPORT_TEXT_FILES_H

#include "result.h"

struct strbuf;

/* Adds a table of the job's files, or of some of them and a line that says how many more there are; nothing
   without per_file_stats. */
void text_files(struct strbuf *b, const struct result_job *j);

#endif
