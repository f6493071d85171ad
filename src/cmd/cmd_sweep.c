/* cmd_sweep.c: fiord sweep runs the same jobs at every combination of the values of some options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cmd.h"
#include "cmdline_flags.h"
#include "outfile.h"
#include "planning.h"
#include "readable.h"
#include "strbuf.h"
#include "sweep_points.h"
#include "sweep_report.h"
#include "sweep_snia.h"
#include "verbs.h"

struct cmd {
	struct sweep sweep;
	struct sweep_points points;
	const char *report, *csv; /* files; NULL: none */
	bool dry_run;
	char **args; /* those of the jobs */
	size_t nargs;
};

static int set_sweep(void *ctx, const char *value, struct diag *d)
{
	return sweep_matrix_add(&((struct cmd *)ctx)->sweep.matrix, value, d);
}

static int add_until(void *ctx, const char *value, struct diag *d)
{
	int err = assertion_parse(&((struct cmd *)ctx)->points.until, value, d);

	sweep_until_name_option(d);
	return err;
}

static int add_argument(void *ctx, const char *arg, struct diag *d);
static int run_sweep(int argc, char *const *argv, struct diag *d);

static const struct verb_option options[] = {
	{ "sweep", 0, "OPTION=VALUES", "values of an option, as in iodepth=1,2,4..256; repeatable",
	  set_sweep },
	{ "dir", 'd', "DIR", "directory for the results; it is created if it is missing",
	  .member = offsetof(struct cmd, points.base.dir), .once = true },
	{ "out", 'o', "FILE", "write the report as an HTML page", .member = offsetof(struct cmd, report),
	  .once = true },
	{ "csv", 0, "FILE", "write all points as a CSV table", .member = offsetof(struct cmd, csv),
	  .once = true },
	{ "dry-run", 0, NULL, "list the points and how long they take; run nothing",
	  .member = offsetof(struct cmd, dry_run) },
	{ "resume", 0, NULL, "run only the points that have no complete document in -d",
	  .member = offsetof(struct cmd, points.base.resume) },
	{ "until", 0, "CONDITION",
	  "search the values for the most load that meets it, as in 'read.lat.p99 < 2ms'", add_until },
	{ "snia", 0, NULL, "overwrite the devices twice, then run each point until it is steady",
	  .member = offsetof(struct cmd, points.base.snia) },
	{ NULL },
};

const struct verb verb_sweep = {
	.name = "sweep",
	.synopsis = "sweep --sweep OPT=LIST JOB...",
	.help = "run jobs at many values of options",
	.usage = "fiord sweep runs the same jobs at every combination of the values of some options, and "
		 "finds\n"
		 "the load beyond which latency grows faster than IOPS.\n"
		 "\n"
		 "  fiord sweep --sweep iodepth=1,2,4..256 --sweep bs=4k,64k -d out -o out.html job.ini\n"
		 "  fiord sweep --sweep numjobs=1..16 -d out --name=x --filename=/mnt/f --size=1g "
		 "--rw=randread "
		 "--runtime=10 --time_based\n"
		 "\n"
		 "The options below may stand anywhere; everything else is a command line of fiord.\n",
	.options = options,
	.file = add_argument,
	.any_option = true,
	.run = run_sweep,
};

static int add_argument(void *ctx, const char *arg, struct diag *d)
{
	struct cmd *cmd = ctx;

	(void)d;
	cmd->args[cmd->nargs++] = (char *)arg; /* the array has room for all arguments */
	return 0;
}

/* Returns whether the path is that of a document in the directory of the points. */
static bool is_document(const struct cmd *cmd, const char *path)
{
	const char *dir = cmd->points.base.dir, *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0, dir_len = dir ? strlen(dir) : 0;
	const char *end = strrchr(path, '.');

	while (dir_len > 1 && dir[dir_len - 1] == '/')
		dir_len--;
	return dir && end && !strcmp(end, ".json") && len == dir_len && !memcmp(dir, path, len);
}

/* Checks a file that the sweep writes. It must not be a job file, a document of a point or the other report.
 */
static int check_output_file(const struct cmd *cmd, const char *option, const char *path, const char *other,
			     struct diag *d)
{
	struct stat out, in;

