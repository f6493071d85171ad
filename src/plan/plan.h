/* plan.h: every clone, wave, group, file, size, offset and layout of a run, decided before fiord touches a
   target. plan_build is pure: the same job set and facts give the same plan, so golden tests compare plans.

   Waves run one after the other (stonewall, another job file). The jobs of a wave start together, except
   those with wait_for. Jobs that start at the same moment form a stage; the first stage of a wave waits for
   no job. */
#ifndef PLAN_H
#define PLAN_H

#include "file_tree.h"
#include "file_stats.h"
#include "job.h"
#include "machine.h"
#include "media.h"
#include "per_file.h"
#include "prio.h"
#include "step_counts.h"
#include "target.h"
#include "track.h"
#include "wstat.h"

/* Facts about the system, found by probe or invented by a test. */
struct facts_target {
	const char *path;
	struct target_facts facts;
	struct media media;               /* the device below it; for preflight and ioscheduler */
	bool write;                       /* some job writes or trims here */
	const struct engine *trim_engine; /* of a job that may queue its trims here; NULL: of none */
	bool zones;                       /* some job uses its zones (zonemode=zbd) */
	bool placement;                   /* some job uses its placement ids or write streams */
	bool from_opendir;                /* a file of opendir that no job names in another way */
	bool read_only;                   /* the run only reads it: see target_probe_next */
};
/* The files below a directory, for opendir. */
struct facts_tree {
	const char *dir, *match; /* as in the job's options, which own them */
	struct file_tree files;
};
struct facts {
	struct facts_target *targets; /* sorted by path */
	size_t ntargets;
	struct arena paths; /* of the targets, except those of trees */
	struct facts_tree *trees;
	size_t ntrees;
	uint64_t entropy; /* for randrepeat=0 */
	uint32_t run;     /* a random number for this run: it writes what no other run writes */
	uint64_t memory_bytes;
	int64_t now_s; /* since 1970 */
	struct machine machine;
	char governor[32];    /* of the CPUs; "" unknown */
	bool tsc;             /* the kernel trusts the CPU's time stamp counter */
	bool no_proc, no_sys; /* nothing is mounted there */
};

/* Examines every path that the job set names, and writes nothing. Returns 0 or -errno with d; call facts_fini
   in any case. */
int plan_probe(struct facts *f, const struct job_set *set, struct diag *d);
void facts_fini(struct facts *f);
/* Returns the files of the job's opendir, or NULL if they were not listed. */
const struct facts_tree *facts_find_tree(const struct facts *f, const struct job *job);

#define PLAN_NONE UINT32_MAX

enum plan_layout {
	LAYOUT_NONE,    /* exists already, or is a device */
	LAYOUT_CREATE,  /* created empty and preallocated */
	LAYOUT_FILL,    /* written with data from layout_from on; created if missing */
	LAYOUT_ON_OPEN, /* created when I/O first opens it */
};

struct plan_target {
	const char *path;
	const struct target_facts *facts;
	bool write;                   /* some job writes it */
	const struct job *overwrites; /* the first job that overwrites this file of another program; NULL:
					 none. It is set in the target that `same` names */
	uint32_t same;                /* the first target that is the same file */
};

/* One file of one clone. */
struct plan_file {
	const struct plan_job *user; /* the job, or the member of its thread_group, whose options apply */
	uint32_t target;             /* index in plan.targets */
	uint32_t layout_index;       /* index of its shared layout state, which also counts the users */
	uint64_t start, len;         /* bytes this clone uses */
	uint64_t pass_bytes;         /* bytes of a pass; len, or less with zonemode=strided */
	uint64_t first;              /* where sequential I/O begins, relative to start */
	uint32_t zone_table;         /* zonemode=zbd: 1 + index of the zones in plan.zone_tables */
	uint64_t zone_size, zone_capacity, zone_skip; /* zonemode=zbd; capacity: of the smallest zone */
	uint32_t shared_position; /* offset_shared: 1 + index of the shared position; 0: its own */
	uint64_t size;            /* length that a regular file needs for the whole wave */
	uint64_t layout_from;
	enum plan_layout layout;
	bool owner;    /* this clone lays it out; other clones of the wave wait */
	bool early;    /* laid out before the wave starts, even if the job waits for others, because the
			  others do not use it */
	bool unlink;   /* its last user removes it */
	bool fill;     /* fill_device: it may end up shorter, when the file system is full */
	bool filled;   /* an earlier job filled its device, and this one reads what fitted */
	bool recreate; /* truncated before layout */
};

