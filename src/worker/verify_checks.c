/* verify_checks.c: decides how each block that was read back should be, has it checked, and counts the
   result. */
#include <endian.h>
#include <string.h>
#include "clone.h"
#include "io_queue.h"
#include "rng.h"
#include "block_check.h"
#include "verify_job.h"
#include "verify_pieces.h"
#include "verify_check.h"
#include "verify_sizes.h"
#include "worker.h"

/* Returns whether the first part of the block has an intact header, which is *h then. */
static bool first_header(const struct verify_format *f, const unsigned char *buf, uint32_t bytes,
			 struct verify_header *h)
{
	uint32_t at = f->cfg->offset;

	if (!f->head || bytes < at + VERIFY_HEADER_BYTES)
		return false;
	verify_header_read(h, buf + at);
	return h->magic == VERIFY_MAGIC && h->crc == verify_header_crc(buf + at);
}

/* Returns whether some 16 bytes of the block are those of the pattern. Zeroes show nothing, because
   unwritten bytes of a file are zero, too. */
static bool has_pattern(const struct verify_format *f, const unsigned char *buf, uint32_t bytes,
			uint64_t offset)
{
	const struct verify_write w = { .offset = offset, .bytes = bytes };
	static const unsigned char zeroes[16];
	unsigned char want[sizeof(zeroes)];

	for (uint32_t at = 0; at + sizeof(want) <= bytes; at += sizeof(want)) {
		verify_block_fill(f, &w, want, sizeof(want), at);
		if (!memcmp(want, buf + at, sizeof(want)) && memcmp(want, zeroes, sizeof(want)))
			return true;
	}
	return false;
}

/* Returns whether the header is damaged, or that of a block of this kind and size. An intact header of
   another one shows that this job has not written the block. */
static bool may_be_own_header(const struct verify_format *f, const unsigned char *at,
			      const struct verify_block_ref *b)
{
	struct verify_header h;

	verify_header_read(&h, at);
	if (h.magic != VERIFY_MAGIC || h.crc != verify_header_crc(at))
		return true;
	return h.version == VERIFY_VERSION && h.type == verify_kinds[f->cfg->kind].type &&
	       (b->piece || h.length == verify_part_bytes(f->cfg, b->whole));
}

/* Returns the number of writes of a whole run; UINT32_MAX: any number. */
static uint32_t writes_of_job(const struct clone *c)
{
	const struct time_cfg *t = &c->opts->time;
	uint64_t writes = (c->job->pass_bytes / c->job->bs_min + 1) * (t->loops ? t->loops : 1);

	return t->time_based || t->ramp_ns || t->ramp_bytes || writes > UINT32_MAX ? UINT32_MAX
										   : (uint32_t)writes;
}

/* Returns whether this job may have drawn data with this seed. The seed says in which run and in which write.
   The run must be one that wrote other blocks. If no run is known yet, the write must be one of the first; of
   a million foreign seeds, about one looks like that. */
static bool may_be_own_seed(const struct worker *w, uint64_t seed)
{
	const uint32_t few = 1u << 12;
	const struct verify *v = w->verify;
	uint64_t write = rng_unmix64(seed) - v->seed;

	if (w->clone.job->verify.run_reads) /* the seeds of the writer are not known */
		return true;
	if ((uint32_t)write > writes_of_job(&w->clone))
		return false;
	return v->runs.n ? verify_runs_have(&v->runs, (uint32_t)(write >> 32)) : (uint32_t)write <= few;
}

/* Returns whether the data of the block are drawn, and this job may have drawn them. */
static bool has_own_data(const struct worker *w, const unsigned char *buf, const struct verify_block_ref *b)
{
	struct verify_data_source source;

	return verify_data_source(&w->verify->format.data, buf, b->bytes, 0, b->from, &source) &&
	       (b->piece || may_be_own_seed(w, source.seed));
}

/* Returns whether this job has probably written the block: it has the beginning of a header, drawn data, or a
   part of the pattern. By chance random bytes have one in 4 billion blocks. */
