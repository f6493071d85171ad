/* region.h: the memory that the parent and all workers share. It is one anonymous mapping, created before the
   first fork. It holds, in this order: stages, phases, states of layouts, created files, shared rates, shared
   positions, flows, some single words, copy buffers, and a slot for each worker. Untouched pages cost
   nothing. */
#ifndef REGION_H
#define REGION_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include "depth_search.h"
#include "io.h"
#include "message.h"
#include "plan.h"
#include "track.h"
#include "wstat.h"

/* A ring in the shared region has one record for each I/O, for the log files. The worker writes the records;
   the log writer, a child of the parent, is the only reader. When the ring is full the worker waits, so no
   record is lost. The records of a worker that was killed can still be read. */

struct log_rec {
	uint64_t start_ns, issue_ns; /* clock_ns() */
	union {
		uint64_t done_ns; /* clock_ns() */
		uint64_t file;    /* write_iolog: number of the file in the plan */
	};
	uint64_t offset;
	uint32_t bytes;
	uint16_t prio; /* in the kernel's encoding; 0: none */
	uint8_t dir;   /* enum io_dir, below DIR_DATA; write_iolog: enum iolog_action */
};

/* The records of write_iolog: an operation of enum io_op, or one of these. */
enum iolog_action { IOLOG_OPEN = IO_OPS, IOLOG_CLOSE, IOLOG_ACTIONS };

struct log_ring {
	_Alignas(64) _Atomic uint64_t head; /* the worker writes this and the next four fields */
	_Atomic uint64_t waits, waited_ns;  /* waits for room, and their total time */
	_Atomic uint32_t waiting;           /* the worker waits for room now */
	uint64_t wake_tail;                 /* 1 + `tail` when the worker last woke the reader */
	_Alignas(64) _Atomic uint64_t tail; /* the reader writes this */
	_Alignas(64) struct log_rec rec[];
};

static inline size_t log_ring_bytes(uint32_t entries)
{
	return entries ? sizeof(struct log_ring) + entries * sizeof(struct log_rec) : 0;
}

/* For the reader: returns the number of records. */
static inline uint64_t log_ring_used(const struct log_ring *r)
{
	return atomic_load_explicit(&r->head, memory_order_acquire) -
	       atomic_load_explicit(&r->tail, memory_order_relaxed);
}

/* For the reader: returns how many of the oldest records are contiguous in memory. log_ring_drop() frees the
   first n of them. */
static inline uint32_t log_ring_peek(struct log_ring *r, uint32_t entries, const struct log_rec **first)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	uint64_t n = atomic_load_explicit(&r->head, memory_order_acquire) - tail;
	uint32_t at = (uint32_t)(tail & (entries - 1));

	*first = &r->rec[at];
	return (uint32_t)(n < entries - at ? n : entries - at);
}

static inline void log_ring_drop(struct log_ring *r, uint32_t n)
{
	atomic_store_explicit(&r->tail, atomic_load_explicit(&r->tail, memory_order_relaxed) + n,
			      memory_order_release);
}

struct region_flow;
struct write_pool;
struct zone_table;

/* What a worker has verified, in its slot. */

#define VERIFY_DAMAGES 256 /* damaged ranges that are described; further ones are counted */

/* Adjacent blocks with damage of one kind. */
struct verify_range {
	uint32_t file; /* of the job */
	uint32_t kind; /* enum verify_damage_kind */
	uint64_t offset, bytes;
	uint64_t blocks;
	uint64_t expected, found; /* of the first block; verify_damages[kind].value says in which unit */
};

