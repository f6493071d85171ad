/* spans.h: the data that only DISKSPD's reports print: the machine, and each time span with its processors,
   threads and targets. They are an optional part of a result, which owns them: its functions copy their
   arguments, except for the profile. Percentages are 0 to 100; latencies are in ns. */
#ifndef RESULT_SPANS_H
#define RESULT_SPANS_H

#include "result.h"

struct ds_profile;

/* DISKSPD reports reads, writes and their total. */
enum span_kind { SPAN_READ, SPAN_WRITE, SPAN_TOTAL, SPAN_KINDS };

/* The latencies of n I/Os. stddev is that of the population. bins is empty if no percentiles are printed. */
struct span_lat {
	uint64_t n, min, max;
	double mean, stddev;
	struct result_bins bins;
};

/* The I/O of one direction, or of both. result_finish sets mib_s and iops_s, and for SPAN_TOTAL also bytes
   and ios. */
struct span_flow {
	uint64_t bytes, ios;
	double mib_s, iops_s; /* over the measured time; MiB are 2^20 */
	double iops_stddev;   /* -D: of the rates of the buckets */
	struct span_lat lat;  /* -L */
};

/* One interval of -D. */
struct span_bucket {
	uint64_t end_ms; /* since the measurement began */
	double iops_s[SPAN_KINDS];
	struct span_lat lat[2]; /* of reads, of writes; without bins */
};

/* One range of the distribution that -rd gave on a target. */
struct span_range {
	double io; /* percent; 0: a hole */
	uint64_t begin, end;
};
struct span_dist {
	const char *path;
	const unsigned *threads; /* the threads that used it, ascending */
	size_t nthreads;
	const struct span_range *ranges;
	size_t nranges;
	bool clipped; /* some ranges were beyond the target's end, and the other shares were scaled to 100 */
};

/* One target of one thread. */
struct span_row {
	const char *path;
	uint64_t size;
	unsigned storage; /* 1 + index of the result's target with its file system and disks; 0: not known */
	struct span_flow flow[SPAN_KINDS];
	unsigned dist; /* 1 + its index in the span's dist; 0: none */
	const struct span_bucket *buckets;
	size_t nbuckets;
};

/* How a thread waited for completions; for -vs. */
#define SPAN_FOUND 8
struct span_waits {
	uint64_t completion, throttle, throttle_sleep, lookaside;
	uint64_t found[SPAN_FOUND]; /* [i]: polls that found i completions; the last one: or more; [0]: too
				       few */
	uint64_t woken[SPAN_FOUND]; /* [i]: waits that ended with i completions; the last one: or more */
};

struct span_thread {
	unsigned id;
	uint64_t submits; /* -u */
	double submits_s; /* set by result_finish */
	struct span_waits waits;
	const struct span_row *rows; /* in order of the targets */
	size_t nrows;
};

/* The latencies of one target, over all of its threads. */
struct span_target {
	const char *path;
	struct span_lat lat[SPAN_KINDS];
};

/* The use of a processor in the measured time, in percent. usage is user plus kernel; kernel excludes idle.
 */
struct span_use {
	double usage, user, kernel, idle;
	double waiting; /* for I/O: a part of idle */
};
struct span_cpu {
	unsigned socket, node, group, core, efficiency, id;
	struct span_use use;
};

/* Processors of one group: bit n stands for processor n of the group. */
struct span_mask {
	unsigned group;
	uint64_t mask;
};
struct span_masks {
	const struct span_mask *v;
	size_t n;
};

/* The count that -e reports in place of a Windows event. group and name are DISKSPD's ("DiskIO", "Read");
   source is the counter ("diskstats"). The events of a group are adjacent. */
struct span_event {
	const char *group, *name, *source;
	uint64_t count;
};

/* The implementation of write-through on a target: "fua", "flush" or "neither"; another text if it is
   unknown. */
struct span_write_through {
	const char *path, *method;
};

