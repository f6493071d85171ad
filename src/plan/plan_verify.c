/* plan_verify.c: how a job knows which blocks it wrote, when it reads them back (verify). */
#include <inttypes.h>
#include "plan_build.h"
#include "rng.h"

#define UNIT_LEAST 512u

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static enum offset_kind kind_of(const struct plan_job *pj)
{
	const struct plan_file *f = &pj->files[0];
	struct offset_gen g;

	offset_init(&g, &pj->job->opts.offset, f->start, f->len, 0);
	return g.kind;
}

/* Returns whether each pass has the same I/Os in the same order. */
static bool passes_equal(const struct plan_job *pj, enum offset_kind kind)
{
	const struct job_opts *o = &pj->job->opts;
	bool mixed = pj->rw & RW_READ;

	if (!o->time.time_based && !pj->repeat && o->time.loops <= 1)
		return true; /* there is only one */
	if (mixed || (pj->nfiles > 1 && o->files.file_order.kind == FILE_ORDER_RANDOM))
		return false;
	return kind == OFFSET_SEQUENTIAL || !o->time.time_based;
}

/* Returns whether the writes can be drawn again from their seeds, because their order depends on counts
   alone, and whether no pass writes a block twice. */
static bool can_replay(const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	const struct offset_cfg *c = &o->offset;
	enum offset_kind kind = kind_of(pj);
	bool covers = kind == OFFSET_BLOCKS || kind == OFFSET_LISTED || kind == OFFSET_CELLS ||
		      (kind == OFFSET_SEQUENTIAL && !c->rw_stride);
	bool paced = o->pace.rate[DIR_READ] || o->pace.rate[DIR_WRITE] || o->pace.rate_iops[DIR_READ] ||
		     o->pace.rate_iops[DIR_WRITE];

	if (!covers || !passes_equal(pj, kind) || c->per_slot || c->endless || c->shared || c->shared_pos ||
	    o->queue.per_file)
		return false;
	if (pj->rw & RW_TRIM || (paced && pj->rw & RW_READ))
		return false;
	return pj->openfiles == pj->nfiles && !o->file.create_on_open && !o->files.unlink_each_loop &&
	       !o->files.fill;
}

/* Returns the largest size of which all offsets and sizes of writes are multiples. */
static uint64_t unit_of(const struct plan_job *pj)
{
	const struct offset_cfg *c = &pj->job->opts.offset;
	const struct bsize_cfg *bs = &c->bsize;
	uint64_t unit = common_divisor(bs->lo[DIR_WRITE], bs->hi[DIR_WRITE]);

	if (bs->unaligned && bs->lo[DIR_WRITE] != bs->hi[DIR_WRITE])
		unit = 1;
	for (unsigned i = 0; i < bs->split_n[DIR_WRITE]; i++)
		unit = common_divisor(unit, bs->split[DIR_WRITE][i].bytes);
	if (c->ba[DIR_WRITE])
		unit = common_divisor(unit, c->ba[DIR_WRITE]);
	if (c->rw_stride)
		unit = common_divisor(unit, (uint64_t)(c->rw_stride < 0 ? -c->rw_stride : c->rw_stride));
	for (uint32_t i = 0; i < pj->nfiles; i++)
		if (pj->files[i].first)
			unit = common_divisor(unit, pj->files[i].first);
	return unit;
}

uint64_t plan_verify_bytes(const struct plan_job *pj)
{
	uint64_t bytes = 0;

	if (pj->verify.memory != VERIFY_MAP)
		return 0;
	for (uint32_t i = 0; i < pj->nfiles; i++)
		bytes += (pj->files[i].len + pj->verify.unit - 1) / pj->verify.unit * sizeof(uint32_t);
	return bytes;
}

static int use_map(struct build *b, struct plan_job *pj)
{
	uint64_t unit = unit_of(pj), bytes, available = b->f->machine.available_bytes;

	if (unit < UNIT_LEAST)
		return plan_err(
			b, pj->job, "verify",
			"{verify}: offsets and sizes of the writes have no common divisor of %u bytes or "
			"more, so the map of what was written would be too large",
			UNIT_LEAST);
	pj->verify.unit = (uint32_t)unit;
	pj->verify.memory = VERIFY_MAP;
	bytes = plan_verify_bytes(pj);
	b->p->verify_bytes += bytes;
	if (available && b->p->verify_bytes > available)
		return plan_err(b, pj->job, "verify",
				"{verify}: the map of what was written needs %" PRIu64
				" MiB, 4 bytes for each block, and %" PRIu64
				" MiB are available; choose a smaller size or larger blocks",
				b->p->verify_bytes >> 20, available >> 20);
	return 0;
}

int plan_verify(struct build *b, struct plan_job *pj)
{
	const struct verify_opts *o = &pj->job->opts.verify;
	struct plan_verify *v = &pj->verify;
	bool checks = o->format.kind != VERIFY_NULL;

	if (!o->format.kind || !pj->nfiles)
		return 0;
	v->seed = rng_mix64(pj->seed + 4);
	v->writes = pj->rw & RW_WRITE && !o->only;
	v->reads = pj->rw & RW_WRITE && checks && (o->only || o->after_writing);
	v->run_reads = !(pj->rw & RW_WRITE) && pj->rw & RW_READ && checks;
	if (!v->reads)
		return 0;
	v->memory = VERIFY_REPLAY;
	return can_replay(pj) ? 0 : use_map(b, pj);
}
