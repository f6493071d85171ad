#include "debug_io.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "strbuf.h"

struct debug_io {
	struct engine wrapper; /* what the core sees; the first member */
	const struct engine *inner;
	struct strbuf lines; /* not written yet */
	int fd, error;
	pid_t tid;
};

static struct debug_io *debug_io_of(const struct engine_ctx *ctx)
{
	return (struct debug_io *)ctx->engine;
}

static void write_lines(struct debug_io *t)
{
	struct pollfd p = { .fd = t->fd, .events = POLLOUT };
	size_t done = 0;

	while (done < t->lines.len && !t->error) {
		ssize_t n = write(t->fd, t->lines.text + done, t->lines.len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno == EAGAIN)
			poll(&p, 1, -1);
		else if (errno != EINTR)
			t->error = errno;
	}
	if (t->lines.failed && !t->error)
		t->error = ENOMEM;
	strbuf_clear(&t->lines);
}

static void begin_event(struct debug_io *t, const char *event, const struct io *io)
{
	strbuf_printf(&t->lines, "%-8s %-5d %s: io_u %p: ", "io", t->tid, event, (const void *)io);
}

/* ddir is fio's number of the operation; enum io_op has the same order. */
static void put_io(struct debug_io *t, const char *event, const struct io *io)
{
	bool moves_data = io->op <= IO_TRIM;

	begin_event(t, event, io);
	strbuf_printf(&t->lines, "off=0x%" PRIx64 ",len=0x%" PRIx32 ",ddir=%u,file=", io->offset,
		      moves_data ? io->len : 0, io->op);
	strbuf_plain(&t->lines, io->file && io->file->path ? io->file->path : "");
	strbuf_putc(&t->lines, '\n');
}

static void put_completion(struct debug_io *t, const struct io *io, int64_t res)
{
	put_io(t, "complete", io);
	if (res == (io->op <= IO_TRIM ? io->len : 0))
		return;
	begin_event(t, "complete", io);
	strbuf_printf(&t->lines, "ret=%" PRId64 "\n", res);
}

static int debug_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	struct debug_io *t = debug_io_of(ctx);
	int taken;

	for (unsigned i = 0; i < n; i++)
		put_io(t, "queue", ios[i]);
	write_lines(t);
	taken = t->inner->submit(ctx, ios, n);
	for (unsigned i = taken > 0 ? (unsigned)taken : 0; i < n; i++)
		put_io(t, "requeue", ios[i]);
	write_lines(t);
	return taken;
}

static int debug_reap(struct engine_ctx *ctx, struct io **out, unsigned min, unsigned max,
		      uint64_t timeout_ns)
{
	struct debug_io *t = debug_io_of(ctx);
	int n = t->inner->reap(ctx, out, min, max, timeout_ns);

	for (int i = 0; i < n; i++)
		put_completion(t, out[i], out[i]->res);
	write_lines(t);
	return n;
}

static int64_t debug_do_one(struct engine_ctx *ctx, struct io *io)
{
	struct debug_io *t = debug_io_of(ctx);
	int64_t res;

	put_io(t, "queue", io);
	write_lines(t);
	res = t->inner->do_one(ctx, io);
	put_completion(t, io, res);
	write_lines(t);
	return res;
}

const struct engine *debug_io_new(const struct engine *inner, int fd)
{
	struct debug_io *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->wrapper = *inner;
	t->wrapper.submit = debug_submit;
	t->wrapper.reap = debug_reap;
	t->wrapper.do_one = inner->do_one ? debug_do_one : NULL;
	t->inner = inner;
	t->fd = fd;
	t->tid = (pid_t)syscall(SYS_gettid);
	return &t->wrapper;
}

int debug_io_free(const struct engine *wrapper)
{
	struct debug_io *t = (struct debug_io *)wrapper;
	int error = t ? t->error : 0;

	if (t)
		strbuf_fini(&t->lines);
	free(t);
	return error;
}
