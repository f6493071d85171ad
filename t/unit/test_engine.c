/* Does each engine of engine_table keep the contract of engine.h? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "engine.h"
#include "offload.h"
#include "opt.h"
#include "rng.h"

#define BLOCK     4096u
#define BLOCKS    256u
#define DEPTH_MAX 64u
#define FOREVER   UINT64_MAX

/* ---- an engine with a file, ready for I/O ---- */

struct rig {
	struct engine_ctx ctx;
	struct diag d;
	struct file file;
	struct iobuf bufs;
	struct io *ios;
	void *opts;
	char path[64];
	bool out[DEPTH_MAX]; /* in flight */
};

static char dir[] = "/tmp/fiord-engine.XXXXXX";

/* Creates a file of BLOCKS blocks of zeroes and returns its descriptor. */
static int make_file(char *path, size_t size, int flags)
{
	int fd;

	snprintf(path, size, "%s/XXXXXX", dir);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(posix_fallocate(fd, 0, BLOCKS * BLOCK), 0);
	close(fd);
	return open(path, flags | O_CLOEXEC);
}

/* options: "name=value name=value" for the engine's own rows, or NULL. */
static int set_options(struct rig *r, const struct engine *e, const char *options)
{
	const struct opt_ctx octx = { .kb_base = 1024 };
	char text[128], *word, *save = NULL;
	int ret = 0;

	if (!e->opts)
		return 0;
	r->opts = calloc(1, e->opts_size);
	assert_non_null(r->opts);
	assert_int_equal(opt_defaults(e->opts, r->opts, &r->d), 0);
	snprintf(text, sizeof(text), "%s", options ? options : "");
	for (word = strtok_r(text, " ", &save); word && !ret; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		const struct opt_row *row;

		if (value)
			*value++ = '\0';
		row = opt_find(e->opts, word);
		assert_non_null(row);
		ret = opt_set(row, r->opts, value, &octx, &r->d);
	}
	r->ctx.opts = r->opts;
	return ret;
}

static void rig_fini(struct rig *r)
{
	engine_fini(&r->ctx);
	if (r->file.fd >= 0)
		close(r->file.fd);
	if (r->path[0])
		unlink(r->path);
	if (r->opts)
		opt_fini(r->ctx.engine->opts, r->opts);
	free(r->opts);
	free(r->bufs.base);
	free(r->ios);
	diag_fini(&r->d);
	memset(r, 0, sizeof(*r));
}

/* The engine behind a face of offload.h; NULL: none. */
static const struct engine *inner;

static void rig_memory(struct rig *r, const struct engine *e, unsigned depth)
{
	r->bufs.stride = BLOCK;
	r->bufs.bytes = (size_t)depth * BLOCK;
	r->bufs.base = aligned_alloc(BLOCK, r->bufs.bytes);
	r->ios = aligned_alloc(_Alignof(struct io), depth * sizeof(*r->ios));
	assert_true(r->bufs.base && r->ios);
	memset(r->ios, 0, depth * sizeof(*r->ios));
	memset(r->bufs.base, 0, r->bufs.bytes);
	for (unsigned i = 0; i < depth; i++) {
		r->ios[i].file = &r->file;
		r->ios[i].buf = r->bufs.base + (size_t)i * BLOCK;
		r->ios[i].index = (uint16_t)i;
		r->ios[i].len = BLOCK;
	}
	r->ctx.engine = e;
	r->ctx.inner = inner;
	r->ctx.depth = depth;
	r->ctx.files = &r->file;
	r->ctx.nfiles = 1;
	r->ctx.bufs = &r->bufs;
	r->ctx.ios = r->ios;
	r->ctx.d = &r->d;
}

/* Sets up the engine on file.fd, or skips it with a message if the machine forbids it. Takes over the
 * descriptor. */
static bool rig_init_fd(struct rig *r, const struct engine *e, unsigned depth, int fd, const char *options)
{
	int ret;

	r->file.fd = fd;
	r->file.path = "test file";
	r->file.type = TARGET_FILE;
	r->file.write = true;
	r->file.len = r->file.size = BLOCKS * BLOCK;
	rig_memory(r, e, depth);
	assert_int_equal(set_options(r, e, options), 0);
	ret = engine_init(&r->ctx);
	if (!ret)
		return true;
	assert_int_equal(ret, r->d.err);
	print_message("skipped: %s %s: %s\n", e->name, options ? options : "", diag_text(&r->d));
	assert_true(ret == -EPERM || ret == -ENOSYS || ret == -EOPNOTSUPP || ret == -ENOMEM);
	rig_fini(r);
	return false;
}

static bool rig_init(struct rig *r, const struct engine *e, unsigned depth, int flags, const char *options)
{
	int fd;

	memset(r, 0, sizeof(*r));
	fd = make_file(r->path, sizeof(r->path), flags);
	if (fd < 0 && (flags & O_DIRECT) && errno == EINVAL) {
		print_message("skipped: no direct I/O in /tmp\n");
		unlink(r->path);
		return false;
	}
	assert_true(fd >= 0);
	return rig_init_fd(r, e, depth, fd, options);
}

