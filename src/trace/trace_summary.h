/* trace_summary.h: what is in a trace: the figures of fiord trace. Pure; memory is bounded: about 1 MiB,
   and 128 bytes for each device. */
#ifndef TRACE_SUMMARY_H
#define TRACE_SUMMARY_H

#include "hist.h"
#include "hyperloglog.h"
#include "reuse.h"
#include "trace.h"
#include "trace_depth.h"
#include "zipf_fit.h"

#define TRACE_BLOCK_BYTES       4096 /* of which the working set is counted */
#define TRACE_SIZES_MAX         64   /* more different lengths become ranges */
#define TRACE_SIZE_RANGES       64
#define TRACE_INTERVALS         1000
#define TRACE_LARGE_BYTES       ((uint64_t)64 << 20) /* the working set leaves out larger I/Os */
#define TRACE_REUSE_PERCENTILES 5
#define TRACE_PERCENTILES       7
#define TRACE_CACHES            42

struct trace_counts {
	uint64_t ios, bytes;
};

struct trace_device_counts {
	struct trace_counts op[TRACE_IO_OPS];
	uint64_t end;           /* the largest address that an I/O has reached */
	uint64_t begin;         /* the smallest address of the reads and writes */
	uint64_t sequential[2]; /* reads and writes that are */
	/* Where the last read and write ended; 1 more than that, 0: there was none. */
	uint64_t next_offset[2];
};

struct trace_size {
	uint64_t bytes, most; /* most: of a range; else as bytes */
	uint64_t ios[TRACE_DATA_OPS];
	uint64_t sum[TRACE_DATA_OPS]; /* range: bytes */
};

struct trace_interval {
	uint64_t ios[TRACE_IO_OPS], bytes[TRACE_DATA_OPS];
	uint64_t touched_bytes; /* the working set at its end, from the start of the trace */
};

/* How many of the accesses to blocks an LRU cache of this size serves. */
struct trace_cache {
	uint64_t bytes;
	double served_percent;
};

struct trace_summary {
	struct trace_facts facts;
	uint64_t first_ns, last_ns; /* of the I/Os */
	struct trace_counts op[TRACE_IO_OPS], all;
	uint64_t preflush, fua;             /* I/Os with data that have the flag */
	struct trace_counts sequential;     /* begin where the last I/O of the device and operation ended */
	struct trace_device_counts *device; /* owned; one for each device */
	size_t devices;
	/* Each length, in ascending order; or ranges by powers of two if there are more lengths. */
	struct trace_size size[TRACE_SIZES_MAX];
	unsigned sizes;
	bool size_ranges;
	struct trace_size range[TRACE_SIZE_RANGES];
	/* Interarrival times. */
	struct hist gap;
	uint64_t gaps, gap_min_ns, gap_max_ns;
	/* I/Os over time; interval_ns is 1 ms (1 s if the trace is coarse) times a power of ten. */
	uint64_t interval_ns;
	struct trace_interval interval[TRACE_INTERVALS];
	unsigned intervals;
	/* Blocks of all devices; those of trims do not count. */
	struct hyperloglog blocks[2], all_blocks; /* blocks: read, written */
	uint64_t large_ios;                       /* larger than TRACE_LARGE_BYTES */
	struct reuse reuse;                       /* of the blocks that are read or written */
	/* The addresses where reads and writes that are not sequential begin. */
	struct zipf_fit begins;
	uint64_t align; /* the largest number that divides these addresses; 0: all are 0 */
	struct trace_depth depth;
	bool latency; /* each event has its latency, from which the depth follows */

	/* Set by trace_summary_finish. */
	double seconds, iops,
		bytes_per_s; /* from the first I/O to the last; rates are 0 if that takes no time */
	double peak_iops, peak_bytes_per_s;   /* of one interval */
	uint64_t peak_iops_ns, peak_bytes_ns; /* where that interval begins */
	double gap_mean_ns;
	uint64_t gap_percentile_ns[TRACE_PERCENTILES];
	uint64_t touched_bytes[2], touched_all_bytes; /* read, written; estimates */
	double reuse_percent;  /* of the accesses to blocks, those that are not the first */
	double reuse_followed; /* the share of the blocks that this is known of, from 0 to 1 */
	uint64_t reuse_bytes[TRACE_REUSE_PERCENTILES]; /* the LRU cache that serves so many of them */
	struct trace_cache
		cache[TRACE_CACHES]; /* powers of two, up to the one that serves all but first accesses */
	unsigned caches;             /* 0: no access was to a block that was accessed before */
	struct zipf_figures skew;    /* of begins */
	struct zipf_share share[ZIPF_FIT_CLASSES];
	unsigned shares; /* 0: the skew is not known */
	bool depth_known;
	double depth_mean;
	uint64_t depth_max;
};

/* Returns how long an interval of the rates lasts: not longer than the trace. */
uint64_t trace_interval_ns(const struct trace_summary *s);
/* Returns 0 if the whole is 0. */
double trace_percent(uint64_t part, uint64_t whole);

extern const double trace_percentile[TRACE_PERCENTILES], trace_reuse_percentile[TRACE_REUSE_PERCENTILES];

/* Takes zeroed memory. */
void trace_summary_init(struct trace_summary *s, const struct trace_facts *facts);
/* Adds an event, in order of time. stage: the events that count; the others tell only the depth. Returns 0 or
   -ENOMEM. */
int trace_summary_add(struct trace_summary *s, const struct trace_event *e, enum trace_stage stage);
void trace_summary_finish(struct trace_summary *s, const struct trace_facts *facts);
void trace_summary_fini(struct trace_summary *s);

#endif
