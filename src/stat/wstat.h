/* wstat.h: the counts of one worker. They are plain data in the shared region, hold no pointers and have one
   writer. All are integers; summary.h computes means and deviations. */
#ifndef WSTAT_H
#define WSTAT_H

#include <stddef.h>
#include <stdint.h>
#include "dir.h"
#include "hist.h"

/* Submission (start to issue), completion (issue to done), total (start to done), response (due to done). */
enum lat_kind { LAT_SLAT, LAT_CLAT, LAT_LAT, LAT_RESP, LAT_KINDS };

/* Exact moments in ns. The sum of squares is 128 bits in two words. min is UINT64_MAX while n is 0. */
struct moments {
	uint64_t n, min, max, sum, sq_lo, sq_hi;
};

struct wstat_dir {
	uint64_t ios;       /* completed I/Os without error */
	uint64_t bytes;     /* transferred */
	uint64_t short_ios; /* completions that moved fewer bytes than requested and were continued */
	uint64_t drop_ios;
	uint64_t errors;
	uint64_t unfinished; /* I/Os of a rate that were due and not complete when the measurement ended: they
				count in LAT_RESP with the age that they had reached, and nowhere else */
	uint64_t unfinished_sum_ns; /* the sum of these ages */
	struct moments lat[LAT_KINDS];
};

/* The histograms and moments that a job measures; the same for all its workers. hist[dir][kind] is 0 for no
   histogram, else 1 + its index in wstat.hist[]. moments[dir][kind] is 1 if these moments are measured.
   DIR_SYNC uses LAT_CLAT alone. */
struct wstat_layout {
	uint8_t hist[DIR_COUNT][LAT_KINDS];
	uint8_t moments[DIR_COUNT][LAT_KINDS];
	unsigned nhist;
	unsigned nprio;          /* priorities whose I/Os are also counted separately; 0: none */
	enum lat_kind prio_kind; /* by which latency; LAT_CLAT or LAT_LAT */
};

/* The latest I/Os of a direction. Their latencies are not in moments and histograms yet: wstat_fold adds many
   at once, which costs a fraction of adding each one. ios and bytes here count all completed I/Os. The
   latencies from number dir[].ios on lie in the ring, at their number modulo WSTAT_RING. A fold stores
   dir[].ios last and sets `folding` while it changes moments and histograms, so that every I/O is counted
   once wherever the worker stops. Read the bytes with wstat_total_bytes. */
#define WSTAT_RING 128u

struct wstat_total {
	uint64_t ios, bytes;
	uint64_t old_ios, old_bytes; /* the values before the last change of ios and bytes */
	uint64_t folding;            /* 1: moments are incomplete; `saved` has them as before the fold */
	struct moments saved[LAT_KINDS];
};

/* LAT_LAT and LAT_CLAT of one I/O. lat is at least clat, and the difference is LAT_SLAT. */
struct wstat_pair {
	uint64_t lat, clat;
};

struct wstat_ring {
	struct wstat_pair pair[WSTAT_RING];
	uint64_t resp[WSTAT_RING];
};

#define WSTAT_PRIO_DIRS 2 /* reads and writes */

/* The I/Os of one priority, with one kind of latency. */
struct wstat_prio {
	uint64_t prio; /* in the kernel's encoding; written once, wstat_init does not change it */
	struct moments lat[WSTAT_PRIO_DIRS];
	struct hist hist[WSTAT_PRIO_DIRS];
};

/* wstat_layout.nprio of struct wstat_prio follow the histograms. dir[] counts their I/Os as well. */
struct wstat {
	struct wstat_dir dir[DIR_COUNT]; /* ios and bytes: only I/Os that moments and histograms count */
	struct wstat_total total[DIR_COUNT];
	struct wstat_ring ring[DIR_COUNT];
	struct hist hist[];
};

static inline struct wstat_prio *wstat_prios(struct wstat *s, const struct wstat_layout *l)
{
	return (struct wstat_prio *)(void *)&s->hist[l->nhist];
}

/* fio's batch-size and depth buckets: depth 1 2 4 8 16 32 >=64, submit and complete 0 4 8 16 32 64 >64. */
#define WSTAT_DEPTHS 7

/* Replay: I/Os by how late they were issued. A bucket is eight neighbours of hist.h, so that a percentile is
   exact to 7 %. */