static bool was_written(struct worker *w, const unsigned char *buf, const struct verify_block_ref *b)
{
	const struct verify_format *f = &w->verify->format;
	struct verify_header h = { 0 };

	if (f->head && f->cfg->offset + VERIFY_HEADER_BYTES <= b->bytes) {
		if (!may_be_own_header(f, buf + f->cfg->offset, b)) {
			w->verify->writer.other_headers++;
			return false;
		}
		verify_header_read(&h, buf + f->cfg->offset);
	}
	if (h.magic == VERIFY_MAGIC && h.version == VERIFY_VERSION &&
	    h.type == verify_kinds[f->cfg->kind].type)
		return true;
	return f->cfg->pattern ? has_pattern(f, buf, b->bytes, b->offset) : has_own_data(w, buf, b);
}

/* Finds the run in which the job with this seed wrote the block. Returns false if the block does not tell. */
static bool find_run(const struct worker *w, struct block_check *check, uint64_t seed, uint64_t number)
{
	const struct verify_format *f = &w->verify->format;
	const struct verify_block_ref *b = &check->block;
	uint32_t max = verify_sizes_max(&w->clone.opts->offset), unit = w->clone.job->verify.unit;
	uint32_t from = b->from, to = b->piece && max > b->bytes ? max - b->bytes : from;

	for (; from <= to; from += b->piece ? unit : 1)
		if (verify_run_find(f, check->buf, b->bytes, from, seed, number, &check->run))
			return true;
	return false;
}

/* Returns whether a clone of a section has written the block with this header, although its number is that of
   no clone of this run, or of another one, because numjobs of some section is smaller now. Sets *seed to that
   of the clone. */
static bool is_of_section(const struct worker *w, struct block_check *check, const struct plan_job *first,
			  const struct verify_header *h, uint64_t *seed)
{
	for (uint32_t clone = 0; first->index + clone < h->thread; clone++)
		if (plan_verify_clone_seed(first, clone, seed) && find_run(w, check, *seed, h->number))
			return true;
	return false;
}

static bool is_of_missing_clone(const struct worker *w, struct block_check *check,
				const struct verify_header *h, uint64_t *seed)
{
	const struct plan *p = w->clone.plan;
	const struct plan_job *pj = w->clone.job;
	const struct verify_block_ref *b = &check->block;

	for (uint32_t k = 0; k < p->njobs; k++) {
		const struct plan_job *first = &p->jobs[k];

		if (first->clone || (first->section != pj->section &&
				     !plan_verify_reads_too(p, first, pj, check->file, b->offset, b->bytes)))
			continue;
		check->other_section = first->section != pj->section;
		if (is_of_section(w, check, first, h, seed))
			return true;
	}
	check->other_section = false;
	return false;
}

/* A job that only reads may find blocks of other jobs that wrote with it in the earlier run. Returns whether
   such a job has written the block with this header, as its seed proves. Sets *seed to that of the job. */
static bool is_of_other_writer(const struct worker *w, struct block_check *check,
			       const struct verify_header *h, uint64_t *seed)
{
	const struct clone *c = &w->clone;
	const struct verify_block_ref *b = &check->block;
	const struct plan_job *other;

	if (!c->job->verify.run_reads || !w->verify->any_run || !h->thread ||
	    (h->thread == w->verify->thread && find_run(w, check, c->job->verify.seed, h->number)))
		return false;
	if (h->thread <= c->plan->njobs) {
		other = &c->plan->jobs[h->thread - 1];
		*seed = other->verify.seed;
		if (plan_verify_reads_too(c->plan, other, c->job, check->file, b->offset, b->bytes) &&
		    find_run(w, check, *seed, h->number)) {
			check->other_section = other->section != c->job->section;
			return true;
		}
	}
	return is_of_missing_clone(w, check, h, seed);
}

/* Returns the seed of the run in which the job with this seed wrote the block. fiord finds the number of that
   run in the contents of the block; if it does not, it expects the run that wrote the block checked before.
 */
