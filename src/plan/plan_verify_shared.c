/* plan_verify_shared.c: which bytes that a job verifies other jobs write, too. */
#include <stdlib.h>
#include <string.h>
#include "plan_build.h"
#include "scale.h"
#include "vec.h"

bool plan_ends_before(const struct plan *p, const struct plan_job *x, const struct plan_job *y)
{
	const struct plan_stage *s = &p->stages[y->stage];

	if (x->wave != y->wave)
		return x->wave < y->wave;
	for (; s->nawaited; s = &p->stages[p->jobs[s->first_awaited].stage])
		if (x->index - s->first_awaited < s->nawaited)
			return true;
	return false;
}

static bool same_pattern(const struct pattern *a, const struct pattern *b)
{
	if (!a || !b || a == b)
		return a == b;
	if (a->len != b->len || a->noffsets != b->noffsets)
		return false;
	/* memcmp() takes no NULL, which the lists of an empty pattern are. */
	return (!a->len || !memcmp(a->bytes, b->bytes, a->len)) &&
	       (!a->noffsets || !memcmp(a->offset_at, b->offset_at, a->noffsets * sizeof(*a->offset_at)));
}

static uint8_t header_type(const struct plan_job *pj)
{
	return verify_kinds[pj->job->opts.verify.format.kind].type;
}

/* Returns whether a job finds the header of the other one's block where its own would be, so that it
   recognises the block whatever its kind, or whether neither has headers. */
static bool same_layout(const struct plan_job *x, const struct plan_job *y)
{
	const struct verify_cfg *a = &x->job->opts.verify.format, *b = &y->job->opts.verify.format;

	return !header_type(x) == !header_type(y) && a->interval == b->interval && a->offset == b->offset &&
	       a->pattern_interval == b->pattern_interval && same_pattern(a->pattern, b->pattern);
}

/* Returns whether each job takes an intact block of the other one for intact. */
static bool same_format(const struct plan_job *x, const struct plan_job *y)
{
	return header_type(x) == header_type(y) && same_layout(x, y);
}

/* Returns whether the job may leave zeroes in the place of blocks. */
static bool trims(const struct plan_job *pj)
{
	return pj->rw & RW_TRIM || pj->job->opts.verify.trim_percentage;
}

/* Returns the distance between the ranges of the jobs' first files. */
static uint64_t start_distance(const struct plan_job *a, const struct plan_job *b)
{
	uint64_t x = a->files[0].start, y = b->files[0].start;

	return x > y ? x - y : y - x;
}

/* Returns whether all writes of both jobs are blocks of one size at multiples of it, so that job b replaces
   whole blocks of job a. Job b must also not trim, unless job a trims, too: else a does not expect zeroes. */
static bool same_blocks(const struct plan_job *a, const struct plan_job *b)
{
	const struct bsize_cfg *x = &a->job->opts.offset.bsize, *y = &b->job->opts.offset.bsize;
	uint32_t bs = bsize_max(x, RW_WRITE);

	return (b->verify.writes || b->verify.reads) && (trims(a) || !trims(b)) && bsize_fixed(x, RW_WRITE) &&
	       bsize_fixed(y, RW_WRITE) && bs == bsize_max(y, RW_WRITE) && plan_verify_unit(a) == bs &&
	       plan_verify_unit(b) == bs && start_distance(a, b) % bs == 0;
}

/* Returns how a job that only verifies shares bytes with another one. In the run that wrote its blocks the
   other job has written, too; in this run it may write, or may only verify as well. */
static enum plan_sharing sharing_of_earlier_run(const struct plan *p, const struct plan_job *pj,
						const struct plan_job *other)
{
	bool before = plan_ends_before(p, other, pj), after = plan_ends_before(p, pj, other);

	if (!(other->rw & (RW_WRITE | RW_TRIM)))
		return SHARED_NOT;
	if (!plan_writes(other) || after)
		return before                                             ? SHARED_NOT
		       : same_blocks(pj, other) && same_layout(pj, other) ? SHARED_BLOCKS
									  : SHARED_BYTES;
	if (before && same_blocks(pj, other) && same_format(pj, other))
		return SHARED_EARLIER;
	return SHARED_BYTES;
}

/* Returns whether both jobs only read, and this one may meet blocks of the other one: in the earlier run, in
   which both wrote, the other one did not end before, or this one reads more than it would have written. */
static bool both_read(const struct plan *p, const struct plan_job *pj, const struct plan_job *other)
{
	return pj != other && pj->verify.run_reads && other->verify.run_reads &&
	       (!plan_ends_before(p, other, pj) || pj->verify.passes_differ);
}

