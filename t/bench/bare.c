#include "bare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include "clock.h"
#include "bare_draw.h"
#include "hist.h"

static unsigned rw_bits(const struct bare_job *j)
{
	return (j->read_percent ? RW_READ : 0) | (j->read_percent < 100 ? RW_WRITE : 0) |
	       (j->sequential ? 0 : RW_RANDOM);
}

static void describe(struct offset_cfg *cfg, const struct bare_job *j)
{
	*cfg = (struct offset_cfg){ .rw = rw_bits(j), .rw_nr = 1, .randrepeat = true };
	for (int d = 0; d < DIR_DATA; d++) {
		cfg->bsize.lo[d] = cfg->bsize.hi[d] = j->bs;
		cfg->random_percent[d] = 100;
	}
}

static int start(struct bare *b)
{
	const struct bare_job *j = b->j;
	int how = j->read_percent == 100 ? O_RDONLY : j->read_percent ? O_RDWR : O_WRONLY;
	struct rng r;

	b->fd = -1;
	if (j->engine != BARE_NULL) {
		b->fd = open(j->path,
			     how | O_CLOEXEC | (j->direct ? O_DIRECT : 0) | (j->device ? O_NOATIME : 0));
		if (b->fd < 0)
			return -errno;
	}
	b->bufs = mmap(NULL, (size_t)j->depth * j->bs, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (b->bufs == MAP_FAILED)
		return -ENOMEM;
	rng_init(&r, 2);
	for (size_t i = 0; i < (size_t)j->depth * j->bs; i += 8)
		*(uint64_t *)(void *)(b->bufs + i) = rng_u64(&r);
	return 0;
}

int bare_run(const struct bare_job *j)
{
	static int (*const loop[])(struct bare *) = {
		[BARE_NULL] = bare_null, [BARE_PSYNC] = bare_psync, [BARE_PVSYNC2] = bare_pvsync2,
		[BARE_MMAP] = bare_mmap, [BARE_URING] = bare_uring, [BARE_AIO] = bare_aio,
	};
	struct offset_gen *gen = calloc(1, sizeof(*gen));
	struct mixer mixer;
	struct bare b = { .j = j, .gen = gen, .mix = &mixer };
	struct mix_cfg mix = { .read_percent = j->read_percent };
	struct offset_cfg cfg;
	int ret;

	if (!gen)
		return -ENOMEM;
	describe(&cfg, j);
	offset_init(gen, &cfg, 0, j->bytes, 1);
	mix_init(&mixer, &mix, cfg.rw, 1);
	ret = start(&b);
	return ret ? ret : loop[j->engine](&b);
}

struct null_io {
	uint64_t offset, start_ns;
};

/* The loop of a null job in one function: it draws an offset for each I/O, takes the times at which a
   batch begins and ends, and adds one count to the histogram. */
static inline __attribute__((always_inline)) void null_loop(struct bare *b, struct null_io *io,
							    struct hist *h, unsigned depth, bool mixed)
{
	for (uint64_t done = 0; done < b->j->ios; done += depth) {
		uint64_t now = clock_ns();

		for (unsigned i = 0; i < depth; i++) {
			enum io_dir dir = mixed ? mix_next(b->mix) : DIR_READ;

			io[i].offset = bare_offset(b, dir);
			io[i].start_ns = now;
			if (dir == DIR_WRITE)
				bare_touch(b, b->bufs + (size_t)i * b->j->bs, io[i].offset);
		}
		/* an engine would read the I/Os here */
		__asm__ volatile("" : : "r"(io) : "memory");
		now = clock_ns();
		for (unsigned i = 0; i < depth; i++)
			hist_add(h, now - io[i].start_ns);
	}
}

int bare_null(struct bare *b)
{
	struct null_io *io = calloc(b->j->depth, sizeof(*io));
	struct hist *h = malloc(sizeof(*h));

	if (!io || !h)
		return -ENOMEM;
	hist_init(h);
	if (b->j->read_percent < 100)
		null_loop(b, io, h, b->j->depth, true);
	else if (b->j->depth == 1)
		null_loop(b, io, h, 1, false);
	else
		null_loop(b, io, h, b->j->depth, false);
	return hist_total(h) >= b->j->ios ? 0 : -EIO;
}

int bare_psync(struct bare *b)
{
	uint32_t bs = b->j->bs;
	bool reads = b->j->read_percent;

	for (uint64_t i = 0; i < b->j->ios; i++) {
		off_t at = (off_t)bare_offset(b, reads ? DIR_READ : DIR_WRITE);
		ssize_t n;

		if (!reads)
			bare_touch(b, b->bufs, (uint64_t)at);
		n = reads ? pread(b->fd, b->bufs, bs, at) : pwrite(b->fd, b->bufs, bs, at);

		if (n != (ssize_t)bs)
			return n < 0 ? -errno : -EIO;
	}
	return 0;
}

int bare_pvsync2(struct bare *b)
{
	struct iovec v = { .iov_base = b->bufs, .iov_len = b->j->bs };

	for (uint64_t i = 0; i < b->j->ios; i++) {
		ssize_t n = preadv2(b->fd, &v, 1, (off_t)bare_offset(b, DIR_READ), 0);

		if (n != (ssize_t)b->j->bs)
			return n < 0 ? -errno : -EIO;
	}
	return 0;
}

int bare_mmap(struct bare *b)
{
	unsigned char *map = mmap(NULL, b->j->bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, b->fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	for (uint64_t i = 0; i < b->j->ios; i++) {
		memcpy(b->bufs, map + bare_offset(b, DIR_READ), b->j->bs);
		/* the buffer is in use */
		__asm__ volatile("" : : "r"(b->bufs) : "memory");
		if (b->j->stamped)
			b->stamp = clock_ns();
	}
	return 0;
}
