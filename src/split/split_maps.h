/* split_maps.h: the values of the maps that the BPF programs (block_split.bpf.c) share with split.c. Both are
   compiled with it, so it needs only the kernel's types. */
#ifndef SPLIT_MAPS_H
#define SPLIT_MAPS_H

#include <linux/types.h>

/* The parts of a request's time that the BPF programs measure. */
enum split_part {
	SPLIT_SUBMISSION, /* from the worker's call until the request is queued */
	SPLIT_SCHEDULER,  /* until it is issued to the driver */
	SPLIT_DEVICE,     /* until the driver completes it */
	SPLIT_COMPLETION, /* until the worker takes the stamp at which its I/O ends; only at depth 1 */
	SPLIT_PARTS
};

/* Directions, as in enum io_dir. */
enum split_dir { SPLIT_READ, SPLIT_WRITE, SPLIT_TRIM, SPLIT_DIRS };

#define SPLIT_COMM 16

/* Set before the programs are loaded. */
struct split_config {
	__u64 ns_dev, ns_ino; /* the pid namespace of the workers */
	__u32 sets;           /* in the map "requests"; a power of two */
	__u8 phase;           /* requests count while the worker is in this phase */
	__u8 sample;          /* 1: of a fast worker a sample is measured */
	/* Where the worker keeps the latencies of its last I/Os, by direction (wstat.h): how far counts and
	   rings are apart, how many entries a ring has, and how large they are. */
	__u32 count_bytes, ring_bytes, ring_entries, entry_bytes;
	/* How far apart the numbers of its latencies are, by direction, and how far the sum of the latencies
	   lies behind their number. */
	__u32 lat_bytes, sum_at;
};

struct split_state {
	/* The last window of a sample, written by split_windows.c. It has the requests that were queued while
	   it was open. */
	__u64 open_ns, close_ns;
	__u64 attached_ns;   /* bios that were queued earlier were not seen */
	__u32 window;        /* its number; 0: there was none */
	__u32 others_sample; /* 1: requests of others count in windows alone, as SPLIT_WEIGHT each */
	/* Set by the programs: */
	__u32 measuring;    /* 1: requests of others count, because those of a worker did */
	__u32 front_merges; /* 1: bios were put in front of others */
	__u32 nstats; /* values of the map "stats" in use; it may exceed their number when some did not fit */
	/* Requests of workers that were not counted: */
	__u64 unlisted; /* the map "stats" was full */
	__u64 unseen;   /* the programs did not see that they were issued or completed */
	__u64 in_parts; /* the driver completed them in parts */
};

/* Of a fast worker, only the requests are measured that it queues in a window. Windows are open for one part
   in SPLIT_WEIGHT of the time, so each of these requests counts as SPLIT_WEIGHT. */
#define SPLIT_WEIGHT 32

#define SPLIT_RATIOS 4 /* a power of two, so that a mask limits the index */
/* How many requests the I/Os of a worker become, in one direction, and how long these I/Os take. The programs
   count from the first call of submit in a window to the last one, and while the worker is slow. I/Os count
   with the weight of their requests. */
struct split_ratio {
	__u64 ios, requests;
	__u64 lats, lat_sum; /* the latencies that the worker has added up meanwhile: some may be older */
	/* The last call of submit: when it began, and which totals the worker had then. */
	__u64 start_ns;
	__u64 completed, seen_lats, seen_sum;
	__u32 since;  /* requests of that call */
	__u32 window; /* twice the number of its window; 1 more while the worker is fast */
};

/* What the worker's last I/O became, at depth 1. */
struct split_last_io {
	__u64 start_ns; /* 0: the I/O has ended, or there was none */
	__u64 done_ns;  /* 0: the request is not complete */
	__u32 known; /* 1: its number is known. It is not at the start of a window, until the worker counts */
	__u32 window; /* that of its request; 0: the worker is not fast */
	__u32 weight;
	__u64 number;  /* among the I/Os of its direction */
	__u64 counted; /* how many of them the worker had counted when it began: it counts several together */
	__u64 parts[SPLIT_COMPLETION]; /* of its request */
	__u32 requests;
	__u32 stats; /* index in the map "stats" */
	__u32 dir;
};

