/* verify_job.h: the state of verification in a worker, and what only verify*.c call. */
#ifndef VERIFY_JOB_H
#define VERIFY_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include "block_check.h"
#include "phase.h"
#include "verify_check.h"
#include "verify_source.h"
#include "verify_state_file.h"
#include "verify_trim.h"

struct clone;
struct file;
struct file_set;
struct io;
struct plan_job;

/* verify_save.c: saves the state of a job's verified writes while the job runs (gen/verify_state.h). */

struct verify_save {
	bool on;
	bool synced; /* verify_state_sync: the state is synced to its disk before each batch of writes */
	struct verify_state_file file;
	uint64_t pass;       /* the pass that goes on, from 0 */
	uint64_t undo_at;    /* where the undo log begins, behind the maps */
	uint64_t undo_saved; /* synced: records of the undo log that are in the file */
};

/* Creates the file if the job saves its state. Returns false after clone_fail. */
bool verify_save_init(struct verify_save *s, struct clone *c);
/* Returns the memory for the maps of the writes; NULL if the state has none. */
void *verify_save_map(const struct verify_save *s);
void verify_save_fini(struct verify_save *s, struct clone *c);

/* The following functions do nothing unless s->on. */

/* Saves a write that is about to be submitted. verify_source_add has added it to `source`. Returns false
   after clone_fail. */
bool verify_save_write(struct verify_save *s, struct clone *c, uint32_t slot, uint32_t file,
		       const struct verify_block_ref *b, const struct verify_source *source);
/* Notes an fsync or fdatasync that is about to be submitted, after all writes of its batch. Ignores other
   I/Os. */
void verify_save_fsync(struct verify_save *s, const struct io *io);
/* Completes the state of a batch, which may then be submitted. Returns false after clone_fail. */
bool verify_save_submit(struct verify_save *s, struct clone *c);
/* Saves the end of the write of this slot. whole: it completed; otherwise it failed. */
void verify_save_done(struct verify_save *s, uint32_t slot, bool whole);
/* Saves the result of an fsync or fdatasync; ignores other I/Os. */
void verify_save_fsync_done(struct verify_save *s, const struct io *io);
/* Saves that all files were synced while nothing was in flight. */
void verify_save_all_synced(struct verify_save *s);
/* Saves that another pass begins with the write `first`, the next one. */
void verify_save_next_pass(struct verify_save *s, uint64_t first);

/* verify_seen.c: which blocks a job that only reads has checked already. One bit for each block of its files.
 */

struct verify_seen {
	const struct plan_job *job;
	uint64_t *bits; /* NULL: nothing is noted */
	uint64_t *file; /* the first bit of each file, and behind them the number of all bits */
};

/* Returns false if memory is short. Call verify_seen_fini in any case. */
bool verify_seen_init(struct verify_seen *s, const struct plan_job *pj);
void verify_seen_fini(struct verify_seen *s);
/* Returns whether the block that begins at this offset has been added. */
bool verify_seen_has(const struct verify_seen *s, uint32_t file, uint64_t offset);
/* Adds the block. Returns whether it is new. */
bool verify_seen_add(struct verify_seen *s, uint32_t file, uint64_t offset);

/* verify_files.c: opens the files of a job that closes them while it runs (openfiles, create_on_open), so
   that the verify phase can read them. */

enum verify_open_result { VERIFY_OPEN, VERIFY_OPEN_LATER, VERIFY_OPEN_FAILED };

/* Opens the file if it is closed; with `reread` it also syncs it and drops its cached pages, which once in a
   phase is enough, because a phase writes nothing. Closes another file if too many are open. Returns
   VERIFY_OPEN_LATER if all of those have I/Os in flight, and VERIFY_OPEN_FAILED after clone_fail. */
enum verify_open_result verify_files_open(struct file_set *s, struct clone *c, uint32_t file, bool reread);
/* Call this when the job goes on writing: closes the files that were opened for the reads, and lets the job
   open those again that were closed for them. */
