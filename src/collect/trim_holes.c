#include "trim_holes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "job.h"
#include "media.h"

/* Counting goes through at most this many holes of all files together, which takes about a second. */
#define HOLES_MAX (1u << 20)

/* Returns whether the job does such I/Os to the file; trims include those of trim_percentage. */
static bool does(const struct plan_file *pf, unsigned rw)
{
	return (pf->user->rw | (rw & RW_TRIM ? job_access(pf->user->job) : 0)) & rw;
}

/* Returns a flag for each target to which jobs of these waves do such I/Os; of several names of one file the
   first. NULL: there is none, or memory is short. The caller frees it. */
static bool *targets_of(const struct plan *p, uint32_t first, uint32_t last, unsigned rw)
{
	bool *flag = NULL;

	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct plan_job *pj = &p->jobs[i];

		for (uint32_t k = 0; k < pj->nfiles && pj->wave >= first && pj->wave <= last; k++) {
			if (!does(&pj->files[k], rw))
				continue;
			if (!flag)
				flag = calloc(p->ntargets, sizeof(*flag));
			if (flag)
				flag[p->targets[pj->files[k].target].same] = true;
		}
	}
	return flag;
}

static bool make_room(struct trim_holes *h, const struct plan *p)
{
	if (!h->before) {
		h->before = calloc(p->ntargets, sizeof(*h->before));
		if (h->before)
			memset(h->before, 0xff, p->ntargets * sizeof(*h->before));
	}
	return h->before;
}

void trim_holes_begin(struct trim_holes *h, const struct plan *p, uint32_t wave)
{
	bool *trimmed = targets_of(p, wave, wave, RW_TRIM);
	bool *read = trimmed ? targets_of(p, wave, UINT32_MAX, RW_READ) : NULL;
	unsigned most = HOLES_MAX;
	uint64_t size;

	for (uint32_t i = 0; read && i < p->ntargets; i++)
		if (trimmed[i] && read[i] && make_room(h, p) && h->before[i] == UINT64_MAX)
			h->before[i] = media_unwritten(p->targets[i].path, &size, &most);
	free(trimmed);
	free(read);
}

/* Adds the note of the first file. */
static void add_note(struct result *r, const char *path, uint64_t percent, uint64_t others)
{
	char other_files[64] = "";

	if (others)
		snprintf(other_files, sizeof(other_files), " (and parts of %" PRIu64 " other%s)", others,
			 others > 1 ? "s" : " file");
	result_note(r,
		    "at least %" PRIu64
		    " %% of %s are holes that trims of this run made%s: reads of holes do "
		    "not reach the device, so the figures of reads are too good",
		    percent, path, other_files);
}

/* Returns how much of the file became holes, in whole percent. */
static uint64_t share(uint64_t before, uint64_t now, uint64_t size)
{
	return size && now > before ? (uint64_t)(100.0 * (double)(now - before) / (double)size) : 0;
}

void trim_holes_note(const struct trim_holes *h, const struct plan *p, struct result *r)
{
	uint64_t percent_of_first = 0, files = 0;
	const char *first = NULL;
	unsigned most = HOLES_MAX;

	for (uint32_t i = 0; h->before && !r->as_fio && i < p->ntargets; i++) {
		uint64_t size = 0, holes, percent;

		if (h->before[i] == UINT64_MAX)
			continue;
		holes = media_unwritten(p->targets[i].path, &size, &most);
		percent = share(h->before[i], holes, size);
		if (percent && !first) {
			first = p->targets[i].path;
			percent_of_first = percent;
		}
		files += percent > 0;
	}
	if (first)
		add_note(r, first, percent_of_first, files - 1);
}

void trim_holes_fini(struct trim_holes *h)
{
	free(h->before);
}
