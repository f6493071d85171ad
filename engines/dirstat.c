/* dirstat: one I/O looks at one directory. */
#include "one.h"
#include "statop.h"

const struct engine engine_dirstat = {
	.name = "dirstat",
	.help = "one I/O calls stat on one directory",
	.caps = ENG_SYNC | ENG_META | ENG_DIRS,
	.state_size = sizeof(struct one),
	.opts = &statop_table,
	.opts_size = sizeof(struct statop_opts),
	.submit = statop_submit,
	.reap = one_reap,
};
