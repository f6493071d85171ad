/* engine.h: the contract between the core and the ways of doing I/O. One file per engine in engines/.

   - submit(ctx, ios, n) takes a prefix of the n I/Os and returns how many it took (0: none now, reap first),
   or -errno when the engine itself is broken.
   - reap(ctx, out, min, max, timeout_ns) returns at least min completions (fewer only after the timeout or a
   signal), at most max; min is no more than are with the engine. Each has io->res set: bytes moved, or
   -errno. Every I/O that submit took comes back exactly once. An I/O error is a res; a negative return is a
   broken engine. timeout_ns UINT64_MAX: none.
   - At most ctx->depth I/Os are with the engine at a time. io->index < depth identifies an I/O, and its
     buf is ctx->bufs + index * stride throughout, so descriptors can be filled once.
   - An op that the engine's interface lacks is done with syscall_io() inside submit and comes back from reap
   like the others.
   - IO_SYNC_FILE_RANGE finds its SYNC_FILE_RANGE_* in rwf.
   - META: the core opens nothing. file->type is MISSING where the file must be made anew. A file that was
   made is left open in file->fd, a directory is told by file->created; what follows is the core's, after the
   clock.
   - One thread calls init, submit, reap and fini. Engines see I/Os, files and their own options, nothing
   else.

   - do_one(ctx, io), where there is one, does one I/O at once and returns its res, in place of submit and
   reap. The core may use it at depth 1.

   eng_submit, eng_reap and eng_do_one are the one door: they assert the contract. */
#ifndef ENGINE_H
#define ENGINE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "diag.h"
#include "file.h"
#include "io.h"
#include "iobuf.h"

struct cmdprio_opts;
struct opt_table;

enum engine_caps {
	ENG_SYNC = 1 << 0,             /* depth is 1: submit does the I/O */
	ENG_NOFILE = 1 << 1,           /* no file is needed, opened or laid out (null) */
	ENG_META = 1 << 2,             /* one I/O is one file operation */
	ENG_NOIO = 1 << 3,             /* no I/O at all */
	ENG_VIRTUAL = 1 << 4,          /* moves no data (null) */
	ENG_CREATES = 1 << 5,          /* META: makes the file or directory */
	ENG_DELETES = 1 << 6,          /* META: removes it */
	ENG_DIRS = 1 << 7,             /* META: of directories */
	ENG_SHARED_POSITION = 1 << 14, /* moves the file's position, which all threads share */
	ENG_CHANGES_FILES = 1 << 8,    /* changes its files whatever rw says, and reads none of their data */
	ENG_RWF = 1 << 9,              /* its calls take RWF_* flags */
	ENG_MAPPED = 1 << 10,          /* works on mappings: room must be there beforehand */
	ENG_PLUGS = 1 << 11,           /* the kernel plugs a submit of several I/Os: plug.h */
	ENG_MERGES = 1 << 12,          /* a submit of several neighbours is one transfer */
	ENG_RING = 1 << 13,            /* submits through a ring shared with the kernel */
	ENG_BUFFERED_SYNC = 1 << 15,   /* buffered I/O is done inside submit, so its depth is 1 */
	ENG_NO_READAHEAD = 1 << 16,    /* buffered reads do not profit from readahead */
	ENG_RUNS_PROGRAM = 1 << 17,    /* NOIO: runs a program, whose output goes to files */
};

/* Newer than the headers of some systems that can run them. */
#ifndef RWF_ATOMIC
#define RWF_ATOMIC 0x00000040
#endif
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif

struct engine;
struct engine_ctx {
	const struct engine *engine;
	const struct engine *inner; /* the one that does the work where `engine` is an offload_wrapper */
	void *state;      /* engine->state_size bytes, zeroed; eng_init allocates it, eng_fini frees it */
	const void *opts; /* the engine's own options, or NULL */
	unsigned depth;
	uint32_t write_rwf; /* RWF_* flags of every write, for engines with ENG_RWF */
	struct file *files; /* the worker's, open when init is called unless files_dynamic */
	unsigned nfiles;
	bool files_dynamic; /* files are opened and closed while running: do not register them */
	bool files_reopen;  /* all files are closed and opened again between loops: eng_reopen */
	struct iobuf *bufs;
	struct io *ios; /* depth of them, in index order; file and op change, buf and index do not */
	struct diag *d;
	char info[160];       /* for the report, such as "registered files, buffers and ring" */
	unsigned with_engine; /* taken and not yet reaped; kept by the door */
	uint64_t waits;       /* how often reap has waited, after a look that found too few */
};

