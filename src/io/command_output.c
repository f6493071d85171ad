#include "command_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int command_output_path(char *path, size_t size, const struct command_output *o)
{
	char name[NAME_MAX + 1], number[16] = "";

	if (snprintf(name, sizeof(name), "%s", o->job) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	for (char *s = name; (s = strchr(s, '/'));)
		*s = '_';
	if (o->clone)
		snprintf(number, sizeof(number), ".%u", o->clone);
	return snprintf(path, size, "%s%s%s%s.%s%s%s", o->dir ? o->dir : "", o->dir ? "/" : "", name, number,
			o->what, o->rank ? "." : "", o->rank ? o->rank : "") < (int)size
		       ? 0
		       : -ENAMETOOLONG;
}

static int wrong(const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return -EISDIR;
	if (!S_ISREG(st->st_mode))
		return -EINVAL;
	return st->st_nlink > 1 ? -EMLINK : 0;
}

int command_output_open(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644), ret;
	struct stat st;

	if (fd < 0)
		return -errno;
	ret = fstat(fd, &st) ? -errno : wrong(&st);
	if (!ret && ftruncate(fd, 0))
		ret = -errno;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}
