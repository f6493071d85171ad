/* peak.h: fiord peak searches the settings with which some devices reach their most IOPS, or their most
   bandwidth. Pure: the caller measures the points, so that tests can search artificial devices. */
#ifndef PEAK_H
#define PEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "diag.h"

struct strbuf;

enum peak_goal { PEAK_IOPS, PEAK_BANDWIDTH, PEAK_GOALS };

/* What is known about a device or file before it is measured. */
struct peak_target {
	const char *path;     /* as given */
	const char *label;    /* its last part, for names of jobs */
	const char *commands; /* "/dev/ng0n1", which takes NVMe commands; NULL: none that may be opened */
	const char *disk;     /* "nvme0n1"; "": unknown */
	bool only_commands;   /* the path is that character device */
	bool polls;           /* the device has poll queues */
	uint64_t size;        /* bytes */
	uint32_t block;       /* bytes of the small reads */
	int node;             /* NUMA node; -1: unknown */
	unsigned *cpus;       /* that workers may use, the nearest first */
	size_t ncpus;
	uint64_t link_bytes; /* per second that its link carries; 0: unknown */
	const char *link;    /* "PCIe 8.0 GT/s x4" */
};

enum peak_engine { PEAK_URING, PEAK_LIBAIO, PEAK_COMMANDS, PEAK_ENGINES };
extern const char *const peak_engine_names[PEAK_ENGINES];

/* How one target is read. */
struct peak_setting {
	enum peak_engine engine;
	unsigned numjobs, iodepth;
	unsigned batch; /* I/Os that one call submits, and completions that it waits for; 0: one at a time */
	bool polling, random;
	uint64_t bs;
};

struct peak_point {
	struct peak_setting *set; /* one for each target */
	const char *tried;        /* the option that differs from the best point before: "iodepth" */
	uint64_t duration_ns;     /* planned */
	double iops, bw_bytes, lat_ns;
	double *target_iops, *target_bw; /* of each target */
	double cpu;        /* percent: how busy the workers kept their CPUs, or waited for them */
	const char *error; /* why it failed; NULL: it did not */
	bool is_repeat;    /* it measures a point again */
};

/* The resource that is the limit, as far as the search shows. */
enum peak_end { PEAK_END_UNKNOWN, PEAK_END_DEVICE, PEAK_END_CPU, PEAK_END_LINK };
extern const char *const peak_end_names[];

struct peak_search {
	enum peak_goal goal;
	const struct peak_target *const *targets;
	size_t ntargets;
	struct peak_setting *start; /* one for each target; NULL: the depth is searched first */
	unsigned cpus;              /* CPUs that workers may use */
	uint64_t budget_ns, point_ns;
	uint64_t spent_ns; /* of the budget; `measure` adds what a point took */
	/* Fills in the figures of a point. Returns 0, -ECANCELED to end the search, or another -errno with
	   d. */
	int (*measure)(void *ctx, struct peak_search *s, struct peak_point *p, struct diag *d);
	void *ctx;
	struct arena *mem;

	/* The result. */
	struct peak_point *points;
	size_t npoints, cap;
	size_t best;            /* index; npoints: none */
	double noise;           /* a gain is more than this share of the best */
	size_t doubled;         /* the point with twice the jobs and the depth of the best; npoints: none */
	double mean, low, high; /* of the best, measured again: 95 % confidence; low is high if it was not */
	unsigned repeats;
	bool out_of_time, canceled;
	enum peak_end end;
};

/* Returns 0 or -errno with d. The search has no best point if none succeeded. */
int peak_search(struct peak_search *s, struct diag *d);
double peak_value(enum peak_goal goal, const struct peak_point *p);
/* Returns whether twice the jobs and depth were much better than the best point, although by less than the
   noise: then nothing is known about the device. */
bool peak_doubled_gains(const struct peak_search *s);
unsigned peak_workers(const struct peak_search *s, const struct peak_point *p);
/* Returns the speed of the links of all targets; 0 if that of one is unknown. */
uint64_t peak_link_bytes(const struct peak_search *s);

/* How busy the CPUs of the workers are if they end the search, and the part of its link that data can fill.
 */
#define PEAK_CPU_BUSY  95.0
#define PEAK_LINK_FULL 0.85

/* Adds the sections that read all targets, as text of a job file. `wave`: they start after those before
   them. */
void peak_put_jobs(struct strbuf *b, const struct peak_search *s, const struct peak_setting *set,
		   uint64_t runtime_ns, bool wave);

/* All searches: each target alone, then all together. */
struct peak {
	const char *const *paths;
	size_t ntargets;
	uint64_t time_ns; /* limit of all searches together */

	struct arena mem;
	struct peak_target *targets;
	const char **notes; /* about the targets */
	size_t nnotes, notes_cap;
	unsigned cpus;
	struct peak_search *searches; /* by goal, then by target; with several targets all together last */
	size_t nsearches;
	int signal;        /* that ended the searches; 0: none */
	const char *error; /* of the first point that failed; NULL: none did */
};

/* Returns the search of all targets for a goal; of the only target if it is alone. NULL if it has no best
   point. */
const struct peak_search *peak_of_all(const struct peak *p, enum peak_goal goal);
/* Adds the job file that reaches the peaks. */
void peak_put_job_file(struct strbuf *b, const struct peak *p);

#endif
