/* write_pool_fill.c: the clones of a section fill the memory that their writes send (write_pool). */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>
#include "clone.h"
#include "thread_group.h"
#include "worker.h"
#include "write_pool.h"
#include "write_pool_fill.h"

#define ALIGN_DIRECT 512
#define STEP         (1u << 20)

/* Fills bytes [from, to) of the pool with the contents of the file, repeated. */
static bool read_file(struct worker *w, const struct write_pool *pool, uint64_t from, uint64_t to)
{
	while (from < to && !clone_stopped(&w->clone)) {
		uint64_t at = from % pool->file_size, n = pool->file_size - at;
		ssize_t got;

		n = n < to - from ? n : to - from;
		got = pread(pool->fd, pool->bytes + from, n, (off_t)at);
		if (got <= 0) {
			int err = got < 0 ? errno : EIO;

			clone_fail(&w->clone, err, "{write_pool_file=%s}: %s", pool->file,
				   got < 0 ? diag_errno(err) : "it has become shorter");
			return false;
		}
		from += (uint64_t)got;
	}
	return true;
}

static void make_random(struct worker *w, const struct write_pool *pool, uint64_t from, uint64_t to)
{
	while (from < to && !clone_stopped(&w->clone)) {
		uint64_t n = to - from < STEP ? to - from : STEP;

		content_pool_random(pool->bytes + from, n, from);
		from += n;
	}
}

/* Fills this worker's part of the pool, one of `parts` equal parts. */
static bool fill_part(struct worker *w, const struct write_pool *pool, uint64_t part, uint64_t parts)
{
	uint64_t from = pool->size / parts * part;
	uint64_t to = part + 1 == parts ? pool->size : from + pool->size / parts;

	if (pool->fd >= 0)
		return read_file(w, pool, from, to);
	make_random(w, pool, from, to);
	return true;
}

static struct content_pool slices(const struct write_pool *pool, const struct job_opts *o)
{
	return (struct content_pool){ pool->bytes, pool->size, o->file.direct ? ALIGN_DIRECT : 1 };
}

/* Fills this worker's part of all pools of a thread_group, also of pools that only other threads use. */
static bool fill_team(struct worker *w)
{
	const struct job_set *set = w->clone.plan->set;
	uint64_t part = 0, parts = 0;
	bool ok = true;

	for (uint32_t i = 0; i < w->clone.plan->njobs; i++) {
		part += w->clone.plan->jobs[i].job == w->clone.job->job && i < w->clone.job->index;
		parts += w->clone.plan->jobs[i].job == w->clone.job->job;
	}
	for (size_t i = 0; i < set->njobs && ok; i++) {
		const struct write_pool *pool = &w->clone.region->pools[i];

		if (pool->bytes && thread_group_same(&set->jobs[i], w->clone.job->job))
			ok = fill_part(w, pool, part, parts);
	}
	for (uint32_t i = 0; i < w->clone.job->nfiles && ok; i++) {
		const struct write_pool *pool =
			&w->clone.region->pools[clone_file_job(&w->clone, i)->section];
		struct content_pool use = slices(pool, clone_file_opts(&w->clone, i));

		if (pool->bytes && thread_group_content(w, i))
			content_use_pool(thread_group_content(w, i), &use);
	}
	return ok && !clone_stopped(&w->clone);
}

bool write_pool_fill(struct worker *w)
{
	uint64_t clones = w->clone.opts->group.numjobs ? w->clone.opts->group.numjobs : 1;
	const struct write_pool *pool;
	struct content_pool use;

	if (!w->clone.region->pools)
		return true;
	if (w->source.thread_group)
		return fill_team(w);
	pool = &w->clone.region->pools[w->clone.job->section];
	if (!pool->bytes)
		return true;
	if (!fill_part(w, pool, w->clone.job->clone, clones))
		return false;
	use = slices(pool, w->clone.opts);
	content_use_pool(&w->content, &use);
	return !clone_stopped(&w->clone);
}