/* Returns whether a job recognises each piece of the other one's blocks. */
static bool same_pieces(const struct plan_job *x, const struct plan_job *y)
{
	return same_format(x, y) && x->job->opts.buffer.compress == y->job->opts.buffer.compress;
}

/* Returns how the other job may have replaced blocks that this one checks. */
static enum plan_sharing sharing_of(const struct plan *p, const struct plan_job *pj,
				    const struct plan_job *other)
{
	if (!pj->verify.writes && !pj->verify.run_reads)
		return sharing_of_earlier_run(p, pj, other);
	if (both_read(p, pj, other))
		return same_pieces(pj, other) ? SHARED_NOT : SHARED_BYTES;
	if (!plan_writes(other) || plan_ends_before(p, pj, other) || plan_ends_before(p, other, pj))
		return SHARED_NOT;
	/* A job that only reads may meet a block that is half replaced, and any job one that trimwrite has
	   trimmed and not written yet. */
	return pj->verify.writes && !(other->rw & RW_TRIM) && same_blocks(pj, other) && same_format(pj, other)
		       ? SHARED_BLOCKS
		       : SHARED_BYTES;
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

/* ---- the shared ranges of a job ---- */

/* Ranges of one job that are being collected, of each kind of sharing. */
struct shared_ranges {
	struct plan_shared *v;
	size_t n, cap;
};

static int compare_ranges(const void *a, const void *b)
{
	const struct plan_shared *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* Sorts the ranges, and joins those that touch. */
static void join_ranges(struct shared_ranges *r)
{
	size_t n = 0;

	if (r->n)
		qsort(r->v, r->n, sizeof(*r->v), compare_ranges);
	for (size_t i = 0; i < r->n; i++) {
		struct plan_shared *last = n ? &r->v[n - 1] : NULL;

		if (last && last->file == r->v[i].file && r->v[i].from <= last->to)
			last->to = r->v[i].to > last->to ? r->v[i].to : last->to;
		else
			r->v[n++] = r->v[i];
	}
	r->n = n;
}

/* Adds the bytes that the job of the search (plan_overlap_set) shares with this one. Returns false if memory
   is short. */
static bool add_shared(const struct plan *p, const struct plan_overlap *o, const struct plan_job *other,
		       struct shared_ranges *to)
{
	for (uint32_t i = 0; i < other->nfiles; i++) {
		const struct plan_file *g = &other->files[i], *f = NULL;

		while ((f = plan_overlap_next(o, p, g, f))) {
			struct plan_shared s = { .file = (uint32_t)(f - o->job->files) };

			if (!plan_files_overlap(p, f, g))
				continue;
			s.from = f->start > g->start ? f->start : g->start;
			s.to = f->start + f->len < g->start + g->len ? f->start + f->len : g->start + g->len;
			if (!VEC_PUSH(to, s))
				return false;
		}
	}
	return true;
}

/* Gives the job its ranges of one kind. Returns false if memory is short. */
static bool keep_ranges(struct plan *p, struct plan_job *pj, enum plan_sharing how, struct shared_ranges *r)
{
	struct plan_shared *v;

	join_ranges(r);
	if (!r->n)
		return true;
	v = arena_array(&p->arena, r->n, sizeof(*v));
	if (!v)
		return false;
	memcpy(v, r->v, r->n * sizeof(*v));
	pj->verify.shares[how] = (struct plan_shares){ v, r->n };
	return true;
}

/* Adds the bytes that the job shares with another one. Returns false if memory is short. */
static bool add_sharer(struct plan *p, struct plan_overlap *o, struct plan_job *pj,
		       const struct plan_job *other, struct shared_ranges ranges[SHARING_KINDS])
{
	enum plan_sharing how = other == pj ? SHARED_NOT : sharing_of(p, pj, other);
	struct shared_ranges *r;
	size_t before;

	if (how == SHARED_NOT)
		return true;
	r = &ranges[how];
	before = r->n;
	if (!plan_overlap_set(o, p, pj) || !add_shared(p, o, other, r))
		return false;
	if (r->n > before) {
		pj->verify.others_check &= plan_verifies(other);
		pj->verify.shared_types |= UINT32_C(1) << header_type(other);
	}
	if (r->n > 4096) /* many clones share the same bytes */
		join_ranges(r);
	return true;
}

/* Returns whether blocks of the other job may replace parts of this one's: their sizes or places differ. */
static bool replaces_parts(const struct plan_job *pj, const struct plan_job *other)
{
	const uint32_t bs = pj->verify.unit;

	return pj->verify.block_max != bs || other->verify.block_max != bs || other->verify.unit != bs ||
	       start_distance(pj, other) % bs;
}

/* Notes that the other job has perhaps replaced parts of the job's blocks. */
static void note_replaced_parts(struct plan_job *pj, const struct plan_job *other)
{
	struct plan_verify *v = &pj->verify;

	v->pieces = true;
	v->unit = (uint32_t)common_divisor(common_divisor(v->unit, other->verify.unit),
					   start_distance(pj, other));
	v->block_max = v->block_max > other->verify.block_max ? v->block_max : other->verify.block_max;
}

/* Finds the jobs that only read the same bytes as this one: they have perhaps replaced parts of its blocks in
   an earlier run, in which all of them wrote. Returns false if memory is short. */
static bool find_replaced_parts(const struct plan *p, struct plan_overlap *o, struct plan_job *pj)
{
	struct shared_ranges found = { 0 };
	bool ok = true;

	for (uint32_t k = 0; k < p->njobs && ok && pj->verify.run_reads; k++) {
		const struct plan_job *other = &p->jobs[k];

		if (!both_read(p, pj, other) || !replaces_parts(pj, other))
			continue;
		found.n = 0;
		ok = plan_overlap_set(o, p, pj) && add_shared(p, o, other, &found);
		if (found.n)
			note_replaced_parts(pj, other);
	}
	free(found.v);
	return ok;
}

/* Finds the bytes that other jobs write of those that this one verifies. Returns false if memory is short. */
static bool find_shared(struct plan *p, struct plan_overlap *o, struct plan_job *pj)
{
	struct shared_ranges ranges[SHARING_KINDS] = { 0 };
	bool ok = true;

	pj->verify.others_check = true;
	for (uint32_t k = 0; k < p->njobs && ok && (pj->verify.writes || plan_verifies(pj)); k++)
		ok = add_sharer(p, o, pj, &p->jobs[k], ranges);
	for (unsigned how = 0; how < SHARING_KINDS; how++) {
		ok = ok && keep_ranges(p, pj, how, &ranges[how]);
		free(ranges[how].v);
	}
	pj->verify.other_sizes = pj->verify.shares[SHARED_BYTES].n;
	pj->verify.shared =
		!pj->verify.run_reads && (pj->verify.other_sizes || pj->verify.shares[SHARED_BLOCKS].n);
	pj->verify.others_check &= pj->verify.other_sizes || pj->verify.shares[SHARED_BLOCKS].n;
	return ok;
}

/* Returns whether one of the sorted ranges has some of these bytes. */
static bool has_bytes(const struct plan_shares *s, uint32_t file, uint64_t from, uint64_t to)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct plan_shared *r = &s->v[mid];

		if (r->file < file || (r->file == file && r->to <= from))
			lo = mid + 1;
		else if (r->file > file || r->from >= to)
			hi = mid;
		else
			return true;
	}
	return false;
}