static struct io *prepare(struct rig *r, unsigned index, enum io_op op, uint64_t offset, uint32_t len)
{
	struct io *io = &r->ios[index];

	io->op = (uint8_t)op;
	io->offset = offset;
	io->len = len;
	io->rwf = 0;
	return io;
}

/* Submits all n I/Os and reaps when the engine is full. Each I/O must complete once. */
static void run_all(struct rig *r, struct io **ios, unsigned n)
{
	struct io *back[DEPTH_MAX];
	unsigned sent = 0, got = 0;

	while (got < n) {
		unsigned room = r->ctx.depth - r->ctx.inflight, want = n - sent < room ? n - sent : room;
		int ret = want ? engine_submit(&r->ctx, ios + sent, want) : 0;

		assert_true(ret >= 0);
		for (int i = 0; i < ret; i++) {
			assert_false(r->out[ios[sent + i]->index]);
			r->out[ios[sent + i]->index] = true;
		}
		sent += (unsigned)ret;
		ret = engine_reap(&r->ctx, back, 1, r->ctx.inflight, FOREVER);
		assert_true(ret >= 1);
		for (int i = 0; i < ret; i++) {
			assert_true(r->out[back[i]->index]);
			r->out[back[i]->index] = false;
		}
		got += (unsigned)ret;
	}
	assert_int_equal(r->ctx.inflight, 0);
}

/* ---- variants of engines ---- */

static const struct {
	const char *engine, *options;
} variants[] = {
	{ "libaio", "userspace_reap=0" },
	{ "libaio", "userspace_reap" },
	{ "io_uring", "fixedbufs=0 registerfiles=0" },
	{ "io_uring", "fixedbufs=1 registerfiles=1" },
	{ "io_uring", "nonvectored=0" },
	{ "io_uring", "nonvectored=1 fixedbufs=0" },
	{ "io_uring", "nonvectored=0 fixedbufs=1" },
	{ "io_uring", "force_async=2" },
	{ "io_uring", "sqthread_poll=1" },
	{ "io_uring", "sqthread_poll=1 sqthread_poll_cpu=0 registerfiles=0" },
	{ "pvsync2", "uncached=1" },
	{ "mmap", "thp=1" },
};

typedef void engine_test(const struct engine *e, const char *options);

/* Engines that do not read and write files: t/guest/nvme_passthrough.sh has a namespace, scsi_passthrough.sh
 * a disk. */
#define NOT_FILES (ENG_META | ENG_NOIO | ENG_CHANGES_FILES | ENG_PASSTHROUGH)

/* Behind submission threads engines keep the same contract. */
static void each_offloaded(engine_test *test)
{
	for (const struct engine *const *e = engine_table; *e; e++) {
		struct engine wrapper = offload_wrapper(*e);

		if ((*e)->caps & (NOT_FILES | ENG_SHARED_POSITION))
			continue;
		inner = *e;
		test(&wrapper, NULL);
		inner = NULL;
	}
}

static void each_variant(engine_test *test)
{
	for (const struct engine *const *e = engine_table; *e; e++) {
		if (!((*e)->caps & NOT_FILES))
			test(*e, NULL);
	}
	each_offloaded(test);
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		const struct engine *e = engine_find(variants[i].engine);

		if (e)
			test(e, variants[i].options);
	}
}

/* mmap cannot see where in a page a file ends, and needs files that are open for reading. */
static bool maps(const struct engine *e)
{
	return strcmp(e->name, "mmap") == 0;
}

static bool takes_prio(const struct engine *e)
{
	return strcmp(e->name, "libaio") == 0 || strcmp(e->name, "io_uring") == 0;
}

static unsigned depth_for(const struct engine *e, unsigned depth)
{
	return e->caps & ENG_SYNC ? 1 : depth;
}

/* ---- write, read back, compare ---- */

static void transfer_all(struct rig *r, enum io_op op, struct rng *rng, uint64_t *seeds)
{
	for (unsigned block = 0; block < BLOCKS;) {
		struct io *ios[DEPTH_MAX];
		unsigned n = 0;

		for (; n < r->ctx.depth && block < BLOCKS; n++, block++) {
			uint64_t *words = r->ios[n].buf;

			if (op == IO_WRITE)
				seeds[block] = rng_u64(rng);
			for (unsigned i = 0; i < BLOCK / 8; i++)
				words[i] = op == IO_WRITE ? rng_mix64(seeds[block] + i) : 0;
			ios[n] = prepare(r, n, op, (uint64_t)block * BLOCK, BLOCK);
		}
		run_all(r, ios, n);
		for (unsigned k = 0; k < n; k++) {
			const uint64_t *words = r->ios[k].buf;
			unsigned wrong = 0;

			assert_int_equal(r->ios[k].res, BLOCK);
			for (unsigned i = 0; i < BLOCK / 8; i++)
				wrong += words[i] != rng_mix64(seeds[block - n + k] + i);
			assert_true(wrong == 0 || r->ctx.engine->caps & ENG_VIRTUAL);
		}
	}
}

