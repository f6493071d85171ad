/* cmd_idle.c: --idle-prof=calibrate prints how long the unit of work takes, and runs nothing. */
#include "cmd.h"
#include "idle_prof.h"
#include "report.h"

int cmd_idle_calibrate(struct diag *d)
{
	struct result_idle idle = { .calibrated = true };
	struct strbuf b = { 0 };
	int code;

	idle_prof_unit(&idle);
	report_idle(&b, &idle);
	code = cmd_put(strbuf_str(&b), d);
	strbuf_fini(&b);
	return code;
}