static uint64_t seed_of_run(struct worker *w, struct block_check *check, uint64_t seed, uint64_t number)
{
	struct verify *v = w->verify;

	if (!v->any_run)
		return v->seed;
	if (find_run(w, check, seed, number))
		verify_runs_add(&v->runs, check->run.number);
	return verify_run_seed(seed, v->runs.last);
}

/* Sets how the block should be, and finds the place of a piece in its block. */
static void expect(struct worker *w, struct block_check *check)
{
	const struct verify_opts *o = &w->clone.opts->verify;
	const struct plan_job *pj = w->clone.job;
	struct verify *v = w->verify;
	struct verify_block_ref *b = &check->block;
	uint64_t number = b->number, seed = 0;
	struct verify_header h;
	bool header =
		(b->number_unknown || v->trim.percent) && first_header(&v->format, check->buf, b->bytes, &h);

	check->expect = (struct verify_expect){ .write = { .offset = b->offset, .bytes = b->whole },
						.since_ns = o->check_seed ? v->start_ns : 0,
						.seed = o->check_seed,
						.number = o->check_number,
						.seed_data = true };
	verify_trim_expect(&v->trim, check, header ? &h.number : NULL);
	if (b->number_unknown && header && pj->verify.writes) { /* the map has no more than 31 bits */
		number = (uint64_t)verify_map_expected(verify_map_number31(number), v->source.next_number,
						       h.number);
	} else if (b->number_unknown && header) {
		check->expect.number = false;
		number = h.number;
	}
	check->expect.write.number = number;
	check->expect.write.thread = v->thread;
	if (header && is_of_other_writer(w, check, &h, &seed))
		check->expect.write.thread = h.thread;
	else
		seed = pj->verify.seed;
	check->expect.write.seed = rng_mix64(seed_of_run(w, check, seed, number) + number);
	if (!b->piece || check->trimmed)
		return;
	b->from = verify_piece_place(&v->format, &check->expect, check->buf, b->offset, b->bytes,
				     pj->verify.unit, verify_sizes_max(&w->clone.opts->offset));
	b->offset = check->expect.write.offset;
	b->whole = check->expect.write.bytes;
}

/* Sets which pieces of the block may be of different writes, if the job only reads. */
static void expect_pieces(const struct worker *w, struct block_check *check)
{
	const struct plan_verify *p = &w->clone.job->verify;
	const struct verify_cfg *cfg = w->verify->format.cfg;
	bool whole_parts = w->verify->format.head && cfg->interval && p->unit && p->unit % cfg->interval == 0;

	if (!p->run_reads)
		return;
	check->mixed_writes =
		verify_part_bytes(cfg, check->block.whole) < check->block.whole || (p->pieces && whole_parts);
	check->unit = p->pieces && !whole_parts ? p->unit : 0;
	check->block_max = p->block_max;
}

/* Describes the check of a block. */
static struct block_check new_check(struct worker *w, uint32_t file, const struct verify_block_ref *b,
				    unsigned char *buf)
{
	struct verify *v = w->verify;
	struct block_check check = { .file = file, .block = *b, .buf = buf };

	check.sharing = plan_verify_sharing(w->clone.job, file, b->offset + b->from, b->bytes);
	check.writer_unknown = !v->writer.own_blocks || check.sharing & 1u << SHARED_EARLIER;
	check.other_job =
		check.writer_unknown && (w->clone.job->verify.run_reads || v->writer.pending.blocks ||
					 v->writer.older || check.sharing & 1u << SHARED_EARLIER);
	check.writer_unknown |= b->maybe_unwritten;
	expect_pieces(w, &check);
	expect(w, &check);
	return check;
}

/* Returns whether the block is that of a job with another kind of verify, which writes here, too. */
static bool is_of_sharers_kind(const struct worker *w, const struct verify_damage *d)
{
	return d->kind == DAMAGE_OTHER_KIND && d->found < 32 &&
	       w->clone.job->verify.shared_types & UINT32_C(1) << d->found;
}

/* Returns whether other writes of this run may explain the damage: the block is uncertain, or other jobs
   write it, too. *right becomes true if each sector is certainly of a write that the block may hold. */
