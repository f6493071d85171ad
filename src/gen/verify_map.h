/* verify_map.h: remembers for one range of a file which write was the last one in each unit, so that the
   verify phase knows what each block should hold. Pure; the caller brings the memory: 4 zeroed bytes for each
   unit, anonymous or mapped from a file. One thread uses a map.

   A unit is the smallest range that writes replace: the greatest common divisor of their sizes and offsets.
   The first unit begins at the start of the range, which need not be a multiple of the unit; the last unit
   may be shorter. If a write covers only a part of a unit, the unit becomes uncertain.

   An entry holds the number of the last write modulo VERIFY_MAP_NUMBERS, plus 1: the "number31"; 0 means that
   no write touched the unit. VERIFY_MAP_UNCERTAIN beside it means that the content may be of this write, of
   older ones, of newer ones, or mixed: writes overlapped in flight, failed, were never submitted, or covered
   a part of the unit. A later write that covers the whole unit and is not uncertain itself ends this.

   Wrap-around: numbers that differ by a multiple of VERIFY_MAP_NUMBERS have the same number31. So in a job of
   more writes than that:
   - verify_map_expected() accepts a header whose number has the number31 of the unit. An old block is not
     noticed if exactly a multiple of VERIFY_MAP_NUMBERS writes lie between it and the last write.
   - Two such writes side by side are one run for the walk. Walk with max = unit if all writes have that size.
   - A write that is much older than it seems may count as a recent one. Its unit then becomes uncertain
   without need.

   Overlap in flight: a write may overlap others if the newest earlier write in its units is as new as the
   oldest write in flight, or newer: verify_map_overlaps(). It does not suffice to ask whether the newest
   write itself is in flight: it may have ended before an older one that it overlapped. The map does not
   remember trims: the worker makes the units of a trim uncertain once it has completed, so writes that
   overlapped with it in flight are uncertain, too. */
#ifndef VERIFY_MAP_H
#define VERIFY_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdatomic.h>

#define VERIFY_MAP_UNCERTAIN 0x80000000u
#define VERIFY_MAP_NUMBERS   0x7fffffffu /* this many successive writes have different entries */

struct verify_map {
	uint32_t *entry;
	uint64_t start, end; /* the range in the file */
	uint64_t quick;      /* if the unit is a power of 2: units that are whole; else 0 */
	uint32_t unit;
	unsigned shift; /* unit = 1 << shift, if quick */
};

/* Neighbouring units of one write. The write itself may have been longer: later writes have replaced parts of
   it. A header, or the job's only block size, says where its block begins. */
struct verify_run {
	uint64_t offset; /* in the file */
	uint32_t bytes;
	uint32_t number31; /* 0: uncertain, and no write has touched the units */
	bool uncertain;
};

/* Returns the size of the entries for a range of len bytes; UINT64_MAX if it exceeds all numbers. */
uint64_t verify_map_bytes(uint64_t len, uint32_t unit);
/* Initialises m. entry: verify_map_bytes() of zeroes, or the entries of an earlier run. */
void verify_map_init(struct verify_map *m, uint32_t *entry, uint64_t start, uint64_t len, uint32_t unit);

static inline uint32_t verify_map_number31(uint64_t number)
{
	return (uint32_t)(number % VERIFY_MAP_NUMBERS) + 1;
}

/* Returns the newest write before write `next` that has this number31; a negative value if there is none. */
static inline int64_t verify_map_number(uint32_t number31, uint64_t next)
{
	uint64_t number = next - next % VERIFY_MAP_NUMBERS + number31 - 1;

	if (number31 == 0)
		return -1;
	return (int64_t)(number < next ? number : number - VERIFY_MAP_NUMBERS);
}

/* Returns the number that the headers of a unit should have, when the writes before `next` have been done:
   `found`, the number in a header, if it can be the right one; else the newest number that can. Negative: no
   write can have left this entry. */
static inline int64_t verify_map_expected(uint32_t number31, uint64_t next, uint64_t found)
{
	if (found < next && verify_map_number31(found) == number31)
		return (int64_t)found;
	return verify_map_number(number31, next);
}

/* Returns the index of the unit that starts at this offset if [offset, offset + len) is just this unit; else
   a value that is not below m->quick. The rotation moves the low bits, which an aligned offset lacks, to the
   top. */
static inline uint64_t verify_map_unit(const struct verify_map *m, uint64_t offset, uint32_t len)
{
	uint64_t at = offset - m->start;

	return len == m->unit ? at >> m->shift | at << (-m->shift & 63) : UINT64_MAX;
}

/* The functions below take [offset, offset + len) within the range of the map. Callers use the
   forms without _any, which are quick for one unit. */
int64_t verify_map_newest_any(const struct verify_map *m, uint64_t offset, uint32_t len, uint64_t next);
void verify_map_mark_any(struct verify_map *m, uint64_t offset, uint32_t len, uint64_t number,
			 bool uncertain);

/* Returns the newest write before write `next` that touched one of these units; a negative value if there is
   none. */
static inline int64_t verify_map_newest(const struct verify_map *m, uint64_t offset, uint32_t len,
					uint64_t next)
{
	uint64_t unit = verify_map_unit(m, offset, len);

	if (__builtin_expect(unit < m->quick && next <= VERIFY_MAP_NUMBERS, 1))
		return (int64_t)(m->entry[unit] & ~VERIFY_MAP_UNCERTAIN) - 1;
	return verify_map_newest_any(m, offset, len, next);
}

/* Returns whether write `number` of these units may overlap a write in flight. oldest: the oldest write in
   flight, or `number` if there is none. */
static inline bool verify_map_overlaps(const struct verify_map *m, uint64_t offset, uint32_t len,
				       uint64_t number, uint64_t oldest)
{
	return verify_map_newest(m, offset, len, number) >= (int64_t)oldest;
}

/* Marks these units as written by this write. uncertain: it may overlap others in flight. */
static inline void verify_map_mark(struct verify_map *m, uint64_t offset, uint32_t len, uint64_t number,
				   bool uncertain)
{
	uint64_t unit = verify_map_unit(m, offset, len);

	if (__builtin_expect(unit < m->quick, 1))
		m->entry[unit] = verify_map_number31(number) | (uint32_t)uncertain << 31;
	else
		verify_map_mark_any(m, offset, len, number, uncertain);
}

/* Makes these units uncertain: a write of them failed, was cut short, or was not submitted, or a trim changed
 * them. */
void verify_map_set_uncertain(struct verify_map *m, uint64_t offset, uint64_t len);

/* Forgets the writes of these units: they hold no data any more. */
void verify_map_forget(struct verify_map *m, uint64_t offset, uint64_t len);

/* Finds the next run at or behind the unit of *at, an offset in the file, and moves *at behind it. A run has
   at most `max` bytes, which must hold a unit. Returns false at the end of the range. */
bool verify_map_next(const struct verify_map *m, uint64_t *at, uint32_t max, struct verify_run *run);

/* verify_undo.c: a log of the map entries that writes replaced, so that a later run knows the write before
   the last one: after a crash a unit must hold its newest durable write, or a newer one. Pure;
   the caller brings the memory, which a state file holds behind its map.

   The log is a ring. A reader does not need the order of its records, because it follows the writes of a
   unit back from the last one. If the ring is too short, records of old writes are missing, and the reader
   knows less. A damaged log does no harm: any bytes can be read as a log. */

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
