/* zbd.h: I/O in zones with write pointers (zonemode=zbd), of devices or emulated: what a generator needs to
   know of its zones, and the events that its owner passes on. */
#ifndef ZBD_H
#define ZBD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dir.h"

struct offset_gen;
struct zone;
struct zone_table;

/* Commands to the device. ZONE_FINISH moves the write pointer to the end of the zone, ZONE_LOCATE asks where
   it is. */
enum zone_command { ZONE_RESET, ZONE_FINISH, ZONE_LOCATE };

struct zone_use {
	struct zone_table *table;
	uint32_t me;           /* ID of the thread that draws */
	uint32_t max_open;     /* no more zones of the table may be open; 0: any number */
	uint64_t skip;         /* bytes between two zones of sequential I/O, a multiple of their size */
	bool appends;          /* writes are zone appends */
	uint32_t job_max_open; /* no more zones may be open that this thread opened; 0: any number */
	/* Sends a command about the zone [start, start + len) of the device, in bytes. ZONE_LOCATE sets
	   as->wp and as->state. If a reset or finish fails because the zone has become read-only or offline,
	   it sets as->state, and returns true if the job goes on; otherwise it leaves as->state alone. It
	   reports a failure, and returns false if that ends the job. NULL: the zones are emulated. */
	bool (*command)(void *arg, enum zone_command c, uint64_t start, uint64_t len, struct zone *as);
	void *arg;
	uint64_t *resets, *finishes; /* are counted up; NULL: not counted */
	uint64_t *most_open; /* grows to the number of zones that were open at a time; NULL: not counted */
};

/* Why offset_next returned false. */
enum zbd_stop {
	ZBD_PASS_OVER,  /* the pass is over */
	ZBD_BUSY,       /* a write of this worker must complete first */
	ZBD_BUSY_OTHER, /* the same, of another worker */
	ZBD_NO_DATA,    /* no zone holds data that could be read, or reset */
	ZBD_ALL_OPEN,   /* no zone of the area is open, and none may be opened */
	ZBD_WORN_OUT,   /* no zone of the area takes writes any more */
	ZBD_AGAIN,      /* never returned: the zone takes no writes any more, but others may */
	ZBD_FAILED      /* a command failed */
};

size_t zbd_bytes(void);
/* Sets the zones of a generator of OFFSET_ZBD, whose range must consist of whole zones of the table. memory:
   zbd_bytes(). It, the table and *use must outlive g. Call it before any draw. */
void zbd_set(struct offset_gen *g, void *memory, const struct zone_use *use);
enum zbd_stop zbd_stopped(const struct offset_gen *g);
/* Call it when a write or a trim of this generator has completed, or a read has failed. offset: in its zone.
   bytes: written or reset. failed: bytes may be wrong, so the device is asked for the write pointer, and
   whether the zone still takes writes or reads. */
void zbd_done(struct offset_gen *g, enum io_dir dir, uint64_t offset, uint64_t bytes, bool failed);

/* Rows: a worker that has one write in flight fills a zone without taking the lock for each write. The zone
   is its own from the first row until zbd_row_end, which must come before any other draw. */

/* Returns whether the generator can have rows: sequential writes of one size. */
bool zbd_has_rows(const struct offset_gen *g);
/* Draws at most max writes, one behind the other in a zone that stays open after them. All writes of the last
   row must have completed. Returns how many; 0: the row has ended, and offset_next must be called. */
unsigned zbd_row(struct offset_gen *g, uint64_t *offset, unsigned max);
/* The writes of the row before `next` have completed. Returns false if another worker waits for the zone: the
   row should end. */
bool zbd_row_move(struct offset_gen *g, uint64_t next);
/* Ends the row, if there is one. next: the first write that was not issued. failed: the write before it is
   incomplete, so that the zone belongs to the worker until zbd_done. */
void zbd_row_end(struct offset_gen *g, uint64_t next, bool failed);

#endif
