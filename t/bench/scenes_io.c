/* scenes_io.c: CPU time per I/O, and how exactly requested rates are kept. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <liburing.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "scene.h"
#include "testfile.h"

#define SMALL      (16u << 20)
#define NULL_BYTES ((uint64_t)1 << 30)

static const char *const engines[] = {
	[BARE_NULL] = "null", [BARE_PSYNC] = "psync",    [BARE_PVSYNC2] = "pvsync2",
	[BARE_MMAP] = "mmap", [BARE_URING] = "io_uring", [BARE_AIO] = "libaio",
};

static bool large(const struct bare_job *j)
{
	return j->bytes > SMALL;
}

static int device_bytes(const char *path, uint64_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC),
	    ret = fd < 0 || ioctl(fd, BLKGETSIZE64, bytes) ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

/* Completes the job with its file, or the device, and the size. */
static int complete(const struct bench *b, struct bare_job *j)
{
	enum testfile which = large(j) ? FILE_LARGE : FILE_SMALL;

	j->ios = j->ios / b->cut < j->depth ? j->depth : j->ios / b->cut;
	if (j->engine == BARE_NULL)
		return 0;
	if (j->device) {
		j->path = b->device;
		return device_bytes(b->device, &j->bytes);
	}
	j->path = testfile_path(b, which, !j->direct);
	j->bytes = testfile_bytes(b, which);
	return j->path ? 0 : -EIO;
}

static void job_args(char *args, size_t size, const struct bare_job *j)
{
	const char *way = j->read_percent == 100 ? "read" : j->read_percent ? "rw" : "write";
	int n = snprintf(args, size,
			 "--name=b --ioengine=%s --iodepth=%u --rw=%s%s --bs=%u --size=%" PRIu64
			 " --io_size=%" PRIu64,
			 engines[j->engine], j->depth, j->sequential ? "" : "rand", way, j->bs, j->bytes,
			 j->ios * j->bs);

	if (j->read_percent && j->read_percent < 100)
		n += snprintf(args + n, size - (size_t)n, " --rwmixread=%u", j->read_percent);
	if (j->wait)
		n += snprintf(args + n, size - (size_t)n, " --iodepth_batch_complete_min=%u", j->wait);
	if (j->path)
		n += snprintf(args + n, size - (size_t)n, " --filename=%s", j->path);
	if (j->polled)
		n += snprintf(args + n, size - (size_t)n, " --hipri=1");
	snprintf(args + n, size - (size_t)n, j->direct ? " --direct=1" : " --invalidate=0");
}

static int run_scene(const struct bench *b, const struct scene *s, enum who who, struct outcome *o)
{
	struct bare_job j = s->job;
	int ret = complete(b, &j);
	char args[2048];

	if (ret)
		return ret;
	job_args(args, sizeof(args), &j);
	ret = who == WHO_BARE ? run_bare(b, &j, o)
			      : run_program(b, who == WHO_FIO ? b->fio : b->fiord, args, o);
	return ret || o->ios ? ret : -EIO;
}

static int cost(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	struct outcome o;
	int ret = run_scene(b, s, who, &o);

	if (!ret)
		v[0] = o.cpu_ns / (double)o.ios;
	return ret;
}

/* The difference of two lengths, so that no start counts: in a guest whose clock counts instructions, those
   of an I/O. */
static int added_cost(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	struct scene few = *s;
	struct outcome o, more;
	int ret;

	few.job.ios /= 5;
	ret = run_scene(b, &few, who, &o);
	ret = ret ? ret : run_scene(b, s, who, &more);
	if (!ret && more.ios <= o.ios)
		ret = -EIO;
	if (!ret)
		v[0] = (more.cpu_ns - o.cpu_ns) / (double)(more.ios - o.ios);
	return ret;
}

static const char *no_uring(void)
{
	static char why[96];
	struct io_uring ring;
	int ret = io_uring_queue_init(1, &ring, 0);

	if (ret) {
		snprintf(why, sizeof(why), "no io_uring here: %s", strerror(-ret));
		return why;
	}
	io_uring_queue_exit(&ring);
	return NULL;
}

static const char *cost_unfit(const struct bench *b, const struct scene *s)
{
	const char *why = s->job.direct && !s->job.device ? testfile_no_direct(b) : NULL;

	if (s->job.device && !b->device)
		return "no device (--device)";
	return why || s->job.engine != BARE_URING ? why : no_uring();
}

#define COST(n, text)                                                                                \
	.name = n, .figure = { { text, "ns", BETTER_LOWER } }, .measure = cost, .unfit = cost_unfit, \
	.pinned = true
#define ADDED(n, text)                                                                                     \
	.name = n, .figure = { { text, "ns", BETTER_LOWER } }, .measure = added_cost, .unfit = cost_unfit, \
	.pinned = true
#define JOB(e, d, reads, size, count) .engine = e, .depth = d, .read_percent = reads, .bs = size, .ios = count

