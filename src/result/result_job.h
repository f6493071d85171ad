/* result_job.h: one entry of the report: a job, or with group_reporting a group. It is part of a result
   (result.h), which owns all its data: the functions copy their arguments. */
#ifndef RESULT_JOB_H
#define RESULT_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "diag.h"
#include "file_stats.h"
#include "snapshot.h"
#include "step_counts.h"
#include "summary.h"

struct result;

/* The number format of the text reports. Zeroed: fio's default. */
struct result_units {
	unsigned kb_base; /* 0: 1024 */
	unsigned figures; /* significant; 0: 4 */
	bool bits;        /* bandwidth in bits, not bytes */
};

/* An option as the user wrote it; a bare flag has the value "". */
struct result_opt {
	const char *name, *value;
};

/* The buckets of a histogram that are not empty: their midpoints in ns and their I/O counts. For json+. */
struct result_bins {
	const uint64_t *ns, *count;
	size_t n;
};

static inline void result_add_bins(struct hist *h, const struct result_bins *bins)
{
	hist_add_bins(h, bins->ns, bins->count, bins->n);
}

/* The I/Os of one priority. */
struct result_prio {
	struct summary_prio sum;
	struct moments counts; /* known if result_job.counts is */
	struct result_bins bins;
};

/* An I/O of a lost worker that never completed. */
struct result_lost_io {
	const char *op, *file;
	uint64_t offset, length, age_ns;
	int pid; /* the worker's */
};

/* Adjacent blocks with damage of one kind. expected and found are of the first block and have their unit
   ("write 7"); they are NULL if this kind has no values. text has all three: "stale: write 7 expected, write
   3 found". */
struct result_damage {
	const char *file, *kind, *expected, *found, *text;
	uint64_t offset, length, blocks;
};

/* A part of the latency of requests, in ns (latency_split). */
struct result_split_part {
	uint64_t n; /* requests of which it is known; of a sample, scaled up to all */
	double mean;
	uint64_t p50, p90, p99, p999, max;
	struct result_bins bins;
};
/* The times on the device of the requests that completed in an interval. */
struct result_split_interval {
	struct result_bins bins;
};
/* The slowest hundredth of the requests, by the sum of their parts, and what share of that each part has. The
   completion is one of them at depth 1 only, where these are I/Os of one request. */
struct result_split_tail {
	uint64_t n;  /* 0: there are less than 100 requests */
	double mean; /* ns of all parts together */
	double submission_percent, scheduler_percent, device_percent, completion_percent;
	bool has_completion;
};
/* The requests that the job's I/Os became on one disk, in one direction. */
struct result_split {
	const char *disk, *dir; /* "nvme0n1", "read" */
	uint64_t requests;
	uint64_t measured;        /* of these: the parts are theirs. Fewer if they were a sample */
	uint64_t helper_requests; /* of these: queued by other threads of the worker, such as those of
				     io_uring */
	double requests_per_io;   /* 0: the job has no I/Os in this direction */
	struct result_split_part submission, scheduler, device;
	/* The device over time, in intervals that follow each other. */
	uint64_t device_start_ms, device_interval_ms; /* since 1970; the length of an interval */
	const struct result_split_interval *device_intervals;
	size_t ndevice_intervals;
	/* Of each I/O that became one request, and only at depth 1. Deeper it has only a mean, which is that
	   of lat without the three parts. */
	struct result_split_part completion;
	bool completion_known; /* each I/O became one request here */
	struct result_split_tail tail;
	double device_percent; /* the device's share of the mean lat; with completion_known */
};

/* Who else sent requests to a disk of the job while it was measured. */
struct result_split_other {
	const char *disk, *name; /* of the process */
	bool kernel;             /* a thread of the kernel: writeback, a journal */
	uint64_t requests, bytes;
	double percent; /* of all requests to the disk */
};

/* What verification found. */
struct result_verify {
	bool on;          /* the job was to verify */
	uint64_t checked; /* blocks, including the damaged ones */
	uint64_t in_part, not_checked, damaged;
	const char *known_by;          /* how it knew its blocks: "seeds", "map" or "headers" */
	uint64_t memory_bytes;         /* of the map, and of the writes in the backlog */
	uint64_t unlisted;             /* damaged blocks in no range of damages[] */
	struct result_damage *damages; /* the listed ones; result_job_damage adds them */
	unsigned ndamages;
};

/* Returns how many blocks the job was to check. */
static inline uint64_t result_verify_blocks(const struct result_verify *v)
{
	return v->checked + v->in_part + v->not_checked;
}

/* Whether a job has become steady (steadystate), and the samples of the window that decided it. The names are
   those of fio's keys. */
