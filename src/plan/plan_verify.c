/* plan_verify.c: how a job knows which blocks it wrote, when it reads them back (verify). */
#include <inttypes.h>
#include "plan_build.h"
#include "rng.h"
#include "scale.h"
#include "verify_sizes.h"
#include "verify_map.h"

#define UNIT_LEAST 512u

static enum offset_kind offset_kind_of(const struct plan_job *pj)
{
	const struct plan_file *f = &pj->files[0];
	struct offset_gen g;

	offset_init(&g, &pj->job->opts.offset, f->start, f->len, 0);
	return g.kind;
}

static bool single_pass(const struct plan_job *pj)
{
	const struct time_cfg *t = &pj->job->opts.time;

	return !t->time_based && !pj->repeat && t->loops <= 1;
}

/* Returns whether the job knows which blocks its last two passes have written: either all passes have the
   same I/Os in the same order, or the generator can say whether its pass has drawn a block already. */
static bool knows_last_passes(const struct plan_job *pj, enum offset_kind kind)
{
	const struct job_opts *o = &pj->job->opts;

	if (single_pass(pj))
		return true;
	if (pj->rw & RW_READ || (pj->nfiles > 1 && file_order_drawn(o->files.file_order.kind)))
		return false;
	/* With time_based each pass draws new sizes. */
	return kind == OFFSET_BLOCKS || !o->time.time_based ||
	       (kind == OFFSET_SEQUENTIAL && bsize_fixed(&o->offset.bsize, RW_WRITE));
}

/* Returns whether the order of the I/Os depends on counts alone, so that they can be drawn again. */
static bool can_draw_again(const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	const struct offset_cfg *c = &o->offset;
	bool paced = pace_has_rate(&o->pace, DIR_READ) || pace_has_rate(&o->pace, DIR_WRITE);

	if (c->per_slot || c->endless || c->shared || c->shared_pos || o->queue.per_file ||
	    pj->rw & RW_TRIM || (paced && pj->rw & RW_READ))
		return false;
	return pj->openfiles == pj->nfiles && !o->file.create_on_open && !o->files.unlink_each_loop &&
	       !o->files.fill;
}

/* Returns whether the backlog can have blocks of several passes, so that drawing one pass again does not
   suffice. */
static bool backlog_of_passes(const struct plan_job *pj)
{
	return pj->verify.backlog && (pj->job->opts.time.time_based || pj->repeat);
}

/* Returns whether no pass writes a block twice. */
static bool writes_once(const struct plan_job *pj, enum offset_kind kind)
{
	return kind == OFFSET_BLOCKS || kind == OFFSET_LISTED || kind == OFFSET_EXTENTS ||
	       (kind == OFFSET_SEQUENTIAL && !pj->job->opts.offset.rw_stride);
}

uint64_t plan_verify_unit(const struct plan_job *pj)
{
	const struct offset_cfg *c = &pj->job->opts.offset;
	unsigned dirs = verify_sizes_dirs(c) | (c->shared_pos ? pj->rw & RW_DIRS : 0);
	uint64_t unit = bsize_divisor(&c->bsize, dirs);

	for (unsigned d = 0; d < DIR_DATA; d++)
		if (dirs & 1u << d)
			unit = common_divisor(unit, c->ba[d]);
	if (c->zone.mode == ZONE_STRIDED)
		unit = common_divisor(unit, c->zone.range + c->zone.skip);
	if (c->rw_stride)
		unit = common_divisor(unit, (uint64_t)(c->rw_stride < 0 ? -c->rw_stride : c->rw_stride));
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		unit = common_divisor(unit, pj->files[i].zone_size);
		if (pj->files[i].first)
			unit = common_divisor(unit, pj->files[i].first);
		if (c->rw_stride < 0) /* a step back beyond the start continues at the end */
			unit = common_divisor(unit, pj->files[i].len);
	}
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

/* Returns the number of writes after which all earlier ones are durable, or have at least completed. While
   one I/O is in flight, the job can issue and complete many others: an fsync may take as long as the next
   interval, and a write as long as 16 writes of another slot. */
static uint64_t unsettled_writes(const struct plan_job *pj)
{
	const struct fsync_cfg *s = &pj->job->opts.sync;
	uint64_t every = s->fsync && (!s->fdatasync || s->fsync < s->fdatasync) ? s->fsync : s->fdatasync;

	return 2 * every * pj->nfiles + 16 * (uint64_t)pj->depth;
}

uint64_t plan_verify_undo_bytes(const struct plan_job *pj)
{
	const struct plan_verify *v = &pj->verify;
	const struct verify_opts *o = &pj->job->opts.verify;
	uint64_t entries = plan_verify_bytes(pj) / sizeof(uint32_t);

	if (v->memory != VERIFY_MAP)
		return 0;
	if (o->state_load) /* the earlier run may have had another depth, or another interval between fsyncs
			    */
		return verify_undo_bytes_max(entries);
	return !v->writes || !o->state_save
		       ? 0
		       : verify_undo_bytes(unsettled_writes(pj),
					   verify_sizes_max(&pj->job->opts.offset) / v->unit, entries);
}