/* Jobs that start together. */
struct plan_stage {
	uint32_t wave;
	uint32_t base;                    /* the first stage of the wave */
	uint32_t first_awaited, nawaited; /* wait_for: these jobs must have ended; none in a base stage */
};

/* A file system that the plan makes files on, or lets grow. */
struct plan_space {
	dev_t dev;
	const char *path, *fstype;           /* path: of a target on it */
	uint64_t free_bytes, reserved_bytes; /* reserved: more, for root only */
	uint64_t need_bytes;                 /* peak of files that are laid out or preallocated */
	uint64_t most_bytes;                 /* peak if the jobs write all of their files that grow */
};

/* The zones of a target (zonemode=zbd), which all workers share that use it with this zone size and capacity.
 */
struct plan_zone_table {
	uint32_t target;         /* the first that is the same file */
	uint32_t zones;          /* from the start of the target to the last zone that a job uses */
	uint64_t size, capacity; /* capacity: of emulated zones */
	uint32_t limit;          /* most zones that the device allows to be open; 0: any number */
	bool device;             /* not emulated */
};

/* A rate that jobs of a stage share by name (rate_shared). */
struct plan_share {
	const char *name;
	uint32_t stage, members;
	uint64_t seed;
	const struct job *first_job;
};

/* A job of a flow: the jobs of a stage whose counts of I/Os keep the proportion of their weights (flow). */
struct plan_flow {
	uint32_t job;            /* plan_job.index */
	uint32_t first, members; /* its flow is plan.flows[first] and the next ones */
	uint32_t weight, lead;   /* lead: it is at most this many I/Os ahead of its share */
	bool joins_later;        /* others of the flow start before it (startdelay) */
	uint64_t end_ns;         /* when its runtime ends after the start of the stage */
};

/* The log files of one worker. */
struct plan_logs {
	const char *path[LOG_KINDS]; /* NULL: not written */
	uint32_t entries; /* of the ring between worker and log writer, a power of two; 0: no log has single
			     I/Os */
	uint32_t iolog_entries; /* the same for write_iolog */
};

/* The readers of a job's interval records. Readers of the same interval length share a track. */
enum track_use {
	TRACK_BW, /* sampled rows */
	TRACK_IOPS,
	TRACK_SERIES,
	TRACK_LOG,  /* log_avg_msec */
	TRACK_HIST, /* log_hist_msec */
	TRACK_STEADY,
	TRACK_LIVE, /* --live, --prometheus; on the grid of the run */
	TRACK_USES
};

/* How a job that verifies its writes knows which ones they were. */
enum verify_memory {
	VERIFY_MEMORY_NONE, /* it does not verify its writes */
	VERIFY_REPLAY,      /* it draws the same I/Os again */
	VERIFY_MAP,         /* it stores the last write of each unit: verify_map.h */
	VERIFY_SCAN         /* verify_only: the earlier writes are not known, so it reads all blocks */
};

/* How a job shares bytes that it verifies with another job. */
enum plan_sharing {
	SHARED_BLOCKS,  /* a block there may be the other job's instead */
	SHARED_EARLIER, /* verify_only: the same, and the other job has written it earlier in this run */
	SHARED_BYTES,   /* the other job may have replaced any bytes there, by any others */
	SHARING_KINDS,
	SHARED_NOT = SHARING_KINDS
};

/* Bytes [from, to) of one of the job's files. */
struct plan_shared {
	uint32_t file;
	uint64_t from, to;
};

/* Such ranges, sorted; no two of them touch. */
struct plan_shares {
	const struct plan_shared *v;
	size_t n;
};