/* NOIO: what such an engine may know and ask while it works. The functions take arg. */
struct eng_work {
	void *arg;
	bool (*must_stop)(void *arg);          /* the job has to end */
	bool (*sleep)(void *arg, uint64_t ns); /* sleeps so long at most; over() */
	bool (*io_jobs_ended)(void *arg);      /* all jobs that do I/O beside this one have ended */
	/* A process group runs for this job, whatever becomes of the worker; 0: no more. */
	void (*note_group)(void *arg, int pgid);
	const char *job, *aux_path; /* aux_path NULL: the working directory */
	uint32_t clone;
	uint64_t runtime_ns; /* 0: none */
};

struct engine {
	const char *name;
	const char *alias; /* another name that means this engine, or NULL */
	const char *help;
	unsigned caps;
	unsigned only; /* bits 1 << enum io_dir of the directions that it has; 0: all */
	size_t state_size;
	const struct opt_table *opts; /* own options, or NULL */
	size_t opts_size;
	size_t cmdprio; /* 1 + where these have a struct cmdprio_opts (cmdprio.h); 0: io->prio means nothing
			 */
	int (*init)(struct engine_ctx *);
	int (*submit)(struct engine_ctx *, struct io **, unsigned n);
	int (*reap)(struct engine_ctx *, struct io **, unsigned min, unsigned max, uint64_t timeout_ns);
	int64_t (*do_one)(struct engine_ctx *, struct io *); /* may be NULL */
	void (*fini)(struct engine_ctx *);
	void (*reopen)(struct engine_ctx *, bool open); /* eng_reopen; NULL: nothing is held of files */
	/* NOIO: all that the job does, in place of submit and reap. 0, or -errno with ctx->d filled. */
	int (*work)(struct engine_ctx *, const struct eng_work *);
	/* Why these options make no job, or NULL; may be NULL. */
	const char *(*refuse)(const void *opts);
};

/* Generated by meson from engines/: ends with NULL. */
extern const struct engine *const engine_table[];
/* By name or alias; NULL if there is none. */
const struct engine *engine_find(const char *name);
/* Engines that fio has and this build does not: why, and what to use. NULL if the name is unknown to fio too.
 */
const char *engine_missing(const char *name);
/* The n-th of them with the reason; NULL behind the last. */
const char *engine_missing_at(unsigned n, const char **why);

/* What it does to a file it cannot do again. */
static inline bool eng_not_repeatable(const struct engine *e)
{
	return e->caps & ENG_DELETES || (e->caps & ENG_CREATES && e->caps & ENG_DIRS);
}

/* The priorities of single I/Os that these options of the engine's ask for; NULL if it has none. */
const struct cmdprio_opts *engine_cmdprio(const struct engine *e, const void *opts);

/* 0 or -errno with ctx->d filled. */
int eng_init(struct engine_ctx *ctx);
int eng_submit(struct engine_ctx *ctx, struct io **ios, unsigned n);
int eng_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns);
void eng_fini(struct engine_ctx *ctx);
/* Nothing is with the engine. All files are about to be closed, and what it holds of them goes; or (open)
   they have been opened again. */
void eng_reopen(struct engine_ctx *ctx, bool open);

/* Where the engine has do_one, and nothing is with it: io->res is set afterwards. */
static inline void eng_do_one(struct engine_ctx *ctx, struct io *io)
{
	int64_t res;

	assert(ctx->with_engine == 0 && io->res != IO_IN_ENGINE);
	io->res = IO_IN_ENGINE;
	res = ctx->engine->do_one(ctx, io);
	assert(res != IO_IN_ENGINE);
	io->res = res;
}

#endif