void verify_files_restore(struct file_set *s, struct clone *c);
/* Syncs an open file and drops its cached pages, so that reads come from the device. Returns 0, or -errno
   after clone_fail. */
int verify_files_reread(struct file_set *s, struct clone *c, uint32_t file);

/* Returns the size of the open file; UINT64_MAX for devices, and if it is not known. */
uint64_t verify_files_size(const struct file *f);

/* verify.c: the state of all this. */

enum slot_state { SLOT_IDLE, SLOT_WRITING, SLOT_TRIMMING, SLOT_READING };

/* The block that an I/O of the queue writes, trims or reads back. */
struct verify_slot {
	enum slot_state state;
	uint32_t file;
	struct verify_block_ref block;
	bool later_pass; /* the loop's own read is one of a later pass: see first_pass_bytes */
};

struct verify {
	struct verify_format format;
	struct region_verify unreported; /* counts of a job that checks no blocks */
	struct verify_source source;
	struct verify_slot *slot; /* by io->index */
	uint64_t seed;            /* of the run: write n has the seed rng_mix64(seed + n) */
	bool any_run;            /* the blocks are of an earlier run, whose number follows from their seeds */
	struct verify_runs runs; /* the runs that wrote the blocks read so far */
	uint64_t start_ns;       /* since 1970: the job's own headers are not older; 0: it does not write */
	int64_t realtime_offset_ns; /* add to clock_ns() for the time since 1970 */
	uint64_t reads_counted_ns;  /* until then the time of the reads has been counted */
	uint64_t verified_number; /* source.next_number when all blocks were last read back; UINT64_MAX: never
				   */
	struct verify_backlog
		*backlog;      /* verify_backlog; NULL: the job verifies at its end, or after a loop */
	uint64_t pause_number; /* the writes pause when source.next_number reaches this */
	uint64_t batch; /* blocks of the backlog to read, or trim, in this pause; UINT64_MAX: all blocks */
	struct phase_pause pause;
	uint16_t thread;
	bool reading;  /* the loop reads blocks back, or trims them */
	bool has_next; /* the next block to read waits for its file to be opened: */
	uint32_t next_file;
	struct verify_block_ref next_block;
	uint64_t *size; /* of each file, when the reads last looked; 0: not yet in this phase */
	struct verify_trim trim;
	struct verify_seen seen; /* bits NULL: no read needs it */
	bool watches_passes;     /* time_based reads draw blocks that one pass of a writer does not reach: */
	uint64_t first_pass_bytes; /* of the first pass, in I/Os that note_passes() has not seen */
	uint64_t noted_bytes;      /* of all I/Os that note_passes() has seen */
	struct verify_writer writer;
	struct verify_newest_run newest_run;
	struct verify_damages damages;
	struct verify_dumps dumps;
	struct verify_save save;
	struct verify_state_image loaded_state; /* verify_state_load */
};

/* verify_reads.c: */

/* Begins to walk over the blocks that were written. Blocks of writes and trims that never completed stay
   uncertain. Returns false after clone_fail. */
bool verify_reads_prepare(struct worker *w);
/* Does the same for the reads after the trims, which take the blocks of the backlog, too. */
bool verify_reads_prepare_all(struct worker *w);
/* Syncs all open files and drops their cached pages. Returns false after clone_fail. */
bool verify_reads_reread_files(struct file_set *s, struct clone *c);
/* Sets how many blocks the phase checks in all: those so far, and the unread ones. */
void verify_reads_set_expected(struct verify *v, uint64_t unread);
/* Counts the time of the reads in the measured phase. */
void verify_reads_count_time(struct worker *w, uint64_t now);
/* Counts the last I/O of this slot if it has failed, which shows in a slot that is not idle. */
void verify_reads_slot_failed(struct verify *v, struct verify_slot *s);

#endif
