/* plan_file_stats.c: the counts of single files, for per_file_stats. */
#include <inttypes.h>
#include "plan_build.h"

/* The parent needs about this much for each file of a report entry, most of it for the text of JSON. */
#define REPORT_BYTES 1024u
/* The size of a full list of bins. A list to which several workers add takes less than twice as much
   (files.c), and this is counted for each of them. */
#define REPORT_BINS_BYTES (2 * sizeof(uint64_t) * HIST_BUCKETS)

static const char *stats_text(enum per_file_stats stats)
{
	return stats == FILE_STATS_PERCENTILES ? "percentiles" : stats ? "counts" : "none";
}

static const char *hist_text(const struct job *job)
{
	return job->opts.report.lat_percentiles ? "lat" : "clat";
}

/* The sums over the files of an entry must be its figures, so all its jobs need the same value. Histograms of
   clat and lat cannot be added. */
static int check_pair(struct build *b, const struct job *first, const struct job *job)
{
	const struct report_cfg *to = &first->opts.report, *r = &job->opts.report;

	if (to->file_stats != r->file_stats)
		return plan_err(b, job, "per_file_stats",
				"{per_file_stats=%s}: {group_reporting} adds this job to %s, which has "
				"{per_file_stats=%s}",
				stats_text(r->file_stats), first->name, stats_text(to->file_stats));
	if (r->file_stats == FILE_STATS_PERCENTILES && to->lat_percentiles != r->lat_percentiles)
		return plan_err(
			b, job, "per_file_stats",
			"{per_file_stats=percentiles}: {group_reporting} adds this job to %s, whose files "
			"have percentiles of %s, and those of this job have percentiles of %s "
			"({lat_percentiles})",
			first->name, hist_text(first), hist_text(job));
	return 0;
}

static int check_entry(struct build *b, uint32_t report)
{
	const struct job *first = NULL;
	const uint32_t *member;
	uint32_t n = plan_members(b->p, report, &member);
	int ret = 0;

	for (uint32_t i = 0; i < n && !ret; i++) {
		const struct plan_job *pj = &b->p->jobs[member[i]];

		if (pj->job->engine->caps & ENG_NOIO)
			continue;
		first = first ? first : pj->job;
		ret = check_pair(b, first, pj->job);
	}
	return ret;
}

static bool measures(const struct plan_job *pj, unsigned dir, enum lat_kind kind)
{
	return pj->layout.moments[dir][kind];
}

static void set_cfg(struct plan_job *pj)
{
	const struct report_cfg *r = &pj->job->opts.report;
	const struct fsync_cfg *sync = &pj->job->opts.sync;
	struct file_stats_cfg *c = &pj->file_stats;

	c->files = pj->nfiles;
	c->dirs = (uint8_t)(pj->rw & RW_DIRS);
	c->hists = r->file_stats == FILE_STATS_PERCENTILES;
	c->hist_lat = r->lat_percentiles ? FILE_LAT : FILE_CLAT;
	if (pj->rw & RW_WRITE && (sync->fsync || sync->fdatasync || sync->range.every))
		c->dirs |= 1u << DIR_SYNC;
	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		c->lat[FILE_CLAT] |= (uint8_t)(measures(pj, dir, LAT_CLAT) << dir);
		c->lat[FILE_LAT] |= (uint8_t)(measures(pj, dir, LAT_LAT) << dir);
	}
	if (pj->verify.reads && !pj->verify.only_trims)
		c->dirs |= RW_READ;
	if (pj->verify.trims)
		c->dirs |= RW_TRIM;
}

static int refuse_memory(struct build *b, const struct plan_job *pj, uint64_t bytes)
{
	uint64_t available = b->f->machine.available_bytes >> 20;

	if (pj->file_stats.hists)
		return plan_err(b, pj->job, "per_file_stats",
				"{per_file_stats=percentiles}: the counts of all files take up to %" PRIu64
				" MiB, and %" PRIu64
				" MiB are available (MemAvailable); {+per_file_stats=counts} "
				"takes a tenth of it or less",
				bytes >> 20, available);
	return plan_err(b, pj->job, "per_file_stats",
			"{per_file_stats=counts}: the counts of all files take up to %" PRIu64
			" MiB, and %" PRIu64 " MiB are available (MemAvailable)",
			bytes >> 20, available);
}

static uint64_t report_bytes(const struct file_stats_cfg *c)
{
	uint64_t dirs = c->hists ? (uint64_t)__builtin_popcount(c->dirs) : 0;

	return c->files * (REPORT_BYTES + dirs * REPORT_BINS_BYTES);
}

/* Refuses counts that are larger than the free memory. The message names the job with the largest ones. */
static int check_memory(struct build *b)
{
	const struct plan *p = b->p;
	const struct plan_job *most = NULL;
	uint64_t sum = 0, available = b->f->machine.available_bytes;

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];

		sum += file_stats_used_bytes(&pj->file_stats) + report_bytes(&pj->file_stats);
		if (!most ||
		    file_stats_used_bytes(&pj->file_stats) > file_stats_used_bytes(&most->file_stats))
			most = pj;
	}
	return available && sum > available ? refuse_memory(b, most, sum) : 0;
}

int plan_file_stats(struct build *b)
{
	struct plan *p = b->p;
	int ret = 0;

	for (uint32_t i = 0; i < p->nreports && !ret; i++)
		ret = check_entry(b, i);
	for (uint32_t i = 0; i < p->njobs && !ret; i++)
		if (p->jobs[i].job->opts.report.file_stats)
			set_cfg(&p->jobs[i]);
	return ret ? ret : check_memory(b);
}
