/* cmd_trend.c: fiord trend DIR|FILE...: what changed for good over many documents. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cmd.h"
#include "compare_args.h"
#include "outfile.h"
#include "read.h"
#include "strbuf.h"
#include "text.h"
#include "trend_report.h"
#include "vec.h"
#include "verbs.h"

struct cmd {
	struct compare_args compare; /* first: the functions of its options get it as their ctx */
	struct verb_files file;
	int format; /* -1: by the name of the output */
	const char *output, *by;
	struct trend trend;
};

/* ---- files ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), len = strlen(end);

	return n > len && !strcmp(text + n - len, end);
}

static int is_document(const struct dirent *e)
{
	return e->d_name[0] != '.' && (ends_with(e->d_name, ".json") || ends_with(e->d_name, ".html") ||
				       ends_with(e->d_name, ".htm"));
}

/* Reads a file. A FIFO of a directory could keep the program waiting. */
static int read_file(struct result_set *set, const char *path, bool named, struct diag *d)
{
	struct stat st;

	if (!named && !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return diag_err(d, -EINVAL, "%s: this is not a regular file", path);
	return result_read_file(set, path, d);
}

/* Adds the documents of a file, whose results are freed one by one. named: on the command line. */
static int add_file(struct cmd *c, const char *path, bool named, struct diag *d)
{
	struct result_set set = { 0 };
	struct diag why = { 0 };
	int err = read_file(&set, path, named, &why);

	if (err == -ENOMEM)
		err = diag_no_memory(d);
	else if (err)
		trend_leave_out(&c->trend, path, diag_text(&why));
	else
		err = verb_check_output("output", c->output, &path, 1, d);
	for (size_t i = 0; i < set.n && !err; i++) {
		struct result *r = set.res[i];

		set.res[i] = NULL;
		if (trend_add(&c->trend, r, set.source[i]))
			err = diag_no_memory(d);
	}
	diag_fini(&why);
	result_set_free(&set);
	return d->err;
}

static int add_directory(struct cmd *c, const char *path, struct diag *d)
{
	struct dirent **entry = NULL;
	int n = scandir(path, &entry, is_document, alphasort), err = 0;

	if (n < 0)
		return diag_err(d, -errno, "%s: %s", path, diag_errno(errno));
	for (int i = 0; i < n; i++) {
		struct strbuf name = { 0 };

		strbuf_printf(&name, "%s%s%s", path, ends_with(path, "/") ? "" : "/", entry[i]->d_name);
		if (name.failed)
			err = diag_no_memory(d);
		if (!err)
			err = add_file(c, strbuf_str(&name), false, d);
		strbuf_fini(&name);
		free(entry[i]);
	}
	free(entry);
	return err;
}

/* Says why the trend has no document: the missing key, even if files before could not be read. */
static int explain_no_document(const struct cmd *c, struct diag *d)
{
	const struct trend *t = &c->trend;
	const char *path = c->file.v[0];

	if (t->without_key)
		return diag_err(d, -EINVAL,
				"%s: no document can be used; documents that have no %s (--by): %zu", path,
				c->by, t->without_key);
	if (t->left_out.n)
		return diag_err(d, -EINVAL, "%s: no document can be used; the first one: %s", path,
				t->left_out.v[0].why);
	return diag_err(d, -EINVAL,
			"%s: no document can be used, because no file is named *.json, *.html or *.htm",
			path);
}

static int read_files(struct cmd *c, struct diag *d)
{
	struct stat st;
	int err = 0;

	for (size_t i = 0; i < c->file.n && !err; i++) {
		const char *path = c->file.v[i];

		if (strcmp(path, "-") != 0 && stat(path, &st))
			return diag_err(d, -errno, "%s: %s", path, diag_errno(errno));
		if (strcmp(path, "-") != 0 && S_ISDIR(st.st_mode))
			err = add_directory(c, path, d);
		else
			err = add_file(c, path, true, d);
	}
	if (!err && !c->trend.documents)
		return explain_no_document(c, d);
	return err;
}

/* ---- the report ---- */

static enum verb_format output_format(const struct cmd *c)
{
	return c->format < 0 ? verb_format_of(c->output) : (enum verb_format)c->format;
}

static int write_trend(struct cmd *c, struct diag *d)
{
	static int (*const write_format[])(const struct trend *,
					   struct strbuf *) = { [VERB_TEXT] = report_trend_text,
								[VERB_JSON] = report_trend_json,
								[VERB_HTML] = report_trend_html };
	struct strbuf b = { 0 };
	int err = write_format[output_format(c)](&c->trend, &b);

	if (err)
		diag_no_memory(d);
	else
		err = outfile_write(c->output, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	if (err)
		return cmd_code(d);
	compare_put_failures(&c->trend.judged);
	return trend_fails(&c->trend) ? EXIT_THRESHOLD : EXIT_OK;
}

static int check(struct cmd *c, struct diag *d)
{
	if (!c->file.n)
		return diag_err(d, -EINVAL,
				"fiord trend needs documents: fiord trend DIRECTORY, or fiord trend FILE...");
	if (c->by && trend_key_check(c->by, d))
		return d->err;
	if (c->by && !strcmp(c->by, "time"))
		c->by = NULL;
	if (compare_args_complete(&c->compare, d))
		return d->err;
	return verb_check_output("output", c->output, (const char *const *)c->file.v, c->file.n, d);
}

static int run_trend(int argc, char *const *argv, struct diag *d)
{
	struct cmd c = { .format = -1, .compare.cfg.confidence = 0.95 };
	int err = verb_parse(&verb_trend, &c, argc, argv, d), code = EXIT_OK;

	if (!err)
		err = check(&c, d);
	if (!err) {
		trend_init(&c.trend, &c.compare.cfg, c.by);
		err = read_files(&c, d);
		if (!err)
			err = trend_finish(&c.trend, d);
		code = err ? cmd_code(d) : write_trend(&c, d);
		trend_fini(&c.trend);
	} else if (err != VERB_HELP_SHOWN) {
		code = cmd_code(d);
	}
	free(c.file.v);
	compare_args_fini(&c.compare);
	return code;
}

static const struct verb_option options[] = {
	{ "by", 0, "KEY", "order by this key, such as environment.kernel or device.firmware, not by time",
	  .member = offsetof(struct cmd, by), .once = true },
	{ "format", 'f', "FORMAT",
	  "text, json or html; the default is text, or the format that fits the output's name",
	  .member = offsetof(struct cmd, format), .words = verb_format_names },
	{ "output", 'o', "FILE", "write to this file instead of standard output",
	  .member = offsetof(struct cmd, output) },
	{ "fail-if", 0, "COND", "exit with 5 if the last document has 'p99 > +10%' ...; repeatable",
	  compare_args_fail_if },
	{ "fail-unsure", 0, NULL, "exit with 5 also if a condition is met, but not shown by the data",
	  .member = offsetof(struct cmd, compare.cfg.fail_unsure) },
	{ "allow-unjudged", 0, NULL, "do not exit with 5 because too few earlier documents exist",
	  .member = offsetof(struct cmd, compare.cfg.allow_unjudged) },
	{ "percentiles", 0, "LIST", "percentiles of latency to show; the default is 50,99,99.9",
	  compare_args_percentiles },
	{ "confidence", 0, "PERCENT", "confidence of the conditions in percent; the default is 95",
	  compare_args_confidence },
	{ 0 },
};

const struct verb verb_trend = {
	.name = "trend",
	.synopsis = "trend DIR|FILE...",
	.help = "show lasting changes in many results",
	.usage = "fiord trend [OPTION...] DIRECTORY|FILE...\n\n"
		 "Orders results of fiord or fio by their time, or by a key, and shows the figures that "
		 "changed for\n"
		 "good, where, and which settings changed with them. Of a directory it reads *.json and "
		 "*.html.\n",
	.options = options,
	.files = offsetof(struct cmd, file),
	.run = run_trend,
};
