#include "iobuf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

static int failed(const struct mem_cfg *c, const char *problem, int err, struct diag *d)
{
	return diag_kind(d, DIAG_RUN, -err, "{mem=%s}:%s: %s: %s", mem_kind_name(c->source.kind),
			 c->source.file, problem, diag_errno(err));
}

/* Creates a nameless file in the directory of the given name and reserves its space, because missing space
   would later raise SIGBUS. */
static int create(const struct mem_cfg *c, size_t bytes, struct diag *d)
{
	char path[PATH_MAX];
	int fd, err;

	if (snprintf(path, sizeof(path), "%s.XXXXXX", c->source.file) >= (int)sizeof(path))
		return failed(c, "cannot be created", ENAMETOOLONG, d);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return failed(c, "cannot be created", errno, d);
	unlink(path);
	err = posix_fallocate(fd, 0, (off_t)bytes);
	if (err) {
		close(fd);
		return failed(c, "has no room", err, d);
	}
	return fd;
}

static int too_short(const struct mem_cfg *c, uint64_t have, size_t bytes, struct diag *d)
{
	return diag_kind(d, DIAG_RUN, -EINVAL,
			 "{mem=%s}:%s: has %" PRIu64
			 " bytes, the buffers need %zu, and fiord does not extend it; name "
			 "a file that does not exist yet",
			 mem_kind_name(c->source.kind), c->source.file, have, bytes);
}

/* Refuses a file that is not on a hugetlbfs, which huge pages need. */
static int check_huge(const struct mem_cfg *c, int fd, struct diag *d)
{
	struct statfs fs;

	if (c->source.kind != MEM_MMAPHUGE || fstatfs(fd, &fs) || fs.f_type == HUGETLBFS_MAGIC)
		return fd;
	close(fd);
	return diag_kind(d, DIAG_RUN, -EINVAL,
			 "{mem=mmaphuge}:%s: is not on a hugetlbfs (mount -t hugetlbfs)", c->source.file);
}

static int check_mapped_file(const struct mem_cfg *c, const struct target_facts *f,
			     const struct target_allow *allow, struct diag *d)
{
	bool shared = c->source.kind == MEM_MMAPSHARED;

	if (shared && f->type == TARGET_FILE && !f->marked && !target_allowed(f, c->source.file, allow))
		return diag_kind(d, DIAG_TARGET, -EPERM,
				 "{mem=mmapshared}:%s: the buffers would overwrite a file that fiord did not "
				 "create; name one that does not exist yet, or use {+allow_write=%s}",
				 c->source.file, c->source.file);
	if (f->type == TARGET_MISSING || shared)
		return target_may_write(f, c->source.file, allow, d);
	return 0;
}

int memfile_check(const struct mem_cfg *c, const struct target_allow *allow, struct diag *d)
{
	struct target_facts f;

	target_probe(&f, c->source.file);
	return check_mapped_file(c, &f, allow, d);
}

int memfile_open(const struct mem_cfg *c, const struct target_allow *allow, size_t bytes, struct diag *d)
{
	bool shared = c->source.kind == MEM_MMAPSHARED;
	struct target_facts f;
	int fd, ret;

	target_probe(&f, c->source.file);
	ret = check_mapped_file(c, &f, allow, d);
	if (ret)
		return ret;
	if (f.type == TARGET_MISSING) {
		fd = create(c, bytes, d);
		return fd < 0 ? fd : check_huge(c, fd, d);
	}
	if ((f.type == TARGET_FILE || f.type == TARGET_BLOCK) && f.size < bytes)
		return too_short(c, f.size, bytes, d);
	fd = open(c->source.file, O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (shared ? O_RDWR : O_RDONLY));
	if (fd < 0)
		return failed(c, "cannot be opened", errno, d);
	ret = target_check_fd(fd, c->source.file, &f, shared, allow, d);
	if (ret)
		close(fd);
	return ret ? ret : check_huge(c, fd, d);
}
