/* verify_state.h: the state of a verifying job, from which a later run learns what each block must hold after
   a crash. Pure: the caller maps, writes and reads the file.

   The file has a header of one page, the settings that make the blocks and their order, the live words, and
   for jobs with a map the map and the log of its changes (verify_map.h). The live words say which writes were
   issued, are in flight, have failed or are durable. A worker maps the file and changes one live word with
   one store, so that the page cache has a valid state whenever the worker is killed. Each live word has 48
   bits of value and a check of them, so that damage is found.

   A file that must outlive a power loss is not mapped: it has two copies of the live words. The worker writes
   them in turn, each with a generation and a CRC, and syncs the file before it submits the writes.

   A write is in flight from verify_state_issue() until verify_state_done(). Writes that were issued, did not
   fail and are not in flight have completed. */
#ifndef VERIFY_STATE_H
#define VERIFY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "crc.h"

/* Version 1 may have a log behind its map that is longer than those of later versions.
   Versions before 3 do not say whether writes were copied. */
#define VERIFY_STATE_VERSION        3u
#define VERIFY_STATE_VERSION_OLDEST 1u
#define VERIFY_STATE_PAGE           4096u
/* The file lists at most this many runs of failed writes; further ones are joined to the last. */
#define VERIFY_STATE_FAILED_MAX 64u
/* Numbers of writes are smaller than this. */
#define VERIFY_STATE_NUMBERS (UINT64_C(1) << 48)

struct diag;

/* One of the settings that make the blocks: an option and its value. */
struct verify_state_setting {
	const char *name, *value;
};

/* The setting that has the number of the run that saved the state (verify_check.h). It is not compared. */
#define VERIFY_STATE_RUN "run"
/* The setting that has the paths of the files, for people who look at the state. It is not compared. */
#define VERIFY_STATE_FILES "filename"

enum verify_policy {
	VERIFY_POLICY_COMPLETED, /* writes that completed must be there */
	VERIFY_POLICY_FSYNCED,   /* only writes that an fsync made durable must be there */
};

/* How much of a write a block can hold. */
enum verify_state_answer {
	VERIFY_STATE_NEVER_ISSUED, /* nothing of it */
	VERIFY_STATE_MAY,          /* all, nothing or a part of it */
	VERIFY_STATE_MUST,         /* all of it */
};

/* The dimensions of a file. */
struct verify_state_shape {
	uint32_t depth;         /* I/Os in flight */
	uint32_t files;         /* 1 or more */
	uint64_t map_bytes;     /* of all maps of the job, in the caller's order; 0: no map */
	bool durable;           /* each completed write is durable (sync=1) */
	bool copied;            /* writes are copied into mapped files: a kill may end a copy at any byte */
	bool synced;            /* two copies of the live words, for verify_state_copy() */
	uint32_t settings;      /* number of settings */
	uint32_t setting_bytes; /* from verify_state_settings() */
};

/* Where the sections of a file begin, and their sizes, in bytes. */
struct verify_state_layout {
	uint64_t live_at, live_bytes, map_at, map_bytes, bytes;
};

/* ---- making a file ---- */

/* Writes n settings to `out`, unless that is NULL, and returns their length in bytes. Of a long value it
   writes the beginning and a hash. */
size_t verify_state_settings(const struct verify_state_setting *set, uint32_t n, char *out);
/* Computes the layout of a file. Returns 0, or -EFBIG if the counts are too large. */
int verify_state_layout(const struct verify_state_shape *s, struct verify_state_layout *l);
/* Fills the file at `mem` up to its map: layout.map_at bytes, which the caller has zeroed. */
void verify_state_format(const struct verify_state_shape *s, const struct verify_state_setting *set,
			 void *mem);

/* ---- writing: one thread ---- */

struct verify_state_writer {
	_Atomic uint64_t *words; /* the live words */
	uint32_t nwords, depth, files;
	uint64_t next;       /* the next number */
	uint64_t generation; /* of the last copy */
	struct verify_state_flight *flight;
};

/* Initialises w. mem: a file from verify_state_format(); it must outlive w. Returns 0, -ENOMEM or -EFBIG. */
int verify_state_writer_init(struct verify_state_writer *w, const struct verify_state_shape *s, void *mem);
void verify_state_writer_fini(struct verify_state_writer *w);

/* Begins a pass over the blocks, whose first write will have the number `first`. Call this before that write
   is issued. */
void verify_state_pass(struct verify_state_writer *w, uint64_t pass, uint64_t first);
/* Before writes are submitted, call verify_state_issue() for each of them, in the order of their numbers, and
   then verify_state_issued(). Numbers that are left out count as failed. slot: below depth, not in use. */
void verify_state_issue(struct verify_state_writer *w, uint32_t slot, uint32_t file, uint64_t number);
void verify_state_issued(struct verify_state_writer *w);
/* Makes the block of a write uncertain that was issued and overlaps with one of an earlier pass in flight:
   the block may hold either. */
