/* cmd_report.c: the verb report: documents, logs and pages -> one HTML page, or one table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd.h"
#include "csv.h"
#include "html.h"
#include "outfile.h"
#include "read_logs.h"
#include "vec.h"
#include "verbs.h"

struct report {
	struct {
		const char **v;
		size_t n, cap;
	} files;
	const char *output; /* NULL: standard output */
	bool csv;
};

static int set_output(void *ctx, const char *value, struct diag *d)
{
	struct report *r = ctx;

	if (r->output)
		return diag_err(d, -EINVAL, "--output=%s: the output file is already given: %s", value,
				r->output);
	r->output = value;
	return 0;
}

static int set_csv(void *ctx, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct report *)ctx)->csv = true;
	return 0;
}

static int add_file(void *ctx, const char *path, struct diag *d)
{
	struct report *r = ctx;

	for (size_t i = 0; i < r->files.n; i++)
		if (!strcmp(path, "-") && !strcmp(r->files.v[i], "-"))
			return diag_err(d, -EINVAL, "'-' (standard input) can be read only once");
	return VEC_PUSH(&r->files, path) ? 0 : diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
}

static int run_report(int argc, char *const *argv, struct diag *d);

static const struct verb_option options[] = {
	{ "output", 'o', "FILE", "write to this file instead of standard output", set_output },
	{ "csv", 0, NULL, "write the figures as a table, a line for each job and direction", set_csv },
	{ NULL },
};

const struct verb verb_report = {
	.name = "report",
	.synopsis = "report RUN.json... -o FILE",
	.help = "make an HTML page of results",
	.usage = "fiord report makes one HTML page of one or several results: figures, charts, tables.\n"
		 "\n"
		 "  fiord report run.json -o report.html       a page of one run\n"
		 "  fiord report a.json b.html -o both.html    of two, with an overview\n"
		 "  fiord report run_lat.*.log -o report.html  of log files\n"
		 "  ssh host fiord --output-format=json job.ini | fiord report - -o report.html\n"
		 "\n"
		 "It reads JSON of fiord and of fio, their log files, and fiord's own pages; - is standard\n"
		 "input. --output-format=json+ gives the charts over time.\n",
	.options = options,
	.file = add_file,
	.run = run_report,
};

/* Checks the command line. Nothing has been read yet. */
static int check(const struct report *r, struct diag *d)
{
	if (!r->files.n)
		return diag_err(d, -EINVAL,
				"report: no result to read; name a document: fiord report run.json -o "
				"report.html");
	if (r->output)
		return verb_check_output(r->output, (const char *const *)r->files.v, r->files.n, d);
	if (!r->csv && isatty(STDOUT_FILENO))
		return diag_err(d, -EINVAL,
				"report: a page is not written to a terminal; name a file: -o report.html");
	return 0;
}

static int write_report(const struct report *r, const struct result_set *set, struct diag *d)
{
	const struct result *const *res = (const struct result *const *)set->res;
	struct strbuf b = { 0 };
	int ret =
		r->csv ? report_csv(res, set->source, set->n, &b) : report_html(res, set->source, set->n, &b);

	ret = ret ? diag_kind(d, DIAG_OUTPUT, ret, "out of memory for the report")
		  : outfile_write(r->output, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return ret;
}

static int make_report(const struct report *r, struct diag *d)
{
	struct result_set set = { 0 };
	int ret = check(r, d);

	if (!ret)
		ret = result_read_files(&set, (const char *const *)r->files.v, r->files.n, d);
	if (!ret)
		ret = write_report(r, &set, d);
	result_set_free(&set);
	return ret ? cmd_code(d) : EXIT_OK;
}

static int run_report(int argc, char *const *argv, struct diag *d)
{
	struct report r = { 0 };
	int ret = verb_parse(&verb_report, &r, argc, argv, d), code = EXIT_OK;

	if (ret < 0)
		code = cmd_code(d);
	else if (!ret)
		code = make_report(&r, d);
	free(r.files.v);
	return code;
}
