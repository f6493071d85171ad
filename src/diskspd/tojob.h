/* tojob.h: profile -> job text. One section per target; spans follow each other by stonewall. What plain fio
   would not read stands in lines of its own, each with a comment "fiord only: -Z1G". Pure.

   Targets are those of this system (ds_map_profile), the profile is one that ds_profile_check lets pass. */
#ifndef DISKSPD_TOJOB_H
#define DISKSPD_TOJOB_H

#include "cpuset.h"
#include "line.h"
#include "profile_facts.h"
#include "strbuf.h"

struct ds_job_cfg {
	bool diskspd_report; /* by a report of DISKSPD's: -v, -e and -P are done there */
	bool for_fio; /* the nearest plain fio file: lines of fiord's own are left out, and told at its end */
	const char *command;        /* told at the top; NULL: none */
	const struct ds_line *line; /* what is no part of the profile: events, engine; NULL: nothing */
	const struct cpuset
		*cpus; /* which threads are pinned to in turn; NULL or empty: not known, not pinned */
	const char *cached_engine; /* keeps several I/Os through the page cache in flight; NULL: io_uring */
	/* How large a target is that is there; 0: missing, or not known. NULL: nothing is known of any. */
	uint64_t (*size)(void *ctx, const char *path);
	void *ctx;
};

/* An option that fio does not have. */
struct ds_native_option {
	char *name, *text; /* "write_pool", "write_pool=1g" */
	char *flag;        /* "-Z1G" */
};

struct ds_job {
	struct strbuf text;
	struct {
		struct ds_native_option *v;
		size_t n, cap;
	} native; /* each once */
	size_t sections;
	struct notes notes;  /* what of the line has no effect here */
	struct notes losses; /* fio: what the file does not carry */
	struct arena mem;
};

/* *out is zeroed; fini it in any case. 0, or -errno with d: a path that job files cannot hold. */
int ds_to_job(const struct ds_profile *p, const struct ds_job_cfg *cfg, struct ds_job *out, struct diag *d);
void ds_job_fini(struct ds_job *j);

/* Adds a path as filename= and allow_write= have it: a ':' is a part of it. */
void ds_put_filename(struct strbuf *b, const char *path);

#endif