struct region_verify {
	uint64_t checked;     /* blocks that were read back and are as written, or damaged */
	uint64_t in_part;     /* blocks of which not all bytes could be checked: writes overlapped, failed or
				 replaced parts */
	uint64_t part_right;  /* of these: blocks of which something was compared, and was right */
	uint64_t not_checked; /* blocks not read back, or that show no trace of a write */
	uint64_t damaged;     /* blocks; one that is read again counts again */
	uint64_t expected;    /* the first three will add up to this when the blocks written so far have been
				 read back; 0: not known */
	uint64_t unlisted;    /* damaged blocks that are in no range */
	char first[400];      /* the first damaged block, in one line */
	uint32_t nranges;     /* in use of ranges[] */
	struct verify_range ranges[VERIFY_DAMAGES];
};

/* The writes with one placement id. */
struct region_placement {
	uint64_t ios, bytes;
};

enum worker_phase {
	PHASE_CREATED, /* not started */
	PHASE_SETUP,   /* opening, laying out */
	PHASE_PRE_READ,
	PHASE_WAIT,  /* waits for other jobs to end (wait_for); PHASE_SETUP follows */
	PHASE_READY, /* waits at the gate */
	PHASE_DELAY, /* startdelay */
	PHASE_RAMP,
	PHASE_RUN,
	PHASE_COOL,   /* cooldown: the numbers are final, except errors */
	PHASE_VERIFY, /* reads back what it wrote */
	PHASE_SYNC,   /* end_fsync, closing */
	PHASE_DONE,   /* the numbers are final */
};

/* The state of the layout of one target, for the workers that share the target. */
enum layout_state { LAYOUT_STATE_TODO, LAYOUT_STATE_READY, LAYOUT_STATE_FAILED };

struct region_layout {
	_Atomic uint32_t state; /* futex, enum layout_state */
	_Atomic uint32_t users; /* unlink=1: workers that have not ended; LAYOUT_STATE_USED: one has begun */
};
#define LAYOUT_STATE_USED (1u << 31)

/* A job with wait_for lays out some files with its wave (LAYOUT_EARLY), and the rest once the awaited jobs
   have ended (LAYOUT_LATE). All other jobs lay out their files in LAYOUT_LATE. */
enum layout_round { LAYOUT_EARLY, LAYOUT_LATE, LAYOUT_ROUNDS };

/* Each stage has its own words, so that opening one stage does not wake the workers of another. */
struct region_stage {
	_Alignas(64) _Atomic uint32_t setup; /* futex, 1: the stage's workers may lay out */
	_Atomic uint32_t gate;               /* futex, 1: the stage's workers may run */
	_Atomic uint64_t start_ns; /* clock_ns() at which the workers start: when the gate opened, or later */
	bool starts_later;         /* start_ns may be later: the workers wait for it */
};

/* exec_prerun or exec_postrun, while the worker waits for that command. */
enum worker_command { COMMAND_NONE, COMMAND_PRERUN, COMMAND_POSTRUN };

#define STOP_END (1u << 0) /* end now */
#define STOP_FOR_COPY \
	(1u << 1) /* the parent wants a copy of the numbers: slot.copy_request; the worker clears it */

#define STOP_RUNTIME (1u << 2) /* the runtime ends now; the worker clears this bit */
#define STOP_FLOW    (1u << 3) /* a job of its flow wakes the worker, which clears this bit */

/* The slot of one worker. Its texts come first, at the end of a page that holds nothing else: most workers
   never touch that page. `seq` is odd while the worker adds a batch; a copy is good if seq was even and did
   not change. After the struct come a wstat with its histograms, the worker's I/Os (the parent reads those
   that never completed), its tracks (track.h), the ring of its log, and its counts by file and by step. */
