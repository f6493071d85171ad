/* plan_verify.c: how a job knows which blocks it wrote, when it reads them back (verify). */
#include <inttypes.h>
#include <string.h>
#include "plan_build.h"
#include "rng.h"
#include "scale.h"
#include "verify_sizes.h"
#include "verify_undo.h"

#define UNIT_LEAST 512u

static enum offset_kind kind_of(const struct plan_job *pj)
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
	return kind == OFFSET_BLOCKS || kind == OFFSET_LISTED || kind == OFFSET_CELLS ||
	       (kind == OFFSET_SEQUENTIAL && !pj->job->opts.offset.rw_stride);
}

/* Returns the largest size of which all offsets and sizes of writes are multiples. */
static uint64_t unit_of(const struct plan_job *pj)
{
	const struct offset_cfg *c = &pj->job->opts.offset;
	unsigned dirs = verify_sizes_dirs(c) | (c->shared_pos ? pj->rw & RW_DIRS : 0);
	uint64_t unit = bsize_divisor(&c->bsize, dirs);

	for (unsigned d = 0; d < DIR_DATA; d++)
		if (dirs & 1u << d)
			unit = common_divisor(unit, c->ba[d]);
	if (c->zone.mode == ZONE_ZBD)
		unit = common_divisor(unit, c->zone.size);
	if (c->zone.mode == ZONE_STRIDED)
		unit = common_divisor(unit, c->zone.range + c->zone.skip);
	if (c->rw_stride)
		unit = common_divisor(unit, (uint64_t)(c->rw_stride < 0 ? -c->rw_stride : c->rw_stride));
	for (uint32_t i = 0; i < pj->nfiles; i++) {
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
	uint64_t unit = unit_of(pj), available = b->f->machine.available_bytes;

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
	enum offset_kind kind = kind_of(pj);

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

/* Chooses how the job knows the writes of an earlier run, without its state. */
static int choose_order(struct build *b, struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	struct plan_verify *v = &pj->verify;
	bool once = writes_once(pj, kind_of(pj)), ramp = o->time.ramp_ns || o->time.ramp_bytes;

	/* The writes before the measurement do not count, so those of a ramp are more than the options say.
	 */
	if (can_draw_again(pj) && !o->time.time_based && !ramp) {
		v->maybe_unwritten = o->time.runtime_ns;
		v->numbers_known = !v->maybe_unwritten && (once || pj->depth == 1);
		if (!once || !single_pass(pj))
			return use_map(b, pj);
		v->memory = VERIFY_REPLAY;
		return 0;
	}
	if (!bsize_fixed(&o->offset.bsize, verify_sizes_dirs(&o->offset)) ||
	    unit_of(pj) != verify_sizes_max(&o->offset))
		return plan_err(
			b, pj->job, "verify_only",
			"{verify_only}: with these options the places and sizes of an earlier run's blocks "
			"are not known; load its state with {+verify_state_load=1}, or use one block size of "
			"which all offsets are multiples");
	v->memory = VERIFY_SCAN;
	return 0;
}

static bool files_overlap(const struct plan *p, const struct plan_file *a, const struct plan_file *b)
{
	return p->targets[a->target].same == p->targets[b->target].same && a->start < b->start + b->len &&
	       b->start < a->start + a->len;
}

/* Returns whether the job shares bytes of a file with the job of the search (plan_overlap_set). */
static bool ranges_overlap(const struct plan *p, const struct plan_overlap *o, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_file *f = NULL;

		while ((f = plan_overlap_next(o, p, &pj->files[i], f)))
			if (files_overlap(p, f, &pj->files[i]))
				return true;
	}
	return false;
}

/* Returns whether job x has ended when job y starts (wait_for). */
static bool ends_before(const struct plan *p, const struct plan_job *x, const struct plan_job *y)
{
	const struct plan_stage *s = &p->stages[y->stage];

	for (; s->nawaited; s = &p->stages[p->jobs[s->first_awaited].stage])
		if (x->index - s->first_awaited < s->nawaited)
			return true;
	return false;
}

/* Returns whether the other job may have replaced the blocks that this one checks. If this job only verifies,
   any job that would write the same bytes may have written them in the earlier run. */
static bool may_overwrite(const struct plan *p, const struct plan_job *pj, const struct plan_job *other)
{
	if (!pj->verify.writes && !pj->verify.run_reads)
		return other->rw & (RW_WRITE | RW_TRIM);
	return other->wave == pj->wave && plan_writes(other) && !ends_before(p, pj, other) &&
	       !ends_before(p, other, pj);
}

static bool same_pattern(const struct pattern *a, const struct pattern *b)
{
	if (!a || !b || a == b)
		return a == b;
	return a->len == b->len && !memcmp(a->bytes, b->bytes, a->len) && a->noffsets == b->noffsets &&
	       !memcmp(a->offset_at, b->offset_at, a->noffsets * sizeof(*a->offset_at));
}

/* Returns whether the header of a block of one job is a header for the other one, too, so that the other job
   recognises the block as intact. */
static bool same_format(const struct verify_cfg *a, const struct verify_cfg *b)
{
	return verify_kinds[a->kind].type == verify_kinds[b->kind].type && a->interval == b->interval &&
	       a->offset == b->offset && a->pattern_interval == b->pattern_interval &&
	       same_pattern(a->pattern, b->pattern);
}

/* Returns whether all writes of both jobs are blocks of one size at multiples of it, and of one format, so
   that one replaces the whole of another. */
static bool same_blocks(const struct plan_job *a, const struct plan_job *b)
{
	const struct bsize_cfg *x = &a->job->opts.offset.bsize, *y = &b->job->opts.offset.bsize;
	uint32_t bs = bsize_max(x, RW_WRITE);

	return (b->verify.writes || b->verify.reads) &&
	       (!a->verify.writes || /* the kind of earlier data is for the check to find */
		same_format(&a->job->opts.verify.format, &b->job->opts.verify.format)) &&
	       bsize_fixed(x, RW_WRITE) && bsize_fixed(y, RW_WRITE) && bs == bsize_max(y, RW_WRITE) &&
	       unit_of(a) == bs && unit_of(b) == bs && (a->files[0].start - b->files[0].start) % bs == 0;
}

static void note_backlog(struct plan *p, const struct plan_job *pj)
{
	uint32_t backlog = pj->job->opts.verify.backlog;

	if (backlog && pj->clone == 0 && pj->verify.reads && pj->verify.writes && pj->verify.shared)
		notes_add(&p->notes,
			  "%s: {verify_backlog=%u} has no effect: other jobs write the same bytes "
			  "meanwhile",
			  pj->job->name, backlog);
}

/* Finds out whether other jobs write the blocks that this one verifies. A job that only reads them may meet a
   block that is half replaced. Returns false if memory is short. */
static bool find_overwriting(struct plan *p, struct plan_overlap *o, struct plan_job *pj)
{
	for (uint32_t k = 0; k < p->njobs && (pj->verify.writes || plan_verifies(pj)); k++) {
		const struct plan_job *other = &p->jobs[k];

		if (other == pj || !may_overwrite(p, pj, other))
			continue;
		if (!plan_overlap_set(o, p, pj))
			return false;
		if (!ranges_overlap(p, o, other))
			continue;
		pj->verify.shared |= !pj->verify.run_reads;
		pj->verify.other_sizes |= pj->verify.run_reads || !same_blocks(pj, other);
	}
	return true;
}

/* Refuses a file that the job has twice, perhaps under two names: each of the two would be verified as if the
   job had not written the other one. `first`: room for one number for each target, which is zero. */
static int check_twice(struct build *b, const struct plan_job *pj, uint32_t *first)
{
	const struct plan_target *targets = b->p->targets;
	const struct plan_file *twice = NULL, *before = NULL;

	for (uint32_t i = 0; i < pj->nfiles && !twice; i++) {
		uint32_t *at = &first[targets[pj->files[i].target].same];

		before = *at ? &pj->files[*at - 1] : NULL;
		if (before && files_overlap(b->p, &pj->files[i], before))
			twice = &pj->files[i];
		*at = i + 1;
	}
	for (uint32_t i = 0; i < pj->nfiles; i++)
		first[targets[pj->files[i].target].same] = 0;
	if (!twice)
		return 0;
	return plan_err(
		b, pj->job, "filename",
		"{verify=%s}: {~job|the job} has the file %s twice%s%s, so the last write of its blocks "
		"is not known; name it once",
		verify_kinds[pj->job->opts.verify.format.kind].name, targets[before->target].path,
		before->target == twice->target ? "" : ", also as ",
		before->target == twice->target ? "" : targets[twice->target].path);
}

static int check_files(struct build *b)
{
	uint32_t *first = arena_array(&b->p->arena, b->p->ntargets + 1, sizeof(*first));
	int ret = first ? 0 : plan_no_memory(b);

	for (uint32_t i = 0; i < b->p->njobs && !ret; i++) {
		const struct plan_job *pj = &b->p->jobs[i];

		if (pj->verify.reads && pj->nfiles > 1)
			ret = check_twice(b, pj, first);
	}
	return ret;
}

int plan_verify_shared(struct build *b)
{
	struct plan *p = b->p;
	struct plan_overlap o = { 0 };
	int ret = check_files(b);

	for (uint32_t i = 0; i < p->njobs && !ret; i++) {
		struct plan_job *pj = &p->jobs[i];

		if (!find_overwriting(p, &o, pj))
			ret = plan_no_memory(b);
		note_backlog(p, pj);
		if (!ret && pj->verify.shared && pj->verify.trims)
			ret = plan_err(
				b, pj->job, "trim_percentage",
				"{trim_percentage=%u}: other jobs write the same bytes, so a trim would "
				"remove blocks that they verify; give each job its own file or range",
				pj->job->opts.verify.trim_percentage);
	}
	plan_overlap_fini(&o);
	return ret;
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
	v->seed = rng_mix64(pj->seed + 4);
	v->writes = pj->rw & RW_WRITE && !o->only;
	v->reads = pj->rw & RW_WRITE && checks && (o->only || o->after_writing);
	v->run_reads = !(pj->rw & RW_WRITE) && pj->rw & RW_READ && checks;
	v->trims = v->writes && v->reads && o->trim_percentage;
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
