/* cmd_run.c: the verb run: options that run nothing, or the runs. */
#include <errno.h>
#include "cmd.h"
#include "collect.h"
#include "planning.h"
#include "report.h"
#include "session.h"
#include "strbuf.h"

static int show_command(const struct job_set *set, struct diag *d)
{
	struct strbuf b = { 0 };

	cmdline_show(set, &b);
	return cmd_put_buffer(&b, d);
}

static int parse_only(const struct job_set *set, struct diag *d)
{
	struct assertions list = { 0 };
	int err = planned_assertions_parse(&list, set, d);

	assertions_fini(&list);
	if (err)
		return cmd_code(d);
	if (!set->run.warnings_fatal || !set->notes.count)
		return EXIT_OK;
	diag_err(d, -EINVAL, "--warnings-fatal: %s", set->notes.line[0]);
	return EXIT_USAGE;
}

/* --idle-prof=calibrate prints the time of the unit of work, and runs no job. */
static int calibrate_idle(struct diag *d)
{
	struct result_idle idle = { .calibrated = true };
	struct strbuf b = { 0 };

	idle_prof_unit(&idle);
	report_idle(&b, &idle);
	return cmd_put_buffer(&b, d);
}

int cmd_run(struct job_set *set, struct diag *d)
{
	if (set->run.showcmd)
		return show_command(set, d);
	if (set->run.parse_only)
		return parse_only(set, d);
	if (set->run.idle_prof == IDLE_CALIBRATE)
		return calibrate_idle(d);
	if (set->njobs)
		return repeat_run(set, d);
	diag_err(d, -EINVAL, "no job to run; name a job file, or use --name=NAME and its options");
	return EXIT_USAGE;
}