uint64_t plan_verify_undo_at(const struct plan_job *pj)
{
	const uint64_t align = sizeof(struct verify_undo_record);

	return (plan_verify_bytes(pj) + align - 1) / align * align;
}

bool plan_verify_map_fits(const struct plan_job *pj, uint32_t version, uint64_t bytes)
{
	if (bytes < plan_verify_bytes(pj))
		return false;
	/* The logs of version 1 had other sizes. */
	return version < 2 || bytes <= plan_verify_undo_at(pj) + plan_verify_undo_bytes(pj);
}

uint64_t plan_verify_backlog(const struct plan_job *pj)
{
	const struct plan_verify *v = &pj->verify;
	uint64_t writes = v->backlog, units = plan_verify_bytes(pj) / sizeof(uint32_t);

	if (!v->writes)
		return 0;
	if (v->backlog_batch < v->backlog)
		writes *= 4; /* small batches leave more blocks unread for some time */
	return writes < units ? writes : units;
}

uint64_t plan_verify_memory(const struct plan_job *pj)
{
	uint64_t writes = plan_verifies_between(pj) ? plan_verify_backlog(pj) : 0;

	return plan_verify_bytes(pj) + plan_verify_undo_bytes(pj) + writes * PLAN_BACKLOG_BYTES;
}

const char *plan_verify_known_by(const struct plan_job *pj)
{
	switch (pj->verify.memory) {
	case VERIFY_REPLAY:
		return "seeds";
	case VERIFY_MAP:
		return "map";
	case VERIFY_SCAN:
	case VERIFY_MEMORY_NONE:
		break;
	}
	return "headers";
}

static int use_map(struct build *b, struct plan_job *pj)
{
	const char *kind = verify_kinds[pj->job->opts.verify.format.kind].name;
	uint64_t unit = plan_verify_unit(pj), available = b->f->machine.available_bytes;

	if (unit < UNIT_LEAST)
		return plan_err(
			b, pj->job, "verify",
			"{verify=%s}: offsets and sizes of the writes have no common divisor of %u bytes or "
			"more, so the map of the last writes would be too large",
			kind, UNIT_LEAST);
	pj->verify.unit = (uint32_t)unit;
	pj->verify.memory = VERIFY_MAP;
	pj->verify.pieces = unit != verify_sizes_max(&pj->job->opts.offset);
	b->p->verify_bytes += plan_verify_memory(pj);
	if (available && b->p->verify_bytes > available)
		return plan_err(
			b, pj->job, "verify",
			"{verify=%s}: the map of the last writes has 4 bytes for each %u bytes of the "
			"files; with it the jobs need %" PRIu64 " MiB, and %" PRIu64
			" MiB are available; choose a smaller size or larger blocks",
			kind, pj->verify.unit, b->p->verify_bytes >> 20, available >> 20);
	return 0;
}

/* Chooses how the job knows its own writes or, if it loads a state, those of the earlier run. */
static int choose_memory(struct build *b, struct plan_job *pj)
{
	struct plan_verify *v = &pj->verify;
	enum offset_kind kind = offset_kind_of(pj);

	v->numbers_known = true;
	if (!can_draw_again(pj) || !writes_once(pj, kind) || !knows_last_passes(pj, kind) ||
	    backlog_of_passes(pj)) {
		/* A state that the user did not ask for is not worth a map. */
		return v->reads || plan_verify_state_explicit(pj->job) ? use_map(b, pj) : 0;
	}
	v->memory = VERIFY_REPLAY;
	v->new_order = pj->job->opts.time.time_based && kind == OFFSET_BLOCKS;
	return 0;
}

/* Returns whether one pass has all bytes of the files. */
static bool pass_has_all(const struct plan_job *pj)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < pj->nfiles; i++)
		bytes += pj->files[i].pass_bytes;
	return pj->pass_bytes >= bytes && !pj->job->opts.time.number_ios;
}

/* Returns whether later passes of a job that reads may read other blocks than the first one, or blocks that
   begin elsewhere. */
static bool passes_differ(const struct plan_job *pj)
{
	enum offset_kind kind = offset_kind_of(pj);

	return pj->job->opts.time.time_based && ((kind != OFFSET_SEQUENTIAL && kind != OFFSET_BLOCKS) ||
						 pj->bs_min != pj->bs_max || !pass_has_all(pj));
}

/* Returns whether all clones of the section use the same bytes, however many there were when they were
   written. */
static bool clones_share(const struct plan_job *pj)
{
	const struct files_cfg *f = &pj->job->opts.files;

	return f->filename && !f->offset_increment.bytes && !f->offset_increment.percent &&
	       !f->offset_increment.zones;
}

/* Returns whether a job that only reads may meet blocks that later writes have partly replaced: it would have
   written blocks at any unit, and some of them twice, or a clone that this run lacks has written others. */
