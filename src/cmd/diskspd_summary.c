/* diskspd_summary.c: fiord diskspd --summary: a table of DISKSPD's XML results, one row for each. */
#include "cmd_diskspd.h"
#include "jobfile.h"
#include "result_table.h"
#include "strbuf.h"

static int add_result_row(const struct ds_cmd *c, const char *path, struct strbuf *out, struct diag *d)
{
	struct strbuf text = { 0 };
	int err = jobfile_load(path, &text);

	if (err)
		diag_kind(d, DIAG_RUN, err, "%s: %s", path, diag_errno(err));
	else
		err = ds_result_table_row(path, strbuf_str(&text), text.len, c->separator, out, d);
	strbuf_fini(&text);
	return err;
}

int ds_summary(const struct ds_cmd *c, struct diag *d)
{
	struct strbuf out = { 0 };
	int err = 0, code;

	ds_result_table_head(c->separator, &out);
	for (size_t i = 0; i < c->line.n && !err; i++)
		err = add_result_row(c, c->line.v[i], &out, d);
	if (!err && out.failed)
		err = diag_no_memory(d);
	code = err ? ds_exit_code(d) : cmd_put(strbuf_str(&out), d);
	strbuf_fini(&out);
	return code;
}
