/* target_mark.c: the mark by which fiord recognises its files. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include "target_parts.h"

#define MARK_BYTES 128
#define MARK_DONE  " done"

enum mark { MARK_NONE, MARK_ENDED, MARK_UNFINISHED, MARK_VALID };

/* Returns whether the mark has the length and the time of the last change. Marks of earlier versions have no
 * time. */
static bool is_unchanged(const char *value, bool done, const struct target_facts *f)
{
	char now[MARK_BYTES];
	const char *size = strstr(value, "size=");

	if (!strstr(value, " time="))
		return done && size && strtoull(size + 5, NULL, 10) == f->size;
	snprintf(now, sizeof(now), "size=%" PRIu64 " time=%" PRId64 ".%09" PRIu32, f->size, f->modified_s,
		 f->modified_ns);
	return size && !strncmp(size, now, strlen(now));
}

/* value has MARK_BYTES bytes; len is the return value of getxattr. */
static enum mark judge_mark(char *value, ssize_t len, const struct target_facts *f)
{
	bool done;

	if (len < 2 || len >= MARK_BYTES || value[0] != '1' || value[1] != ' ')
		return MARK_NONE;
	value[len] = '\0';
	done = strstr(value, MARK_DONE);
	if (f->type == TARGET_DIR || is_unchanged(value, done, f))
		return MARK_VALID;
	return done ? MARK_ENDED : MARK_UNFINISHED;
}

void target_read_mark(struct target_facts *f, const char *path)
{
	char value[MARK_BYTES];
	ssize_t len = getxattr(path, TARGET_MARK, value, sizeof(value));
	enum mark mark;

	f->no_marks = len < 0 && errno == EOPNOTSUPP;
	mark = judge_mark(value, len, f);
	f->marked = mark == MARK_VALID;
	f->mark_ended = mark == MARK_ENDED || mark == MARK_UNFINISHED;
}

static enum mark mark_of(int fd)
{
	char value[MARK_BYTES];
	struct target_facts f = { 0 };
	struct stat st;

	if (fstat(fd, &st))
		return MARK_NONE;
	target_from_stat(&f, &st);
	return judge_mark(value, fgetxattr(fd, TARGET_MARK, value, sizeof(value)), &f);
}

bool target_has_mark(int fd)
{
	return mark_of(fd) == MARK_VALID;
}

bool target_has_any_mark(int fd)
{
	enum mark mark = mark_of(fd);

	return mark == MARK_VALID || mark == MARK_UNFINISHED;
}

static int set_mark(int fd, const char *done)
{
	char value[MARK_BYTES];
	struct stat st;
	int len;

	if (fstat(fd, &st))
		return -errno;
	len = snprintf(value, sizeof(value), "1 size=%" PRIu64 " time=%" PRId64 ".%09ld%s",
		       (uint64_t)st.st_size, (int64_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, done);
	return fsetxattr(fd, TARGET_MARK, value, (size_t)len, 0) ? -errno : 0;
}

int target_mark(int fd)
{
	return set_mark(fd, "");
}

int target_mark_complete(int fd)
{
	return mark_of(fd) == MARK_NONE ? -ENODATA : set_mark(fd, MARK_DONE);
}
