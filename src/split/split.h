/* split.h: measures where the time of I/Os goes in the kernel's block layer, for workers and for the disks
   below their targets: from the worker's call until a request is queued, until it is issued, until it is
   complete, until the worker sees that.

   BPF programs on tracepoints (block_split.bpf.c) do the work and keep histograms; no event reaches this
   process. They need Linux 5.12 with BTF, and the capabilities CAP_BPF and CAP_PERFMON. An I/O may become
   several requests, or none: the page cache may have its data, and several I/Os may share one. Devices
   without requests (dm, md, zram, pmem) do not appear, but the disks below dm and md do. */
#ifndef SPLIT_H
#define SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "split_maps.h"

struct split;
struct wstat;

struct split_cfg {
	uint32_t workers;  /* split_add_worker may be called for so many */
	uint32_t entries;  /* of the report */
	uint64_t inflight; /* most I/Os of all workers that are in flight at once */
	uint8_t phase;     /* the value of split_worker.phase while a worker is measured */
	bool all;          /* all requests are measured; else fast workers have a sample measured */
};

/* The addresses must be the same in this process and in the worker, and the worker must have written there
   before: the programs cannot read a page that is not in memory. */
struct split_worker {
	int32_t tid;          /* that of a process also stands for its other threads, such as io_uring's */
	uint32_t entry;       /* of the report */
	const void *stamp_ns; /* clock_ns() at which its last submission began */
	const void *phase;    /* one byte */
	const struct wstat *counts;
	bool single; /* one I/O in flight at most: the programs find in its counts how long it took */
};

/* The I/Os of an entry in one direction, on all disks, if a worker was too fast to measure all of them; 0:
   none was, or this is not known. */
struct split_sample {
	double requests_per_io;
	double lat_ns; /* their mean time */
};

/* The functions get the counts: `row` those of an entry on one disk in one direction, `other` those of
   another process (requests and bytes may be estimates by a sample). Times are in ns; `stats` is valid during
   the call. */
struct split_reader {
	void *arg;
	void (*row)(void *arg, const struct split_key *key, const struct split_stats *stats,
		    struct split_sample sample);
	void (*other)(void *arg, const struct split_other_key *key, const struct split_other *other);
};

/* Requests of workers that are in no row. */
struct split_missing {
	uint64_t unlisted; /* there was no room for their row */
	uint64_t unseen;   /* the programs did not see that they were issued or completed */
	uint64_t in_parts; /* the driver completed them in parts */
	uint64_t outlived; /* of a sample: the programs saw no completion for SPLIT_FOLLOW_NS */
	uint64_t skipped;  /* how often the kernel skipped a program, which must not interrupt itself */
};

/* Loads the programs, and checks that they can be attached. Returns NULL, with the reason in `why`, if that
   is not possible here. */
struct split *split_start(const struct split_cfg *cfg, char *why, size_t size);
/* Returns 0 or -errno. */
int split_add_worker(struct split *s, const struct split_worker *w);
/* Attaches the programs, and measures all requests of all workers until it is known which workers are fast.
   Call it after workers were added. A process that is forked later must exec or close its files, because it
   keeps the programs attached. Returns 0 or -errno. */
int split_begin(struct split *s);
/* Returns when split_tick is to be called next; 0: it need not be. */
uint64_t split_due_ns(const struct split *s);
/* Begins and ends the windows in which a sample is measured. */
void split_tick(struct split *s);
/* Calls `f` for the times on the device that each row has so far. The programs go on to count in `times`
   while `f` reads them. A row keeps its number; numbers begin with 0. */
void split_read_device(const struct split *s, void *arg,
		       void (*f)(void *arg, uint32_t row, const struct split_key *key,
				 const struct split_times *times));
/* Stops the programs. What they counted stays until split_free. */
void split_stop(struct split *s);
/* Calls the functions of `r` for all counts, and stores what they lack. */
void split_read(struct split *s, const struct split_reader *r, struct split_missing *missing);
/* Returns the CPU time that the programs took, in ns; 0: not known. The kernel counts it while
   kernel.bpf_stats_enabled is 1, which costs two readings of the clock for each program. */
uint64_t split_cost_ns(const struct split *s);
void split_free(struct split *s); /* accepts NULL */

/* Stores the name of the disk with this number (split_key.dev): "nvme0n1", or "259:0" if it is gone. */
void split_disk_name(uint32_t dev, char *to, size_t size);

#endif
