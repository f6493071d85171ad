/* engine.h: the contract between the core and the engines, the ways of doing I/O. Each engine is one file in
   engines/.

   - submit(ctx, ios, n) takes the first of the n I/Os and returns how many it took (0: none now, reap first),
     or -errno if the engine itself has failed.
   - reap(ctx, out, min, max, timeout_ns) returns at least min completed I/Os (fewer only after the timeout or
     a signal) and at most max; min is at most the number of I/Os in the engine. timeout_ns UINT64_MAX: no
     limit. Each I/O has io->res set: bytes transferred, or -errno. reap returns every submitted I/O exactly
     once. The failure of an I/O is its res; a negative return value means that the engine has failed.
   - At most ctx->depth I/Os are in the engine at a time. io->index < depth identifies an I/O, and its buf is
     always ctx->bufs + index * stride, so descriptors can be filled once.
   - If the engine's interface lacks an operation, submit does it with syscall_io(), and reap returns it like
     the others. Trims are such an operation unless ctx->queued_trims is set.
   - IO_SYNC_FILE_RANGE has its SYNC_FILE_RANGE_* flags in rwf.
   - ENG_META: the core opens nothing. file->type is MISSING if the engine must create the file. The engine
     leaves a new file open in file->fd, and sets file->created for a new directory; the core does the rest
     after it has taken the time.
   - One thread calls init, submit, reap and fini. Engines see only I/Os, files and their own options.
   - do_one(ctx, io) does one I/O at once and returns its res, in place of submit and reap. The core may use
     it at depth 1. An engine whose depth is always 1 (ENG_SYNC) needs neither submit nor reap.

   The core calls engines only through engine_submit, engine_reap and engine_do_one, which assert this
   contract. */
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
struct strbuf;

enum engine_caps {
	ENG_SYNC = 1 << 0,             /* depth is 1: do_one does the I/O, or submit if there is no do_one */
	ENG_BUFFERED_SYNC = 1 << 1,    /* buffered I/O is done inside submit, so its depth is 1 */
	ENG_NOFILE = 1 << 2,           /* has no files to open or lay out (null) */
	ENG_META = 1 << 3,             /* one I/O is one file operation */
	ENG_CREATES = 1 << 4,          /* with ENG_META: creates the file or directory */
	ENG_DELETES = 1 << 5,          /* with ENG_META: removes the file or directory */
	ENG_DIRS = 1 << 6,             /* with ENG_META: works on directories */
	ENG_NOIO = 1 << 7,             /* no I/O at all */
	ENG_RUNS_PROGRAM = 1 << 8,     /* with ENG_NOIO: runs a program whose output goes to files */
	ENG_VIRTUAL = 1 << 9,          /* moves no data (null) */
	ENG_SHARED_POSITION = 1 << 10, /* uses the file position, which threads share */
	ENG_CHANGES_FILES = 1 << 11,   /* changes its files whatever rw is, and reads no data */
	ENG_RWF = 1 << 12,             /* its system calls take RWF_* flags */
	ENG_MAPPED = 1 << 13,          /* works on mappings: files must have their size beforehand */
	ENG_PLUGS = 1 << 14,           /* the kernel plugs a submit of several I/Os: see plug.c */
	ENG_MERGES = 1 << 15,          /* consecutive I/Os of one submit become one transfer */
	ENG_RING = 1 << 16,            /* submits through a ring shared with the kernel */
	ENG_NO_READAHEAD = 1 << 17,    /* buffered reads do not profit from readahead */
	ENG_COMMON_THREADS = 1 << 18,  /* a library does the I/Os of all its users in threads of its own */
	ENG_PASSTHROUGH =
		1 << 19,    /* sends commands to disks: to NVMe namespaces, on their character devices, */
	ENG_SCSI = 1 << 20, /* or to SCSI disks, on their character or block devices */
	ENG_QUEUES_FALLOCATE =
		1 << 21,       /* with queues_trims: also trims of files, and zeroout, by fallocate */
	ENG_STREAMS = 1 << 22, /* writes can have a write stream of Linux */
};

/* The headers of some systems are older than their kernel. */
#ifndef RWF_ATOMIC
#define RWF_ATOMIC 0x00000040
#endif
#ifndef RWF_DONTCACHE
#define RWF_DONTCACHE 0x00000080
#endif

struct engine;
struct engine_ctx {
	const struct engine *engine;
	const struct engine *inner; /* the engine inside an offload_wrapper; else NULL */
	void *state; /* engine->state_size bytes, zeroed; engine_init allocates it, engine_fini frees it */
	const void *opts; /* the engine's own options, or NULL */
	unsigned depth;
	uint32_t write_rwf; /* RWF_* flags of every write, for engines with ENG_RWF */
	struct file *files; /* the worker's files, open when init is called unless files_dynamic */
	unsigned nfiles;
	bool files_dynamic; /* files are opened and closed during the run: do not register them */
	bool files_reopen;  /* all files are closed and reopened between loops: see engine_reopen */
	bool queued_trims;  /* the engine can queue the trims of all files: see queues_trims */
	bool placement;     /* writes have io->placed and io->placement */
	struct iobuf *bufs;
	struct io *ios; /* array of `depth`, in index order; file and op change, buf and index do not */
	struct diag *d;
	char info[240]; /* for the report, such as "registered files, buffers and ring" */
	/* The functions of the engine, or those of the core if it has only do_one; engine_init sets them. */
	int (*submit)(struct engine_ctx *, struct io **, unsigned n);
	int (*reap)(struct engine_ctx *, struct io **, unsigned min, unsigned max, uint64_t timeout_ns);
	struct io *done;   /* the I/O that do_one did, until it is reaped; else NULL */
	unsigned inflight; /* I/Os submitted and not yet reaped; engine_submit and engine_reap maintain it */
	uint64_t waits;    /* how often reap waited because too few I/Os were complete */
};