static void round_trip(const struct engine *e, const char *options)
{
	static const unsigned depths[] = { 1, 8, 64 };
	static const int flags[] = { O_RDWR, O_RDWR | O_DIRECT };

	for (unsigned i = 0; i < 6; i++) {
		uint64_t seeds[BLOCKS];
		struct rng rng;
		struct rig r;

		if (!rig_init(&r, e, depth_for(e, depths[i / 2]), flags[i % 2], options))
			continue;
		rng_init(&rng, i);
		transfer_all(&r, IO_WRITE, &rng, seeds);
		transfer_all(&r, IO_READ, &rng, seeds);
		rig_fini(&r);
	}
}

static void test_round_trip(void **state)
{
	(void)state;
	each_variant(round_trip);
}

/* ---- every op, in one batch ---- */

static struct io *prepare_op(struct rig *r, unsigned slot, unsigned op)
{
	bool moves = op <= IO_TRIM || op == IO_SYNC_FILE_RANGE;
	struct io *io =
		prepare(r, slot, (enum io_op)op, op == IO_TRIM ? BLOCK : 2 * BLOCK, moves ? BLOCK : 0);

	if (op == IO_SYNC_FILE_RANGE)
		io->rwf = SYNC_FILE_RANGE_WRITE;
	return io;
}

static void all_ops(const struct engine *e, const char *options)
{
	unsigned char data[BLOCK];
	struct io *ios[IO_OPS];
	struct rig r;

	if (!rig_init(&r, e, depth_for(e, IO_OPS), O_RDWR, options))
		return;
	memset(data, 'x', sizeof(data));
	assert_int_equal(pwrite(r.file.fd, data, BLOCK, 0), BLOCK);
	assert_int_equal(pwrite(r.file.fd, data, BLOCK, BLOCK), BLOCK);
	for (unsigned op = 0; op < IO_OPS; op++) {
		ios[0] = prepare_op(&r, op % r.ctx.depth, op);
		if (r.ctx.depth == 1) {
			run_all(&r, ios, 1);
			assert_int_equal(ios[0]->res, op <= IO_TRIM ? BLOCK : 0);
		}
	}
	if (r.ctx.depth > 1) {
		for (unsigned op = 0; op < IO_OPS; op++)
			ios[op] = &r.ios[op];
		run_all(&r, ios, IO_OPS);
		for (unsigned op = 0; op < IO_OPS; op++)
			assert_int_equal(r.ios[op].res, op <= IO_TRIM ? BLOCK : 0);
	}
	for (unsigned op = 0; op < IO_OPS && e->do_one; op++) {
		ios[0] = prepare_op(&r, op % r.ctx.depth, op);
		engine_do_one(&r.ctx, ios[0]);
		assert_int_equal(ios[0]->res, op <= IO_TRIM ? BLOCK : 0);
	}
	if (!(e->caps & ENG_VIRTUAL)) {
		assert_int_equal(pread(r.file.fd, data, BLOCK, BLOCK), BLOCK);
		for (unsigned i = 0; i < BLOCK; i++)
			assert_int_equal(data[i], 0);
	}
	assert_int_equal(pread(r.file.fd, data, BLOCK, 0), BLOCK);
	assert_int_equal(data[0], 'x');
	rig_fini(&r);
}

static void test_all_ops(void **state)
{
	(void)state;
	each_variant(all_ops);
}

/* ---- short transfers and errors belong to their I/O ---- */

static void short_reads(const struct engine *e, const char *options)
{
	struct rig r;
	struct io *io;

	if (e->caps & ENG_VIRTUAL || !rig_init(&r, e, 1, O_RDWR, options))
		return;
	assert_int_equal(ftruncate(r.file.fd, BLOCK + 100), 0);
	io = prepare(&r, 0, IO_READ, BLOCK, BLOCK);
	run_all(&r, &io, 1);
	assert_int_equal(io->res, maps(e) ? (int)BLOCK : 100);
	io = prepare(&r, 0, IO_READ, 2 * BLOCK, BLOCK);
	run_all(&r, &io, 1);
	assert_int_equal(io->res, 0);
	rig_fini(&r);
}

static void test_short_reads(void **state)
{
	(void)state;
	each_variant(short_reads);
}

static void wrong_descriptor(const struct engine *e, const char *options)
{
	struct rig r;
	struct io *io;

	if (e->caps & ENG_VIRTUAL || !rig_init(&r, e, 1, O_WRONLY, options))
		return;
	io = prepare(&r, 0, IO_READ, 0, BLOCK);
	run_all(&r, &io, 1);
	assert_int_equal(io->res, maps(e) ? -EACCES : -EBADF);
	io = prepare(&r, 0, IO_WRITE, 0, BLOCK);
	run_all(&r, &io, 1);
	assert_int_equal(io->res, maps(e) ? -EACCES : (int)BLOCK);
	rig_fini(&r);

	if (!rig_init_fd(&r, e, 1, -1, options))
		return;
	for (int op = 0; op < IO_OPS; op++) {
		io = prepare(&r, 0, (enum io_op)op, 0, op <= IO_TRIM ? BLOCK : 0);
		run_all(&r, &io, 1);
		assert_int_equal(io->res, -EBADF);
	}
	rig_fini(&r);
}

