#include "sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cpuset.h"

const char *sysfs_root = "";

static ssize_t read_some(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	while (done < size) {
		n = read(fd, buf + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || memchr(buf + done, '\n', (size_t)n))
			break;
		done += (size_t)n;
	}
	if (n < 0)
		n = -errno;
	close(fd);
	return n < 0 ? n : (ssize_t)done + n;
}

__attribute__((format(printf, 3, 0))) static int line_of(char *buf, size_t size, const char *fmt, va_list ap)
{
	char path[PATH_MAX], text[4096];
	size_t len = strlen(sysfs_root);
	ssize_t n;

	memcpy(path, sysfs_root, len);
	if (vsnprintf(path + len, sizeof(path) - len, fmt, ap) >= (int)(sizeof(path) - len))
		return -ENAMETOOLONG;
	n = read_some(path, text, sizeof(text) - 1);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	len = strcspn(text, "\n");
	if (len >= size)
		return -EOVERFLOW;
	memcpy(buf, text, len);
	buf[len] = '\0';
	return 0;
}

int sysfs_line(char *buf, size_t size, const char *path, ...)
{
	va_list ap;
	int ret;

	va_start(ap, path);
	ret = line_of(buf, size, path, ap);
	va_end(ap);
	return ret;
}

int sysfs_u64(uint64_t *out, const char *path, ...)
{
	char text[64], *end;
	va_list ap;
	int ret;
	unsigned long long v;

	va_start(ap, path);
	ret = line_of(text, sizeof(text), path, ap);
	va_end(ap);
	if (ret)
		return ret == -EOVERFLOW ? -EINVAL : ret;
	errno = 0;
	v = strtoull(text, &end, 10);
	if (errno || end == text || text[0] == '-' || end[strspn(end, " \t")])
		return -EINVAL;
	*out = v;
	return 0;
}

int sysfs_cpuset(struct cpuset *out, const char *path, ...)
{
	char text[4096];
	va_list ap;
	int ret;

	va_start(ap, path);
	ret = line_of(text, sizeof(text), path, ap);
	va_end(ap);
	return ret ? ret : cpuset_parse(text, out);
}