/* A value of the map "threads", one for each worker. The addresses are those in the worker's memory. */
struct split_thread {
	__u64 stamp;     /* address of the clock_ns() at which its last call of submit began */
	__u64 phase;     /* address of its phase, one byte */
	__u64 counts;    /* address of the number of its I/Os */
	__u64 lats;      /* address of the number of its latencies */
	__u64 rings;     /* address of their latencies; 0: it has several in flight */
	__u64 queued_ns; /* when it last queued a bio; set by the programs */
	/* Where its statistics on the disk of its last request are: the disk << 32 | 1 + index; 0: not known.
	   One word, because several threads may write it. Set by the programs, too. */
	__u64 last[SPLIT_DIRS];
	struct split_last_io io;                /* set by the programs */
	struct split_ratio ratio[SPLIT_RATIOS]; /* by direction */
	__u64 bios;                             /* that it queued; in windows alone while it is fast */
	__u64 task, started; /* its thread, when that has queued a bio; set by the programs */
	__u32 entry;         /* its entry of the report */
	/* Written by split_windows.c: */
	__u32 fast;    /* 1: a sample is measured */
	__u32 sampled; /* 1: it was fast at some time */
	__u64 rate;    /* bios a second */
};

/* Which worker a thread is, or works for: a value of the map "tasks". */
struct split_task {
	__u32 thread; /* index in the map "threads" */
	__u32 helper; /* 1: another thread of its process */
};

/* A request that has not completed. */
struct split_request {
	__u64 bio;      /* its first one; 0: the place is free */
	__u64 start_ns; /* 0: not known */
	__u64 queued_ns;
	__u64 issued_ns; /* 0: not yet */
	__u32 stats;     /* index in the map "stats" */
	struct split_task task;
	__u32 weight; /* it counts as so many */
};

/* A value of the map "requests": the requests whose bios have the same hash. */
#define SPLIT_WAYS 4
struct split_set {
	struct split_request way[SPLIT_WAYS];
};

struct split_key {
	__u32 entry;
	__u32 dev; /* major << 20 | minor, of the whole disk */
	__u32 dir;
};

/* The buckets are those of hist.h. */
#define SPLIT_BUCKETS 2560
struct split_times {
	__u64 sum, max;
	__u64 buckets[SPLIT_BUCKETS];
};
/* Of the requests that took about the same time in all: their number, and the sums of their parts. The whole
   time is that of submission, scheduler and device, and at depth 1, for I/Os of one request, of all four. */
#define SPLIT_TOTAL_STEP 4 /* buckets in one */
#define SPLIT_TOTALS     (SPLIT_BUCKETS / SPLIT_TOTAL_STEP)
struct split_total {
	__u64 n, sum[SPLIT_PARTS];
};
/* Those of parts and totals count a request as often as its weight says. */
struct split_stats {
	__u64 helper_requests;
	__u64 measured; /* requests */
	struct split_times parts[SPLIT_PARTS];
	struct split_total totals[SPLIT_TOTALS];
};

/* Who issued other requests to a disk. */
struct split_other_key {
	__u32 dev;
	__u32 kernel; /* 1: a thread of the kernel */
	char comm[SPLIT_COMM];
};
struct split_other {
	__u64 requests, bytes;
};

/* Returns the bucket of a duration, as hist_index does. */
static inline __u32 split_bucket(__u64 ns)
{
	__u32 shift = 0;

	if (ns < 128)
		return (__u32)ns;
	if (ns >= (__u64)1 << 45)
		return SPLIT_BUCKETS - 1;
#pragma GCC unroll 6
	for (__u32 step = 32; step; step /= 2)
		shift += ns >> (shift + step + 6) ? step : 0;
	return (shift << 6) + (__u32)(ns >> shift);
}

#endif