unsigned plan_verify_sharing(const struct plan_job *pj, uint32_t file, uint64_t from, uint64_t bytes)
{
	unsigned bits = 0;

	for (unsigned how = 0; how < SHARING_KINDS; how++)
		if (has_bytes(&pj->verify.shares[how], file, from, from + bytes))
			bits |= 1u << how;
	return bits;
}

bool plan_verify_reads_too(const struct plan *p, const struct plan_job *other, const struct plan_job *pj,
			   uint32_t file, uint64_t from, uint64_t bytes)
{
	const struct plan_file there = { .target = pj->files[file].target, .start = from, .len = bytes };

	if (!other->verify.run_reads || !same_format(pj, other))
		return false;
	for (uint32_t i = 0; i < other->nfiles; i++)
		if (plan_files_overlap(p, &other->files[i], &there))
			return true;
	return false;
}

/* ---- */

/* Refuses a file that the job has twice, perhaps under two names: each of the two would be verified as if the
   job had not written the other one. `first`: room for one number for each target, which is zero. */
static int check_twice(struct build *b, const struct plan_job *pj, uint32_t *first)
{
	const struct plan_target *targets = b->p->targets;
	const struct plan_file *twice = NULL, *before = NULL;

	for (uint32_t i = 0; i < pj->nfiles && !twice; i++) {
		uint32_t *at = &first[targets[pj->files[i].target].same];

		before = *at ? &pj->files[*at - 1] : NULL;
		if (before && plan_files_overlap(b->p, &pj->files[i], before))
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

		if (!find_shared(p, &o, pj) || !find_replaced_parts(p, &o, pj))
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
