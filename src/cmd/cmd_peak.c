/* cmd_peak.c: fiord peak finds the settings with which devices reach their most IOPS and bandwidth. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cmd.h"
#include "outfile.h"
#include "peak_report.h"
#include "peak_run.h"
#include "strbuf.h"
#include "units.h"
#include "verbs.h"

#define SECOND_NS    1000000000ull
#define TIME_DEFAULT (60 * SECOND_NS)
#define TIME_MOST    (7 * 86400 * SECOND_NS)

struct cmd {
	struct peak peak;
	struct verb_files targets;
	const char *output, *job; /* files; NULL: standard output, none */
	int format;               /* index of format_names; -1: that of the output's name */
};

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const format_names[] = { [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL };

static int set_time(void *ctx, const char *value, struct diag *d)
{
	const char *hint = "write a time, such as 90 or 5m";
	uint64_t *ns = &((struct cmd *)ctx)->peak.time_ns;
	int err = units_time(value, SECOND_NS, ns, &hint);

	if (err)
		return diag_err(d, err, "--time=%s: not a time; %s", value, hint);
	if (!*ns || *ns > TIME_MOST)
		return diag_err(d, -EINVAL, "--time=%s: must be more than 0, and 7 days at most", value);
	return 0;
}

static int set_output(void *ctx, const char *value, struct diag *d)
{
	(void)d;
	((struct cmd *)ctx)->output = strcmp(value, "-") ? value : NULL;
	return 0;
}

static int set_job(void *ctx, const char *value, struct diag *d)
{
	((struct cmd *)ctx)->job = value;
	if (!*value || !strcmp(value, "-"))
		return diag_err(d, -EINVAL,
				"--job=%s: must be the name of a file; the report on standard output has the "
				"job file, too",
				value);
	return 0;
}

static int run_peak(int argc, char *const *argv, struct diag *d);

static const struct verb_option options[] = {
	{ "time", 't', "TIME", "longest time of all searches together; 60 s unless given", set_time },
	{ "output", 'o', "FILE", "write the report to FILE; FILE.json is a JSON document", set_output,
	  .once = true },
	{ "output-format", 0, "FORMAT", "text or json", .member = offsetof(struct cmd, format),
	  .words = format_names },
	{ "job", 'j', "FILE", "write the job file with the best settings to FILE", set_job, .once = true },
	{ NULL },
};

const struct verb verb_peak = {
	.name = "peak",
	.synopsis = "peak TARGET...",
	.help = "find what devices can reach at most",
	.usage = "fiord peak reads devices or files, and finds the numjobs, CPUs, depth, batch, polling and\n"
		 "engine with which they reach their most IOPS and their most bandwidth. It prints the "
		 "points\n"
		 "that it tried, the peak, the resource that is the limit, and a job file with the best\n"
		 "settings. It never writes to its targets.\n"
		 "\n"
		 "  fiord peak --time=2m --job=peak.ini /dev/nvme0n1 /dev/nvme1n1\n",
	.options = options,
	.files = offsetof(struct cmd, targets),
	.run = run_peak,
};

static int check_files(const struct cmd *c, struct diag *d)
{
	if (c->job && c->output && !strcmp(c->job, c->output))
		return diag_err(d, -EINVAL, "--job=%s: --output names the same file; give another", c->job);
	if (verb_check_output("output", c->output, c->targets.v, c->targets.n, d))
		return d->err;
	return verb_check_output("job", c->job, c->targets.v, c->targets.n, d);
}

static int check(struct cmd *c, struct diag *d)
{
	uint64_t least = peak_time_least_ns(c->targets.n);

	if (!c->targets.n)
		return diag_err(d, -EINVAL,
				"fiord peak needs a block device or a file: fiord peak /dev/nvme0n1");
	if (c->peak.time_ns < least)
		return diag_err(d, -EINVAL, "--time=%s: %zu target%s need%s %s at least",
				units_duration(c->peak.time_ns, SECOND_NS).text, c->targets.n,
				c->targets.n == 1 ? "" : "s", c->targets.n == 1 ? "s" : "",
				units_duration(least, SECOND_NS).text);
	if (c->format < 0)
		c->format = verb_format_of(c->output) == VERB_JSON ? FORMAT_JSON : FORMAT_TEXT;
	c->peak.paths = c->targets.v;
	c->peak.ntargets = c->targets.n;
	return check_files(c, d) ? d->err : peak_open(&c->peak, d);
}

static int write_text(const char *path, struct strbuf *b, struct diag *d)
{
	int err = b->failed ? diag_no_memory(d) : outfile_write(path, strbuf_str(b), b->len, d);

	strbuf_fini(b);
	return err;
}

static bool found(const struct peak *p)
{
	for (size_t i = 0; i < p->nsearches; i++)
		if (p->searches[i].best < p->searches[i].npoints)
			return true;
	return false;
}

/* Reports what was found, also after a signal. */
static int search(struct cmd *c, struct diag *d)
{
	struct strbuf report = { 0 }, job = { 0 };
	const struct peak *p = &c->peak;

	if (peak_run(&c->peak, d))
		return cmd_code(d);
	if (!found(p) && !p->signal) {
		diag_kind(d, DIAG_RUN, -EIO, "no point could be measured: %s",
			  p->error ? p->error : "the time was too short");
		return EXIT_JOB;
	}
	(c->format == FORMAT_JSON ? report_peak_json : report_peak_text)(p, &report);
	if (write_text(c->output, &report, d))
		return cmd_code(d);
	if (c->job && found(p)) {
		peak_put_job_file(&job, p);
		if (write_text(c->job, &job, d))
			return cmd_code(d);
	}
	return p->signal ? 128 + p->signal : EXIT_OK;
}

static int run_peak(int argc, char *const *argv, struct diag *d)
{
	struct cmd c = { .peak = { .time_ns = TIME_DEFAULT }, .format = -1 };
	int ret = verb_parse(&verb_peak, &c, argc, argv, d), code = EXIT_OK;

	if (!ret)
		ret = check(&c, d);
	if (ret < 0)
		code = cmd_code(d);
	else if (!ret)
		code = search(&c, d);
	peak_fini(&c.peak);
	free(c.targets.v);
	return code;
}
