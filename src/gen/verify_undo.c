#include "verify_undo.h"

#include <stdlib.h>

#define SMALL    65536u /* a log may always have this many records: 1 MiB */
#define MULTIPLE 256u   /* a log is a multiple of 4096 bytes */

uint64_t verify_undo_bytes(uint64_t writes, uint64_t units, uint64_t most)
{
	uint64_t records;

	if (most < SMALL)
		most = SMALL;
	if (__builtin_mul_overflow(writes, units, &records) || records > most)
		records = most;
	return (records + MULTIPLE - 1) / MULTIPLE * MULTIPLE * sizeof(struct verify_undo_record);
}

void verify_undo_init(struct verify_undo *u, void *mem, uint64_t bytes)
{
	u->record = mem;
	u->records = bytes / sizeof(*u->record);
	u->next = 0;
}

static int compare(const void *a, const void *b)
{
	const struct verify_undo_record *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return (x->number31 > y->number31) - (x->number31 < y->number31);
}

void verify_undo_sort(struct verify_undo *u)
{
	if (u->records)
		qsort(u->record, u->records, sizeof(*u->record), compare);
}

bool verify_undo_entry(const struct verify_undo *u, uint64_t index, uint32_t number31, uint32_t *entry)
{
	const struct verify_undo_record key = { .index = index, .number31 = number31 };
	const struct verify_undo_record *r =
		u->records ? bsearch(&key, u->record, u->records, sizeof(key), compare) : NULL;

	if (!r || !number31)
		return false;
	*entry = r->entry;
	return true;
}