static void test_wrong_descriptor(void **state)
{
	(void)state;
	each_variant(wrong_descriptor);
}

/* The kernel refuses every third I/O of a batch, some of them in the call that submits. */
static void errors_among_others(const struct engine *e, const char *options)
{
	struct file bad = { .fd = -1, .path = "closed", .type = TARGET_FILE };
	struct io *ios[8];
	struct rig r;

	if (e->caps & ENG_VIRTUAL || strstr(options ? options : "", "registerfiles=1"))
		return;
	if (!rig_init(&r, e, depth_for(e, 8), O_RDWR, options))
		return;
	engine_fini(&r.ctx);
	r.ctx.files_dynamic = true;
	assert_int_equal(engine_init(&r.ctx), 0);
	for (unsigned i = 0; i < r.ctx.depth; i++) {
		ios[i] = prepare(&r, i, i % 2 ? IO_WRITE : IO_READ, (uint64_t)i * BLOCK, BLOCK);
		if (i % 3 == 0)
			ios[i]->file = &bad;
		else if (i % 3 == 1)
			ios[i]->offset = (uint64_t)INT64_MAX + 1 + i;
	}
	run_all(&r, ios, r.ctx.depth);
	for (unsigned i = 0; i < r.ctx.depth; i++)
		assert_int_equal(ios[i]->res, i % 3 == 0 ? -EBADF : i % 3 == 1 ? -EINVAL : (int)BLOCK);
	rig_fini(&r);
}

static void test_errors_among_others(void **state)
{
	(void)state;
	each_variant(errors_among_others);
}

/* Flags and a priority reach the kernel: an invalid one is refused. */
static void flags_arrive(const struct engine *e, const char *options)
{
	struct rig r;
	struct io *io;

	if (e->caps & ENG_VIRTUAL || !rig_init(&r, e, 1, O_RDWR, options))
		return;
	io = prepare(&r, 0, IO_WRITE, 0, BLOCK);
	io->rwf = 1u << 30;
	run_all(&r, &io, 1);
	assert_int_equal(io->res, -EOPNOTSUPP);
	if (takes_prio(e)) {
		io = prepare(&r, 0, IO_WRITE, 0, BLOCK);
		io->prio = 7 << 13; /* no such class */
		run_all(&r, &io, 1);
		assert_int_equal(io->res, -EINVAL);
		io->prio = 2 << 13 | 7; /* best effort */
		run_all(&r, &io, 1);
		assert_int_equal(io->res, BLOCK);
	}
	rig_fini(&r);
}

static void test_flags_arrive(void **state)
{
	(void)state;
	each_variant(flags_arrive);
}

/* ---- mixed batch sizes ---- */

struct soak {
	struct rig *r;
	struct rng rng;
	struct io *idle[DEPTH_MAX];
	unsigned nidle;
	uint64_t submitted, reaped;
};

static void soak_submit(struct soak *s)
{
	unsigned n = (unsigned)rng_below(&s->rng, s->nidle + 1);
	struct io **ios = s->idle + s->nidle - n;
	int ret;

	for (unsigned i = 0; i < n; i++) {
		static const enum io_op ops[] = { IO_READ, IO_WRITE, IO_WRITE, IO_READ,
						  IO_READ, IO_TRIM,  IO_FSYNC, IO_READ };
		enum io_op op = ops[rng_below(&s->rng, 8)];

		prepare(s->r, ios[i]->index, op, rng_below(&s->rng, BLOCKS) * BLOCK,
			op == IO_FSYNC ? 0 : BLOCK);
	}
	if (!n)
		return;
	ret = engine_submit(&s->r->ctx, ios, n);
	assert_true(ret >= 0);
	for (int i = 0; i < ret; i++)
		s->r->out[ios[i]->index] = true;
	memmove(ios, ios + ret, (n - (unsigned)ret) * sizeof(struct io *));
	s->nidle -= (unsigned)ret;
	s->submitted += (unsigned)ret;
}

static void soak_reap(struct soak *s)
{
	static const uint64_t timeouts[] = { 0, 1, 1000000, FOREVER };
	unsigned with = s->r->ctx.inflight, min, max;
	uint64_t timeout = timeouts[rng_below(&s->rng, 4)];
	int ret;

	if (!with)
		return;
	min = (unsigned)rng_below(&s->rng, with + 1);
	max = min + (unsigned)rng_below(&s->rng, with - min + 1);
	max = max ? max : 1;
	ret = engine_reap(&s->r->ctx, s->idle + s->nidle, min, max, timeout);
	assert_true(ret >= 0);
	assert_true((unsigned)ret >= min || timeout != FOREVER);
	for (int i = 0; i < ret; i++) {
		struct io *io = s->idle[s->nidle + (unsigned)i];

		assert_true(s->r->out[io->index]);
		s->r->out[io->index] = false;
		assert_int_equal(io->res, io->len);
	}
	s->nidle += (unsigned)ret;
	s->reaped += (unsigned)ret;
}

