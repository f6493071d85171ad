/* plan.h: what will happen: every clone, wave, group, file, size, offset and layout, decided before anything
   is touched. plan_build is pure: the same job set and facts give the same plan, so plans are golden-tested.

   Waves run one after the other (stonewall, another job file). The jobs of a wave start together, but for
   those with wait_for: a stage is what starts at the same moment, and the first stage of a wave waits for
   nobody. */
#ifndef PLAN_H
#define PLAN_H

#include "job.h"
#include "machine.h"
#include "media.h"
#include "per_file.h"
#include "prio.h"
#include "target.h"
#include "track.h"
#include "wstat.h"

/* What probe found out about the system, or what a test makes up. */
struct facts_target {
	const char *path;
	struct target_facts facts;
	struct media media; /* for the preflight only */
	bool write;         /* some job writes or trims here */
};
struct facts {
	struct facts_target *target; /* sorted by path */
	size_t ntargets;
	uint64_t entropy; /* for randrepeat=0 */
	uint64_t memory_bytes;
	int64_t now_s; /* since 1970 */
	struct machine machine;
	char governor[32]; /* of the CPUs; "" unknown */
	bool tsc;          /* the kernel trusts it */
};

/* Looks at every path that the job set names. Reads only. */
int probe(struct facts *f, const struct job_set *set, struct diag *d);
void facts_fini(struct facts *f);

#define PLAN_NOBODY UINT32_MAX

enum plan_layout {
	LAYOUT_NONE,    /* there already, or a device */
	LAYOUT_CREATE,  /* created empty and preallocated */
	LAYOUT_FILL,    /* written with data from layout_from on; created if missing */
	LAYOUT_ON_OPEN, /* created when I/O first opens it */
};

struct plan_target {
	const char *path;
	const struct target_facts *facts;
	bool write;                   /* some job writes it */
	const struct job *overwrites; /* the first job that writes over what is there, which fiord has not
					 made; NULL: none. Of the target that is `same` */
	uint32_t same;                /* the first target that is the same file */
};

/* One file of one clone. */
struct plan_file {
	const struct plan_job *of; /* whose options hold for it: the job itself, or one of its members */
	uint32_t target;           /* index in plan.targets */
	uint32_t cell; /* of the shared cells: whether the layout is done, and who still uses the file */
	uint64_t start, len; /* bytes this clone uses */
	uint64_t first;      /* where a walk begins, behind start */
	uint32_t walk;       /* offset_shared: 1 + the number of its position; 0: its own */
	uint64_t size;       /* how long a regular file must be, for the whole wave */
	uint64_t layout_from;
	enum plan_layout layout;
	bool owner;  /* this clone lays it out; the others of the wave wait */
	bool early;  /* before the wave starts, also if the job waits: nobody whom it waits for uses the file
		      */
	bool unlink; /* the last one to use it removes it */
	bool fill;   /* it may become shorter: when nothing fits any more */
	bool renew;  /* what is there is thrown away first */
};

/* Jobs that start together. */
struct plan_stage {
	uint32_t wave;
	uint32_t base;         /* the first stage of the wave */
	uint32_t after, count; /* wait_for: these jobs must have ended; none in a base stage */
};

/* A file system that the plan makes files on, or lets grow. */
struct plan_space {
	dev_t dev;
	const char *path, *fstype;           /* path: of a target on it */
	uint64_t free_bytes, reserved_bytes; /* reserved: what root has besides */
	uint64_t need_bytes;                 /* at once, for files that are laid out or preallocated */
	uint64_t most_bytes;                 /* with what the jobs may write into files that grow */
};

/* One rate that jobs of a stage share by name (rate_shared). */
struct plan_share {
	const char *name;
	uint32_t stage, members;
	uint64_t seed;
	const struct job *first;
};

/* The log files of one worker. */
struct plan_logs {
	const char *path[LOG_KINDS]; /* NULL: not written */
	uint32_t entries; /* single I/Os that it may be ahead of them; 0: none is logged singly. A power of
			     two */
};

/* Who reads the records of a job's tracks. Those that ask for the same length share a track. */
enum track_use {
	TRACK_BW, /* sampled rows */
	TRACK_IOPS,
	TRACK_SERIES,
	TRACK_LOG,  /* log_avg_msec */
	TRACK_HIST, /* log_hist_msec */
	TRACK_USES
};

