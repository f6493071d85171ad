/* filestat: one I/O calls stat on one file. */
#include "engine_parts.h"

const struct engine engine_filestat = {
	.name = "filestat",
	.help = "one I/O calls stat on one file",
	.caps = ENG_SYNC | ENG_META,
	.opts = &stat_common_table,
	.opts_size = sizeof(struct stat_common_opts),
	.do_one = stat_common_do_one,
};
