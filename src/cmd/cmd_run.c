/* cmd_run.c: the verb run: plan, run, result, reports. */
#include <errno.h>
#include <stdlib.h>
#include "cmd.h"
#include "session.h"

struct cmd_run {
	struct planning planning;
	struct session session;
};

/* Reports a run that did not start. */
static int refuse(const struct job_set *set, int code, struct diag *d)
{
	diag_spell(d, set->speller);
	cmd_put_refusal(set, code, d);
	return code;
}

static int run_session(struct session *s, struct diag *d)
{
	struct result res = { 0 };
	int code;

	if (session_open(s, d) || session_run(s, d)) {
		progress_display_end(&s->display.progress);
		return refuse(s->planning->set, EXIT_JOB, d);
	}
	session_collect(s, &res, d);
	code = session_write(s, &res, d);
	result_free(&res);
	return code;
}

static int run_jobs(const struct job_set *set, struct diag *d)
{
	struct cmd_run *c = calloc(1, sizeof(*c));
	int code;

	if (!c) {
		diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
		return EXIT_JOB;
	}
	session_init(&c->session, &c->planning);
	if (planning_init(&c->planning, set, d))
		code = refuse(set, cmd_code(d), d);
	else
		code = run_session(&c->session, d);
	session_fini(&c->session);
	planning_fini(&c->planning);
	free(c);
	return code;
}

static int show_command(const struct job_set *set, struct diag *d)
{
	struct strbuf b = { 0 };
	int code;

	cmdline_show(set, &b);
	code = cmd_put(strbuf_str(&b), d);
	strbuf_fini(&b);
	return code;
}

static int parse_only(const struct job_set *set, struct diag *d)
{
	if (!set->run.warnings_fatal || !set->notes.count)
		return EXIT_OK;
	diag_err(d, -EINVAL, "--warnings-fatal: %s", set->notes.line[0]);
	return EXIT_USAGE;
}

int cmd_run(struct job_set *set, struct diag *d)
{
	if (set->run.showcmd)
		return show_command(set, d);
	if (set->run.parse_only)
		return parse_only(set, d);
	if (set->run.idle_prof == IDLE_CALIBRATE)
		return cmd_idle_calibrate(d);
	if (set->njobs)
		return run_jobs(set, d);
	diag_err(d, -EINVAL, "no job to run; name a job file, or use --name=NAME and its options");
	return EXIT_USAGE;
}
