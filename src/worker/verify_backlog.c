/* verify_backlog.c: walks over the writes of a job while it goes on writing. */
#include <stdlib.h>
#include "clone.h"
#include "verify_source.h"

bool verify_backlog_init(struct verify_backlog *b, struct verify_source *s, const struct clone *c)
{
	b->source = s;
	b->capacity = plan_verify_backlog(c->job);
	if (!b->capacity)
		return true;
	b->write = calloc(b->capacity, sizeof(*b->write));
	return b->write != NULL;
}

void verify_backlog_fini(struct verify_backlog *b)
{
	free(b->write);
}

void verify_backlog_add(struct verify_backlog *b, uint32_t file, const struct verify_block_ref *block)
{
	uint64_t number = b->source->next_number;

	if (!b->capacity)
		return;
	if (number - b->tail == b->capacity) {
		b->tail++;
		b->piece_offset = 0;
		b->overflowed = true;
	}
	b->write[number % b->capacity] = (struct backlog_write){ block->offset, file, block->bytes };
}

/* Finds the next bytes of a write that no later write has replaced. Returns false if there are none. */
static bool find_rest(struct verify_backlog *b, const struct backlog_write *write,
		      struct verify_block_ref *block)
{
	const struct verify_map *map = &b->source->map[write->file];
	uint64_t end = write->offset + write->bytes;
	struct verify_run run;

	if (!b->piece_offset)
		b->piece_offset = write->offset;
	while (b->piece_offset < end && verify_map_next(map, &b->piece_offset, write->bytes, &run) &&
	       run.offset < end) {
		uint64_t run_end = run.offset + run.bytes < end ? run.offset + run.bytes : end;

		if (run.number31 != verify_map_number31(b->tail))
			continue;
		*block = (struct verify_block_ref){ .offset = write->offset,
						    .whole = write->bytes,
						    .from = (uint32_t)(run.offset - write->offset),
						    .bytes = (uint32_t)(run_end - run.offset),
						    .number = b->tail,
						    .uncertain = run.uncertain };
		return true;
	}
	return false;
}

static void next_write(struct verify_backlog *b)
{
	b->tail++;
	b->piece_offset = 0;
	if (!b->overflowed)
		b->source->backlog_number = b->tail;
}

static bool map_next(struct verify_backlog *b, uint32_t *file, struct verify_block_ref *block)
{
	while (b->tail < b->source->next_number) {
		const struct backlog_write *write = &b->write[b->tail % b->capacity];
		bool found = find_rest(b, write, block);

		if (!found || b->piece_offset >= write->offset + write->bytes)
			next_write(b);
		if (!found)
			continue;
		*file = write->file;
		return true;
	}
	return false;
}

bool verify_backlog_next(struct verify_backlog *b, uint32_t *file, struct verify_block_ref *block)
{
	struct verify_source *s = b->source;

	if (b->capacity)
		return map_next(b, file, block);
	return s->pass_first + s->walk_writes < s->next_number && verify_source_next(s, file, block);
}

void verify_backlog_next_loop(struct verify_backlog *b)
{
	b->tail = b->source->next_number;
	b->piece_offset = 0;
	b->overflowed = false;
	verify_source_next_loop(b->source);
}
