/* engine.c: calls the engines, asserts their contract, and lists them. */
#include "engine.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool has_name(const struct engine *e, const char *name)
{
	for (unsigned i = 0; e->alias[i]; i++)
		if (!strcmp(e->alias[i], name))
			return true;
	return !strcmp(e->name, name) || (e->stands_for && !strcmp(e->stands_for, name));
}

const struct engine *engine_find(const char *name)
{
	for (const struct engine *const *e = engine_table; *e; e++)
		if (has_name(*e, name))
			return *e;
	return NULL;
}

const char *io_op_name(unsigned op)
{
	static const char *const names[IO_OPS] = { "read",      "write",           "trim",  "fsync",
						   "fdatasync", "sync_file_range", "syncfs" };

	return op < IO_OPS ? names[op] : "?";
}

const struct cmdprio_opts *engine_cmdprio(const struct engine *e, const void *opts)
{
	const unsigned char *at = opts;

	return at && e->cmdprio ? (const struct cmdprio_opts *)(const void *)(at + e->cmdprio - 1) : NULL;
}

#define NEEDS(what) "needs " what ", which fiord does not include"
#define NETWORK     "sends over a network, and fiord measures storage; iperf3 measures networks"
#define EXTERNAL    "external engines are built against fio's sources, and fiord cannot load them"
#define BUILD_LACKS(what, pkg, use) \
	"this build lacks " what " (install " pkg " and build again), or use engine " use

struct missing {
	const char *name, *why;
};

/* clang-format off */
static const struct missing missing[] = {
	/* engine_find() prefers the engine itself if the build has it */
	{ "libaio", BUILD_LACKS("libaio", "libaio-dev", "psync") },
	{ "aio", BUILD_LACKS("libaio", "libaio-dev", "psync") },
	{ "linuxaio", BUILD_LACKS("libaio", "libaio-dev", "psync") },
	{ "windowsaio", "it stands for libaio, and " BUILD_LACKS("libaio", "libaio-dev", "psync") },
	{ "io_uring", BUILD_LACKS("liburing", "liburing-dev", "libaio") },

	{ "net", NETWORK },
	{ "netsplice", NETWORK },
	{ "io_uring_cmd", BUILD_LACKS("liburing", "liburing-dev", "libaio on the block device") },
	{ "e4defrag", NEEDS("the ext4 block exchange call") "; the program e4defrag defragments" },
	{ "mtd", NEEDS("raw flash (an MTD device)") "; use engine psync on /dev/mtdblockN" },
	{ "rbd", NEEDS("librbd (Ceph)") "; use a mapped /dev/rbdN" },
	{ "rados", NEEDS("librados (Ceph)") "; the program rados bench measures that, or use a mapped /dev/rbdN" },
	{ "http", NEEDS("libcurl and an S3, Swift or WebDAV server") "; use a mounted bucket" },
	{ "nbd", NEEDS("libnbd") "; use a connected /dev/nbdN" },
	{ "rdma", NEEDS("librdmacm and an RDMA network") "; perftest (ib_write_bw and others) measures those" },
	{ "gfapi", NEEDS("libgfapi (Gluster)") "; use the mounted volume" },
	{ "gfapi_async", NEEDS("libgfapi (Gluster)") "; use the mounted volume" },
	{ "libiscsi", NEEDS("libiscsi") "; use the block device of a logged-in session" },
	{ "libhdfs", NEEDS("libhdfs (Hadoop)") "; use a mount of it (hdfs-fuse)" },
	{ "dfs", NEEDS("libdfs (DAOS)") "; use the mounted container (dfuse)" },
	{ "nfs", NEEDS("libnfs") "; use the mounted file system" },
	{ "xnvme", NEEDS("libxnvme") "; use engine io_uring on the block device" },
	{ "libblkio", NEEDS("libblkio") "; use engine io_uring on the block device" },
	{ "libcufile", NEEDS("cuFile and a CUDA device") "; gdsio measures that" },
	{ "libhipfile", NEEDS("hipFile and a ROCm device") "; use engine io_uring into the host's memory" },
	{ "ime_psync", NEEDS("the IME client library") "; use engine psync on its mount" },
	{ "ime_psyncv", NEEDS("the IME client library") "; use engine pvsync on its mount" },
	{ "ime_aio", NEEDS("the IME client library") "; use engine libaio on its mount" },
	{ "libpmem", NEEDS("libpmem (PMDK)") "; use engine mmap on a file of a DAX mount" },
	{ "pmemblk", NEEDS("libpmemblk (PMDK)") "; use engine mmap on a file of a DAX mount" },
	{ "dev-dax", NEEDS("libpmem (PMDK) and a DAX character device")
		"; use engine mmap on a file of a DAX mount" },
	{ "libzbc", NEEDS("libzbc and a zoned disk") "; zonemode=zbd uses zoned disks with the engines of fiord" },
	{ "solarisaio", "belongs to Solaris; use engine libaio or io_uring" },
	{ "guasi", "was removed from fio; use engine libaio or io_uring" },
	{ "binject", "was removed from fio; use engine io_uring on the block device" },
	{ "syslet-rw", "was removed from fio; use engine io_uring" },
	{ "external", EXTERNAL },
	{ "cpp_null", EXTERNAL "; use engine null, which does the same" },
	{ NULL, NULL },
};
/* clang-format on */

