/* tojob.h: profile -> job text. Each target becomes a section, and stonewall separates time spans. A
   line that fio does not support has a comment: "fiord only: -Z1G". Pure. The profile must have passed
   ds_profile_check, and its paths must be mapped (ds_map_profile). */
#ifndef DISKSPD_TOJOB_H
#define DISKSPD_TOJOB_H

#include "cpuset.h"
#include "line.h"
#include "profile.h"
#include "strbuf.h"
#include "vec.h"

struct ds_job_cfg {
	bool diskspd_report; /* the run has DISKSPD's report, which carries -v, -e and -P */
	bool for_fio; /* write a job file for fio: no lines that only fiord has, and comments about them at
			 its end */
	const char *command;        /* comment at the top; NULL: none */
	const struct ds_line *line; /* options outside of the profile: events, engine; NULL: none */
	const struct cpuset *cpus;  /* CPUs to which threads are pinned in turn; NULL or empty: unknown, so
				       threads are not pinned */
	const char *cached_engine;  /* engine for several I/Os through the page cache; NULL: io_uring */
	/* The size of an existing target; 0: missing or unknown. NULL: no size is known. */
	uint64_t (*size)(void *ctx, const char *path);
	void *ctx;
};

/* A job option that fio does not have. */
struct ds_native_option {
	char *name, *text; /* "write_pool", "write_pool=1g" */
	char *flag;        /* "-Z1G" */
};

struct ds_job {
	struct strbuf text;
	VEC(struct ds_native_option) native; /* each option once */
	size_t sections;
	struct notes notes;  /* options of the line that have no effect here */
	struct notes losses; /* for_fio: properties that the file does not carry */
	struct arena mem;
};

/* *out must be zeroed. Call ds_job_fini in any case. Returns 0, or -errno with d if a job file cannot express
   the profile. */
int ds_to_job(const struct ds_profile *p, const struct ds_job_cfg *cfg, struct ds_job *out, struct diag *d);
void ds_job_fini(struct ds_job *j);

/* Adds a path as filename= and allow_write= read it, with a backslash before each ':'. */
void ds_put_filename(struct strbuf *b, const char *path);

#endif