#define SLOT_PAGE  4096u
#define SLOT_NOTES 6
#define SLOT_WORDS offsetof(struct slot, stop)
struct slot {
	char error_text[400];     /* one line: file, op, offset, errno */
	char survived_error[240]; /* the first error that the job survived, other than damage; "" if none */
	char lost_reason[240];    /* why the worker died or never started; "" normally */
	char info[280];           /* the engine's line for the report */
	char note[SLOT_NOTES][200];
	bool more_notes; /* further notes found no room */
	_Alignas(64) _Atomic uint32_t
		stop; /* STOP_ bits, set by the parent; a futex: the worker sleeps on it */
	_Atomic uint32_t seq;
	_Atomic uint64_t stop_ns;       /* clock_ns() when STOP_END was set */
	_Atomic uint32_t layout_rounds; /* futex: finished rounds of layout (enum layout_round) */
	_Atomic uint32_t open_files;
	_Atomic uint64_t layout_bytes;        /* written by the layout so far */
	_Atomic uint64_t live_ios[DIR_COUNT]; /* totals of the phase, updated per batch */
	_Atomic uint64_t live_bytes[DIR_COUNT];
	_Atomic uint64_t phase_start_ns;    /* clock_ns() when ramp or measurement began */
	_Atomic uint64_t issued_bytes;      /* of the whole job, for the progress line */
	_Atomic uint64_t verify_start_ns;   /* when PHASE_VERIFY began, */
	_Atomic uint64_t verify_from_bytes; /* and live_bytes[DIR_READ] at that time */
	_Atomic uint64_t submit_ns;         /* when the last call of submit began */
	_Atomic int32_t program_pgid;       /* process group of a program that the engine runs; 0: none */
	_Atomic uint32_t user_command;      /* enum worker_command */
	_Atomic uint32_t copy_request;      /* request for a copy of the numbers: live_request.h */
	int32_t pid;
	uint16_t ioprio;       /* the worker's I/O priority; 0: not set */
	int32_t error;         /* 0 or errno */
	uint64_t run_start_ns; /* start of the measured phase, clock_ns(); 0: never reached */
	uint64_t run_end_ns;
	uint64_t run_start_clock_ms; /* run_start_ns by the clock of job_start_clock_id */
	struct rusage usage;         /* at run_start_ns: the parent's base if the worker is killed */
	struct wcount cnt;
};

/* The identity of a file that this run has created: later opens must find the same file. ino is 0 if this run
   has neither created nor removed the file, and CREATED_GONE if this run has removed it. */
struct region_file {
	_Atomic uint64_t dev, ino;
	_Atomic uint32_t written; /* enum file_written */
	_Atomic uint32_t marks;   /* how many workers have completed its mark, or begun to */
};
/* Whether this run has opened a file for writing. */
enum file_written {
	FILE_UNWRITTEN,
	FILE_WRITTEN_BEFORE, /* in an earlier wave */
	FILE_WRITTEN,        /* in this wave */
};
#define CREATED_GONE UINT64_MAX

/* A rate that several jobs (members) share, during the ramp or the measurement. `used` counts I/Os or bytes
   of all members. */
struct region_rate {
	struct {
		_Alignas(64) _Atomic uint64_t used;
	} dir[DIR_DATA];
	_Alignas(64) _Atomic uint64_t start_ns; /* clock_ns(); 0: no member has begun */
	_Atomic uint32_t nended;                /* members that will issue no more I/Os */
};

/* A running worker copies its numbers into such a buffer when the parent requests it (live_request.h). All
   workers share a few buffers. A packed wstat follows the struct. */
struct copy_buffer {
	_Atomic uint32_t copies; /* counts copies; written last, which orders the copies of several threads */
	uint64_t stamp_ns;       /* clock_ns() of the copy */
	uint64_t run_start_ns, run_end_ns;
	struct wcount cnt; /* CPU times up to now */
};
#define COPY_BUFFERS 16 /* at most */

/* offset_shared: the position that the clones of a job share, as the number of their I/Os so far. */
struct region_shared_position {
	_Alignas(64) _Atomic uint64_t ios;
};

