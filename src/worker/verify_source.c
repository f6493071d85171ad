/* verify_source.c: the blocks that a job has written. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "clone.h"
#include "verify_source.h"

/* ---- VERIFY_MAP ---- */

static bool map_init(struct verify_source *s)
{
	const struct plan_job *pj = s->clone->job;
	unsigned char *at;

	s->bytes = plan_verify_bytes(pj);
	s->map = calloc(pj->nfiles, sizeof(*s->map));
	at = s->entries = mmap(NULL, s->bytes ? s->bytes : 1, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->entries == MAP_FAILED)
		s->entries = NULL;
	if (!s->map || !s->entries)
		return false;
	for (uint32_t i = 0; i < pj->nfiles; i++) {
		const struct plan_file *f = &pj->files[i];

		verify_map_init(&s->map[i], (uint32_t *)(void *)at, f->start, f->len, pj->verify.unit);
		at += verify_map_bytes(f->len, pj->verify.unit);
	}
	return true;
}

static bool map_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	const struct plan_job *pj = s->clone->job;
	uint32_t max = bsize_max(&pj->job->opts.offset.bsize, RW_WRITE);
	struct verify_run run;
	int64_t number;

	for (; s->file < pj->nfiles; s->file++, s->at = 0) {
		if (!s->at)
			s->at = s->map[s->file].start;
		if (!verify_map_next(&s->map[s->file], &s->at, max, &run))
			continue;
		number = verify_map_number(run.number31, s->made);
		*file = s->file;
		*b = (struct verify_block_ref){ .offset = run.offset,
						.whole = run.bytes,
						.bytes = run.bytes,
						.number = number < 0 ? 0 : (uint64_t)number,
						.open = run.open };
		return true;
	}
	return false;
}

/* ---- VERIFY_REPLAY ---- */

static void add_lost(struct verify_source *s, uint64_t number)
{
	struct lost_writes *last = s->nlost ? &s->lost[s->nlost - 1] : NULL;

	if (last && last->first + last->count == number) {
		last->count++;
		return;
	}
	if (s->nlost == s->room) {
		size_t room = s->room ? 2 * s->room : 64;
		void *more = realloc(s->lost, room * sizeof(*s->lost));

		if (!more) {
			s->all_open = true;
			return;
		}
		s->lost = more;
		s->room = room;
	}
	s->lost[s->nlost++] = (struct lost_writes){ number, 1 };
}

static int compare_lost(const void *a, const void *b)
{
	const struct lost_writes *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static bool is_lost(const struct verify_source *s, uint64_t number)
{
	size_t lo = 0, hi = s->nlost;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (number < s->lost[mid].first)
			hi = mid;
		else if (number - s->lost[mid].first >= s->lost[mid].count)
			lo = mid + 1;
		else
			return true;
	}
	return false;
}

static bool replay_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	uint64_t k = s->drawn, here = s->made - s->pass_first;
	struct replayed_write write;

	if ((k >= here && s->prev_first == UINT64_MAX) || !verify_replay_next(&s->replay, &write))
		return false;
	s->drawn++;
	*file = write.file;
	b->number = k < here ? s->pass_first + k : s->prev_first + k;
	b->offset = write.offset;
	b->whole = b->bytes = write.bytes;
	b->from = 0;
	b->open = s->all_open || is_lost(s, b->number);
	return true;
}

/* ---- both ---- */

bool verify_source_init(struct verify_source *s, const struct clone *c)
{
	s->clone = c;
	s->memory = c->job->verify.memory;
	s->prev_first = UINT64_MAX;
	return s->memory != VERIFY_MAP || map_init(s);
}

void verify_source_fini(struct verify_source *s)
{
	if (s->replaying)
		verify_replay_fini(&s->replay);
	free(s->lost);
	free(s->map);
	if (s->entries)
		munmap(s->entries, s->bytes ? s->bytes : 1);
}

void verify_source_add(struct verify_source *s, uint32_t file, const struct verify_block_ref *b, bool open)
{
	if (s->memory == VERIFY_MAP)
		verify_map_mark(&s->map[file], b->offset, b->bytes, s->made, open);
	s->made++;
}

void verify_source_lost(struct verify_source *s, uint32_t file, const struct verify_block_ref *b)
{
	if (s->memory == VERIFY_MAP)
		verify_map_open(&s->map[file], b->offset, b->bytes);
	else if (s->memory == VERIFY_REPLAY)
		add_lost(s, b->number);
}

void verify_source_next_pass(struct verify_source *s)
{
	s->prev_first = s->pass_first;
	s->pass_first = s->made;
}

bool verify_source_maybe_recent(const struct verify_source *s, uint32_t file, uint64_t offset, uint32_t bytes)
{
	return s->memory == VERIFY_MAP &&
	       verify_map_overlaps(&s->map[file], offset, bytes, s->made, s->oldest);
}

bool verify_source_rewind(struct verify_source *s)
{
	s->file = 0;
	s->at = s->drawn = 0;
	if (s->memory != VERIFY_REPLAY)
		return true;
	if (!s->clone->job->verify.writes) /* a whole pass of an earlier run */
		s->made = UINT64_MAX;
	qsort(s->lost, s->nlost, sizeof(*s->lost), compare_lost);
	if (s->replaying)
		verify_replay_fini(&s->replay);
	memset(&s->replay, 0, sizeof(s->replay));
	s->replaying = true;
	return verify_replay_init(&s->replay, s->clone);
}

bool verify_source_next(struct verify_source *s, uint32_t *file, struct verify_block_ref *b)
{
	return s->memory == VERIFY_MAP ? map_next(s, file, b) : replay_next(s, file, b);
}
