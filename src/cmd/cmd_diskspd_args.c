/* cmd_diskspd_args.c: parses the arguments of the verb diskspd: fiord's options and DISKSPD's arguments. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd_diskspd.h"
#include "cmdline_flags.h"
#include "flags.h"
#include "speller.h"
#include "strbuf.h"
#include "profile_text.h"
#include "rows.h"

struct args {
	struct ds_cmd *c;
	int at, argc;
	char *const *argv;
	struct diag *d;
};

static const char usage[] =
	"fiord diskspd reads, explains, translates and runs DISKSPD command lines.\n"
	"\n"
	"  fiord diskspd -b4K -t2 -r -o32 -d10 -Sh testfile.dat     run it\n"
	"  fiord diskspd --explain LINE...                          explain what the line would do\n"
	"  fiord diskspd --to-job [--fio] LINE...                   print the job file that does the same\n"
	"  fiord diskspd --to-profile LINE...                       print the XML profile\n"
	"  fiord diskspd --to-sweep -                               print the sweep that does the same as a "
	"script's loops\n"
	"  fiord diskspd --summary[=csv] RESULT.xml...              print a table, a row for each result of "
	"-Rxml\n"
	"  fiord diskspd --from-job FILE [--to-profile]             print the nearest line or profile\n"
	"  fiord diskspd [...] --line 'TEXT'                        a copied line; - reads lines from "
	"stdin\n"
	"\n"
	"  --define N=V    the value of $N, %N% and ${env:N} in copied lines and scripts\n"
	"  --dialect D     2.3 (default), 2.2, 2.0 for old articles, linux-port for diskspd-for-linux\n"
	"  --map A=B       the Linux path for a Windows path: --map C:=/mnt/data --map '#4=/dev/sdb'\n"
	"  --recreate      -c also replaces files that fiord did not create\n"
	"  --layout L      of the text report: 2.2 (default), 2.3, 2.1, 2.0.21, 2.0.17, 2.0, linux-port\n"
	"  --output-format=diskspd,diskspd-xml,json,normal   one or several;\n"
	"                  also --output=FORMAT:FILE, --allow_write and other options of a run, with two "
	"dashes\n"
	"\n";

void ds_cmd_usage(const struct ds_cmd *c, struct strbuf *out)
{
	if (!c->as_diskspd)
		strbuf_puts(out, usage);
	ds_usage(c->dialect, c->as_diskspd ? "diskspd" : "fiord diskspd", out);
}

static int memory(struct args *a)
{
	return diag_no_memory(a->d);
}

/* Returns the value of --name=value or --name value. Returns NULL with d, which shows the example, if the
   value is missing. */
static const char *arg_value(struct args *a, const char *name, const char *example)
{
	const char *arg = a->argv[a->at], *eq = strchr(arg, '=');

	if (eq)
		return eq + 1;
	if (a->at + 1 < a->argc)
		return a->argv[++a->at];
	diag_err(a->d, -EINVAL, "--%s needs a value: --%s=%s", name, name, example);
	return NULL;
}

static int set_verb(struct args *a, enum ds_verb verb)
{
	struct ds_cmd *c = a->c;
	bool profile_of_job = (c->verb == DS_FROM_JOB && verb == DS_TO_PROFILE) ||
			      (c->verb == DS_TO_PROFILE && verb == DS_FROM_JOB);

	if (c->verb_given && c->verb != verb && !profile_of_job)
		return diag_err(a->d, -EINVAL,
				"%s: choose one of --to-job, --to-profile, --to-sweep, --explain, --summary "
				"and --from-job",
				a->argv[a->at]);
	if (profile_of_job)
		c->from_job_profile = true;
	c->verb = c->verb == DS_FROM_JOB ? c->verb : verb;
	c->verb_given = true;
	return 0;
}

static int take_dialect(struct args *a)
{
	const char *name = arg_value(a, "dialect", "2.2");

	if (!name)
		return a->d->err;
	if (ds_dialect_of(name, &a->c->dialect))
		return diag_err(a->d, -EINVAL, "--dialect=%.60s: write 2.3, 2.2, 2.0 or linux-port", name);
	return 0;
}

static int take_map(struct args *a)
{
	const char *text = arg_value(a, "map", "C:=/mnt/data");

	return text ? ds_map_add(&a->c->map, text, a->d) : a->d->err;
}

