#include "cmdline_flags.h"

#include <errno.h>
#include <string.h>
#include "cmdline.h"
#include "cmdline_parts.h"
#include "format_names.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

/* ---- the kinds of value that only flags have ---- */

/* Calls `word` for each word of a list, whose words are joined by ','. Returns 0 or the first -errno. */
static int each_word(const char *text, int (*word)(void *, const char *, size_t, struct diag *), void *arg,
		     struct diag *d)
{
	for (;;) {
		size_t n = strcspn(text, ",");
		int err = word(arg, text, n, d);

		if (err || !text[n])
			return err;
		text += n + 1;
	}
}

static bool is_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(text, word, n);
}

static int formats_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			 struct diag *d)
{
	unsigned formats = 0;
	int err = each_word(text, format_add, &formats, d);

	(void)row;
	(void)ctx;
	if (!err)
		*(unsigned *)field = formats;
	return err;
}

static void formats_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	format_print(*(const unsigned *)field, out);
}

static const struct opt_type type_formats = { OPT_TYPE("list of formats", formats),
					      .bytes = sizeof(unsigned) };

static const char *const debug_words[] = {
	"process", "file",     "io",          "mem",          "blktrace", "verify",   "random",
	"parse",   "diskutil", "job",         "mutex",        "profile",  "time",     "net",
	"rate",    "compress", "steadystate", "helperthread", "zbd",      "sprandom",
};
#define DEBUG_WORDS (sizeof(debug_words) / sizeof(debug_words[0]))

static int debug_word(void *arg, const char *text, size_t n, struct diag *d)
{
	uint32_t *bits = arg;
	struct strbuf list = { 0 };

	if (n > 4 && !memcmp(text, "job:", 4))
		return diag_err(d, -ENOTSUP,
				"job:NUMBER is not supported; job prints the details of all jobs");
	for (unsigned i = 0; i < DEBUG_WORDS; i++) {
		strbuf_printf(&list, "%s, ", debug_words[i]);
		if (!is_word(text, n, debug_words[i]) && !is_word(text, n, "all"))
			continue;
		*bits |= 1u << i;
		if (n != 3 || *text != 'a') {
			strbuf_fini(&list);
			return 0;
		}
	}
	if (!is_word(text, n, "all"))
		diag_err(d, -EINVAL, "'%.*s' is none of %sall", (int)n, text, strbuf_str(&list));
	strbuf_fini(&list);
	return is_word(text, n, "all") ? 0 : -EINVAL;
}

static int debug_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	uint32_t bits = 0;
	int err = each_word(text, debug_word, &bits, d);

	(void)row;
	(void)ctx;
	if (!err)
		*(uint32_t *)field |= bits;
	return err;
}

static void debug_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	uint32_t bits = *(const uint32_t *)field;

	(void)row;
	for (unsigned i = 0; i < DEBUG_WORDS; i++) {
		if (bits & 1u << i)
			strbuf_printf(out, "%s%s", bits & ((1u << i) - 1) ? "," : "", debug_words[i]);
	}
}

static const struct opt_type type_debug = { OPT_TYPE("list of topics", debug), .bytes = sizeof(uint32_t) };

/* Sets the verb, which is row->min, and its topic. */
static int verb_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		      struct diag *d)
{
	struct cmdline_flags *f = (struct cmdline_flags *)((char *)field - row->offset);
	int err = text ? opt_text_set(&f->topic, text, d) : 0;

	(void)ctx;
	if (!err)
		f->verb = (unsigned)row->min;
	return err;
}

static void verb_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	(void)row;
	(void)field;
	strbuf_puts(out, "");
}

static const struct opt_type type_verb = { OPT_TYPE("name", verb), .bytes = sizeof(unsigned) };

/* ---- the rows ---- */

#define OPT_STRUCT struct cmdline_flags
#define VERB(v)    .type = &type_verb, .offset = offsetof(struct cmdline_flags, verb), .min = (v), .bare = true
#define REFUSED(w) .type = &opt_type_string, .status = OPT_REFUSED, .bare = true, .why = w
#define REMOTE                                                                                     \
	"run fiord on each host, for example over ssh, with --output-format=json+, and merge the " \
	"results: fiord merge A.json B.json"

static int series_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	return opt_type_enum.parse(row, field, text ? text : "group", ctx, d);
}

static void series_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	opt_type_enum.print(row, field, out);
}

static const struct opt_type type_series = { OPT_TYPE("choice", series), .bytes = sizeof(unsigned) };

