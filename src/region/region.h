/* region.h: the memory that the parent and all workers share: one anonymous mapping made before the first
   fork, no pointers inside. Layout: stages, phases, layout cells, files made, shared rates, spares, then a
   slot per worker. Untouched pages cost nothing. */
#ifndef REGION_H
#define REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include "io.h"
#include "log_ring.h"
#include "plan.h"
#include "track.h"
#include "wstat.h"

enum worker_phase {
	PHASE_CREATED, /* not started */
	PHASE_SETUP,   /* opening, laying out */
	PHASE_PRE_READ,
	PHASE_WAIT,  /* for other jobs to end (wait_for); then setup again */
	PHASE_READY, /* at the gate */
	PHASE_DELAY, /* startdelay */
	PHASE_RAMP,
	PHASE_RUN,
	PHASE_COOL, /* cooldown: its numbers are final, but for errors */
	PHASE_SYNC, /* end_fsync, closing */
	PHASE_DONE, /* its numbers are final */
};

/* How far the layout of one target is, for those who use it together. */
enum cell_state { CELL_TODO, CELL_READY, CELL_FAILED };

struct region_cell {
	_Atomic uint32_t state; /* futex, enum cell_state */
	_Atomic uint32_t users; /* unlink=1: those that have not ended; CELL_USED: one of them has begun */
};
#define CELL_USED (1u << 31)

/* Of a job with wait_for, some files are laid out with those of the wave, and the rest when its turn comes.
   Of the others all are in the first round. */
enum lay_round { LAY_EARLY, LAY_LATE, LAY_ROUNDS };

/* Each stage has words of its own, so that opening one wakes nobody else. */
struct region_stage {
	_Alignas(64) _Atomic uint32_t setup; /* futex, 1: its workers may lay out */
	_Atomic uint32_t gate;               /* futex, 1: they may run */
	_Atomic uint64_t start_ns;           /* clock_ns() when the gate opened */
};

/* Of the user, which a worker waits for. */
enum worker_command { COMMAND_NONE, COMMAND_PRERUN, COMMAND_POSTRUN };

#define STOP_END (1u << 0) /* end now */
#define STOP_ASK (1u << 1) /* somebody wants a copy of the numbers: slot.ask; the worker clears it */

/* One worker's. The words come first, at the end of a page of which nothing else is in use: most workers say
   nothing. Everything below `seq` has one writer, the worker; it is odd while a batch is being added. A wstat
   with its histograms follows, the worker's I/Os, of which the parent reads what never came back, its tracks,
   and the ring of its log. */
#define SLOT_PAGE  4096u
#define SLOT_WORDS offsetof(struct slot, stop)
struct slot {
	char error_text[400]; /* one line: file, op, offset, errno */
	char survived[240];   /* the first error that the job survived; "" if none */
	char lost[240];       /* why the worker is gone or never came; "" normally */
	char info[200];       /* what the engine did, for the report */
	char note[200];
	_Alignas(64) _Atomic uint32_t
		stop; /* written by the parent: STOP_ bits; a futex, all sleeps of the worker wait here */
	_Atomic uint32_t seq;
	_Atomic uint64_t stop_ns; /* clock_ns() when STOP_END was set */
	_Atomic uint32_t laid;    /* futex: how many of the two rounds of layout are over */
	_Atomic uint32_t open_files;
	_Atomic uint64_t layout_bytes;        /* written so far */
	_Atomic uint64_t live_ios[DIR_COUNT]; /* totals of the phase, published per batch */
	_Atomic uint64_t live_bytes[DIR_COUNT];
	_Atomic uint64_t phase_start_ns; /* clock_ns() when ramp or measurement began */
	_Atomic uint64_t issued_bytes;   /* of the whole job, for the progress line */
	_Atomic uint64_t submit_ns;      /* when the last call of submit began */
	_Atomic int32_t command;         /* process group of the program that an engine runs; 0: none */
	_Atomic uint32_t in_command;     /* enum worker_command */
	_Atomic uint32_t ask;            /* for a copy of its numbers: live_copies.c */
	int32_t pid;
	uint16_t ioprio;       /* the worker's own priority; 0: none was given to it */
	int32_t error;         /* 0 or errno */
	uint64_t run_start_ns; /* start of the measured phase, clock_ns(); 0: never reached */
	uint64_t run_end_ns;
	uint64_t run_start_clock_ms; /* the same by the job's clock for that (job_start_clock_id) */
	struct rusage usage; /* at the start of the measured phase: of a killed worker the parent counts from
				there */
	struct wcount cnt;
};

/* A file that this run has created: later openings must find the same one. ino 0: neither made nor removed by
   this run; CREATED_GONE: removed. */
struct region_created {
	_Atomic uint64_t dev, ino;
};
#define CREATED_GONE UINT64_MAX

/* A rate that several jobs share, in one phase: what they have taken of it together, by direction. */
struct region_rate {
	struct {
		_Alignas(64) _Atomic uint64_t taken;
	} dir[DIR_DATA];
	_Alignas(64) _Atomic uint64_t start_ns; /* clock_ns(); 0: nobody has begun */
	_Atomic uint32_t left;                  /* members that will issue no more */
};

/* Where a worker copies its numbers while it goes on; lent to one worker after the other. wstat_pack follows.
 */
struct spare {
	_Atomic uint32_t copies; /* written last: the order of workers that are threads of one process */
	uint64_t stamp_ns;       /* clock_ns() of the copy */
	uint64_t run_start_ns, run_end_ns;
	struct wcount cnt; /* CPU times up to now */
};
#define SPARES 16 /* at most */

/* A position that the clones of a job share: how many I/Os they have drawn. */
struct region_walk {
	_Alignas(64) _Atomic uint64_t turns;
};

