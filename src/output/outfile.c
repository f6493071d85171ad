#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "target_name.h"

static int failed(const char *path, int err, struct diag *d)
{
	return diag_kind(d, DIAG_OUTPUT, -err, "%s: the result could not be written: %s",
			 path ? path : "standard output", diag_errno(err));
}

/* Returns true for a pipe, a terminal or a device, which cannot be replaced. */
static bool in_place(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

int outfile_check(const char *option, const char *path, struct diag *d)
{
	struct stat st;
	char *copy, *dir;
	int err = 0;

	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return diag_err(d, -EISDIR, "--%s=%s: this is a directory", option, path);
		if (S_ISBLK(st.st_mode))
			return diag_err(d, -EINVAL, "--%s=%s: this is a block device", option, path);
		if (access(path, W_OK))
			return diag_err(d, -errno, "--%s=%s: %s", option, path, diag_errno(errno));
		return 0;
	}
	copy = strdup(path);
	if (!copy)
		return diag_err(d, -ENOMEM, "out of memory");
	dir = dirname(copy);
	if (access(dir, W_OK | X_OK))
		err = errno;
	if (err)
		diag_err(d, -err, "--%s=%s: directory %s: %s", option, path, dir, diag_errno(err));
	free(copy);
	return -err;
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static int replace_file(const char *path, const char *text, size_t len)
{
	char *real = realpath(path, NULL), *temp = NULL, linked[PATH_MAX];
	const char *to = real ? real : target_name_follow(path, linked, sizeof(linked)) ? path : linked;
	struct stat st;
	int fd = -1, err;

	if (asprintf(&temp, "%s.XXXXXX", to) < 0) {
		free(real);
		return ENOMEM;
	}
	fd = mkostemp(temp, O_CLOEXEC);
	err = fd < 0 ? errno : 0;
	if (!err) {
		mode_t mask = umask(0);

		umask(mask);
		fchmod(fd, stat(to, &st) == 0 ? st.st_mode & 0777 : 0666 & ~mask);
		err = write_all(fd, text, len);
	}
	if (fd >= 0 && fsync(fd) && !err && errno != EINVAL)
		err = errno;
	if (fd >= 0 && close(fd) && !err)
		err = errno;
	if (!err && rename(temp, to))
		err = errno;
	if (err && fd >= 0)
		unlink(temp);
	free(temp);
	free(real);
	return err;
}

int outfile_write_fd(int fd, const char *path, const char *text, size_t len, struct diag *d)
{
	int err = write_all(fd, text, len);

	return err ? failed(path, err, d) : 0;
}

/* A result never overwrites a disk, even if a caller has not checked the path. */
static bool is_block_device(int fd)
{
	struct stat st;

	return fstat(fd, &st) || S_ISBLK(st.st_mode);
}

int outfile_write(const char *path, const char *text, size_t len, struct diag *d)
{
	int fd, err;

	if (!path)
		return outfile_write_fd(STDOUT_FILENO, NULL, text, len, d);
	if (!in_place(path)) {
		err = replace_file(path, text, len);
		return err ? failed(path, err, d) : 0;
	}
	fd = open(path, O_WRONLY | O_CLOEXEC);
	err = fd < 0 ? errno : is_block_device(fd) ? ENOTSUP : write_all(fd, text, len);
	if (fd >= 0 && close(fd) && !err)
		err = errno;
	return err ? failed(path, err, d) : 0;
}
