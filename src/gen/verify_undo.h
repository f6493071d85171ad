/* verify_undo.h: a log of the map entries (verify_map.h) that writes replaced, so that a later run knows the
   write before the last one: after a crash a unit must hold its newest durable write, or a newer one. Pure;
   the caller brings the memory, which a state file holds behind its map.

   The log is a ring. A reader does not need the order of its records, because it follows the writes of a
   unit back from the last one. If the ring is too short, records of old writes are missing, and the reader
   knows less. A damaged log does no harm: any bytes can be read as a log. */
#ifndef VERIFY_UNDO_H
#define VERIFY_UNDO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Write number31 replaced this entry of the map. All zero: not used. */
struct verify_undo_record {
	uint64_t index; /* of the entry, in the memory of all maps of the job */
	uint32_t number31;
	uint32_t entry; /* before the write */
};

struct verify_undo {
	struct verify_undo_record *records;
	uint64_t nrecords; /* 0: no log */
	uint64_t next;     /* records that were added so far */
	uint64_t at;       /* where the next one goes */
};

/* Returns the size in bytes of a log with room for the records of the newest `writes` writes, each of up to
   `units` units, in maps of so many entries. */
uint64_t verify_undo_bytes(uint64_t writes, uint64_t units, uint64_t entries);
/* Returns the largest size of a log: a sixteenth of the maps, or 1 MiB if that is more. */
uint64_t verify_undo_bytes_max(uint64_t entries);
/* Initialises u. mem: `bytes` zeroes, or the log of an earlier run. Ignores bytes behind the last record. */
void verify_undo_init(struct verify_undo *u, void *mem, uint64_t bytes);

/* Adds a record. Call this before the entry is replaced. The fences keep the compiler from reordering the
   stores: if the process is killed between two of them, the record is unused or complete, and the entry is
   not replaced before its record is complete. */
static inline void verify_undo_add(struct verify_undo *u, uint64_t index, uint32_t number31, uint32_t entry)
{
	struct verify_undo_record *r = &u->records[u->at];

	r->number31 = 0;
	atomic_signal_fence(memory_order_seq_cst);
	r->index = index;
	r->entry = entry;
	atomic_signal_fence(memory_order_seq_cst);
	r->number31 = number31;
	atomic_signal_fence(memory_order_seq_cst);
	u->next++;
	if (++u->at == u->nrecords)
		u->at = 0;
}

/* Sorts the log of an earlier run, for verify_undo_entry(). */
void verify_undo_sort(struct verify_undo *u);
/* Finds the entry that this write replaced. Returns false if the log does not have it. */
bool verify_undo_entry(const struct verify_undo *u, uint64_t index, uint32_t number31, uint32_t *entry);

#endif