struct plan_verify {
	bool writes;           /* the job writes blocks that can be verified */
	bool reads;            /* it reads them back after its writes, or in their place (verify_only) */
	bool run_reads;        /* it checks what it reads while it runs, because it only reads */
	bool passes_differ;    /* run_reads, time_based: later passes read blocks that the first one does not
				  read */
	bool shared;           /* other jobs write the same bytes */
	bool other_sizes;      /* their writes there are not blocks of the same size */
	bool others_check;     /* each of these jobs verifies what it writes there */
	uint32_t shared_types; /* types in the headers of these jobs: bits 1 << type */
	struct plan_shares shares[SHARING_KINDS]; /* these bytes: plan_verify_sharing() */
	bool maybe_unwritten; /* verify_only: its runtime may have ended the earlier run before all writes */
	bool trims;           /* it trims some of its blocks before it reads them back */
	bool only_trims;      /* do_verify=0: it trims some of its blocks, and reads none back */
	uint32_t backlog,
		backlog_batch; /* after so many writes it reads, or trims, so many blocks; 0: at the end */
	bool new_order;        /* VERIFY_REPLAY: each pass has another order */
	bool numbers_known;    /* the number of each block's last write is known */
	bool pieces;           /* VERIFY_MAP, run_reads: writes may have replaced parts of a block */
	enum verify_memory memory;
	uint32_t unit;      /* VERIFY_MAP, run_reads: bytes; see verify_map.h */
	uint32_t block_max; /* run_reads: bytes of the largest block of this job, and of others that read its
			       bytes */
	uint64_t seed;      /* with the run number it gives the seeds of the writes (gen/verify_check.h) */
	uint32_t run;       /* number of the run that writes; 0: the data are the same in every run */
	/* The state of the writes (gen/verify_state.h); plan_verify_state.c. */
	bool state_save, state_load;
	const char *state_path;
	struct verify_state_setting *settings;
	uint32_t nsettings;
};

struct plan_job {
	const struct job *job;
	uint32_t index, clone, group, wave, stage;
	uint32_t section;         /* of set->jobs */
	uint32_t layout_after[2]; /* create_serialize: the job whose layout comes before, for files that are
				     laid out early and late; PLAN_NONE: none */
	uint32_t report; /* index of its entry in the report; group_reporting merges a group into one */
	uint64_t seed;
	uint64_t content_seed; /* of contents, which differ from run to run */
	uint64_t hot_seed;     /* decides which blocks are hot, if random_distribution makes some hotter */
	struct plan_file *files;
	uint32_t nfiles, openfiles;
	bool files_dynamic;      /* files are opened and closed while the job runs */
	bool files_reopen;       /* all files are closed and reopened between loops */
	const uint32_t *weights; /* of the files, for a weighted random choice; NULL: none */
	/* thread_group: this thread's share of each section, as if it were a job of its own. `files` lists
	   the files of all members in this order. NULL: the job is one section. */
	struct plan_job *members;
	uint32_t nmembers;
	bool pool; /* with members: each I/O goes to a randomly chosen file; otherwise each file has its
		      member's `depth` */
	bool prios_by_file; /* members have priorities of their own */
	unsigned depth;
	unsigned submit_max; /* most I/Os in one submit call */
	bool submit_cut;     /* a call takes only the I/Os that these allow: */
	bool submit_apart;   /* the block layer does not merge them (plug.c) */
	bool serialize;      /* they do not overlap with others in flight (overlap.c) */
	/* Trims of a job whose depth is above 1 (plan_trims.c). */
	bool queued_trims; /* the engine queues them */
	bool single_trims; /* submit does each trim before it returns, so there is at most one in flight */
	bool held_writes;  /* trimwrite with several trims in flight: a write waits for the trim of its block
			    */
	unsigned reap_max; /* most completions in one reap call */
	unsigned rw;       /* enum rw_bits */
	uint32_t bs_min, bs_max; /* over its directions */
	uint64_t pass_bytes;     /* amount of I/O of one loop: io_size, or size */
	bool repeat;             /* io_size given: passes repeat until pass_bytes */
	uint64_t startdelay_ns;
	uint32_t share;                 /* 1 + index in plan.shares; 0: it shares no rate */
	uint32_t flow;                  /* 1 + index in plan.flows; 0: it belongs to no flow */
	const struct cpuset *cpus;      /* CPUs that it may use; NULL: as inherited */
	const struct cpuset *mem_nodes; /* of numa_mem_policy; NULL: none */
	struct mem_cfg memory;          /* of the buffers, with the size of huge pages set */
	const char *cgroup,
		*cgroup_name;         /* its directory, and its name below the mount; NULL: as inherited */
	uint16_t ioprio;              /* as ioprio_set() takes it; 0: as inherited */
	const struct prio_set *prios; /* of single I/Os; NULL: the worker's for all */
	const struct placement_set *placement; /* of writes; NULL: the devices decide */
	struct content_geometry content;
	struct plan_verify verify;
	struct plan_logs *logs; /* NULL: none */
	struct wstat_layout layout;
	struct per_file_cfg per_file;       /* statistics of single files and intervals */
	struct step_counts_cfg step_counts; /* rate_steps: statistics of each step */
	struct file_stats_cfg file_stats;   /* per_file_stats: statistics of each file */
	struct tracks_cfg tracks;
	uint8_t track[TRACK_USES]; /* 1 + index in tracks; 0: not used */
	enum lat_kind series_kind; /* the latency of its series; LAT_KINDS: none */
};