/* clang-format off */
static const struct opt_row rows[] = {
	{ "output", OPT_STRING(output), OPT_RANGE(1, 0), .group = "Output", .help = "Write the results to this file instead "
		  "of standard output; FORMAT:FILE is a file for one format, repeatable" },
	{ "output-format", .type = &type_formats, .offset = offsetof(struct cmdline_flags, run.formats), .def = "normal",
	  .group = "Output", .help = "Formats of the result, with commas between: normal, terse (also called "
		  "minimal and csv), json, json+, diskspd, diskspd-xml" },
	{ "report", OPT_STRING(run.report), OPT_RANGE(1, 0), .group = "Output", .help = "Write a page of HTML with charts of the run "
		  "to this file" },
	{ "csv", OPT_STRING(run.csv), OPT_RANGE(1, 0), .group = "Output", .help = "Write the figures to this file as a table "
		  "of comma separated values, a line for each job and direction" },
	{ "live", OPT_STRING(run.live), OPT_RANGE(1, 0), .group = "Output", .help = "Write a line of JSON about each interval of the "
		  "run to this file or FIFO, or to standard output (-)" },
	{ "live-interval", OPT_TIME(run.live_interval_ns, OPT_S), OPT_RANGE(100 * OPT_MS, 0), .group = "Output",
	  .help = "Interval of --live and --prometheus; the default is one second" },
	{ "prometheus", OPT_STRING(run.prometheus), OPT_RANGE(1, 0), .group = "Output", .help = "Replace this file at each "
		  "interval with the metrics of the run, for the textfile collector of Prometheus" },
	{ "assert", OPT_STRING(assertion), OPT_RANGE(1, 0), .group = "Output", .help = "Condition on a figure of the result, "
		  "such as 'read.clat.p99 < 1ms', 'JOB.write.iops >= 3000' or 'errors == 0'; if it does not hold, the "
		  "exit status is 5; repeatable" },
	{ "junit", OPT_STRING(run.junit), OPT_RANGE(1, 0), .group = "Output", .help = "Write the assertions and the errors of the "
		  "jobs to this file as JUnit XML" },
	{ "eta", OPT_ENUM(run.eta, { "auto", ETA_AUTO, "on a terminal" }, { "always", ETA_ALWAYS, "in any case" },
	  { "never", ETA_NEVER, "not at all" }, { "full", ETA_FULL, "as a screen, on a terminal" }), .def = "auto",
	  .group = "Output", .help = "When to show the progress line, or a screen in its place" },
	{ "eta-newline", OPT_TIME(run.eta_newline_ns, OPT_S), .group = "Output",
	  .help = "Interval after which the progress continues on a new line" },
	{ "eta-interval", OPT_TIME(run.eta_interval_ns, OPT_MS), OPT_RANGE(250 * OPT_MS, 0), .def = "500", .group = "Output",
	  .help = "Interval at which the progress line is updated" },
	{ "aux-path", OPT_STRING(run.aux_path), .group = "Output", .help = "Directory for the other files that a "
		  "run writes, such as logs" },

	{ "set", OPT_STRING(set), .group = "Jobs", .help = "NAME=VALUE, which overrides the option in every "
		  "section of every file; repeatable" },
	{ "where", OPT_FLAG(where), .group = "Jobs", .help = "Report where the time of the I/Os of all jobs goes: latency_split=1 in every section" },
	{ "section", OPT_STRING(section), .group = "Jobs", .help = "Run only this section of the job files; repeatable" },
	{ "repeat", OPT_U32(run.repeat), OPT_RANGE(1, 10000), .group = "Jobs", .help = "Run all jobs this many times, each "
		  "time as if it were the first; each run has its own result" },
	{ "readonly", OPT_FLAG(run.readonly), .group = "Jobs", .help = "Refuse every job that writes or trims" },
	{ "max-jobs", .type = &opt_type_string, .status = OPT_NOTED, .group = "Jobs", .help = "Largest number of jobs in older versions of fio",
	  .why = "has no meaning here, as in fio: memory is sized from the jobs" },
	{ "parse-only", OPT_FLAG(run.parse_only), .group = "Jobs", .help = "Read and check the jobs, but do not run "
		  "them" },
	{ "showcmd", OPT_FLAG(run.showcmd), .group = "Jobs", .help = "Print the jobs as one command line, but do "
		  "not run them" },
	{ "warnings-fatal", OPT_FLAG(run.warnings_fatal), .group = "Jobs", .help = "Treat notes about the jobs as errors" },
	{ "debug", .type = &type_debug, .offset = offsetof(struct cmdline_flags, run.debug), .group = "Jobs",
	  .help = "Print more about these topics, with commas between: process, file, io (each I/O), job, parse, random (the seed of each worker)" },

	{ "help", .alias = { "h" }, VERB(VERB_HELP), .group = "Information", .help = "Print this page, or explain one option" },
	{ "version", .alias = { "v" }, VERB(VERB_VERSION), .group = "Information", .help = "Print the version" },
	{ "cmdhelp", VERB(VERB_CMDHELP), .group = "Information", .help = "List the job options, one line each "
		  "(as all does in fio), or explain one of them" },
	{ "enghelp", VERB(VERB_ENGHELP), .group = "Information", .help = "List the engines, or explain one of "
		  "them, or one of its options" },

	{ "terse-version", OPT_U32(run.terse_version), OPT_RANGE(2, 5), .def = "3", .group = "Output",
	  .help = "Version of the terse format" },
	{ "alloc-size", .type = &opt_type_string, .status = OPT_NOTED, .group = "Jobs", .help = "Size of fio's shared memory pool",
	  .why = "has no meaning here: shared memory is sized from the jobs" },

	{ "bandwidth-log", .type = &job_type_prefix, OPT_AT(run.bandwidth_log, char **), .bare = true, .group = "Output",
	  .help = "Log the bandwidth of all jobs together to PREFIX-read_bw.log, PREFIX-write_bw.log and "
		  "PREFIX-trim_bw.log; the default prefix is agg" },
	{ "status-interval", OPT_TIME(run.status_interval_ns, OPT_S), OPT_RANGE(OPT_MS, 0), .group = "Output",
	  .help = "Print the result so far at this interval" },
	{ "minimal", OPT_FLAG(minimal), .group = "Output", .help = "Print terse output only, like "
		  "--output-format=terse" },
	{ "append-terse", OPT_FLAG(append_terse), .group = "Output", .help = "Print terse output as well" },
	{ "idle-prof", OPT_ENUM(run.idle_prof,
		{ "system", IDLE_SYSTEM, "all CPUs together" },
		{ "percpu", IDLE_PERCPU, "each CPU, too" },
		{ "calibrate", IDLE_CALIBRATE, "run nothing, and measure how long a unit of work takes" }), .group = "Output",
	  .help = "Report how idle the CPUs were during the run" },
	{ "series", .type = &type_series, .offset = offsetof(struct cmdline_flags, run.series), .bare = true,
	  OPT_CHOICES({ "none", SERIES_NONE, "no series, not even in JSON+" },
		      { "group", SERIES_GROUP, "each run status group, the same as --series alone" },
		      { "job", SERIES_JOB, "each worker" }), .group = "Output",
	  .help = "Add the I/Os and latencies of each interval of the run to the JSON document; JSON+ has them "
		  "by default, in at most some megabytes" },
	{ "inflate-log", VERB(VERB_INFLATE), .group = "Information", .help = "Print this compressed log file" },
	{ "trigger-file", OPT_STRING(run.trigger.file), OPT_RANGE(1, 0), .group = "Jobs",
	  .help = "End the run when this file appears; the file is removed" },
	{ "trigger-timeout", OPT_TIME(run.trigger.timeout_ns, OPT_S), .group = "Jobs",
	  .help = "End the run after this time" },
	{ "trigger", OPT_STRING(run.trigger.command), OPT_RANGE(1, 0), .group = "Jobs",
	  .help = "Shell command to run when --trigger-file or --trigger-timeout ends the run; its output "
		  "goes to standard error" },
	{ "trigger-remote", REFUSED("fiord has no client and server; "
	  "use --trigger with the fiord on each host"), .group = "Jobs",
	  .help = "Shell command for other hosts" },

	{ "latency-log", REFUSED("fio has dropped it, too; use the job option write_lat_log"),
	  .group = "Output", .help = "Old name of a log" },
	{ "merge-blktrace-only", REFUSED("traces of blktrace are not read"), .group = "Jobs", .help = "Merge traces of blktrace" },
	{ "profile", REFUSED("fio's profiles imitate two other benchmarks (act, tiobench); write their load as a job file"),
	  .group = "Jobs", .help = "Imitate another benchmark" },
	{ "cpuclock-test", REFUSED("a self test of fio; fiord checks the clock in every run"), .group = "Jobs",
	  .help = "Test the CPU clock" },
	{ "crctest", REFUSED("a self test of fio's checksums, not of storage"), .group = "Jobs", .help = "Time the checksums" },
	{ "memcpytest", REFUSED("a self test of memcpy, not of storage"), .group = "Jobs", .help = "Time memcpy" },
	{ "server", REFUSED(REMOTE), .group = "Many hosts", .help = "Wait for a client" },
	{ "client", REFUSED(REMOTE), .group = "Many hosts", .help = "Run on other hosts" },
	{ "daemonize", REFUSED(REMOTE), .group = "Many hosts", .help = "Run as a server in the background" },
	{ "remote-config", REFUSED(REMOTE), .group = "Many hosts", .help = "A job file on the server" },
	{ NULL },
};
/* clang-format on */

const struct opt_table cmdline_flags = { .rows = rows, .struct_bytes = sizeof(struct cmdline_flags) };
