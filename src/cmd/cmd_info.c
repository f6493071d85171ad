/* cmd_info.c: the verbs that print help without a list of the verbs: usage, version, options, engines. */
#include <string.h>
#include "cmd.h"
#include "cmdline_flags.h"
#include "doc.h"
#include "help_topic.h"
#include "report.h"
#include "rows.h"
#include "strbuf.h"
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

static void print_engines(struct strbuf *b)
{
	strbuf_puts(b, "Available IO engines:\n");
	for (const struct engine *const *e = engine_table; *e; e++)
		strbuf_printf(b, "\t%-12s %s\n", (*e)->name, (*e)->help);
}

static int put_info(const struct cmdline *c, const struct job_set *set, struct strbuf *b, struct diag *d)
{
	switch (c->verb) {
	case VERB_VERSION:
		report_version(b, "fiord", FIORD_VERSION, FIORD_FIO_VERSION, set->run.as_fio);
		strbuf_putc(b, '\n');
		return 0;
	case VERB_ENGHELP:
		if (c->topic)
			return help_engine(c->topic, b, d);
		print_engines(b);
		return 0;
	case VERB_CMDHELP:
		if (c->topic && strcmp(c->topic, "all"))
			return help_option(c->topic, set->run.as_fio ? DOC_USABLE : DOC_ALL, b, d);
		doc_list(&job_options, b, false);
		return 0;
	case VERB_HELP:
		if (c->topic)
			return help_topic(c->topic, b, d);
		break;
	case VERB_USAGE:
	case VERB_INFLATE:
	case VERB_RUN:
	case VERB_CHECK:
		break;
	}
	strbuf_puts(b, usage);
	return 0;
}

int cmd_info(const struct cmdline *c, const struct job_set *set, struct diag *d)
{
	struct strbuf b = { 0 };
	int code;

	if (put_info(c, set, &b, d)) {
		strbuf_fini(&b);
		return EXIT_USAGE;
	}
	code = cmd_put_buffer(&b, d);
	return c->verb == VERB_USAGE && code == EXIT_OK ? EXIT_USAGE : code;
}