struct result_steady {
	bool on, attained;
	const char *ss, *criterion; /* "iops:5.000000%", "0.125094%" */
	double max_deviation, slope;
	uint64_t bw_mean, iops_mean, lat_mean; /* bytes/s, I/Os per s, ns */
	size_t samples;
	const uint64_t *iops, *bw, *lat; /* samples of each; lat: NULL if the criterion is another one */
	uint64_t duration_ns, interval_ns;
	uint64_t ios, bytes;                /* of the samples, all directions together */
	uint64_t attained_ns;               /* measured time until it was attained */
	double range_percent, rise_percent; /* of the mean; rise: of the least-squares line */
};

/* The writes with one placement id or write stream. Its number is that of the option plids. Both kinds have
   their own numbers: write stream 1 is not placement id 1. */
struct result_placed {
	const char *kind; /* "fdp", "streams" */
	uint64_t plid, ios, bytes;
};

struct result_placement {
	const char *kind;          /* "fdp", "streams", or "mixed"; NULL: the devices decided */
	struct result_placed *ids; /* result_job_placed adds them */
	unsigned nids;
	uint64_t unplaced_ios, unplaced_bytes; /* of writes for which dp_scheme has no line */
};

/* The search for the depth that meets latency_target. */
struct result_depth_step {
	unsigned clone, depth;
	bool met;
	uint64_t ios, within, ns; /* I/Os that count, those within the target, length of the window */
	uint64_t lat_ns;          /* the percentile of the target; 0: not known */
};
struct result_latency_target {
	bool on, found;
	unsigned depth, iodepth; /* the depth found, and the greatest one that was tried */
	uint64_t target_ns, window_ns;
	double percentile;
	const struct result_depth_step *steps;
	size_t nsteps;
	uint64_t left_out;               /* number of earlier steps, which are not listed */
	struct result_depth_step answer; /* the window that answers the search; without I/Os: none does */
	double answer_iops;
};

/* The steps of a rate that changes over time (rate_steps). */
struct result_step_lat {
	struct step_lat_figures sum;
	struct result_bins bins;
};
struct result_step_dir {
	uint64_t rate;                 /* asked of all members together: I/Os or bytes per second */
	uint64_t ios, bytes;           /* that were due in the step */
	uint64_t late_ios;             /* of these: completed after the step's end */
	uint64_t unfinished;           /* further I/Os that were due in the step and never completed */
	uint64_t done_ios, done_bytes; /* that completed in the step; iops and bw_bytes are of these */
	double iops;
	uint64_t bw_bytes;
	struct result_step_lat lat[STEP_LATS]; /* of `ios`; STEP_RESP also the ages of `unfinished` */
};
struct result_rate_step {
	uint64_t start_ns, length_ns; /* length_ns: the part of the step that was run */
	struct result_step_dir dir[DIR_DATA];
};
struct result_rate_steps {
	bool by_bytes; /* the rates count bytes */
	unsigned dirs; /* directions with a rate, as bits */
	struct result_rate_step *steps;
	size_t nsteps; /* 0: the job has none */
};

/* One direction of one file. */
struct result_file_dir {
	struct file_dir counts;
	/* result_files_finish sets mean, stddev and percentile. */
	double mean[FILE_LATS], stddev[FILE_LATS];
	const uint64_t *percentile; /* of result_files.lat, by result_job.sum.percentile; NULL: none */
	struct result_bins bins;    /* of result_files.lat; empty if they are not known */
	uint64_t *own;              /* private to files.c, which adds bins in this memory */
	size_t room;                /* bins that fit into it */
};

struct result_file {
	const char *path;
	const char *host;                       /* only in the sum of several hosts; else NULL */
	struct result_file_dir *dir[DIR_COUNT]; /* NULL: no I/Os and no errors */
};

/* The files of a job (per_file_stats), in its order; files.h. The sums over them are the job's figures. */
struct result_files {
	bool on, percentiles;
	enum file_lat lat; /* the latency of the percentiles */
	struct result_file *file;
	size_t n, cap;
	uint64_t left_out; /* read from a page: the number of files that it does not list */
	uint32_t *index;   /* private to files.c, which finds files by it */
	size_t slots;
};

/* The counts behind the figures of a job. With the bins they make a snapshot again, so that results can be
   merged and every figure computed anew. */
struct result_counts {
	bool known;
	bool exact; /* false: from a document of fio, whose means and deviations are rounded */
	struct wstat_dir dir[DIR_COUNT]; /* without bins: those are in result_job.bins */
	struct wcount cnt;
	struct samples bw[SAMPLE_ROWS], iops[SAMPLE_ROWS]; /* KiB/s, I/Os per s */
	struct summary_cfg cfg;
};

/* One entry of the report: a job, or with group_reporting a group under its first member's name, pid and
   description and its last member's options. Zeroed fields are unknown or not applicable; strings may be
   NULL. */
