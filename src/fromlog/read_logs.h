/* read_logs.h: fio's log files -> results with a series. fiord writes the same files. The logs of one prefix
   make one result, with a job for each log number of each host:

     PREFIX_{bw,iops,lat,clat,slat,clat_hist}[.N].log[.HOST]

   If a log has a line for each I/O, the figures are exact and have percentiles. If it has means over
   log_avg_msec, the figures are those of the means, and a note says so. A histogram log gives percentiles,
   too. Figures that no log has are unknown, and a note names them. */
#ifndef READ_LOGS_H
#define READ_LOGS_H

#include <stdbool.h>
#include <stdio.h>
#include "read.h"

/* Returns true if a file of this name is a log. */
bool result_is_log(const char *path);

/* Appends the results of n files. result_read_file reads each document. The logs of one prefix make one
   result, which stands in the place of the first of them. Returns 0 or -errno with one line in d; the set is
   then unchanged. */
int result_read_files(struct result_set *set, const char *const *path, size_t n, struct diag *d);

/* A log that is open already. The file must be seekable; the caller closes it. */
struct result_log {
	const char *path;
	FILE *file;
};
/* Appends the result of the logs of one prefix. */
int result_read_logs(struct result_set *set, const struct result_log *log, size_t n, struct diag *d);

#endif
