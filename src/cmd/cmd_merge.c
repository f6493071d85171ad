/* cmd_merge.c: fiord merge A B...: the results of several hosts as one document. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd.h"
#include "merge.h"
#include "nearest.h"
#include "outfile.h"
#include "read.h"
#include "report.h"
#include "strbuf.h"
#include "verbs.h"
#include "version.h"

static const struct {
	const char *name;
	unsigned bits;
} format[] = {
	{ "normal", OUT_NORMAL },
	{ "terse", OUT_TERSE },
	{ "json", OUT_JSON },
	{ "json+", OUT_JSON | OUT_JSON_PLUS },
};
#define FORMATS (sizeof(format) / sizeof(*format))

struct cmd {
	struct verb_files file;
	unsigned formats;
	const char *output;
};

static int bad_format(const char *word, struct diag *d)
{
	const char *words[FORMATS + 1] = { 0 }, *near;

	for (size_t i = 0; i < FORMATS; i++)
		words[i] = format[i].name;
	near = nearest_word(words, word);
	return diag_err(d, -EINVAL,
			"--output-format=%.60s: the choices are normal, terse, json and json+%s%s%s", word,
			near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static int add_format(void *ctx, const char *word, struct diag *d)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(format[i].name, word)) {
			((struct cmd *)ctx)->formats |= format[i].bits;
			return 0;
		}
	}
	return bad_format(word, d);
}

static int set_formats(void *ctx, const char *value, struct diag *d)
{
	struct cmd *cmd = ctx;
	int err;

	cmd->formats = 0;
	err = verb_each_word(value, ",", add_format, ctx, d);
	return err ? err : cmd->formats ? 0 : bad_format(value, d);
}

static const struct verb_option options[] = {
	{ "output", 'o', "FILE", "write to this file instead of standard output",
	  .member = offsetof(struct cmd, output) },
	{ "output-format", 0, "LIST", "normal, terse, json or json+; the default is json+", set_formats },
	{ 0 },
};

/* Reads and adds one file. Its results are freed before the next file is read. */
static int merge_file(struct result_merge *m, const char *path, struct diag *d)
{
	struct result_set set = { 0 };
	int err = result_read_file(&set, path, d);

	for (size_t i = 0; i < set.n && !err; i++) {
		err = result_merge_add(m, set.res[i], set.source[i], d);
		if (err)
			diag_wrap(d, "%s", set.source[i]);
	}
	result_set_free(&set);
	return err;
}

static int merge_files(const struct cmd *cmd, struct result_merge *m, struct result *out, struct diag *d)
{
	int err;

	if (!cmd->file.n)
		return diag_err(d, -EINVAL,
				"fiord merge needs at least one result: fiord merge A.json B.json");
	if (!m)
		return diag_no_memory(d);
	err = verb_check_output("output", cmd->output, (const char *const *)cmd->file.v, cmd->file.n, d);
	for (size_t i = 0; i < cmd->file.n && !err; i++)
		err = merge_file(m, cmd->file.v[i], d);
	return err ? err : result_merge_finish(m, out, d);
}

struct output {
	struct strbuf_sink sink;
	struct outfile file;
};

static bool put_piece(struct strbuf_sink *sink, const char *text, size_t len)
{
	struct output *out = (struct output *)sink;

	outfile_add(&out->file, text, len);
	return !out->file.err;
}

/* Writes the result in pieces, so that its text takes little memory. */
static int write_result(const struct cmd *cmd, const struct result *res, struct diag *d)
{
	struct output out = { .sink = { put_piece } };
	struct strbuf b = { .sink = &out.sink };
	int err;

	outfile_open(&out.file, cmd->output);
	err = report_render(cmd->formats, 3, res, &b);
	strbuf_flush(&b);
	if (err && !out.file.err) {
		outfile_abort(&out.file);
		diag_kind(d, DIAG_RUN, err, "out of memory");
	} else {
		err = outfile_close(&out.file, d);
	}
	strbuf_fini(&b);
	return err;
}

static int merge(const struct cmd *cmd, int argc, char *const *argv, struct diag *d)
{
	struct result_merge *m =
		result_merge_new("fiord", FIORD_VERSION, FIORD_FIO_VERSION, cmd->formats & OUT_JSON_PLUS);
	struct result res = { 0 };
	int err = merge_files(cmd, m, &res, d);

	result_merge_free(m);
	if (!err) {
		result_command(&res, argc, argv);
		err = write_result(cmd, &res, d);
	}
	result_free(&res);
	return err ? cmd_code(d) : EXIT_OK;
}

static int run_merge(int argc, char *const *argv, struct diag *d)
{
	struct cmd cmd = { .formats = OUT_JSON | OUT_JSON_PLUS };
	int err = verb_parse(&verb_merge, &cmd, argc, argv, d), code = EXIT_OK;

	if (err != VERB_HELP_SHOWN)
		code = err ? cmd_code(d) : merge(&cmd, argc, argv, d);
	free(cmd.file.v);
	return code;
}

const struct verb verb_merge = {
	.name = "merge",
	.synopsis = "merge FILE...",
	.help = "merge results of several hosts into one",
	.usage = "fiord merge [OPTION...] FILE...\n\n"
		 "Merges results of fiord or fio (JSON, or fiord's HTML reports) into one document, with the "
		 "jobs\n"
		 "of each host and their sum, \"All clients\". Counts and percentiles are exact where the "
		 "results\n"
		 "are json+. The file - is standard input.\n",
	.options = options,
	.files = offsetof(struct cmd, file),
	.run = run_merge,
};
