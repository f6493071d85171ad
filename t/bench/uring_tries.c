/* uring_tries.c: a bare loop of random reads on io_uring that tries what newer kernels offer: a ring without
   the array of indices, hybrid polling, a wait for several completions that ends after a time, and buffers
   cloned from another ring. t/bench/uring_tries.sh runs it.

   uring-tries DEVICE DEPTH IOS [nosqarray] [poll] [hybrid] [wait=N] [min_wait=USEC]    prints CPU time and
   time of an I/O, in ns uring-tries clone DEPTH TIMES    prints the CPU time to register the buffers of a job
   of that depth, and to clone them, in ns */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The header of Debian 12 lacks these. */
#define SETUP_NO_SQARRAY    (1u << 16) /* Linux 6.6 */
#define SETUP_HYBRID_IOPOLL (1u << 17) /* Linux 6.13 */
#define REGISTER_CLONE      30u        /* Linux 6.12 */

/* With the field that Linux 6.12 added. */
struct wait_arg {
	uint64_t sigmask;
	uint32_t sigmask_sz, min_wait_usec;
	uint64_t ts;
};

struct clone_arg {
	uint32_t src_fd, flags, src_off, dst_off, nr, pad[3];
};

#define BLOCK 4096u

struct tried {
	unsigned depth, wait, min_wait_usec, setup;
	uint64_t ios, blocks;
	int fd;
	unsigned char *bufs;
	struct io_uring ring;
	uint64_t random;
	uint64_t waits;
};

static void fail(const char *what, int err)
{
	fprintf(stderr, "uring-tries: %s: %s\n", what, strerror(err));
	exit(1);
}

static uint64_t cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
	       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* liburing 2.3 maps the array even if the kernel has none; it then points into the ring, and nothing uses it.
 */
static void make_ring(struct io_uring *ring, unsigned depth, unsigned setup)
{
	struct io_uring_params p = { .flags = setup | IORING_SETUP_SINGLE_ISSUER |
					      IORING_SETUP_DEFER_TASKRUN };
	int fd = io_uring_setup(depth, &p), ret;

	if (fd < 0)
		fail("io_uring_setup", -fd);
	ret = io_uring_queue_mmap(fd, &p, ring);
	if (ret)
		fail("io_uring_queue_mmap", -ret);
}

static unsigned char *make_bufs(unsigned depth)
{
	void *p = mmap(NULL, (size_t)depth * BLOCK, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED)
		fail("mmap", errno);
	return p;
}

static void register_bufs(struct io_uring *ring, unsigned char *bufs, unsigned depth)
{
	struct iovec v = { bufs, (size_t)depth * BLOCK };
	int ret = io_uring_register_buffers(ring, &v, 1);

	if (ret)
		fail("io_uring_register_buffers", -ret);
}

static uint64_t draw(struct tried *t)
{
	t->random = t->random * 6364136223846793005u + 1442695040888963407u;
	return (t->random >> 33) % t->blocks * BLOCK;
}

/* What stays the same in all requests is written once. */
static void prepare(struct tried *t)
{
	for (unsigned i = 0; i < t->depth; i++) {
		struct io_uring_sqe *sqe = &t->ring.sq.sqes[i];

		memset(sqe, 0, sizeof(*sqe));
		sqe->opcode = IORING_OP_READ_FIXED;
		sqe->flags = IOSQE_FIXED_FILE;
		sqe->len = BLOCK;
		sqe->addr = (uintptr_t)(t->bufs + (size_t)i * BLOCK);
		sqe->user_data = i;
	}
}

/* Each I/O has a request of its own, which the array of indices names. */
static void queue(struct tried *t, const unsigned *slot, unsigned n)
{
	struct io_uring_sq *sq = &t->ring.sq;
	unsigned tail = *sq->ktail, mask = *sq->kring_mask;

	for (unsigned i = 0; i < n; i++) {
		sq->sqes[slot[i]].off = draw(t);
		sq->array[(tail + i) & mask] = slot[i];
	}
	io_uring_smp_store_release(sq->ktail, tail + n);
}

/* Without the array the requests are in the order of the ring, so an I/O has another one each time. */
static void queue_in_order(struct tried *t, const unsigned *slot, unsigned n)
{
	struct io_uring_sq *sq = &t->ring.sq;
	unsigned tail = *sq->ktail, mask = *sq->kring_mask;

	for (unsigned i = 0; i < n; i++) {
		struct io_uring_sqe *sqe = &sq->sqes[(tail + i) & mask];

		sqe->off = draw(t);
		sqe->addr = (uintptr_t)(t->bufs + (size_t)slot[i] * BLOCK);
		sqe->user_data = slot[i];
	}
	io_uring_smp_store_release(sq->ktail, tail + n);
}