static void soak(const struct engine *e, const char *options)
{
	struct soak s = { 0 };
	struct rig r;

	if (!rig_init(&r, e, depth_for(e, 37), O_RDWR | O_DIRECT, options))
		return;
	s.r = &r;
	rng_init(&s.rng, 1);
	for (unsigned i = 0; i < r.ctx.depth; i++)
		s.idle[s.nidle++] = &r.ios[i];
	while (s.submitted < 600) {
		soak_submit(&s);
		soak_reap(&s);
	}
	while (r.ctx.inflight)
		soak_reap(&s);
	assert_int_equal(s.submitted, s.reaped);
	assert_int_equal(s.nidle, r.ctx.depth);
	rig_fini(&r);
}

static void test_soak(void **state)
{
	(void)state;
	each_variant(soak);
}

/* ---- waiting: a read of an empty pipe ends when the test writes to it ---- */

static void on_alarm(int sig)
{
	(void)sig;
}

static void interrupted_wait(struct rig *r, struct io **back)
{
	struct sigaction sa = { .sa_handler = on_alarm }, old;
	struct itimerval on = { { 0, 1000 }, { 0, 1000 } }, off = { { 0, 0 }, { 0, 0 } };

	sigaction(SIGALRM, &sa, &old);
	setitimer(ITIMER_REAL, &on, NULL);
	assert_int_equal(engine_reap(&r->ctx, back, 1, 1, FOREVER), 0);
	setitimer(ITIMER_REAL, &off, NULL);
	sigaction(SIGALRM, &old, NULL);
}

static void test_wait(void **state)
{
	const struct engine *e = engine_find("io_uring");
	struct io *io, *back;
	struct rig r = { 0 };
	int fds[2];

	(void)state;
	if (!e)
		skip(); /* the others would block in submit */
	assert_int_equal(pipe(fds), 0);
	if (!rig_init_fd(&r, e, 2, fds[0], NULL)) {
		close(fds[1]);
		skip();
	}
	io = prepare(&r, 1, IO_READ, 0, BLOCK);
	assert_int_equal(engine_submit(&r.ctx, &io, 1), 1);
	assert_int_equal(engine_reap(&r.ctx, &back, 1, 1, 0), 0);
	assert_int_equal(engine_reap(&r.ctx, &back, 1, 1, 1000000), 0);
	interrupted_wait(&r, &back);
	assert_int_equal(write(fds[1], "fiord", 5), 5);
	assert_int_equal(engine_reap(&r.ctx, &back, 1, 1, FOREVER), 1);
	assert_ptr_equal(back, io);
	assert_int_equal(io->res, 5);
	assert_memory_equal(io->buf, "fiord", 5);
	close(fds[1]);
	rig_fini(&r);
}

/* ---- errors name what the kernel forbids, and an alternative ---- */

/* Runs in a child, whose limits and filters end with it. Returns its exit status. */
static int in_child(int (*fn)(int), int arg)
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(fn(arg));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* True if init fails with err and the message has all the words. The rig is set up except for engine_init. */
static bool fails_saying(struct rig *r, int err, const char *word, const char *word2)
{
	int ret = engine_init(&r->ctx);

	if (ret == err && strstr(diag_text(&r->d), word) && strstr(diag_text(&r->d), word2))
		return true;
	fprintf(stderr, "got %d: %s\n", ret, diag_text(&r->d));
	return false;
}

static int forbidden_child(int err)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { .len = 4, .filter = code };
	struct rig r = { .file.fd = -1 };
	bool ok;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		return 77;
	rig_memory(&r, engine_find("io_uring"), 1);
	ok = fails_saying(&r, -err, "io_uring", "use ioengine=libaio");
	rig_fini(&r);
	return !ok;
}

static void test_forbidden(void **state)
{
	static const int errors[] = { EPERM, ENOSYS };

	(void)state;
	if (!engine_find("io_uring"))
		skip();
	for (unsigned i = 0; i < 2; i++) {
		int status = in_child(forbidden_child, errors[i]);

		if (status == 77)
			skip();
		assert_int_equal(status, 0);
	}
}

/* A user with a small limit on locked memory: the default works without fixed buffers, fixedbufs=1 is an
   error with the reason. */