void verify_state_set_uncertain(struct verify_state_writer *w, uint64_t number);
/* Ends the write of this slot, if there is one. whole: it completed; otherwise it failed or was short. */
void verify_state_done(struct verify_state_writer *w, uint32_t slot, bool whole);
/* Call verify_state_sync_issue() before an fsync of the file is submitted, once all writes of its batch are
   issued, and verify_state_sync_done() when the fsync has completed or failed. After an fsync that failed,
   all writes that are not known to be durable count as failed. */
void verify_state_sync_issue(struct verify_state_writer *w, uint32_t slot, uint32_t file);
void verify_state_sync_done(struct verify_state_writer *w, uint32_t slot, bool synced);
/* Fills a copy of the live words, layout.live_bytes at `out`, and returns which of the two places of the file
   takes it: 0 or 1. */
unsigned verify_state_copy(struct verify_state_writer *w, void *out);

/* ---- reading ---- */

/* A parsed state; it points into the caller's buffer. */
struct verify_state {
	uint32_t version;
	struct verify_state_shape shape;
	struct verify_state_layout layout;
	const unsigned char *settings, *live;
	const void *map;                   /* layout.map_bytes; NULL: no map */
	uint64_t issued;                   /* numbers below were submitted, or were about to be */
	uint64_t pass;                     /* the last pass that began, from 0 */
	uint32_t failed;                   /* runs of failed writes */
	uint64_t flight_first, flight_end; /* all writes in flight are between these numbers */
};

/* Parses any bytes, and never reads behind them. buf must outlive s. Returns 0, or -errno with a message
   of one line in *d. */
int verify_state_parse(struct verify_state *s, const void *buf, size_t bytes, struct diag *d);
/* Compares the settings but the run with those of the job that reads. Returns 0, or -EINVAL with the first
   setting that differs in *d. */
int verify_state_match(const struct verify_state *s, const struct verify_state_setting *set, uint32_t n,
		       struct diag *d);
/* Returns the number of the run that saved the state; 0 if the state has none. */
uint32_t verify_state_run(const struct verify_state *s);
/* Returns how much of a write a block of `file` can hold. If a map has a number that was never issued, the
   unit may hold any earlier write: its entry was replaced just before the crash. */
enum verify_state_answer verify_state_of(const struct verify_state *s, enum verify_policy policy,
					 uint32_t file, uint64_t number);
/* Returns the number of the first write of the pass that began `back` passes before the last one. back: 0 to
   2, and at most s->pass. */
uint64_t verify_state_first(const struct verify_state *s, unsigned back);

/* The header and the live words of a verify state. Private to verify_state*.c.

   A live word has its value in the low 48 bits and a check of value and place in the high 16, so that a
   zeroed or misplaced sector is detected, too. */

#define STATE_MAGIC         0x545356445249464fu /* "OFIRDVST" in memory of x86 */
#define STATE_MAGIC_SWAPPED 0x4f46495244565354u
#define STATE_DURABLE       1u
#define STATE_SYNCED        2u
#define STATE_COPIED        4u
#define STATE_FLAGS         (STATE_DURABLE | STATE_SYNCED | STATE_COPIED)

/* A name or value has at most STATE_VALUE_MAX bytes of its text, and perhaps a hash behind them. All settings
   together have at most STATE_SETTINGS_MAX bytes. */
#define STATE_VALUE_MAX    200u
#define STATE_SETTINGS_MAX (1u << 20)
#define STATE_TEXT_BYTES   (STATE_VALUE_MAX + 40u)

struct state_header {
	uint64_t magic;
	uint32_t version, crc; /* crc: of this struct, with 0 for the crc */
	uint64_t bytes;        /* of the file */
	uint64_t map_bytes;
	uint32_t depth, files, flags;
	uint32_t settings, setting_bytes, setting_crc;
};

/* Places of the live words. */
enum {
	WORD_CRC,        /* copies only: CRC-32C of the other words */
	WORD_GENERATION, /* copies only: grows with each one */
	WORD_ISSUED,
	WORD_PASS,
	WORD_FIRST,                                         /* of pass p: WORD_FIRST + p % 4 */
	WORD_FAILED = 8,                                    /* runs of failed writes */
	WORD_RUN,                                           /* first number and end of each run */
	WORD_MARK = WORD_RUN + 2 * VERIFY_STATE_FAILED_MAX, /* of each file: its older writes are durable */
	/* then for each slot 1 + the number of the write in flight, or 0 */
};

/* Returns the live word for a value at a place. */
static inline uint64_t state_word(uint64_t value, uint32_t place)
{
	uint64_t check = (value ^ (place + 1) * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;

	return (check & ~(VERIFY_STATE_NUMBERS - 1)) | value;
}

/* Returns the CRC-32C of the live words but WORD_CRC. */
static inline uint32_t state_words_crc(const void *live, uint32_t words)
{
	return crc_castagnoli((const char *)live + sizeof(uint64_t), (words - 1) * sizeof(uint64_t));
}

/* Writes a name or value as the file has it, perhaps shortened. out has STATE_TEXT_BYTES bytes. */
void verify_state_shorten(const char *value, char *out);

/* Returns the count of live words. */
static inline uint32_t state_words(uint32_t depth, uint32_t files)
{
	return WORD_MARK + files + depth;
}

#endif
