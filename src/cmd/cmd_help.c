/* cmd_help.c: the verbs that print help: usage, help, version, options, engines. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "cmd.h"
#include "cmdline_flags.h"
#include "doc.h"
#include "help_topic.h"
#include "report.h"
#include "rows.h"
#include "verbs.h"
#include "version.h"

static const char usage[] =
	"fiord measures storage: it reads fio job files and does the I/O that they describe.\n"
	"\n"
	"  fiord JOBFILE...                run a job file\n"
	"  fiord --name=try --filename=/tmp/fiord.dat --size=256m --rw=randread --bs=4k --runtime=5 "
	"--time_based\n"
	"                                  run a job given in one line: 4 KiB random reads of a new file\n"
	"  fiord check JOBFILE             show what a job would do, touch nothing\n"
	"  fiord help iodepth              explain one option (fiord --cmdhelp lists them)\n"
	"\n"
	"More: fiord --help, man fiord, man fiord-job.\n";

static void help_screen(struct strbuf *b)
{
	strbuf_puts(b, "fiord measures storage with fio-style jobs.\n\n"
		       "  fiord [run] [OPTION...] JOBFILE...   run; options may stand anywhere\n"
		       "  fiord --name=JOB --OPTION=VALUE...   run a job given in one line\n"
		       "  fiord check JOBFILE...               print the plan, touch nothing\n"
		       "  fiord help [OPTION|WORD...]          print this page, or explain an option\n");
	for (const struct verb *const *v = verb_table; *v; v++)
		strbuf_printf(b, "  fiord %-30s %s\n", (*v)->synopsis, (*v)->help);
	strbuf_puts(b, "\n"
		       "  fiord --name=seq --directory=/mnt/data --size=1g --rw=write --bs=1m --direct=1\n"
		       "  fiord --output-format=json --output=result.json job.ini\n\n"
		       "  --set NAME=VALUE overrides the job files; other job options are defaults.\n"
		       "  --output-format=normal,terse,json,json+,diskspd,diskspd-xml: one or more.\n"
		       "  --report=FILE, --csv=FILE, --repeat=N and others: fiord help flags.\n"
		       "\nEvery option of a job file is also an option here. All options: fiord --cmdhelp,\n"
		       "engines: fiord --enghelp, in full: man fiord, man fiord-job.\n"
		       "Exit: 0 done, 1 a job failed, 2 usage or job file, 3 target refused,\n"
		       "6 result not written, 128+N ended by signal N.\n");
}

static void print_engines(struct strbuf *b)
{
	strbuf_puts(b, "Available IO engines:\n");
	for (const struct engine *const *e = engine_table; *e; e++)
		strbuf_printf(b, "\t%-12s %s\n", (*e)->name, (*e)->help);
}

static const struct engine *engine_named(const char *name, size_t len)
{
	char buf[64];

	if (len >= sizeof(buf))
		return NULL;
	memcpy(buf, name, len);
	buf[len] = '\0';
	return engine_find(buf);
}

/* Prints the help of --enghelp=ENGINE[,OPTION]. */
static int engine_help(const char *topic, struct strbuf *b, struct diag *d)
{
	size_t n = strcspn(topic, ",");
	const struct engine *e = engine_named(topic, n);
	const struct opt_row *row;
	const char *why;

	if (!e) {
		why = engine_missing(topic);
		return diag_err(d, -EINVAL, "--enghelp=%s: %s", topic,
				why ? why : "no such engine; fiord --enghelp lists them");
	}
	if (!topic[n]) {
		strbuf_printf(b, "%s: %s\n", e->name, e->help);
		if (e->opts)
			doc_list(e->opts, b, true);
		return 0;
	}
	row = e->opts ? opt_find(e->opts, topic + n + 1) : NULL;
	if (!row)
		return diag_err(d, -EINVAL, "--enghelp=%s: engine %s has no such option", topic, e->name);
	return doc_option(row, DOC_ALL, b);
}

static int words(const struct cmdline *c, const struct job_set *set, struct strbuf *b, struct diag *d)
{
	switch (c->verb) {
	case VERB_USAGE:
		strbuf_puts(b, usage);
		return 0;
	case VERB_VERSION:
		report_version(b, "fiord", FIORD_VERSION, FIORD_FIO_VERSION, set->run.as_fio);
		strbuf_putc(b, '\n');
		return 0;
	case VERB_ENGHELP:
		if (c->topic)
			return engine_help(c->topic, b, d);
		print_engines(b);
		return 0;
	case VERB_CMDHELP:
		if (c->topic && strcmp(c->topic, "all"))
			return help_option(c->topic, set->run.as_fio ? DOC_USABLE : DOC_ALL, b, d);
		doc_list(&job_options, b, c->topic != NULL);
		return 0;
	case VERB_HELP:
		if (c->topic)
			return help_topic(c->topic, b, d);
		help_screen(b);
		return 0;
	case VERB_INFLATE:
	case VERB_RUN:
	case VERB_CHECK:
		break;
	}
	return -EINVAL;
}

int cmd_help(const struct cmdline *c, const struct job_set *set, struct diag *d)
{
	struct strbuf b = { 0 };
	int code = EXIT_USAGE;

	if (!words(c, set, &b, d)) {
		code = cmd_put(strbuf_str(&b), d);
		if (c->verb == VERB_USAGE && code == EXIT_OK)
			code = EXIT_USAGE;
	}
	strbuf_fini(&b);
	return code;
}
