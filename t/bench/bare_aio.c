/* bare_aio.c: a loop on the kernel's native asynchronous I/O. Requests are filled once, completions are
   read from the ring that the kernel maps into the process, and io_getevents is called only to wait. */
#include <errno.h>
#include <libaio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "bare_draw.h"

/* An io_context_t points to this mapping. */
struct aio_ring {
	unsigned id, nr;
	_Atomic unsigned head, tail;
	unsigned magic, compat_features, incompat_features, header_length;
	struct io_event events[];
};

static void prepare(const struct bare *b, struct iocb *cbs)
{
	for (unsigned i = 0; i < b->j->depth; i++) {
		unsigned char *buf = b->bufs + (size_t)i * b->j->bs;

		if (b->j->read_percent)
			io_prep_pread(&cbs[i], b->fd, buf, b->j->bs, 0);
		else
			io_prep_pwrite(&cbs[i], b->fd, buf, b->j->bs, 0);
	}
}

static int submit(struct bare *b, io_context_t aio, struct iocb **list, unsigned n)
{
	enum io_dir dir = b->j->read_percent ? DIR_READ : DIR_WRITE;

	for (unsigned i = 0; i < n; i++) {
		uint64_t at = bare_offset(b, dir);

		list[i]->u.c.offset = (long long)at;
		if (dir == DIR_WRITE)
			bare_touch(b, list[i]->u.c.buf, at);
	}
	for (unsigned k = 0; k < n;) {
		int ret = io_submit(aio, n - k, list + k);

		if (ret < 0)
			return ret;
		k += (unsigned)ret;
	}
	return 0;
}

/* Collects the requests that have completed; returns their number or -errno. */
static int reap(const struct bare *b, struct aio_ring *ring, struct iocb **list)
{
	unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	unsigned tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	int n = 0;

	while (head != tail) {
		const struct io_event *e = &ring->events[head];

		if (e->res != b->j->bs)
			return (long)e->res < 0 ? (int)(long)e->res : -EIO;
		list[n++] = e->obj;
		head = head + 1 < ring->nr ? head + 1 : 0;
	}
	atomic_store_explicit(&ring->head, head, memory_order_release);
	return n;
}

static int wait_one(const struct bare *b, io_context_t aio, struct iocb **list)
{
	struct io_event e;
	int ret = io_getevents(aio, 1, 1, &e, NULL);

	if (ret != 1)
		return ret < 0 ? ret : -EIO;
	list[0] = e.obj;
	return e.res == b->j->bs ? 1 : -EIO;
}

static int loop(struct bare *b, io_context_t aio, struct iocb **list)
{
	struct aio_ring *ring = (struct aio_ring *)(void *)aio;
	uint64_t left = b->j->ios;
	unsigned n = b->j->depth, busy = 0;

	while (left || busy) {
		int ret, more;

		if (n > left)
			n = (unsigned)left;
		ret = submit(b, aio, list, n);
		if (ret)
			return ret;
		left -= n;
		busy += n;
		ret = reap(b, ring, list);
		if (ret == 0) {
			ret = wait_one(b, aio, list);
			more = ret > 0 ? reap(b, ring, list + 1) : 0;
			ret = more < 0 ? more : ret + more;
		}
		if (ret < 0)
			return ret;
		n = (unsigned)ret;
		busy -= n;
	}
	return 0;
}

int bare_aio(struct bare *b)
{
	struct iocb *cbs = calloc(b->j->depth, sizeof(*cbs));
	struct iocb **list = calloc(b->j->depth + 1, sizeof(*list));
	io_context_t aio = NULL;
	int ret = cbs && list ? io_setup((int)b->j->depth, &aio) : -ENOMEM;

	if (ret)
		return ret;
	if (((struct aio_ring *)(void *)aio)->magic != 0xa10a10a1)
		return -EOPNOTSUPP;
	prepare(b, cbs);
	for (unsigned i = 0; i < b->j->depth; i++)
		list[i] = &cbs[i];
	return loop(b, aio, list);
}
