#include "region.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_file(const struct plan_job *pj, int err, const char *why, struct diag *d)
{
	return diag_kind(d, DIAG_RUN, err, "{#%s}{write_pool_file=%s}: %s", pj->job->name,
			 pj->job->opts.write_pool.file, why);
}

static int open_pool_file(struct write_pool *pool, const struct plan_job *pj, struct diag *d)
{
	struct stat st;

	pool->fd = open(pj->job->opts.write_pool.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (pool->fd < 0 || fstat(pool->fd, &st))
		return refuse_file(pj, -errno, diag_errno(errno), d);
	if (!S_ISREG(st.st_mode))
		return refuse_file(pj, -EINVAL, "not a regular file", d);
	if (!st.st_size)
		return refuse_file(pj, -EINVAL, "is empty", d);
	pool->file_size = (uint64_t)st.st_size;
	pool->file = pj->job->opts.write_pool.file;
	return 0;
}

static int map_pool(struct write_pool *pool, const struct plan_job *pj, struct diag *d)
{
	const struct write_pool_cfg *c = &pj->job->opts.write_pool;

	pool->bytes = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
			   -1, 0);
	if (pool->bytes == MAP_FAILED) {
		pool->bytes = NULL;
		return diag_kind(d, DIAG_RUN, -errno, "{#%s}{write_pool=%" PRIu64 "}: cannot map it: %s%s",
				 pj->job->name, c->bytes, diag_errno(errno), diag_hint(errno));
	}
	pool->size = c->bytes;
	return c->file ? open_pool_file(pool, pj, d) : 0;
}

/* Maps the pool of the job's section, if the job uses one and it is not mapped yet. */
static int init_pool(struct write_pool **pools, const struct plan *p, const struct plan_job *pj,
		     struct diag *d)
{
	struct write_pool *pool;

	if (!pj->job->opts.write_pool.bytes || !(pj->rw & RW_WRITE))
		return 0;
	if (!*pools)
		*pools = calloc(p->set->njobs, sizeof(**pools));
	if (!*pools)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for pools");
	pool = &(*pools)[pj->section];
	if (pool->bytes)
		return 0;
	pool->fd = -1;
	return map_pool(pool, pj, d);
}

int write_pools_init(struct write_pool **pools, const struct plan *p, struct diag *d)
{
	int err = 0;

	for (uint32_t i = 0; i < p->njobs && !err; i++) {
		const struct plan_job *pj = &p->jobs[i];

		err = init_pool(pools, p, pj, d);
		for (uint32_t k = 0; k < pj->nmembers && !err; k++)
			err = init_pool(pools, p, &pj->members[k], d);
	}
	return err;
}

void write_pools_fini(struct write_pool *pools, const struct plan *p)
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
