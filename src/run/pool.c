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
	return pj->clone == 0 && pj->job->opts.native.write_pool && pj->rw & RW_WRITE;
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

int pools_make(struct pool **pools, const struct plan *p, struct diag *d)
{
	int err = 0;

	for (uint32_t i = 0; i < p->njobs && !err; i++) {
		const struct plan_job *pj = &p->jobs[i];

		if (!wanted(pj))
			continue;
		if (!*pools)
			*pools = calloc(p->set->njobs, sizeof(**pools));
		if (!*pools)
			return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for pools");
		(*pools)[pj->section].fd = -1;
		err = make(&(*pools)[pj->section], pj, d);
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

			worker_fail(w, err, "write_pool_file=%s: %s", w->o->native.write_pool_file,
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

bool pool_fill(struct worker *w)
{
	const struct pool *pool = w->region->pools ? &w->region->pools[w->pj->section] : NULL;
	uint64_t clones = w->o->group.numjobs ? w->o->group.numjobs : 1, from, to;
	struct content_pool use;

	if (!pool || !pool->bytes)
		return true;
	from = pool->size / clones * w->pj->clone;
	to = w->pj->clone + 1 == clones ? pool->size : from + pool->size / clones;
	if (pool->fd >= 0 && !read_file(w, pool, from, to))
		return false;
	if (pool->fd < 0)
		make_random(w, pool, from, to);
	use = (struct content_pool){ pool->bytes, pool->size, w->o->file.direct ? ALIGN_DIRECT : 1 };
	content_use_pool(&w->content, &use);
	return !worker_stopped(w);
}
