#include "engine_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "blockdev.h"
#include "engine.h"
#include "nvme.h"
#include "sysfs.h"

/* Returns whether the driver of the device below a file cannot poll. A network file system has no device. */
static bool cannot_poll(const struct stat *st)
{
	struct blockdev ns = { .dev = S_ISBLK(st->st_mode) ? st->st_rdev : st->st_dev };
	uint64_t polls;
	dev_t dev;
	int ret;

	if (S_ISCHR(st->st_mode))
		nvme_block_device(&ns, st->st_rdev);
	dev = ns.dev;
	ret = sysfs_u64(&polls, "/sys/dev/block/%u:%u/queue/io_poll", major(dev), minor(dev));

	if (ret) /* of a partition: see its disk */
		ret = sysfs_u64(&polls, "/sys/dev/block/%u:%u/../queue/io_poll", major(dev), minor(dev));
	return ret == 0 && !polls;
}

int polled_check(struct engine_ctx *ctx, const struct file *f, const char *hipri)
{
	struct stat st;

	if (f->fd < 0)
		return 0;
	if (!f->nvme && !(fcntl(f->fd, F_GETFL) & O_DIRECT))
		return diag_err(ctx->d, -EINVAL, "{hipri=%s}: polled completions need {direct=1}", hipri);
	if (access("/sys/dev/block", F_OK))
		return diag_err(
			ctx->d, -EOPNOTSUPP,
			"{hipri=%s}: %s: only /sys tells whether its driver polls for completions, and /sys "
			"is not mounted; leave {hipri} out",
			hipri, f->path);
	return fstat(f->fd, &st) == 0 && cannot_poll(&st);
}

bool polled_system_calls(void)
{
	struct utsname u;
	unsigned version, patch;

	if (uname(&u) || sscanf(u.release, "%u.%u", &version, &patch) != 2)
		return true;
	return version < 5 || (version == 5 && patch < 19);
}
