/* plan_build.h: what the parts of plan.c share while a plan is made. Private to job/. */
#ifndef PLAN_BUILD_H
#define PLAN_BUILD_H

#include "plan.h"

/* A target as it will be when the wave at hand begins. */
struct build_state {
	uint64_t size;
	bool exists, made; /* made: by an earlier wave of this run */
	/* The wave at hand. */
	uint64_t need; /* bytes that it must have */
	bool data;     /* some job reads or trims: there must be something to read, or blocks to give up */
	bool write, overwrite, on_open;
	bool keep;          /* all jobs begin where it ends now: what is there stays */
	bool settled;       /* layout decided */
	uint32_t wave_seen; /* 1 + the wave that these are of */
	enum plan_layout layout;
	uint64_t from;
};

struct build {
	struct plan *p;
	const struct facts *f;
	struct diag *d;
	struct build_state *state; /* by target */
	uint32_t *same;            /* by target: the first target that is the same file */
};

int plan_err(struct build *b, const struct job *job, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Refuses what this file's target or range cannot do: trims, zones. */
int plan_check_fit(struct build *b, const struct plan_job *pj, const struct plan_file *pf);
/* Decides layouts of the wave that begins at plan job `first`, and refuses what may not be written. */
int plan_wave_layout(struct build *b, uint32_t first);
/* Where the clone runs: cpus_allowed, numa_*, prio. */
int plan_place(struct build *b, struct plan_job *pj);
/* What memory the clone has: mem, hugepage-size, lockmem. */
int plan_memory(struct build *b, struct plan_job *pj);
/* Whether what is to be laid out fits on its file systems. */
int plan_check_space(struct build *b);

#endif
