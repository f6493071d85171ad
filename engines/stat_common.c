#include "engine_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include "types.h"

enum stat_type { STAT_STAT, STAT_LSTAT, STAT_STATX };

static int read_attributes(const char *path, unsigned type)
{
	struct statx stx;
	struct stat st;

	switch ((enum stat_type)type) {
	case STAT_STAT:
		return stat(path, &st);
	case STAT_LSTAT:
		return lstat(path, &st);
	case STAT_STATX:
		break;
	}
	return statx(AT_FDCWD, path, AT_STATX_SYNC_AS_STAT, STATX_BASIC_STATS | STATX_BTIME, &stx);
}

int64_t stat_common_do_one(struct engine_ctx *ctx, struct io *io)
{
	const struct stat_common_opts *o = ctx->opts;

	return read_attributes(io->file->path, o ? o->type : STAT_STAT) ? -errno : (int64_t)io->len;
}

/* clang-format off */
#define OPT_STRUCT struct stat_common_opts
static const struct opt_row rows[] = {
	{ .name = "stat_type", OPT_ENUM(type,
		{ "stat", STAT_STAT, "stat()" },
		{ "lstat", STAT_LSTAT, "lstat(), which does not follow symbolic links" },
		{ "statx", STAT_STATX, "statx() of all attributes" }), .def = "stat", .group = "filestat, dirstat",
	  .help = "System call that reads the attributes" },
	{ .name = NULL },
};
/* clang-format on */
const struct opt_table stat_common_table = { rows, sizeof(struct stat_common_opts) };
