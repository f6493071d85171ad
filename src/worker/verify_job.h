/* verify_job.h: the state of verification in a worker. Only verify.c, verify_phase.c, verify_reads.c,
   verify_writes.c and verify_checks.c include it. */
#ifndef VERIFY_JOB_H
#define VERIFY_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include "phase.h"
#include "verify_backlog.h"
#include "verify_check.h"
#include "verify_damage.h"
#include "verify_dump.h"
#include "verify_newest_run.h"
#include "verify_run.h"
#include "verify_save.h"
#include "verify_seen.h"
#include "verify_source.h"
#include "verify_trim.h"
#include "verify_writer.h"

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
	int64_t realtime_offset_ns; /* clock_ns() + day_ns is the time since 1970 */
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

#endif
