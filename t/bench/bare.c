#include "bare.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "clock.h"
#include "rng.h"

#define BS 4096u

static void *buffers(unsigned count)
{
	void *p = mmap(NULL, (size_t)count * BS, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

int bare_psync(const char *path, uint64_t bytes, uint64_t ios)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *buf = buffers(1);
	struct rng r;

	if (fd < 0 || !buf)
		return -errno;
	rng_init(&r, 1);
	for (uint64_t i = 0; i < ios; i++) {
		if (pread(fd, buf, BS, (off_t)(rng_below(&r, bytes / BS) * BS)) != BS)
			return -EIO;
	}
	close(fd);
	return 0;
}

static int ring_init(struct io_uring *ring, int fd, unsigned char *buf, unsigned depth)
{
	struct iovec iov = { buf, (size_t)depth * BS };
	int ret = io_uring_queue_init(depth, ring, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);

	if (ret < 0)
		return ret;
	io_uring_register_ring_fd(ring);
	ret = io_uring_register_files(ring, &fd, 1);
	return ret < 0 ? ret : io_uring_register_buffers(ring, &iov, 1);
}

int bare_uring(const char *path, uint64_t bytes, uint64_t ios, unsigned depth)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	unsigned char *buf = buffers(depth);
	uint64_t sent = 0, done = 0;
	unsigned busy = 0;
	unsigned *idle = calloc(depth, sizeof(*idle)), nidle = depth;
	struct io_uring ring;
	struct rng r;

	if (fd < 0 || !buf || !idle)
		return -errno;
	ret = ring_init(&ring, fd, buf, depth);
	if (ret < 0)
		return ret;
	rng_init(&r, 1);
	for (unsigned i = 0; i < depth; i++)
		idle[i] = i;
	while (done < ios) {
		struct io_uring_cqe *cqe;
		unsigned head, n = 0;

		while (nidle && sent < ios) {
			unsigned i = idle[--nidle];
			struct io_uring_sqe *sqe = io_uring_get_sqe(&ring);

			io_uring_prep_read_fixed(sqe, 0, buf + (size_t)i * BS, BS,
						 rng_below(&r, bytes / BS) * BS, 0);
			sqe->flags |= IOSQE_FIXED_FILE;
			sqe->user_data = i;
			sent++;
			busy++;
		}
		io_uring_submit_and_wait(&ring, 1);
		io_uring_for_each_cqe(&ring, head, cqe)
		{
			if (cqe->res != (int)BS)
				return -EIO;
			idle[nidle++] = (unsigned)cqe->user_data;
			n++;
		}
		io_uring_cq_advance(&ring, n);
		busy -= n;
		done += n;
	}
	io_uring_queue_exit(&ring);
	free(idle);
	close(fd);
	return 0;
}

/* So that the compiler must do the work. */
static volatile uint64_t sink;

int bare_null(uint64_t bytes, uint64_t ios, unsigned depth)
{
	struct rng r;

	rng_init(&r, 1);
	for (uint64_t i = 0; i < ios; i += depth) {
		uint64_t t = clock_ns();

		for (unsigned k = 0; k < depth; k++)
			sink = rng_below(&r, bytes / BS) * BS;
		sink = clock_ns() - t;
	}
	return 0;
}
