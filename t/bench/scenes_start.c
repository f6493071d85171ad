/* scenes_start.c: time from start to exit, memory during a run, and layout of files. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#include "process_memory.h"
#include "scene.h"

static const char *program(const struct bench *b, enum who who)
{
	return who == WHO_FIO ? b->fio : b->fiord;
}

static int start_to_exit(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	struct outcome o;
	char args[512];
	int ret;

	if (who == WHO_BARE)
		return -ENOTSUP;
	snprintf(args, sizeof(args), "--name=b --ioengine=null --rw=read --bs=4k --size=4k %s --numjobs=%u",
		 s->args, s->job.depth ? s->job.depth : b->many);
	ret = run_program(b, program(b, who), args, &o);
	v[0] = o.wall_ns / 1e9;
	return ret || o.ios ? ret : -EIO;
}

/* clang-format off */
static const struct scene start_scenes[] = {
	{ "start-1", { { "start to exit, 1 tiny job", "s", BETTER_LOWER } }, start_to_exit, .job = { .depth = 1 }, .args = "" },
	{ "start-processes", { { "start to exit, # processes", "s", BETTER_LOWER } }, start_to_exit,
	  .rounds_max = 3, .args = "--group_reporting" },
	{ "start-threads", { { "start to exit, # threads", "s", BETTER_LOWER } }, start_to_exit,
	  .rounds_max = 3, .args = "--group_reporting --thread" },
	{ .name = NULL },
};
/* clang-format on */
const struct section section_start = { "From start to exit", start_scenes };

/* Measures the memory in MiB of a run with these options, once all its jobs run and it has stopped
   growing. */
static int memory_of(const struct bench *b, enum who who, const char *args, unsigned jobs, double *mib)
{
	pid_t pid = run_start(b, program(b, who), args);

	if (pid < 0)
		return pid;
	*mib = process_memory_mib(pid, jobs);
	run_stop(pid);
	if (run_stopped())
		return -EINTR;
	return isnan(*mib) ? -EIO : 0;
}

static int memory(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	char args[512];

	if (who == WHO_BARE)
		return -ENOTSUP;
	snprintf(args, sizeof(args),
		 "--name=b --ioengine=null --rw=randread --bs=4k --size=1m --rate_iops=10 --time_based "
		 "--runtime=300 "
		 "--group_reporting --numjobs=%u %s",
		 b->many, s->args);
	return memory_of(b, who, args, b->many, v);
}

/* The memory that a job of 10 TiB needs in addition to one of 1 MiB. */
static int coverage(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	double small, large;
	char args[512];
	int ret;

	if (who == WHO_BARE)
		return -ENOTSUP;
	snprintf(args, sizeof(args), "%s --size=1m", s->args);
	ret = memory_of(b, who, args, 1, &small);
	snprintf(args, sizeof(args), "%s --size=10t", s->args);
	ret = ret ? ret : memory_of(b, who, args, 1, &large);
	v[0] = ret ? NAN : large - small;
	return ret;
}

/* clang-format off */
static const struct scene memory_scenes[] = {
	{ "memory-processes", { { "memory of # running jobs, processes", "MiB", BETTER_LOWER } }, memory,
	  .rounds_max = 1, .args = "" },
	{ "memory-threads", { { "memory of # running jobs, threads", "MiB", BETTER_LOWER } }, memory,
	  .rounds_max = 1, .args = "--thread" },
	{ "memory-coverage", { { "memory for random coverage of 10 TiB at 4k", "MiB", BETTER_NONE } }, coverage, .rounds_max = 3,
	  .args = "--name=b --ioengine=null --rw=randread --bs=4k --time_based --runtime=300" },
	{ .name = NULL },
};
/* clang-format on */
const struct section section_memory = { "Memory: proportional set size (PSS), summed over all processes",
					memory_scenes };

/* Returns the time until all data is on the device, whichever program wrote it. */
static double synced(const char *path, uint64_t start)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	double ns = NAN;

	if (fd >= 0 && !fsync(fd))
		ns = (double)(clock_raw_ns() - start);
	if (fd >= 0)
		close(fd);
	unlink(path);
	return ns;
}

static int layout(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	unsigned mib = 1024 / b->cut < 64 ? 64 : 1024 / b->cut;
	char args[512], path[4096];
	struct outcome o;
	uint64_t start;
	int ret;

	snprintf(path, sizeof(path), "%s/new", b->dir);
	unlink(path);
	start = clock_raw_ns();
	if (who == WHO_BARE) {
		snprintf(args, sizeof(args), "if=/dev/zero of=new bs=8M count=%u oflag=direct", mib / 8);
		ret = run_plain(b, "dd", args, &o);
	} else {
		snprintf(args, sizeof(args),
			 "--name=b --filename=new --rw=read --bs=1m --size=%um --create_only=1 %s", mib,
			 s->args);
		ret = run_program(b, program(b, who), args, &o);
	}
	v[0] = mib / (synced(path, start) / 1e9);
	return ret;
}

/* clang-format off */
static const struct scene layout_scenes[] = {
	{ "layout", { { "layout of a missing file (bare: dd, direct writes of 8 MiB)", "MiB/s", BETTER_HIGHER } },
	  layout, .args = "" },
	{ "layout-direct", { { "layout with direct=1 (bare: the same dd)", "MiB/s", BETTER_HIGHER } }, layout, .args = "--direct=1" },
	{ .name = NULL },
};
/* clang-format on */
const struct section section_layout = { "Layout, until the file is on the device", layout_scenes };
