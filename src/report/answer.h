/* answer.h: the answer of a search in one sentence: "18.4k IOPS at p99 1.9 ms (iodepth=9)". `fiord sweep
   --until` searches an option between runs, latency_target the depth within one. */
#ifndef REPORT_ANSWER_H
#define REPORT_ANSWER_H

#include "result.h"

struct strbuf;

/* Adds " at MEASURED (OPTION=VALUE)", which follows the rate. */
void answer_at(struct strbuf *b, const char *measured, const char *option, const char *value);
/* Adds the rate: "18.4k IOPS". */
void answer_iops(struct strbuf *b, double iops);
/* Returns whether the job has latency_target, and its search an answer. */
bool answer_has_latency_target(const struct result_job *job);
/* Adds this answer. */
void answer_latency_target(struct strbuf *b, const struct result_job *job);

#endif