static unsigned reap(struct tried *t, unsigned *slot)
{
	struct io_uring_cq *cq = &t->ring.cq;
	unsigned head = *cq->khead, tail = io_uring_smp_load_acquire(cq->ktail), mask = *cq->kring_mask,
		 n = tail - head;

	for (unsigned i = 0; i < n; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & mask];

		if (cqe->res != (int)BLOCK)
			fail("read", cqe->res < 0 ? -cqe->res : EIO);
		slot[i] = (unsigned)cqe->user_data;
	}
	io_uring_smp_store_release(cq->khead, tail);
	return n;
}

static int enter(struct tried *t, unsigned n, unsigned wait)
{
	struct __kernel_timespec second = { .tv_sec = 1 };
	struct wait_arg arg = { .min_wait_usec = t->min_wait_usec, .ts = (uintptr_t)&second };
	unsigned flags = IORING_ENTER_GETEVENTS | IORING_ENTER_REGISTERED_RING;

	t->waits++;
	if (!t->min_wait_usec)
		return io_uring_enter2((unsigned)t->ring.enter_ring_fd, n, wait, flags, NULL, 0);
	return io_uring_enter2((unsigned)t->ring.enter_ring_fd, n, wait, flags | IORING_ENTER_EXT_ARG,
			       (sigset_t *)(void *)&arg, sizeof(arg));
}

static void run(struct tried *t, unsigned *slot)
{
	unsigned n = t->depth, busy = 0;
	uint64_t left = t->ios;

	for (unsigned i = 0; i < n; i++)
		slot[i] = i;
	while (left || busy) {
		int ret;

		n = n < left ? n : (unsigned)left;
		if (t->setup & SETUP_NO_SQARRAY)
			queue_in_order(t, slot, n);
		else
			queue(t, slot, n);
		left -= n;
		busy += n;
		ret = enter(t, n, t->wait < busy ? t->wait : busy);
		if (ret != (int)n)
			fail("io_uring_enter", ret < 0 ? -ret : EIO);
		n = reap(t, slot);
		busy -= n;
	}
}

static void option(struct tried *t, const char *word)
{
	if (!strcmp(word, "nosqarray"))
		t->setup |= SETUP_NO_SQARRAY;
	else if (!strcmp(word, "poll"))
		t->setup |= IORING_SETUP_IOPOLL;
	else if (!strcmp(word, "hybrid"))
		t->setup |= IORING_SETUP_IOPOLL | SETUP_HYBRID_IOPOLL;
	else if (!strncmp(word, "wait=", 5))
		t->wait = (unsigned)atoi(word + 5);
	else if (!strncmp(word, "min_wait=", 9))
		t->min_wait_usec = (unsigned)atoi(word + 9);
	else
		fail(word, EINVAL);
}

static int loop(int argc, char **argv)
{
	struct tried t = { .depth = (unsigned)atoi(argv[2]), .ios = strtoull(argv[3], NULL, 10), .wait = 1 };
	unsigned *slot = calloc(t.depth * 2, sizeof(*slot));
	uint64_t bytes = 0, cpu, wall;

	for (int i = 4; i < argc; i++)
		option(&t, argv[i]);
	t.fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (!slot || t.fd < 0 || ioctl(t.fd, BLKGETSIZE64, &bytes))
		fail(argv[1], errno);
	t.blocks = bytes / BLOCK;
	t.bufs = make_bufs(t.depth);
	make_ring(&t.ring, t.depth, t.setup);
	if (io_uring_register_ring_fd(&t.ring) != 1 || io_uring_register_files(&t.ring, &t.fd, 1))
		fail("io_uring_register", EINVAL);
	register_bufs(&t.ring, t.bufs, t.depth);
	prepare(&t);
	cpu = cpu_ns();
	wall = wall_ns();
	run(&t, slot);
	printf("%.0f %.0f %.1f\n", (double)(cpu_ns() - cpu) / (double)t.ios,
	       (double)(wall_ns() - wall) / (double)t.ios, (double)t.ios / (double)t.waits);
	return 0;
}

static int clone_bufs(unsigned depth, unsigned times)
{
	unsigned char *bufs = make_bufs(depth);
	struct io_uring first, ring;
	struct clone_arg arg = { 0 };
	uint64_t cpu, registered;

	make_ring(&first, 1, 0);
	make_ring(&ring, 1, 0);
	register_bufs(&first, bufs, depth);
	arg.src_fd = (uint32_t)first.ring_fd;
	cpu = cpu_ns();
	for (unsigned i = 0; i < times; i++) {
		register_bufs(&ring, bufs, depth);
		io_uring_unregister_buffers(&ring);
	}
	registered = cpu_ns() - cpu;
	cpu = cpu_ns();
	for (unsigned i = 0; i < times; i++) {
		if (syscall(SYS_io_uring_register, ring.ring_fd, REGISTER_CLONE, &arg, 1))
			fail("IORING_REGISTER_CLONE_BUFFERS", errno);
		io_uring_unregister_buffers(&ring);
	}
	printf("%.0f %.0f\n", (double)registered / times, (double)(cpu_ns() - cpu) / times);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "clone"))
		return clone_bufs((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
	if (argc < 4)
		return 2;
	return loop(argc, argv);
}
