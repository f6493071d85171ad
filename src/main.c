/* main.c: picks the verb; the only place that prints errors. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <unistd.h>
#include "cmd.h"
#include "outfile.h"

int cmd_code(const struct diag *d)
{
	switch (d->kind) {
	case DIAG_TARGET:
		return EXIT_TARGET;
	case DIAG_RUN:
		return EXIT_JOB;
	case DIAG_OUTPUT:
		return EXIT_OUTPUT;
	case DIAG_USAGE:
		break;
	}
	return EXIT_USAGE;
}

int cmd_put(const char *text, struct diag *d)
{
	return outfile_write(NULL, text, strlen(text), d) ? EXIT_OUTPUT : EXIT_OK;
}

int main(int argc, char **argv)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };
	int code;

	signal(SIGPIPE, SIG_IGN);
	if (cmdline_parse(&c, &set, argc, argv, &d))
		code = cmd_code(&d);
	else if (c.verb == VERB_RUN)
		code = cmd_run(&set, &d);
	else if (c.verb == VERB_CHECK)
		code = cmd_check(&set, &d);
	else
		code = cmd_help(&c, &d);
	if (d.text)
		fprintf(stderr, "fiord: %s\n", diag_text(&d));
	diag_fini(&d);
	job_set_fini(&set);
	return code;
}