struct plan_job {
	const struct job *job;
	uint32_t index, clone, group, wave, stage;
	uint32_t section;      /* of set->jobs */
	uint32_t lay_after[2]; /* create_serialize: whose layout comes first, early and late; PLAN_NOBODY */
	uint32_t report;       /* entry of the report: group_reporting merges a group's jobs into one */
	uint64_t seed;
	struct plan_file *files;
	uint32_t nfiles, openfiles;
	const uint32_t *weights; /* of the files, where they are drawn by that; NULL */
	/* thread_group: what this thread does of each section, as if that were a job of its own. Its files
	   are those of all of them, one after the other; NULL: the job is one section. */
	struct plan_job *members;
	uint32_t nmembers;
	bool pool; /* with members: each I/O goes to a file that is drawn; else each file has `depth` of its
		      member */
	bool prios_by_file; /* members have priorities of their own */
	unsigned depth;
	unsigned submit_max;     /* I/Os that one call of the engine submits, at most; */
	bool submit_apart;       /* only those that the block layer does not merge (plug.h) */
	unsigned reap_max;       /* completions that one reap takes, at most */
	unsigned rw;             /* enum rw_bits */
	uint32_t bs_min, bs_max; /* over its directions */
	uint64_t pass_bytes;     /* I/O of one loop stops here: io_size, or size */
	bool repeat;             /* io_size given: passes repeat until pass_bytes */
	uint64_t startdelay_ns;
	uint32_t share;                   /* 1 + index in plan.shares; 0: its rate is its own */
	const struct cpuset *cpus;        /* where it runs; NULL: as inherited */
	const struct cpuset *mem_nodes;   /* of numa_mem_policy; NULL: none */
	struct mem_cfg memory;            /* of the buffers, the size of huge pages decided */
	const char *cgroup, *cgroup_name; /* its directory; the part below the mount. NULL: as inherited */
	uint16_t ioprio;                  /* as ioprio_set() takes it; 0: as inherited */
	const struct prio_set *prios;     /* of single I/Os; NULL: all have the worker's */
	struct content_place content;
	struct plan_logs *logs; /* NULL: none */
	struct wstat_layout layout;
	struct per_file_cfg parts; /* what is counted apart for files and intervals */
	struct tracks_cfg tracks;
	uint8_t track[TRACK_USES]; /* 1 + index in tracks; 0: it does not ask */
	enum lat_kind series_kind; /* the latency of its series; LAT_KINDS: none */
};

struct plan {
	struct arena arena;
	const struct job_set *set;
	struct plan_job *jobs;
	uint32_t *members, *member_at; /* indexes of jobs by report; where those of each begin, and the end */
	uint64_t locked_bytes;         /* by lockmem, of the wave at hand */
	struct plan_stage *stages;     /* each comes after those that it waits for */
	uint32_t njobs, nwaves, nstages, ngroups, nreports, ncells;
	struct plan_target *targets;
	uint32_t ntargets;
	struct plan_share *shares;
	uint32_t nshares, nwalks;
	struct target_allow allow;
	const char *bandwidth_log[DIR_DATA]; /* paths; NULL: none */
	struct plan_space *spaces;
	uint32_t nspaces;
	uint64_t layout_bytes; /* to be written before the clock starts */
	bool kernel_clock;     /* times come from clock_gettime whatever the CPU has */
	uint64_t series_ns;    /* the finest interval of the series */
	struct notes notes;
	struct notes losses; /* what files of others lose: told before the run, too */
};

/* 0, or -errno with d (usage, or DIAG_TARGET when a target was refused). *p is zeroed; free it in any case.
   facts and set must outlive it. */
int plan_build(struct plan *p, const struct job_set *set, const struct facts *f, struct diag *d);
void plan_fini(struct plan *p);
/* Files that somebody else has made and that jobs write over: one line each. */
void plan_overwrite_notes(const struct plan *p, const struct facts *f, struct notes *out);
/* For people: fiord check. */
void plan_print(const struct plan *p, struct strbuf *out);
/* "randread"; from enum rw_bits. */
const char *plan_rw_name(unsigned rw);

/* The jobs that make up an entry of the report, ascending; how many. */
static inline uint32_t plan_members(const struct plan *p, uint32_t report, const uint32_t **index)
{
	*index = &p->members[p->member_at[report]];
	return p->member_at[report + 1] - p->member_at[report];
}

/* The job's track for this use, whose records hold what it needs; false: it does not ask. */
static inline bool plan_track(const struct plan_job *pj, enum track_use use, unsigned *track)
{
	*track = pj->track[use] - 1u;
	return pj->track[use] != 0;
}

/* How much of it will be written beforehand. */
uint64_t plan_layout_bytes(const struct plan *p, const struct plan_file *f);
/* The paths of one clone, in an array from the arena; NULL when memory is short. */
const char **plan_paths(struct arena *a, const struct job *job, uint32_t clone, uint32_t *count);
/* The entries of directory=, ending with NULL; NULL when memory is short. */
const char **plan_directories(struct arena *a, const struct job *job);

#endif