struct result_job {
	const char *name, *description;
	unsigned group;
	unsigned members; /* result_add_job makes 1 of 0 */
	int pid;
	int error;               /* the first errno, positive; 0: none */
	const char *error_text;  /* of any error: "/path/file, write at offset 4096, No space left on device
				    (ENOSPC)" */
	const char *lost_reason; /* why a worker is gone: "worker 2 (pid 17) was killed by SIGKILL; its counts
			     so far
			     ..." */
	struct result_lost_io *lost_ios; /* the listed ones; result_job_lost_io adds them */
	unsigned nlost_ios;
	uint64_t lost_ios_total; /* including those that are not listed */
	uint64_t start_ms;       /* when the job began to run: since 1970, or by its job_start_clock_id */
	bool eta_known;
	uint64_t eta_s, elapsed_s;
	const struct result_opt *options; /* the section's own, in the order written */
	size_t noptions;
	const char *rw, *bs, *engine; /* canonical text, "randrw", "4096-4096", "io_uring" */
	unsigned iodepth;
	struct result_units units;
	bool continue_on_error;
	struct {
		bool on; /* a log has an entry for each I/O; the counts are of waits for room in it */
		uint64_t waits, waited_ns;
	} log;
	struct result_verify verify;
	struct result_steady steady;
	struct result_latency_target latency_target;
	const struct result_split *splits; /* result_job_split adds them */
	size_t nsplits;
	const struct result_split_other *split_others; /* result_job_split_other adds them */
	size_t nsplit_others;
	struct result_rate_steps rate_steps;
	struct result_placement placement;
	struct result_files files;
	bool zoned; /* some worker emulates zones (zonemode=zbd) and counts their resets */
	bool no_io; /* the engine does no I/O: only the CPU figures are valid */
	bool mixed; /* unified_rw_reporting=mixed: DIR_READ has the sum of all directions */
	bool both;  /* unified_rw_reporting=both: each direction, and the sum in sum_both */
	struct summary_dir sum_both;
	struct result_bins bins_both[LAT_KINDS];
	struct summary sum;
	struct result_bins bins[DIR_COUNT][LAT_KINDS]; /* syncs: DIR_SYNC, LAT_CLAT */
	struct result_counts counts;
	const char *hostname; /* of the entry, in a result of several hosts; NULL: all hosts */
	unsigned port;        /* of fio's server on this host; 0: unknown */
	const struct result_prio *prios[DIR_DATA]; /* if the job used several, in the order it names them */
	unsigned nprios[DIR_DATA];
	enum lat_kind prio_kind;
	struct notes notes;
};

/* Returns a copy of n options; NULL if there are none, or memory is short. */
const struct result_opt *result_copy_options(struct result *r, const struct result_opt *opt, size_t n);
/* Returns the entry of a job with `both` set, with the sums of all directions under DIR_READ. */
struct result_job result_job_mixed(const struct result_job *job);
/* Adds a copy of *job with its strings, options, bins, priorities and notes, but without lost I/Os,
   damage and files. The returned pointer stays valid; it is NULL when memory is short. */
struct result_job *result_add_job(struct result *r, const struct result_job *job);
/* Adds a copy of *io to the job's list. */
void result_job_lost_io(struct result *r, struct result_job *job, const struct result_lost_io *io);
/* Sets the kind of the job's placement: "mixed" if it had another one. */
void result_job_placement_kind(struct result *r, struct result_job *job, const char *kind);
/* Adds these writes to those with the same kind and number. */
void result_job_placed(struct result *r, struct result_job *job, const struct result_placed *placed);
/* Add a copy to the job's list. */
void result_job_split(struct result *r, struct result_job *job, const struct result_split *split);
void result_job_split_other(struct result *r, struct result_job *job, const struct result_split_other *other);
/* Adds this time to the start of the job's device_intervals: the clock of its host was late. */
void result_job_shift_splits(struct result_job *job, uint64_t ms);
/* Adds a copy of *damage to the job's list. */
void result_job_damage(struct result *r, struct result_job *job, const struct result_damage *damage);
/* Sets the job's steady state to a copy of *steady. */
void result_job_steady(struct result *r, struct result_job *job, const struct result_steady *steady);
/* Sets the job's search to a copy of *search. */
void result_job_latency_target(struct result *r, struct result_job *job,
			       const struct result_latency_target *search);
/* Sets the job's steps to a copy of *steps. */
void result_job_rate_steps(struct result *r, struct result_job *job, const struct result_rate_steps *steps);
/* Returns how many earlier jobs have the name of this one. */
unsigned result_job_namesakes(const struct result *r, size_t job);
/* Adds a note about the job. */
void result_job_note(struct result_job *job, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
