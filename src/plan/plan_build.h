/* plan_build.h: what the parts of plan.c share while a plan is made. Private to job/. */
#ifndef PLAN_BUILD_H
#define PLAN_BUILD_H

#include "plan.h"

/* A target as it will be when the wave at hand begins. */
struct build_state {
	uint64_t size;
	bool exists, made; /* made: by an earlier wave of this run */
	/* The wave at hand: who uses it. */
	uint32_t wave_used;        /* 1 + the wave that these are of */
	uint32_t tail, tail_stage; /* section that uses it last; PLAN_MANY: several of that stage do */
	uint32_t first_stage;
	bool joint;          /* its users may overlap: one layout serves them all */
	uint64_t chain_size; /* how long it will be when the tail has ended */
	bool chain_unlink;   /* and the tail removes it */
	/* The unit at hand: the users in one stage, or in the whole wave if joint. */
	uint64_t need; /* bytes that it must have */
	bool data;     /* some job reads or trims: there must be something to read, or blocks to give up */
	bool write, overwrite, on_open;
	bool keep;      /* all jobs begin where it ends now: what is there stays */
	bool settled;   /* layout decided */
	bool used;      /* by a job that moves data */
	bool unlink;    /* some job removes it */
	bool fill;      /* some job fills the file system with it */
	bool anew;      /* some job wants it made anew (create=always), */
	bool renew;     /* and it is */
	unsigned users; /* jobs */
	unsigned makers, removers;
	uint64_t look;      /* how large it is to be for those that only look at it */
	uint32_t unit_seen; /* 1 + the stage that these are of */
	uint32_t cell;
	enum plan_layout layout;
	uint64_t from;
};

/* A section of the job set. */
struct build_section {
	uint32_t first, count; /* its jobs */
	uint32_t wave, stage;
	struct cpu_place *order; /* cpu_order */
	unsigned norder;
	uint32_t waits; /* for this section of the same wave; PLAN_MANY: for none */
};
#define PLAN_MANY UINT32_MAX

struct build {
	struct plan *p;
	const struct facts *f;
	struct diag *d;
	struct build_state *state; /* by target */
	struct build_section *section;
	unsigned there_already; /* files that filecreate will find */
};

/* plan.c: a job in three steps; p->njobs counts it already. Who it is; its files, and how much it does; how.
 */
void plan_job_begin(struct build *b, struct plan_job *pj, const struct job *job, size_t section,
		    uint32_t clone);
int plan_job_files(struct build *b, struct plan_job *pj);
int plan_job_end(struct build *b, struct plan_job *pj);
/* The next one of p->jobs. */
struct plan_job *plan_job_new(struct build *b, const struct job *job, size_t section, uint32_t clone);
/* plan_thread_group.c: all threads of the thread_group that begins with this section. */
int plan_thread_group(struct build *b, uint32_t section);
/* The first worker that its section has: others are like it. */
static inline bool plan_first(const struct build *b, const struct plan_job *pj)
{
	return pj->index == b->section[pj->section].first;
}

