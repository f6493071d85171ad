#include "verify_map.h"

#include <stdlib.h>

#define LEAST    4096u  /* records: 64 KiB */
#define SMALL    65536u /* a log may always have this many records: 1 MiB */
#define MULTIPLE 256u   /* a log is a multiple of 4096 bytes */

static uint64_t bytes_of(uint64_t records)
{
	return (records + MULTIPLE - 1) / MULTIPLE * MULTIPLE * sizeof(struct verify_undo_record);
}

uint64_t verify_undo_bytes(uint64_t writes, uint64_t units, uint64_t entries)
{
	uint64_t most = verify_undo_bytes_max(entries), records;

	if (__builtin_mul_overflow(writes, units, &records) ||
	    records > most / sizeof(struct verify_undo_record))
		return most;
	return bytes_of(records < LEAST ? LEAST : records);
}

uint64_t verify_undo_bytes_max(uint64_t entries)
{
	return bytes_of(entries / 64 > SMALL ? entries / 64 : SMALL);
}

void verify_undo_init(struct verify_undo *u, void *mem, uint64_t bytes)
{
	u->records = mem;
	u->nrecords = bytes / sizeof(*u->records);
	u->next = u->at = 0;
}

static int compare_records(const void *a, const void *b)
{
	const struct verify_undo_record *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return (x->number31 > y->number31) - (x->number31 < y->number31);
}

/* Moves the record at `root` down in the heap of the first n records. */
static void sift_down(struct verify_undo_record *r, uint64_t root, uint64_t n)
{
	const struct verify_undo_record moved = r[root];
	uint64_t child;

	for (; (child = 2 * root + 1) < n; root = child) {
		if (child + 1 < n && compare_records(&r[child], &r[child + 1]) < 0)
			child++;
		if (compare_records(&moved, &r[child]) >= 0)
			break;
		r[root] = r[child];
	}
	r[root] = moved;
}

/* A heap sort, because qsort may allocate as much memory as the log has. */
void verify_undo_sort(struct verify_undo *u)
{
	for (uint64_t i = u->nrecords / 2; i-- > 0;)
		sift_down(u->records, i, u->nrecords);
	for (uint64_t n = u->nrecords; n-- > 1;) {
		const struct verify_undo_record last = u->records[n];

		u->records[n] = u->records[0];
		u->records[0] = last;
		sift_down(u->records, 0, n);
	}
}

bool verify_undo_entry(const struct verify_undo *u, uint64_t index, uint32_t number31, uint32_t *entry)
{
	const struct verify_undo_record key = { .index = index, .number31 = number31 };
	const struct verify_undo_record *r =
		u->nrecords ? bsearch(&key, u->records, u->nrecords, sizeof(key), compare_records) : NULL;

	if (!r || !number31)
		return false;
	*entry = r->entry;
	return true;
}
