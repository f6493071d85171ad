#include "collect_parts.h"

#include "files.h"

/* Room for the bins of one histogram. */
struct room {
	uint64_t ns[HIST_BUCKETS], count[HIST_BUCKETS];
};

static void add_dir_counts(struct result *r, struct result_file *file, const struct plan_job *pj,
			   void *counts, uint32_t i, unsigned dir)
{
	const struct file_stats_cfg *c = &pj->file_stats;
	const struct file_dir *d = file_stats_dir(counts, c, i, dir);
	enum file_lat lat = file_stats_hist_lat(c, dir);
	struct result_bins bins = { 0 };
	struct room room;

	if (c->hists && d->ios && c->lat[lat] & 1u << dir)
		bins = (struct result_bins){ room.ns, room.count,
					     hist_bins(file_stats_hist(counts, c, i, dir), room.ns,
						       room.count) };
	result_file_add(r, file, dir, d, &bins);
}

/* Files without I/O are in the list, too. */
static void add_worker_files(struct result *r, struct result_files *to, const struct run *run, uint32_t index)
{
	const struct plan *p = run->plan;
	const struct plan_job *pj = &p->jobs[index];
	struct slot *s = run_slot(run, index);
	void *counts = slot_part(s, pj, SLOT_FILE_STATS);

	for (uint32_t i = 0; i < pj->file_stats.files && !r->failed; i++) {
		struct result_file *file =
			result_files_find(r, to, NULL, p->targets[pj->files[i].target].path);

		for (unsigned dir = 0; dir < DIR_COUNT && pj->file_stats.dirs; dir++)
			if (pj->file_stats.dirs & 1u << dir)
				add_dir_counts(r, file, pj, counts, i, dir);
	}
}

void collect_files(struct result *r, struct result_job *job, const struct run *run, uint32_t report)
{
	const uint32_t *member;
	uint32_t n = plan_members(run->plan, report, &member);
	struct result_files *to = &job->files;

	for (uint32_t i = 0; i < n && run->end_ns; i++) {
		const struct plan_job *pj = &run->plan->jobs[member[i]];

		if (!pj->file_stats.files)
			continue;
		to->on = true;
		to->percentiles = pj->file_stats.hists;
		to->lat = pj->file_stats.hist_lat;
		add_worker_files(r, to, run, member[i]);
	}
	if (!to->on)
		return;
	if (job->mixed)
		result_files_mix(r, to);
	result_files_finish(r, to, &job->sum);
}
