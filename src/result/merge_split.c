#include <string.h>
#include "counts.h"
#include "job_snapshot.h"
#include "merge_parts.h"

/* Adds a part whose mean is of `of` requests. Returns false if its bins do not have all of those that it
   counts. */
static bool add_part(struct merge_split_part *to, const struct result_split_part *p, uint64_t of)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->bins.n; i++)
		n += p->bins.count[i];
	result_add_bins(&to->hist, &p->bins);
	to->n += p->n;
	to->of += (double)of;
	to->sum_ns += (double)of * p->mean;
	to->max = p->max > to->max ? p->max : to->max;
	return n == p->n;
}

static void add_row(struct merge_split_dir *to, const struct result_split *row)
{
	bool bins;

	for (unsigned i = 0; i < WHERE_PARTS && !to->rows; i++)
		hist_init(&to->part[i].hist);
	to->rows++;
	to->requests += row->requests;
	to->measured += row->measured;
	to->helper_requests += row->helper_requests;
	to->completions += row->completion_known;
	to->completion_bins += row->completion.n > 0;
	bins = add_part(&to->part[WHERE_SUBMISSION], &row->submission, row->submission.n);
	bins &= add_part(&to->part[WHERE_SCHEDULER], &row->scheduler, row->scheduler.n);
	bins &= add_part(&to->part[WHERE_DEVICE], &row->device, row->device.n);
	/* Deep queues have only the mean, which is of all requests. */
	bins &= add_part(&to->part[WHERE_COMPLETION], &row->completion, row->device.n);
	to->lacks_bins |= !bins;
}

void merge_split_add(struct merge_split *m, const struct result_job *job)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		struct merge_split_dir *to = &m->dir[dir];
		size_t before = to->rows;

		for (size_t i = 0; i < job->nsplits; i++)
			if (!strcmp(job->splits[i].dir, counts_dir_name[dir]))
				add_row(to, &job->splits[i]);
		to->ios += to->rows > before ? job->sum.dir[dir].ios : 0;
		to->mixed |= job->mixed;
	}
}

static struct result_split_part part_of(struct result *out, const struct merge_split_part *p)
{
	struct result_split_part part = { .n = p->n, .max = p->max };

	part.mean = p->of > 0 ? p->sum_ns / p->of : 0;
	result_set_split_part(out, &part, &p->hist);
	return part;
}

static void finish_completion(const struct merge_split_dir *from, struct result *out,
			      struct result_split *row)
{
	double all;

	if (from->completions < from->rows)
		return;
	row->completion_known = true;
	row->completion = part_of(out, &from->part[WHERE_COMPLETION]);
	if (from->completion_bins < from->rows)
		row->completion = (struct result_split_part){ .mean = row->completion.mean };
	all = row->submission.mean + row->scheduler.mean + row->device.mean + row->completion.mean;
	row->device_percent = all > 0 ? 100 * row->device.mean / all : 0;
}

static void finish_dir(const struct merge_split_dir *from, const char *dir, struct result *out,
		       struct result_job *all)
{
	struct result_split row = { .disk = "all disks",
				    .dir = dir,
				    .requests = from->requests,
				    .measured = from->measured,
				    .helper_requests = from->helper_requests };

	row.submission = part_of(out, &from->part[WHERE_SUBMISSION]);
	row.scheduler = part_of(out, &from->part[WHERE_SCHEDULER]);
	row.device = part_of(out, &from->part[WHERE_DEVICE]);
	finish_completion(from, out, &row);
	if (from->ios && !from->mixed)
		row.requests_per_io = (double)from->requests / (double)from->ios;
	result_job_split(out, all, &row);
}

void merge_split_finish(const struct merge_split *m, struct result *out, struct result_job *all)
{
	bool lacks_bins = false;

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const struct merge_split_dir *from = &m->dir[dir];

		lacks_bins |= from->lacks_bins;
		if (from->rows && !from->lacks_bins)
			finish_dir(from, counts_dir_name[dir], out, all);
	}
	if (lacks_bins)
		result_note(out,
			    "\"%s\" has no parts of the latency of requests ({latency_split=1}), because not "
			    "all entries have bins of them",
			    all->name);
}
