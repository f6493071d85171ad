/* plan_build.h: the state of plan_build, and the functions of plan_*.c. Private to src/plan. Functions that
   return int return 0, or -errno with b->d. */
#ifndef PLAN_BUILD_H
#define PLAN_BUILD_H

#include "plan.h"

#define PLAN_SEVERAL UINT32_MAX /* target_state.last_section */

/* A target as it will be when the wave that is being planned begins. */
struct target_state {
	uint64_t size;
	bool exists, created; /* created: by an earlier wave of this run */
	/* Its users in this wave. */
	uint32_t wave_used;    /* 1 + the wave that these fields describe */
	uint32_t last_section; /* the last section that uses it; PLAN_SEVERAL: several of one stage */
	uint32_t last_stage, first_stage;
	bool overlap;        /* its users may run at the same time: one layout serves all */
	uint64_t size_after; /* its length after the last section has ended */
	bool unlink_after;   /* the last section removes it */
	/* What the users of one stage need, or those of the whole wave if they overlap. */
	uint32_t stage_seen; /* 1 + the stage that these fields describe */
	uint64_t needs_size; /* length in bytes */
	bool needs_data;     /* some job reads or trims it */
	bool write, overwrite, on_open;
	bool keep_content;  /* all jobs append */
	bool used;          /* by a job that moves data */
	bool unlink;        /* some job removes it */
	bool fill;          /* some job has fill_device */
	bool filled;        /* an earlier job with fill_device may have left it shorter than planned */
	bool create_always; /* some job has create=always */
	bool recreate;      /* it will be truncated before layout */
	unsigned users;     /* jobs */
	unsigned creators, removers;
	uint64_t stat_size; /* length for jobs that only stat it */
	uint32_t layout_index;
	bool layout_set;
	enum plan_layout layout;
	uint64_t layout_from;
};

/* A section of the job set. */
struct section_state {
	uint32_t first, count; /* its jobs */
	uint32_t wave, stage;
	struct cpu_place *order; /* cpu_order */
	unsigned norder;
	uint32_t waits_for; /* wait_for: a section of the same wave; PLAN_NONE: none */
};

struct build {
	struct plan *p;
	const struct facts *f;
	struct diag *d;
	struct target_state *state; /* by target */
	struct section_state *section;
	unsigned existing_files; /* files that filecreate finds and opens */
};

/* Returns true for the first worker of a section, whose decisions hold for the others. */
static inline bool plan_is_first(const struct build *b, const struct plan_job *pj)
{
	return pj->index == b->section[pj->section].first;
}

/* opendir without openfiles: this many files are open at a time, at most. */
#define OPENDIR_OPEN_FILES 512u

/* plan_job.c: plans a clone in three steps: its identity; its files and amount of I/O; all else. p->njobs
   includes it before the first step. */
void plan_job_begin(struct build *b, struct plan_job *pj, const struct job *job, size_t section,
		    uint32_t clone);
int plan_job_files(struct build *b, struct plan_job *pj);
int plan_job_end(struct build *b, struct plan_job *pj);
/* Adds the next clone to p->jobs and begins it. */
struct plan_job *plan_job_new(struct build *b, const struct job *job, size_t section, uint32_t clone);
/* plan_targets.c: makes p->targets from the facts. Returns false when memory is short. The last target stands
   for no file. */
bool plan_targets(struct build *b);
/* Collects allow_write of all jobs: all jobs may write a path that one job names. Returns false when memory
   is short. */
