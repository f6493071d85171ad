/* io_source.c: sets up the source of the job's I/Os. */
#include <stdlib.h>
#include "clone.h"
#include "io_source.h"
#include "worker.h"

#define GEN_ALIGN 64 /* a cache line */

static void init_gen(struct worker *w, uint32_t i, uint64_t len)
{
	const struct plan_file *pf = &w->clone.job->files[i];
	struct io_source *s = &w->source;

	for (uint32_t k = 0; k < s->gens_per_file; k++) {
		struct offset_gen *g = io_source_gen(s, i, k);

		offset_init(g, &clone_file_opts(&w->clone, i)->offset, pf->start, len,
			    rng_mix64(w->clone.job->seed ^ ((uint64_t)(i + 1) << 32)));
		if (pf->first)
			offset_set_first(g, pf->first);
		if (pf->shared_position)
			offset_share(g, region_shared_position(w->clone.region, pf->shared_position));
	}
}

bool io_source_init(struct worker *w)
{
	struct io_source *s = &w->source;
	uint32_t n = w->clone.job->nfiles;
	bool slots = false;

	for (uint32_t i = 0; i < n; i++) {
		size_t bytes = offset_bytes(&clone_file_opts(&w->clone, i)->offset);

		slots |= clone_file_opts(&w->clone, i)->offset.per_slot;
		s->gen_bytes = bytes > s->gen_bytes ? bytes : s->gen_bytes;
	}
	s->gen_bytes = (s->gen_bytes + GEN_ALIGN - 1) / GEN_ALIGN * GEN_ALIGN;
	s->gens_per_file = slots ? w->clone.job->depth : 1;
	s->slot_mask = slots ? UINT32_MAX : 0;
	s->own_depth = w->clone.job->members           ? 1
		       : w->clone.opts->queue.per_file ? w->clone.job->depth / n
						       : 0;
	s->gens = aligned_alloc(GEN_ALIGN, (size_t)n * s->gens_per_file * s->gen_bytes);
	w->files.state = calloc(n, sizeof(*w->files.state));
	w->files.inflight = calloc(n, sizeof(*w->files.inflight));
	if (!s->gens || !w->files.state || !w->files.inflight ||
	    !file_order_init(&s->file_order, &w->clone.opts->files.file_order, n, w->clone.job->seed + 3) ||
	    (w->clone.job->weights && !file_order_set_weights(&s->file_order, w->clone.job->weights)))
		return false;
	for (uint32_t i = 0; i < n; i++)
		init_gen(w, i, w->clone.job->files[i].len);
	w->source.runs = w->clone.job->members || (n && offset_has_runs(io_source_gen(s, 0, 0)));
	quota_set(w, w->clone.job->pass_bytes);
	return true;
}

void quota_set(struct worker *w, uint64_t loop_bytes)
{
	const struct time_cfg *t = &w->clone.opts->time;
	uint64_t loops = t->loops ? t->loops : 1;

	w->quota.loop_bytes = loop_bytes;
	w->quota.limit_bytes = w->quota.limit_ios = UINT64_MAX;
	if (t->time_based)
		return;
	if (__builtin_mul_overflow(loop_bytes, loops, &w->quota.limit_bytes))
		w->quota.limit_bytes = UINT64_MAX;
	if (!t->number_ios || __builtin_mul_overflow(t->number_ios, loops, &w->quota.limit_ios))
		w->quota.limit_ios = UINT64_MAX;
}

void io_source_fit(struct worker *w, uint32_t i, uint64_t len)
{
	if (len >= w->clone.job->bs_min) {
		init_gen(w, i, len);
		return;
	}
	io_source_gen(&w->source, i, 0)->len = 0;
	w->files.state[i] = FILE_DONE;
	file_order_done(&w->source.file_order, i);
}

void io_source_fini(struct worker *w)
{
	free(w->source.gens);
	free(w->files.state);
	free(w->files.inflight);
	file_order_fini(&w->source.file_order);
}
