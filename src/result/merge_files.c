
#include <errno.h>
#include "files.h"
#include "merge_parts.h"

/* Drops the bins of files, which only the percentiles needed. */
static void drop_bins(struct result_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		for (unsigned dir = 0; dir < DIR_COUNT; dir++)
			if (f->file[i].dir[dir])
				f->file[i].dir[dir]->bins.n = 0;
}

int merge_files_add(struct merge_files *m, struct result *out, struct result_job *own,
		    const struct result_job *job, bool bins)
{
	struct result_files *all = &m->sum;
	bool first = !m->entries;

	if (!job->files.on)
		return 0;
	m->entries++;
	own->files.on = all->on = true;
	own->files.percentiles = job->files.percentiles;
	own->files.lat = job->files.lat;
	result_files_merge(out, &own->files, &job->files, NULL, own->sum.npercentiles);
	result_files_finish(out, &own->files, &own->sum);
	if (!bins)
		drop_bins(&own->files);
	all->percentiles = first ? job->files.percentiles
				 : all->percentiles && job->files.percentiles && all->lat == job->files.lat;
	all->lat = job->files.lat;
	result_files_merge(out, all, &job->files, own->hostname, 0);
	return merge_files_fit(all) ? 0 : -EOVERFLOW;
}

void merge_files_finish(const struct merge_files *m, struct result *out, struct result_job *all,
			size_t entries)
{
	if (!m->entries)
		return;
	if (m->entries < entries) {
		result_note(out, "%zu of %zu entries have no counts of files, so \"%s\" has none",
			    entries - m->entries, entries, all->name);
		return;
	}
	all->files = m->sum;
	if (all->mixed)
		result_files_mix(out, &all->files);
	result_files_finish(out, &all->files, &all->sum);
}
