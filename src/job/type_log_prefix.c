/* type_log_prefix.c: the prefix of log files. The name alone means the default prefix. */
#include "rows.h"
#include "types.h"

static int prefix_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	(void)row;
	(void)ctx;
	return opt_text_set(field, text ? text : "", d);
}

const struct opt_type job_type_prefix = { OPT_TYPE_TEXT("prefix", prefix_parse), .free_text = true };
