/* write_pool_fill.c: the clones of a section fill the memory that their writes send (write_pool). */
#include <errno.h>
#include <unistd.h>
#include "clone.h"
#include "io_source.h"
#include "region.h"
#include "setup.h"

#define ALIGN_DIRECT 512
#define STEP         (1u << 20)

/* Fills bytes [from, to) of the pool with the contents of the file, repeated. */
static bool read_pool_file(struct clone *c, const struct write_pool *pool, uint64_t from, uint64_t to)
{
	while (from < to && !clone_stopped(c)) {
		uint64_t at = from % pool->file_size, n = pool->file_size - at;
		ssize_t got;

		n = n < to - from ? n : to - from;
		got = pread(pool->fd, pool->bytes + from, n, (off_t)at);
		if (got <= 0) {
			int err = got < 0 ? errno : EIO;

			clone_fail(c, err, "{write_pool_file=%s}: %s", pool->file,
				   got < 0 ? diag_errno(err) : "it has become shorter");
			return false;
		}
		from += (uint64_t)got;
	}
	return true;
}

static void make_random(const struct clone *c, const struct write_pool *pool, uint64_t from, uint64_t to)
{
	while (from < to && !clone_stopped(c)) {
		uint64_t n = to - from < STEP ? to - from : STEP;

		content_pool_random(pool->bytes + from, n, from);
		from += n;
	}
}

/* Fills this worker's share of the pool, one of `shares` equal shares. */
static bool fill_share(struct clone *c, const struct write_pool *pool, uint64_t share, uint64_t shares)
{
	uint64_t from = pool->size / shares * share;
	uint64_t to = share + 1 == shares ? pool->size : from + pool->size / shares;

	if (pool->fd >= 0)
		return read_pool_file(c, pool, from, to);
	make_random(c, pool, from, to);
	return true;
}

static void use_pool(struct content *content, const struct write_pool *pool, const struct job_opts *o)
{
	struct content_pool use = { pool->bytes, pool->size, o->file.direct ? ALIGN_DIRECT : 1 };

	content_use_pool(content, &use);
}

/* Fills this worker's share of all pools of a thread_group, also of pools that only other threads use. */
static bool fill_group(struct clone *c, const struct thread_group *group)
{
	const struct job_set *set = c->plan->set;
	uint64_t share = 0, shares = 0;
	bool ok = true;

	for (uint32_t i = 0; i < c->plan->njobs; i++) {
		share += c->plan->jobs[i].job == c->job->job && i < c->job->index;
		shares += c->plan->jobs[i].job == c->job->job;
	}
	for (size_t i = 0; i < set->njobs && ok; i++) {
		const struct write_pool *pool = &c->region->pools[i];

		if (pool->bytes && thread_group_same(&set->jobs[i], c->job->job))
			ok = fill_share(c, pool, share, shares);
	}
	for (uint32_t i = 0; i < c->job->nfiles && ok; i++) {
		const struct write_pool *pool = &c->region->pools[clone_file_job(c, i)->section];
		struct content *content = thread_group_content(group, i);

		if (pool->bytes && content)
			use_pool(content, pool, clone_file_opts(c, i));
	}
	return ok && !clone_stopped(c);
}

bool write_pool_fill(struct clone *c, const struct io_source *s)
{
	uint64_t clones = c->opts->group.numjobs ? c->opts->group.numjobs : 1;
	const struct write_pool *pool;

	if (!c->region->pools)
		return true;
	if (s->thread_group)
		return fill_group(c, s->thread_group);
	pool = &c->region->pools[c->job->section];
	if (!pool->bytes)
		return true;
	if (!fill_share(c, pool, c->job->clone, clones))
		return false;
	use_pool(s->content, pool, c->opts);
	return !clone_stopped(c);
}
