/* verify_dump.c: files with the contents of damaged blocks. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "block_check.h"

/* Writes a new file. Returns 0 or -errno; a file that could not be written completely is removed. */
static int write_file(const char *path, const unsigned char *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), ret = 0;

	if (fd < 0)
		return -errno;
	while (bytes) {
		ssize_t n = write(fd, data, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			ret = n ? -errno : -ENOSPC;
			break;
		}
		data += n;
		bytes -= (size_t)n;
	}
	if (close(fd) && !ret)
		ret = -errno;
	if (ret)
		unlink(path);
	return ret;
}

/* Counts a file that could not be written. */
static void failed(struct verify_dumps *v, const char *path, int ret)
{
	if (!v->failed++)
		snprintf(v->error, sizeof(v->error), "%.300s: %.90s", path,
			 ret == -EEXIST ? "it exists, and is not replaced" : diag_errno(ret));
}

/* Writes the file BASE.WHAT, or BASE.WHAT.RANK. Returns false if that failed. */
static bool dump(struct verify_dumps *v, const char *base, const char *what, const unsigned char *data,
		 size_t bytes)
{
	char path[PATH_MAX];
	int ret = -ENAMETOOLONG;

	if (snprintf(path, sizeof(path), "%s.%s%s%s", base, what, v->rank ? "." : "",
		     v->rank ? v->rank : "") < (int)sizeof(path))
		ret = write_file(path, data, bytes);
	if (ret)
		failed(v, path, ret);
	return ret == 0;
}

/* Makes the block again, or zeroes if it was trimmed. Returns NULL if memory is short. The block gets the
   time of the header that was read, if that is intact; and if another program wrote the block, also its
   number and its job. */
static unsigned char *make_expected(const struct verify_format *f, const struct block_check *check, bool own)
{
	struct verify_write write = check->expect.write;
	unsigned char *buf = check->trimmed ? calloc(1, write.bytes) : malloc(write.bytes);

	if (check->trimmed)
		return buf;
	if (check->damage.has_header) {
		write.seconds = check->damage.header.seconds;
		write.nanoseconds = check->damage.header.nanoseconds;
	}
	if (check->damage.has_header && !own) {
		write.number = check->damage.header.number;
		write.thread = check->damage.header.thread;
	}
	if (buf)
		verify_block_make(f, &write, buf);
	return buf;
}

static bool dump_expected(struct verify_dumps *v, const char *base, const struct verify_format *f,
			  const struct block_check *check, bool own)
{
	unsigned char *buf = make_expected(f, check, own);
	bool ok;

	if (!buf) {
		failed(v, base, -ENOMEM);
		return false;
	}
	ok = dump(v, base, "expected", buf + check->block.from, check->block.bytes);
	free(buf);
	return ok;
}

void verify_dumps_add(struct verify_dumps *v, const struct clone *c, const char *path,
		      const struct verify_format *f, const struct block_check *check, bool own)
{
	const struct verify_block_ref *b = &check->block;
	const char *dir = c->plan->set->run.aux_path, *slash = strrchr(path, '/');
	char base[PATH_MAX];

	v->rank = c->plan->set->run.rank_name;
	if (v->blocks == VERIFY_DUMPS) {
		v->omitted++;
		return;
	}
	if (snprintf(base, sizeof(base), "%s%s%s.%" PRIu64, dir ? dir : "", dir ? "/" : "",
		     slash ? slash + 1 : path, b->offset + b->from) >= (int)sizeof(base)) {
		failed(v, path, -ENAMETOOLONG);
		return;
	}
	if (!dump(v, base, "received", check->buf, b->bytes) ||
	    ((own || check->trimmed || f->cfg->pattern) && !dump_expected(v, base, f, check, own)))
		return;
	if (!v->blocks++)
		snprintf(v->first, sizeof(v->first), "%.399s", base);
}

void verify_dumps_end(const struct verify_dumps *v, const struct clone *c)
{
	char more[64] = "", error[sizeof(v->error) + 64] = "";

	if (v->omitted)
		snprintf(more, sizeof(more), "; %" PRIu64 " further blocks have no dump", v->omitted);
	if (v->failed)
		snprintf(error, sizeof(error), "%" PRIu64 " failed: %s", v->failed, v->error);
	if (v->blocks)
		clone_note(
			c,
			"{verify_dump=1}: %" PRIu64 " damaged block%s dumped, the first to %s.received%s%s%s",
			v->blocks, v->blocks == 1 ? "" : "s", v->first, more, v->failed ? "; " : "", error);
	else if (v->failed)
		clone_note(c, "{verify_dump=1}: %s", error);
}