bool plan_targets_allow(struct build *b);
/* Returns whether allow_write names this directory by any of its names. */
bool plan_targets_dir_allowed(const struct build *b, const char *path);
/* Returns the index of a path in p->targets; UINT32_MAX if it is unknown. */
uint32_t plan_targets_find(const struct build *b, const char *path);
/* Does the same, and is fast if the path follows that of the target `before` (UINT32_MAX: none). */
uint32_t plan_targets_next(const struct build *b, const char *path, uint32_t before);
/* plan_files.c: plans the files of a clone and their ranges. */
int plan_files(struct build *b, struct plan_job *pj);
/* Sets how much I/O one loop does, from size and io_size. */
int plan_files_amount(struct build *b, struct plan_job *pj);
/* Multiplies the depth by the files, for iodepth_per_file. */
int plan_files_depth(struct build *b, struct plan_job *pj);
/* Reads file_weights, which must have one weight for each file. */
int plan_files_weights(struct build *b, struct plan_job *pj);
/* plan_thread_group.c: plans all threads of the thread_group that begins with this section. */
int plan_thread_group(struct build *b, uint32_t section);
/* Returns the sizes of the command line that the job file overrides, for an error, in the plan's arena; "" if
   there are none or memory is short. */
const char *plan_overridden_size(struct build *b, const struct job *job);
/* plan_error.c: returns -ENOMEM with b->d. */
int plan_no_memory(struct build *b);
/* Returns -EINVAL with a message, which begins with the place of the option, or of the section if option is
   NULL or was not given. */
