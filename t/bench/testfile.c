#include "testfile.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "rng.h"

#define PIECE (1u << 20)

static const char *const names[] = { [FILE_SMALL] = "small", [FILE_LARGE] = "large" };
static char paths[2][4096];

uint64_t testfile_bytes(const struct bench *b, enum testfile which)
{
	uint64_t large = (uint64_t)1 << 30;

	return which == FILE_SMALL ? 16u << 20 : large / b->cut < 64u << 20 ? 64u << 20 : 1u << 30;
}

static int write_random(int fd, uint64_t bytes)
{
	uint64_t *piece = malloc(PIECE);
	struct rng r;
	int ret = piece ? 0 : -ENOMEM;

	rng_init(&r, 1);
	for (uint64_t at = 0; !ret && at < bytes; at += PIECE) {
		for (unsigned i = 0; i < PIECE / sizeof(*piece); i++)
			piece[i] = rng_u64(&r);
		if (write(fd, piece, PIECE) != PIECE)
			ret = errno ? -errno : -ENOSPC;
	}
	free(piece);
	return ret || !fsync(fd) ? ret : -errno;
}

static int make(const char *path, uint64_t bytes)
{
	struct stat st;
	int fd, ret;

	if (!stat(path, &st) && (uint64_t)st.st_size == bytes)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	ret = write_random(fd, bytes);
	close(fd);
	return ret;
}

static void read_all(int fd)
{
	char *piece = malloc(PIECE);

	while (piece && read(fd, piece, PIECE) > 0)
		;
	free(piece);
}

const char *testfile_path(const struct bench *b, enum testfile which, bool cached)
{
	char *path = paths[which];
	int ret, fd;

	snprintf(path, sizeof(paths[which]), "%s/%s", b->dir, names[which]);
	ret = make(path, testfile_bytes(b, which));
	fd = ret ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		fprintf(stderr, "fiord-bench: %s: %s\n", path, strerror(ret ? -ret : errno));
		return NULL;
	}
	if (cached)
		read_all(fd);
	else
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return path;
}

const char *testfile_no_direct(const struct bench *b)
{
	static char why[128];
	const char *path = testfile_path(b, FILE_SMALL, true);
	int fd = path ? open(path, O_RDONLY | O_DIRECT | O_CLOEXEC) : -1;
	void *buf = NULL;

	why[0] = '\0';
	if (fd < 0 || posix_memalign(&buf, 4096, 4096) || pread(fd, buf, 4096, 0) != 4096)
		snprintf(why, sizeof(why), "no O_DIRECT on the file system of --dir: %s", strerror(errno));
	free(buf);
	if (fd >= 0)
		close(fd);
	return why[0] ? why : NULL;
}

static int drop(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

void testfile_remove(const struct bench *b)
{
	nftw(b->dir, drop, 8, FTW_DEPTH | FTW_PHYS);
}
