/* cmd_trace.c: fiord trace FILE...: shows what is in a trace of I/Os. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd.h"
#include "nearest.h"
#include "outfile.h"
#include "strbuf.h"
#include "trace_job.h"
#include "trace_paths.h"
#include "trace_report.h"
#include "units.h"
#include "verbs.h"

struct cmd {
	struct verb_files file;
	struct trace_source source;
	const char *output, *job; /* job: --to-job */
	const char *from, *to;    /* as given */
	int format;               /* enum verb_format; -1: by the name of the output */
};

static int set_format(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;
	const char *names[TRACE_FORMATS] = { NULL }, *near;

	for (unsigned i = 1; i < TRACE_FORMATS; i++)
		names[i - 1] = trace_format_name((enum trace_format)i);
	c->source.format = trace_format_find(value);
	if (c->source.format)
		return 0;
	near = strlen(value) <= NEAREST_MAX ? nearest_word(names, value) : NULL;
	return diag_err(
		d, -EINVAL,
		"--format=%s: no such format%s%s%s; there are iolog, blktrace, blkparse, msr, alibaba, "
		"tencent, spc and csv",
		value, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

static int set_columns(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	c->source.columns = value;
	return trace_check_columns(value, d) ? diag_wrap(d, "--trace-columns=%s", value) : 0;
}

static int set_event(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	c->source.stage = strcmp(value, "issued") ? TRACE_QUEUED : TRACE_ISSUED;
	if (c->source.stage == TRACE_QUEUED && strcmp(value, "queued") != 0)
		return diag_err(d, -EINVAL, "--event=%s: must be queued or issued", value);
	return 0;
}

static int set_time(const char *option, const char *value, uint64_t *ns, struct diag *d)
{
	const char *hint = "write a time, such as 1.5s or 10m";
	int err = units_time(value, 1000000000, ns, &hint);

	return err ? diag_err(d, err, "--%s=%s: not a time; %s", option, value, hint) : 0;
}

static int set_from(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	c->from = value;
	return set_time("from", value, &c->source.from_ns, d);
}

static int set_to(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;
	int err = set_time("to", value, &c->source.to_ns, d);

	c->to = value;
	if (!err && !c->source.to_ns)
		return diag_err(d, -EINVAL, "--to=%s: must be later than the start of the trace", value);
	return err;
}

static int set_output(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	(void)d;
	c->output = strcmp(value, "-") ? value : NULL;
	return 0;
}

static int set_job(void *ctx, const char *value, struct diag *d)
{
	struct cmd *c = ctx;

	c->job = value;
	if (!*value || !strcmp(value, "-"))
		return diag_err(
			d, -EINVAL,
			"--to-job=%s: must be the name of a file; the comparison goes to standard output",
			value);
	return 0;
}

static int read_events(struct trace *t, const struct cmd *c, struct trace_summary *s, struct diag *d)
{
	struct trace_event e;
	int ret;

	while ((ret = trace_next(t, &e, d)) > 0)
		if (trace_summary_add(s, &e, c->source.stage))
			return diag_no_memory(d);
	if (!ret && !s->all.ios)
		return diag_err(d, -EINVAL, "%s: the trace has no I/O%s", c->file.v[0],
				c->source.from_ns || c->source.to_ns
					? " in the time that --from and --to select"
					: "");
	return ret;
}

static int write_report(const struct cmd *c, const struct trace *t, const struct trace_summary *s,
			struct diag *d)
{
	struct strbuf b = { 0 };
	int err;

	if (c->format == VERB_HTML)
		report_trace_html(t, s, &c->source, &b);
	else
		(c->format == VERB_JSON ? report_trace_json : report_trace_text)(t, s, &b);
	err = b.failed ? diag_no_memory(d) : outfile_write(c->output, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return err;
}

static int show(const struct cmd *c, struct diag *d)
{
	struct trace_summary *s = calloc(1, sizeof(*s));
	struct trace *t = NULL;
	int err = s ? trace_open(&t, &c->source, d) : diag_no_memory(d);

	if (!err) {
		trace_summary_init(s, trace_facts(t));
		err = read_events(t, c, s, d);
	}
	if (!err) {
		trace_summary_finish(s, trace_facts(t));
		err = write_report(c, t, s, d);
	}
	trace_close(t);
	if (s)
		trace_summary_fini(s);
	free(s);
	return err;
}

/* --to-job. */
static int make_job(const struct cmd *c, struct diag *d)
{
	struct strbuf b = { 0 };
	struct trace *t = NULL;
	int err = trace_open(&t, &c->source, d);

	err = err ? err : trace_job_make(t, &c->source, c->job, c->format == VERB_JSON, &b, d);
	if (!err)
		err = b.failed ? diag_no_memory(d) : outfile_write(c->output, strbuf_str(&b), b.len, d);
	trace_close(t);
	strbuf_fini(&b);
	return err;
}

static int check_format(struct cmd *c, struct diag *d)
{
	bool by_name = c->format < 0;

	if (by_name)
		c->format = (int)verb_format_of(c->output);
	if (c->format != VERB_HTML)
		return 0;
	if (c->job)
		return diag_err(d, -EINVAL,
				"--%s=%s: with --to-job, the output is the comparison, which is text or json",
				by_name ? "output" : "output-format", by_name ? c->output : "html");
	if (!c->output && isatty(STDOUT_FILENO))
		return diag_err(d, -EINVAL,
				"trace: a page is not written to a terminal; name a file: -o trace.html");
	return 0;
}

static int check_output(const struct cmd *c, struct diag *d)
{
	struct stat out, job;
	bool exists = c->output && !stat(c->output, &out);

	if (exists && trace_paths_have(c->file.v, c->file.n, &out))
		return diag_err(d, -EINVAL, "--output=%s: this would replace the input", c->output);
	if (c->job && c->output &&
	    (!strcmp(c->job, c->output) ||
	     (exists && !stat(c->job, &job) && job.st_dev == out.st_dev && job.st_ino == out.st_ino)))
		return diag_err(d, -EINVAL, "--output=%s: --to-job has the same file", c->output);
	return c->output ? outfile_check("output", c->output, d) : 0;
}

static int check(struct cmd *c, struct diag *d)
{
	c->source.path = c->file.v;
	c->source.paths = c->file.n;
	c->source.all_stages = true;
	if (!c->file.n)
		return diag_err(d, -EINVAL, "fiord trace needs a trace: fiord trace FILE...");
	if (c->source.to_ns && c->source.to_ns <= c->source.from_ns)
		return diag_err(d, -EINVAL, "--to=%s: must be later than --from=%s", c->to, c->from);
	if (check_format(c, d))
		return d->err;
	if (c->job && trace_job_check(c->job, c->file.v, c->file.n, d))
		return d->err;
	return check_output(c, d);
}

/* Errors of the reader name job options: replay_format is --format here. */
static bool spell_flag(const struct speller *s, enum message_mark mark, const char *key, const char *text,
		       struct strbuf *out)
{
	static const char *const flags[][2] = { { "replay_format", "--format" },
						{ "replay_columns", "--trace-columns" } };

	(void)s, (void)mark, (void)key;
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		size_t len = strlen(flags[i][0]);

		if (strncmp(text, flags[i][0], len) != 0)
			continue;
		strbuf_puts(out, flags[i][1]);
		strbuf_puts(out, text + len);
		return true;
	}
	return false;
}

static const struct speller flag_words = { .spell = spell_flag };

static int run(int argc, char *const *argv, struct diag *d)
{
	struct cmd c = { .format = -1 };
	int err = verb_parse(&verb_trace, &c, argc, argv, d);

	if (!err)
		err = check(&c, d);
	if (!err)
		err = c.job ? make_job(&c, d) : show(&c, d);
	free(c.file.v);
	diag_spell(d, &flag_words);
	return err && err != VERB_HELP_SHOWN ? cmd_code(d) : EXIT_OK;
}

const struct verb verb_trace = {
	.name = "trace",
	.synopsis = "trace FILE...",
	.help = "show what is in a trace of I/Os",
	.usage = "fiord trace [OPTION...] FILE...\n\n"
		 "Shows the operations, devices, sizes, rates, working set and depth of a trace: fio's "
		 "iologs, what\n"
		 "blktrace and blkparse write, CSV, and the MSR Cambridge, Alibaba, Tencent and SPC traces; "
		 "plain,\n"
		 ".gz, .zst, or - for standard input. -o FILE.html writes a page with charts.\n",
	.options =
		(const struct verb_option[]){
			{ "format", 0, "FORMAT",
			  "iolog, blktrace, blkparse, msr, alibaba, tencent, spc, csv (detected)",
			  set_format },
			{ "trace-columns", 0, "LIST", "columns of CSV: time_us,op,offset,length,latency_us",
			  set_columns },
			{ "event", 0, "EVENT", "queued or issued: the events of blktrace that count (queued)",
			  set_event },
			{ "from", 0, "TIME", "leave out events before this time of the trace", set_from },
			{ "to", 0, "TIME", "leave out events from this time on", set_to },
			{ "to-job", 0, "FILE", "write a job file that makes a like load", set_job },
			{ "output-format", 0, "FORMAT",
			  "text, json or html; the default is text, or the format that fits the output's "
			  "name",
			  .member = offsetof(struct cmd, format), .words = verb_format_names },
			{ "output", 'o', "FILE", "write to this file", set_output },
			{ 0 },
		},
	.files = offsetof(struct cmd, file),
	.run = run,
};