/* The core's services for an ENG_NOIO engine while it works. The functions take arg. */
struct engine_work {
	void *arg;
	bool (*must_stop)(void *arg);          /* returns whether the job must end */
	bool (*sleep)(void *arg, uint64_t ns); /* sleeps at most this long; returns must_stop() */
	bool (*io_jobs_ended)(void *arg);      /* returns whether all I/O jobs beside it have ended */
	/* Reports the process group that runs for this job, so that the parent can end it if the worker
	   dies; 0: it has ended. */
	void (*note_group)(void *arg, int pgid);
	const char *job, *aux_path; /* aux_path NULL means the working directory */
	const char *rank_name;      /* ends the names of files; NULL: there is one machine */
	uint32_t clone;
	uint64_t runtime_ns; /* 0: none */
};

struct engine {
	const char *name;
	const char *alias[3];   /* its other names in fio, up to NULL */
	const char *stands_for; /* an engine of fio that Linux lacks, or NULL */
	const char *help;
	unsigned caps;
	unsigned only; /* supported directions as bits 1 << enum io_dir; 0: all */
	size_t state_size;
	const struct opt_table *opts; /* the engine's own options, or NULL */
	size_t opts_size;
	size_t cmdprio; /* 1 + offset of the struct cmdprio_opts in the engine's options; 0: the engine
			   ignores io->prio */
	int (*init)(struct engine_ctx *);
	int (*submit)(struct engine_ctx *, struct io **, unsigned n);
	int (*reap)(struct engine_ctx *, struct io **, unsigned min, unsigned max, uint64_t timeout_ns);
	int64_t (*do_one)(struct engine_ctx *, struct io *); /* NULL: there are submit and reap */
	void (*fini)(struct engine_ctx *);
	/* See engine_reopen; NULL if the engine keeps no state of open files. */
	void (*reopen)(struct engine_ctx *, bool open);
	/* ENG_NOIO: runs the whole job, in place of submit and reap. Returns 0, or -errno with ctx->d. */
	int (*work)(struct engine_ctx *, const struct engine_work *);
	/* Returns whether the engine with these options (NULL: the defaults) can queue trims of the open
	   block device fd, which need not be open for writing; fd -1: whether it can for some device. Nothing
	   is trimmed. The function may be NULL: the engine does each trim inside submit. */
	bool (*queues_trims)(const void *opts, int fd);
	/* Returns the reason why these options cannot work, or NULL. The function may be NULL. */
	const char *(*refuse)(const void *opts);
	/* Returns the option that makes the engine transfer the metadata of block devices, or NULL. The
	   function may be NULL: no option does. */
	const char *(*wants_metadata)(const void *opts);
	/* ENG_PASSTHROUGH, or with wants_metadata: returns the option with which the namespace, or the block
	   device, at this path cannot take I/Os of up to `bytes`, with the reason in *why; or NULL. */
	const char *(*refuse_namespace)(const void *opts, const struct nvme_ns *ns, const char *path,
					uint32_t bytes, struct strbuf *why);
	/* Returns the option that needs files which stay open for the whole run, such as "registerfiles=1",
	   or NULL if none was given. The function may be NULL. */
	const char *(*needs_open_files)(const void *opts);
};

/* The build generates this table from engines/; it ends with NULL. */
extern const struct engine *const engine_table[];
/* Finds an engine by name, alias or what it stands for; NULL if unknown. */
const struct engine *engine_find(const char *name);
/* Returns why this build lacks an engine of fio and what to use instead, or NULL if fio has no such
   engine. */
const char *engine_missing(const char *name);
/* Returns the name of the n-th engine that is missing, with the reason in *why; NULL after the last. */
const char *engine_missing_at(unsigned n, const char **why);

/* Returns whether the engine's operation on a file cannot be repeated: it deletes a file, or creates a
   directory. */
static inline bool engine_not_repeatable(const struct engine *e)
{
	return e->caps & ENG_DELETES || (e->caps & ENG_CREATES && e->caps & ENG_DIRS);
}

/* Returns the engine's priority options within opts, or NULL if the engine has none. */
const struct cmdprio_opts *engine_cmdprio(const struct engine *e, const void *opts);

/* Returns 0, or -errno with ctx->d filled. */
int engine_init(struct engine_ctx *ctx);
int engine_submit(struct engine_ctx *ctx, struct io **ios, unsigned n);
int engine_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns);
void engine_fini(struct engine_ctx *ctx);
/* Call this only while no I/O is in the engine. open false: all files are about to be closed, and the engine
   drops its state of them. open true: they are open again. */
void engine_reopen(struct engine_ctx *ctx, bool open);

/* Does one I/O and sets io->res. The engine must have do_one, and no I/O may be in it. */
static inline void engine_do_one(struct engine_ctx *ctx, struct io *io)
{
	int64_t res;

	assert(ctx->inflight == 0 && io->res != IO_IN_ENGINE);
	io->res = IO_IN_ENGINE;
	res = ctx->engine->do_one(ctx, io);
	assert(res != IO_IN_ENGINE);
	io->res = res;
}

#endif