/* One time span. The spans of a profile run one after another. */
struct result_span {
	unsigned number;    /* of the profile's span, from 1 */
	double seconds;     /* measured; 0: nothing was measured */
	double seconds_cfg; /* in the profile */
	unsigned requests;  /* of the pool of -O; 0: none */
	const char *error;  /* why it ended early, such as "terminated by SIGINT"; NULL: it did not */
	bool interrupted;   /* a signal ended it, not a failure */
	const struct span_cpu *cpus;
	size_t ncpus;
	struct span_use cpu_mean;
	struct span_masks affinity;    /* where threads were pinned; empty: nowhere */
	const char *affinity_warning;  /* 2.3; NULL: none */
	const struct span_dist *dists; /* -rd */
	size_t ndists;
	const struct span_thread *threads;
	size_t nthreads;
	const struct span_target *targets; /* -L, when there are several */
	size_t ntargets;
	struct span_flow flow[SPAN_KINDS]; /* of all threads: bytes and ios are set by result_finish */
	const struct span_bucket *buckets; /* -D, of all threads */
	size_t nbuckets;
	const struct span_event *events; /* -e */
	size_t nevents;
	const struct span_write_through *write_throughs; /* where write-through was asked for */
	size_t nwrite_throughs;
};

struct span_group {
	unsigned group, maximum, active;
	uint64_t mask;
};
struct span_node {
	unsigned number;
	struct span_masks cpus;
};
struct span_core {
	unsigned group, number, efficiency;
	uint64_t mask;
};
struct span_cache {
	unsigned level, ways; /* ways: 0, fully associative */
	uint64_t line_bytes, bytes;
	const char *type; /* "Unified", "Data", "Instruction" */
	struct span_masks cpus;
};

/* The machine in DISKSPD's terms. Strings may be NULL. */
struct span_system {
	const char *computer, *processor;
	uint64_t start_ms; /* since 1970 */
	unsigned cpus, ncores, ngroups, nnodes, nsockets;
	bool heterogeneous;                  /* efficiency classes differ */
	const char *power_scheme, *power_id; /* the governor; none */
	const char *libata_fua;              /* the module's parameter; NULL: it is not loaded */
	uint64_t page_bytes;
	const struct span_group *groups;
	const struct span_node *nodes, *sockets; /* ngroups, nnodes, nsockets of them */
	const struct span_core *cores;           /* ncores of them */
	const struct span_cache *caches;
	size_t ncaches;
};

struct result_spans {
	const struct ds_profile *profile; /* as run; the caller's, and has to live as long as the result */
	const char *command;              /* argv joined with blanks, as DISKSPD has it */
	unsigned layout;                  /* enum ds_layout (profile.h); 0: 2.2 */
	bool as_diskspd;                  /* runs under DISKSPD's name: only DISKSPD's own output */
	struct span_system system;
	struct result_span **spans;
	size_t nspans;
	double seconds;                    /* measured in all spans; set by result_finish */
	struct span_flow flow[SPAN_KINDS]; /* I/O of all spans; set by result_finish */
};

/* Sets the data that the reports print before the spans; copies *head. Without this call DISKSPD's reports
   are empty. */
void result_set_spans(struct result *r, const struct result_spans *head);
/* Adds a copy of *span with all its data. The caller calls result_set_spans first. */
void result_add_span(struct result *r, const struct result_span *span);
/* Computes sums and rates; result_finish calls this. */
void result_finish_spans(struct result *r);

/* Shares of samples are in units of 10^-9: SPAN_ALL is all of them, 999000000 is the 99.9th percentile. */
#define SPAN_ALL 1000000000u
/* Returns the smallest value that at least this share of the samples does not exceed, within [min, max]; 0 if
   there are no samples. */
uint64_t span_percentile(const struct span_lat *l, uint32_t share);
/* Returns the number of samples at which one is expected above this percentile. It is 1 for shares 0 and
   SPAN_ALL, the minimum and the maximum. */
uint64_t span_samples_needed(uint32_t share);

#endif
