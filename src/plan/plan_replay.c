/* plan_replay.c: checks that a trace fits its targets. */
#include <inttypes.h>
#include <string.h>
#include "message.h"
#include "plan_build.h"
#include "replay.h"
#include "strbuf.h"
#include "units.h"

#define SECTOR 512u

/* Returns the least replay_scale with which all I/Os have room in a target; 0: there is none. `end` is that
   of the present scale, and an I/O keeps its length. */
static uint64_t scale_with_room(const struct plan_job *pj, uint64_t end, uint64_t size)
{
	uint64_t scale = pj->job->opts.replay.scale, last, room;

	if (size < pj->bs_max || __builtin_mul_overflow(end - pj->bs_max + 1, scale, &last))
		return 0;
	room = size - pj->bs_max + 1;
	scale = last / room + (last % room != 0);
	return scale <= UINT32_MAX ? scale : 0;
}

static int refuse_small(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	uint64_t size = t->facts->size, end = c->facts->end[i], scale = scale_with_room(pj, end, size);
	struct strbuf m = { 0 };
	int ret;

	message_printf(&m,
		       "{read_iolog=%s}: the trace reaches up to byte %s of %s (%s), which has %s; use a "
		       "larger target",
		       c->log, units_suffixed(end).text, t->path, c->facts->end_place[i],
		       units_exact(size).text);
	if (scale)
		message_printf(&m, ", {+replay_scale=%" PRIu64 "}", scale);
	message_printf(&m, ", {+replay_address=wrap} or another of its values");
	ret = plan_err_message(b, pj->job, "read_iolog", strbuf_str(&m));
	strbuf_fini(&m);
	return ret;
}

/* Checks that the I/Os of the trace have room in a target. */
static int check_size(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	uint64_t size = t->facts->size, end = c->facts->end[i];

	if (c->address == REPLAY_WRAP || c->address == REPLAY_FIT) {
		if (end == size || pj->bs_max <= replay_usable(size))
			return 0;
		return plan_err(
			b, pj->job, "read_iolog",
			"{read_iolog=%s}: the trace has I/Os of %s, and %s has %s; use a larger target",
			c->log, units_exact(pj->bs_max).text, t->path, units_exact(size).text);
	}
	if (end <= size)
		return 0;
	if (c->address == REPLAY_COMPACT)
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: without its gaps the trace has %s for %s, which has %s; "
				"use a larger target, {+replay_address=wrap} or {+replay_address=fit}",
				c->log, units_exact(end).text, t->path, units_exact(size).text);
	if (!size)
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: its target %s is empty; the trace reaches up to byte %s of "
				"it (%s): use a larger target",
				c->log, t->path, units_suffixed(end).text, c->facts->end_place[i]);
	return refuse_small(b, pj, i, t);
}

/* Checks that direct I/O gets whole blocks of the target. */
static int check_alignment(struct build *b, const struct plan_job *pj, uint32_t i,
			   const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	const struct replay_unaligned *u = &c->facts->unaligned[i];
	uint64_t block = t->facts->logical_block > SECTOR ? t->facts->logical_block : SECTOR;
	struct strbuf m = { 0 };
	int ret;

	if (!pj->job->opts.file.direct || pj->job->engine->caps & ENG_VIRTUAL || !u->unit || u->unit >= block)
		return 0;
	message_printf(&m,
		       "{direct=1} with {read_iolog=%s}: the trace has an I/O of %" PRIu64
		       " bytes at offset %" PRIu64 " (%s), and %s needs multiples of %" PRIu64
		       " bytes; use {+direct=0}",
		       c->log, u->length, u->offset, u->place, t->path, block);
	if (u->length % block == 0)
		message_printf(&m, ", or {+replay_align=%" PRIu64 "}, which rounds offsets down", block);
	ret = plan_err_message(b, pj->job, "direct", strbuf_str(&m));
	strbuf_fini(&m);
	return ret;
}

bool plan_replay_tells_lateness(const struct plan_job *pj)
{
	const struct replay_cfg *c = &pj->job->opts.replay;

	return plan_replays_timed(pj) && c->facts && c->facts->timed;
}

/* Checks a target that does not exist. It is laid out if the user named it and its directory exists;
   plan_access refuses what is no new file, such as the name of a device. */
static int check_missing(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;

	if (t->facts->in_dev || (c->facts->named[i] && !t->facts->parent_missing))
		return 0;
	return plan_err(b, pj->job, "read_iolog",
			"{read_iolog=%s}: its target %s does not exist%s; the trace reaches up to byte %s of "
			"it (%s): make this file, or name another target, such as {+replay_redirect=FILE}",
			c->log, t->path, t->facts->parent_missing ? ", and neither does its directory" : "",
			units_suffixed(c->facts->end[i]).text, c->facts->end_place[i]);
}

/* ---- fiord check ---- */

void plan_replay_print_log(const struct plan_job *pj, struct strbuf *b)
{
	strbuf_puts(b, "replays ");
	strbuf_plain(b, pj->job->opts.replay.log);
}

static void print_counts(const struct replay_facts *f, struct strbuf *b)
{
	static const char *const name[TRACE_IO_OPS] = { "read", "write", "trim", "fsync", "fdatasync" };
	const char *between = "";

	for (unsigned op = 0; op < TRACE_IO_OPS; op++) {
		if (!f->of_op[op])
			continue;
		strbuf_printf(b, "%s%" PRIu64 " %s%s", between, f->of_op[op], name[op],
			      f->of_op[op] == 1 ? "" : "s");
		between = ", ";
	}
}

