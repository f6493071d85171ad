/* io_source.c: sets up the source of the job's I/Os. */
#include <stdlib.h>
#include "clone.h"
#include "io_source.h"

#define GEN_ALIGN 64 /* a cache line */
/* The fields that most I/Os need begin a cache line. */
#define GEN_SHIFT  (GEN_ALIGN - offsetof(struct offset_gen, fast_kind) % GEN_ALIGN)
#define MANY_FILES 1024 /* from here on the batches of skewed draws are small */

/* Returns false if memory is short. */
static bool init_gens(struct io_source *s, const struct clone *c, uint32_t i, uint64_t len)
{
	const struct plan_file *pf = &c->job->files[i];

	for (uint32_t k = 0; k < s->gens_per_file; k++) {
		struct offset_gen *g = io_source_gen(s, i, k);

		offset_init(g, &clone_file_opts(c, i)->offset, pf->start, len,
			    rng_mix64(c->job->seed ^ ((uint64_t)(i + 1) << 32)));
		if (s->zones)
			zones_set(&s->zones[i], g);
		offset_set_pass(g, pf->pass_bytes);
		if (!offset_set_skews(g, &s->skews))
			return false;
		if (pf->first)
			offset_set_first(g, pf->first);
		if (pf->shared_position)
			offset_share(g, region_shared_position(c->region, pf->shared_position));
	}
	return true;
}

/* Sets the size and the number of the generators. */
static void size_gens(struct io_source *s, const struct clone *c)
{
	bool per_slot = false;

	for (uint32_t i = 0; i < c->job->nfiles; i++) {
		const struct offset_cfg *o = &clone_file_opts(c, i)->offset;
		size_t bytes = offset_bytes(o, s->skews.batch);

		per_slot |= o->per_slot;
		s->gen_bytes = bytes > s->gen_bytes ? bytes : s->gen_bytes;
	}
	s->gen_bytes = (s->gen_bytes + GEN_ALIGN - 1) / GEN_ALIGN * GEN_ALIGN;
	s->gens_per_file = per_slot ? c->job->depth : 1;
	s->slot_mask = per_slot ? UINT32_MAX : 0;
}

bool io_source_begin_file(struct io_source *s, const struct clone *c, uint32_t i)
{
	return init_gens(s, c, i, c->job->files[i].len);
}

/* Returns whether the shares of the files count (zipf, pareto, normal), not that each file is covered. A job
   that verifies, or whose files end one by one, covers its files. */
static bool files_begin_anew(const struct clone *c)
{
	const struct job_opts *o = c->opts;

	return file_order_skewed(o->files.file_order.kind) && o->verify.format.kind == VERIFY_NONE &&
	       !(clone_caps(c) & ENG_META) && !(c->job->rw & RW_TRIMWRITE) && !o->files.fill &&
	       !o->files.unlink_each_loop;
}

bool io_source_init(struct io_source *s, const struct clone *c, bool on_open)
{
	uint32_t n = c->job->nfiles;

	skew_table_init(&s->skews, c->job->hot_seed, n < MANY_FILES ? SKEW_BATCH : SKEW_BATCH_FEW);
	size_gens(s, c);
	s->nzones = n;
	if (c->job->members)
		s->file_depth = 1;
	else if (c->opts->queue.per_file)
		s->file_depth = c->job->depth / n;
	s->gens_memory = aligned_alloc(GEN_ALIGN, (size_t)n * s->gens_per_file * s->gen_bytes + GEN_ALIGN);
	s->gens = s->gens_memory ? (unsigned char *)s->gens_memory + GEN_SHIFT : NULL;
	if (!s->gens || !file_order_init(&s->file_order, &c->opts->files.file_order, n, c->job->seed + 3) ||
	    (c->job->weights && !file_order_set_weights(&s->file_order, c->job->weights)) ||
	    !zones_init(&s->zones, c))
		return false;
	s->zone_commands = zones_send_commands(s->zones, n);
	/* The first file says what they have in common. */
	for (uint32_t i = 0; i < (on_open && n ? 1 : n); i++)
		if (!io_source_begin_file(s, c, i))
			return false;
	s->files_begin_anew = files_begin_anew(c);
	s->dir_by_file = c->job->members || (n && offset_has_runs(io_source_gen(s, 0, 0)));
	return true;
}

bool io_source_limit(struct io_source *s, const struct clone *c, uint32_t i, uint64_t *len)
{
	if (*len >= c->job->bs_min)
		return init_gens(s, c, i, *len);
	*len = 0;
	io_source_gen(s, i, 0)->len = 0;
	file_order_done(&s->file_order, i);
	return true;
}

void io_source_fini(struct io_source *s)
{
	zones_fini(s->zones, s->nzones);
	free(s->gens_memory);
	skew_table_fini(&s->skews);
	file_order_fini(&s->file_order);
}