#define WSTAT_LATE_STEP    8u
#define WSTAT_LATE_BUCKETS (HIST_BUCKETS / WSTAT_LATE_STEP)
#define WSTAT_LATE_PARTS   4 /* of the trace, by time */

/* Counts that a worker has only once, not for each direction and kind of latency. */
struct wcount {
	uint64_t depth[WSTAT_DEPTHS];    /* I/Os by the number in flight when issued; bucket i covers [2^i,
					    2^(i+1)) */
	uint64_t submit[WSTAT_DEPTHS];   /* submit calls by size, bucket covers (previous, this] */
	uint64_t complete[WSTAT_DEPTHS]; /* reap calls by size */
	uint64_t runtime_ns[DIR_COUNT];  /* measured time during which this direction ran */
	uint64_t unissued[DIR_COUNT]; /* those of wstat_dir.unfinished that were not issued; the others were
					 in flight */
	uint64_t unissued_age_ns[DIR_COUNT]; /* the time for which the oldest of them had been due */
	uint64_t unissued_sum_ns[DIR_COUNT]; /* the sum of these times over all of them */
	uint64_t asked[DIR_COUNT];           /* I/Os that a rate made due, issued or not, ... */
	uint64_t asked_ns[DIR_COUNT];        /* ... and the time in which they became due */
	uint64_t arrivals[DIR_COUNT];        /* rate_open: the same as asked; else 0 */
	uint64_t queue_max[DIR_COUNT];       /* rate_open: most I/Os that were due when one was issued */
	uint64_t job_runtime_ns;             /* measured time of the worker */
	uint64_t verify_ns;                  /* the part of it in which the worker read back its writes */
	uint64_t verify_trim_ns;             /* the part of that in which it trimmed them */
	uint64_t due_waits_engine; /* waits in the engine until an I/O was due, with I/Os in flight */
	uint64_t due_waits_idle;   /* waits by the worker itself until an I/O was due, with none in flight */
	uint64_t replayed, replayed_late; /* replay of a trace: I/Os with a time, and those of them that were
					     issued more than 1 ms later */
	uint64_t late_max_ns, late_sum_ns,
		late[WSTAT_LATE_BUCKETS]; /* how late `replayed` were issued, ... */
	uint64_t late_part[WSTAT_LATE_PARTS], late_part_ns[WSTAT_LATE_PARTS]; /* ... and the same by part */
	uint64_t replayed_flushes, replayed_fua; /* flushes before writes; writes with FUA */
	uint64_t zone_resets;                    /* zonemode=zbd: resets of zones, */
	uint64_t zones_open_max;                 /* most zones of a target that were open at a time */
	uint64_t zone_finishes;                  /* and commands that ended a zone with little room */
	uint64_t rate_sleeps; /* waits for a rate that may end late, because the worker sleeps */
	uint64_t user_us, sys_us, ctx, majf, minf;
	uint64_t divided_us;   /* of user_us and sys_us: a share of threads that several jobs had in common */
	uint64_t core_wait_ns; /* time in which the worker was ready to run without a core */
	uint64_t preempted;    /* context switches at which the kernel took the core away */
	uint64_t storage_read_bytes; /* fetched from storage, not found in the page cache */
	uint64_t cpu_ios;            /* data I/Os in the time of user_us and sys_us; set by run_snapshot */
	/* What the worker's thread executed (cpu_counters.h), and its data I/Os, set by run_snapshot; 0: not
	   counted. */
	uint64_t user_instructions, kernel_instructions, user_cycles, kernel_cycles, counted_ios;
	uint64_t errors;
	uint64_t first_error; /* errno */
};

size_t wstat_size(const struct wstat_layout *l);
/* Empties s, which is zeroed memory (mmap, calloc) or in use with this layout. Touches only pages in use. */
void wstat_init(struct wstat *s, const struct wstat_layout *l);
/* Adds the latencies in the rings to moments and histograms. */
void wstat_fold(struct wstat *s, const struct wstat_layout *l);
void wstat_fold_dir(struct wstat *s, const struct wstat_layout *l, unsigned dir);
/* Counts n I/Os that were due for age_ns when the measurement ended, and were not complete. Not within a
 * fold.
 */
void wstat_add_unfinished(struct wstat *s, const struct wstat_layout *l, unsigned dir, uint64_t age_ns,
			  uint64_t n);
