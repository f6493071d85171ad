#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "worker.h"

#define ALIGN_DIRECT 512
#define STEP         (1u << 20)

static bool wanted(const struct plan_job *pj)
{
	return pj->job->opts.native.write_pool && pj->rw & RW_WRITE;
}

static int refuse_file(const struct plan_job *pj, int err, const char *what, struct diag *d)
{
	return diag_kind(d, DIAG_RUN, err, "[%s]: write_pool_file=%s: %s", pj->job->name,
			 pj->job->opts.native.write_pool_file, what);
}

static int open_file(struct pool *pool, const struct plan_job *pj, struct diag *d)
{
	struct stat st;

	pool->fd = open(pj->job->opts.native.write_pool_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (pool->fd < 0 || fstat(pool->fd, &st))
		return refuse_file(pj, -errno, diag_errno(errno), d);
	if (!S_ISREG(st.st_mode))
		return refuse_file(pj, -EINVAL, "not a regular file", d);
	if (!st.st_size)
		return refuse_file(pj, -EINVAL, "is empty", d);
	pool->file_size = (uint64_t)st.st_size;
	pool->file = pj->job->opts.native.write_pool_file;
	return 0;
}

static int make(struct pool *pool, const struct plan_job *pj, struct diag *d)
{
	const struct native_cfg *n = &pj->job->opts.native;

	pool->bytes = mmap(NULL, n->write_pool, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pool->bytes == MAP_FAILED) {
		pool->bytes = NULL;
		return diag_kind(d, DIAG_RUN, -errno, "[%s]: write_pool=%" PRIu64 ": cannot map it: %s%s",
				 pj->job->name, n->write_pool, diag_errno(errno), diag_hint(errno));
	}
	pool->size = n->write_pool;
	return n->write_pool_file ? open_file(pool, pj, d) : 0;
}

/* One for each section. */
static int make_one(struct pool **pools, const struct plan *p, const struct plan_job *pj, struct diag *d)
{
	struct pool *pool;

	if (!wanted(pj))
		return 0;
	if (!*pools)
		*pools = calloc(p->set->njobs, sizeof(**pools));
	if (!*pools)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for pools");
	pool = &(*pools)[pj->section];
	if (pool->bytes)
		return 0;
	pool->fd = -1;
	return make(pool, pj, d);
}

int pools_make(struct pool **pools, const struct plan *p, struct diag *d)
{
	int err = 0;

	for (uint32_t i = 0; i < p->njobs && !err; i++) {
		const struct plan_job *pj = &p->jobs[i];

		err = make_one(pools, p, pj, d);
		for (uint32_t k = 0; k < pj->nmembers && !err; k++)
			err = make_one(pools, p, &pj->members[k], d);
	}
	return err;
}

void pools_free(struct pool *pools, const struct plan *p)
{
	for (size_t i = 0; pools && i < p->set->njobs; i++) {
		if (!pools[i].bytes)
			continue;
		munmap(pools[i].bytes, pools[i].size);
		if (pools[i].fd >= 0)
			close(pools[i].fd);
	}
	free(pools);
}

/* [from, to) of the pool, from the file over and over. */
static bool read_file(struct worker *w, const struct pool *pool, uint64_t from, uint64_t to)
{
	while (from < to && !worker_stopped(w)) {
		uint64_t at = from % pool->file_size, n = pool->file_size - at;
		ssize_t got;

		n = n < to - from ? n : to - from;
		got = pread(pool->fd, pool->bytes + from, n, (off_t)at);
		if (got <= 0) {
			int err = got < 0 ? errno : EIO;

			worker_fail(w, err, "write_pool_file=%s: %s", pool->file,
				    got < 0 ? diag_errno(err) : "it has become shorter");
			return false;
		}
		from += (uint64_t)got;
	}
	return true;
}

static void make_random(struct worker *w, const struct pool *pool, uint64_t from, uint64_t to)
{
	while (from < to && !worker_stopped(w)) {
		uint64_t n = to - from < STEP ? to - from : STEP;

		content_pool_random(pool->bytes + from, n, from);
		from += n;
	}
}

/* This worker's part, of so many equal ones. */
static bool fill_part(struct worker *w, const struct pool *pool, uint64_t part, uint64_t parts)
{
	uint64_t from = pool->size / parts * part;
	uint64_t to = part + 1 == parts ? pool->size : from + pool->size / parts;

	if (pool->fd >= 0)
		return read_file(w, pool, from, to);
	make_random(w, pool, from, to);
	return true;
}

static struct content_pool slices(const struct pool *pool, const struct job_opts *o)
{
	return (struct content_pool){ pool->bytes, pool->size, o->file.direct ? ALIGN_DIRECT : 1 };
}

/* A thread_group's: also those that other threads write from alone. */
static bool fill_team(struct worker *w)
{
	const struct job_set *set = w->plan->set;
	uint64_t part = 0, parts = 0;
	bool ok = true;

	for (uint32_t i = 0; i < w->plan->njobs; i++) {
		part += w->plan->jobs[i].job == w->pj->job && i < w->pj->index;
		parts += w->plan->jobs[i].job == w->pj->job;
	}
	for (size_t i = 0; i < set->njobs && ok; i++) {
		const struct pool *pool = &w->region->pools[i];

		if (pool->bytes && thread_group_same(&set->jobs[i], w->pj->job))
			ok = fill_part(w, pool, part, parts);
	}
	for (uint32_t i = 0; i < w->pj->nfiles && ok; i++) {
		const struct pool *pool = &w->region->pools[worker_of(w, i)->section];
		struct content_pool use = slices(pool, worker_opts(w, i));

		if (pool->bytes && team_content(w, i))
			content_use_pool(team_content(w, i), &use);
	}
	return ok && !worker_stopped(w);
}

bool pool_fill(struct worker *w)
{
	uint64_t clones = w->o->group.numjobs ? w->o->group.numjobs : 1;
	const struct pool *pool;
	struct content_pool use;

	if (!w->region->pools)
		return true;
	if (w->team)
		return fill_team(w);
	pool = &w->region->pools[w->pj->section];
	if (!pool->bytes)
		return true;
	if (!fill_part(w, pool, w->pj->clone, clones))
		return false;
	use = slices(pool, w->o);
	content_use_pool(&w->content, &use);
	return !worker_stopped(w);
}
