/* main.c: picks the verb, and prints its error. */
#include <stdio.h>
#include "cmd.h"
#include "verbs.h"

int main(int argc, char **argv)
{
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };
	const struct verb *verb;
	int code;

	cmd_init_process();
	if (cmd_is_diskspd(argv[0]))
		return cmd_close_stdout("fiord", cmd_diskspd(argc, argv));
	verb = argc > 1 && !cmdline_as_fio(argv[0]) ? verb_find(argv[1]) : NULL;
	if (verb) {
		code = verb->run(argc, argv, &d);
	} else if (cmdline_parse(&c, &set, argc, argv, &d)) {
		code = cmd_code(&d);
		if (c.verb == VERB_RUN || c.verb == VERB_CHECK)
			cmd_put_refusal(&set, code, &d);
	} else if (c.verb == VERB_RUN)
		code = cmd_run(&set, &d);
	else if (c.verb == VERB_CHECK)
		code = cmd_check(&set, &d);
	else if (c.verb == VERB_INFLATE)
		code = cmd_inflate(c.topic, &d);
	else
		code = cmd_help(&c, &set, &d);
	if (d.text || d.err)
		fprintf(stderr, "%s: %s\n", cmd_name(&set), diag_text(&d));
	code = cmd_exit_code(&set, cmd_close_stdout(cmd_name(&set), code));
	diag_fini(&d);
	job_set_fini(&set);
	return code;
}