static int locked_memory_child(int fixed)
{
	struct rlimit few = { 16384, 16384 };
	uid_t nobody = 1000000u + (uid_t)getpid(); /* no other ring counts against this user's limit */
	struct rig r = { .file.fd = -1 };
	bool ok;

	if (setrlimit(RLIMIT_MEMLOCK, &few) || setresuid(nobody, nobody, nobody))
		return 77;
	rig_memory(&r, engine_find("io_uring"), DEPTH_MAX);
	if (set_options(&r, r.ctx.engine, fixed ? "fixedbufs=1" : NULL))
		return 1;
	if (fixed)
		ok = fails_saying(&r, -ENOMEM, "fixedbufs=1", "ulimit -l");
	else
		ok = engine_init(&r.ctx) == 0 && strstr(r.ctx.info, "buffers not registered") != NULL;
	if (!ok)
		fprintf(stderr, "info: %s\n", r.ctx.info);
	rig_fini(&r);
	return !ok;
}

static bool io_uring_works(void)
{
	struct rig r;

	if (!engine_find("io_uring") || !rig_init(&r, engine_find("io_uring"), 1, O_RDWR, NULL))
		return false;
	rig_fini(&r);
	return true;
}

static void test_locked_memory(void **state)
{
	(void)state;
	if (!io_uring_works())
		skip();
	for (int fixed = 0; fixed < 2; fixed++) {
		int status = in_child(locked_memory_child, fixed);

		if (status == 77)
			skip();
		assert_int_equal(status, 0);
	}
}

/* Impossible options are errors in the user's words. */
static void test_refused_options(void **state)
{
	static const struct {
		const char *options;
		bool dynamic;
		int err;
		const char *word, *word2;
	} cases[] = {
		{ "hipri=1", false, -EINVAL, "hipri=1", "direct=1" },
		{ "registerfiles", true, -EINVAL, "registerfiles=1", "opened and closed" },
		{ "sqthread_poll_cpu=0", false, -EINVAL, "sqthread_poll_cpu=0", "sqthread_poll=1" },
		{ "sqthread_poll sqthread_poll_cpu=60000", false, -EINVAL, "sqthread_poll_cpu=60000", "CPU" },
	};

	(void)state;
	if (!io_uring_works())
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rig r = { 0 };

		r.file.fd = make_file(r.path, sizeof(r.path), O_RDWR);
		r.file.path = r.path;
		rig_memory(&r, engine_find("io_uring"), 1);
		assert_int_equal(set_options(&r, r.ctx.engine, cases[i].options), 0);
		r.ctx.files_dynamic = cases[i].dynamic;
		assert_true(fails_saying(&r, cases[i].err, cases[i].word, cases[i].word2));
		rig_fini(&r);
	}
}

/* Polling works, or the report says why not, and the I/Os complete all the same. */
static void test_hipri(void **state)
{
	const struct engine *e = engine_find("io_uring");
	struct soak s = { 0 };
	struct rig r;

	(void)state;
	if (!io_uring_works())
		skip();
	if (!rig_init(&r, e, 8, O_RDWR | O_DIRECT, "hipri"))
		skip();
	assert_true(strstr(r.ctx.info, "polled completions") || strstr(r.ctx.info, "hipri has no effect"));
	s.r = &r;
	for (unsigned i = 0; i < r.ctx.depth; i++)
		s.idle[s.nidle++] = &r.ios[i];
	rng_init(&s.rng, 2);
	while (s.submitted < 200) {
		soak_submit(&s);
		soak_reap(&s);
	}
	while (r.ctx.inflight)
		soak_reap(&s);
	rig_fini(&r);
}

static void test_aio_limit(void **state)
{
	const struct engine *e = engine_find("libaio");
	FILE *f = fopen("/proc/sys/fs/aio-max-nr", "r");
	struct rig r = { .file.fd = -1 };
	unsigned limit = 0;

	(void)state;
	if (!f)
		skip();
	assert_int_equal(fscanf(f, "%u", &limit), 1);
	fclose(f);
	if (!e || limit > 1u << 20 || !rig_init(&r, e, 1, O_RDWR, NULL))
		skip();
	rig_fini(&r);
	r = (struct rig){ .file.fd = -1 };
	rig_memory(&r, e, 1);
	r.ctx.depth = limit + 1;
	r.ctx.ios = NULL;
	assert_true(fails_saying(&r, -EAGAIN, "aio-max-nr", "iodepth"));
	rig_fini(&r);
}

static void test_info(void **state)
{
	struct rig r;

	(void)state;
	if (!io_uring_works())
		skip();
	assert_true(rig_init(&r, engine_find("io_uring"), 8, O_RDWR, NULL));
	assert_non_null(strstr(r.ctx.info, "registered files"));
	rig_fini(&r);
	assert_true(rig_init(&r, engine_find("io_uring"), 8, O_RDWR, "registerfiles=0 fixedbufs=0"));
	assert_null(strstr(r.ctx.info, "files"));
	assert_null(strstr(r.ctx.info, "buffers"));
	rig_fini(&r);
}

/* ---- vsync: one call for several I/Os, one result for each ---- */

static void vsync_batch(struct rig *r, enum io_op op)
{
	struct io *ios[8];

	for (unsigned i = 0; i < 8; i++)
		ios[i] = prepare(r, i, op, (uint64_t)i * BLOCK, BLOCK);
	run_all(r, ios, 8);
}

