/* cmd_compare.c: fiord compare A B: what changed between two runs, or two sets of runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compare_args.h"
#include "compare_report.h"
#include "outfile.h"
#include "read.h"
#include "strbuf.h"
#include "vec.h"
#include "text.h"
#include "verbs.h"
#include "nearest.h"
#include "cmd.h"

struct cmd {
	struct compare_args args;        /* first: the functions of its options get it as their ctx */
	struct verb_files file, side[2]; /* without --a and --b; after --a, --b */
	int now;    /* side of the files that follow: 0 after --a, 1 after --b, -1 before both */
	int format; /* -1: by the name of the output */
	const char *output;
	struct result_set set[2];
};

static int set_a(void *ctx, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct cmd *)ctx)->now = 0;
	return 0;
}

static int set_b(void *ctx, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	((struct cmd *)ctx)->now = 1;
	return 0;
}

static int allow_setting(void *ctx, const char *word, struct diag *d)
{
	int setting = word_find(compare_setting_name, word, strlen(word));

	if (setting < 0)
		return verb_bad_word("allow", word, compare_setting_name, d);
	((struct cmd *)ctx)->args.cfg.allow[setting] = true;
	return 0;
}

static int set_allow(void *ctx, const char *value, struct diag *d)
{
	return verb_each_word(value, ",", allow_setting, ctx, d);
}

static int set_force(void *ctx, const char *value, struct diag *d)
{
	(void)value;
	(void)d;
	for (unsigned i = 0; i < COMPARE_SETTINGS; i++)
		((struct cmd *)ctx)->args.cfg.allow[i] = true;
	return 0;
}

static int add_side_file(void *ctx, const char *path, struct diag *d)
{
	struct cmd *cmd = ctx;
	struct verb_files *files = cmd->now < 0 ? &cmd->file : &cmd->side[cmd->now];

	return VEC_PUSH(files, path) ? 0 : diag_no_memory(d);
}

static const struct verb_option options[] = {
	{ "a", 0, NULL, "the files that follow are runs of A", set_a },
	{ "b", 0, NULL, "the files that follow are runs of B", set_b },
	{ "format", 'f', "FORMAT",
	  "text, json or html; the default is text, or the format that fits the output's name",
	  .member = offsetof(struct cmd, format), .words = verb_format_names },
	{ "output", 'o', "FILE", "write to this file instead of standard output",
	  .member = offsetof(struct cmd, output) },
	{ "fail-if", 0, "COND", "exit with 5 if 'p99 > +10%', 'JOB.read.iops < -5%' ...; repeatable",
	  compare_args_fail_if },
	{ "fail-unsure", 0, NULL, "exit with 5 also if a condition is met, but not shown by the data",
	  .member = offsetof(struct cmd, args.cfg.fail_unsure) },
	{ "allow-unjudged", 0, NULL, "do not exit with 5 because a condition on a change has no interval",
	  .member = offsetof(struct cmd, args.cfg.allow_unjudged) },
	{ "percentiles", 0, "LIST", "percentiles of latency to compare; the default is 50,99,99.9",
	  compare_args_percentiles },
	{ "confidence", 0, "PERCENT", "confidence of the intervals in percent; the default is 95",
	  compare_args_confidence },
	{ "allow", 0, "LIST", "compare although these differ: rw, bs, direct, engine, iodepth, ...",
	  set_allow },
	{ "force", 0, NULL, "compare whatever differs", set_force },
	{ 0 },
};

/* Sorts the files to the sides. */
static int sort_files(struct cmd *cmd, struct diag *d)
{
	struct verb_files *a = &cmd->side[0], *b = &cmd->side[1];

	if (!a->n && !b->n && cmd->now < 0) {
		if (cmd->file.n != 2)
			return diag_err(d, -EINVAL,
					"fiord compare needs two results, A and B, but the command line has "
					"%zu; several runs of each side are given as --a FILE... --b FILE...",
					cmd->file.n);
		return VEC_PUSH(a, cmd->file.v[0]) && VEC_PUSH(b, cmd->file.v[1]) ? 0 : diag_no_memory(d);
	}
	if (cmd->file.n)
		return diag_err(d, -EINVAL,
				"%s: this file stands before --a and --b, so it belongs to neither side; "
				"give it after one of them",
				cmd->file.v[0]);
	if (!a->n || !b->n)
		return diag_err(d, -EINVAL, "no file follows --%s; both sides need a run", a->n ? "b" : "a");
	return 0;
}

