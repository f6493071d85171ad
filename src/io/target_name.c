#include "target.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "nearest.h"

#define MAX_LINKS 40

static int copy(char *to, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (len >= size)
		return -ENAMETOOLONG;
	memcpy(to, text, len + 1);
	return 0;
}

/* Replaces name by the place that its link text points to. */
static int step(char *name, size_t size, const char *text)
{
	char joined[2 * PATH_MAX];
	char *slash = strrchr(name, '/');

	if (text[0] == '/' || !slash)
		return copy(name, size, text);
	slash[1] = '\0';
	snprintf(joined, sizeof(joined), "%s%s", name, text);
	return copy(name, size, joined);
}

int target_name_follow(const char *path, char *name, size_t size)
{
	char text[PATH_MAX];
	ssize_t n;
	int ret = copy(name, size, path);

	for (int links = 0; !ret; links++) {
		n = readlink(name, text, sizeof(text) - 1);
		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : -errno;
		if (links == MAX_LINKS)
			return -ELOOP;
		text[n] = '\0';
		ret = step(name, size, text);
	}
	return ret;
}

/* Links of /dev may also point to directories and terminals, as /dev/fd and /dev/stdin do. */
static bool may_be_disk(DIR *dir, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_LNK)
		return e->d_type == DT_BLK;
	return e->d_name[0] != '.' && (fstatat(dirfd(dir), e->d_name, &st, 0) || S_ISBLK(st.st_mode));
}

/* Instructions write /dev/sdX and /dev/nvmeXn1. No device of the kernel has such a name. */
static bool is_placeholder(const char *path)
{
	const char *base = strrchr(path, '/');

	return !strncmp(path, "/dev/", 5) && base == path + 4 && strchr(base, 'X');
}

void target_name_hint(const char *path, char *hint, size_t size)
{
	char near[PATH_MAX];

	if (is_placeholder(path))
		snprintf(hint, size,
			 "; the X stands for your disk: lsblk lists the disks of this machine, and their "
			 "names belong after /dev/");
	else if (target_name_nearest(path, near, sizeof(near)))
		snprintf(hint, size, "; did you mean %.*s?", (int)sizeof(near), near);
	else
		copy(hint, size, "");
}

bool target_name_nearest(const char *path, char *found, size_t size)
{
	char copy_dir[PATH_MAX], copy_base[PATH_MAX], best_name[NEAREST_MAX + 1] = "";
	const char *dir, *base;
	struct dirent *e;
	unsigned best, d;
	DIR *dp;

	if (copy(copy_dir, sizeof(copy_dir), path) || copy(copy_base, sizeof(copy_base), path))
		return false;
	dir = dirname(copy_dir);
	base = basename(copy_base);
	dp = strlen(base) <= NEAREST_MAX ? opendir(dir) : NULL;
	if (!dp)
		return false;
	best = 2; /* a larger distance is not a typing error */
	while ((e = readdir(dp))) {
		if (!may_be_disk(dp, e) || strlen(e->d_name) > NEAREST_MAX)
			continue;
		d = nearest_distance(base, e->d_name);
		if (d < best || (d == best && (!best_name[0] || strverscmp(e->d_name, best_name) < 0))) {
			best = d;
			snprintf(best_name, sizeof(best_name), "%.*s", NEAREST_MAX, e->d_name);
		}
	}
	closedir(dp);
	if (best_name[0])
		snprintf(found, size, "%s/%s", strcmp(dir, "/") ? dir : "", best_name);
	return best_name[0];
}