/* Consecutive notes of a list. */
struct note_range {
	size_t first, count;
};

struct plan {
	struct arena arena;
	const struct job_set *set;
	struct plan_job *jobs;
	uint32_t *members,
		*member_at;    /* job indexes sorted by report entry; where each entry begins, and the end */
	uint64_t locked_bytes; /* by lockmem, in the wave that is being planned */
	struct plan_stage *stages; /* each after the stages that it waits for */
	uint32_t njobs, nwaves, nstages, ngroups, nreports, nlayouts;
	struct plan_target *targets;
	uint32_t ntargets;
	struct plan_share *shares;
	uint32_t nshares, nshared_positions;
	struct plan_flow *flows; /* the jobs of one flow are neighbours */
	uint32_t nflows;
	struct plan_zone_table *zone_tables;
	uint32_t nzone_tables;
	struct target_allow allow;
	int debug_fd;                        /* --debug=io: where the workers print; the session sets it */
	const char *bandwidth_log[DIR_DATA]; /* paths; NULL: none */
	struct plan_space *spaces;
	uint32_t nspaces;
	uint64_t layout_bytes; /* to be written before the clock starts */
	uint64_t verify_bytes; /* plan_verify_memory of the jobs in the wave that is being planned */
	bool kernel_clock;     /* times come from clock_gettime, never from the CPU's counter */
	uint64_t series_ns;    /* the finest interval of the series */
	struct notes notes;
	struct note_range memory_notes; /* those of notes that predict I/O that stays in memory */
	struct notes overwrite_notes;   /* files of other programs that the run overwrites; also shown before
					   the run */
};

/* Returns the most I/Os in flight (with iodepth_per_file: of each file), which is iodepth, or less if the
   plan has lowered it. */
static inline uint32_t plan_iodepth(const struct plan_job *pj)
{
	uint32_t depth = pj->job->opts.queue.iodepth;

	return pj->depth < depth ? pj->depth : depth;
}

/* Returns 0, or -errno with d (DIAG_USAGE, or DIAG_TARGET if a target was refused). The caller zeroes *p and
   calls plan_fini in any case. set and f must outlive p. */
int plan_build(struct plan *p, const struct job_set *set, const struct facts *f, struct diag *d);
void plan_fini(struct plan *p);
/* Adds a line for each file of another program that a job overwrites, and one for the rest if they are many.
 */
void plan_overwrite_notes(const struct plan *p, const struct facts *f, struct notes *out);
/* Prints the plan as text (fiord check). */
void plan_print(const struct plan *p, struct strbuf *out);
/* Returns the name of a set of enum rw_bits, such as "randread". */
const char *plan_rw_name(unsigned rw);

/* Sets *index to the jobs of a report entry, ascending, and returns their number. */
static inline uint32_t plan_members(const struct plan *p, uint32_t report, const uint32_t **index)
{
	*index = &p->members[p->member_at[report]];
	return p->member_at[report + 1] - p->member_at[report];
}

/* Sets *track to the job's track for this use. Returns false if it has none. */
static inline bool plan_track(const struct plan_job *pj, enum track_use use, unsigned *track)
{
	*track = pj->track[use] - 1u;
	return pj->track[use] != 0;
}

/* Returns whether the job replays a trace at times that are exact enough to say how late its I/Os are
   (plan_replay.c). */
