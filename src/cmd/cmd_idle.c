/* cmd_idle.c: --idle-prof=calibrate prints the time of the unit of work, and runs no job. */
#include "cmd.h"
#include "collect.h"
#include "report.h"
#include "strbuf.h"

int cmd_idle_calibrate(struct diag *d)
{
	struct result_idle idle = { .calibrated = true };
	struct strbuf b = { 0 };

	idle_prof_unit(&idle);
	report_idle(&b, &idle);
	return cmd_put_buffer(&b, d);
}
