/* text_hosts.h: the ranks of a run on several hosts in the normal report. Internal to report/. */
#ifndef REPORT_TEXT_HOSTS_H
#define REPORT_TEXT_HOSTS_H

#include "result.h"

struct strbuf;

/* Adds a table of the ranks, and lines about the first, the last, stragglers and errors; nothing for a run on
   one host. */
void text_hosts(struct strbuf *b, const struct result_hosts *hosts);
/* Adds how a straggler differs from the others: "took 14.20s for wave 1, the median rank 10.00s". */
void text_straggler(struct strbuf *b, const struct result_host *h);

#endif