static void print_when(const struct plan_job *pj, struct strbuf *b)
{
	const struct replay_cfg *c = &pj->job->opts.replay;

	if (c->no_stall) {
		strbuf_puts(b, ", as fast as iodepth allows (replay_no_stall)");
		return;
	}
	strbuf_printf(b, ", within %s",
		      units_duration((uint64_t)((double)c->facts->end_ns * 100 / c->time_scale), 0).text);
	if (c->time_scale != 100)
		strbuf_printf(b, " (replay_time_scale=%u)", c->time_scale);
}

static void print_left_out(const struct replay_cfg *c, struct strbuf *b)
{
	if (!c->facts->skipped && !c->facts->no_target)
		return;
	strbuf_puts(b, "    leaves out I/Os of the trace: ");
	if (c->facts->skipped)
		strbuf_printf(b, "%" PRIu64 " by replay_skip=%s", c->facts->skipped, c->skip);
	if (c->facts->no_target)
		strbuf_printf(b, "%s%" PRIu64 " of devices without a target", c->facts->skipped ? ", " : "",
			      c->facts->no_target);
	strbuf_putc(b, '\n');
}

static void print_moves(const struct replay_cfg *c, struct strbuf *b)
{
	static const char *const moves[] = {
		"", "offsets beyond the end of a target begin again at 0 (replay_address=wrap)",
		"offsets are scaled to the size of their target (replay_address=fit)",
		"areas that the trace does not touch are left out (replay_address=compact)"
	};

	if (c->scale > 1)
		strbuf_printf(b, "    each offset is divided by %u (replay_scale)\n", c->scale);
	if (c->align)
		strbuf_printf(b, "    each offset is rounded down to a multiple of %s (replay_align)\n",
			      units_suffixed(c->align).text);
	if (c->address)
		strbuf_printf(b, "    %s\n", moves[c->address]);
}

void plan_replay_print(const struct plan_job *pj, struct strbuf *b)
{
	const struct replay_cfg *c = &pj->job->opts.replay;

	if (!c->facts)
		return;
	strbuf_puts(b, "    ");
	print_counts(c->facts, b);
	strbuf_printf(b, ": %s in I/Os of %s", units_bytes(c->facts->bytes).text,
		      units_suffixed(pj->bs_min).text);
	if (pj->bs_max != pj->bs_min)
		strbuf_printf(b, " to %s", units_suffixed(pj->bs_max).text);
	print_when(pj, b);
	strbuf_putc(b, '\n');
	print_left_out(c, b);
	print_moves(c, b);
	if (c->merge_file) {
		strbuf_puts(b, "    the merged trace goes to ");
		strbuf_plain(b, c->merge_file);
		strbuf_putc(b, '\n');
	}
}

void plan_replay_print_file(const struct plan_job *pj, uint32_t i, struct strbuf *b)
{
	const struct replay_facts *f = pj->job->opts.replay.facts;

	if (!f)
		return;
	strbuf_puts(b, "; the I/Os ");
	if (strcmp(f->devices[i], TRACE_NO_DEVICE) != 0)
		strbuf_printf(b, "of %s ", f->devices[i]);
	strbuf_printf(b, "reach byte %" PRIu64, f->end[i]);
}

/* ---- targets ---- */

uint64_t plan_replay_layout(const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct bsize_cfg *bsize = &pj->job->opts.offset.bsize;
	uint64_t end, least = bsize_least_range(bsize, pj->job->opts.offset.rw);

	if (!pj->job->opts.replay.facts || t->facts->type != TARGET_MISSING)
		return 0;
	end = pj->job->opts.replay.facts->end[i];
	return end > least ? end : least;
}

static int refuse_char_device(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	return plan_err(b, pj->job, "read_iolog",
			"{read_iolog=%s}: its target %s is a character device, which has no addresses; use a "
			"file, a block device, or {+ioengine=null}, which replays without a target",
			pj->job->opts.replay.log, t->path);
}

/* Refuses addresses that no target has. Files that exist have their own limit. */
static int check_addresses(struct build *b, const struct plan_job *pj, uint32_t i)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	uint64_t end = c->facts->end[i];

	if (end <= UINT64_MAX / 4)
		return 0;
	return plan_err(b, pj->job, "read_iolog",
			"{read_iolog=%s}: the trace reaches up to byte %s (%s), and a target has at most "
			"2^62 - 1; use {+replay_address=compact} or {+replay_scale=%u}",
			c->log, units_suffixed(end).text, c->facts->end_place[i], 4 * c->scale);
}

/* Checks a target before its range is planned. */
int plan_replay_target(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t)
{
	const struct replay_cfg *c = &pj->job->opts.replay;
	const struct target_facts *f = t->facts;
	bool sized = f->type == TARGET_FILE || f->type == TARGET_BLOCK;

	if (!c->facts || f->error) /* plan_access refuses what cannot be opened */
		return 0;
	if (f->type == TARGET_MISSING && check_missing(b, pj, i, t))
		return b->d->err;
	if (!sized && check_addresses(b, pj, i))
		return b->d->err;
	if (f->type == TARGET_CHAR)
		return refuse_char_device(b, pj, t);
	if (check_alignment(b, pj, i, t))
		return b->d->err;
	if (f->type == TARGET_MISSING)
		return 0;
	if (sized && check_size(b, pj, i, t))
		return b->d->err;
	if (pj->rw & (RW_WRITE | RW_TRIM) && !c->facts->named[i] && !target_allowed(f, t->path, &b->p->allow))
		return plan_err(b, pj->job, "read_iolog",
				"{read_iolog=%s}: the trace writes to %s, which only the trace names; use "
				"{+filename=%s} or {+allow_write=%s} to allow it, or "
				"{+replay_skip=write,trim}",
				c->log, t->path, t->path, t->path);
	return 0;
}