static void test_vsync_results(void **state)
{
	static const int at_end[] = { BLOCK, BLOCK, BLOCK, 100, 0, 0, 0, 0 };
	struct rig r;
	void *buf;

	(void)state;
	assert_true(rig_init(&r, engine_find("vsync"), 8, O_RDWR, NULL));
	buf = r.ios[2].buf;
	r.ios[2].buf = (void *)8; /* the kernel's error belongs to this one alone */
	vsync_batch(&r, IO_WRITE);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(r.ios[i].res, i == 2 ? -EFAULT : (int)BLOCK);
	r.ios[2].buf = buf;
	assert_int_equal(ftruncate(r.file.fd, 3 * BLOCK + 100), 0);
	vsync_batch(&r, IO_READ);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(r.ios[i].res, at_end[i]);
	rig_fini(&r);
}

/* ---- mmap: operations that a mapping lacks are an error of the I/O, or use system calls ---- */

static int64_t one_io(struct rig *r, enum io_op op, uint64_t offset)
{
	struct io *io = prepare(r, 0, op, offset, BLOCK);

	run_all(r, &io, 1);
	return io->res;
}

static void test_mmap_truncated(void **state)
{
	struct rig r;

	(void)state;
	assert_true(rig_init(&r, engine_find("mmap"), 1, O_RDWR, NULL));
	memset(r.ios[0].buf, 'x', BLOCK);
	assert_int_equal(one_io(&r, IO_WRITE, BLOCK), BLOCK);
	assert_int_equal(ftruncate(r.file.fd, BLOCK + 100), 0);
	assert_int_equal(one_io(&r, IO_READ, 2 * BLOCK), 0);
	assert_int_equal(one_io(&r, IO_WRITE, 2 * BLOCK), -EIO);
	memset(r.ios[0].buf, 0, BLOCK);
	assert_int_equal(one_io(&r, IO_READ, BLOCK + 50), 50);
	assert_int_equal(*(char *)r.ios[0].buf, 'x');
	assert_int_equal(one_io(&r, IO_WRITE, 0), BLOCK);
	assert_int_equal(one_io(&r, IO_FSYNC, 0), 0);
	rig_fini(&r);
}

/* A SIGBUS outside of the engine ends the process as usual. */
static int foreign_sigbus_child(int sent)
{
	struct rig r;
	int ok = rig_init(&r, engine_find("mmap"), 1, O_RDWR, NULL);

	if (!ok || signal(SIGBUS, SIG_DFL) == SIG_ERR)
		return 1;
	engine_fini(&r.ctx);
	if (engine_init(&r.ctx) || ftruncate(r.file.fd, 0))
		return 1;
	unlink(r.path);
	if (sent)
		raise(SIGBUS);
	else
		return *(volatile char *)mmap(NULL, BLOCK, PROT_READ, MAP_SHARED, r.file.fd, 0);
	return 0;
}

static void test_foreign_sigbus(void **state)
{
	(void)state;
	for (int sent = 0; sent < 2; sent++) {
		pid_t pid;
		int status;

		fflush(NULL);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0)
			_exit(foreign_sigbus_child(sent));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	}
}

static void test_mmap_extends(void **state)
{
	struct stat st;
	struct rig r;

	(void)state;
	assert_true(rig_init(&r, engine_find("mmap"), 1, O_RDWR, NULL));
	engine_fini(&r.ctx);
	assert_int_equal(ftruncate(r.file.fd, 0), 0);
	assert_int_equal(engine_init(&r.ctx), 0);
	assert_int_equal(one_io(&r, IO_WRITE, (BLOCKS - 1) * BLOCK), BLOCK);
	assert_int_equal(fstat(r.file.fd, &st), 0);
	assert_int_equal(st.st_size, BLOCKS * BLOCK);
	assert_int_equal(one_io(&r, IO_WRITE, BLOCKS * BLOCK), BLOCK); /* beyond the range */
	assert_int_equal(fstat(r.file.fd, &st), 0);
	assert_int_equal(st.st_size, (BLOCKS + 1) * BLOCK);
	rig_fini(&r);
}

/* If a name gets another file between two I/Os, the engine maps the new file. */
static void test_mmap_other_file(void **state)
{
	char path[64], data[BLOCK];
	struct rig r;
	int fd;

	(void)state;
	assert_true(rig_init(&r, engine_find("mmap"), 1, O_RDWR, NULL));
	engine_fini(&r.ctx);
	r.ctx.files_dynamic = true;
	assert_int_equal(engine_init(&r.ctx), 0);
	assert_int_equal(one_io(&r, IO_WRITE, 0), BLOCK);
	fd = make_file(path, sizeof(path), O_RDWR);
	assert_int_equal(dup2(fd, r.file.fd), r.file.fd);
	memset(r.ios[0].buf, 'y', BLOCK);
	assert_int_equal(one_io(&r, IO_WRITE, 0), BLOCK);
	assert_int_equal(pread(fd, data, BLOCK, 0), BLOCK);
	assert_int_equal(data[0], 'y');
	close(fd);
	unlink(path);
	rig_fini(&r);
}