static int take_define(struct args *a)
{
	const char *text = arg_value(a, "define", "testFile=/mnt/x");

	return text ? shell_vars_define(&a->c->vars, text, a->d) : a->d->err;
}

static int take_line(struct args *a)
{
	const char *text = arg_value(a, "line", "'TEXT'");

	if (!text)
		return a->d->err;
	if (a->c->line_text || a->c->from_stdin)
		return diag_err(a->d, -EINVAL,
				"--line: only one line is possible; '-' reads several lines from stdin");
	a->c->line_text = text;
	return 0;
}

static int take_from_job(struct args *a)
{
	int err = set_verb(a, DS_FROM_JOB);

	a->c->from_job = err ? NULL : arg_value(a, "from-job", "FILE");
	return err ? err : a->d->err;
}

static int take_summary(struct args *a)
{
	const char *eq = strchr(a->argv[a->at], '=');
	const char *format = eq ? eq + 1 : "tsv";

	if (strcmp(format, "tsv") != 0 && strcmp(format, "csv") != 0)
		return diag_err(a->d, -EINVAL, "--summary=%.60s: write csv or tsv", format);
	a->c->separator = *format == 'c' ? ',' : '\t';
	return set_verb(a, DS_SUMMARY);
}

static int take_fio(struct args *a)
{
	a->c->for_fio = true;
	return set_verb(a, DS_TO_JOB);
}

static int take_recreate(struct args *a)
{
	a->c->recreate = true;
	return 0;
}

static int take_layout(struct args *a)
{
	const char *name = arg_value(a, "layout", "2.2");

	if (!name)
		return a->d->err;
	a->c->layout_given = true;
	if (ds_layout_of(name, &a->c->layout))
		return diag_err(a->d, -EINVAL,
				"--layout=%.60s: write 2.2, 2.3, 2.1, 2.0.21, 2.0.17, 2.0 or linux-port",
				name);
	return 0;
}

static bool has_profile(const struct args *a)
{
	for (int i = 0; i < a->argc; i++)
		if (!strncmp(a->argv[i], "-X", 2))
			return true;
	return false;
}

/* Refuses a job option beside a line: DISKSPD's report could not describe the load then. */
static int refuse_job_option(struct args *a, const char *given, const char *name, size_t len)
{
	char option[64];
	struct strbuf flags = { 0 };
	const struct opt_row *row;
	bool profile = has_profile(a);

	snprintf(option, sizeof(option), "%.*s", (int)len, name);
	row = opt_find(&job_options, option);
	if (a->c->verb == DS_FROM_JOB)
		diag_err(a->d, -EINVAL, "%s: not possible with --from-job, which uses the job file as it is",
			 given);
	else if (row && ds_speller_places(a->c->dialect, row->name, profile, &flags))
		diag_err(a->d, -EINVAL, "%s: not possible beside a DISKSPD %s; use %s%s", given,
			 profile ? "profile" : "line", strbuf_str(&flags), profile ? "" : " in the line");
	else if (!row)
		diag_err(a->d, -EINVAL, "%s: no such option", given);
	else
		diag_err(a->d, -EINVAL,
			 "%s: not possible beside a DISKSPD line, because DISKSPD has no flag for it; "
			 "--to-job converts the line to a job file, which accepts it",
			 given);
	strbuf_fini(&flags);
	return a->d->err;
}

static int take_set(struct args *a)
{
	const char *value = arg_value(a, "set", "NAME=VALUE");
	char given[128];

	if (!value)
		return a->d->err;
	snprintf(given, sizeof(given), "--set %.100s", value);
	return refuse_job_option(a, given, value, strcspn(value, "="));
}

static int take_section(struct args *a)
{
	return diag_err(a->d, -EINVAL, "%.60s: not possible beside a DISKSPD line, which has no sections",
			a->argv[a->at]);
}

static int take_help(struct args *a)
{
	a->c->help = true;
	return 0;
}

static const struct {
	const char *name;
	int (*take)(struct args *);
	enum ds_verb verb; /* without `take`: the option chooses this verb */
} options[] = {
	{ "dialect", take_dialect, 0 },    { "map", take_map, 0 },
	{ "line", take_line, 0 },          { "from-job", take_from_job, 0 },
	{ "to-job", NULL, DS_TO_JOB },     { "to-profile", NULL, DS_TO_PROFILE },
	{ "explain", NULL, DS_EXPLAIN },   { "fio", take_fio, 0 },
	{ "help", take_help, 0 },          { "recreate", take_recreate, 0 },
	{ "layout", take_layout, 0 },      { "set", take_set, 0 },
	{ "section", take_section, 0 },    { "define", take_define, 0 },
	{ "to-sweep", NULL, DS_TO_SWEEP }, { "summary", take_summary, 0 },
};

