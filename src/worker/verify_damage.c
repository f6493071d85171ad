/* verify_damage.c: the lines about damaged blocks, and their counts. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "clone.h"
#include "slot_text.h"
#include "verify_check.h"
#include "verify_damage.h"
#include "worker.h"

/* Adds the block to the last range if it continues it. Returns false if a new range is needed. */
static bool continue_range(struct region_verify *r, uint32_t file, const struct verify_damage *d)
{
	struct verify_range *last = r->nranges ? &r->range[r->nranges - 1] : NULL;

	if (!last || last->file != file || last->kind != (uint32_t)d->kind ||
	    last->offset + last->bytes != d->offset)
		return false;
	last->bytes += d->bytes;
	last->blocks++;
	return true;
}

static void add_range(struct region_verify *r, uint32_t file, const struct verify_damage *d)
{
	if (continue_range(r, file, d) || r->nranges == VERIFY_DAMAGES)
		return;
	r->range[r->nranges++] = (struct verify_range){ .file = file,
							.kind = (uint32_t)d->kind,
							.offset = d->offset,
							.bytes = d->bytes,
							.blocks = 1,
							.expected = d->expected,
							.found = d->found };
}

/* Writes e.g. "FILE: verify at offset 4096, length 512: stale: write 7 expected, write 3 found". */
static void describe(const char *path, const struct verify_damage *d, char *to, size_t size)
{
	const struct verify_damage_info *info = &verify_damages[d->kind];
	int n = snprintf(to, size, "%s: verify at offset %" PRIu64 ", length %" PRIu64 ": %s", path,
			 d->offset, d->bytes, info->name);

	if (n < 0 || (size_t)n >= size)
		return;
	if (info->value == VERIFY_VALUE_BITS)
		snprintf(to + n, size - (size_t)n, ": %" PRIx64 " expected, %" PRIx64 " found", d->expected,
			 d->found);
	else if (info->value != VERIFY_VALUE_NONE)
		snprintf(to + n, size - (size_t)n, ": %" PRIu64 " expected, %" PRIu64 " found", d->expected,
			 d->found);
}

void verify_damages_add(struct verify_damages *v, struct worker *w, uint32_t file,
			const struct verify_damage *d)
{
	struct clone *c = &w->clone;
	char text[sizeof(v->first)];

	v->to->checked++;
	v->to->damaged++;
	add_range(v->to, file, d);
	slot_write_begin(c->slot);
	w->stats.st->dir[DIR_READ].errors++;
	w->stats.cnt->errors++;
	if (!w->stats.cnt->first_error)
		w->stats.cnt->first_error = EILSEQ;
	slot_write_end(c->slot);
	describe(w->files.file[file].path, d, text, sizeof(text));
	if (errors_survived(&c->opts->errors, IO_READ, EILSEQ)) {
		if (!c->slot->survived[0])
			slot_text(c->slot->survived, sizeof(c->slot->survived), "%s", text);
		return;
	}
	if (!v->fatal++)
		memcpy(v->first, text, sizeof(text));
	if (c->opts->verify.fatal)
		clone_fail(c, EILSEQ, "%s", text);
}

void verify_damages_end(struct verify_damages *v, struct worker *w)
{
	if (v->fatal == 1)
		clone_fail(&w->clone, EILSEQ, "%s", v->first);
	else if (v->fatal)
		clone_fail(&w->clone, EILSEQ, "%s; %" PRIu64 " blocks are damaged in all", v->first,
			   v->fatal);
}