/* The address space has room for a part of the file only. */
static int little_room_child(int arg)
{
	struct rlimit few = { 0, 0 };
	unsigned long pages = 0;
	struct rng rng;
	struct rig r;
	FILE *f;

	(void)arg;
	if (!rig_init(&r, engine_find("mmap"), 1, O_RDWR, NULL))
		return 1;
	engine_fini(&r.ctx);
	f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%lu", &pages) != 1)
		return 77;
	few.rlim_cur = few.rlim_max = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + BLOCKS * BLOCK / 4;
	if (setrlimit(RLIMIT_AS, &few) || engine_init(&r.ctx))
		return 77;
	rng_init(&rng, 3);
	for (unsigned i = 0; i < 500; i++) {
		uint64_t at = rng_below(&rng, BLOCKS) * BLOCK, back = 0;

		*(uint64_t *)r.ios[0].buf = at + i;
		if (one_io(&r, IO_WRITE, at) != BLOCK || pread(r.file.fd, &back, 8, (off_t)at) != 8 ||
		    back != at + i)
			return 1;
	}
	rig_fini(&r);
	return 0;
}

static void test_mmap_little_room(void **state)
{
	int status = in_child(little_room_child, 0);

	(void)state;
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
}

/* ---- pvsync2 ---- */

static void test_pvsync2_refuses(void **state)
{
	struct rig r = { 0 };

	(void)state;
	r.file.fd = make_file(r.path, sizeof(r.path), O_RDWR);
	r.file.path = r.path;
	rig_memory(&r, engine_find("pvsync2"), 1);
	assert_int_equal(set_options(&r, r.ctx.engine, "hipri=1"), 0);
	assert_true(fails_saying(&r, -EINVAL, "hipri=1", "direct=1"));
	rig_fini(&r);
}

/* ---- names ---- */

static void test_names(void **state)
{
	static const struct {
		const char *name, *word; /* word NULL: the name is unknown to fio too */
	} cases[] = {
		{ "net", "iperf3" },
		{ "netsplice", "iperf3" },
		{ "e4defrag", "e4defrag" },
		{ "mtd", "MTD" },
		{ "libpmem", "mmap" },
		{ "dev-dax", "DAX" },
		{ "nfs", "mounted" },
		{ "libzbc", "zonemode" },
		{ "binject", "removed" },
		{ "rbd", "librbd" },
		{ "io_uring_cmd", "liburing-dev" },
		{ "libaio", "libaio-dev" },
		{ "aio", "libaio-dev" },
		{ "linuxaio", "libaio-dev" },
		{ "windowsaio", "libaio-dev" },
		{ "io_uring", "liburing-dev" },
		{ "external:/x/y.so", "fiord cannot load" },
		{ "cpp_null", "engine null" },
		{ "externally", NULL },
		{ "psnyc", NULL },
		{ "sync", NULL },
		{ "", NULL },
	};

	const char *name, *why;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		why = engine_missing(cases[i].name);
		assert_true(why ? cases[i].word && strstr(why, cases[i].word) : !cases[i].word);
	}
	for (unsigned n = 0; (name = engine_missing_at(n, &why)); n++) {
		assert_null(engine_find(name));
		assert_string_equal(engine_missing(name), why);
	}
	for (const struct engine *const *e = engine_table; *e; e++) {
		assert_ptr_equal(engine_find((*e)->name), *e);
		for (unsigned i = 0; (*e)->alias[i]; i++)
			assert_ptr_equal(engine_find((*e)->alias[i]), *e);
		assert_true(!(*e)->stands_for || engine_find((*e)->stands_for) == *e);
		assert_true((*e)->help);
		assert_true(!(*e)->submit == !(*e)->reap);
		assert_true((*e)->caps & ENG_NOIO   ? (*e)->work != NULL
			    : (*e)->caps & ENG_SYNC ? (*e)->submit || (*e)->do_one
						    : (*e)->submit != NULL);
	}
	assert_null(engine_find("sycn"));
	assert_null(engine_find(""));
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

/* Removes the files that failed tests have left, too. */
static int remove_dir(void **state)
{
	char cmd[64];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

int unit_engine(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_all_ops),
		cmocka_unit_test(test_short_reads),
		cmocka_unit_test(test_wrong_descriptor),
		cmocka_unit_test(test_errors_among_others),
		cmocka_unit_test(test_flags_arrive),
		cmocka_unit_test(test_soak),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_locked_memory),
		cmocka_unit_test(test_refused_options),
		cmocka_unit_test(test_hipri),
		cmocka_unit_test(test_aio_limit),
		cmocka_unit_test(test_info),
		cmocka_unit_test(test_vsync_results),
		cmocka_unit_test(test_mmap_truncated),
		cmocka_unit_test(test_foreign_sigbus),
		cmocka_unit_test(test_mmap_extends),
		cmocka_unit_test(test_mmap_other_file),
		cmocka_unit_test(test_mmap_little_room),
		cmocka_unit_test(test_pvsync2_refuses),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