/* clang-format off */
static const struct scene io_scenes[] = {
	{ COST("null-1", "null, depth 1, randread 4k"),
	  .job = { JOB(BARE_NULL, 1, 100, 4096, 10000000), .bytes = NULL_BYTES } },
	{ COST("null-32", "null, depth 32, randread 4k"),
	  .job = { JOB(BARE_NULL, 32, 100, 4096, 10000000), .bytes = NULL_BYTES } },
	{ COST("null-mixed", "null, depth 32, randrw 70/30"),
	  .job = { JOB(BARE_NULL, 32, 70, 4096, 5000000), .bytes = NULL_BYTES } },
	{ COST("psync", "psync, 4k randread, hot page cache 16 MiB"),
	  .job = { JOB(BARE_PSYNC, 1, 100, 4096, 1000000), .bytes = SMALL } },
	{ COST("pvsync2", "pvsync2, 4k randread, hot page cache 16 MiB"),
	  .job = { JOB(BARE_PVSYNC2, 1, 100, 4096, 1000000), .bytes = SMALL } },
	{ COST("mmap", "mmap, 4k randread, hot page cache 16 MiB"),
	  .job = { JOB(BARE_MMAP, 1, 100, 4096, 4000000), .bytes = SMALL } },
	{ COST("mmap-stamped", "mmap, the same, beside a bare loop that reads the clock after each copy"),
	  .job = { JOB(BARE_MMAP, 1, 100, 4096, 4000000), .bytes = SMALL, .stamped = true } },
	{ COST("uring-1", "io_uring, depth 1, hot cache"),
	  .job = { JOB(BARE_URING, 1, 100, 4096, 1000000), .bytes = SMALL } },
	{ COST("uring-32", "io_uring, depth 32, hot cache"),
	  .job = { JOB(BARE_URING, 32, 100, 4096, 1000000), .bytes = SMALL } },
	{ COST("uring-128", "io_uring, depth 128, hot cache"),
	  .job = { JOB(BARE_URING, 128, 100, 4096, 1000000), .bytes = SMALL } },
	{ COST("uring-large", "io_uring, depth 32, page cache 1 GiB"),
	  .job = { JOB(BARE_URING, 32, 100, 4096, 524288), .bytes = NULL_BYTES } },
	{ COST("read-uring", "O_DIRECT randread, depth 128, io_uring"),
	  .job = { JOB(BARE_URING, 128, 100, 4096, 100000), .bytes = NULL_BYTES, .direct = true } },
	{ COST("read-aio", "O_DIRECT randread, depth 128, libaio"),
	  .job = { JOB(BARE_AIO, 128, 100, 4096, 100000), .bytes = NULL_BYTES, .direct = true } },
	{ ADDED("device-polled", "O_DIRECT randread, depth 128, io_uring, polling a device"),
	  .job = { JOB(BARE_URING, 128, 100, 4096, 100000), .direct = true, .device = true, .polled = true } },
	{ ADDED("device", "O_DIRECT randread, depth 128, io_uring, a device"),
	  .job = { JOB(BARE_URING, 128, 100, 4096, 100000), .direct = true, .device = true } },
	{ COST("read-one", "O_DIRECT randread, depth 32, io_uring"),
	  .job = { JOB(BARE_URING, 32, 100, 4096, 100000), .bytes = NULL_BYTES, .direct = true } },
	{ COST("read-eight", "O_DIRECT randread, depth 32, io_uring, waiting for 8"),
	  .job = { JOB(BARE_URING, 32, 100, 4096, 100000), .bytes = NULL_BYTES, .direct = true, .wait = 8 } },
	{ COST("write-uring", "O_DIRECT randwrite, depth 128, io_uring"),
	  .job = { JOB(BARE_URING, 128, 0, 4096, 100000), .bytes = NULL_BYTES, .direct = true } },
	{ COST("write-aio", "O_DIRECT randwrite, depth 128, libaio"),
	  .job = { JOB(BARE_AIO, 128, 0, 4096, 100000), .bytes = NULL_BYTES, .direct = true } },
	{ COST("sequential", "1 MiB sequential read, depth 8, io_uring, hot cache"),
	  .job = { JOB(BARE_URING, 8, 100, 1 << 20, 8192), .bytes = SMALL, .sequential = true } },
	{ COST("sequential-direct", "1 MiB sequential read, depth 8, io_uring, O_DIRECT"),
	  .job = { JOB(BARE_URING, 8, 100, 1 << 20, 1024), .bytes = NULL_BYTES, .sequential = true, .direct = true } },
	{ .name = NULL },
};
/* clang-format on */
const struct section section_io = { "CPU time per I/O, user and system, of the whole run", io_scenes };

#define RATE 200000

static int rate(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	unsigned ms = 5000 / b->cut < 500 ? 500 : 5000 / b->cut;
	struct outcome o;
	char args[512];
	int ret;

	if (who == WHO_BARE)
		return -ENOTSUP;
	snprintf(args, sizeof(args),
		 "--name=b --ioengine=null --rw=randread --bs=4k --size=1g --time_based --runtime=%ums "
		 "--rate_iops=%u --rate_process=%s",
		 ms, RATE, s->args);
	ret = run_program(b, who == WHO_FIO ? b->fio : b->fiord, args, &o);
	if (ret)
		return ret;
	v[0] = o.cpu_ns / (ms * 1e6) * 100;
	v[1] = (o.iops / RATE - 1) * 100;
	return 0;
}

/* clang-format off */
static const struct scene rate_scenes[] = {
	{ "rate-linear", { { "200 000 I/Os a second, linear: CPU", "% of a core", BETTER_LOWER },
			   { "200 000 I/Os a second, linear: off by", "%", BETTER_NONE } }, rate, .pinned = true, .args = "linear" },
	{ "rate-poisson", { { "200 000 I/Os a second, poisson: CPU", "% of a core", BETTER_LOWER },
			    { "200 000 I/Os a second, poisson: off by", "%", BETTER_NONE } }, rate, .pinned = true, .args = "poisson" },
	{ .name = NULL },
};
/* clang-format on */
const struct section section_rates = { "Rates", rate_scenes };
