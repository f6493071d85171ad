/* spans.h: what DISKSPD's reports tell beyond result.h: the machine, and each time span with its processors,
   threads and targets. An optional part of a result, which owns it: what is given to the builders is copied,
   but for the profile. Percentages are 0 to 100, latencies ns. */
#ifndef RESULT_SPANS_H
#define RESULT_SPANS_H

#include "result.h"

struct ds_profile;

/* As DISKSPD tells them apart. */
enum span_kind { SPAN_READ, SPAN_WRITE, SPAN_TOTAL, SPAN_KINDS };

/* Latencies of so many I/Os; stddev is the population's. bins: where percentiles are told. */
struct span_lat {
	uint64_t n, min, max;
	double mean, stddev;
	struct result_bins bins;
};

/* What moved in one direction, or in both. Of SPAN_TOTAL, bytes and ios are set by result_finish; mib_s and
   iops_s always are. */
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

/* One range of the distribution that -rd came to on a target. */
struct span_range {
	double io; /* percent; 0: a hole */
	uint64_t begin, end;
};
struct span_dist {
	const char *path;
	const unsigned *thread; /* who used it, ascending */
	size_t threads;
	const struct span_range *range;
	size_t ranges;
	bool cut; /* ranges lay beyond the target's end: the shares were made anew */
};

/* One target of one thread. */
struct span_row {
	const char *path;
	uint64_t size;
	struct span_flow flow[SPAN_KINDS];
	unsigned dist; /* 1 + its index in the span's dist; 0: none */
	const struct span_bucket *bucket;
	size_t buckets;
};

/* How a thread waited: -vs. */
#define SPAN_FOUND 8
struct span_waits {
	uint64_t completion, throttle, throttle_sleep, lookaside;
	uint64_t found[SPAN_FOUND]; /* how often a look found so many completions: 1 to 8 */
};

struct span_thread {
	unsigned id;
	uint64_t submits; /* -u */
	double submits_s; /* set by result_finish */
	struct span_waits waits;
	const struct span_row *row; /* in order of the targets */
	size_t rows;
};

/* A target's latencies of all of its threads. */
struct span_target {
	const char *path;
	struct span_lat lat[SPAN_KINDS];
};

/* How a processor spent the measured time. usage is user and kernel; kernel is without idle. */
struct span_use {
	double usage, user, kernel, idle;
	double waiting; /* for I/O: a part of idle */
};
struct span_cpu {
	unsigned socket, node, group, core, efficiency, id;
	struct span_use use;
};

/* Processors of one group: bit n is number n of it. */
struct span_mask {
	unsigned group;
	uint64_t mask;
};
struct span_masks {
	const struct span_mask *v;
	size_t n;
};

/* -e: what was counted in place of a kind of event, as DISKSPD calls its group and it ("DiskIO", "Read"), and
   what counted it ("diskstats"). Those of a group follow one another. */
struct span_event {
	const char *group, *name, *source;
	uint64_t count;
};

/* What write-through meant on a target: "fua", "flush", "neither"; other words if it is not known. */
struct span_through {
	const char *path, *means;
};

/* What a profile of several spans ran one after another. */
struct result_span {
	unsigned number;    /* of the profile's span, from 1 */
	double seconds;     /* that were measured; 0: none were */
	double seconds_cfg; /* that were asked for */
	unsigned requests;  /* of the pool of -O; 0: none */
	const char *error;  /* what ended it before its time: "terminated by SIGINT"; NULL: nothing did */
	bool interrupted;   /* ... which was a signal and no failure */
	const struct span_cpu *cpu;
	size_t cpus;
	struct span_use cpu_mean;
	struct span_masks affinity;   /* where threads were pinned; empty: nowhere */
	const char *affinity_warning; /* 2.3; NULL: none */
	const struct span_dist *dist; /* -rd */
	size_t dists;
	const struct span_thread *thread;
	size_t threads;
	const struct span_target *target; /* -L, when there are several */
	size_t targets;
	struct span_flow flow[SPAN_KINDS]; /* of all threads: bytes and ios are set by result_finish */
	const struct span_bucket *bucket;  /* -D, of all threads */
	size_t buckets;
	const struct span_event *event; /* -e */
	size_t events;
	const struct span_through *through; /* where write-through was asked for */
	size_t throughs;
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

/* The machine. Strings may be NULL. */
struct span_system {
	const char *computer, *processor;
	uint64_t start_ms; /* since 1970 */
	unsigned cpus, cores, groups, nodes, sockets;
	bool heterogeneous;                  /* efficiency classes differ */
	const char *power_scheme, *power_id; /* the governor; none */
	uint64_t page_bytes;
	const struct span_group *group;
	const struct span_node *node, *socket; /* groups, nodes, sockets of them */
	const struct span_core *core;          /* cores of them */
	const struct span_cache *cache;
	size_t caches;
};

struct result_spans {
	const struct ds_profile *profile; /* as run; the caller's, and has to live as long as the result */
	const char *command;              /* argv joined with blanks, as DISKSPD has it */
	unsigned layout;                  /* enum ds_layout (profile.h); 0: 2.2 */
	bool as_diskspd;                  /* in DISKSPD's name: nothing but what DISKSPD says */
	struct span_system system;
	struct result_span **span;
	size_t spans, spans_cap;
	double seconds;                    /* measured in all spans, with ... */
	struct span_flow flow[SPAN_KINDS]; /* ... what moved in them; set by result_finish */
};

/* What the reports tell before the spans; copied. Of a result that has none DISKSPD's reports are empty. */
void result_set_spans(struct result *r, const struct result_spans *head);
/* Copies *span with all below it, after result_set_spans. */
void result_add_span(struct result *r, const struct result_span *span);
/* Sums and rates: part of result_finish. */
void result_finish_spans(struct result *r);

/* A share of samples, 10^9 for all of them: 999000000 is the 99.9th percentile. */
#define SPAN_ALL 1000000000u
/* The least value that so many are not above, within [min, max]; 0 if there are none. */
uint64_t span_percentile(const struct span_lat *l, uint32_t share);
/* How many samples it takes for one to be expected above. 1 for 0 and SPAN_ALL: the least and the most. */
uint64_t span_needs(uint32_t share);

#endif
