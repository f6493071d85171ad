/* where.h: the parts of the latency of requests (latency_split), over all disks of one or several jobs. */
#ifndef WHERE_H
#define WHERE_H

#include "result_job.h"
#include "series.h"

enum where_part {
	WHERE_SUBMISSION,
	WHERE_SCHEDULER,
	WHERE_DEVICE,
	WHERE_COMPLETION,
	WHERE_PARTS,
	WHERE_TAIL = WHERE_PARTS, /* no part: all parts of the slowest hundredth of the requests */
	WHERE_COLUMNS,            /* those above are columns of tables */
	WHERE_TAIL_SUBMISSION = WHERE_COLUMNS, /* the parts of those requests */
	WHERE_TAIL_SCHEDULER,
	WHERE_TAIL_DEVICE,
	WHERE_TAIL_COMPLETION,
	WHERE_NAMES
};
/* "submission", ..., "tail", "tail_submission", ...; ends with NULL. */
extern const char *const where_part_name[WHERE_NAMES + 1];

/* The caller zeroes it. */
struct where {
	size_t rows; /* of a disk and a direction */
	struct {
		double n, sum_ns;
		uint64_t p99_ns; /* 0: not known, as of several rows */
	} parts[WHERE_NAMES];
};

/* Adds the rows of a job in this direction, in all with DIR_COUNT. */
void where_add(struct where *w, const struct result_job *job, unsigned dir);
/* Returns the mean in ns over all requests of which the part is known; 0: not known. Completions are known if
   those of all rows are, and the slowest requests if there is one row. */
double where_mean(const struct where *w, enum where_part part);

/* Fills a series of one group with the times on the device of the requests of these jobs: in this direction,
   in all with DIR_COUNT. They are latencies of DIR_READ and LAT_CLAT, and the series begins at *start_ms,
   since 1970. Without any, it has no group. Returns 0 or -ENOMEM; the caller frees the series with
   series_fini. */
int where_device_series(struct series *to, const struct result_job *const *jobs, size_t njobs, unsigned dir,
			uint64_t *start_ms);

#endif