bool plan_replay_tells_lateness(const struct plan_job *pj);
/* Returns whether the job replays a trace at its times. */
static inline bool plan_replays_timed(const struct plan_job *pj)
{
	return pj->job->opts.replay.log && !pj->job->opts.replay.no_stall;
}

/* Returns whether the job checks blocks that it reads. */
static inline bool plan_verifies(const struct plan_job *pj)
{
	return (pj->verify.reads && !pj->verify.only_trims) || pj->verify.run_reads;
}

/* Returns whether a job can read back what it has written before all of it is written. Other jobs that write
   the same bytes would change them meanwhile. */
static inline bool plan_verifies_between(const struct plan_job *pj)
{
	return pj->verify.writes && pj->verify.reads && !pj->verify.shared && !pj->verify.other_sizes;
}

/* Returns whether a worker lays the file out before the clock starts. */
static inline bool plan_lays_out(const struct plan_file *f)
{
	return f->layout == LAYOUT_CREATE || f->layout == LAYOUT_FILL;
}

/* Returns whether a job may not overwrite files of others without allow_write: those that its filename names.
 */
bool plan_protects_files(const struct plan *p, const struct job *job);

/* Returns the bytes that the layout of the file writes. */
uint64_t plan_layout_bytes(const struct plan *p, const struct plan_file *f);
/* Returns whether the user asked for a saved state of the writes. If not, the job runs without one when it
   cannot be saved. */
bool plan_verify_state_explicit(const struct job *job);
/* Returns whether the job takes files that are shorter than its range: it loads the state of an earlier run,
   and a crash may have cut them. It never extends them. */
bool plan_verify_takes_short(const struct job *job);
/* Returns the size of the maps of the job's writes, in bytes; 0 without VERIFY_MAP. */
uint64_t plan_verify_bytes(const struct plan_job *pj);
/* Returns the size of the log of replaced map entries (verify_map.h) that the job saves with its state, or
   the largest size that it loads, and where it begins: behind the maps. */
uint64_t plan_verify_undo_bytes(const struct plan_job *pj);
uint64_t plan_verify_undo_at(const struct plan_job *pj);
/* Returns whether a state of this version that is loaded can have maps and a log of this size together. */
bool plan_verify_map_fits(const struct plan_job *pj, uint32_t version, uint64_t bytes);
/* Returns how many of its last writes the job stores for the backlog. 0: none, or it draws them again. */
uint64_t plan_verify_backlog(const struct plan_job *pj);
#define PLAN_BACKLOG_BYTES 16u /* memory for each of them */
/* Returns the memory in which the job stores its writes, in bytes: the maps, their log, and the last
   writes for the backlog. */
uint64_t plan_verify_memory(const struct plan_job *pj);
/* Returns how the job shares these bytes of its file: a bit 1 << SHARED_... for each way. */
unsigned plan_verify_sharing(const struct plan_job *pj, uint32_t file, uint64_t from, uint64_t bytes);
/* Returns whether the other job, too, only reads these bytes of the job's file and verifies blocks of the
   same format: if both wrote in an earlier run, these may be blocks of either. */
bool plan_verify_reads_too(const struct plan *p, const struct plan_job *other, const struct plan_job *pj,
			   uint32_t file, uint64_t from, uint64_t bytes);
/* Sets *seed to the verify.seed of clone `clone` of the job's section, which the run need not have. Returns
   false if such a clone would not use the same bytes. */
bool plan_verify_clone_seed(const struct plan_job *pj, uint32_t clone, uint64_t *seed);
/* Returns how the job knows which blocks were written: "seeds", "map" or "headers". */
const char *plan_verify_known_by(const struct plan_job *pj);
/* Returns the paths of one clone, in an array from the arena; NULL if memory is short. */
const char **plan_paths(struct arena *a, const struct job *job, uint32_t clone, uint32_t *count);
/* Adds the text with $jobname and $jobnum replaced. Returns false if memory is short. */
bool plan_expand_name(struct strbuf *b, const char *text, const char *job_name, uint32_t clone);
/* Returns the entries of directory=, ended by NULL; NULL if memory is short. */
const char **plan_directories(struct arena *a, const struct job *job);

/* plan_trims.c: returns the call or command that trims the first target of the job, or NULL if the job trims
   nothing. */
const char *plan_trim_call(const struct plan *p, const struct plan_job *pj);

#endif
