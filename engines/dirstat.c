/* dirstat: one I/O calls stat on one directory. */
#include "engine_parts.h"

const struct engine engine_dirstat = {
	.name = "dirstat",
	.help = "one I/O calls stat on one directory",
	.caps = ENG_SYNC | ENG_META | ENG_DIRS,
	.opts = &stat_common_table,
	.opts_size = sizeof(struct stat_common_opts),
	.do_one = stat_common_do_one,
};
