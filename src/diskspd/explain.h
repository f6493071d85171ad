/* explain.h: what a DISKSPD line or profile will do, in plain words: threads, depth, footprint, time,
   pattern, caching as Linux has it, what people trip over, and what older versions made of the line. Pure. */
#ifndef DISKSPD_EXPLAIN_H
#define DISKSPD_EXPLAIN_H

#include "tojob.h"

struct ds_explain_cfg {
	const char *command; /* told first; NULL: none */
	int argc;            /* the line's arguments, for defaults and older versions; 0: a profile alone */
	const char *const *argv;
	uint64_t memory_bytes; /* of this machine; 0: unknown */
	/* As of ds_job_cfg. */
	uint64_t (*size)(void *ctx, const char *path);
	/* Whether -c would leave the file alone that is there, being somebody else's. NULL: none is there. */
	bool (*kept)(void *ctx, const char *path);
	void *ctx;
	bool keeps_files; /* -c keeps any file that is long enough (diskspd-for-linux) */
};

void ds_explain(const struct ds_profile *p, const struct ds_explain_cfg *cfg, struct strbuf *out);
/* explain_versions.c: the part about other versions; nothing if there is nothing to say. */
void ds_explain_versions(const struct ds_explain_cfg *cfg, struct strbuf *out);
/* Whether the line has an argument that begins so. */
bool ds_explain_has(const struct ds_explain_cfg *cfg, const char *flag);

#endif
