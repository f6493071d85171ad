/* verify_damage.c: the lines about damaged blocks, and their counts. */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include "clone.h"
#include "account.h"
#include "region.h"
#include "verify_check.h"
#include "block_check.h"
#include "worker.h"

/* Returns whether the range has this damage already, because the block was read before. */
static bool in_range(const struct verify_range *v, const struct verify_damage *d)
{
	return d->offset >= v->offset && d->offset + d->bytes <= v->offset + v->bytes;
}

/* Extends the range by damage in front of it or behind it. Returns false if they do not touch. */
static bool extend_range(struct verify_range *v, const struct verify_damage *d)
{
	if (d->offset + d->bytes == v->offset) {
		v->offset = d->offset;
		v->expected = d->expected;
		v->found = d->found;
	} else if (v->offset + v->bytes != d->offset) {
		return false;
	}
	v->bytes += d->bytes;
	v->blocks++;
	return true;
}

/* Adds the damage to a range, or as a new one. */
static void add_damaged_range(struct region_verify *r, uint32_t file, const struct verify_damage *d)
{
	for (uint32_t i = r->nranges; i-- > 0;) {
		struct verify_range *v = &r->ranges[i];

		if (v->file == file && v->kind == (uint32_t)d->kind && (in_range(v, d) || extend_range(v, d)))
			return;
	}
	if (r->nranges == VERIFY_DAMAGES) {
		r->unlisted++;
		return;
	}
	r->ranges[r->nranges] = (struct verify_range){ .file = file,
						       .kind = (uint32_t)d->kind,
						       .offset = d->offset,
						       .bytes = d->bytes,
						       .blocks = 1,
						       .expected = d->expected,
						       .found = d->found };
	atomic_thread_fence(memory_order_release); /* the parent may look at any time */
	r->nranges++;
}

/* Writes e.g. "FILE: verify at offset 4096, length 512: stale: write 7 expected, write 3 found". */
static void describe_damage(const char *path, const struct verify_damage *d, char *to, size_t size)
{
	char what[VERIFY_DAMAGE_TEXT];

	verify_damage_text(d->kind, d->expected, d->found, what);
	snprintf(to, size, "%s: verify at offset %" PRIu64 ", length %" PRIu64 ": %s", path, d->offset,
		 d->bytes, what);
}

/* Returns whether the block was written with other settings, or by another program, and is not damaged: no
   block before was intact, and this run has written none. */
static bool other_settings(const struct verify_damages *v, const struct clone *c,
			   const struct verify_damage *d)
{
	bool setting = d->kind == DAMAGE_OLD_FIO || d->kind == DAMAGE_VERSION || d->kind == DAMAGE_OTHER_KIND;

	return setting && !c->job->verify.writes && v->to->checked == v->to->damaged;
}

/* Fails the job with one line, instead of an error for each block. */
static void fail_settings(struct clone *c, const char *path, const struct verify_damage *d)
{
	const char *kind = verify_kinds[c->opts->verify.format.kind].name, *name = verify_type_name(d->found);

	if (d->kind == DAMAGE_OLD_FIO)
		clone_fail(
			c, EINVAL,
			"%s: {verify=%s}: the block at offset %" PRIu64 " was written by fio 3.33 or older, "
			"whose headers fiord does not check; check it with that fio, or write the data again",
			path, kind, d->offset);
	else if (d->kind == DAMAGE_VERSION)
		clone_fail(c, EINVAL,
			   "%s: {verify=%s}: the block at offset %" PRIu64
			   " has a header of version 0x%" PRIx64 ", and fiord knows only 0x%" PRIx64
			   "; check it with the program that wrote it",
			   path, kind, d->offset, d->found, d->expected);
	else
		clone_fail(c, EINVAL,
			   "%s: {verify=%s}: the block at offset %" PRIu64
			   " was written with {+verify=%s}; check it with that",
			   path, kind, d->offset, name ? name : "unknown");
}

static void count_damaged(struct verify_damages *v, struct worker *w, uint64_t blocks)
{
	v->to->checked += blocks;
	v->to->damaged += blocks;
	slot_write_begin(w->clone.slot);
	w->stats.st->dir[DIR_READ].errors += blocks;
	w->stats.cnt->errors += blocks;
	if (!w->stats.cnt->first_error)
		w->stats.cnt->first_error = EILSEQ;
	slot_write_end(w->clone.slot);
}

void verify_damages_add_more(struct verify_damages *v, struct worker *w, uint64_t blocks)
{
	count_damaged(v, w, blocks);
	if (!errors_survived(&w->clone.opts->errors, IO_READ, EILSEQ))
		v->fatal += blocks;
}

void verify_damages_add(struct verify_damages *v, struct worker *w, uint32_t file,
			const struct verify_damage *d)
{
	struct clone *c = &w->clone;
	char text[sizeof(v->to->first)];

	if (other_settings(v, c, d)) {
		v->to->not_checked++;
		fail_settings(c, w->files.file[file].path, d);
		return;
	}
	add_damaged_range(v->to, file, d);
	count_damaged(v, w, 1);
	file_stats_account_errors(w, file, DIR_READ, 1);
	describe_damage(w->files.file[file].path, d, text, sizeof(text));
	if (!v->to->first[0])
		slot_text(v->to->first, sizeof(v->to->first), "%s", text);
	if (errors_survived(&c->opts->errors, IO_READ, EILSEQ))
		return;
	v->fatal++;
	if (c->opts->verify.fatal)
		clone_fail(c, EILSEQ, "%s", text);
}

void verify_damages_add_some(struct verify_damages *v, struct worker *w, uint32_t file,
			     const struct verify_damage *d, uint64_t blocks)
{
	uint32_t ranges = v->to->nranges;

	verify_damages_add_more(v, w, blocks - 1);
	verify_damages_add(v, w, file, d);
	if (v->to->nranges > ranges)
		v->to->ranges[ranges].blocks = blocks;
	else
		v->to->unlisted += blocks - 1;
}

void verify_damages_end(struct verify_damages *v, struct worker *w)
{
	if (v->fatal == 1)
		clone_fail(&w->clone, EILSEQ, "%s", v->to->first);
	else if (v->fatal)
		clone_fail(&w->clone, EILSEQ, "%s; %" PRIu64 " blocks are damaged in all", v->to->first,
			   v->fatal);
}