/* Keeps an option of fiord run for cmdline_parse, with its value if that is the next argument. */
static int pass_to_run(struct args *a, const char *name)
{
	const char *arg = a->argv[a->at];
	const struct opt_row *row = opt_find(&cmdline_flags, name);
	bool more;

	if (!row && (!strcmp(name, "allow_write") || !strcmp(name, "allow_mounted_write")))
		row = opt_find(&job_options, name);
	if (!row && opt_find(&job_options, name)) {
		char given[80];

		snprintf(given, sizeof(given), "%.70s", arg);
		return refuse_job_option(a, given, name, strlen(name));
	}
	if (!row)
		return diag_err(a->d, -EINVAL,
				"--%.60s: not an option of fiord diskspd (DISKSPD's options begin with one "
				"dash); fiord diskspd --help lists them",
				name);
	more = !strchr(arg, '=') && !row->bare;
	if (!VEC_PUSH(&a->c->run_args, arg))
		return memory(a);
	if (!more)
		return 0;
	if (a->at + 1 == a->argc)
		return diag_err(a->d, -EINVAL, "--%s needs a value: --%s=...", name, name);
	return VEC_PUSH(&a->c->run_args, a->argv[++a->at]) ? 0 : memory(a);
}

static int take_option(struct args *a)
{
	const char *word = a->argv[a->at] + 2;
	size_t n = strcspn(word, "=");
	char name[64];

	if (n >= sizeof(name))
		return diag_err(a->d, -EINVAL, "--%.60s...: not an option of fiord diskspd", word);
	memcpy(name, word, n);
	name[n] = '\0';
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(options[i].name, name))
			return options[i].take ? options[i].take(a) : set_verb(a, options[i].verb);
	return pass_to_run(a, name);
}

static int check_args(struct ds_cmd *c, struct diag *d)
{
	if (c->line.n && (c->line_text || c->from_stdin))
		return diag_err(d, -EINVAL, "%.60s: the line is given already (%s)", c->line.v[0],
				c->line_text ? "--line" : "-");
	if (c->vars.n && !c->line_text && !c->from_stdin)
		return diag_err(d, -EINVAL,
				"--define: only possible with pasted lines (--line 'TEXT') or a script (-)");
	if (c->verb == DS_SUMMARY && (!c->line.n || c->line_text || c->from_stdin))
		return diag_err(d, -EINVAL, "--summary: reads files of results: --summary RESULT.xml...");
	if (c->verb == DS_TO_SWEEP && !c->line_text && !c->from_stdin)
		return diag_err(
			d, -EINVAL,
			"--to-sweep: reads a script with a loop: --line 'TEXT', or - for standard input");
	if (c->verb == DS_FROM_JOB && (c->line.n || c->line_text || c->from_stdin))
		return diag_err(d, -EINVAL,
				"--from-job: not possible with a DISKSPD line, because it reads a job file");
	return 0;
}

int ds_cmd_parse(struct ds_cmd *c, int argc, char *const *argv, struct diag *d)
{
	struct args a = { .c = c, .argc = argc, .argv = argv, .d = d };
	bool only_line = false;
	int err = 0;

	for (; a.at < argc && !err; a.at++) {
		const char *arg = argv[a.at];

		if (!only_line && !strcmp(arg, "--"))
			only_line = true;
		else if (!only_line && !strncmp(arg, "--", 2))
			err = take_option(&a);
		else if (!only_line && !strcmp(arg, "-"))
			c->from_stdin = true;
		else if (!VEC_PUSH(&c->line, arg))
			err = memory(&a);
	}
	if (!err && !c->line_text && !c->from_stdin && c->verb != DS_SUMMARY)
		err = ds_cmd_normalize(c, d);
	if (!c->layout_given)
		c->layout = ds_layout_default(c->dialect);
	return err ? err : check_args(c, d);
}

void ds_cmd_fini(struct ds_cmd *c)
{
	ds_map_fini(&c->map);
	shell_vars_fini(&c->vars);
	free(c->run_args.v);
	free(c->line.v);
}