/* Adds `from` to `to`. Both have this layout. The sum includes the rings of `from`. */
void wstat_merge(struct wstat *to, const struct wstat *from, const struct wstat_layout *l);
/* Makes the counts of a worker that stopped within a batch consistent: removes the I/O that only some of the
   counts include. Its latency is unknown, so one of mean latency is removed. */
void wstat_drop_partial(struct wstat *s, const struct wstat_layout *l);
void wstat_dir_merge(struct wstat_dir *to, const struct wstat_dir *from);
/* Adds all counts. Of runtime_ns, asked_ns, queue_max and unissued_age_ns the larger value of each direction
   stays; first_error stays if it is set. */
void wcount_merge(struct wcount *to, const struct wcount *from);
/* Sets the run times of a worker that ran for ran_ns, with verify_ns set. dirs: its directions, as bits.
   While it reads back its writes, only reads have time, and only trims while it trims them before. */
void wcount_set_runtimes(struct wcount *c, unsigned dirs, uint64_t ran_ns);
/* Adds the I/Os of one priority; to->prio stays. */
void wstat_prio_merge(struct wstat_prio *to, const struct wstat_prio *from);
/* Adds n times ns. A sum that does not fit 64 bits (584 years) becomes UINT64_MAX. */
void moments_add_n(struct moments *m, uint64_t ns, uint64_t n);
/* Such sums become UINT64_MAX here, too. */
void moments_merge(struct moments *to, const struct moments *from);
/* Return the arithmetic mean, and the sample deviation (with n - 1). */
double moments_mean(const struct moments *m);
double moments_stddev(const struct moments *m);

static inline void moments_add(struct moments *m, uint64_t ns)
{
	__extension__ typedef unsigned __int128 u128;
	u128 sq = (u128)ns * ns;

	m->n++;
	m->sum += ns;
	m->sq_hi +=
		(uint64_t)(sq >> 64) + (uint64_t)__builtin_add_overflow(m->sq_lo, (uint64_t)sq, &m->sq_lo);
	if (ns < m->min)
		m->min = ns;
	if (ns > m->max)
		m->max = ns;
}

/* As moments_add(), to moments that are all zero before the first time. */
static inline void moments_add_to_zero(struct moments *m, uint64_t ns)
{
	if (!m->n)
		m->min = UINT64_MAX;
	moments_add(m, ns);
}

/* kind is LAT_SLAT, LAT_CLAT or LAT_LAT. */
static inline uint64_t wstat_pair_lat(const struct wstat_pair *p, unsigned kind)
{
	return kind == LAT_LAT ? p->lat : kind == LAT_CLAT ? p->clat : p->lat - p->clat;
}

/* Returns the place in the ring of the next I/O of this direction. The caller folds once it has filled the
   last place. */
static inline unsigned wstat_ring_at(const struct wstat *s, unsigned dir)
{
	return s->total[dir].ios % WSTAT_RING;
}

/* Counts n more I/Os, whose latencies are in the ring from wstat_ring_at() on. The stores have this order, so
   that wstat_total_bytes is right wherever the worker stops. */
static inline void wstat_total_add(struct wstat_total *total, unsigned n, uint64_t bytes)
{
	volatile struct wstat_total *v = total;
	uint64_t ios = total->ios, old_bytes = total->bytes;

	v->old_bytes = old_bytes;
	v->old_ios = ios;
	v->bytes = old_bytes + bytes;
	v->ios = ios + n;
}

/* Returns the bytes of the I/Os that total->ios counts. The worker may have stopped between the two
   stores. */
static inline uint64_t wstat_total_bytes(const struct wstat_total *total)
{
	return total->ios == total->old_ios ? total->old_bytes : total->bytes;
}

/* Returns the depth bucket of n I/Os in flight; n >= 1. */
static inline unsigned wstat_depth_bucket(unsigned n)
{
	unsigned b = 31u - (unsigned)__builtin_clz(n | 1u);

	return b < WSTAT_DEPTHS ? b : WSTAT_DEPTHS - 1;
}

/* Returns the submit or complete bucket of n I/Os: 0, 1-4, 5-8, ... */
static inline unsigned wstat_batch_bucket(unsigned n)
{
	unsigned b;

	if (n == 0)
		return 0;
	if (n <= 4)
		return 1;
	b = 31u - (unsigned)__builtin_clz(n - 1); /* 5..8 -> 2, 9..16 -> 3 */
	return b < WSTAT_DEPTHS ? b : WSTAT_DEPTHS - 1;
}

#endif