int plan_err(struct build *b, const struct job *job, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* plan_size.c, for errors; texts in the plan's arena, "" when memory is short. "64 MiB"; "64m"; and which
   size of the command line had no effect because the file says otherwise, "" if none. */
const char *plan_bytes(struct build *b, uint64_t bytes);
const char *plan_size_text(struct build *b, uint64_t bytes);
const char *plan_lost_size(struct build *b, const struct job *job);
/* ret; where it is the refusal of a target the place comes first where the job names it. */
int plan_target_at(struct build *b, const struct job *job, int ret);
/* plan_reach.c: refuses paths of Windows, devices that are not there, and what may not be read, written or
   made. f: of the directory. */
int plan_reach(struct build *b, const struct plan_job *pj, const struct plan_target *t);
/* "..", in names made of filename_format, does not leave the directory. */
int plan_reach_inside(struct build *b, const struct job *job, const char *path, const char *dir);
int plan_reach_directory(struct build *b, const struct job *job, const char *path,
			 const struct target_facts *f);
/* Refuses what this file's target or range cannot do: trims, zones. */
int plan_check_fit(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* plan_meta.c: one I/O is one operation on a whole file. */
static inline bool plan_is_meta(const struct plan_job *pj)
{
	return pj->job->engine->caps & ENG_META;
}
/* Changes its files whatever rw says, and reads none of their data. */
static inline bool plan_alters(const struct plan_job *pj)
{
	return pj->job->engine->caps & ENG_CHANGES_FILES;
}
static inline bool plan_writes(const struct plan_job *pj)
{
	return pj->rw & (RW_WRITE | RW_TRIM) || plan_alters(pj);
}
/* size: that a file has to be laid out with; 0 if the job does not say. */
void plan_meta_range(struct plan_job *pj, struct plan_file *pf, uint64_t size);
void plan_meta_want(struct build_state *s, const struct plan_job *pj, const struct plan_file *pf);
int plan_meta_admit(struct build *b, const struct plan_job *pj, const struct plan_file *pf,
		    const struct build_state *s);
void plan_meta_decide(struct build_state *s, const struct plan_job *pj);
void plan_meta_advance(struct build_state *s, const struct plan_job *pj);
/* plan_wait_for.c: finds the stage of a section whose wave is the last one so far, or makes it. */
int plan_stage(struct build *b, uint32_t section);
/* create_serialize: whose layout comes before this job's. */
void plan_lay_after(const struct plan *p, struct plan_job *pj);
/* A job uses a file: whether those who share it in this wave come one after the other. */
void plan_use(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* What a job finds when it starts: size_bytes, 0 if nothing; false if it does not exist. */
bool plan_found(const struct build *b, const struct plan_job *pj, uint32_t target, uint64_t *size_bytes);
/* Decides layouts of the wave that begins at plan job `first`, and refuses what may not be written. */
int plan_wave_layout(struct build *b, uint32_t first);
/* Where the clone runs: cpus_allowed, numa_*, prio; prio alone, as ioprio_set() takes it. */
int plan_place(struct build *b, struct plan_job *pj);
uint16_t plan_ioprio(const struct place_cfg *o);
int plan_cgroup(struct build *b, struct plan_job *pj);
/* What memory the clone has: mem, hugepage-size, lockmem. */
int plan_memory(struct build *b, struct plan_job *pj);
/* Whether there is memory for its write_pool. */
int plan_pool(struct build *b, const struct plan_job *pj);
/* How many I/Os one call submits. */
void plan_submit(const struct build *b, struct plan_job *pj);
/* Which priorities its single I/Os have: cmdprio_*. After the layout of its statistics. */
int plan_prio(struct build *b, struct plan_job *pj);
/* ioscheduler: its files' devices have it. */
int plan_scheduler(struct build *b, const struct plan_job *pj);
/* Where each job's content goes, once all jobs are there. */
void plan_content(struct build *b);
/* Which logs are written, once all jobs are there. */
int plan_logs(struct build *b);
/* rate_shared: who shares with whom; all of a name must ask for the same. */
int plan_share_rates(struct build *b);
/* offset_shared: which files have one position. Targets know which are the same. */
void plan_shared_offsets(struct build *b);
/* clocksource: all times of a run are told by one clock. */
void plan_clock(struct build *b);
/* The intervals that each job closes, once all jobs are there; how many series fit. */
int plan_tracks(struct build *b);
/* What is counted apart, for DISKSPD's reports. 0 or -errno with b->d. */
int plan_per_file(struct build *b);
/* plan_overwrite.c: remembers that this file, its layout decided, loses what somebody else has written. */
void plan_overwrite(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* plan_space.c: whether what is to be laid out fits on its file systems. */
int plan_check_space(struct build *b);
void plan_space_notes(const struct plan *p, struct notes *out);

#endif