struct write_pool;

struct region {
	struct region_stage *stages; /* by plan_job.stage */
	struct region_cell *cells;
	_Atomic uint8_t *phases; /* enum worker_phase, by job: side by side, for the parent reads them all */
	struct region_created *made; /* by plan target, the first of its names */
	struct region_walk *walks;   /* by plan_file.walk - 1 */
	struct fifo_events *events;  /* events; NULL: none. Made before the fork */
	struct write_pool *pools;    /* write_pool: by section; private memory, made before the fork */
	struct region_rate *rates;   /* two for each of plan.shares: ramp, measurement */
	unsigned char *spares;
	size_t spare_bytes; /* of each */
	unsigned nspares;
	unsigned char *slots;
	_Atomic uint32_t *log_wake; /* futex: changes when a ring of a log is half full */
	_Atomic uint32_t *log_off;  /* 1: nobody reads the rings */
	_Atomic uint32_t *barrier;  /* workers at a gate or at their end: region_release() */
	_Atomic uint64_t *news;     /* news for the parent: region_news() */
	_Atomic uint64_t *wake_at;  /* ... and how many of them wake it up */
	uint64_t *slot_at; /* offsets into slots, by plan_job.index; private memory, made before the fork */
	size_t bytes;
	int event_fd; /* written when there are as many news as the parent waits for */
};

/* 0 or -errno with d. */
int region_init(struct region *r, const struct plan *p, struct diag *d);
void region_fini(struct region *r);

/* What a worker has done before it says so, others see behind a gate that the parent opens for it. The parent
   is another process: of threads that are workers nobody else could tell. */
static inline void region_release(const struct region *r)
{
	atomic_fetch_add_explicit(r->barrier, 1, memory_order_release);
}

static inline void region_acquire(const struct region *r)
{
	atomic_load_explicit(r->barrier, memory_order_acquire);
}

/* This worker is ready or done, which its phase says already. The parent is woken when as many have said so
   as anything depends on, and at once by what is urgent. */
#define NEWS_PLAIN  1u
#define NEWS_URGENT ((uint64_t)1 << 32)
void region_news(const struct region *r, uint64_t news);

/* For the parent: true if there is as much news as it has waited for. */
static inline bool region_news_due(const struct region *r)
{
	return atomic_load(r->news) >= atomic_load(r->wake_at);
}

/* It is about to look at the phases, and needs no waking; how much news there is. */
static inline uint64_t region_news_seen(const struct region *r)
{
	atomic_store(r->wake_at, UINT64_MAX);
	return atomic_load(r->news);
}

/* It has looked, and waits for so many more than region_news_seen() said. True: they are there. */
static inline bool region_news_wake_at(const struct region *r, uint64_t told, uint32_t more)
{
	atomic_store(r->wake_at, told + more);
	return region_news_due(r);
}

static inline struct slot *region_slot(const struct region *r, uint32_t job)
{
	return (struct slot *)(void *)(r->slots + r->slot_at[job]);
}

static inline enum worker_phase region_phase(const struct region *r, uint32_t job)
{
	return (enum worker_phase)atomic_load_explicit(&r->phases[job], memory_order_acquire);
}

static inline void region_set_phase(const struct region *r, uint32_t job, enum worker_phase phase)
{
	atomic_store_explicit(&r->phases[job], (uint8_t)phase, memory_order_release);
}

/* share: plan_job.share. */
static inline struct region_rate *region_rate(const struct region *r, uint32_t share, bool ramp)
{
	return &r->rates[(share - 1) * 2 + !ramp];
}

static inline struct spare *region_spare(const struct region *r, unsigned i)
{
	return (struct spare *)(void *)(r->spares + i * r->spare_bytes);
}

static inline _Atomic uint64_t *region_walk(const struct region *r, uint32_t walk)
{
	return &r->walks[walk - 1].turns;
}

static inline struct wstat *slot_stat(struct slot *s)
{
	return (struct wstat *)(void *)(s + 1);
}

/* From the start of a slot: its wstat ends in pages that hold no bucket in use, and what follows begins a new
   one. */
static inline size_t slot_ios_at(const struct wstat_layout *l)
{
	size_t end = sizeof(struct slot) - SLOT_WORDS + wstat_size(l);

	return SLOT_WORDS + (end + SLOT_PAGE - 1) / SLOT_PAGE * SLOT_PAGE;
}

/* Its I/Os: plan_job.depth of them. Pointers in them are the worker's. */
static inline struct io *slot_ios(struct slot *s, const struct wstat_layout *l)
{
	return (struct io *)(void *)((unsigned char *)s + slot_ios_at(l));
}

static inline struct tracks *slot_tracks(struct slot *s, const struct plan_job *pj)
{
	return (struct tracks *)(void *)((unsigned char *)slot_ios(s, &pj->layout) +
					 (pj->depth * sizeof(struct io) + 63) / 64 * 64);
}

/* Its log's ring, of a job with plan_logs.entries. */
static inline struct log_ring *slot_log(struct slot *s, const struct plan_job *pj)
{
	return (struct log_ring *)(void *)((unsigned char *)slot_tracks(s, pj) +
					   (tracks_bytes(&pj->tracks, &pj->layout) + 63) / 64 * 64);
}

/* What it counts apart (per_file.h), of a job with parts.files. */
static inline void *slot_per_file(struct slot *s, const struct plan_job *pj)
{
	return (unsigned char *)slot_log(s, pj) +
	       (log_ring_bytes(pj->logs ? pj->logs->entries : 0) + 63) / 64 * 64;
}

static inline void slot_begin(struct slot *s)
{
	atomic_store_explicit(&s->seq, atomic_load_explicit(&s->seq, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

static inline void slot_end(struct slot *s)
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

#endif