int plan_err(struct build *b, const struct job *job, const char *option, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Does the same with a finished message. */
int plan_err_message(struct build *b, const struct job *job, const char *option, const char *message);
/* Returns ret. If a target was refused, puts the place of the option that names the target before the text.
 */
int plan_error_at(struct build *b, const struct job *job, int ret);
/* plan_access.c: refuses Windows paths, missing devices, and targets without the permissions that the job
   needs. */
int plan_access(struct build *b, const struct plan_job *pj, const struct plan_target *t);
/* plan_passthrough.c: refuses commands to other targets than NVMe namespaces and SCSI disks, and other I/O to
   their character devices; and metadata that a target does not have. */
int plan_passthrough(struct build *b, const struct plan_job *pj, const struct plan_target *t);
/* Sets the depth of a job whose commands go to a disk one at a time, with a note. */
void plan_passthrough_depth(struct build *b, struct plan_job *pj);
/* Refuses names of filename_format that leave the directory by "..". */
int plan_access_inside(struct build *b, const struct job *job, const char *path, const char *dir);
/* Refuses a directory in which the job cannot make its files. f: the facts of the directory. */
int plan_access_directory(struct build *b, const struct job *job, const char *path,
			  const struct target_facts *f);
/* plan_verify_data.c: refuses files that do not have the data that the job verifies, before their ranges are
   planned and afterwards, and devices that keep no data. */
int plan_verify_data(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
int plan_verify_length(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* plan_capabilities.c: refuses trims, zones and atomic writes that the target or range does not support. */
int plan_capabilities(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* plan_trims.c: decides whether the trims of a job are queued, and lowers the depth of a job that only trims
   if they are not. */
void plan_trims(struct build *b, struct plan_job *pj);
/* plan_meta.c: jobs whose I/O is one operation on a whole file. */
static inline bool plan_is_meta(const struct plan_job *pj)
{
	return pj->job->engine->caps & ENG_META;
}
/* Returns true if the job changes its files whatever the value of rw, and reads no data. */
static inline bool plan_changes_files(const struct plan_job *pj)
{
	return pj->job->engine->caps & ENG_CHANGES_FILES;
}
static inline bool plan_writes(const struct plan_job *pj)
{
	return job_access(pj->job) & (RW_WRITE | RW_TRIM) || plan_changes_files(pj);
}
/* Sets the range of a file. size: the length for layout; 0 if the job has none. */
void plan_meta_range(struct plan_job *pj, struct plan_file *pf, uint64_t size);
void plan_meta_need(struct target_state *s, const struct plan_job *pj, const struct plan_file *pf);
int plan_meta_check(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
		    const struct target_state *s);
void plan_meta_layout(struct target_state *s, const struct plan_job *pj);
void plan_meta_update(struct target_state *s, const struct plan_job *pj);
/* plan_overlap.c: finds the files of one job that other jobs use, too. Zero it before the first call. */
struct plan_overlap {
	const struct plan_job *job;
	uint32_t *first; /* by target: 1 + the first file of the job that is this target; 0: none */
	uint32_t *next;  /* by file: 1 + the next file that is the same target */
};
/* Prepares the search for files of this job. Returns false if memory is short. */
bool plan_overlap_set(struct plan_overlap *o, const struct plan *p, const struct plan_job *pj);
/* Returns a file of the job that is the same target as f, which belongs to any job: the first one, or the one
   after `before`; NULL if there are no more. */
const struct plan_file *plan_overlap_next(const struct plan_overlap *o, const struct plan *p,
					  const struct plan_file *f, const struct plan_file *before);
void plan_overlap_fini(struct plan_overlap *o);
/* plan_wait_for.c: finds or adds the stage of a section of the last wave. */
int plan_wait_for_stage(struct build *b, uint32_t section);
/* For create_serialize: sets the job whose layout comes before this job's. */
void plan_layout_after(const struct plan *p, struct plan_job *pj);
/* Returns whether job x has ended when job y starts: it is of an earlier wave, or y waits for it. */
bool plan_ends_before(const struct plan *p, const struct plan_job *x, const struct plan_job *y);
/* Records that a job uses a file, to know whether its users of this wave overlap. */
void plan_wait_for_use(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* Returns whether a target exists when the job starts, and sets *size_bytes to its length then (0 if it does
   not exist). */
bool plan_wait_for_found(const struct build *b, const struct plan_job *pj, uint32_t target,
			 uint64_t *size_bytes);
/* plan_job.c: returns the number from which all seeds of a job follow. It differs by rank, unless randrepeat
   says otherwise. */
uint64_t plan_seed(const struct build *b, const struct job *job);
/* Returns the seed of contents that follow from `seed`: the run number is added, unless allrandrepeat=1 or
   randseed= asks for the same contents in every run. */
uint64_t plan_content_seed(const struct build *b, const struct job *job, uint64_t seed);
/* plan_layout.c: decides the layouts of the wave that begins at job `first`, and refuses targets that the run
   may not write. */
int plan_layout_wave(struct build *b, uint32_t first);
/* plan_place.c: sets the CPUs, memory nodes and priority of the clone. plan_place_ioprio returns the priority
   as ioprio_set() takes it. */
int plan_place(struct build *b, struct plan_job *pj);
uint16_t plan_place_ioprio(const struct place_cfg *o);
int plan_cgroup(struct build *b, struct plan_job *pj);
/* plan_memory.c: plans the memory of the clone: mem, hugepage-size, lockmem. */
int plan_memory(struct build *b, struct plan_job *pj);
/* Refuses a write_pool that is larger than the free memory. */
int plan_memory_pool(struct build *b, const struct plan_job *pj);
/* plan_submit.c: sets how many I/Os one call submits. */
void plan_submit(const struct build *b, struct plan_job *pj);
/* plan_placement.c: plans where devices place the writes of a job (dataplacement), or refuses what a device
   does not have. */
int plan_placement(struct build *b, struct plan_job *pj);
void plan_placement_print(const struct plan *p, const struct plan_job *pj, struct strbuf *b);

/* plan_prio.c: plans the priorities of single I/Os (cmdprio_*). The layout of the job's statistics must be
   known. */
int plan_prio(struct build *b, struct plan_job *pj);
/* plan_scheduler.c: refuses the job if a device below its files has another ioscheduler. */
int plan_scheduler(struct build *b, const struct plan_job *pj);
/* plan_verify.c: decides how the job knows what it wrote. Its files and openfiles are set. */
int plan_verify(struct build *b, struct plan_job *pj);
/* Returns the largest size of which all offsets and sizes of the job's writes are multiples. */
uint64_t plan_verify_unit(const struct plan_job *pj);
/* plan_verify_state.c: where the job saves or finds the state of its writes. */
int plan_verify_state(struct build *b, struct plan_job *pj);
/* plan_overwrite.c: refuses to write a file of another program, unless allow_write names it. Files with
   generated names, and all files of runs under the name fio, may be overwritten, except those of the system.
 */
int plan_overwrite_check(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* Notes that the job overwrites this file of another program. The file's layout must be
   planned. */
void plan_overwrite(struct build *b, const struct plan_job *pj, const struct plan_file *pf);

/* The following functions need all jobs. plan_build calls each of them once. */

/* plan_content.c: gives each job its part of all written content. */
int plan_content(struct build *b);
/* plan_verify_shared.c: finds the bytes that a job verifies and that others write. */
int plan_verify_shared(struct build *b);
/* plan_space.c: refuses layouts that do not fit on their file systems. */
int plan_space(struct build *b);
void plan_space_notes(const struct plan *p, struct notes *out);
/* plan_zones.c: gives each file the table of its zones. */
int plan_zones(struct build *b);
/* plan_device_zones.c, for files with zonemode=zbd: sets the sizes of the zones, which are the device's if it
   is zoned. */
int plan_zone_sizes(struct build *b, const struct plan_job *pj, struct plan_file *pf);
/* Refuses an offset inside a zone of a device. */
int plan_zone_offset(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* Reduces the range to whole zones. */
void plan_whole_zones(const struct plan_job *pj, struct plan_file *pf, const struct plan_target *t);
/* Refuses jobs that the zones do not support. */
int plan_check_zbd(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* Sets the depth of a job that can have one write in flight only, with a note. */
void plan_zones_depth(struct build *b, struct plan_job *pj);
/* plan_replay.c: refuses a target that the trace does not fit, or that it may not write. */
int plan_replay_target(struct build *b, const struct plan_job *pj, uint32_t i, const struct plan_target *t);
/* Returns the size of a target that fiord makes for a replay: the trace's end, so that each I/O is in its
   place. 0: it makes none. */
uint64_t plan_replay_layout(const struct plan_job *pj, uint32_t i, const struct plan_target *t);
/* For fiord check: the name of the trace; lines about what is replayed, nothing for other jobs; which devices
   of the trace a file has. */
void plan_replay_print_log(const struct plan_job *pj, struct strbuf *b);
void plan_replay_print(const struct plan_job *pj, struct strbuf *b);
void plan_replay_print_file(const struct plan_job *pj, uint32_t i, struct strbuf *b);

/* plan_logs.c: plans the log files. */
int plan_logs(struct build *b);
/* plan_rates.c: for rate_shared: groups the jobs, which must have the same rate. */
int plan_rates(struct build *b);
/* plan_flow.c: groups the jobs of each flow, and refuses a job that is alone in it. */
int plan_flows(struct build *b);
/* plan_shared_offset.c: for offset_shared: groups the files that share a position. */
int plan_shared_offset(struct build *b);
/* plan_clock.c: chooses the clock of the run, for clocksource. */
int plan_clock(struct build *b);
/* plan_tracks.c: plans the intervals that each job closes. */
int plan_tracks(struct build *b);
/* Returns whether both use some bytes of one target. */
static inline bool plan_files_overlap(const struct plan *p, const struct plan_file *a,
				      const struct plan_file *b)
{
	return p->targets[a->target].same == p->targets[b->target].same && a->start < b->start + b->len &&
	       b->start < a->start + a->len;
}

/* plan_per_file.c: plans the statistics of single files and intervals, for reports of time spans. */
int plan_per_file(struct build *b);
/* plan_rate_steps.c: plans the statistics of each step of rate_steps. */
int plan_rate_steps(struct build *b);
/* plan_file_stats.c: plans the counts of single files, for per_file_stats. */
int plan_file_stats(struct build *b);

#endif
