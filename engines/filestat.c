/* filestat: one I/O looks at one file. */
#include "one.h"
#include "statop.h"

const struct engine engine_filestat = {
	.name = "filestat",
	.help = "one I/O calls stat on one file",
	.caps = ENG_SYNC | ENG_META,
	.state_size = sizeof(struct one),
	.opts = &statop_table,
	.opts_size = sizeof(struct statop_opts),
	.submit = statop_submit,
	.reap = one_reap,
};
