/* scenes_verify.c: writing and verifying a file in memory: CPU time of each block, and memory. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "scene.h"

#define DIRECTORY  "/dev/shm"
#define BYTES      ((uint64_t)1 << 30)
#define HOT_BYTES  ((uint64_t)16 << 20) /* fits into the processor's cache */
#define HOT_LOOPS  32u
#define BLOCK      4096u
#define TMPFS_TYPE 0x01021994

/* Creates the file with all its pages, so that no program pays for them. */
static int make_file(const char *path, uint64_t bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), ret;

	if (fd < 0)
		return -errno;
	ret = -posix_fallocate(fd, 0, (off_t)bytes);
	close(fd);
	return ret;
}

static int verify(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	uint64_t bytes = BYTES / b->cut / BLOCK * BLOCK;
	struct outcome o;
	char path[64], args[512];
	int ret;

	if (who == WHO_BARE)
		return -ENOTSUP;
	snprintf(path, sizeof(path), DIRECTORY "/fiord-bench.%d", (int)getpid());
	snprintf(args, sizeof(args),
		 "--name=v --filename=%s --size=%" PRIu64 " --bs=%u --rw=randwrite --verify=crc32c "
		 "--verify_state_save=0 %s",
		 path, bytes, BLOCK, s->args);
	ret = make_file(path, bytes);
	if (!ret)
		ret = run_program(b, who == WHO_FIO ? b->fio : b->fiord, args, &o);
	unlink(path);
	if (ret)
		return ret;
	v[0] = o.cpu_ns / (double)(bytes / BLOCK);
	v[1] = o.peak_mib;
	return 0;
}

/* Writes all blocks and reads them, without making or checking anything: the kernel's share. */
static int bare_passes(const struct bench *b, struct bare_job *j, struct outcome *o)
{
	struct outcome reads;
	int ret = run_bare(b, j, o);

	j->read_percent = 100;
	if (!ret)
		ret = run_bare(b, j, &reads);
	if (!ret)
		o->cpu_ns += reads.cpu_ns;
	return ret;
}

/* Writes and verifies a small file again and again: no page is new, and no data come from memory. */
static int verify_hot(const struct bench *b, const struct scene *s, enum who who, double *v)
{
	uint32_t loops = HOT_LOOPS / b->cut ? HOT_LOOPS / b->cut : 1;
	struct bare_job j = { .engine = BARE_PSYNC, .bytes = HOT_BYTES, .bs = BLOCK, .depth = 1 };
	struct outcome o;
	char path[64], args[512];
	int ret;

	snprintf(path, sizeof(path), DIRECTORY "/fiord-bench.%d", (int)getpid());
	snprintf(args, sizeof(args),
		 "--name=v --filename=%s --size=%" PRIu64 " --loops=%u --bs=%u --rw=randwrite "
		 "--verify=crc32c --verify_state_save=0 %s",
		 path, HOT_BYTES, loops, BLOCK, s->args);
	j.path = path;
	j.ios = HOT_BYTES / BLOCK * loops;
	ret = make_file(path, HOT_BYTES);
	if (!ret && who == WHO_BARE)
		ret = bare_passes(b, &j, &o);
	else if (!ret)
		ret = run_program(b, who == WHO_FIO ? b->fio : b->fiord, args, &o);
	unlink(path);
	if (!ret)
		v[0] = o.cpu_ns / (double)j.ios;
	return ret;
}

static const char *verify_unfit(const struct bench *b, const struct scene *s)
{
	struct statfs fs;

	(void)s;
	if (statfs(DIRECTORY, &fs) || fs.f_type != TMPFS_TYPE)
		return "no tmpfs at " DIRECTORY;
	if ((uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < 2 * BYTES / b->cut)
		return "too little room in " DIRECTORY;
	return NULL;
}

/* clang-format off */
static const struct scene verify_scenes[] = {
	{ "verify-hot", { { "write and verify a block of 4k, crc32c, hot cache", "ns", BETTER_LOWER } },
	  verify_hot, verify_unfit, .pinned = true, .args = "" },
	{ "verify-pass", { { "write and verify a block of 4k, crc32c, in memory", "ns", BETTER_LOWER },
			   { "... peak memory for 1 GiB", "MiB", BETTER_LOWER } },
	  verify, verify_unfit, .rounds_max = 5, .pinned = true, .args = "" },
	{ "verify-map", { { "write and verify a block of 4k, norandommap", "ns", BETTER_LOWER },
			  { "... peak memory for 1 GiB, norandommap", "MiB", BETTER_LOWER } },
	  verify, verify_unfit, .rounds_max = 5, .pinned = true, .args = "--norandommap=1" },
	{ .name = NULL },
};
/* clang-format on */
const struct section section_verify = { "Verification", verify_scenes };
