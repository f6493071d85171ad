/* cmd_report.c: the verb report: documents, logs and pages -> one HTML page, or one table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "assertion.h"
#include "cmd.h"
#include "report.h"
#include "html.h"
#include "outfile.h"
#include "read_logs.h"
#include "strbuf.h"
#include "vec.h"
#include "verdict.h"
#include "verbs.h"

struct report {
	struct verb_files files;
	const char *output; /* NULL: standard output */
	const char *junit;  /* NULL: none */
	struct assertions assertions;
	bool csv;
};

static int add_assertion(void *ctx, const char *value, struct diag *d)
{
	return assertion_parse(&((struct report *)ctx)->assertions, value, d);
}

static int add_document(void *ctx, const char *path, struct diag *d)
{
	struct report *r = ctx;

	for (size_t i = 0; i < r->files.n; i++)
		if (!strcmp(path, "-") && !strcmp(r->files.v[i], "-"))
			return diag_err(d, -EINVAL, "'-' (standard input) can be read only once");
	return VEC_PUSH(&r->files, path) ? 0 : diag_no_memory(d);
}

static int run_report(int argc, char *const *argv, struct diag *d);

static const struct verb_option options[] = {
	{ "output", 'o', "FILE", "write to this file instead of standard output",
	  .member = offsetof(struct report, output), .once = true },
	{ "csv", 0, NULL, "write the figures as a table, a line for each job and direction",
	  .member = offsetof(struct report, csv) },
	{ "assert", 0, "EXPR", "judge a figure of each result, such as 'read.clat.p99 < 1ms'; repeatable",
	  add_assertion },
	{ "junit", 0, "FILE", "write assertions and errors to this file as JUnit XML",
	  .member = offsetof(struct report, junit), .once = true },
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
		 "  fiord report run.json --assert 'read.clat.p99 < 1ms'    judge figures; exit status 5 if "
		 "one fails\n"
		 "\n"
		 "It reads JSON of fiord and of fio, their log files, and fiord's own pages; - is standard\n"
		 "input. --output-format=json+ gives the charts over time.\n",
	.options = options,
	.file = add_document,
	.run = run_report,
};

/* Returns whether the verdicts are all that the user wants. */
static bool judges_alone(const struct report *r)
{
	return !r->output && !r->csv && (r->assertions.n || r->junit);
}

/* Checks the command line. Nothing has been read yet. */
static int check_documents(const struct report *r, struct diag *d)
{
	if (!r->files.n)
		return diag_err(d, -EINVAL,
				"report: no result to read; name a document: fiord report run.json -o "
				"report.html");
	if (r->junit && r->output && !strcmp(r->junit, r->output))
		return diag_err(d, -EINVAL, "--junit=%s: --output has the same file", r->junit);
	if (r->junit && verb_check_output("junit", r->junit, (const char *const *)r->files.v, r->files.n, d))
		return d->err;
	if (r->output)
		return verb_check_output("output", r->output, (const char *const *)r->files.v, r->files.n, d);
	if (!r->csv && !judges_alone(r) && isatty(STDOUT_FILENO))
		return diag_err(d, -EINVAL,
				"report: a page is not written to a terminal; name a file: -o report.html");
	return 0;
}

/* Judges a result anew. */
static int judge_document(const struct report *r, struct result *res, const char *source, struct diag *d)
{
	struct assertion_facts facts;
	int ret = assertion_facts_of(&facts, res);

	if (!ret)
		ret = assertion_check(&r->assertions, &facts, d);
	res->verdicts.n = 0;
	if (!ret)
		ret = assertion_judge(&r->assertions, &facts, res);
	assertion_facts_fini(&facts);
	if (ret && !d->err)
		diag_kind(d, DIAG_RUN, ret, "out of memory");
	return ret ? diag_wrap(d, "%s", source) : 0;
}

static int judge_all(const struct report *r, const struct result_set *set, struct diag *d)
{
	int ret = 0;

	for (size_t i = 0; i < set->n && r->assertions.n && !ret; i++)
		ret = judge_document(r, set->res[i], set->source[i], d);
	return ret;
}

static int make_verdicts(const struct result_set *set, struct strbuf *b)
{
	for (size_t i = 0; i < set->n; i++) {
		strbuf_puts(b, i ? "\n" : "");
		strbuf_printf_plain(b, "%s:", set->source[i]);
		text_verdicts(b, set->res[i]);
	}
	return b->failed ? -ENOMEM : 0;
}

static int write_report(const struct report *r, const struct result_set *set, struct diag *d)
{
	const struct result *const *res = (const struct result *const *)set->res;
	struct strbuf b = { 0 };
	int ret = judges_alone(r) ? make_verdicts(set, &b)
		  : r->csv        ? report_csv(res, set->source, set->n, &b)
				  : report_html(res, set->source, set->n, &b);

	ret = ret ? diag_kind(d, DIAG_OUTPUT, ret, "out of memory for the report")
		  : outfile_write(r->output, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return ret;
}

static int write_junit(const struct report *r, const struct result_set *set, struct diag *d)
{
	struct strbuf b = { 0 };
	int ret =
		r->junit ? report_junit((const struct result *const *)set->res, set->source, set->n, &b) : 0;

	if (ret)
		diag_kind(d, DIAG_OUTPUT, ret, "out of memory for the report");
	else if (r->junit)
		ret = outfile_write(r->junit, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return ret;
}

/* Only the assertions of this command line count; failed ones that a document has are in the report. */
static int code_of(const struct report *r, const struct result_set *set)
{
	size_t failed = 0;

	for (size_t i = 0; i < set->n && r->assertions.n; i++)
		failed += verdicts_failed(set->res[i]);
	return failed ? EXIT_THRESHOLD : EXIT_OK;
}

static int make_report(const struct report *r, struct diag *d)
{
	struct result_set set = { 0 };
	int ret = check_documents(r, d), code;

	if (!ret)
		ret = result_read_files(&set, (const char *const *)r->files.v, r->files.n, d);
	if (!ret)
		ret = judge_all(r, &set, d);
	if (!ret)
		ret = write_junit(r, &set, d);
	if (!ret)
		ret = write_report(r, &set, d);
	code = ret ? cmd_code(d) : code_of(r, &set);
	result_set_free(&set);
	return code;
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
	assertions_fini(&r.assertions);
	return code;
}
