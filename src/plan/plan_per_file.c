/* plan_per_file.c: statistics of single files and intervals, which reports of time spans (DISKSPD's) need. */
#include "plan_build.h"

#include <errno.h>
#include <inttypes.h>

#define MS 1000000u
/* A worker with more files than this counts them together. */
#define FILES_MOST 1024u
/* The limit for the statistics of the whole run. */
#define BYTES_MOST ((uint64_t)1 << 30)

/* Returns the number of intervals. Only jobs with iopsavgtime have any. */
static uint64_t buckets_of(const struct plan_job *pj, uint64_t bucket_ns)
{
	uint64_t runtime = pj->job->opts.time.runtime_ns;

	if (!bucket_ns || !job_user_option(pj->job, "iopsavgtime"))
		return 0;
	return runtime / bucket_ns + (runtime % bucket_ns != 0);
}

static int refuse_memory(struct build *b, const struct plan_job *pj, uint64_t buckets)
{
	return diag_err(b->d, -EINVAL,
			"%s: {iopsavgtime=%u} over its {runtime}: %" PRIu64
			" intervals for each file of each {~worker|worker} take more than %" PRIu64
			" MiB in all; use longer intervals",
			pj->job->name, pj->job->opts.report.iops_avg_ms, buckets, BYTES_MOST >> 20);
}

int plan_per_file(struct build *b)
{
	struct plan *p = b->p;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->njobs && p->set->run.formats & OUT_SPANS; i++) {
		struct plan_job *pj = &p->jobs[i];
		uint64_t bucket_ns = (uint64_t)pj->job->opts.report.iops_avg_ms * MS;
		uint64_t buckets = buckets_of(pj, bucket_ns);
		bool several = pj->nfiles > 1 && pj->nfiles <= FILES_MOST;

		if (!pj->rw || (!several && !buckets && !p->set->count_reap_waits))
			continue;
		if (buckets > BYTES_MOST / sizeof(struct per_file_bucket))
			return refuse_memory(b, pj, buckets);
		pj->per_file = (struct per_file_cfg){ .files = several ? pj->nfiles : 1,
						      .buckets = (uint32_t)buckets,
						      .bucket_ns = bucket_ns,
						      .hists = several,
						      .waits = p->set->count_reap_waits };
		sum += per_file_bytes(&pj->per_file);
		if (buckets && sum > BYTES_MOST)
			return refuse_memory(b, pj, buckets);
	}
	return 0;
}
