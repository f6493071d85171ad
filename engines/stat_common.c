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

int stat_common_submit(struct engine_ctx *ctx, struct io **ios, unsigned n)
{
	const struct stat_common_opts *o = ctx->opts;
	int ret = read_attributes(ios[0]->file->path, o ? o->type : STAT_STAT);

	(void)n;
	return depth_one_done(ctx->state, ios[0], ret ? -errno : (int64_t)ios[0]->len);
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