static int read_sides(struct cmd *cmd, struct diag *d)
{
	int err = 0;

	for (unsigned s = 0; s < 2; s++)
		for (size_t i = 0; i < cmd->side[s].n && !err; i++)
			err = result_read_file(&cmd->set[s], cmd->side[s].v[i], d);
	return err;
}

static enum verb_format output_format(const struct cmd *cmd)
{
	return cmd->format < 0 ? verb_format_of(cmd->output) : (enum verb_format)cmd->format;
}

static int render_comparison(const struct cmd *cmd, const struct compare *c, struct strbuf *b)
{
	switch (output_format(cmd)) {
	case VERB_JSON:
		return report_compare_json(c, b);
	case VERB_HTML:
		return report_compare_html(c, b);
	case VERB_TEXT:
		break;
	}
	return report_compare_text(c, b);
}

static int write_comparison(const struct cmd *cmd, const struct compare *c, struct diag *d)
{
	struct strbuf b = { 0 };
	int err = render_comparison(cmd, c, &b);

	if (err)
		diag_no_memory(d);
	else
		err = outfile_write(cmd->output, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	if (err)
		return cmd_code(d);
	compare_put_failures(c);
	return compare_fails(c) ? EXIT_THRESHOLD : EXIT_OK;
}

/* A refused comparison lists all differences, unless a program reads the output. */
static int put_refusal(const struct cmd *cmd, const struct compare *c, struct diag *d)
{
	struct strbuf b = { 0 };

	if (c->difference.n && output_format(cmd) == VERB_TEXT && !cmd->output) {
		report_compare_differences(c, &b);
		fwrite(strbuf_str(&b), 1, b.len, stderr);
	}
	strbuf_fini(&b);
	return cmd_code(d);
}

static struct compare_runs runs_of(const struct result_set *set)
{
	return (struct compare_runs){ (const struct result *const *)set->res, set->source, set->n };
}

static int compare_sets(struct cmd *cmd, struct diag *d)
{
	const struct compare_runs a = runs_of(&cmd->set[0]), b = runs_of(&cmd->set[1]);
	struct compare c;
	int code;

	if (compare_results(&c, &a, &b, &cmd->args.cfg, d))
		code = put_refusal(cmd, &c, d);
	else
		code = write_comparison(cmd, &c, d);
	compare_fini(&c);
	return code;
}

static void fini(struct cmd *cmd)
{
	compare_args_fini(&cmd->args);
	free(cmd->file.v);
	for (unsigned s = 0; s < 2; s++) {
		free(cmd->side[s].v);
		result_set_free(&cmd->set[s]);
	}
}

static int check_output(const struct cmd *cmd, struct diag *d)
{
	int err = 0;

	for (unsigned s = 0; s < 2 && !err; s++)
		err = verb_check_output("output", cmd->output, (const char *const *)cmd->side[s].v,
					cmd->side[s].n, d);
	return err;
}

static int run_compare(int argc, char *const *argv, struct diag *d)
{
	struct cmd cmd = { .now = -1, .format = -1, .args.cfg.confidence = 0.95 };
	int err = verb_parse(&verb_compare, &cmd, argc, argv, d), code = EXIT_OK;

	if (err == VERB_HELP_SHOWN) {
		fini(&cmd);
		return EXIT_OK;
	}
	if (!err)
		err = sort_files(&cmd, d);
	if (!err)
		err = compare_args_complete(&cmd.args, d);
	if (!err)
		err = check_output(&cmd, d);
	if (!err)
		err = read_sides(&cmd, d);
	code = err ? cmd_code(d) : compare_sets(&cmd, d);
	fini(&cmd);
	return code;
}

const struct verb verb_compare = {
	.name = "compare",
	.synopsis = "compare A B",
	.help = "show what changed between two results",
	.usage = "fiord compare [OPTION...] A B\n"
		 "fiord compare [OPTION...] --a RUN... --b RUN...\n\n"
		 "Compares results of fiord or fio (JSON, or fiord's HTML reports). Jobs are paired by name. "
		 "Each\n"
		 "change has a confidence interval, from the series of the runs or from repeated runs.\n",
	.options = options,
	.file = add_side_file,
	.run = run_compare,
};
