/* jobfile.h: job text -> sections of options, each with its file and line. Values are not interpreted here.

   The grammar is fio's: [section], name=value, bare names, comments from ';' or '#' at the start of a line
   and inside a value, "include PATH" (options only, relative to the including file), ${ENV}, $pagesize,
   $mb_memory and $ncpus. Unlike fio: blanks around '=' are trimmed, a byte order mark is skipped, lines have
   any length. libinih parses the lines. It gets them in short pieces and in its own form, because Debian's
   build cuts lines at 200 bytes, refuses bare names and hides empty sections. */
#ifndef JOBFILE_H
#define JOBFILE_H

#include "job.h"

#define JOBFILE_BYTES_MAX (64u << 20) /* of a file and all that it includes */

struct raw_opt {
	const char *name; /* as written */
	const char *text; /* NULL: a bare word */
	struct place at;
	bool blank;   /* a blank followed the '=' */
	bool keyword; /* held $pagesize, $mb_memory or $ncpus, which may stand in arithmetic */
	bool used;    /* by a job */
};

struct raw_section {
	const char *name;
	struct place at;
	bool global;
	struct raw_opt *v;
	size_t n, cap;
};

/* The text is in the arena of jobfile_read; jobfile_fini frees the arrays. */
struct jobfile {
	struct raw_section *v;
	size_t n, cap;
};

/* Reads a whole file into *out. Returns 0 or -errno (-EFBIG: more than JOBFILE_BYTES_MAX). "-" is stdin. */
int jobfile_load(const char *path, struct strbuf *out);
/* Returns whether path is a pipe or device. fiord does not include those: a read may block, or never end. */
bool jobfile_is_special(const char *path);
/* Where job text comes from. */
struct jobfile_source {
	/* Appends the text of a job file or include. Returns 0 or -errno. */
	int (*load)(void *ctx, const char *path, struct strbuf *out);
	void *ctx;
	bool remote; /* the paths are those of another machine, so they are not looked up on this one */
};
extern const struct jobfile_source jobfile_files; /* jobfile_load */

/* *f is zeroed; free it in any case. Returns 0 or -errno with d ("jobs/db.fio:12: ..."). */
int jobfile_read(struct jobfile *f, const char *path, const struct jobfile_source *from, struct arena *a,
		 struct notes *notes, struct diag *d);
void jobfile_fini(struct jobfile *f);

#endif
