#include "where.h"

#include <string.h>
#include "counts.h"

const char *const where_part_name[WHERE_PARTS + 1] = { "submission", "scheduler", "device", "completion",
						       NULL };

static void add_part(struct where *w, enum where_part part, const struct result_split_part *p)
{
	w->parts[part].n += (double)p->n;
	w->parts[part].sum_ns += (double)p->n * p->mean;
	w->parts[part].p99_ns = w->rows == 1 ? p->p99 : 0;
}

void where_add(struct where *w, const struct result_job *job, unsigned dir)
{
	for (size_t i = 0; i < job->nsplits; i++) {
		const struct result_split *row = &job->splits[i];
		struct result_split_part completion = row->completion;

		if (dir < DIR_COUNT && strcmp(row->dir, counts_dir_name[dir]) != 0)
			continue;
		/* Deep queues have only the mean, which is of all requests. */
		completion.n = row->completion_known ? row->device.n : 0;
		w->rows++;
		add_part(w, WHERE_SUBMISSION, &row->submission);
		add_part(w, WHERE_SCHEDULER, &row->scheduler);
		add_part(w, WHERE_DEVICE, &row->device);
		add_part(w, WHERE_COMPLETION, &completion);
	}
}

double where_mean(const struct where *w, enum where_part part)
{
	/* Requests that other threads queued have no submission; those with I/Os of several requests have no
	   completion, so the mean of the others is not that of the job. */
	if (!(w->parts[part].n > 0) ||
	    (part == WHERE_COMPLETION && w->parts[part].n < w->parts[WHERE_DEVICE].n))
		return 0;
	return w->parts[part].sum_ns / w->parts[part].n;
}
