#include "where.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"

const char *const where_part_name[WHERE_NAMES + 1] = {
	"submission",      "scheduler",      "device",      "completion",      "tail",
	"tail_submission", "tail_scheduler", "tail_device", "tail_completion", NULL
};

/* Limits of a series that comes from a document: far above those of a run. */
#define SERIES_BYTES ((size_t)16 << 20)
#define SERIES_MS    ((uint64_t)1 << 42)
#define SERIES_CELLS ((uint64_t)1 << 22)

static void add_part(struct where *w, enum where_part part, const struct result_split_part *p)
{
	w->parts[part].n += (double)p->n;
	w->parts[part].sum_ns += (double)p->n * p->mean;
	w->parts[part].p99_ns = w->rows == 1 ? p->p99 : 0;
}

/* Adds the time that the slowest requests take in all, or in a part with this share of it. */
static void add_tail(struct where *w, enum where_part part, const struct result_split_tail *t, double percent)
{
	add_part(w, part, &(struct result_split_part){ .n = t->n, .mean = t->mean * percent / 100 });
}

static bool has_dir(const struct result_split *row, unsigned dir)
{
	return dir >= DIR_COUNT || !strcmp(row->dir, counts_dir_name[dir]);
}

void where_add(struct where *w, const struct result_job *job, unsigned dir)
{
	for (size_t i = 0; i < job->nsplits; i++) {
		const struct result_split *row = &job->splits[i];
		struct result_split_part completion = row->completion;

		if (!has_dir(row, dir))
			continue;
		/* Deep queues have only the mean, which is of all requests. */
		completion.n = row->completion_known ? row->device.n : 0;
		w->rows++;
		add_part(w, WHERE_SUBMISSION, &row->submission);
		add_part(w, WHERE_SCHEDULER, &row->scheduler);
		add_part(w, WHERE_DEVICE, &row->device);
		add_part(w, WHERE_COMPLETION, &completion);
		add_tail(w, WHERE_TAIL, &row->tail, 100);
		add_tail(w, WHERE_TAIL_SUBMISSION, &row->tail, row->tail.submission_percent);
		add_tail(w, WHERE_TAIL_SCHEDULER, &row->tail, row->tail.scheduler_percent);
		add_tail(w, WHERE_TAIL_DEVICE, &row->tail, row->tail.device_percent);
		add_tail(w, WHERE_TAIL_COMPLETION, &row->tail, row->tail.completion_percent);
	}
}

double where_mean(const struct where *w, enum where_part part)
{
	/* Requests that other threads queued have no submission; those with I/Os of several requests have no
	   completion, so the mean of the others is not that of the job. The slowest requests of several rows
	   are not the slowest of all. */
	if (!(w->parts[part].n > 0) || (part >= WHERE_TAIL && w->rows > 1) ||
	    (part == WHERE_COMPLETION && w->parts[part].n < w->parts[WHERE_DEVICE].n))
		return 0;
	return w->parts[part].sum_ns / w->parts[part].n;
}

/* ---- the device over time ---- */

static bool has_device_times(const struct result_split *row, unsigned dir)
{
	return row->ndevice_intervals && row->device_interval_ms && has_dir(row, dir);
}

/* The earliest start of all rows, and their shortest interval. */
struct grid {
	uint64_t start_ms, interval_ms;
};

static void widen_grid(struct grid *g, const struct result_split *row)
{
	g->start_ms = row->device_start_ms < g->start_ms ? row->device_start_ms : g->start_ms;
	g->interval_ms = row->device_interval_ms < g->interval_ms ? row->device_interval_ms : g->interval_ms;
}

/* h: memory for a histogram. */
static void add_row(struct series *to, const struct grid *g, const struct result_split *row, struct hist *h)
{
	uint64_t after_ms = row->device_start_ms - g->start_ms, n = row->ndevice_intervals;
	uint64_t ms = row->device_interval_ms, half = g->interval_ms / 2;

	if (after_ms > SERIES_MS || ms > SERIES_MS || n > SERIES_CELLS || n * ms > SERIES_MS ||
	    (after_ms + n * ms) / g->interval_ms > SERIES_CELLS)
		return;
	for (size_t i = 0; i < n; i++) {
		hist_reset(h);
		result_add_bins(h, &row->device_intervals[i].bins);
		series_add_hist(to, 0, (after_ms + i * ms + half) / g->interval_ms,
				(ms + half) / g->interval_ms, h);
	}
}

int where_device_series(struct series *to, const struct result_job *const *jobs, size_t njobs, unsigned dir,
			uint64_t *start_ms)
{
	struct grid grid = { UINT64_MAX, UINT64_MAX };
	struct hist *h;
	int ret;

	*to = (struct series){ 0 };
	for (size_t j = 0; j < njobs; j++)
		for (size_t i = 0; i < jobs[j]->nsplits; i++)
			if (has_device_times(&jobs[j]->splits[i], dir))
				widen_grid(&grid, &jobs[j]->splits[i]);
	*start_ms = grid.start_ms;
	if (grid.interval_ms > SERIES_MS)
		return 0;
	ret = series_init(to, 1, grid.interval_ms * 1000000, SERIES_BYTES);
	h = ret ? NULL : calloc(1, sizeof(*h));
	for (size_t j = 0; h && j < njobs; j++)
		for (size_t i = 0; i < jobs[j]->nsplits; i++)
			if (has_device_times(&jobs[j]->splits[i], dir))
				add_row(to, &grid, &jobs[j]->splits[i], h);
	free(h);
	if (ret || (h && !to->failed))
		return ret;
	series_fini(to);
	return -ENOMEM;
}