	if (!path)
		return 0;
	if (other && !strcmp(path, other))
		return diag_err(d, -EINVAL,
				"%s %s: this is the file of both reports; give each a file of its own",
				option, path);
	if (is_document(cmd, path))
		return diag_err(d, -EINVAL,
				"%s %s: files *.json in %s are documents of the points; give another name",
				option, path, cmd->points.base.dir);
	for (size_t i = 0; i < cmd->nargs && !stat(path, &out); i++)
		if (!stat(cmd->args[i], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return diag_err(d, -EINVAL,
					"%s %s: the jobs name this file, and the report would replace it; "
					"give another file",
					option, path);
	return outfile_check(option[1] == 'o' ? "out" : "csv", path, d);
}

static bool reads_stdin(const struct cmd *cmd)
{
	for (size_t i = 0; i < cmd->nargs; i++)
		if (!strcmp(cmd->args[i], "-"))
			return true;
	return false;
}

/* The table goes to standard output, and nothing else. */
static bool csv_on_stdout(const struct cmd *cmd)
{
	return cmd->csv && !strcmp(cmd->csv, "-");
}

/* Checks the command line. Nothing has been run or written. */
static int check_sweep(struct cmd *cmd, struct diag *d)
{
	if (reads_stdin(cmd))
		return diag_err(d, -EINVAL,
				"-: each point reads the job file again; save it, and name the file");
	if (cmd->report && !strcmp(cmd->report, "-"))
		return diag_err(d, -EINVAL, "-o -: the page needs a file: -o sweep.html");

	if (sweep_points_add_lines(&cmd->points, d))
		return d->err;
	if (!cmd->sweep.matrix.ndims)
		return diag_err(d, -EINVAL,
				"fiord sweep needs an option and its values: --sweep iodepth=1,2,4..256");
	if (!cmd->nargs)
		return diag_err(d, -EINVAL,
				"fiord sweep needs jobs: name a job file, or begin a job with --name=NAME");
	if (!cmd->points.base.dir && !cmd->dry_run)
		return diag_err(d, -EINVAL,
				"fiord sweep needs a directory for the documents of its points: -d DIR");
	if (check_output_file(cmd, "-o", cmd->report, cmd->csv, d) ||
	    check_output_file(cmd, "--csv", csv_on_stdout(cmd) ? NULL : cmd->csv, NULL, d))
		return d->err;
	cmd->sweep.search = cmd->points.until.n > 0;
	if (cmd->sweep.search && cmd->points.base.snia)
		return diag_err(d, -EINVAL, "--until: --snia measures every value; leave one of them out");
	return sweep_init(&cmd->sweep, d);
}

static void put_sweep_head(const struct cmd *cmd, struct strbuf *b)
{
	const struct sweep_points *p = &cmd->points;
	double ms = (double)p->duration_ns / 1e6;

	if (p->until.n)
		sweep_until_describe(p, b);
	else
		strbuf_printf(b, "%zu point%s", cmd->sweep.npoints, cmd->sweep.npoints == 1 ? "" : "s");
	if (!p->until.n && sweep_points_runs(p) > cmd->sweep.npoints)
		strbuf_printf(b, " and %zu more to measure 100 %%",
			      sweep_points_runs(p) - cmd->sweep.npoints);
	if (p->duration_ns)
		strbuf_printf(b, ", %s%s each, %s in all", p->duration_is_max ? "up to " : "",
			      readable_duration(ms).text,
			      readable_duration(
				      ms * (double)(p->until.n ? sweep_until_runs(p) : sweep_points_runs(p)))
				      .text);
	strbuf_putc(b, '\n');
	sweep_snia_describe(p, b);
	if (cmd->sweep.plan_notes)
		strbuf_puts(b, cmd->sweep.plan_notes);
}

/* Adds the document of a point, and its jobs. For a DISKSPD line it shows only the line,
   which is the first comment of its job file. */
static void put_run_file(const struct sweep_run *run, struct strbuf *b)
{
	const char *jobs = run->jobs + (run->jobs[0] == ';' ? 2 : 0);

	strbuf_printf(b, "%s\n  %.*s\n", run->file, (int)strcspn(jobs, "\n"), jobs);
}

static int list_points(const struct cmd *cmd, struct diag *d)
{
	const struct sweep_points *p = &cmd->points;
	struct strbuf b = { 0 };

	put_sweep_head(cmd, &b);
	if (p->base.snia)
		put_run_file(&p->precondition.run, &b);
	for (size_t i = 0; i < cmd->sweep.npoints; i++)
		if (!p->until.n || sweep_until_is_end(p, i))
			put_run_file(&p->run[i], &b);
	return cmd_put_buffer(&b, d);
}

/* Writes one report to a file, or to stdout if path is NULL. */
static int write_one(const struct cmd *cmd, const char *path,
		     int (*report)(const struct sweep *, struct strbuf *), struct diag *d)
{
	struct strbuf b = { 0 };
	int err = report(&cmd->sweep, &b);

	err = err ? diag_kind(d, DIAG_OUTPUT, err, "out of memory for the report")
		  : outfile_write(path, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return err;
}

static int write_reports(const struct cmd *cmd, struct diag *d)
{
	int err = csv_on_stdout(cmd) ? write_one(cmd, NULL, report_sweep_csv, d)
				     : write_one(cmd, NULL, report_sweep_text, d);

	if (cmd->report && write_one(cmd, cmd->report, report_sweep_html, d))
		err = d->err;
	if (cmd->csv && !csv_on_stdout(cmd) && write_one(cmd, cmd->csv, report_sweep_csv, d))
		err = d->err;
	return err;
}

/* Returns whether some point failed, or did not become steady as --snia asks. */
static bool any_failed(const struct cmd *cmd)
{
	const struct sweep *s = &cmd->sweep;

	for (size_t i = 0; i < s->npoints; i++)
		if (s->points[i].state == SWEEP_FAILED ||
		    (cmd->points.base.snia && sweep_point_not_steady(s, &s->points[i])))
			return true;
	return false;
}

static int run_points(struct cmd *cmd, struct diag *d)
{
	struct strbuf b = { 0 };
	int code = 0;

	if (sweep_points_open(&cmd->points, d))
		return cmd_code(d);
	put_sweep_head(cmd, &b);
	if (!csv_on_stdout(cmd))
		code = cmd_put(strbuf_str(&b), d);
	strbuf_fini(&b);
	if (code || sweep_points_run(&cmd->points, d) || sweep_finish(&cmd->sweep, d) ||
	    write_reports(cmd, d))
		return cmd_code(d);
	if (cmd->points.signal)
		return 128 + cmd->points.signal;
	if (any_failed(cmd))
		return EXIT_JOB;
	return cmd->points.unmet ? EXIT_THRESHOLD : EXIT_OK;
}

/* Returns whether the argument after this one is its value: -d DIR, --csv FILE, --set NAME=VALUE. */
static bool takes_next(const char *arg)
{
	const char *name = arg + strspn(arg, "-");
	const struct opt_row *row;

	if (strchr(arg, '='))
		return false;
	for (const struct verb_option *o = options; o->name; o++)
		if (!strcmp(name, o->name) || (o->letter && name[0] == o->letter && !name[1]))
			return o->value != NULL;
	row = opt_find(&cmdline_flags, name);
	row = row ? row : opt_find(&job_options, name);
	return row ? !row->bare : !strcmp(name, "set");
}

/* Returns the index of the word diskspd or preset, or argc: it is the first argument that is neither an
   option nor the value of one. */
static int find_verb(int argc, char *const *argv)
{
	int i = 2;

	while (i < argc && argv[i][0] == '-' && argv[i][1] && strcmp(argv[i], "--") != 0)
		i += 1 + takes_next(argv[i]);
	return i < argc && (!strcmp(argv[i], "diskspd") || !strcmp(argv[i], "preset")) ? i : argc;
}

/* Moves the verb of the jobs, and the name of a preset, before the options that were given before it. */
static void verb_to_front(struct cmd *cmd, char *verb)
{
	size_t at = 0, words = strcmp(verb, "preset") ? 1 : 2;

	while (at < cmd->nargs && cmd->args[at] != verb)
		at++;
	for (size_t i = 0; i < words && at + i < cmd->nargs; i++) {
		char *word = cmd->args[at + i];

		memmove(cmd->args + i + 1, cmd->args + i, at * sizeof(*cmd->args));
		cmd->args[i] = word;
	}
}

/* Takes the command line apart. The flags of a DISKSPD line are not those of the sweep. */
static int parse_args(struct cmd *cmd, int argc, char *const *argv, struct diag *d)
{
	int verb = find_verb(argc, argv);
	int end = verb < argc && !strcmp(argv[verb], "diskspd") ? verb : argc;
	int ret = verb_parse(&verb_sweep, cmd, end, argv, d);

	for (int i = end; i < argc; i++)
		cmd->args[cmd->nargs++] = argv[i];
	if (verb < argc)
		verb_to_front(cmd, argv[verb]);
	return ret;
}

static int run_sweep(int argc, char *const *argv, struct diag *d)
{
	struct cmd cmd = { .args = calloc((size_t)argc + 1, sizeof(*cmd.args)) };
	int ret = cmd.args ? parse_args(&cmd, argc, argv, d) : diag_no_memory(d), code = EXIT_OK;

	cmd.points.sweep = &cmd.sweep;
	cmd.points.base.verbs = &(struct sweep_verbs){ cmd_diskspd_jobs, cmd_preset_parse, planning_use };
	cmd.points.base.args = cmd.args;
	cmd.points.base.nargs = cmd.nargs;
	if (!ret)
		ret = check_sweep(&cmd, d);
	if (!ret)
		ret = sweep_points_check(&cmd.points, d);
	if (ret < 0)
		code = cmd.points.signal ? 128 + cmd.points.signal : cmd_code(d);
	else if (!ret)
		code = cmd.dry_run ? list_points(&cmd, d) : run_points(&cmd, d);
	sweep_fini(&cmd.sweep);
	assertions_fini(&cmd.points.until);
	free(cmd.args);
	return code;
}
