/* cmd_help.c: the verb help: lists the verbs, and explains each of them. */
#include <string.h>
#include "cmd.h"
#include "rows.h"
#include "strbuf.h"
#include "verbs.h"

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
		       "  --set NAME=VALUE overrides the job files; other job options are defaults.\n"
		       "  --report=FILE, --csv=FILE, --output-format=json+, --repeat: fiord help flags.\n"
		       "Every option of a job file is also an option here. All options: fiord --cmdhelp,\n"
		       "engines: fiord --enghelp, in full: man fiord, man fiord-job.\n"
		       "Exit: 0 done, 1 a job failed, 2 usage or job file, 3 target refused,\n"
		       "4 damaged data, 5 an assertion failed, 6 result not written, 128+N signal N.\n");
}

int cmd_help(const struct cmdline *c, const struct job_set *set, struct diag *d)
{
	bool help = c->verb == VERB_HELP;
	const struct verb *verb = help && c->topic ? verb_find(c->topic + strspn(c->topic, "-")) : NULL;
	bool is_option = verb && opt_find(&job_options, verb->name);
	struct strbuf b = { 0 };
	int code;

	if (!(help && !c->topic) && !(verb && verb->usage))
		return cmd_info(c, set, d);
	if (verb)
		verb_help(verb, &b);
	else
		help_screen(&b);
	if (is_option)
		strbuf_puts(&b, "\nThe option of this name:\n\n");
	code = cmd_put_buffer(&b, d);
	return code == EXIT_OK && is_option ? cmd_info(c, set, d) : code;
}