struct region {
	struct region_stage *stages; /* by plan_job.stage */
	struct region_layout *layouts;
	_Atomic uint8_t *phases;   /* enum worker_phase, by job: contiguous, because the parent reads all */
	struct region_file *files; /* by plan target, the first of its names */
	struct region_shared_position *shared_positions; /* by plan_file.shared_position - 1 */
	struct region_flow *flows;                       /* by plan.flows */
	unsigned char *zones;                            /* struct zone_table, one after the other */
	size_t *zone_offset; /* into zones, by plan_file.zone_table - 1; private memory, allocated before the
				fork */
	struct fifo_events *events; /* NULL: none. Opened before the fork */
	struct write_pool *pools;   /* by section; private memory, allocated before the fork */
	struct region_rate *rates;  /* two for each of plan.shares: ramp, measurement */
	unsigned char *copy_buffers;
	size_t copy_buffer_bytes; /* with the packed wstat */
	unsigned ncopy_buffers;
	unsigned char *slots;
	_Atomic uint32_t *log_wake;       /* futex: changes when a ring of a log is half full */
	_Atomic uint32_t *log_off;        /* 1: the log writer has stopped reading the rings */
	_Atomic uint32_t *memory_barrier; /* orders the workers' memory: region_release() */
	_Atomic uint64_t *notifications;  /* sum of the weights of region_notify() */
	_Atomic uint64_t *wake_count;     /* the parent wakes up when the sum reaches this */
	_Atomic uint64_t *grid_ns; /* clock_ns() at which the first stage of the run started; 0: not yet. The
				      intervals of TRACK_LIVE begin there */
	uint64_t *slot_offset; /* into slots, by plan_job.index; private memory, allocated before the fork */
	size_t bytes;
	int event_fd; /* written when `notifications` reaches `wake_count` */
};

/* Maps the region. Returns 0, or -errno with d. */
int region_init(struct region *r, const struct plan *p, struct diag *d);
void region_fini(struct region *r);

/* A worker calls region_release() before it reports that it is ready or done. A worker that calls
   region_acquire() after the next gate sees all memory that the first worker wrote before. The parent opens
   the gate, but it is another process: these two calls order the memory of workers that are threads of one
   process. */
static inline void region_release(const struct region *r)
{
	atomic_fetch_add_explicit(r->memory_barrier, 1, memory_order_release);
}

static inline void region_acquire(const struct region *r)
{
	atomic_load_explicit(r->memory_barrier, memory_order_acquire);
}

/* Notifies the parent that this worker is ready or done; the worker sets its phase first. The parent wakes up
   after the number of normal notifications that it waits for, or after one urgent notification. */
#define NOTIFY_NORMAL 1u
#define NOTIFY_URGENT ((uint64_t)1 << 32)
void region_notify(const struct region *r, uint64_t weight);

/* For the parent: returns true if the notifications that it waits for have arrived. */
static inline bool region_wakeup_due(const struct region *r)
{
	return atomic_load(r->notifications) >= atomic_load(r->wake_count);
}

/* For the parent, before it reads the phases: cancels the wake-up. Returns the count of notifications so far.
 */
static inline uint64_t region_wakeup_cancel(const struct region *r)
{
	atomic_store(r->wake_count, UINT64_MAX);
	return atomic_load(r->notifications);
}

/* For the parent, after it has read the phases: requests a wake-up after `more` notifications beyond `count`,
   the result of region_wakeup_cancel(). Returns true if they have arrived already. */
static inline bool region_wakeup_after(const struct region *r, uint64_t count, uint32_t more)
{
	atomic_store(r->wake_count, count + more);
	return region_wakeup_due(r);
}

static inline struct slot *region_slot(const struct region *r, uint32_t job)
{
	return (struct slot *)(void *)(r->slots + r->slot_offset[job]);
}

static inline enum worker_phase region_phase(const struct region *r, uint32_t job)
{
	return (enum worker_phase)atomic_load_explicit(&r->phases[job], memory_order_acquire);
}

static inline void region_set_phase(const struct region *r, uint32_t job, enum worker_phase phase)
{
	atomic_store_explicit(&r->phases[job], (uint8_t)phase, memory_order_release);
}

