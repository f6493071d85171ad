/* verify_state.h: the state of a verifying job, from which a later run learns what each block must hold after
   a crash. Pure: the caller maps, writes and reads the file.

   The file: a header of one page, the settings that make the blocks and their order, the live words, and for
   jobs with a map the map (verify_map.h). A worker maps the file and changes the live words with single
   stores, so that the page cache has them when the worker is killed between any two of them. Each live word
   holds 48 bits and a check of them, so that damage is found and no store needs a second one.

   A file that must outlive a power loss is not mapped: it has two copies of the live words. The worker writes
   them in turns, each with a generation and a CRC, and syncs the file before it submits the writes.

   A write is in flight from verify_state_issue() until verify_state_done(). Writes that were issued, did not
   fail and are not in flight have completed. */
#ifndef VERIFY_STATE_H
#define VERIFY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VERIFY_STATE_VERSION 1u
#define VERIFY_STATE_PAGE    4096u
/* Runs of failed writes; more than that many are joined. */
#define VERIFY_STATE_FAILED_MAX 64u
/* Numbers of writes are smaller than this. */
#define VERIFY_STATE_NUMBERS (UINT64_C(1) << 48)

struct diag;

/* One of the settings that make the blocks: an option and its value. */
struct verify_state_setting {
	const char *name, *value;
};

enum verify_policy {
	VERIFY_POLICY_COMPLETED, /* writes that completed must be there */
	VERIFY_POLICY_FSYNCED,   /* only writes that an fsync made durable must be there */
};

/* What a block can hold of a write. */
enum verify_state_answer {
	VERIFY_STATE_NEVER_ISSUED, /* nothing of it */
	VERIFY_STATE_MAY,          /* all, nothing or a part of it */
	VERIFY_STATE_MUST,         /* all of it */
};

/* What a file has to hold. */
struct verify_state_shape {
	uint32_t depth;         /* I/Os in flight */
	uint32_t files;         /* 1 or more */
	uint64_t map_bytes;     /* of all maps of the job, in the caller's order; 0: no map */
	bool durable;           /* each completed write is durable (sync=1) */
	bool synced;            /* two copies of the live words, for verify_state_copy() */
	uint32_t settings;      /* how many */
	uint32_t setting_bytes; /* from verify_state_settings() */
};

/* Where the parts of a file stand, in bytes. */
struct verify_state_layout {
	uint64_t live_at, live_bytes, map_at, map_bytes, bytes;
};

/* ---- making a file ---- */

/* Writes n settings to `out`, which may be NULL, and returns their length. Of a long value the file has the
   beginning and a hash. */
size_t verify_state_settings(const struct verify_state_setting *set, uint32_t n, char *out);
/* Returns 0, or -EFBIG if the counts are too large. */
int verify_state_layout(const struct verify_state_shape *s, struct verify_state_layout *l);
/* Fills a file without the map, which is layout.map_at bytes at `mem` and was zeroed by the caller. */
void verify_state_format(const struct verify_state_shape *s, const struct verify_state_setting *set,
			 void *mem);

/* ---- writing: one thread ---- */

struct verify_state_writer {
	_Atomic uint64_t *word; /* the live words */
	uint32_t words, depth, files;
	uint64_t next;       /* the next number */
	uint64_t generation; /* of the last copy */
	struct verify_state_flight *flight;
};

/* mem: a file from verify_state_format(); it must outlive w. Returns 0 or -ENOMEM. */
int verify_state_writer_init(struct verify_state_writer *w, const struct verify_state_shape *s, void *mem);
void verify_state_writer_fini(struct verify_state_writer *w);

/* A pass over the blocks begins; its first write will have the number `first`. Call it before the first write
   is issued. */
void verify_state_pass(struct verify_state_writer *w, uint64_t pass, uint64_t first);
/* Writes are about to be submitted: verify_state_issue() for each, in the order of their numbers, then
   verify_state_issued(). Numbers that are left out count as failed. slot: below depth, not in use. */
void verify_state_issue(struct verify_state_writer *w, uint32_t slot, uint32_t file, uint64_t number);
void verify_state_issued(struct verify_state_writer *w);
/* This write, which was issued, overlaps with one of an earlier pass in flight: its block may hold either. */
void verify_state_open(struct verify_state_writer *w, uint64_t number);
/* The write of this slot, if there is one, completed, or failed or was short. */
void verify_state_done(struct verify_state_writer *w, uint32_t slot, bool whole);
/* An fsync of the file is about to be submitted after all the writes of its batch were issued; it completed
   or failed. After an fsync that failed no earlier write of the file counts as completed. */
void verify_state_sync_issue(struct verify_state_writer *w, uint32_t slot, uint32_t file);
void verify_state_sync_done(struct verify_state_writer *w, uint32_t slot, bool synced);
/* Fills a copy of the live words, layout.live_bytes at `out`, and returns which of the two places of the file
   takes it: 0 or 1. */
unsigned verify_state_copy(struct verify_state_writer *w, void *out);

/* ---- reading ---- */

/* A parsed state; it points into the caller's buffer. */
struct verify_state {
	struct verify_state_shape shape;
	struct verify_state_layout layout;
	const unsigned char *settings, *live;
	const void *map;                   /* layout.map_bytes; NULL: no map */
	uint64_t issued;                   /* numbers below were submitted, or were about to be */
	uint64_t pass;                     /* the last pass that began, from 0 */
	uint32_t failed;                   /* runs */
	uint64_t flight_first, flight_end; /* all writes in flight are between these numbers */
};

/* Parses any bytes and never reads behind them. Returns 0, or -errno with one line in *d. */
int verify_state_parse(struct verify_state *s, const void *buf, size_t bytes, struct diag *d);
/* Compares the settings with those of the job that reads. Returns 0, or -EINVAL with the first one that
   differs. */
int verify_state_match(const struct verify_state *s, const struct verify_state_setting *set, uint32_t n,
		       struct diag *d);
/* What a block of `file` can hold of a write. If a map has a number that was never issued, the unit may hold
   any earlier write: its entry was replaced just before the crash. */
enum verify_state_answer verify_state_of(const struct verify_state *s, enum verify_policy policy,
					 uint32_t file, uint64_t number);
/* The number of the first write of the pass that began `back` passes before the last one; back: 0 to 2, at
   most s->pass. */
uint64_t verify_state_first(const struct verify_state *s, unsigned back);

#endif
