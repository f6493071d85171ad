/* plan_memory.c: memory of each clone: buffers, huge pages, locked memory, write pool. */
#include <inttypes.h>
#include "plan_build.h"
#include "strbuf.h"

/* Returns the largest huge page of which hugepage-size is a multiple (fio requires only the system's size).
 */
static uint64_t fitting_page(const struct machine *m, uint64_t wanted)
{
	uint64_t best = 0;

	if (!wanted)
		return m->hugepage[0];
	for (unsigned i = 0; i < sizeof(m->hugepage) / sizeof(*m->hugepage) && m->hugepage[i]; i++)
		if (wanted % m->hugepage[i] == 0 && m->hugepage[i] > best)
			best = m->hugepage[i];
	return best;
}

static int refuse_page(struct build *b, const struct plan_job *pj, uint64_t wanted)
{
	const struct machine *m = &b->f->machine;
	struct strbuf sizes = { 0 };
	int ret;

	if (!m->hugepage[0])
		return plan_err(b, pj->job, "mem", "{mem=%s}: this machine has no huge pages",
				mem_kind_name(pj->memory.source.kind));
	for (unsigned i = 0; i < sizeof(m->hugepage) / sizeof(*m->hugepage) && m->hugepage[i]; i++)
		strbuf_printf(&sizes, "%s%" PRIu64, i ? ", " : "", m->hugepage[i]);
	ret = plan_err(b, pj->job, "hugepage-size",
		       "{hugepage-size=%" PRIu64
		       "}: not a multiple of a huge page of this machine (%s bytes)",
		       wanted, strbuf_str(&sizes));
	strbuf_fini(&sizes);
	return ret;
}

/* Checks the locked memory of the wave, whose workers hold theirs at the same time. A machine that runs out
   of memory kills arbitrary processes, so too much is refused. */
static int add_locked(struct build *b, const struct plan_job *pj)
{
	const struct machine *m = &b->f->machine;
	uint64_t mine = pj->job->opts.lockmem;

	if (pj->index && b->p->jobs[pj->index - 1].wave != pj->wave)
		b->p->locked_bytes = 0;
	if (!mine || !m->available_bytes)
		return 0;
	if (__builtin_add_overflow(b->p->locked_bytes, mine, &b->p->locked_bytes) ||
	    b->p->locked_bytes > m->available_bytes)
		return plan_err(b, pj->job, "lockmem",
				"{lockmem=%s}: the {~worker|workers} would lock more memory than is "
				"available, %" PRIu64 " MiB (MemAvailable)",
				job_user_option(pj->job, "lockmem")->text, m->available_bytes >> 20);
	return 0;
}

/* Refuses a pool larger than the free memory. All clones share one pool. */
int plan_memory_pool(struct build *b, const struct plan_job *pj)
{
	uint64_t pool = pj->job->opts.write_pool.bytes, available = b->f->machine.available_bytes;

	if (!(pj->rw & RW_WRITE) || !available || pool <= available)
		return 0;
	return plan_err(b, pj->job, "write_pool",
			"{write_pool=%s}: more memory than is available, %" PRIu64 " MiB (MemAvailable)",
			job_user_option(pj->job, "write_pool")->text, available >> 20);
}

int plan_memory(struct build *b, struct plan_job *pj)
{
	uint64_t wanted;
	int ret;

	pj->memory = pj->job->opts.memory;
	wanted = pj->memory.hugepage;
	pj->memory.hugepage = 0;
	pj->memory.unused = pj->job->engine->caps & ENG_VIRTUAL && !(pj->rw & RW_WRITE);
	if (mem_kind_huge(pj->memory.source.kind)) {
		pj->memory.hugepage = fitting_page(&b->f->machine, wanted);
		if (!pj->memory.hugepage)
			return refuse_page(b, pj, wanted);
	}
	ret = plan_memory_pool(b, pj);
	return ret ? ret : add_locked(b, pj);
}