/* share is plan_job.share. */
static inline struct region_rate *region_rate(const struct region *r, uint32_t share, bool ramp)
{
	return &r->rates[(share - 1) * 2 + !ramp];
}

static inline struct copy_buffer *region_copy_buffer(const struct region *r, unsigned i)
{
	return (struct copy_buffer *)(void *)(r->copy_buffers + i * r->copy_buffer_bytes);
}

/* number is plan_file.shared_position. */
static inline _Atomic uint64_t *region_shared_position(const struct region *r, uint32_t number)
{
	return &r->shared_positions[number - 1].ios;
}

/* number is plan_file.zone_table. */
static inline struct zone_table *region_zone_table(const struct region *r, uint32_t number)
{
	return (struct zone_table *)(void *)(r->zones + r->zone_offset[number - 1]);
}

/* Returns the I/Os of all directions that the worker has completed in its phase. */
static inline uint64_t slot_live_ios(const struct slot *s)
{
	uint64_t ios = 0;

	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		ios += atomic_load_explicit(&s->live_ios[dir], memory_order_relaxed);
	return ios;
}

static inline struct wstat *slot_stat(struct slot *s)
{
	return (struct wstat *)(void *)(s + 1);
}

/* Returns the offset of the I/Os in a slot. They begin on a new page, because the last pages of the wstat
   often hold no bucket in use. */
static inline size_t slot_ios_offset(const struct wstat_layout *l)
{
	size_t end = sizeof(struct slot) - SLOT_WORDS + wstat_size(l);

	return SLOT_WORDS + (end + SLOT_PAGE - 1) / SLOT_PAGE * SLOT_PAGE;
}

/* Returns the worker's I/Os, plan_job.depth of them. Their pointers are valid in the worker only. */
static inline struct io *slot_ios(struct slot *s, const struct wstat_layout *l)
{
	return (struct io *)(void *)((unsigned char *)s + slot_ios_offset(l));
}

/* The parts of a slot behind the I/Os. A job lacks most of them; the next part then begins at the same place.
 */
enum slot_part {
	SLOT_TRACKS,
	SLOT_LOG,        /* plan_logs.entries */
	SLOT_IOLOG,      /* plan_logs.iolog_entries */
	SLOT_PER_FILE,   /* per_file.h */
	SLOT_STEPS,      /* step_counts.h */
	SLOT_FILE_STATS, /* file_stats.h */
	SLOT_VERIFY,     /* of jobs that verify */
	SLOT_SEARCH,     /* of jobs with latency_target */
	SLOT_PLACEMENT,  /* struct region_placement of each id, and of writes without one */
	SLOT_PARTS,
};

/* Returns the offset in the slot at which a part begins; SLOT_PARTS: the length of the slot. */
size_t slot_part_offset(const struct plan_job *pj, enum slot_part part);

static inline void *slot_part(struct slot *s, const struct plan_job *pj, enum slot_part part)
{
	return (unsigned char *)s + slot_part_offset(pj, part);
}

static inline struct log_ring *slot_log(struct slot *s, const struct plan_job *pj)
{
	return slot_part(s, pj, SLOT_LOG);
}

static inline struct log_ring *slot_iolog(struct slot *s, const struct plan_job *pj)
{
	return slot_part(s, pj, SLOT_IOLOG);
}

static inline struct tracks *slot_tracks(struct slot *s, const struct plan_job *pj)
{
	return slot_part(s, pj, SLOT_TRACKS);
}

static inline struct region_verify *slot_verify(struct slot *s, const struct plan_job *pj)
{
	return slot_part(s, pj, SLOT_VERIFY);
}

