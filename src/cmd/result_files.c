#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "report.h"
#include "exit_code.h"
#include "html.h"
#include "outfile.h"
#include "strbuf.h"

typedef int report_fn(const struct result *const *res, const char *const *source, size_t n, struct strbuf *b);

static int write_file(report_fn *report, const char *path, const struct result *const *res,
		      const char *const *source, size_t n, struct diag *d)
{
	struct strbuf b = { 0 };
	int ret = report(res, source, n, &b);

	ret = ret ? diag_kind(d, DIAG_OUTPUT, ret, "%s: out of memory for the report", path)
		  : outfile_write(path, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return ret;
}

/* Returns the names of several runs, "run 1" and so on. */
static const char **name_runs(size_t n)
{
	const size_t bytes = sizeof("run ") + 20;
	const char **source = malloc(n * (sizeof(*source) + bytes));
	char *text = source ? (char *)(source + n) : NULL;

	for (size_t i = 0; source && i < n; i++, text += bytes) {
		source[i] = text;
		snprintf(text, bytes, "run %zu", i + 1);
	}
	return source;
}

bool result_files_any(const struct run_opts *o)
{
	return o->report || o->csv || o->junit;
}

int result_files_write(const struct run_opts *o, struct result *const *all, size_t n, struct diag *d)
{
	const struct result *const *res = (const struct result *const *)all;
	const char **source = NULL;
	int ret = 0;

	if (!result_files_any(o))
		return 0;
	if (n > 1 && !(source = name_runs(n)))
		return diag_kind(d, DIAG_OUTPUT, -ENOMEM, "out of memory for the report");
	if (o->report)
		ret = write_file(report_html, o->report, res, source, n, d);
	if (o->csv && write_file(report_csv, o->csv, res, source, n, d))
		ret = d->err;
	if (ret)
		result_exit_code(all[n - 1], EXIT_OUTPUT);
	if (o->junit && write_file(report_junit, o->junit, res, source, n, d))
		ret = d->err;
	free(source);
	return ret;
}
