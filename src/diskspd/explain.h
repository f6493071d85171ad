/* explain.h: explains in plain words what a DISKSPD line or profile will do: threads, depth, space,
   time, pattern, caching on Linux, common mistakes, and differences between DISKSPD's versions. Pure. */
#ifndef DISKSPD_EXPLAIN_H
#define DISKSPD_EXPLAIN_H

#include "tojob.h"

struct ds_explain_cfg {
	const char *command; /* printed first; NULL: none */
	int argc; /* arguments of the line, for notes on defaults and versions; 0: a profile without a line */
	const char *const *argv;
	uint64_t memory_bytes; /* memory of this machine; 0: unknown */
	/* As in struct ds_job_cfg. */
	uint64_t (*size)(void *ctx, const char *path);
	/* Whether -c would leave an existing file alone, because fiord did not create it. NULL: no file
	   exists. */
	bool (*is_preserved)(void *ctx, const char *path);
	/* Whether a line that writes to an existing file is refused, because the file has data that fiord did
	   not write. NULL: no file exists. */
	bool (*is_refused)(void *ctx, const char *path);
	void *ctx;
	bool keeps_files; /* -c keeps any file that is long enough (diskspd-for-linux) */
};

void ds_explain(const struct ds_profile *p, const struct ds_explain_cfg *cfg, struct strbuf *out);
/* explain_versions.c: adds what other versions of DISKSPD would do with the line; nothing if they agree. */
void ds_explain_versions(const struct ds_explain_cfg *cfg, struct strbuf *out);
/* Returns true if the line has an argument that begins with `flag`. */
bool ds_explain_has(const struct ds_explain_cfg *cfg, const char *flag);

#endif