static inline void slot_write_begin(struct slot *s)
{
	atomic_store_explicit(&s->seq, atomic_load_explicit(&s->seq, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

static inline void slot_write_end(struct slot *s)
{
	atomic_store_explicit(&s->seq, atomic_load_explicit(&s->seq, memory_order_relaxed) + 1,
			      memory_order_release);
}

/* Waits until *word differs from `value`, or clock_ns() reaches until_ns (UINT64_MAX: never). */
void futex_wait_until(_Atomic uint32_t *word, uint32_t value, uint64_t until_ns);
void futex_wake_all(_Atomic uint32_t *word);
static inline void futex_set(_Atomic uint32_t *word, uint32_t value)
{
	atomic_store_explicit(word, value, memory_order_release);
	futex_wake_all(word);
}

/* slot_text.c: the texts of a slot. Each text is one line, cut to fit, with '?' for control characters. */

void slot_text(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Formats a message (message.h) with the option names of this speller; NULL: the names of a job file. */
void slot_message_va(char *to, size_t size, const struct speller *s, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));

/* Sets the error of the job, unless it has one: its text and errno. */
void slot_error(struct slot *slot, const struct speller *s, int err, const struct diag *d);

/* Adds a note for the report, unless the slot has it already. */
void slot_note(struct slot *slot, const struct speller *s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void slot_note_va(struct slot *slot, const struct speller *s, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

/* Ends a worker that cannot report by itself: it died, hangs, or never started. The parent or the thread host
   calls this. err is an errno of either sign; 0 keeps the error that the worker has. */
void slot_lost_worker(const struct region *r, uint32_t job, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* CPU time, context switches, page faults and reads of storage between two calls of getrusage(). */

static inline uint64_t usage_us(const struct timeval *end, const struct timeval *start)
{
	int64_t us = (int64_t)((end->tv_sec - start->tv_sec) * 1000000 + (end->tv_usec - start->tv_usec));

	return us > 0 ? (uint64_t)us : 0;
}

static inline void usage_since(struct wcount *c, const struct rusage *start, const struct rusage *end)
{
	c->user_us = usage_us(&end->ru_utime, &start->ru_utime);
	c->sys_us = usage_us(&end->ru_stime, &start->ru_stime);
	c->preempted = (uint64_t)(end->ru_nivcsw - start->ru_nivcsw);
	c->ctx = (uint64_t)(end->ru_nvcsw - start->ru_nvcsw) + c->preempted;
	c->majf = (uint64_t)end->ru_majflt; /* since the process started, as in /proc */
	c->minf = (uint64_t)end->ru_minflt;
	c->storage_read_bytes = (uint64_t)(end->ru_inblock - start->ru_inblock) * 512;
}

/* region_files.c: the files of a plan as this run has left them: created, removed, written. */

/* Returns the record of the file of this target. */
struct region_file *region_files_record(const struct region *r, const struct plan_target *t);
/* Returns true if this run has created the file and not removed it. */
bool region_files_created(const struct region *r, const struct plan_target *t);
/* Returns the facts that the plan saw, corrected by what this run has created or removed since. dir: the run
   creates directories. */
struct target_facts region_files_facts(const struct region *r, const struct plan_target *t, bool dir);
/* Marks the job's files as complete: those of fiord that the run has opened for writing. The job's worker
   calls it at its end; if the worker died, the parent does. */
void region_files_mark_complete(const struct region *r, const struct plan *p, const struct plan_job *pj);

/* write_pool.c: the memory from which the writes of a section take their data (write_pool). The clones of the
   section share the pool, and fill it together before they start. */

struct write_pool {
	unsigned char *bytes; /* NULL: none */
	uint64_t size;
	int fd; /* write_pool_file; -1: random data */
	const char *file;
	uint64_t file_size; /* size of that file, in bytes */
};

/* Maps the pool of each section and opens its file, before the first fork. *pools is indexed by section, or
   NULL if no section has a pool. Returns 0, or -errno with d. */
int write_pools_init(struct write_pool **pools, const struct plan *p, struct diag *d);
void write_pools_fini(struct write_pool *pools, const struct plan *p);

#endif
