#include "rows.h"

#include <fcntl.h>
#include "file_tree.h"
#include "job.h"
#include "trace.h"
#include "types.h"

#define OPT_STRUCT struct job_opts

#define NEXT_TO(a, b)                                                                                   \
	_Static_assert(offsetof(struct job_opts, b) == offsetof(struct job_opts, a) + sizeof(uint64_t), \
		       #b " must follow " #a)
NEXT_TO(files.filesize_lo, files.filesize_hi);
NEXT_TO(time.startdelay_lo_ns, time.startdelay_hi_ns);
NEXT_TO(think.least_ns, think.most_ns);
NEXT_TO(bsrange[0].lo, bsrange[0].hi);
NEXT_TO(bsrange[0].hi, bsrange[1].lo);

#define CENTURY (100ull * 365 * 24 * 3600 * OPT_S)

/* Each group of the help and the manual has its file, in their order. */
static const struct opt_row rows[] = {
#include "rows_job.inc"
#include "rows_files.inc"
#include "rows_io.inc"
#include "rows_random.inc"
#include "rows_queue.inc"
#include "rows_time.inc"
#include "rows_rate.inc"
#include "rows_buffers.inc"
#include "rows_verify.inc"
#include "rows_replay.inc"
#include "rows_zones.inc"
#include "rows_place.inc"
#include "rows_errors.inc"
#include "rows_diskspd.inc"
#include "rows_report.inc"
#include "rows_logs.inc"
	{ .name = NULL },
};

const struct opt_table job_options = { rows, sizeof(struct job_opts) };