static bool other_write_explains(const struct worker *w, const struct block_check *c, bool *right)
{
	const struct verify *v = w->verify;
	const struct verify_block_ref *b = &c->block;
	enum verify_damage_kind kind = c->damage.kind;
	bool blocks = c->sharing & 1u << SHARED_BLOCKS;

	if (c->sharing & 1u << SHARED_BYTES || (b->piece && b->number_unknown))
		return true;
	if (b->uncertain)
		return blocks || verify_uncertain_explains(&v->source, &v->format, c, v->seed, right);
	/* An older write of this job would be wrong whatever other jobs have written since. */
	return blocks && (kind == DAMAGE_OTHER_JOB || kind == DAMAGE_TORN || kind == DAMAGE_LENGTH ||
			  is_of_sharers_kind(w, &c->damage));
}

/* Returns whether any whole write of the block is right: other jobs write it while this one reads, or have
   written it earlier in this run. */
static bool any_write_is_right(const struct worker *w, const struct block_check *c)
{
	return c->sharing & 1u << SHARED_EARLIER ||
	       (w->clone.job->verify.run_reads && c->sharing & 1u << SHARED_BYTES);
}

/* Returns whether the block is a whole write of another job of this run, and right. */
static bool is_others_write(const struct worker *w, const struct block_check *c)
{
	return c->other_write && any_write_is_right(w, c) &&
	       (w->clone.job->verify.run_reads || c->damage.header.thread != w->verify->thread);
}

/* Counts the block as checked in part if it is so. */
static bool count_in_part(const struct worker *w, const struct block_check *c)
{
	struct region_verify *to = w->verify->damages.to;
	bool right = c->intact && c->unchecked < c->block.bytes;

	if (c->intact ? !c->unchecked && !c->only_parts : !other_write_explains(w, c, &right))
		return false;
	to->in_part++;
	to->part_right += right;
	return true;
}

/* Counts a block that was checked, and describes its damage. */
static void count_check(struct worker *w, const struct block_check *c)
{
	struct verify *v = w->verify;
	const struct verify_opts *o = &w->clone.opts->verify;

	if (c->maybe_trimmed && c->first_read && !c->sharing)
		verify_trim_count(&v->trim, c);
	if (is_others_write(w, c)) {
		v->damages.to->checked++;
		v->writer.others++;
		return;
	}
	if (count_in_part(w, c))
		return;
	if (!c->trimmed && !(c->intact && any_write_is_right(w, c)) &&
	    verify_writer_defers(&v->writer, w, &v->damages, c))
		return;
	if (c->intact) {
		if (!verify_newest_run_counts(&v->newest_run, w, &v->damages, c))
			v->damages.to->checked++;
		return;
	}
	verify_damages_add(&v->damages, w, c->file, &c->damage);
	if (o->dump)
		verify_dumps_add(&v->dumps, &w->clone, w->files.file[c->file].path, &v->format, c,
				 v->writer.own_blocks || !v->writer.pending.blocks);
}

/* verify_async: counts the oldest block that a thread has checked. Returns false if there is none. */
static bool count_oldest(struct worker *w, bool wait)
{
	const struct block_check *c = verify_async_take(w->verify_async, wait);

	if (!c)
		return false;
	count_check(w, c);
	verify_async_release(w->verify_async);
	return true;
}

void verify_count_checked(struct worker *w, bool wait)
{
	while (w->verify_async && count_oldest(w, wait))
		;
}

void verify_check_block(struct worker *w, uint32_t file, const struct verify_block_ref *b, unsigned char *buf)
{
	struct verify *v = w->verify;
	struct block_check check;

	if (b->maybe_unwritten && !was_written(w, buf, b)) {
		v->damages.to->not_checked++;
		return;
	}
	check = new_check(w, file, b, buf);
	check.first_read = !v->seen.bits || verify_seen_add(&v->seen, file, b->offset);
	if (w->verify_async) {
		if (verify_async_full(w->verify_async))
			count_oldest(w, true);
		verify_async_put(w->verify_async, &check);
		return;
	}
	block_check_run(&check, &v->format);
	count_check(w, &check);
}
