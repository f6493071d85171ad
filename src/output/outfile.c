#include "outfile.h"

#include <errno.h>
#include <ctype.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "target.h"

/* Ends the name of a temporary file. The Xs become six letters or digits. */
#define TEMP     ".fiord-tmp-XXXXXX"
#define TEMP_LEN (sizeof(TEMP) - 1)
#define X_LEN    6

static int write_failed(const char *path, int err, struct diag *d)
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

/* Returns the template of a temporary file beside this one, or NULL. A long name is cut. */
static char *temp_name(const char *real)
{
	const char *slash = strrchr(real, '/'), *name = slash ? slash + 1 : real;
	size_t len = strlen(name), most = NAME_MAX - TEMP_LEN;
	char *temp;

	if (asprintf(&temp, "%.*s" TEMP, (int)((size_t)(name - real) + (len < most ? len : most)), real) < 0)
		return NULL;
	return temp;
}

/* Opens a temporary file beside the one that it will replace. The lock tells that it is being written. */
static int open_temp(struct outfile *f)
{
	char linked[PATH_MAX];
	struct stat st;
	mode_t mask;

	f->real = realpath(f->path, NULL);
	if (!f->real)
		f->real = strdup(target_name_follow(f->path, linked, sizeof(linked)) ? f->path : linked);
	f->temp = f->real ? temp_name(f->real) : NULL;
	if (!f->temp)
		return ENOMEM;
	f->fd = mkostemp(f->temp, O_CLOEXEC);
	if (f->fd < 0)
		return errno;
	flock(f->fd, LOCK_EX | LOCK_NB);
	mask = umask(0);
	umask(mask);
	fchmod(f->fd, stat(f->real, &st) == 0 ? st.st_mode & 0777 : 0666 & ~mask);
	return 0;
}

/* A result never overwrites a disk, even if a caller has not checked the path. */
static bool is_block_device(int fd)
{
	struct stat st;

	return fstat(fd, &st) || S_ISBLK(st.st_mode);
}

static int open_in_place(struct outfile *f)
{
	f->fd = open(f->path, O_WRONLY | O_CLOEXEC);
	if (f->fd < 0)
		return errno;
	return is_block_device(f->fd) ? ENOTSUP : 0;
}

void outfile_open(struct outfile *f, const char *path)
{
	*f = (struct outfile){ .path = path, .fd = STDOUT_FILENO };
	if (path)
		f->err = in_place(path) ? open_in_place(f) : open_temp(f);
}

void outfile_add(struct outfile *f, const char *text, size_t len)
{
	if (!f->err)
		f->err = write_all(f->fd, text, len);
}

/* Closes the file. Without an error the temporary file gets the name of the result, else it is removed. Until
   then a second descriptor keeps its lock. */
static void release_file(struct outfile *f)
{
	int lock = f->temp && f->fd >= 0 ? fcntl(f->fd, F_DUPFD_CLOEXEC, 0) : -1;

	if (f->path && f->fd >= 0 && close(f->fd) && !f->err)
		f->err = errno;
	if (f->temp && f->fd >= 0 && !f->err && rename(f->temp, f->real))
		f->err = errno;
	if (f->temp && f->fd >= 0 && f->err)
		unlink(f->temp);
	if (lock >= 0)
		close(lock);
	free(f->temp);
	free(f->real);
	f->temp = f->real = NULL;
	f->fd = -1;
}

int outfile_close(struct outfile *f, struct diag *d)
{
	if (f->temp && !f->err && fsync(f->fd) && errno != EINVAL)
		f->err = errno;
	release_file(f);
	return f->err ? write_failed(f->path, f->err, d) : 0;
}

void outfile_abort(struct outfile *f)
{
	if (!f->err)
		f->err = ECANCELED;
	release_file(f);
}

int outfile_write_fd(int fd, const char *path, const char *text, size_t len, struct diag *d)
{
	int err = write_all(fd, text, len);

	return err ? write_failed(path, err, d) : 0;
}

int outfile_write(const char *path, const char *text, size_t len, struct diag *d)
{
	struct outfile f;

	outfile_open(&f, path);
	outfile_add(&f, text, len);
	return outfile_close(&f, d);
}

int outfile_replace(const char *path, const char *text, size_t len)
{
	struct outfile f;

	outfile_open(&f, path);
	outfile_add(&f, text, len);
	release_file(&f);
	return f.err;
}

size_t outfile_replaced_by(const char *name)
{
	size_t len = strlen(name), stem = len > TEMP_LEN ? len - TEMP_LEN : 0;

	if (!stem || strncmp(name + stem, TEMP, TEMP_LEN - X_LEN) != 0)
		return 0;
	for (const char *x = name + len - X_LEN; *x; x++)
		if (!isalnum((unsigned char)*x))
			return 0;
	return stem;
}

void outfile_remove_leftover(const char *path)
{
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
	    !flock(fd, LOCK_EX | LOCK_NB))
		unlink(path);
	close(fd);
}
