/* normal_job.h: the lines about one job in the normal report. Internal to report/. */
#ifndef NORMAL_JOB_H
#define NORMAL_JOB_H

#include "result.h"

struct strbuf;

void normal_job(struct strbuf *b, const struct result *r, const struct result_job *j);
/* Adds the name of the job, with its host in a result of several hosts. */
void normal_job_name(struct strbuf *b, const struct result_job *j);

#endif
