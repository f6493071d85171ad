/* summary.h: every figure that a report prints about one job. summary_from computes them once from the job's
   snapshot. The struct is plain data: it holds no pointers and needs no free. Reports choose only the unit
   and the width. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include "snapshot.h"

#define SUMMARY_PERCENTILES  20
#define SUMMARY_LAT_CELLS    10 /* ns and us: up to 2 4 10 20 50 100 250 500 750 1000 */
#define SUMMARY_LAT_MS_CELLS 12 /* ms: the same, then 2000 and >=2000 */

/* The options that select figures. Zeroed: fio's defaults. */
struct summary_cfg {
	unsigned npercentiles; /* how many; 0: fio's 17 */
	double percentiles[SUMMARY_PERCENTILES];
	bool disabled[LAT_KINDS];       /* disable_slat, disable_clat, disable_lat */
	bool percentiles_off;           /* clat_percentiles=0 */
	bool percentiles_of[LAT_KINDS]; /* also of these kinds: slat_percentiles, lat_percentiles */
};

/* One kind of latency of one direction, in ns. All zero while n is 0. */
struct summary_lat {
	uint64_t n, min, max;
	double mean, stddev;
	bool percentiles;                    /* value[] is filled in */
	uint64_t value[SUMMARY_PERCENTILES]; /* one for each of summary.percentiles[], within [min, max] */
};

/* A rate sampled interval by interval: a bw row (KiB/s) or an iops row. */
struct summary_rate {
	uint64_t n;
	double min, max, mean, stddev;
};

struct summary_dir {
	uint64_t ios, bytes, short_ios, drop_ios, errors;
	uint64_t runtime_ns;
	uint64_t runtime_ms;               /* rounded; at least 1 where runtime_ns is not 0 */
	uint64_t bw_bytes;                 /* bytes per s, over runtime_ms as in fio */
	double iops;                       /* likewise */
	double exact_bw_bytes, exact_iops; /* over runtime_ns */
	struct summary_lat lat[LAT_KINDS];
	/* I/Os of a rate that were due and not complete when the measurement ended; lat[LAT_RESP] has their
	   ages beside the `ios` completed ones. */
	uint64_t unissued, in_flight_at_end;
	uint64_t unissued_age_ns; /* age of the oldest one of `unissued` */
	/* I/Os that the rate made due in the measured window, issued or not (0: no rate), the time in which
	   they became due, which late completions do not stretch, and the rate from both. */
	uint64_t asked_ios, asked_ns;
	double asked_iops;
	uint64_t arrivals;  /* rate_open: the same as asked_ios */
	uint64_t queue_max; /* rate_open: most I/Os that waited at once */
	double queue_mean;  /* rate_open: mean number of waiting I/Os */
	struct summary_rate bw_row, iops_row;
	double bw_share; /* percent: bw_row.mean of the group's aggregate, at most 100; set by
			  * summary_set_share
			  */
};

/* The CPU time that the workers themselves used in the measured phase. */
struct summary_self {
	bool known;             /* there were I/Os, and their CPU times are known */
	double user_ns, sys_ns; /* CPU time per data I/O */
	double core;            /* percent of one core, the mean of the workers */
	double core_wait;       /* percent of their time in which they were ready to run without a core */
	uint64_t preempted;
	bool counted; /* the workers counted these, per data I/O: */
	double user_instructions, kernel_instructions, user_cycles, kernel_cycles;
	uint64_t storage_read_bytes; /* fetched from storage; the page cache had the rest of what was read */
};

struct summary {
	unsigned members;
	unsigned npercentiles, percentile_decimals; /* decimals that the list needs: 2 for fio's own */
	double percentiles[SUMMARY_PERCENTILES];
	bool print_percentiles[LAT_KINDS]; /* percentiles of this kind were asked for, and it was measured */
	struct summary_dir dir[DIR_DATA];
	uint64_t sync_ios, sync_errors;
	struct summary_lat sync;
	uint64_t job_runtime_ms; /* summed over the members */
	double usr_cpu, sys_cpu; /* percent of the members' run time */
	uint64_t ctx, majf, minf;
	struct summary_self self;
	/* Percentages. As in fio, a value that is not zero is at least 0.1 in these three and 0.01 in the
   latency cells. */
	double depth[WSTAT_DEPTHS], submit[WSTAT_DEPTHS], complete[WSTAT_DEPTHS];
	double per_submit, per_reap; /* mean I/Os of a call that submits some, or reaps some; 0: unknown */
	double lat_ns[SUMMARY_LAT_CELLS], lat_us[SUMMARY_LAT_CELLS], lat_ms[SUMMARY_LAT_MS_CELLS];
	uint64_t errors;
	int first_error;                                                  /* errno; 0: none */
	uint64_t replayed, replayed_late, replayed_flushes, replayed_fua; /* wcount */
	double replayed_late_percent;
	struct {
		double mean_ns;
		uint64_t p50_ns, p99_ns, p999_ns, max_ns;
	} late; /* how late they were issued */
};

/* The upper bounds of the latency cells, in their unit. The last ms cell has no upper bound. */
extern const unsigned summary_lat_bounds[SUMMARY_LAT_MS_CELLS];

/* Sets the exact rates from the counts and runtime_ns, and asked_iops. */
void summary_set_exact(struct summary_dir *d);
/* Returns the number of I/Os that were due by the rate. Documents of older versions have no asked_ios. */
static inline uint64_t summary_due(const struct summary_dir *d)
{
	return d->asked_ios ? d->asked_ios : d->ios + d->unissued + d->in_flight_at_end;
}
/* Fills in everything except bw_share. A snapshot that was never filled (st is NULL) gives zeros. cfg may be
   NULL. */
void summary_from(struct summary *s, const struct snapshot *snap, const struct summary_cfg *cfg);
/* The I/Os of one priority in one direction. */
struct summary_prio {
	unsigned index; /* of wstat_prios */
	unsigned class, level, hint;
	double share;           /* percent of the direction's I/Os */
	struct summary_lat lat; /* of the layout's prio_kind */
};
/* Stores one entry in out[] for each priority with I/Os in direction dir, in the order in which the jobs name
   them; at most snap->layout.nprio. Returns the number of entries; 0 if there were fewer than two, as in fio.
   s is the result of summary_from. */
unsigned summary_prios(const struct summary *s, const struct snapshot *snap, unsigned dir,
		       const struct summary_cfg *cfg, struct summary_prio *out);
/* Returns true if any I/O or sync completed. */
bool summary_has_io(const struct summary *s);

/* A run status group: the sum of its reported jobs. The caller starts with a zeroed struct. */
struct summary_group {
	struct {
		uint64_t ios, bytes;
		uint64_t bw_bytes;       /* bytes per s: sum of the bytes over the longest run time */
		double iops;             /* likewise */
		uint64_t bw_min, bw_max; /* bytes per s of the slowest and of the fastest job */
		uint64_t ms_min, ms_max;
		uint64_t longest_ns;
	} dir[DIR_DATA];
};
void summary_group_add(struct summary_group *g, const struct summary *s);
/* Sets bw_share. The caller adds all jobs to the group first. */
void summary_set_share(struct summary *s, const struct summary_group *g);

#endif