static bool reads_pieces(const struct plan_job *pj)
{
	return pj->verify.unit != pj->verify.block_max &&
	       (clones_share(pj) ||
		!(single_pass(pj) && writes_once(pj, offset_kind_of(pj)) && can_draw_again(pj)));
}

/* Returns whether an earlier run has drawn other places or sizes than this one would (randrepeat=0). */
static bool drew_other_places(const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	bool drawn_files = pj->nfiles > 1 && file_order_drawn(o->files.file_order.kind);
	enum offset_kind kind = offset_kind_of(pj);

	if (o->offset.randrepeat != RANDREPEAT_NONE)
		return false;
	if (pj->rw & RW_READ || !bsize_fixed(&o->offset.bsize, verify_sizes_dirs(&o->offset)))
		return true;
	return kind == OFFSET_SEQUENTIAL ? drawn_files && !pass_has_all(pj)
					 : kind != OFFSET_BLOCKS || !pass_has_all(pj);
}

static int refuse_unknown_places(struct build *b, const struct plan_job *pj)
{
	if (drew_other_places(pj)) /* a state would not help, since it is of a job with other seeds */
		return plan_err(b, pj->job, "verify_only",
				"{verify_only}: with {randrepeat=0} each run draws other places and sizes, "
				"so those of an "
				"earlier run's blocks are not known; write and verify with {+randrepeat=1}, "
				"or use one "
				"block size of which all offsets are multiples");
	return plan_err(b, pj->job, "verify_only",
			"{verify_only}: with these options the places and sizes of an earlier run's blocks "
			"are not known; load its state with {+verify_state_load=1}, or use one block size of "
			"which all offsets are multiples");
}

/* Chooses how the job knows the writes of an earlier run, without its state. */
static int choose_order(struct build *b, struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	struct plan_verify *v = &pj->verify;
	bool once = writes_once(pj, offset_kind_of(pj)), ramp = o->time.ramp_ns || o->time.ramp_bytes;

	/* The writes before the measurement do not count, so those of a ramp are more than the options say.
	 */
	if (can_draw_again(pj) && !o->time.time_based && !ramp && !drew_other_places(pj)) {
		v->maybe_unwritten = o->time.runtime_ns;
		v->numbers_known = !v->maybe_unwritten && (once || pj->depth == 1);
		if (!once || !single_pass(pj))
			return use_map(b, pj);
		v->memory = VERIFY_REPLAY;
		return 0;
	}
	if (!bsize_fixed(&o->offset.bsize, verify_sizes_dirs(&o->offset)) ||
	    plan_verify_unit(pj) != verify_sizes_max(&o->offset))
		return refuse_unknown_places(b, pj);
	v->memory = VERIFY_SCAN;
	return 0;
}

static uint64_t verify_seed(uint64_t job_seed)
{
	return rng_mix64(job_seed + 4);
}

bool plan_verify_clone_seed(const struct plan_job *pj, uint32_t clone, uint64_t *seed)
{
	/* seed_of() in plan_job.c mixes the number of the clone into the seed. */
	*seed = verify_seed(rng_mix64(rng_unmix64(pj->seed) ^ pj->clone ^ clone));
	return clones_share(pj);
}

int plan_verify(struct build *b, struct plan_job *pj)
{
	const struct verify_opts *o = &pj->job->opts.verify;
	struct plan_verify *v = &pj->verify;
	bool checks = o->format.kind != VERIFY_NULL;

	if (pj->index && b->p->jobs[pj->index - 1].wave != pj->wave)
		b->p->verify_bytes = 0; /* the jobs of the wave before have ended */
	if (!o->format.kind || !pj->nfiles)
		return 0;
	v->seed = verify_seed(pj->seed);
	v->writes = pj->rw & RW_WRITE && !o->only;
	v->run = v->writes && !pj->job->opts.offset.allrandrepeat ? b->f->run : 0;
	v->reads = pj->rw & RW_WRITE && checks && (o->only || o->after_writing || o->trim_percentage);
	v->run_reads = !(pj->rw & RW_WRITE) && pj->rw & RW_READ && checks;
	v->passes_differ = v->run_reads && passes_differ(pj);
	v->unit = v->run_reads ? (uint32_t)plan_verify_unit(pj) : 0;
	v->block_max = verify_sizes_max(&pj->job->opts.offset);
	v->pieces = v->run_reads && reads_pieces(pj);
	v->trims = v->writes && v->reads && o->trim_percentage;
	v->only_trims = v->trims && !o->after_writing;
	v->backlog = v->trims ? o->trim_backlog : o->backlog;
	v->backlog_batch = v->trims ? o->trim_backlog_batch : o->backlog_batch;
	if (!v->backlog_batch)
		v->backlog_batch = v->backlog;
	if (v->reads || (v->writes && checks && o->state_save)) {
		int ret = v->writes || o->state_load ? choose_memory(b, pj) : choose_order(b, pj);

		if (ret)
			return ret;
	}
	return plan_verify_state(b, pj);
}