const char *engine_missing(const char *name)
{
	static const char external[] = "external:";

	if (!strncmp(name, external, sizeof(external) - 1))
		return EXTERNAL;
	for (const struct missing *m = missing; m->name; m++)
		if (!strcmp(m->name, name))
			return m->why;
	return NULL;
}

const char *engine_missing_at(unsigned n, const char **why)
{
	const struct missing *m = missing;

	for (; m->name && (engine_find(m->name) || n--); m++)
		;
	*why = m->why;
	return m->name;
}

/* Marks the I/Os before the call, so that a report about an engine that never returns shows them. */
static void mark_held(struct io **ios, unsigned n)
{
#pragma GCC unroll 4
	for (unsigned i = 0; i < n; i++) {
		assert(ios[i]->res != IO_IN_ENGINE);
		ios[i]->res = IO_IN_ENGINE;
	}
}

static void mark_refused(struct io **ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		ios[i]->res = -EAGAIN;
}

static void assert_returned(struct io **ios, unsigned n)
{
#pragma GCC unroll 4
	for (unsigned i = 0; i < n; i++)
		assert(ios[i]->res != IO_IN_ENGINE);
}

/* Submits one I/O to an engine that has only do_one. */
static int submit_one(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	(void)n;
	ctx->done = ios[0];
	ctx->done->res = ctx->engine->do_one(ctx, ios[0]);
	return 1;
}

static int reap_one(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	(void)min, (void)max, (void)timeout_ns;
	if (!ctx->done)
		return 0;
	out[0] = ctx->done;
	ctx->done = NULL;
	return 1;
}

int engine_init(struct engine_ctx *ctx)
{
	const struct engine *e = ctx->engine;
	int ret;

	assert(ctx->depth > 0 && !ctx->state);
	assert(ctx->depth == 1 || !(e->caps & ENG_SYNC));
	ctx->submit = e->submit ? e->submit : submit_one;
	ctx->reap = e->reap ? e->reap : reap_one;
	ctx->done = NULL;
	ctx->inflight = 0;
	ctx->info[0] = '\0';
	if (e->state_size) {
		ctx->state = calloc(1, e->state_size);
		if (!ctx->state)
			return diag_err(ctx->d, -ENOMEM, "{ioengine=%s}: out of memory", e->name);
	}
	ret = e->init ? e->init(ctx) : 0;
	if (ret) {
		free(ctx->state);
		ctx->state = NULL;
	}
	return ret;
}

int engine_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	int ret;

	assert(n > 0 && n <= ctx->depth - ctx->inflight);
	mark_held(ios, n);
	ret = ctx->submit(ctx, ios, n);
	assert(ret <= (int)n);
	if (ret < (int)n)
		mark_refused(ios + (ret > 0 ? ret : 0), n - (unsigned)(ret > 0 ? ret : 0));
	if (ret <= 0)
		return ret;
	ctx->inflight += (unsigned)ret;
	return ret;
}

int engine_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max, uint64_t timeout_ns)
{
	int ret;

	assert(min <= max && max > 0 && min <= ctx->inflight);
	ret = ctx->reap(ctx, out, min, max, timeout_ns);
	if (ret <= 0)
		return ret;
	assert((unsigned)ret <= max && (unsigned)ret <= ctx->inflight);
	assert_returned(out, (unsigned)ret);
	ctx->inflight -= (unsigned)ret;
	return ret;
}

void engine_fini(struct engine_ctx *ctx)
{
	if (!ctx->engine)
		return;
	if (ctx->engine->fini && (ctx->state || !ctx->engine->state_size))
		ctx->engine->fini(ctx);
	free(ctx->state);
	ctx->state = NULL;
}

void engine_reopen(struct engine_ctx *ctx, bool open)
{
	assert(ctx->inflight == 0);
	if (ctx->engine->reopen)
		ctx->engine->reopen(ctx, open);
}
